//! Song and Application: properties.

use crate::music::scale;
use crate::object_model::{ModelError, Value};
use crate::set::document::Song;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use crate::set::runtime::launch_orders::TransportAction;
use crate::set::runtime::runtime_state::Playing;
use std::sync::Arc;

/// How far the Arrangement reaches past its last event: "a little", in Live; here a bar of common time.
const SONG_TAIL_BEATS: f64 = 4.0;

impl SetState {
    pub(in crate::set::model) fn read_song(&self, member: &str) -> MemberAnswer<Value> {
        let song = &self.document.song;
        Some(Ok(match member {
            "tempo" => song.tempo_bpm.into(),
            "signature_numerator" => i64::from(song.signature.numerator).into(),
            "signature_denominator" => i64::from(song.signature.denominator).into(),
            "clip_trigger_quantization" => i64::from(song.launch_quantization).into(),
            "root_note" => i64::from(song.root_note).into(),
            "scale_name" => song.scale_name.as_str().into(),
            "scale_mode" => song.scale_mode.into(),
            "scale_intervals" => Value::Ints(
                scale::kind_named(&song.scale_name)
                    .map_or(&[][..], |kind| kind.intervals)
                    .iter()
                    .map(|i| i64::from(*i))
                    .collect(),
            ),
            "loop" => song.loop_on.into(),
            "loop_start" => song.loop_start.into(),
            "loop_length" => song.loop_length.into(),
            "name" => song.name.as_str().into(),
            "can_undo" => self.history.can_undo().into(),
            "can_redo" => self.history.can_redo().into(),
            "is_playing" => self.shown_playing().into(),
            "current_song_time" => self.shown_position().into(),
            // Preferences of Live's that are on unless a person turned them off.
            "exclusive_arm" | "exclusive_solo" | "select_on_launch" => true.into(),
            "session_record_status" => {
                let on = self.view_settings.get(&(ObjectRef::Song.id().0, "session_record".to_owned()));
                i64::from(on.and_then(serde_json::Value::as_bool) == Some(true)).into()
            }
            "last_event_time" => self.last_event_time().into(),
            "song_length" => (self.last_event_time() + SONG_TAIL_BEATS).into(),
            "start_time" => self.runtime.start_time.into(),
            "back_to_arranger" => self.any_session_track().into(),
            "re_enable_automation_enabled" => self.is_any_automation_overridden().into(),
            member => return self.read_song_locators(member),
        }))
    }

    /// The end of the last clip, or the last locator, of the Arrangement.
    fn last_event_time(&self) -> f64 {
        let clips = self.document.tracks.iter().filter_map(|track| track.arrangement.last()).map(|placed| placed.end);
        clips.chain(self.document.cue_points.last().map(|cue| cue.time)).fold(0.0, f64::max)
    }

    fn any_session_track(&self) -> bool {
        self.runtime.launches.iter().any(|l| self.runtime.track_play(l.track).playing != Playing::Arrangement)
    }

    fn edit_song(&mut self, edit: impl FnOnce(&mut Song)) {
        edit(Arc::make_mut(&mut self.document.song));
    }

    pub(in crate::set::model) fn write_song(&mut self, member: &str, value: &Value) -> MemberAnswer<()> {
        let number = value.as_f64().unwrap_or_default();
        let byte = u8::try_from(value.as_i64().unwrap_or_default()).unwrap_or_default();
        let on = value.as_bool().unwrap_or_default();
        match member {
            "tempo" => self.edit_song(|song| song.tempo_bpm = number),
            "signature_numerator" => self.edit_song(|song| song.signature.numerator = byte),
            "signature_denominator" => self.edit_song(|song| song.signature.denominator = byte),
            "clip_trigger_quantization" => self.edit_song(|song| song.launch_quantization = byte),
            "root_note" => self.edit_song(|song| song.root_note = byte),
            "scale_mode" => self.edit_song(|song| song.scale_mode = on),
            "scale_name" => {
                let name = value.as_str().unwrap_or_default();
                // Live knows a scale by its exact name.
                if scale::kind_named(name).is_none_or(|kind| kind.name != name) {
                    return Some(Err(ModelError::refused(format!("there is no scale called {name:?}"))));
                }
                self.edit_song(|song| song.scale_name = name.to_owned());
            }
            "loop" => self.edit_song(|song| song.loop_on = on),
            "loop_start" => self.edit_song(|song| song.loop_start = number),
            "loop_length" => {
                if number <= 0.0 {
                    return Some(Err(ModelError::refused("loop_length must be above 0")));
                }
                self.edit_song(|song| song.loop_length = number);
            }
            "is_playing" if on == self.runtime.is_playing() => {}
            "is_playing" => {
                self.runtime.order_transport(if on { TransportAction::Continue } else { TransportAction::Stop })
            }
            "current_song_time" => self.runtime.order_transport(TransportAction::Jump { to: number }),
            "start_time" => self.runtime.start_time = number,
            // Only 0 acts.
            "back_to_arranger" if !on => {
                let tracks: Vec<_> = self.runtime.launches.iter().map(|launch| launch.track).collect();
                for track in tracks {
                    self.runtime.back_to_arranger(track);
                }
            }
            "back_to_arranger" => {}
            _ => return None,
        }
        Some(Ok(()))
    }
}

//! Clip: properties, and the functions that are not about notes.

use crate::object_model::clip_facts::ClipFacts;
use crate::object_model::{ModelError, Value};
use crate::set::document::Clip;
use crate::set::document::ids::Serial;
use crate::set::model::clip::audio_content::AUDIO_ONLY;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use crate::set::model::song::launch_buttons::ButtonPress;
use crate::set::runtime::runtime_state::{Fired, Playing};
use crate::set::tables::palette;

impl SetState {
    pub(in crate::set::model) fn read_clip(&self, clip: &Clip, member: &str) -> MemberAnswer<Value> {
        if AUDIO_ONLY.contains(&member) {
            return match clip.audio() {
                Some(audio) => self.read_clip_audio(audio, member),
                None => {
                    Some(Err(ModelError::UnknownMember { class: "a MIDI clip".to_owned(), member: member.to_owned() }))
                }
            };
        }
        let placed = || self.document.placed(clip.serial);
        let lane = || self.document.lane_of(clip.serial);
        let (start, end) = clip.region();
        let play = || self.track_of_clip(clip.serial).map(|(track, _)| self.runtime.track_play(track));
        let playing = || play().is_some_and(|play| play.playing == Playing::Clip(clip.serial));
        Some(Ok(match member {
            "name" => clip.name.as_str().into(),
            "color" => palette::rgb(clip.color).into(),
            "color_index" => i64::from(clip.color).into(),
            "is_midi_clip" => clip.notes().is_some().into(),
            "is_audio_clip" => clip.notes().is_none().into(),
            "is_session_clip" => lane().is_none().into(),
            "is_arrangement_clip" => lane().is_some().into(),
            "is_take_lane_clip" => lane().is_some_and(|of| of.take_lane.is_some()).into(),
            "looping" => clip.looping.into(),
            "loop_start" | "position" => start.into(),
            "loop_end" => end.into(),
            "end_time" => placed().map_or(end, |placed| placed.end).into(),
            "start_marker" => clip.start_marker.into(),
            "end_marker" => clip.end_marker.into(),
            "length" => (end - start).into(),
            "start_time" => match placed() {
                Some(placed) => placed.start.into(),
                None => self.started_at(clip.serial).into(),
            },
            "muted" => clip.muted.into(),
            "launch_mode" => i64::from(clip.launch_mode).into(),
            "launch_quantization" => i64::from(clip.launch_quantization).into(),
            "legato" => clip.legato.into(),
            "has_groove" => clip.groove.is_some().into(),
            "signature_numerator" => i64::from(clip.signature.numerator).into(),
            "signature_denominator" => i64::from(clip.signature.denominator).into(),
            "is_playing" => playing().into(),
            "is_triggered" => play().is_some_and(|play| play.fired == Some(Fired::Clip(clip.serial))).into(),
            "playing_position" => {
                let cell = self.track_of_clip(clip.serial).and_then(|(track, _)| self.runtime.launch(track));
                cell.filter(|_| playing()).map_or(0.0, |launch| launch.cell.read().position_beats).into()
            }
            member => return self.read_clip_envelopes(clip, member),
        }))
    }

    /// The members that every read of a clip shows.
    pub(in crate::set::model) fn facts_of_clip(&self, clip: &Clip) -> ClipFacts {
        let play = self.track_of_clip(clip.serial).map(|(track, _)| self.runtime.track_play(track));
        let stored = |member: &str| clip.stored.get(member).is_some_and(|on| *on == true || *on == 1);
        let (loop_start, loop_end) = clip.region();
        ClipFacts {
            is_midi_clip: clip.notes().is_some(),
            name: clip.name.clone(),
            color: palette::rgb(clip.color),
            is_arrangement_clip: self.document.lane_of(clip.serial).is_some(),
            is_playing: play.as_ref().is_some_and(|play| play.playing == Playing::Clip(clip.serial)),
            is_triggered: play.as_ref().is_some_and(|play| play.fired == Some(Fired::Clip(clip.serial))),
            is_recording: stored("is_recording"),
            is_overdubbing: stored("is_overdubbing"),
            muted: clip.muted,
            has_envelopes: !clip.envelopes.is_empty(),
            signature: (clip.signature.numerator.into(), clip.signature.denominator.into()),
            looping: clip.looping,
            loop_start,
            loop_end,
            start_marker: clip.start_marker,
            end_marker: clip.end_marker,
        }
    }

    /// When a clip that plays was launched, on the clock that leads; 0 for one that does not.
    fn started_at(&self, clip: Serial) -> f64 {
        let launch = self.track_of_clip(clip).and_then(|(track, _)| self.runtime.launch(track));
        let state = launch.map(|launch| launch.cell.read()).filter(|state| state.playing == Some(clip));
        state.map_or(0.0, |state| state.start_beats)
    }

    pub(in crate::set::model) fn write_clip(
        &mut self,
        serial: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let number = value.as_f64().unwrap_or_default();
        let byte = u8::try_from(value.as_i64().unwrap_or_default()).unwrap_or_default();
        let on = value.as_bool().unwrap_or_default();
        let edit = |set: &mut Self, edit: &dyn Fn(&mut Clip)| set.document.edit_clip(serial, |clip| edit(clip));
        let edited = match member {
            "name" => edit(self, &|c| c.name = value.as_str().unwrap_or_default().to_owned()),
            "color" => edit(self, &|c| c.color = palette::nearest(value.as_i64().unwrap_or_default())),
            "color_index" => edit(self, &|c| c.color = byte),
            "looping" => return Some(self.write_looping(serial, on)),
            member if AUDIO_ONLY.contains(&member) => return self.write_clip_audio(serial, member, value),
            "muted" => edit(self, &|c| c.muted = on),
            "launch_mode" => edit(self, &|c| c.launch_mode = byte),
            "launch_quantization" => edit(self, &|c| c.launch_quantization = byte),
            "legato" => edit(self, &|c| c.legato = on),
            "signature_numerator" => edit(self, &|c| c.signature.numerator = byte),
            "signature_denominator" => edit(self, &|c| c.signature.denominator = byte),
            "loop_start" | "loop_end" | "start_marker" | "end_marker" | "position" => {
                return Some(self.write_region(serial, member, number));
            }
            "is_playing" => {
                let scene = self.track_of_clip(serial);
                if let Some((track, scene)) = scene {
                    if on { self.fire_slot(track, scene, &ButtonPress::default()) } else { self.stop_clip(serial) }
                }
                Some(())
            }
            _ => return None,
        };
        Some(edited.ok_or(ModelError::NoObject))
    }

    /// Stops a clip that plays, and takes back a launch of it that waits; what else plays on its track goes on.
    fn stop_clip(&mut self, serial: Serial) {
        let Some((track, _)) = self.track_of_clip(serial) else { return };
        let play = self.runtime.track_play(track);
        if play.playing == Playing::Clip(serial) {
            let quantum = self.document.clip(serial).map(|clip| self.clip_quantum(clip));
            self.runtime.stop_track(track, quantum.unwrap_or_else(|| self.global_quantum()));
        } else if play.fired == Some(Fired::Clip(serial)) {
            self.runtime.cancel_order(track);
        }
    }

    pub(in crate::set::model) fn call_clip(
        &mut self,
        serial: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        match function {
            "fire" => {
                let (track, _) = self.track_of_clip(serial)?;
                let clip = self.document.clip(serial)?.clone();
                self.fire_clip(track, &clip, &ButtonPress::default());
                Some(Ok(Value::Nothing))
            }
            "set_fire_button_state" => {
                let (track, scene) = self.track_of_clip(serial)?;
                if args.first().and_then(Value::as_bool) == Some(true) {
                    self.fire_slot(track, scene, &ButtonPress { held: true, ..ButtonPress::default() });
                } else {
                    self.release_slot(track, scene);
                }
                Some(Ok(Value::Nothing))
            }
            "stop" => {
                self.stop_clip(serial);
                Some(Ok(Value::Nothing))
            }
            _ => self
                .call_clip_envelopes(serial, function, args)
                .or_else(|| self.call_clip_audio(serial, function, args))
                .or_else(|| self.call_clip_notes(serial, function, args)),
        }
    }
}

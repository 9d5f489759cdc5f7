//! Track: properties and functions.

use crate::object_model::faders;
use crate::object_model::routing_choices::RoutingChoices;
use crate::object_model::value::from_json;
use crate::object_model::{ModelError, Value};
use crate::set::document::default_names::{return_letter, without_letter};
use crate::set::document::ids::Serial;
use crate::set::document::{StoredMembers, Track, TrackKind};
use crate::set::edit::lane_edits::LaneRef;
use crate::set::model::device::automation::activator_of_track;
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::set_state::SetState;
use crate::set::model::stored_members::{storable, untyped};
use crate::set::runtime::launch_orders::LaunchQuantum;
use crate::set::runtime::runtime_state::{Fired, Playing, TrackPlayState};
use crate::set::tables::palette;
use serde_json::{Value as Json, json};

/// What `set_data` keeps, among the stored values under a name that no member has.
pub(in crate::set::model) fn data_entry(args: &[Value]) -> (String, Json) {
    let key = args.first().and_then(Value::as_str).unwrap_or_default();
    (format!("data.{key}"), args.get(1).map_or(Json::Null, untyped))
}

/// What `get_data(key, default)` gives.
pub(in crate::set::model) fn data(stored: Option<&StoredMembers>, args: &[Value]) -> Value {
    let (key, default) = data_entry(args);
    from_json(stored.and_then(|stored| stored.get(&key)).unwrap_or(&default))
}

fn regular(track: &Track) -> bool {
    !matches!(track.kind, TrackKind::Return | TrackKind::Main)
}

/// Monitoring of a new track.
const MONITORING_AUTO: i64 = 1;

/// Where a level, as a factor, stands on a meter whose scale is the fader's. See D147 in `docs/decisions.md`.
fn meter(level: f32) -> f64 {
    faders::volume_raw(20.0 * f64::from(level).log10())
}

fn can_be_armed(track: &Track) -> bool {
    has_input(track) && !track.is_frozen()
}

/// MIDI and audio tracks, which take an input and can record.
fn has_input(track: &Track) -> bool {
    matches!(track.kind, TrackKind::Midi | TrackKind::Audio)
}

/// A member that this kind of track does not have.
fn lacking(member: &str) -> ModelError {
    ModelError::UnknownMember { class: "this track".to_owned(), member: member.to_owned() }
}

impl SetState {
    /// Not inside a folded group.
    pub(in crate::set::model) fn is_visible(&self, track: &Track) -> bool {
        let mut group = track.group;
        while let Some(parent) = group.and_then(|serial| self.document.track(serial)) {
            if parent.is_folded() {
                return false;
            }
            group = parent.group;
        }
        true
    }

    /// What a frozen track refuses: new clips, in the Session and on the timeline.
    pub(in crate::set::model) fn refuse_frozen(&self, track: Serial) -> Result<(), ModelError> {
        let frozen = self.document.track(track).is_some_and(|track| track.is_frozen());
        if frozen { Err(ModelError::refused("the track is frozen")) } else { Ok(()) }
    }

    /// Armed and able to record.
    pub(in crate::set::model) fn is_armed(&self, track: &Track) -> bool {
        can_be_armed(track) && track.arm
    }

    /// What a track plays and waits for; a group shows the first of its members that plays, stopped or waits.
    fn shown_play(&self, track: &Track) -> TrackPlayState {
        if track.kind != TrackKind::Group {
            return self.runtime.track_play(track.serial);
        }
        let plays: Vec<TrackPlayState> =
            self.document.with_members(track.serial).into_iter().map(|t| self.runtime.track_play(t)).collect();
        let clip = plays.iter().find(|p| matches!(p.playing, Playing::Clip(_)));
        let stopped = plays.iter().find(|p| p.playing == Playing::Stopped);
        TrackPlayState {
            playing: clip.or(stopped).map_or(Playing::Arrangement, |p| p.playing),
            fired: plays.iter().find_map(|p| p.fired),
        }
    }

    /// Whether a rack on the track has chains that the mixer could show.
    fn can_show_chains(track: &Track) -> bool {
        track.devices.iter().any(|d| matches!(d.class_name.as_str(), "InstrumentGroupDevice" | "DrumGroupDevice"))
    }

    pub(in crate::set::model) fn has_instrument(track: &Track) -> bool {
        use crate::object_model::native_devices::{DeviceCategory, by_class};
        let is = |class: &str| by_class(class).is_some_and(|(_, c)| c.category == DeviceCategory::Instrument);
        track.devices.iter().any(|device| is(&device.class_name))
    }

    /// What a track's list of routings is made of; `None` where it has none.
    pub(in crate::set::model) fn read_routing_choices(&self, track: &Track, member: &str) -> Option<RoutingChoices> {
        Self::track_has(track, member).then(|| self.routing_parts(track, member)).flatten()
    }

    /// Whether this kind of track has the member.
    fn track_has(track: &Track, member: &str) -> bool {
        let main = track.kind == TrackKind::Main;
        match member {
            "arm" | "implicit_arm" => can_be_armed(track),
            "current_monitoring_state" => has_input(track),
            // Left and right are those of audio; a MIDI signal has one level.
            "output_meter_left" | "output_meter_right" => track.kind != TrackKind::Midi || Self::has_instrument(track),
            "playing_slot_index" | "fired_slot_index" => regular(track),
            "mute" | "solo" | "muted_via_solo" => !main,
            "fold_state" => track.kind == TrackKind::Group,
            // `input_routing_type`, `available_output_routing_channels`, `current_input_sub_routing` and their like.
            m if m.contains("routing") && m.contains("input_") => has_input(track),
            m if m.contains("routing") && m.contains("output_") => !main,
            _ => true,
        }
    }

    pub(in crate::set::model) fn read_track(&self, track: &Track, member: &str) -> MemberAnswer<Value> {
        if !Self::track_has(track, member) {
            return Some(Err(lacking(member)));
        }
        let play = || self.shown_play(track);
        let slot = |clip: Serial| {
            let at = self.track_of_clip(clip).and_then(|(_, scene)| self.document.scene_position(scene));
            at.and_then(|at| i64::try_from(at).ok()).unwrap_or(-2)
        };
        Some(Ok(match member {
            "name" => self.document.track_name(track).into(),
            "color" => palette::rgb(track.color).into(),
            "color_index" => i64::from(track.color).into(),
            "output_meter_left" => meter(self.runtime.levels.of(track.serial).left).into(),
            "output_meter_right" => meter(self.runtime.levels.of(track.serial).right).into(),
            "output_meter_level" => {
                let level = self.runtime.levels.of(track.serial);
                meter(level.left.max(level.right)).into()
            }
            "mute" => track.mute.into(),
            "solo" => track.solo.into(),
            "arm" => track.arm.into(),
            "muted_via_solo" => self.document.is_muted_via_solo(track).into(),
            "can_be_armed" => can_be_armed(track).into(),
            "can_be_frozen" => (has_input(track) && !track.is_frozen()).into(),
            "is_frozen" => track.is_frozen().into(),
            "can_show_chains" => Self::can_show_chains(track).into(),
            "is_showing_chains" => {
                let shown = track.stored.get(member).and_then(Json::as_bool).unwrap_or(false);
                (shown && Self::can_show_chains(track)).into()
            }
            "fold_state" => track.stored.get(member).and_then(Json::as_i64).unwrap_or(0).into(),
            "is_foldable" => (track.kind == TrackKind::Group).into(),
            "is_grouped" => track.group.is_some().into(),
            "is_visible" => self.is_visible(track).into(),
            "is_part_of_selection" => (self.runtime.selection.track == Some(track.serial)).into(),
            "has_midi_input" => (track.kind == TrackKind::Midi).into(),
            "has_audio_input" => (track.kind == TrackKind::Audio).into(),
            "has_midi_output" => (track.kind == TrackKind::Midi && !Self::has_instrument(track)).into(),
            "has_audio_output" => (track.kind != TrackKind::Midi || Self::has_instrument(track)).into(),
            "current_monitoring_state" if !track.stored.contains_key(member) => MONITORING_AUTO.into(),
            "back_to_arranger" => (play().playing != Playing::Arrangement).into(),
            "playing_slot_index" => match play().playing {
                Playing::Clip(clip) => slot(clip).into(),
                Playing::Stopped => (-2).into(),
                Playing::Arrangement => (-1).into(),
            },
            "fired_slot_index" => match play().fired {
                Some(Fired::Clip(clip)) => slot(clip).into(),
                Some(Fired::Stop) => (-2).into(),
                None => (-1).into(),
            },
            member => return self.read_routing(track, member).map(Ok),
        }))
    }

    pub(in crate::set::model) fn write_track(
        &mut self,
        serial: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
        let on = value.as_bool().unwrap_or_default();
        let number = value.as_i64().unwrap_or_default();
        let text = value.as_str().unwrap_or_default();
        let edited = match member {
            "name" => {
                // The letter of a return is its place's, not its name's.
                let letter = self.document.return_position(serial).map(return_letter);
                let own = letter.map_or(text, |letter| without_letter(text, letter));
                self.document.edit_track(serial, |t| t.name = (!text.is_empty()).then(|| own.to_owned()))
            }
            "color" => self.document.edit_track(serial, |t| t.color = palette::nearest(number)),
            "color_index" => self.document.edit_track(serial, |t| t.color = u8::try_from(number).unwrap_or_default()),
            "mute" => {
                self.override_automation(activator_of_track(serial));
                self.document.edit_track(serial, |t| t.mute = on)
            }
            "solo" => self.document.edit_track(serial, |t| t.solo = on),
            "arm" => self.document.edit_track(serial, |t| t.arm = on),
            "current_monitoring_state" if !(0..=2).contains(&number) => {
                return Some(Err(ModelError::OutOfRange {
                    member: member.to_owned(),
                    range: "one of 0, 1, 2".to_owned(),
                }));
            }
            "is_showing_chains" if !self.document.track(serial).is_some_and(|t| Self::can_show_chains(t)) => {
                return Some(Err(ModelError::refused("the track has no rack whose chains the mixer could show")));
            }
            "is_showing_chains" => {
                self.document.edit_track(serial, |t| drop(t.stored.insert(member.to_owned(), json!(on))))
            }
            "fold_state" if !(0..=1).contains(&number) => {
                return Some(Err(ModelError::OutOfRange {
                    member: member.to_owned(),
                    range: "one of 0, 1".to_owned(),
                }));
            }
            "fold_state" => {
                self.document.edit_track(serial, |t| drop(t.stored.insert(member.to_owned(), json!(number))))
            }
            // Only 0 acts; a group covers its members.
            "back_to_arranger" => {
                if !on {
                    for member in self.document.with_members(serial) {
                        self.runtime.back_to_arranger(member);
                    }
                }
                Some(())
            }
            _ => return self.write_routing(serial, member, value),
        };
        Some(edited.ok_or(ModelError::NoObject))
    }

    pub(in crate::set::model) fn call_track(
        &mut self,
        serial: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        match function {
            "stop_all_clips" => {
                let quantized = args.first().and_then(Value::as_bool).unwrap_or(true);
                let quantum = if quantized { self.global_quantum() } else { LaunchQuantum::None };
                for member in self.document.with_members(serial) {
                    self.runtime.stop_track(member, quantum);
                }
                Some(Ok(Value::Nothing))
            }
            "insert_device" => Some(self.insert_device(serial, args)),
            "delete_device" => Some(self.delete_device(serial, args)),
            "duplicate_device" => Some(self.duplicate_device(serial, args)),
            "jump_in_running_session_clip" => Some(match args.first().and_then(Value::as_f64) {
                Some(beats) => {
                    if matches!(self.runtime.track_play(serial).playing, Playing::Clip(_)) {
                        self.runtime.skip(serial, beats);
                    }
                    Ok(Value::Nothing)
                }
                None => Err(ModelError::refused("jump_in_running_session_clip takes a number of beats")),
            }),
            "get_data" => Some(Ok(data(self.document.track(serial).map(|t| &t.stored), args))),
            "set_data" => {
                let (key, value) = data_entry(args);
                Some(storable(value).and_then(|value| {
                    let edited = self.document.edit_track(serial, |t| drop(t.stored.insert(key, value)));
                    edited.map(|()| Value::Nothing).ok_or(ModelError::NoObject)
                }))
            }
            "duplicate_clip_slot" => Some(self.duplicate_slot(serial, args.first())),
            _ => self.call_arrangement(LaneRef { track: serial, take_lane: None }, function, args),
        }
    }
}

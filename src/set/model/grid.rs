//! ClipSlot and Scene: the Session grid, and launching from it.

use super::{Answer, SetState, Target};
use crate::object_model::class::class;
use crate::object_model::wrapper::object_argument;
use crate::object_model::{ModelError, Value};
use crate::set::document::{Clip, Document, Scene, Signature, TrackKind};
use crate::set::ids::Serial;
use crate::set::launch::Quantum;
use crate::set::palette;
use crate::set::session::{Fired, Playing, TrackPlay};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Longest clip, in quarter beats.
pub const MAX_CLIP_LENGTH_BEATS: f64 = 1_000_000.0;

/// Launch modes of a clip; 0, trigger, starts it anew each time.
const GATE: u8 = 1;
const TOGGLE: u8 = 2;
const REPEAT: u8 = 3;

/// Why a launch that would record is refused.
pub(super) const NO_RECORDING: &str = "this records from an input, which takes a running Live";

/// How a launch button is pressed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Press {
    /// Instead of the clip's own launch quantization.
    pub quantum: Option<Quantum>,
    /// Takes over the position of what plays, whatever the clip says.
    pub legato: bool,
    /// Stays down until it is let go.
    pub held: bool,
}

/// The boundary that a number of Live's `quantization` enum stands for.
pub(super) fn quantum(number: i64) -> Quantum {
    let triplet = 2.0 / 3.0;
    match number {
        1 => Quantum::Bars(8),
        2 => Quantum::Bars(4),
        3 => Quantum::Bars(2),
        4 => Quantum::Bars(1),
        5 => Quantum::Beats(2.0),
        6 => Quantum::Beats(2.0 * triplet),
        7 => Quantum::Beats(1.0),
        8 => Quantum::Beats(triplet),
        9 => Quantum::Beats(0.5),
        10 => Quantum::Beats(0.5 * triplet),
        11 => Quantum::Beats(0.25),
        12 => Quantum::Beats(0.25 * triplet),
        13 => Quantum::Beats(0.125),
        _ => Quantum::None,
    }
}

impl SetState {
    pub(super) fn global_quantum(&self) -> Quantum {
        quantum(self.document.song.launch_quantization.into())
    }

    /// The clip's own launch quantization, or the Song's where the clip follows it.
    pub(super) fn clip_quantum(&self, clip: &Clip) -> Quantum {
        match clip.launch_quantization {
            0 => self.global_quantum(),
            own => quantum(i64::from(own) - 1),
        }
    }

    pub(super) fn read_slot(&self, track: Serial, scene: Serial, member: &str) -> Answer<Value> {
        let host = self.document.track(track)?;
        let group = host.kind == TrackKind::Group;
        let clip = host.clip_at(scene);
        Some(Ok(match member {
            "has_clip" => clip.is_some().into(),
            "has_stop_button" => host.no_stop_button.binary_search(&scene).is_err().into(),
            "is_group_slot" => group.into(),
            "controls_other_clips" => (group && self.first_below(track, scene).is_some()).into(),
            "is_playing" => self.slot_plays(track, scene).into(),
            // Of group slots; on the others it is always 0, as their clip tells.
            "playing_status" => i64::from(group && self.slot_plays(track, scene)).into(),
            "is_triggered" => self.slot_waits(track, scene).into(),
            "color" | "color_index" => match self.first_below(track, scene).filter(|_| group) {
                Some(clip) if member == "color" => palette::rgb(clip.color).into(),
                Some(clip) => i64::from(clip.color).into(),
                None => return Some(Err(super::unknown(class("ClipSlot")?, member))),
            },
            _ => return None,
        }))
    }

    /// The first clip in that scene on the tracks of a group.
    fn first_below(&self, group: Serial, scene: Serial) -> Option<&Arc<Clip>> {
        let members = self.document.with_members(group);
        members.into_iter().find_map(|member| self.document.clip_in(member, scene))
    }

    /// Whether the slot's clip plays; of a group, a member's clip in that scene.
    fn slot_plays(&self, track: Serial, scene: Serial) -> bool {
        self.document.with_members(track).into_iter().any(|member| {
            let clip = self.document.clip_in(member, scene).map(|clip| clip.serial);
            clip.is_some_and(|clip| self.session.track_play(member).playing == Playing::Clip(clip))
        })
    }

    /// Whether the slot's launch or stop button blinks; of a group, a member's in that scene.
    fn slot_waits(&self, track: Serial, scene: Serial) -> bool {
        self.document.with_members(track).into_iter().any(|member| match self.session.track_play(member).fired {
            Some(Fired::Clip(fired)) => self.document.clip_in(member, scene).is_some_and(|clip| clip.serial == fired),
            Some(Fired::Stop) => self.session.launch(member).is_some_and(|launch| launch.stop_slot == Some(scene)),
            None => false,
        })
    }

    pub(super) fn write_slot(&mut self, track: Serial, scene: Serial, member: &str, value: &Value) -> Answer<()> {
        if member != "has_stop_button" {
            return None;
        }
        let on = value.as_bool().unwrap_or(true);
        let edited = self.document.edit_track(track, |track| match (track.no_stop_button.binary_search(&scene), on) {
            (Ok(at), true) => {
                track.no_stop_button.remove(at);
            }
            (Err(at), false) => track.no_stop_button.insert(at, scene),
            _ => {}
        });
        Some(edited.ok_or(ModelError::NoObject))
    }

    pub(super) fn call_slot(&mut self, track: Serial, scene: Serial, function: &str, args: &[Value]) -> Answer<Value> {
        Some(match function {
            "create_clip" => self.create_clip(track, scene, args.first().and_then(Value::as_f64)),
            "create_audio_clip" => self.create_session_audio(track, scene, args.first()),
            "delete_clip" => match self.document.take_clip(track, scene) {
                Some(_) => Ok(Value::Nothing),
                None => Err(ModelError::refused("the slot is empty")),
            },
            "duplicate_clip_to" => self.duplicate_clip_to(track, scene, args.first()),
            "fire" => self.fire_function(track, scene, args),
            "set_fire_button_state" => {
                if args.first().and_then(Value::as_bool) == Some(true) {
                    self.refuse_recording(track, scene).map(|()| {
                        self.fire_slot(track, scene, &Press { held: true, ..Press::default() });
                        Value::Nothing
                    })
                } else {
                    self.release_slot(track, scene);
                    Ok(Value::Nothing)
                }
            }
            "stop" => {
                let quantum = self.global_quantum();
                for member in self.document.with_members(track) {
                    self.session.stop_track(member, quantum);
                }
                Ok(Value::Nothing)
            }
            _ => return None,
        })
    }

    fn create_clip(&mut self, track: Serial, scene: Serial, length: Option<f64>) -> Result<Value, ModelError> {
        let length = length.filter(|length| *length > 0.0 && *length <= MAX_CLIP_LENGTH_BEATS).ok_or_else(|| {
            ModelError::refused(format!("a clip's length is above 0 and at most {MAX_CLIP_LENGTH_BEATS} beats"))
        })?;
        let host = self.document.track(track).ok_or(ModelError::NoObject)?;
        if host.kind != TrackKind::Midi {
            return Err(ModelError::refused("only a MIDI track takes an empty clip"));
        }
        self.refuse_frozen(track)?;
        if host.clip_at(scene).is_some() {
            return Err(ModelError::refused("the slot holds a clip already"));
        }
        let color = host.color;
        let serial = self.document.fresh_serial()?;
        let clip = Clip::midi(serial, length, color, self.document.song.signature);
        self.document.put_clip(track, scene, clip);
        Ok(Target::Clip(serial).id().into())
    }

    fn duplicate_clip_to(&mut self, track: Serial, scene: Serial, to: Option<&Value>) -> Result<Value, ModelError> {
        let source = self.document.clip_in(track, scene).cloned();
        let source = source.ok_or_else(|| ModelError::refused("the slot is empty"))?;
        let to = to.and_then(object_argument).flatten().and_then(|id| self.target(id));
        let Some(Target::Slot { track: to_track, scene: to_scene }) = to else {
            return Err(ModelError::refused("duplicate_clip_to takes a clip slot: \"id N\""));
        };
        let kind = |serial| self.document.track(serial).map(|t| t.kind);
        if kind(track) != kind(to_track) {
            return Err(ModelError::refused("the slots are on tracks of different kinds"));
        }
        self.refuse_frozen(track)?;
        self.refuse_frozen(to_track)?;
        if (track, scene) == (to_track, to_scene) {
            return Err(ModelError::refused("a clip cannot be copied onto itself"));
        }
        let serial = self.document.fresh_serial()?;
        self.document.put_clip(to_track, to_scene, Clip { serial, ..Clip::clone(&source) });
        Ok(Value::Nothing)
    }

    /// `fire(record_length, launch_quantization)`: each may be left out, or null.
    fn fire_function(&mut self, track: Serial, scene: Serial, args: &[Value]) -> Result<Value, ModelError> {
        let given = |at: usize| args.get(at).filter(|value| **value != Value::Nothing);
        if given(0).is_some_and(|length| length.as_f64().is_none_or(|beats| beats <= 0.0)) {
            return Err(ModelError::refused("record_length is a number of beats above 0"));
        }
        let quantum = match given(1).map(Value::as_i64) {
            None => None,
            Some(Some(number @ 0..=13)) => Some(quantum(number)),
            Some(_) => return Err(ModelError::refused("launch_quantization is 0..=13")),
        };
        self.refuse_recording(track, scene)?;
        self.fire_slot(track, scene, &Press { quantum, ..Press::default() });
        Ok(Value::Nothing)
    }

    /// The launch button of an empty slot on an armed track records, which takes a running Live.
    fn refuse_recording(&self, track: Serial, scene: Serial) -> Result<(), ModelError> {
        let host = self.document.track(track).ok_or(ModelError::NoObject)?;
        let records = self.is_armed(host) && host.clip_at(scene).is_none();
        if records { Err(ModelError::Unable(NO_RECORDING.to_owned())) } else { Ok(()) }
    }

    /// The launch button is let go: a clip that plays only while it is held stops, and nothing repeats any more.
    pub(super) fn release_slot(&mut self, track: Serial, scene: Serial) {
        for member in self.document.with_members(track) {
            let Some(clip) = self.document.clip_in(member, scene) else { continue };
            let (serial, gate, quantum) = (clip.serial, clip.launch_mode == GATE, self.clip_quantum(clip));
            let play = self.session.track_play(member);
            self.session.let_go(member);
            match play {
                TrackPlay { fired: Some(Fired::Clip(fired)), .. } if gate && fired == serial => {
                    self.session.take_back(member);
                }
                TrackPlay { playing: Playing::Clip(playing), fired: None } if gate && playing == serial => {
                    self.session.stop_track(member, quantum);
                }
                _ => {}
            }
        }
    }

    /// The copy goes into the next empty slot below; where the slot below is taken, or there is none, a scene is made for
    /// it. Gives the index it went to.
    pub(super) fn duplicate_slot(&mut self, track: Serial, index: Option<&Value>) -> Result<Value, ModelError> {
        let at = index.and_then(Value::as_i64).and_then(|at| usize::try_from(at).ok());
        let scene = at.and_then(|at| self.document.scenes.get(at)).map(|scene| scene.serial);
        let clip = scene.and_then(|scene| self.document.clip_in(track, scene)).cloned();
        let (Some(at), Some(clip)) = (at, clip) else {
            return Err(ModelError::refused("there is no clip in the slot of that index"));
        };
        self.refuse_frozen(track)?;
        let below = self.document.scenes.get(at + 1).map(|scene| scene.serial);
        let target = match below.filter(|scene| self.document.clip_in(track, *scene).is_none()) {
            Some(scene) => scene,
            None => {
                let scene = self.document.fresh_serial()?;
                self.document.insert_scene(at + 1, Scene::new(scene));
                scene
            }
        };
        let serial = self.document.fresh_serial()?;
        self.document.put_clip(track, target, Clip { serial, ..Clip::clone(&clip) });
        Ok(i64::try_from(at + 1).unwrap_or_default().into())
    }

    /// Launches what the slot holds; an empty slot with a stop button stops its track; a group's slot acts on the members.
    pub(super) fn fire_slot(&mut self, track: Serial, scene: Serial, press: &Press) {
        for member in self.document.with_members(track) {
            let Some(host) = self.document.track(member) else { continue };
            match host.clip_at(scene).cloned() {
                Some(clip) => self.fire_clip(member, &clip, press),
                None if host.no_stop_button.binary_search(&scene).is_err() => {
                    let quantum = press.quantum.unwrap_or_else(|| self.global_quantum());
                    self.session.stop_from(member, scene, quantum);
                }
                None => {}
            }
        }
    }

    /// What a clip's launch button does, by its launch mode.
    pub(super) fn fire_clip(&mut self, track: Serial, clip: &Clip, press: &Press) {
        let quantum = press.quantum.unwrap_or_else(|| self.clip_quantum(clip));
        if clip.launch_mode == TOGGLE && self.session.track_play(track).playing == Playing::Clip(clip.serial) {
            return self.session.stop_track(track, quantum);
        }
        self.session.fire(track, clip.serial, clip.legato || press.legato, quantum);
        if press.held && clip.launch_mode == REPEAT {
            self.session.hold(track, quantum);
        }
    }

    pub(super) fn read_scene(&self, scene: &Scene, member: &str) -> Answer<Value> {
        let or_off = |n: Option<u8>| n.map_or(-1, i64::from);
        let holders = || self.document.index.row(scene.serial);
        let fired = |track: Serial| {
            let clip = self.document.clip_in(track, scene.serial).map(|clip| clip.serial);
            clip.is_some_and(|clip| self.session.track_play(track).fired == Some(Fired::Clip(clip)))
        };
        Some(Ok(match member {
            "name" => scene.name.as_str().into(),
            "color" => match scene.color {
                Some(color) => palette::rgb(color).into(),
                None => return Some(Err(ModelError::refused("the scene has no colour"))),
            },
            "color_index" => match scene.color {
                Some(color) => i64::from(color).into(),
                None => return Some(Err(ModelError::refused("the scene has no colour"))),
            },
            "is_empty" => holders().next().is_none().into(),
            "is_triggered" => holders().any(fired).into(),
            "tempo" => scene.tempo_bpm.unwrap_or(-1.0).into(),
            "tempo_enabled" => scene.tempo_bpm.is_some().into(),
            "time_signature_numerator" => or_off(scene.signature.map(|s| s.numerator)).into(),
            "time_signature_denominator" => or_off(scene.signature.map(|s| s.denominator)).into(),
            "time_signature_enabled" => scene.signature.is_some().into(),
            _ => return None,
        }))
    }

    /// -1, which is outside the members' range, turns a scene's own tempo or meter off. Gives whether this was such a write.
    pub(super) fn switch_off(&mut self, scene: Serial, member: &str, value: &Value) -> bool {
        let minus_one = matches!(value, Value::Int(_) | Value::Float(_)) && value.as_i64() == Some(-1);
        let edit: fn(&mut Scene) = match member {
            "tempo" => |scene| scene.tempo_bpm = None,
            "time_signature_numerator" | "time_signature_denominator" => |scene| scene.signature = None,
            _ => return false,
        };
        minus_one && self.document.edit_scene(scene, edit).is_some()
    }

    pub(super) fn write_scene(&mut self, serial: Serial, member: &str, value: &Value) -> Answer<()> {
        let number = value.as_i64().unwrap_or_default();
        let byte = u8::try_from(number).unwrap_or_default();
        let on = value.as_bool().unwrap_or_default();
        let tempo = self.document.song.tempo_bpm;
        let song_signature = self.document.song.signature;
        let part = |scene: &Scene| scene.signature.unwrap_or(Signature { numerator: 4, denominator: 4 });
        let edited = match member {
            "name" => self.document.edit_scene(serial, |s| s.name = value.as_str().unwrap_or_default().to_owned()),
            "color" => self.document.edit_scene(serial, |s| s.color = Some(palette::nearest(number))),
            "color_index" => self.document.edit_scene(serial, |s| s.color = Some(byte)),
            "tempo" => self.document.edit_scene(serial, |s| s.tempo_bpm = value.as_f64()),
            "tempo_enabled" => {
                self.document.edit_scene(serial, |s| s.tempo_bpm = on.then(|| s.tempo_bpm.unwrap_or(tempo)))
            }
            "time_signature_numerator" => {
                self.document.edit_scene(serial, |s| s.signature = Some(Signature { numerator: byte, ..part(s) }))
            }
            "time_signature_denominator" => {
                self.document.edit_scene(serial, |s| s.signature = Some(Signature { denominator: byte, ..part(s) }))
            }
            "time_signature_enabled" => {
                self.document.edit_scene(serial, |s| s.signature = on.then(|| s.signature.unwrap_or(song_signature)))
            }
            _ => return None,
        };
        Some(edited.ok_or(ModelError::NoObject))
    }

    pub(super) fn call_scene(&mut self, serial: Serial, function: &str, args: &[Value]) -> Answer<Value> {
        match function {
            "fire" => {
                let flag = |at: usize, default: bool| args.get(at).and_then(Value::as_bool).unwrap_or(default);
                self.fire_scene(serial, &Press { legato: flag(0, false), ..Press::default() });
                if flag(1, true) {
                    self.session.selection.scene = Some(serial);
                }
            }
            "set_fire_button_state" if args.first().and_then(Value::as_bool) == Some(true) => {
                self.fire_scene(serial, &Press { held: true, ..Press::default() });
            }
            "set_fire_button_state" => {
                let tracks: Vec<Serial> = self.document.index.row(serial).collect();
                for track in tracks {
                    self.release_slot(track, serial);
                }
            }
            "fire_as_selected" => {
                let Some(Target::Scene(selected)) = self.selected("selected_scene") else { return None };
                let legato = args.first().and_then(Value::as_bool).unwrap_or(false);
                self.fire_scene(selected, &Press { legato, ..Press::default() });
                let next = self.document.scene_position(selected).and_then(|at| self.document.scenes.get(at + 1));
                self.session.selection.scene = Some(next.map_or(selected, |scene| scene.serial));
            }
            _ => return None,
        }
        Some(Ok(Value::Nothing))
    }

    /// Launches every slot of a scene, stop buttons included, with the scene's own tempo and meter where it has them. Empty
    /// slots of armed tracks stop like the others: Live's *Start Recording on Scene Launch* is off.
    fn fire_scene(&mut self, scene: Serial, press: &Press) {
        if let Some(own) =
            self.document.scene(scene).filter(|s| s.tempo_bpm.is_some() || s.signature.is_some()).cloned()
        {
            self.without_undo(|document| {
                let song = Arc::make_mut(&mut document.song);
                song.tempo_bpm = own.tempo_bpm.unwrap_or(song.tempo_bpm);
                song.signature = own.signature.unwrap_or(song.signature);
            });
        }
        // An empty slot acts only where something was launched. Every regular track has its own slot, so a group's slot is
        // not asked to do its members' part again.
        let launched = self.session.launches.iter().map(|launch| launch.track);
        let tracks: BTreeSet<Serial> = self.document.index.row(scene).chain(launched).collect();
        for track in tracks {
            self.fire_slot(track, scene, press);
        }
    }

    /// An edit that launching makes: it belongs to no undo step.
    fn without_undo(&mut self, edit: impl Fn(&mut Document)) {
        edit(&mut self.document);
        self.edit_base(edit);
    }
}

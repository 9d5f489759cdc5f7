//! ClipSlot and Scene: the Session grid, and launching from it.

use crate::music::LONGEST_CLIP_BEATS;
use crate::object_model::class::class;
use crate::object_model::value::object_argument;
use crate::object_model::{ModelError, Value};
use crate::set::document::ids::Serial;
use crate::set::document::{Clip, Scene, Signature, TrackKind};
use crate::set::model::member_answer::MemberAnswer;
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use crate::set::model::song::launch_buttons::ButtonPress;
use crate::set::runtime::runtime_state::Fired;
use crate::set::tables::palette;
use std::sync::Arc;

impl SetState {
    pub(in crate::set::model) fn read_slot(&self, track: Serial, scene: Serial, member: &str) -> MemberAnswer<Value> {
        let host = self.document.track(track)?;
        let group = host.kind == TrackKind::Group;
        let clip = host.clip_at(scene);
        Some(Ok(match member {
            "has_clip" => clip.is_some().into(),
            "has_stop_button" => host.no_stop_button.binary_search(&scene).is_err().into(),
            "is_group_slot" => group.into(),
            "controls_other_clips" => (group && self.first_below(track, scene).is_some()).into(),
            "is_playing" => self.slot_plays(track, scene).into(),
            // Of group slots; on others it is always 0, for their clip shows it.
            "playing_status" => i64::from(group && self.slot_plays(track, scene)).into(),
            "is_triggered" => self.slot_waits(track, scene).into(),
            "color" | "color_index" => match self.first_below(track, scene).filter(|_| group) {
                Some(clip) if member == "color" => palette::rgb(clip.color).into(),
                Some(clip) => i64::from(clip.color).into(),
                None => return Some(Err(crate::set::model::member_answer::unknown_member(class("ClipSlot")?, member))),
            },
            _ => return None,
        }))
    }

    /// The first clip in that scene on the tracks of a group.
    fn first_below(&self, group: Serial, scene: Serial) -> Option<&Arc<Clip>> {
        let members = self.document.with_members(group);
        members.into_iter().find_map(|member| self.document.clip_in(member, scene))
    }

    pub(in crate::set::model) fn write_slot(
        &mut self,
        track: Serial,
        scene: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
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

    pub(in crate::set::model) fn call_slot(
        &mut self,
        track: Serial,
        scene: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
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
                        self.fire_slot(track, scene, &ButtonPress { held: true, ..ButtonPress::default() });
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
                    self.runtime.stop_track(member, quantum);
                }
                Ok(Value::Nothing)
            }
            _ => return None,
        })
    }

    fn create_clip(&mut self, track: Serial, scene: Serial, length: Option<f64>) -> Result<Value, ModelError> {
        let length = length.filter(|length| *length > 0.0 && *length <= LONGEST_CLIP_BEATS).ok_or_else(|| {
            ModelError::refused(format!("a clip's length is above 0 and at most {LONGEST_CLIP_BEATS} beats"))
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
        Ok(ObjectRef::Clip(serial).id().into())
    }

    fn duplicate_clip_to(&mut self, track: Serial, scene: Serial, to: Option<&Value>) -> Result<Value, ModelError> {
        let source = self.document.clip_in(track, scene).cloned();
        let source = source.ok_or_else(|| ModelError::refused("the slot is empty"))?;
        let to = to.and_then(object_argument).flatten().and_then(|id| self.object_ref(id));
        let Some(ObjectRef::Slot { track: to_track, scene: to_scene }) = to else {
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

    /// The copy goes into the next empty slot below; where the slot below is taken, or there is none, a scene is made
    /// for it. Gives the index it went to.
    pub(in crate::set::model) fn duplicate_slot(
        &mut self,
        track: Serial,
        index: Option<&Value>,
    ) -> Result<Value, ModelError> {
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

    pub(in crate::set::model) fn read_scene(&self, scene: &Scene, member: &str) -> MemberAnswer<Value> {
        let or_off = |n: Option<u8>| n.map_or(-1, i64::from);
        let holders = || self.document.index.row(scene.serial);
        // Only a track with launch orders waits for a clip: the others are not looked at.
        let fires_here = |track: Serial| match self.runtime.track_play(track).fired {
            Some(Fired::Clip(clip)) => self.track_of_clip(clip) == Some((track, scene.serial)),
            _ => false,
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
            "is_triggered" => self.runtime.launches.iter().any(|launch| fires_here(launch.track)).into(),
            "tempo" => scene.tempo_bpm.unwrap_or(-1.0).into(),
            "tempo_enabled" => scene.tempo_bpm.is_some().into(),
            "time_signature_numerator" => or_off(scene.signature.map(|s| s.numerator)).into(),
            "time_signature_denominator" => or_off(scene.signature.map(|s| s.denominator)).into(),
            "time_signature_enabled" => scene.signature.is_some().into(),
            _ => return None,
        }))
    }

    /// -1, which is outside the members' range, turns a scene's own tempo or meter off. Gives whether this was such a
    /// write.
    pub(in crate::set::model) fn switch_off(&mut self, scene: Serial, member: &str, value: &Value) -> bool {
        let minus_one = matches!(value, Value::Int(_) | Value::Float(_)) && value.as_i64() == Some(-1);
        let edit: fn(&mut Scene) = match member {
            "tempo" => |scene| scene.tempo_bpm = None,
            "time_signature_numerator" | "time_signature_denominator" => |scene| scene.signature = None,
            _ => return false,
        };
        minus_one && self.document.edit_scene(scene, edit).is_some()
    }

    pub(in crate::set::model) fn write_scene(
        &mut self,
        serial: Serial,
        member: &str,
        value: &Value,
    ) -> MemberAnswer<()> {
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

    pub(in crate::set::model) fn call_scene(
        &mut self,
        serial: Serial,
        function: &str,
        args: &[Value],
    ) -> MemberAnswer<Value> {
        match function {
            "fire" => {
                let flag = |at: usize, default: bool| args.get(at).and_then(Value::as_bool).unwrap_or(default);
                self.fire_scene(serial, &ButtonPress { legato: flag(0, false), ..ButtonPress::default() });
                if flag(1, true) {
                    self.runtime.selection.scene = Some(serial);
                }
            }
            "set_fire_button_state" if args.first().and_then(Value::as_bool) == Some(true) => {
                self.fire_scene(serial, &ButtonPress { held: true, ..ButtonPress::default() });
            }
            "set_fire_button_state" => {
                let tracks: Vec<Serial> = self.document.index.row(serial).collect();
                for track in tracks {
                    self.release_slot(track, serial);
                }
            }
            "fire_as_selected" => {
                let Some(ObjectRef::Scene(selected)) = self.selected("selected_scene") else { return None };
                let legato = args.first().and_then(Value::as_bool).unwrap_or(false);
                self.fire_scene(selected, &ButtonPress { legato, ..ButtonPress::default() });
                let next = self.document.scene_position(selected).and_then(|at| self.document.scenes.get(at + 1));
                self.runtime.selection.scene = Some(next.map_or(selected, |scene| scene.serial));
            }
            _ => return None,
        }
        Some(Ok(Value::Nothing))
    }
}

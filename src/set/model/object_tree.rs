//! What hangs below an object: child lists and single children.

use crate::object_model::ModelError;
use crate::set::document::Track;
use crate::set::document::device_tree::{Chain, Device};
use crate::set::document::ids::Serial;
use crate::set::document::object_index::Location;
use crate::set::model::member_answer::unknown_member;
use crate::set::model::object_ref::{
    CHAIN_PARAMETERS, DEVICE_IO, DEVICE_IO_SPAN, MIXER_PARAMETERS, ObjectRef, has_grid, mixer_has,
};
use crate::set::model::set_state::SetState;
use std::sync::Arc;

/// Pads of a Drum Rack that are shown at once.
const VISIBLE_PADS: usize = 16;

pub(super) fn chains(device: &Device) -> &[Arc<Chain>] {
    device.rack.as_ref().map_or(&[], |rack| &rack.chains)
}

pub(super) fn return_chains(device: &Device) -> &[Arc<Chain>] {
    device.rack.as_ref().map_or(&[], |rack| &rack.return_chains)
}

impl SetState {
    /// The chains that a pad's note plays.
    pub(super) fn pad_chains(&self, device: Serial, note: u16) -> impl Iterator<Item = &Arc<Chain>> {
        let all = self.device(device).map_or(&[][..], |d| chains(d));
        all.iter().filter(move |chain| chain.in_note.map(u16::from) == Some(note))
    }

    /// The note of the first pad shown: the rack's view scrolls by rows of four.
    fn first_visible_pad(&self, device: Serial) -> u16 {
        let key = (ObjectRef::DeviceView(device).id().0, "drum_pads_scroll_position".to_owned());
        let row = self.view_settings.get(&key).and_then(serde_json::Value::as_u64).unwrap_or(9);
        u16::try_from(row.min(28) * 4).unwrap_or(0)
    }

    fn chain_selector(&self, device: Serial) -> Option<ObjectRef> {
        let at = self.device(device)?.specs().iter().position(|spec| spec.name == "Chain Selector")?;
        Some(ObjectRef::Parameter { device, index: u16::try_from(at).ok()? })
    }

    /// Length of a child list that the class table names.
    pub(super) fn list_len(&self, target: ObjectRef, name: &str) -> Result<usize, ModelError> {
        let doc = &self.document;
        let track = |serial| doc.track(serial).ok_or(ModelError::NoObject);
        Ok(match (target, name) {
            (ObjectRef::Song, "tracks") => doc.tracks.len(),
            (ObjectRef::Song, "visible_tracks") => self.visible_count(),
            (ObjectRef::Song, "return_tracks") => doc.returns.len(),
            (ObjectRef::Song, "scenes") => doc.scenes.len(),
            (ObjectRef::Track(serial), "clip_slots") if has_grid(track(serial)?) => doc.scenes.len(),
            (ObjectRef::Track(serial), "devices") => track(serial)?.devices.len(),
            (ObjectRef::Scene(_), "clip_slots") => doc.tracks.len(),
            (ObjectRef::Mixer(serial), "sends") => track(serial)?.mixer.sends.len(),
            (ObjectRef::Device(serial), "parameters") => self.device(serial).map_or(0, |device| device.values.len()),
            (ObjectRef::Device(serial), "chains") => self.device(serial).map_or(0, |d| chains(d).len()),
            (ObjectRef::Device(serial), "return_chains") => self.device(serial).map_or(0, |d| return_chains(d).len()),
            (ObjectRef::Device(serial), "drum_pads" | "visible_drum_pads") if !self.is_drum_rack(serial) => {
                return Err(self.class(target).map_or(ModelError::NoObject, |class| unknown_member(class, name)));
            }
            (ObjectRef::Device(serial), "drum_pads") => self.pad_count(serial),
            (ObjectRef::Device(serial), "visible_drum_pads") => self.pad_count(serial).min(VISIBLE_PADS),
            (ObjectRef::Device(serial), list) if DEVICE_IO.contains(&list) => self.io_count(serial, list),
            (ObjectRef::Chain(serial), "devices") => doc.chain(serial).map_or(0, |chain| chain.devices.len()),
            (ObjectRef::ChainMixer(serial), "sends") => doc.chain(serial).map_or(0, |chain| chain.sends.len()),
            (ObjectRef::DrumPad { device, note }, "chains") => self.pad_chains(device, note).count(),
            (ObjectRef::Track(serial), "take_lanes") => track(serial)?.take_lanes.len(),
            (ObjectRef::Track(serial), "arrangement_clips") => track(serial)?.arrangement.len(),
            (ObjectRef::TakeLane(serial), "arrangement_clips") => {
                doc.take_lane(serial).map_or(0, |lane| lane.clips.len())
            }
            (ObjectRef::Song, "cue_points") => doc.cue_points.len(),
            (ObjectRef::GroovePool, "grooves") => doc.grooves.len(),
            (ObjectRef::Application, "control_surfaces") => doc.song.control_surfaces.len(),
            // Lists that this Set has none of: they read empty, as in a new Live Set.
            _ => 0,
        })
    }

    pub(super) fn list_item(&self, target: ObjectRef, name: &str, at: usize) -> Option<ObjectRef> {
        let doc = &self.document;
        let serial = |track: &Arc<Track>| ObjectRef::Track(track.serial);
        match (target, name) {
            (ObjectRef::Song, "tracks") => doc.tracks.get(at).map(serial),
            (ObjectRef::Song, "visible_tracks") => self.visible_at(at).map(serial),
            (ObjectRef::Song, "return_tracks") => doc.returns.get(at).map(serial),
            (ObjectRef::Song, "scenes") => doc.scenes.get(at).map(|scene| ObjectRef::Scene(scene.serial)),
            (ObjectRef::Track(track), "clip_slots") => {
                let scene = doc.scenes.get(at).filter(|_| doc.location(track) == Some(Location::Track))?.serial;
                Some(ObjectRef::Slot { track, scene })
            }
            (ObjectRef::Track(track), "devices") => {
                doc.track(track)?.devices.get(at).map(|d| ObjectRef::Device(d.serial))
            }
            (ObjectRef::Scene(scene), "clip_slots") => {
                doc.tracks.get(at).map(|track| ObjectRef::Slot { track: track.serial, scene })
            }
            (ObjectRef::Mixer(track), "sends") => {
                doc.track(track)?.mixer.sends.get(at)?;
                doc.returns.get(at).map(|r| ObjectRef::Send { track, return_track: r.serial })
            }
            (ObjectRef::Device(device), "parameters") => {
                let index = u16::try_from(at).ok()?;
                self.device(device)?.values.get(at).map(|_| ObjectRef::Parameter { device, index })
            }
            (ObjectRef::Device(serial), "chains") => {
                chains(self.device(serial)?).get(at).map(|c| ObjectRef::Chain(c.serial))
            }
            (ObjectRef::Device(serial), "return_chains") => {
                return_chains(self.device(serial)?).get(at).map(|c| ObjectRef::Chain(c.serial))
            }
            (ObjectRef::Device(device), "drum_pads") => {
                (at < self.pad_count(device)).then_some(ObjectRef::DrumPad { device, note: u16::try_from(at).ok()? })
            }
            (ObjectRef::Device(device), "visible_drum_pads") => {
                let first = self.first_visible_pad(device);
                let note = u16::try_from(at).ok()?.checked_add(first)?;
                (at < self.pad_count(device).min(VISIBLE_PADS)).then_some(ObjectRef::DrumPad { device, note })
            }
            (ObjectRef::Device(device), list) if DEVICE_IO.contains(&list) => {
                let base = u16::try_from(DEVICE_IO.iter().position(|l| *l == list)?).ok()? * DEVICE_IO_SPAN;
                let there = at < self.io_count(device, list);
                there.then_some(ObjectRef::DeviceIo { device, index: base + u16::try_from(at).ok()? })
            }
            (ObjectRef::Chain(serial), "devices") => {
                doc.chain(serial)?.devices.get(at).map(|d| ObjectRef::Device(d.serial))
            }
            (ObjectRef::ChainMixer(chain), "sends") => {
                let return_chain = return_chains(self.rack_of(chain)?).get(at)?.serial;
                doc.chain(chain)?.sends.get(at).map(|_| ObjectRef::ChainSend { chain, return_chain })
            }
            (ObjectRef::DrumPad { device, note }, "chains") => {
                self.pad_chains(device, note).nth(at).map(|c| ObjectRef::Chain(c.serial))
            }
            (ObjectRef::Track(serial), "take_lanes") => {
                doc.track(serial)?.take_lanes.get(at).map(|lane| ObjectRef::TakeLane(lane.serial))
            }
            (ObjectRef::Track(serial), "arrangement_clips") => {
                doc.track(serial)?.arrangement.get(at).map(|placed| ObjectRef::Clip(placed.clip.serial))
            }
            (ObjectRef::TakeLane(serial), "arrangement_clips") => {
                doc.take_lane(serial)?.clips.get(at).map(|placed| ObjectRef::Clip(placed.clip.serial))
            }
            (ObjectRef::Song, "cue_points") => doc.cue_points.get(at).map(|cue| ObjectRef::CuePoint(cue.serial)),
            (ObjectRef::GroovePool, "grooves") => doc.grooves.get(at).map(|groove| ObjectRef::Groove(groove.serial)),
            (ObjectRef::Application, "control_surfaces") => {
                let index = u16::try_from(at).ok()?;
                doc.song.control_surfaces.get(at).map(|_| ObjectRef::ControlSurface(index))
            }
            _ => None,
        }
    }

    /// A single child; `Ok(None)` is an empty one, an error a child that this object does not have.
    pub(super) fn single(&self, target: ObjectRef, name: &str) -> Result<Option<ObjectRef>, ModelError> {
        let doc = &self.document;
        if name == "canonical_parent" {
            return Ok(self.parent(target));
        }
        Ok(match (target, name) {
            (ObjectRef::Song, "master_track") => Some(ObjectRef::Track(doc.main.serial)),
            (ObjectRef::Song, "appointed_device") => self.appointed_device(),
            (ObjectRef::TrackView(serial), "selected_device") => self.selected_device(serial),
            (ObjectRef::Song, "view") => Some(ObjectRef::SongView),
            (ObjectRef::Application, "view") => Some(ObjectRef::ApplicationView),
            (ObjectRef::Track(serial), "mixer_device") => Some(ObjectRef::Mixer(serial)),
            (ObjectRef::Track(serial), "view") => Some(ObjectRef::TrackView(serial)),
            (ObjectRef::Track(serial), "group_track") => doc.track(serial).and_then(|t| t.group).map(ObjectRef::Track),
            (ObjectRef::Slot { track, scene }, "clip") => {
                doc.clip_in(track, scene).map(|clip| ObjectRef::Clip(clip.serial))
            }
            (ObjectRef::Clip(serial), "view") => Some(ObjectRef::ClipView(serial)),
            (ObjectRef::Device(serial), "view") => Some(ObjectRef::DeviceView(serial)),
            (ObjectRef::Device(serial), "chain_selector") if self.is_drum_rack(serial) => {
                return Err(self.class(target).map_or(ModelError::NoObject, |class| unknown_member(class, name)));
            }
            (ObjectRef::Device(serial), "chain_selector") => self.chain_selector(serial),
            (ObjectRef::Device(serial), "sample") => {
                self.device(serial).filter(|d| d.sample.is_some()).map(|_| ObjectRef::Sample(serial))
            }
            (ObjectRef::DeviceView(serial), name) => self.selected_in_rack(serial, name)?,
            (ObjectRef::Chain(serial), "mixer_device") => Some(ObjectRef::ChainMixer(serial)),
            (ObjectRef::ChainMixer(chain), name) => {
                let index = CHAIN_PARAMETERS.iter().position(|p| *p == name).and_then(|at| u16::try_from(at).ok());
                match index.filter(|index| self.chain_has(chain, *index) == Some(true)) {
                    Some(index) => Some(ObjectRef::ChainMixerParameter { chain, index }),
                    None => {
                        return Err(self
                            .class(target)
                            .map_or(ModelError::NoObject, |class| unknown_member(class, name)));
                    }
                }
            }
            (ObjectRef::Song, "groove_pool") => Some(ObjectRef::GroovePool),
            (ObjectRef::Song, "tuning_system") => Some(ObjectRef::TuningSystem),
            (ObjectRef::Clip(serial), "groove") => doc.clip(serial).and_then(|clip| clip.groove).map(ObjectRef::Groove),
            (ObjectRef::Mixer(track), name) => {
                let index = MIXER_PARAMETERS.iter().position(|p| *p == name).and_then(|at| u16::try_from(at).ok());
                let strip = doc.track(track).ok_or(ModelError::NoObject)?;
                match index.filter(|index| mixer_has(strip, *index)) {
                    Some(index) => Some(ObjectRef::MixerParameter { track, index }),
                    None => {
                        return Err(self
                            .class(target)
                            .map_or(ModelError::NoObject, |class| unknown_member(class, name)));
                    }
                }
            }
            (ObjectRef::SongView, name) => self.selected(name),
            _ => None,
        })
    }
}

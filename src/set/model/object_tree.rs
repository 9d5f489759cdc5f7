//! How objects hang together: child lists, single children, parents, canonical paths.

use crate::object_model::ModelError;
use crate::set::document::Track;
use crate::set::document::device_tree::{Chain, Device};
use crate::set::document::ids::Serial;
use crate::set::document::index::Home;
use crate::set::model::member_answer::unknown;
use crate::set::model::object_ref::{
    CHAIN_PARAMETERS, DEVICE_IO, DEVICE_IO_SPAN, MIXER_PARAMETERS, Target, has_grid, mixer_has,
};
use crate::set::model::set_state::SetState;
use std::sync::Arc;

/// Pads of a Drum Rack that are shown at once.
const VISIBLE_PADS: usize = 16;

fn chains(device: &Device) -> &[Arc<Chain>] {
    device.rack.as_ref().map_or(&[], |rack| &rack.chains)
}

fn return_chains(device: &Device) -> &[Arc<Chain>] {
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
        let key = (Target::DeviceView(device).id().0, "drum_pads_scroll_position".to_owned());
        let row = self.view_settings.get(&key).and_then(serde_json::Value::as_u64).unwrap_or(9);
        u16::try_from(row.min(28) * 4).unwrap_or(0)
    }

    fn chain_selector(&self, device: Serial) -> Option<Target> {
        let at = self.device(device)?.specs().iter().position(|spec| spec.name == "Chain Selector")?;
        Some(Target::Parameter { device, index: u16::try_from(at).ok()? })
    }

    /// Length of a child list that the class table names.
    pub(super) fn list_len(&self, target: Target, name: &str) -> Result<usize, ModelError> {
        let doc = &self.document;
        let track = |serial| doc.track(serial).ok_or(ModelError::NoObject);
        Ok(match (target, name) {
            (Target::Song, "tracks") => doc.tracks.len(),
            (Target::Song, "visible_tracks") => self.visible_count(),
            (Target::Song, "return_tracks") => doc.returns.len(),
            (Target::Song, "scenes") => doc.scenes.len(),
            (Target::Track(serial), "clip_slots") if has_grid(track(serial)?) => doc.scenes.len(),
            (Target::Track(serial), "devices") => track(serial)?.devices.len(),
            (Target::Scene(_), "clip_slots") => doc.tracks.len(),
            (Target::Mixer(serial), "sends") => track(serial)?.mixer.sends.len(),
            (Target::Device(serial), "parameters") => self.device(serial).map_or(0, |device| device.values.len()),
            (Target::Device(serial), "chains") => self.device(serial).map_or(0, |d| chains(d).len()),
            (Target::Device(serial), "return_chains") => self.device(serial).map_or(0, |d| return_chains(d).len()),
            (Target::Device(serial), "drum_pads" | "visible_drum_pads") if !self.is_drum_rack(serial) => {
                return Err(self.class(target).map_or(ModelError::NoObject, |class| unknown(class, name)));
            }
            (Target::Device(serial), "drum_pads") => self.pad_count(serial),
            (Target::Device(serial), "visible_drum_pads") => self.pad_count(serial).min(VISIBLE_PADS),
            (Target::Device(serial), list) if DEVICE_IO.contains(&list) => self.io_count(serial, list),
            (Target::Chain(serial), "devices") => doc.chain(serial).map_or(0, |chain| chain.devices.len()),
            (Target::ChainMixer(serial), "sends") => doc.chain(serial).map_or(0, |chain| chain.sends.len()),
            (Target::DrumPad { device, note }, "chains") => self.pad_chains(device, note).count(),
            (Target::Track(serial), "take_lanes") => track(serial)?.take_lanes.len(),
            (Target::Track(serial), "arrangement_clips") => track(serial)?.arrangement.len(),
            (Target::TakeLane(serial), "arrangement_clips") => doc.take_lane(serial).map_or(0, |lane| lane.clips.len()),
            (Target::Song, "cue_points") => doc.cue_points.len(),
            (Target::GroovePool, "grooves") => doc.grooves.len(),
            (Target::Application, "control_surfaces") => doc.song.control_surfaces.len(),
            // Lists that this Set has none of: they read empty, as in a new Live Set.
            _ => 0,
        })
    }

    pub(super) fn list_item(&self, target: Target, name: &str, at: usize) -> Option<Target> {
        let doc = &self.document;
        let serial = |track: &Arc<Track>| Target::Track(track.serial);
        match (target, name) {
            (Target::Song, "tracks") => doc.tracks.get(at).map(serial),
            (Target::Song, "visible_tracks") => self.visible_at(at).map(serial),
            (Target::Song, "return_tracks") => doc.returns.get(at).map(serial),
            (Target::Song, "scenes") => doc.scenes.get(at).map(|scene| Target::Scene(scene.serial)),
            (Target::Track(track), "clip_slots") => {
                let scene = doc.scenes.get(at).filter(|_| doc.home(track) == Some(Home::Track))?.serial;
                Some(Target::Slot { track, scene })
            }
            (Target::Track(track), "devices") => doc.track(track)?.devices.get(at).map(|d| Target::Device(d.serial)),
            (Target::Scene(scene), "clip_slots") => {
                doc.tracks.get(at).map(|track| Target::Slot { track: track.serial, scene })
            }
            (Target::Mixer(track), "sends") => {
                doc.track(track)?.mixer.sends.get(at)?;
                doc.returns.get(at).map(|r| Target::Send { track, return_track: r.serial })
            }
            (Target::Device(device), "parameters") => {
                let index = u16::try_from(at).ok()?;
                self.device(device)?.values.get(at).map(|_| Target::Parameter { device, index })
            }
            (Target::Device(serial), "chains") => chains(self.device(serial)?).get(at).map(|c| Target::Chain(c.serial)),
            (Target::Device(serial), "return_chains") => {
                return_chains(self.device(serial)?).get(at).map(|c| Target::Chain(c.serial))
            }
            (Target::Device(device), "drum_pads") => {
                (at < self.pad_count(device)).then_some(Target::DrumPad { device, note: u16::try_from(at).ok()? })
            }
            (Target::Device(device), "visible_drum_pads") => {
                let first = self.first_visible_pad(device);
                let note = u16::try_from(at).ok()?.checked_add(first)?;
                (at < self.pad_count(device).min(VISIBLE_PADS)).then_some(Target::DrumPad { device, note })
            }
            (Target::Device(device), list) if DEVICE_IO.contains(&list) => {
                let base = u16::try_from(DEVICE_IO.iter().position(|l| *l == list)?).ok()? * DEVICE_IO_SPAN;
                let there = at < self.io_count(device, list);
                there.then_some(Target::DeviceIo { device, index: base + u16::try_from(at).ok()? })
            }
            (Target::Chain(serial), "devices") => doc.chain(serial)?.devices.get(at).map(|d| Target::Device(d.serial)),
            (Target::ChainMixer(chain), "sends") => {
                let return_chain = return_chains(self.rack_of(chain)?).get(at)?.serial;
                doc.chain(chain)?.sends.get(at).map(|_| Target::ChainSend { chain, return_chain })
            }
            (Target::DrumPad { device, note }, "chains") => {
                self.pad_chains(device, note).nth(at).map(|c| Target::Chain(c.serial))
            }
            (Target::Track(serial), "take_lanes") => {
                doc.track(serial)?.take_lanes.get(at).map(|lane| Target::TakeLane(lane.serial))
            }
            (Target::Track(serial), "arrangement_clips") => {
                doc.track(serial)?.arrangement.get(at).map(|placed| Target::Clip(placed.clip.serial))
            }
            (Target::TakeLane(serial), "arrangement_clips") => {
                doc.take_lane(serial)?.clips.get(at).map(|placed| Target::Clip(placed.clip.serial))
            }
            (Target::Song, "cue_points") => doc.cue_points.get(at).map(|cue| Target::CuePoint(cue.serial)),
            (Target::GroovePool, "grooves") => doc.grooves.get(at).map(|groove| Target::Groove(groove.serial)),
            (Target::Application, "control_surfaces") => {
                let index = u16::try_from(at).ok()?;
                doc.song.control_surfaces.get(at).map(|_| Target::ControlSurface(index))
            }
            _ => None,
        }
    }

    /// A single child; `Ok(None)` is an empty one, an error a child that this object does not have.
    pub(super) fn single(&self, target: Target, name: &str) -> Result<Option<Target>, ModelError> {
        let doc = &self.document;
        if name == "canonical_parent" {
            return Ok(self.parent(target));
        }
        Ok(match (target, name) {
            (Target::Song, "master_track") => Some(Target::Track(doc.main.serial)),
            (Target::Song, "appointed_device") => self.appointed_device(),
            (Target::TrackView(serial), "selected_device") => self.selected_device(serial),
            (Target::Song, "view") => Some(Target::SongView),
            (Target::Application, "view") => Some(Target::ApplicationView),
            (Target::Track(serial), "mixer_device") => Some(Target::Mixer(serial)),
            (Target::Track(serial), "view") => Some(Target::TrackView(serial)),
            (Target::Track(serial), "group_track") => doc.track(serial).and_then(|t| t.group).map(Target::Track),
            (Target::Slot { track, scene }, "clip") => doc.clip_in(track, scene).map(|clip| Target::Clip(clip.serial)),
            (Target::Clip(serial), "view") => Some(Target::ClipView(serial)),
            (Target::Device(serial), "view") => Some(Target::DeviceView(serial)),
            (Target::Device(serial), "chain_selector") if self.is_drum_rack(serial) => {
                return Err(self.class(target).map_or(ModelError::NoObject, |class| unknown(class, name)));
            }
            (Target::Device(serial), "chain_selector") => self.chain_selector(serial),
            (Target::Device(serial), "sample") => {
                self.device(serial).filter(|d| d.sample.is_some()).map(|_| Target::Sample(serial))
            }
            (Target::DeviceView(serial), name) => self.selected_in_rack(serial, name)?,
            (Target::Chain(serial), "mixer_device") => Some(Target::ChainMixer(serial)),
            (Target::ChainMixer(chain), name) => {
                let index = CHAIN_PARAMETERS.iter().position(|p| *p == name).and_then(|at| u16::try_from(at).ok());
                match index.filter(|index| self.chain_has(chain, *index) == Some(true)) {
                    Some(index) => Some(Target::ChainMixerParameter { chain, index }),
                    None => return Err(self.class(target).map_or(ModelError::NoObject, |class| unknown(class, name))),
                }
            }
            (Target::Song, "groove_pool") => Some(Target::GroovePool),
            (Target::Song, "tuning_system") => Some(Target::TuningSystem),
            (Target::Clip(serial), "groove") => doc.clip(serial).and_then(|clip| clip.groove).map(Target::Groove),
            (Target::Mixer(track), name) => {
                let index = MIXER_PARAMETERS.iter().position(|p| *p == name).and_then(|at| u16::try_from(at).ok());
                let strip = doc.track(track).ok_or(ModelError::NoObject)?;
                match index.filter(|index| mixer_has(strip, *index)) {
                    Some(index) => Some(Target::MixerParameter { track, index }),
                    None => return Err(self.class(target).map_or(ModelError::NoObject, |class| unknown(class, name))),
                }
            }
            (Target::SongView, name) => self.selected(name),
            _ => None,
        })
    }

    fn parent(&self, target: Target) -> Option<Target> {
        match target {
            Target::Song | Target::Application => None,
            Target::SongView | Target::Track(_) | Target::Scene(_) => Some(Target::Song),
            Target::ApplicationView => Some(Target::Application),
            Target::TrackView(serial) | Target::Mixer(serial) => Some(Target::Track(serial)),
            Target::MixerParameter { track, .. } | Target::Send { track, .. } => Some(Target::Mixer(track)),
            Target::Slot { track, .. } => Some(Target::Track(track)),
            Target::Clip(serial) => Some(match self.document.home(serial)? {
                Home::SessionClip { track, scene } => Target::Slot { track, scene },
                Home::PlacedClip { lane: Some(lane), .. } => Target::TakeLane(lane),
                Home::PlacedClip { track, .. } => Target::Track(track),
                _ => return None,
            }),
            Target::ClipView(serial) => Some(Target::Clip(serial)),
            Target::Device(serial) => match self.document.home(serial)? {
                Home::Device { parent } => match self.document.home(parent)? {
                    Home::Chain { .. } => Some(Target::Chain(parent)),
                    _ => Some(Target::Track(parent)),
                },
                _ => None,
            },
            Target::DeviceView(serial) => Some(Target::Device(serial)),
            Target::Parameter { device, .. } => Some(Target::Device(device)),
            Target::Chain(serial) => match self.document.home(serial)? {
                Home::Chain { rack } => Some(Target::Device(rack)),
                _ => None,
            },
            Target::ChainMixer(chain) => Some(Target::Chain(chain)),
            Target::ChainMixerParameter { chain, .. } | Target::ChainSend { chain, .. } => {
                Some(Target::ChainMixer(chain))
            }
            Target::DrumPad { device, .. } | Target::Sample(device) | Target::DeviceIo { device, .. } => {
                Some(Target::Device(device))
            }
            Target::TakeLane(serial) => match self.document.home(serial)? {
                Home::TakeLane { track } => Some(Target::Track(track)),
                _ => None,
            },
            Target::CuePoint(_) | Target::GroovePool | Target::TuningSystem => Some(Target::Song),
            Target::Groove(_) => Some(Target::GroovePool),
            Target::ControlSurface(_) => Some(Target::Application),
        }
    }

    /// The object's own route.
    pub(super) fn path(&self, target: Target) -> Option<String> {
        let doc = &self.document;
        let under = |target: Target, rest: String| self.path(target).map(|base| format!("{base} {rest}"));
        match target {
            Target::Song => Some("live_set".to_owned()),
            Target::Application => Some("live_app".to_owned()),
            Target::Track(serial) => Some(match doc.home(serial)? {
                Home::Track => format!("live_set tracks {}", doc.track_position(serial)?),
                Home::Return => format!("live_set return_tracks {}", doc.return_position(serial)?),
                _ => "live_set master_track".to_owned(),
            }),
            Target::Scene(serial) => Some(format!("live_set scenes {}", doc.scene_position(serial)?)),
            Target::Mixer(track) => under(Target::Track(track), "mixer_device".to_owned()),
            Target::MixerParameter { track, index } => {
                under(Target::Mixer(track), (*MIXER_PARAMETERS.get(usize::from(index))?).to_owned())
            }
            Target::Send { track, return_track } => {
                under(Target::Mixer(track), format!("sends {}", doc.return_position(return_track)?))
            }
            Target::Slot { track, scene } => {
                under(Target::Track(track), format!("clip_slots {}", doc.scene_position(scene)?))
            }
            Target::Clip(serial) => match self.parent(target)? {
                slot @ Target::Slot { .. } => under(slot, "clip".to_owned()),
                lane => under(lane, format!("arrangement_clips {}", doc.placed_position(serial)?)),
            },
            Target::Device(serial) => {
                let Home::Device { parent } = doc.home(serial)? else { return None };
                let at = doc.devices_in(parent)?.iter().position(|d| d.serial == serial)?;
                under(self.parent(target)?, format!("devices {at}"))
            }
            Target::Chain(serial) => {
                let rack = self.rack_of(serial)?;
                let at = |list: &[Arc<Chain>]| list.iter().position(|c| c.serial == serial);
                let step = match at(chains(rack)) {
                    Some(at) => format!("chains {at}"),
                    None => format!("return_chains {}", at(return_chains(rack))?),
                };
                under(Target::Device(rack.serial), step)
            }
            Target::ChainMixer(chain) => under(Target::Chain(chain), "mixer_device".to_owned()),
            Target::ChainMixerParameter { chain, index } => {
                under(Target::ChainMixer(chain), (*CHAIN_PARAMETERS.get(usize::from(index))?).to_owned())
            }
            Target::ChainSend { chain, return_chain } => {
                let at = return_chains(self.rack_of(chain)?).iter().position(|c| c.serial == return_chain)?;
                under(Target::ChainMixer(chain), format!("sends {at}"))
            }
            Target::DrumPad { device, note } => under(Target::Device(device), format!("drum_pads {note}")),
            Target::Sample(device) => under(Target::Device(device), "sample".to_owned()),
            Target::DeviceIo { device, index } => {
                let list = DEVICE_IO.get(usize::from(index / DEVICE_IO_SPAN))?;
                under(Target::Device(device), format!("{list} {}", index % DEVICE_IO_SPAN))
            }
            Target::TakeLane(serial) => {
                let Home::TakeLane { track } = doc.home(serial)? else { return None };
                let at = doc.track(track)?.take_lanes.iter().position(|l| l.serial == serial)?;
                under(Target::Track(track), format!("take_lanes {at}"))
            }
            Target::CuePoint(serial) => {
                Some(format!("live_set cue_points {}", doc.cue_points.iter().position(|c| c.serial == serial)?))
            }
            Target::GroovePool => Some("live_set groove_pool".to_owned()),
            Target::Groove(serial) => {
                let at = doc.grooves.iter().position(|g| g.serial == serial)?;
                Some(format!("live_set groove_pool grooves {at}"))
            }
            Target::TuningSystem => Some("live_set tuning_system".to_owned()),
            Target::ControlSurface(index) => Some(format!("control_surfaces {index}")),
            Target::Parameter { device, index } => under(Target::Device(device), format!("parameters {index}")),
            Target::SongView
            | Target::ApplicationView
            | Target::TrackView(_)
            | Target::ClipView(_)
            | Target::DeviceView(_) => under(self.parent(target)?, "view".to_owned()),
        }
    }
}

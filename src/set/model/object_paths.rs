//! What an object hangs below: its parent, and its canonical path.

use crate::set::document::device_tree::Chain;
use crate::set::document::object_index::Location;
use crate::set::model::object_ref::{CHAIN_PARAMETERS, DEVICE_IO, DEVICE_IO_SPAN, MIXER_PARAMETERS, ObjectRef};
use crate::set::model::object_tree::{chains, return_chains};
use crate::set::model::set_state::SetState;
use std::sync::Arc;

impl SetState {
    pub(super) fn parent(&self, target: ObjectRef) -> Option<ObjectRef> {
        match target {
            ObjectRef::Song | ObjectRef::Application => None,
            ObjectRef::SongView | ObjectRef::Track(_) | ObjectRef::Scene(_) => Some(ObjectRef::Song),
            ObjectRef::ApplicationView => Some(ObjectRef::Application),
            ObjectRef::TrackView(serial) | ObjectRef::Mixer(serial) => Some(ObjectRef::Track(serial)),
            ObjectRef::MixerParameter { track, .. } | ObjectRef::Send { track, .. } => Some(ObjectRef::Mixer(track)),
            ObjectRef::Slot { track, .. } => Some(ObjectRef::Track(track)),
            ObjectRef::Clip(serial) => Some(match self.document.location(serial)? {
                Location::SessionClip { track, scene } => ObjectRef::Slot { track, scene },
                Location::PlacedClip { lane: Some(lane), .. } => ObjectRef::TakeLane(lane),
                Location::PlacedClip { track, .. } => ObjectRef::Track(track),
                _ => return None,
            }),
            ObjectRef::ClipView(serial) => Some(ObjectRef::Clip(serial)),
            ObjectRef::Device(serial) => match self.document.location(serial)? {
                Location::Device { parent } => match self.document.location(parent)? {
                    Location::Chain { .. } => Some(ObjectRef::Chain(parent)),
                    _ => Some(ObjectRef::Track(parent)),
                },
                _ => None,
            },
            ObjectRef::DeviceView(serial) => Some(ObjectRef::Device(serial)),
            ObjectRef::Parameter { device, .. } => Some(ObjectRef::Device(device)),
            ObjectRef::Chain(serial) => match self.document.location(serial)? {
                Location::Chain { rack } => Some(ObjectRef::Device(rack)),
                _ => None,
            },
            ObjectRef::ChainMixer(chain) => Some(ObjectRef::Chain(chain)),
            ObjectRef::ChainMixerParameter { chain, .. } | ObjectRef::ChainSend { chain, .. } => {
                Some(ObjectRef::ChainMixer(chain))
            }
            ObjectRef::DrumPad { device, .. } | ObjectRef::Sample(device) | ObjectRef::DeviceIo { device, .. } => {
                Some(ObjectRef::Device(device))
            }
            ObjectRef::TakeLane(serial) => match self.document.location(serial)? {
                Location::TakeLane { track } => Some(ObjectRef::Track(track)),
                _ => None,
            },
            ObjectRef::CuePoint(_) | ObjectRef::GroovePool | ObjectRef::TuningSystem => Some(ObjectRef::Song),
            ObjectRef::Groove(_) => Some(ObjectRef::GroovePool),
            ObjectRef::ControlSurface(_) => Some(ObjectRef::Application),
        }
    }

    /// The object's own route.
    pub(super) fn path(&self, target: ObjectRef) -> Option<String> {
        let doc = &self.document;
        let under = |target: ObjectRef, rest: String| self.path(target).map(|base| format!("{base} {rest}"));
        match target {
            ObjectRef::Song => Some("live_set".to_owned()),
            ObjectRef::Application => Some("live_app".to_owned()),
            ObjectRef::Track(serial) => Some(match doc.location(serial)? {
                Location::Track => format!("live_set tracks {}", doc.track_position(serial)?),
                Location::Return => format!("live_set return_tracks {}", doc.return_position(serial)?),
                _ => "live_set master_track".to_owned(),
            }),
            ObjectRef::Scene(serial) => Some(format!("live_set scenes {}", doc.scene_position(serial)?)),
            ObjectRef::Mixer(track) => under(ObjectRef::Track(track), "mixer_device".to_owned()),
            ObjectRef::MixerParameter { track, index } => {
                under(ObjectRef::Mixer(track), (*MIXER_PARAMETERS.get(usize::from(index))?).to_owned())
            }
            ObjectRef::Send { track, return_track } => {
                under(ObjectRef::Mixer(track), format!("sends {}", doc.return_position(return_track)?))
            }
            ObjectRef::Slot { track, scene } => {
                let (track, scene) = (doc.track_position(track)?, doc.scene_position(scene)?);
                Some(format!("live_set tracks {track} clip_slots {scene}"))
            }
            ObjectRef::Clip(serial) => match self.parent(target)? {
                slot @ ObjectRef::Slot { .. } => self.path(slot).map(|mut path| {
                    path.push_str(" clip");
                    path
                }),
                lane => under(lane, format!("arrangement_clips {}", doc.placed_position(serial)?)),
            },
            ObjectRef::Device(serial) => {
                let Location::Device { parent } = doc.location(serial)? else { return None };
                let at = doc.devices_in(parent)?.iter().position(|d| d.serial == serial)?;
                under(self.parent(target)?, format!("devices {at}"))
            }
            ObjectRef::Chain(serial) => {
                let rack = self.rack_of(serial)?;
                let at = |list: &[Arc<Chain>]| list.iter().position(|c| c.serial == serial);
                let step = match at(chains(rack)) {
                    Some(at) => format!("chains {at}"),
                    None => format!("return_chains {}", at(return_chains(rack))?),
                };
                under(ObjectRef::Device(rack.serial), step)
            }
            ObjectRef::ChainMixer(chain) => under(ObjectRef::Chain(chain), "mixer_device".to_owned()),
            ObjectRef::ChainMixerParameter { chain, index } => {
                under(ObjectRef::ChainMixer(chain), (*CHAIN_PARAMETERS.get(usize::from(index))?).to_owned())
            }
            ObjectRef::ChainSend { chain, return_chain } => {
                let at = return_chains(self.rack_of(chain)?).iter().position(|c| c.serial == return_chain)?;
                under(ObjectRef::ChainMixer(chain), format!("sends {at}"))
            }
            ObjectRef::DrumPad { device, note } => under(ObjectRef::Device(device), format!("drum_pads {note}")),
            ObjectRef::Sample(device) => under(ObjectRef::Device(device), "sample".to_owned()),
            ObjectRef::DeviceIo { device, index } => {
                let list = DEVICE_IO.get(usize::from(index / DEVICE_IO_SPAN))?;
                under(ObjectRef::Device(device), format!("{list} {}", index % DEVICE_IO_SPAN))
            }
            ObjectRef::TakeLane(serial) => {
                let Location::TakeLane { track } = doc.location(serial)? else { return None };
                let at = doc.track(track)?.take_lanes.iter().position(|l| l.serial == serial)?;
                under(ObjectRef::Track(track), format!("take_lanes {at}"))
            }
            ObjectRef::CuePoint(serial) => {
                Some(format!("live_set cue_points {}", doc.cue_points.iter().position(|c| c.serial == serial)?))
            }
            ObjectRef::GroovePool => Some("live_set groove_pool".to_owned()),
            ObjectRef::Groove(serial) => {
                let at = doc.grooves.iter().position(|g| g.serial == serial)?;
                Some(format!("live_set groove_pool grooves {at}"))
            }
            ObjectRef::TuningSystem => Some("live_set tuning_system".to_owned()),
            ObjectRef::ControlSurface(index) => Some(format!("control_surfaces {index}")),
            ObjectRef::Parameter { device, index } => under(ObjectRef::Device(device), format!("parameters {index}")),
            ObjectRef::SongView
            | ObjectRef::ApplicationView
            | ObjectRef::TrackView(_)
            | ObjectRef::ClipView(_)
            | ObjectRef::DeviceView(_) => under(self.parent(target)?, "view".to_owned()),
        }
    }
}

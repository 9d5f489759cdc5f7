//! From an id to the object that it stands for, and from the object to its class.

use super::object_ref::{CHAIN_PARAMETERS, DEVICE_IO, DEVICE_IO_SPAN, ObjectRef, mixer_has};
use super::set_state::SetState;
use crate::object_model::ObjectId;
use crate::object_model::class::{Class, class};
use crate::set::document::device_tree::Device;
use crate::set::document::ids::{APPLICATION, IdParts, SONG, Serial};
use crate::set::document::object_index::Location;
use std::sync::Arc;

impl SetState {
    /// The object with that id, if it exists.
    pub fn object_ref(&self, id: ObjectId) -> Option<ObjectRef> {
        let doc = &self.document;
        Some(match IdParts::from_id(id)? {
            IdParts::Made(SONG) => ObjectRef::Song,
            IdParts::Made(APPLICATION) => ObjectRef::Application,
            IdParts::Made(serial) => match doc.location(serial)? {
                Location::Track | Location::Return | Location::Main => ObjectRef::Track(serial),
                Location::Scene => ObjectRef::Scene(serial),
                Location::SessionClip { .. } | Location::PlacedClip { .. } => ObjectRef::Clip(serial),
                Location::Device { .. } => ObjectRef::Device(serial),
                Location::Chain { .. } => ObjectRef::Chain(serial),
                Location::TakeLane { .. } => ObjectRef::TakeLane(serial),
                Location::CuePoint => ObjectRef::CuePoint(serial),
                Location::Groove => ObjectRef::Groove(serial),
            },
            IdParts::View(SONG) => ObjectRef::SongView,
            IdParts::View(APPLICATION) => ObjectRef::ApplicationView,
            IdParts::View(serial) => match doc.location(serial)? {
                Location::Track | Location::Return | Location::Main => ObjectRef::TrackView(serial),
                Location::SessionClip { .. } | Location::PlacedClip { .. } => ObjectRef::ClipView(serial),
                Location::Device { .. } => ObjectRef::DeviceView(serial),
                Location::Scene
                | Location::Chain { .. }
                | Location::TakeLane { .. }
                | Location::CuePoint
                | Location::Groove => {
                    return None;
                }
            },
            IdParts::Mixer(track) => {
                doc.track(track)?;
                ObjectRef::Mixer(track)
            }
            IdParts::MixerParameter { track, index } => {
                mixer_has(doc.track(track)?, index).then_some(ObjectRef::MixerParameter { track, index })?
            }
            IdParts::Send { track, return_track } => {
                let has_sends = doc.location(track)? != Location::Main && doc.track(track).is_some();
                (has_sends && doc.location(return_track)? == Location::Return)
                    .then_some(ObjectRef::Send { track, return_track })?
            }
            IdParts::Slot { track, scene } => {
                let there = doc.location(track)? == Location::Track && doc.location(scene)? == Location::Scene;
                there.then_some(ObjectRef::Slot { track, scene })?
            }
            IdParts::Parameter { device, index } => {
                let device_values = self.device(device)?.values.len();
                (usize::from(index) < device_values).then_some(ObjectRef::Parameter { device, index })?
            }
            IdParts::ChainMixer(chain) => doc.chain(chain).map(|_| ObjectRef::ChainMixer(chain))?,
            IdParts::ChainMixerParameter { chain, index } => {
                self.chain_has(chain, index)?.then_some(ObjectRef::ChainMixerParameter { chain, index })?
            }
            IdParts::ChainSend { chain, return_chain } => {
                let rack = |chain| match doc.location(chain) {
                    Some(Location::Chain { rack }) => Some(rack),
                    _ => None,
                };
                let returns = &self.device(rack(return_chain)?)?.rack.as_ref()?.return_chains;
                let same = rack(chain) == rack(return_chain) && returns.iter().any(|c| c.serial == return_chain);
                same.then_some(ObjectRef::ChainSend { chain, return_chain })?
            }
            IdParts::DrumPad { device, note } => {
                (usize::from(note) < self.pad_count(device)).then_some(ObjectRef::DrumPad { device, note })?
            }
            IdParts::Sample(device) => self.device(device)?.sample.as_ref().map(|_| ObjectRef::Sample(device))?,
            IdParts::DeviceIo { device, index } => {
                let list = DEVICE_IO.get(usize::from(index / DEVICE_IO_SPAN))?;
                let there = usize::from(index % DEVICE_IO_SPAN) < self.io_count(device, list);
                there.then_some(ObjectRef::DeviceIo { device, index })?
            }
            IdParts::GroovePool => ObjectRef::GroovePool,
            IdParts::TuningSystem => ObjectRef::TuningSystem,
            IdParts::ControlSurface(index) => {
                (usize::from(index) < doc.song.control_surfaces.len()).then_some(ObjectRef::ControlSurface(index))?
            }
        })
    }

    /// The object's class; always there, as a test walks all of them.
    pub(super) fn class(&self, target: ObjectRef) -> Option<&'static Class> {
        class(match target {
            ObjectRef::Song => "Song",
            ObjectRef::SongView => "Song.View",
            ObjectRef::Application => "Application",
            ObjectRef::ApplicationView => "Application.View",
            ObjectRef::Track(_) => "Track",
            ObjectRef::TrackView(_) => "Track.View",
            ObjectRef::Mixer(_) => "MixerDevice",
            ObjectRef::MixerParameter { .. }
            | ObjectRef::Send { .. }
            | ObjectRef::Parameter { .. }
            | ObjectRef::ChainMixerParameter { .. }
            | ObjectRef::ChainSend { .. } => "DeviceParameter",
            ObjectRef::Slot { .. } => "ClipSlot",
            ObjectRef::Scene(_) => "Scene",
            ObjectRef::Clip(_) => "Clip",
            ObjectRef::ClipView(_) => "Clip.View",
            ObjectRef::Device(serial) => self.device(serial)?.table_class(),
            ObjectRef::DeviceView(serial) => self.device(serial)?.view_class(),
            ObjectRef::Chain(serial) if self.rack_of(serial)?.is_drum_rack() => "DrumChain",
            ObjectRef::Chain(_) => "Chain",
            ObjectRef::ChainMixer(_) => "ChainMixerDevice",
            ObjectRef::DrumPad { .. } => "DrumPad",
            ObjectRef::Sample(_) => "Sample",
            ObjectRef::DeviceIo { .. } => "DeviceIO",
            ObjectRef::TakeLane(_) => "TakeLane",
            ObjectRef::CuePoint(_) => "CuePoint",
            ObjectRef::GroovePool => "GroovePool",
            ObjectRef::Groove(_) => "Groove",
            ObjectRef::TuningSystem => "TuningSystem",
            ObjectRef::ControlSurface(_) => "ControlSurface",
        })
    }

    pub(super) fn device(&self, serial: Serial) -> Option<&Arc<Device>> {
        self.document.device(serial)
    }

    /// The rack that a chain is in.
    pub(super) fn rack_of(&self, chain: Serial) -> Option<&Arc<Device>> {
        let Location::Chain { rack } = self.document.location(chain)? else { return None };
        self.device(rack)
    }

    /// Whether a chain's mixer has the parameter of that index.
    pub(super) fn chain_has(&self, chain: Serial, index: u16) -> Option<bool> {
        let name = CHAIN_PARAMETERS.get(usize::from(index))?;
        let midi = self.rack_of(chain)?.class_name == "MidiEffectGroupDevice";
        Some(!midi || *name == "chain_activator")
    }

    pub(super) fn is_drum_rack(&self, device: Serial) -> bool {
        self.device(device).is_some_and(|d| d.is_drum_rack())
    }

    /// 128 for a Drum Rack that stands in no other rack's chain, else none.
    pub(super) fn pad_count(&self, device: Serial) -> usize {
        let pads = self.is_drum_rack(device) && self.document.rack_depth(device) == 0;
        if pads { 128 } else { 0 }
    }

    /// How many inputs or outputs of a kind a Max device has.
    pub(super) fn io_count(&self, device: Serial, list: &str) -> usize {
        let stored = self.device(device).and_then(|device| device.stored.get(list)?.as_u64());
        stored.and_then(|n| usize::try_from(n).ok()).map_or(0, |n| n.min(usize::from(DEVICE_IO_SPAN)))
    }

    /// The track an object on it belongs to.
    pub(super) fn track_of_clip(&self, clip: Serial) -> Option<(Serial, Serial)> {
        match self.document.location(clip)? {
            Location::SessionClip { track, scene } => Some((track, scene)),
            _ => None,
        }
    }
}

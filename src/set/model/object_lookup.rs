//! From an id to the object that it stands for, and from the object to its class.

use super::object_ref::{CHAIN_PARAMETERS, DEVICE_IO, DEVICE_IO_SPAN, Target, mixer_has};
use super::set_state::SetState;
use crate::object_model::ObjectId;
use crate::object_model::class::{Class, class};
use crate::set::document::device_tree::Device;
use crate::set::document::ids::{APPLICATION, Parts, SONG, Serial};
use crate::set::document::index::Home;
use std::sync::Arc;

impl SetState {
    /// The object with that id, if it exists.
    pub fn target(&self, id: ObjectId) -> Option<Target> {
        let doc = &self.document;
        Some(match Parts::of(id)? {
            Parts::Made(SONG) => Target::Song,
            Parts::Made(APPLICATION) => Target::Application,
            Parts::Made(serial) => match doc.home(serial)? {
                Home::Track | Home::Return | Home::Main => Target::Track(serial),
                Home::Scene => Target::Scene(serial),
                Home::SessionClip { .. } | Home::PlacedClip { .. } => Target::Clip(serial),
                Home::Device { .. } => Target::Device(serial),
                Home::Chain { .. } => Target::Chain(serial),
                Home::TakeLane { .. } => Target::TakeLane(serial),
                Home::CuePoint => Target::CuePoint(serial),
                Home::Groove => Target::Groove(serial),
            },
            Parts::View(SONG) => Target::SongView,
            Parts::View(APPLICATION) => Target::ApplicationView,
            Parts::View(serial) => match doc.home(serial)? {
                Home::Track | Home::Return | Home::Main => Target::TrackView(serial),
                Home::SessionClip { .. } | Home::PlacedClip { .. } => Target::ClipView(serial),
                Home::Device { .. } => Target::DeviceView(serial),
                Home::Scene | Home::Chain { .. } | Home::TakeLane { .. } | Home::CuePoint | Home::Groove => {
                    return None;
                }
            },
            Parts::Mixer(track) => {
                doc.track(track)?;
                Target::Mixer(track)
            }
            Parts::MixerParameter { track, index } => {
                mixer_has(doc.track(track)?, index).then_some(Target::MixerParameter { track, index })?
            }
            Parts::Send { track, return_track } => {
                let has_sends = doc.home(track)? != Home::Main && doc.track(track).is_some();
                (has_sends && doc.home(return_track)? == Home::Return)
                    .then_some(Target::Send { track, return_track })?
            }
            Parts::Slot { track, scene } => {
                let there = doc.home(track)? == Home::Track && doc.home(scene)? == Home::Scene;
                there.then_some(Target::Slot { track, scene })?
            }
            Parts::Parameter { device, index } => {
                let device_values = self.device(device)?.values.len();
                (usize::from(index) < device_values).then_some(Target::Parameter { device, index })?
            }
            Parts::ChainMixer(chain) => doc.chain(chain).map(|_| Target::ChainMixer(chain))?,
            Parts::ChainMixerParameter { chain, index } => {
                self.chain_has(chain, index)?.then_some(Target::ChainMixerParameter { chain, index })?
            }
            Parts::ChainSend { chain, return_chain } => {
                let rack = |chain| match doc.home(chain) {
                    Some(Home::Chain { rack }) => Some(rack),
                    _ => None,
                };
                let returns = &self.device(rack(return_chain)?)?.rack.as_ref()?.return_chains;
                let same = rack(chain) == rack(return_chain) && returns.iter().any(|c| c.serial == return_chain);
                same.then_some(Target::ChainSend { chain, return_chain })?
            }
            Parts::DrumPad { device, note } => {
                (usize::from(note) < self.pad_count(device)).then_some(Target::DrumPad { device, note })?
            }
            Parts::Sample(device) => self.device(device)?.sample.as_ref().map(|_| Target::Sample(device))?,
            Parts::DeviceIo { device, index } => {
                let list = DEVICE_IO.get(usize::from(index / DEVICE_IO_SPAN))?;
                let there = usize::from(index % DEVICE_IO_SPAN) < self.io_count(device, list);
                there.then_some(Target::DeviceIo { device, index })?
            }
            Parts::GroovePool => Target::GroovePool,
            Parts::TuningSystem => Target::TuningSystem,
            Parts::ControlSurface(index) => {
                (usize::from(index) < doc.song.control_surfaces.len()).then_some(Target::ControlSurface(index))?
            }
        })
    }

    /// The object's class; always there, as a test walks all of them.
    pub(super) fn class(&self, target: Target) -> Option<&'static Class> {
        class(match target {
            Target::Song => "Song",
            Target::SongView => "Song.View",
            Target::Application => "Application",
            Target::ApplicationView => "Application.View",
            Target::Track(_) => "Track",
            Target::TrackView(_) => "Track.View",
            Target::Mixer(_) => "MixerDevice",
            Target::MixerParameter { .. }
            | Target::Send { .. }
            | Target::Parameter { .. }
            | Target::ChainMixerParameter { .. }
            | Target::ChainSend { .. } => "DeviceParameter",
            Target::Slot { .. } => "ClipSlot",
            Target::Scene(_) => "Scene",
            Target::Clip(_) => "Clip",
            Target::ClipView(_) => "Clip.View",
            Target::Device(serial) => self.device(serial)?.table_class(),
            Target::DeviceView(serial) => self.device(serial)?.view_class(),
            Target::Chain(serial) if self.rack_of(serial)?.is_drum_rack() => "DrumChain",
            Target::Chain(_) => "Chain",
            Target::ChainMixer(_) => "ChainMixerDevice",
            Target::DrumPad { .. } => "DrumPad",
            Target::Sample(_) => "Sample",
            Target::DeviceIo { .. } => "DeviceIO",
            Target::TakeLane(_) => "TakeLane",
            Target::CuePoint(_) => "CuePoint",
            Target::GroovePool => "GroovePool",
            Target::Groove(_) => "Groove",
            Target::TuningSystem => "TuningSystem",
            Target::ControlSurface(_) => "ControlSurface",
        })
    }

    pub(super) fn device(&self, serial: Serial) -> Option<&Arc<Device>> {
        self.document.device(serial)
    }

    /// The rack that a chain is in.
    pub(super) fn rack_of(&self, chain: Serial) -> Option<&Arc<Device>> {
        let Home::Chain { rack } = self.document.home(chain)? else { return None };
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
        match self.document.home(clip)? {
            Home::SessionClip { track, scene } => Some((track, scene)),
            _ => None,
        }
    }
}

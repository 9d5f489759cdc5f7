//! What an id stands for: the objects of the Set and their ids.

use crate::object_model::ObjectId;
use crate::set::document::device_tree::MacroMapping;
use crate::set::document::ids::{APPLICATION, IdParts, SONG, Serial};
use crate::set::document::{Track, TrackKind};

/// An object of the Set. Made by [`SetState::object_ref`](super::SetState::object_ref) only for objects that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectRef {
    Song,
    SongView,
    Application,
    ApplicationView,
    Track(Serial),
    TrackView(Serial),
    Mixer(Serial),
    MixerParameter {
        track: Serial,
        index: u16,
    },
    Send {
        track: Serial,
        return_track: Serial,
    },
    Slot {
        track: Serial,
        scene: Serial,
    },
    Scene(Serial),
    Clip(Serial),
    ClipView(Serial),
    Device(Serial),
    DeviceView(Serial),
    Parameter {
        device: Serial,
        index: u16,
    },
    Chain(Serial),
    ChainMixer(Serial),
    ChainMixerParameter {
        chain: Serial,
        index: u16,
    },
    ChainSend {
        chain: Serial,
        return_chain: Serial,
    },
    DrumPad {
        device: Serial,
        note: u16,
    },
    /// The sample of a Simpler, by the device.
    Sample(Serial),
    /// See [`IdParts::DeviceIo`].
    DeviceIo {
        device: Serial,
        index: u16,
    },
    TakeLane(Serial),
    CuePoint(Serial),
    GroovePool,
    Groove(Serial),
    TuningSystem,
    ControlSurface(u16),
}

/// The mixer's single parameters, in the order of their index.
pub const MIXER_PARAMETERS: [&str; 8] = [
    "volume",
    "panning",
    "track_activator",
    "left_split_stereo",
    "right_split_stereo",
    "cue_volume",
    "crossfader",
    "song_tempo",
];

impl ObjectRef {
    /// What a macro moves.
    pub fn of_mapping(mapping: &MacroMapping) -> ObjectRef {
        match (mapping.is_of_chain, mapping.return_chain) {
            (false, _) => ObjectRef::Parameter { device: mapping.device, index: mapping.parameter },
            (true, Some(return_chain)) => ObjectRef::ChainSend { chain: mapping.device, return_chain },
            (true, None) => ObjectRef::ChainMixerParameter { chain: mapping.device, index: mapping.parameter },
        }
    }

    pub fn id(self) -> ObjectId {
        match self {
            ObjectRef::Song => IdParts::Made(SONG),
            ObjectRef::SongView => IdParts::View(SONG),
            ObjectRef::Application => IdParts::Made(APPLICATION),
            ObjectRef::ApplicationView => IdParts::View(APPLICATION),
            ObjectRef::Track(serial)
            | ObjectRef::Scene(serial)
            | ObjectRef::Clip(serial)
            | ObjectRef::Device(serial)
            | ObjectRef::Chain(serial)
            | ObjectRef::TakeLane(serial)
            | ObjectRef::CuePoint(serial)
            | ObjectRef::Groove(serial) => IdParts::Made(serial),
            ObjectRef::TrackView(serial) | ObjectRef::ClipView(serial) | ObjectRef::DeviceView(serial) => {
                IdParts::View(serial)
            }
            ObjectRef::Mixer(track) => IdParts::Mixer(track),
            ObjectRef::MixerParameter { track, index } => IdParts::MixerParameter { track, index },
            ObjectRef::Send { track, return_track } => IdParts::Send { track, return_track },
            ObjectRef::Slot { track, scene } => IdParts::Slot { track, scene },
            ObjectRef::Parameter { device, index } => IdParts::Parameter { device, index },
            ObjectRef::ChainMixer(chain) => IdParts::ChainMixer(chain),
            ObjectRef::ChainMixerParameter { chain, index } => IdParts::ChainMixerParameter { chain, index },
            ObjectRef::ChainSend { chain, return_chain } => IdParts::ChainSend { chain, return_chain },
            ObjectRef::DrumPad { device, note } => IdParts::DrumPad { device, note },
            ObjectRef::Sample(device) => IdParts::Sample(device),
            ObjectRef::DeviceIo { device, index } => IdParts::DeviceIo { device, index },
            ObjectRef::GroovePool => IdParts::GroovePool,
            ObjectRef::TuningSystem => IdParts::TuningSystem,
            ObjectRef::ControlSurface(index) => IdParts::ControlSurface(index),
        }
        .id()
    }
}

pub(super) fn has_grid(track: &Track) -> bool {
    matches!(track.kind, TrackKind::Midi | TrackKind::Audio | TrackKind::Group)
}

/// Whether a track's mixer has the single parameter of that index.
pub(super) fn mixer_has(track: &Track, index: u16) -> bool {
    let main = track.kind == TrackKind::Main;
    match MIXER_PARAMETERS.get(usize::from(index)) {
        Some(&("cue_volume" | "crossfader" | "song_tempo")) => main,
        Some(&"track_activator") => !main,
        Some(_) => true,
        None => false,
    }
}

/// The parameters of a chain's mixer, in the order of their index. A MIDI Effect Rack's chains have the last only.
pub const CHAIN_PARAMETERS: [&str; 3] = ["volume", "panning", "chain_activator"];

/// The lists of a Max device's inputs and outputs, in the order of [`IdParts::DeviceIo`].
pub const DEVICE_IO: [&str; 4] = ["audio_inputs", "audio_outputs", "midi_inputs", "midi_outputs"];

/// Positions of one such list, in [`IdParts::DeviceIo`].
pub const DEVICE_IO_SPAN: u16 = 1024;

//! What an id stands for: the objects of the Set and their ids.

use crate::object_model::ObjectId;
use crate::set::document::ids::{APPLICATION, Parts, SONG, Serial};
use crate::set::document::{Track, TrackKind};

/// An object of the Set. Made by [`SetState::target`] only for objects that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
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
    /// See [`Parts::DeviceIo`].
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

impl Target {
    pub fn id(self) -> ObjectId {
        match self {
            Target::Song => Parts::Made(SONG),
            Target::SongView => Parts::View(SONG),
            Target::Application => Parts::Made(APPLICATION),
            Target::ApplicationView => Parts::View(APPLICATION),
            Target::Track(serial)
            | Target::Scene(serial)
            | Target::Clip(serial)
            | Target::Device(serial)
            | Target::Chain(serial)
            | Target::TakeLane(serial)
            | Target::CuePoint(serial)
            | Target::Groove(serial) => Parts::Made(serial),
            Target::TrackView(serial) | Target::ClipView(serial) | Target::DeviceView(serial) => Parts::View(serial),
            Target::Mixer(track) => Parts::Mixer(track),
            Target::MixerParameter { track, index } => Parts::MixerParameter { track, index },
            Target::Send { track, return_track } => Parts::Send { track, return_track },
            Target::Slot { track, scene } => Parts::Slot { track, scene },
            Target::Parameter { device, index } => Parts::Parameter { device, index },
            Target::ChainMixer(chain) => Parts::ChainMixer(chain),
            Target::ChainMixerParameter { chain, index } => Parts::ChainMixerParameter { chain, index },
            Target::ChainSend { chain, return_chain } => Parts::ChainSend { chain, return_chain },
            Target::DrumPad { device, note } => Parts::DrumPad { device, note },
            Target::Sample(device) => Parts::Sample(device),
            Target::DeviceIo { device, index } => Parts::DeviceIo { device, index },
            Target::GroovePool => Parts::GroovePool,
            Target::TuningSystem => Parts::TuningSystem,
            Target::ControlSurface(index) => Parts::ControlSurface(index),
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

/// The lists of a Max device's inputs and outputs, in the order of [`Parts::DeviceIo`].
pub const DEVICE_IO: [&str; 4] = ["audio_inputs", "audio_outputs", "midi_inputs", "midi_outputs"];

/// Positions of one such list, in [`Parts::DeviceIo`].
pub const DEVICE_IO_SPAN: u16 = 1024;

//! What there is: tracks, devices, clips, and how they are joined. Plain values in units of the world.

use crate::effects::EffectSettings;
use crate::instruments::InstrumentSettings;
use crate::mixer::{ClipSettings, StripSettings};
use crate::note_effects::NoteEffectSettings;
use crate::parameter::Parameter;

/// Everything that sounds.
#[derive(Clone, Debug)]
pub struct MixSettings {
    /// In the order in which they are summed: tracks, groups, returns.
    pub tracks: Vec<TrackSettings>,
    pub main: TrackSettings,
    /// -1 (A) to 1 (B).
    pub crossfade: f32,
    /// The main output is kept below 0 dBFS by a soft clip that leaves what is below -1 dBFS alone.
    pub soft_clip: bool,
}

/// A track, a group, a return or the main track: they differ in what goes in.
#[derive(Clone, Debug)]
pub struct TrackSettings {
    /// Unique; what the track remembers belongs to it.
    pub id: u32,
    pub strip: StripSettings,
    pub output: Output,
    /// Left out by a return's solo: what it sends is heard, and nothing of it by its output. That leads on only to a
    /// track of which the same is said.
    pub sends_alone: bool,
    /// How much later its output is heard than that of a track without a delay, in frames; below 0 earlier, for which
    /// all others are later; at most 2^20 either way. Of the main track it does not matter.
    pub delay_frames: i64,
    pub sends: Vec<Send>,
    /// The tracks that get its notes too.
    pub note_ways: Vec<NoteWay>,
    pub devices: Vec<DeviceSettings>,
    /// Audio clips that may be played. One that is taken away while it sounds is to be stopped with the plan that is
    /// without it, which still plays its end; the one after does not.
    pub clips: Vec<ClipSettings>,
}

impl TrackSettings {
    /// A track with nothing on it that goes to the main one.
    pub fn new(id: u32) -> TrackSettings {
        TrackSettings {
            id,
            strip: StripSettings::default(),
            output: Output::Main,
            sends_alone: false,
            delay_frames: 0,
            sends: Vec::new(),
            note_ways: Vec::new(),
            devices: Vec::new(),
            clips: Vec::new(),
        }
    }
}

/// Where a track goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Output {
    #[default]
    Main,
    /// A group, or any other track.
    Track(u32),
    Nowhere,
}

/// A way to a return.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Send {
    pub to: u32,
    /// Negative infinity is silence.
    pub gain_db: f32,
    /// Takes the signal before volume and pan.
    pub before_fader: bool,
}

/// A way of notes to another track.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoteWay {
    pub to: u32,
    /// Takes them behind the devices, as note effects left them; else as they came in. In a ring they are taken as they
    /// came in, and do not come back.
    pub behind_devices: bool,
}

/// A device in its chain.
#[derive(Clone, Debug)]
pub struct DeviceSettings {
    /// Unique in the whole mix.
    pub id: u64,
    pub on: bool,
    pub device: Device,
}

#[derive(Clone, Debug)]
pub enum Device {
    Instrument(InstrumentSettings),
    Effect {
        settings: EffectSettings,
        /// The track whose signal, behind its fader, it listens to.
        sidechain: Option<u32>,
    },
    /// Changes the notes of the devices behind it. In a rack without instruments it changes them for what follows the
    /// rack.
    NoteEffect(NoteEffectSettings),
    /// Chains side by side; none: nothing is changed.
    Rack(Vec<ChainSettings>),
}

/// A chain of a rack, or a pad of a drum rack.
#[derive(Clone, Debug)]
pub struct ChainSettings {
    /// Unique in the whole mix.
    pub id: u64,
    /// The keys it takes, both ends included.
    pub keys: (u8, u8),
    /// 1 to 127, both ends included.
    pub velocities: (u8, u8),
    /// The pitch that its devices get instead of the key's: that of a pad.
    pub plays: Option<u8>,
    /// Chains of one group end each other; 0: none.
    pub choke: u8,
    pub strip: StripSettings,
    pub devices: Vec<DeviceSettings>,
    /// Over so many keys, or velocities, from the lowest up and to the highest, velocities grow and fall.
    pub key_fades: (u8, u8),
    pub velocity_fades: (u8, u8),
    /// `None`: whatever the rack's selector has, the chain plays.
    pub selector: Option<ChainSelector>,
    /// To return chains of the same rack, behind the chain's fader.
    pub sends: Vec<ChainSend>,
    /// It takes no notes and nothing of what goes into the rack: what other chains send. A rack has six at most.
    pub is_return: bool,
}

impl Default for ChainSettings {
    /// A chain that takes everything and has nothing on it.
    fn default() -> ChainSettings {
        ChainSettings {
            id: 0,
            keys: (0, 127),
            velocities: (1, 127),
            plays: None,
            choke: 0,
            strip: StripSettings::default(),
            devices: Vec::new(),
            key_fades: (0, 0),
            velocity_fades: (0, 0),
            selector: None,
            sends: Vec::new(),
            is_return: false,
        }
    }
}

impl ChainSettings {
    /// What a parameter of the chain is.
    pub(super) fn value(&self, parameter: Parameter) -> Option<f32> {
        match parameter {
            Parameter::Send(to) => self.sends.iter().find(|send| send.to == to).map(|send| send.gain_db),
            _ => self.strip.value(parameter),
        }
    }
}

/// Where a chain lies for its rack's selector, and where that stands: the same value in each chain of the rack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainSelector {
    /// 0 to 127, both ends included.
    pub zone: (u8, u8),
    pub fades: (u8, u8),
    pub value: f32,
}

/// A way to a return chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainSend {
    /// The return chain's id.
    pub to: u64,
    /// Negative infinity is silence.
    pub gain_db: f32,
}

//! The sounds of tracks that have no instrument of their own: one for each role.
//!
//! Levels are measured, not guessed: on a phrase of its role each patch has -19 LUFS, within half a decibel
//! (`roles.rs`).

use super::drum_kits::DrumKit;
use super::instrument::InstrumentSettings;
use super::patch::{FmPair, Oscillator, Patch, PatchFilter, Vibrato};
use crate::dsp::envelope::EnvelopeTimes;
use crate::dsp::oscillator::Wave;
use crate::dsp::svf::Response;

/// What a track without an instrument plays as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    Drums,
    Drums808,
    Drums909,
    Kick,
    Bass,
    Sub,
    Lead,
    Pluck,
    Bell,
    Pad,
    Keys,
    Organ,
    Voice,
    Noise,
}

impl Role {
    pub const ALL: [Role; 14] = [
        Role::Drums,
        Role::Drums808,
        Role::Drums909,
        Role::Kick,
        Role::Bass,
        Role::Sub,
        Role::Lead,
        Role::Pluck,
        Role::Bell,
        Role::Pad,
        Role::Keys,
        Role::Organ,
        Role::Voice,
        Role::Noise,
    ];

    /// The instrument that plays it.
    pub fn instrument(self) -> InstrumentSettings {
        let synth = |patch: Patch| InstrumentSettings::Synth(Box::new(patch));
        match self {
            Role::Drums => InstrumentSettings::Drums(DrumKit::Standard),
            Role::Drums808 => InstrumentSettings::Drums(DrumKit::Analog808),
            Role::Drums909 => InstrumentSettings::Drums(DrumKit::Analog909),
            Role::Kick => InstrumentSettings::Drums(DrumKit::KickOnly),
            Role::Bass => synth(BASS),
            Role::Sub => synth(SUB),
            Role::Lead => synth(LEAD),
            Role::Pluck => synth(PLUCK),
            Role::Bell => synth(BELL),
            Role::Pad => synth(PAD),
            Role::Keys => synth(KEYS),
            Role::Organ => synth(ORGAN),
            Role::Voice => synth(VOICE),
            Role::Noise => synth(NOISE),
        }
    }
}

const fn oscillator(wave: Wave, level: f32, semitones: f32) -> Oscillator {
    Oscillator { wave, level, semitones }
}

const fn times(attack: f32, decay: f32, sustain: f32, release: f32) -> EnvelopeTimes {
    EnvelopeTimes { attack, decay, sustain, release }
}

const fn lowpass(hz: f32, q: f32, key_tracking: f32, envelope_octaves: f32, velocity_octaves: f32) -> PatchFilter {
    PatchFilter { response: Response::Lowpass, hz, q, steep: true, key_tracking, envelope_octaves, velocity_octaves }
}

/// A saw over a sine, a filter that closes, slides where notes overlap.
const BASS: Patch = Patch {
    first: oscillator(Wave::Saw, 0.75, 0.0),
    second: oscillator(Wave::Pulse { width: 0.42 }, 0.25, 0.06),
    sub_level: 0.0,
    fm: [FmPair { level: 0.4, carrier: 1.0, modulator: 1.0, index: 0.0, index_decay: 0.0 }, FmPair::OFF],
    filter: lowpass(620.0, 1.0, 0.4, 2.8, 1.0),
    drive: 1.2,
    amplitude: times(0.003, 1.8, 0.55, 0.09),
    modulation: times(0.001, 0.6, 0.42, 0.1),
    mono: true,
    glide: 0.022,
    velocity_to_level: 0.5,
    level: 0.235,
    ..Patch::PLAIN
};

/// Little but the fundamental.
const SUB: Patch = Patch {
    first: oscillator(Wave::Sine, 0.9, 0.0),
    second: oscillator(Wave::Triangle, 0.25, 0.0),
    filter: lowpass(320.0, 0.7, 0.2, 0.6, 0.3),
    drive: 1.1,
    amplitude: times(0.006, 3.0, 0.85, 0.12),
    modulation: times(0.001, 0.3, 0.0, 0.1),
    mono: true,
    glide: 0.035,
    velocity_to_level: 0.4,
    level: 0.248,
    ..Patch::PLAIN
};

/// Two pulses and a saw, bright, with vibrato that comes late.
const LEAD: Patch = Patch {
    first: oscillator(Wave::Saw, 0.6, 0.0),
    second: oscillator(Wave::Pulse { width: 0.32 }, 0.35, 0.07),
    unison: 3,
    unison_cents: 14.0,
    width: 0.35,
    filter: lowpass(3_400.0, 1.1, 0.5, 1.1, 0.9),
    amplitude: times(0.012, 1.4, 0.75, 0.18),
    modulation: times(0.006, 0.7, 0.3, 0.2),
    vibrato: Vibrato { hz: 5.4, cents: 14.0, delay: 0.5 },
    mono: true,
    glide: 0.03,
    velocity_to_level: 0.5,
    level: 0.2427,
    ..Patch::PLAIN
};

/// A filter that shuts at once.
const PLUCK: Patch = Patch {
    first: oscillator(Wave::Saw, 0.6, 0.0),
    second: oscillator(Wave::Pulse { width: 0.25 }, 0.3, 12.05),
    unison: 2,
    unison_cents: 9.0,
    width: 0.5,
    filter: lowpass(420.0, 1.2, 0.6, 3.9, 1.2),
    amplitude: times(0.001, 0.9, 0.0, 0.35),
    modulation: times(0.001, 0.34, 0.0, 0.3),
    velocity_to_level: 0.65,
    level: 0.4,
    ..Patch::PLAIN
};

/// Partials that are no harmonics, ringing for seconds.
const BELL: Patch = Patch {
    first: Oscillator::OFF,
    fm: [
        FmPair { level: 0.6, carrier: 2.0, modulator: 7.0, index: 2.6, index_decay: 2.6 },
        FmPair { level: 0.35, carrier: 1.0, modulator: 3.51, index: 1.1, index_decay: 1.4 },
    ],
    amplitude: times(0.001, 3.2, 0.0, 1.8),
    width: 0.0,
    velocity_to_level: 0.7,
    level: 0.385,
    ..Patch::PLAIN
};

/// Seven saws apart, rising slowly.
const PAD: Patch = Patch {
    first: oscillator(Wave::Saw, 0.8, 0.0),
    second: oscillator(Wave::Triangle, 0.3, -12.0),
    unison: 7,
    unison_cents: 26.0,
    width: 0.9,
    filter: lowpass(950.0, 0.75, 0.4, 0.9, 0.5),
    amplitude: times(0.55, 2.5, 0.85, 1.6),
    modulation: times(1.2, 3.0, 0.6, 1.6),
    vibrato: Vibrato { hz: 4.1, cents: 4.0, delay: 0.8 },
    velocity_to_level: 0.4,
    level: 0.168,
    ..Patch::PLAIN
};

/// An electric piano: a bar that sings, a tine that rings a moment, brighter when struck harder.
const KEYS: Patch = Patch {
    first: Oscillator::OFF,
    fm: [
        FmPair { level: 0.75, carrier: 1.0, modulator: 1.0, index: 1.3, index_decay: 1.6 },
        FmPair { level: 0.14, carrier: 1.0, modulator: 14.0, index: 0.9, index_decay: 0.25 },
    ],
    amplitude: times(0.001, 3.6, 0.0, 0.28),
    filter: PatchFilter { response: Response::Through, ..lowpass(8_000.0, 0.7, 0.0, 0.0, 0.0) },
    velocity_to_level: 0.75,
    level: 0.2625,
    ..Patch::PLAIN
};

/// Drawbars, at once on and at once off.
const ORGAN: Patch = Patch {
    first: oscillator(Wave::Organ, 1.0, 0.0),
    unison: 2,
    unison_cents: 4.0,
    width: 0.5,
    amplitude: times(0.004, 0.1, 1.0, 0.06),
    vibrato: Vibrato { hz: 6.2, cents: 6.0, delay: 0.1 },
    velocity_to_level: 0.15,
    level: 0.1354,
    ..Patch::PLAIN
};

/// Saws through one formant, soft.
const VOICE: Patch = Patch {
    first: oscillator(Wave::Saw, 0.8, 0.0),
    unison: 5,
    unison_cents: 20.0,
    width: 0.7,
    noise_level: 0.04,
    filter: PatchFilter {
        response: Response::Bandpass,
        hz: 760.0,
        q: 2.2,
        steep: false,
        key_tracking: 0.25,
        envelope_octaves: 0.5,
        velocity_octaves: 0.3,
    },
    amplitude: times(0.16, 1.5, 0.9, 0.5),
    modulation: times(0.3, 1.0, 0.5, 0.5),
    vibrato: Vibrato { hz: 5.2, cents: 18.0, delay: 0.6 },
    velocity_to_level: 0.4,
    level: 0.4045,
    ..Patch::PLAIN
};

/// Noise that opens while the key is held, higher for higher keys.
const NOISE: Patch = Patch {
    first: Oscillator::OFF,
    noise_level: 1.0,
    filter: PatchFilter {
        response: Response::Bandpass,
        hz: 1_100.0,
        q: 1.6,
        steep: false,
        key_tracking: 1.0,
        envelope_octaves: 3.0,
        velocity_octaves: 0.3,
    },
    amplitude: times(0.4, 1.0, 1.0, 0.7),
    modulation: times(2.4, 1.0, 1.0, 0.7),
    velocity_to_level: 0.4,
    level: 0.2727,
    ..Patch::PLAIN
};

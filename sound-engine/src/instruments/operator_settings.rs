//! What Operator is told, by its own parameters.

use crate::dsp::lfo::{LfoRate, LfoWave};
use crate::dsp::svf::Response;

/// Oscillators of a voice, A to D.
pub const OPERATORS: usize = 4;

/// Who bends whom, and who is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// Of A to D: the oscillators that bend it. Only later ones bend earlier ones.
    pub modulators: [&'static [usize]; 4],
    pub heard: &'static [usize],
}

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;
const D: usize = 3;

/// From all in a row to all side by side.
pub const ALGORITHMS: [Algorithm; 11] = [
    Algorithm { modulators: [&[B], &[C], &[D], &[]], heard: &[A] },
    Algorithm { modulators: [&[B], &[C, D], &[], &[]], heard: &[A] },
    Algorithm { modulators: [&[B, C], &[], &[D], &[]], heard: &[A] },
    Algorithm { modulators: [&[B, C], &[D], &[D], &[]], heard: &[A] },
    Algorithm { modulators: [&[B, C, D], &[], &[], &[]], heard: &[A] },
    Algorithm { modulators: [&[], &[C], &[D], &[]], heard: &[A, B] },
    Algorithm { modulators: [&[], &[C, D], &[], &[]], heard: &[A, B] },
    Algorithm { modulators: [&[B], &[], &[D], &[]], heard: &[A, C] },
    Algorithm { modulators: [&[D], &[D], &[D], &[]], heard: &[A, B, C] },
    Algorithm { modulators: [&[], &[], &[D], &[]], heard: &[A, B, C] },
    Algorithm { modulators: [&[], &[], &[], &[]], heard: &[A, B, C, D] },
];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OperatorWave {
    #[default]
    Sine,
    /// A sine in so many bits.
    Steps(u8),
    /// With so many harmonics at most.
    Saw(u8),
    Square(u8),
    Triangle,
    Noise,
}

/// What an envelope does beside following the key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum EnvelopeCycle {
    #[default]
    Once,
    /// From the sustain level back to its begin after so many seconds, while the key is held.
    Loop(f32),
    /// Back to its begin every so many quarter beats, while the key is held.
    Every(f32),
    /// All of it, however short the key is held.
    Trigger,
}

/// Times in seconds, levels in the unit of what it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatorEnvelope {
    pub initial: f32,
    pub attack: f32,
    pub peak: f32,
    pub decay: f32,
    pub sustain: f32,
    pub release: f32,
    pub end: f32,
    pub cycle: EnvelopeCycle,
}

impl OperatorEnvelope {
    /// Open while the key is held.
    pub const GATE: OperatorEnvelope = OperatorEnvelope {
        initial: 0.0,
        attack: 0.0,
        peak: 1.0,
        decay: 0.4,
        sustain: 1.0,
        release: 0.05,
        end: 0.0,
        cycle: EnvelopeCycle::Once,
    };
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatorOscillator {
    pub on: bool,
    pub wave: OperatorWave,
    /// Of the note's frequency.
    pub ratio: f32,
    /// In place of the note's frequency.
    pub fixed_hz: Option<f32>,
    /// Octaves that full velocity lifts it.
    pub velocity_to_octaves: f32,
    /// Negative infinity is silence. At 0 dB it bends another one by a whole cycle.
    pub level_db: f32,
    /// -1 to 1.
    pub velocity_to_level: f32,
    /// -1 to 1: of full, 6 dB an octave from C3 (60) on.
    pub key_to_level: f32,
    /// Begins at `phase` with each note, rather than anywhere.
    pub retrigger: bool,
    /// Turns.
    pub phase: f32,
    /// 0 to 1, of an oscillator that none bends.
    pub feedback: f32,
    pub follows_pitch_envelope: bool,
    pub follows_lfo: bool,
    pub envelope: OperatorEnvelope,
}

/// A slow wave; `envelope` is a factor of its amount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatorLfo {
    pub wave: LfoWave,
    pub rate: LfoRate,
    pub retrigger: bool,
    /// Semitones of the oscillators that follow it.
    pub semitones: f32,
    /// Octaves of the filter.
    pub filter_octaves: f32,
    pub envelope: OperatorEnvelope,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatorFilter {
    pub response: Response,
    /// 24 dB an octave rather than 12.
    pub steep: bool,
    pub hz: f32,
    pub q: f32,
    pub drive_db: f32,
    pub velocity_octaves: f32,
    /// Octaves for each octave of the key, from C3 (60) on.
    pub key_tracking: f32,
    pub envelope_octaves: f32,
    /// From 0 to 1.
    pub envelope: OperatorEnvelope,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShaperCurve {
    Soft,
    Hard,
    Sine,
    FourBit,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatorShaper {
    pub curve: ShaperCurve,
    pub drive_db: f32,
    /// 0 to 1.
    pub mix: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatorSettings {
    /// Of [`ALGORITHMS`].
    pub algorithm: usize,
    /// A to D.
    pub oscillators: [OperatorOscillator; 4],
    pub transpose: f32,
    /// Seconds from one pitch to the next; 0: at once.
    pub glide: f32,
    /// How high partials may lie, 0 to 1; from 0.7 up, all that there is room for.
    pub tone: f32,
    /// Two voices apart, 0 to 1.
    pub spread: f32,
    /// -1 to 1.
    pub pan: f32,
    /// How far the keys go to both sides, and how far chance does: 0 to 1.
    pub key_to_pan: f32,
    pub random_pan: f32,
    /// Semitones.
    pub pitch_envelope: Option<OperatorEnvelope>,
    pub lfo: Option<OperatorLfo>,
    pub filter: Option<OperatorFilter>,
    pub shaper: Option<OperatorShaper>,
    pub level_db: f32,
}

impl Default for OperatorSettings {
    /// A sine; the others are silent.
    fn default() -> OperatorSettings {
        let oscillator = |level_db: f32| OperatorOscillator {
            on: true,
            wave: OperatorWave::Sine,
            ratio: 1.0,
            fixed_hz: None,
            velocity_to_octaves: 0.0,
            level_db,
            velocity_to_level: 0.5,
            key_to_level: 0.0,
            retrigger: true,
            phase: 0.0,
            feedback: 0.0,
            follows_pitch_envelope: true,
            follows_lfo: true,
            envelope: OperatorEnvelope::GATE,
        };
        let silent = oscillator(f32::NEG_INFINITY);
        OperatorSettings {
            algorithm: 0,
            oscillators: [oscillator(0.0), silent, silent, silent],
            transpose: 0.0,
            glide: 0.0,
            tone: 0.7,
            spread: 0.0,
            pan: 0.0,
            key_to_pan: 0.0,
            random_pan: 0.0,
            pitch_envelope: None,
            lfo: None,
            filter: None,
            shaper: None,
            level_db: -12.0,
        }
    }
}

//! What Drift is told, by its own parameters.

use crate::dsp::envelope::EnvelopeTimes;
use crate::dsp::lfo::{LfoRate, LfoWave};

/// The second oscillator has no shark tooth and no pulse in Drift itself; here it may.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DriftWave {
    Sine,
    Triangle,
    SharkTooth,
    Saturated,
    #[default]
    Saw,
    Pulse,
    Rectangle,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftOscillator {
    pub on: bool,
    pub wave: DriftWave,
    /// 0 to 1: another wave of its kind.
    pub shape: f32,
    /// Octaves and, of the second one, the detuning.
    pub semitones: f32,
    pub gain_db: f32,
    /// Whether it goes through the lowpass.
    pub filtered: bool,
}

/// Where a movement comes from. Wheels, pressure and slide are not played here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DriftSource {
    #[default]
    None,
    Envelope1,
    Envelope2,
    Lfo,
    /// 0 at C3 (60), 1 five octaves above.
    Key,
    Velocity,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DriftTarget {
    #[default]
    None,
    Oscillator1Gain,
    Oscillator1Shape,
    Oscillator2Gain,
    Oscillator2Detune,
    NoiseGain,
    LowpassFrequency,
    LowpassResonance,
    HighpassFrequency,
    LfoRate,
    CycleRate,
    Volume,
}

/// How much of a source arrives, -1 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriftAmount {
    pub source: DriftSource,
    pub amount: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriftRoute {
    pub from: DriftAmount,
    pub target: DriftTarget,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DriftLowpass {
    /// 12 dB an octave.
    #[default]
    One,
    /// 24 dB an octave, bent.
    Two,
}

/// What the second envelope is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SecondEnvelope {
    Envelope(EnvelopeTimes),
    /// Up and down again and again: `tilt` of the way is up (0 to 1), and `hold` of it is spent on top.
    Cycle {
        rate: LfoRate,
        tilt: f32,
        hold: f32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DriftLfoWave {
    Wave(LfoWave),
    /// From 1 to 0 in one turn, and no more.
    LinearEnvelope,
    ExponentialEnvelope,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftLfo {
    pub wave: DriftLfoWave,
    pub rate: LfoRate,
    /// The rate follows the keys: turns for each of the note's cycles, in place of `rate`.
    pub ratio: Option<f32>,
    pub amount: f32,
    pub amount_by: DriftAmount,
    pub retrigger: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DriftVoices {
    Poly,
    /// One note at a time; 0 to 1: three more oscillators of each kind beside it.
    Mono {
        thickness: f32,
    },
    /// Two of each, ever further apart: 0 to 1.
    Stereo {
        spread: f32,
    },
    /// Four of each: 0 to 1.
    Unison {
        strength: f32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriftSettings {
    pub first: DriftOscillator,
    pub second: DriftOscillator,
    pub shape_by: DriftAmount,
    /// Of full amount: 24 semitones.
    pub pitch_by: [DriftAmount; 2],
    /// Negative infinity is silence.
    pub noise_db: f32,
    pub noise_filtered: bool,
    pub lowpass: DriftLowpass,
    pub lowpass_hz: f32,
    /// 0 to 1.
    pub resonance: f32,
    pub key_tracking: f32,
    /// Of full amount: eight octaves.
    pub lowpass_by: [DriftAmount; 2],
    pub highpass_hz: f32,
    pub routes: [DriftRoute; 3],
    pub envelope: EnvelopeTimes,
    pub second_envelope: SecondEnvelope,
    pub lfo: DriftLfo,
    pub voices: DriftVoices,
    /// 1 to 32.
    pub voice_count: u8,
    /// Of one voice: notes that overlap begin no envelope anew.
    pub legato: bool,
    /// Seconds from one pitch to the next.
    pub glide: f32,
    pub transpose: f32,
    pub velocity_to_level: f32,
    /// How unsteady oscillators and filter are, 0 to 1.
    pub drift: f32,
    /// Oscillators begin at the same place with each note.
    pub retrigger: bool,
    pub level_db: f32,
}

impl Default for DriftSettings {
    fn default() -> DriftSettings {
        let times = |sustain| EnvelopeTimes { attack: 0.001, decay: 0.6, sustain, release: 0.6 };
        let oscillator = |wave, semitones, gain_db| DriftOscillator {
            on: true,
            wave,
            shape: 0.0,
            semitones,
            gain_db,
            filtered: true,
        };
        DriftSettings {
            first: oscillator(DriftWave::Saw, 0.0, -6.0),
            second: oscillator(DriftWave::Sine, -12.0, -8.0),
            shape_by: DriftAmount { source: DriftSource::Lfo, amount: 0.05 },
            pitch_by: [DriftAmount::default(); 2],
            noise_db: f32::NEG_INFINITY,
            noise_filtered: true,
            lowpass: DriftLowpass::One,
            lowpass_hz: 20_000.0,
            resonance: 0.0,
            key_tracking: 0.0,
            lowpass_by: [
                DriftAmount { source: DriftSource::Envelope2, amount: 0.8 },
                DriftAmount { source: DriftSource::Velocity, amount: 0.15 },
            ],
            highpass_hz: 10.0,
            routes: [DriftRoute::default(); 3],
            envelope: times(0.7),
            second_envelope: SecondEnvelope::Envelope(times(0.2)),
            lfo: DriftLfo {
                wave: DriftLfoWave::Wave(LfoWave::Sine),
                rate: LfoRate::Hz(0.4),
                ratio: None,
                amount: 1.0,
                amount_by: DriftAmount::default(),
                retrigger: false,
            },
            voices: DriftVoices::Poly,
            voice_count: 8,
            legato: false,
            glide: 0.0,
            transpose: 0.0,
            velocity_to_level: 0.5,
            drift: 0.072,
            retrigger: false,
            level_db: -6.0,
        }
    }
}

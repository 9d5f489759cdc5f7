//! Which settings of instruments move while they sound: for notes that begin, or for those that sound.

use super::instrument::InstrumentSettings;
use super::patch::Patch;
use super::sampler::SamplerSettings;
use crate::parameter::{Parameter, places};

places! {
    Patch {
        Frequency => filter.hz, Resonance => filter.q, EnvelopeAmount => filter.envelope_octaves, Drive => drive,
        Attack => amplitude.attack, Decay => amplitude.decay, Sustain => amplitude.sustain,
        Release => amplitude.release, Glide => glide, Noise => noise_level, Width => width, Spread => unison_cents,
        LfoRate => vibrato.hz, LfoAmount => vibrato.cents, Velocity => velocity_to_level, Gain => level,
    }
}

impl SamplerSettings {
    /// The setting that a parameter moves.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        match (parameter, &mut self.filter) {
            (Parameter::Frequency, Some(filter)) => Some(&mut filter.hz),
            (Parameter::Resonance, Some(filter)) => Some(&mut filter.q),
            (Parameter::EnvelopeAmount, Some(filter)) => Some(&mut filter.envelope_octaves),
            (Parameter::Attack, _) => Some(&mut self.envelope.attack),
            (Parameter::Decay, _) => Some(&mut self.envelope.decay),
            (Parameter::Sustain, _) => Some(&mut self.envelope.sustain),
            (Parameter::Release, _) => Some(&mut self.envelope.release),
            (Parameter::Transpose, _) => Some(&mut self.semitones),
            (Parameter::Gain, _) => Some(&mut self.gain_db),
            (Parameter::Balance, _) => Some(&mut self.pan),
            (Parameter::Velocity, _) => Some(&mut self.velocity_to_level),
            _ => None,
        }
    }
}

impl InstrumentSettings {
    /// The setting that a parameter moves, or `None` where there is none (of that name, or now).
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        match self {
            InstrumentSettings::Synth(patch) => patch.place(parameter),
            InstrumentSettings::Drums(_) => None,
            InstrumentSettings::Sampler(settings) => settings.place(parameter),
        }
    }
}

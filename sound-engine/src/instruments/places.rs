//! Which settings of instruments move while they sound: for notes that begin, or for those that sound.

use super::drift_settings::{DriftSettings, SecondEnvelope};
use super::drum_sampler::DrumSamplerSettings;
use super::impulse::ImpulseSettings;
use super::instrument::InstrumentSettings;
use super::operator_settings::OperatorSettings;
use super::patch::Patch;
use super::sampler::SamplerSettings;
use crate::dsp::lfo::LfoRate;
use crate::parameter::{Parameter, places};

places! {
    Patch {
        Frequency => filter.hz, Resonance => filter.q, EnvelopeAmount => filter.envelope_octaves, Drive => drive,
        Attack => amplitude.attack, Decay => amplitude.decay, Sustain => amplitude.sustain,
        Release => amplitude.release, Glide => glide, Noise => noise_level, Width => width, Spread => unison_cents,
        LfoRate => vibrato.hz, LfoAmount => vibrato.cents, Velocity => velocity_to_level, Gain => level,
    }
}

impl DriftSettings {
    /// The setting that a parameter moves. `Shape` and `Gain` are those of the first oscillator, `Tune` is the second
    /// one's pitch, `Hold` and `Return` are decay and sustain of the second envelope.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        match (parameter, &mut self.second_envelope, &mut self.lfo.rate) {
            (Parameter::Frequency, ..) => Some(&mut self.lowpass_hz),
            (Parameter::Resonance, ..) => Some(&mut self.resonance),
            (Parameter::FrequencyHigh, ..) => Some(&mut self.highpass_hz),
            (Parameter::EnvelopeAmount, ..) => Some(&mut self.lowpass_by[0].amount),
            (Parameter::LfoAmount, ..) => Some(&mut self.lfo.amount),
            (Parameter::LfoRate, _, LfoRate::Hz(rate) | LfoRate::PerBeat(rate)) => Some(rate),
            (Parameter::Shape, ..) => Some(&mut self.first.shape),
            (Parameter::Gain, ..) => Some(&mut self.first.gain_db),
            (Parameter::GainLow, ..) => Some(&mut self.second.gain_db),
            (Parameter::Tune, ..) => Some(&mut self.second.semitones),
            (Parameter::Noise, ..) => Some(&mut self.noise_db),
            (Parameter::Attack, ..) => Some(&mut self.envelope.attack),
            (Parameter::Decay, ..) => Some(&mut self.envelope.decay),
            (Parameter::Sustain, ..) => Some(&mut self.envelope.sustain),
            (Parameter::Release, ..) => Some(&mut self.envelope.release),
            (Parameter::Hold, SecondEnvelope::Envelope(times), _) => Some(&mut times.decay),
            (Parameter::Return, SecondEnvelope::Envelope(times), _) => Some(&mut times.sustain),
            (Parameter::Rate, SecondEnvelope::Cycle { rate: LfoRate::Hz(r) | LfoRate::PerBeat(r), .. }, _) => Some(r),
            (Parameter::Amount, ..) => Some(&mut self.drift),
            (Parameter::Glide, ..) => Some(&mut self.glide),
            (Parameter::Transpose, ..) => Some(&mut self.transpose),
            (Parameter::Velocity, ..) => Some(&mut self.velocity_to_level),
            (Parameter::Output, ..) => Some(&mut self.level_db),
            _ => None,
        }
    }
}

impl OperatorSettings {
    /// The setting that a parameter moves. `Gain`, `Tune` and `Feedback` are those of A, `GainLow`, `GainMid` and
    /// `GainHigh` the levels of B, C and D.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        let [a, b, c, d] = &mut self.oscillators;
        match (parameter, &mut self.filter, &mut self.lfo) {
            (Parameter::Gain, ..) => Some(&mut a.level_db),
            (Parameter::GainLow, ..) => Some(&mut b.level_db),
            (Parameter::GainMid, ..) => Some(&mut c.level_db),
            (Parameter::GainHigh, ..) => Some(&mut d.level_db),
            (Parameter::Tune, ..) => Some(&mut a.ratio),
            (Parameter::Feedback, ..) => Some(&mut a.feedback),
            (Parameter::Transpose, ..) => Some(&mut self.transpose),
            (Parameter::Glide, ..) => Some(&mut self.glide),
            (Parameter::Spread, ..) => Some(&mut self.spread),
            (Parameter::Balance, ..) => Some(&mut self.pan),
            (Parameter::Output, ..) => Some(&mut self.level_db),
            (Parameter::Frequency, Some(filter), _) => Some(&mut filter.hz),
            (Parameter::Resonance, Some(filter), _) => Some(&mut filter.q),
            (Parameter::EnvelopeAmount, Some(filter), _) => Some(&mut filter.envelope_octaves),
            (Parameter::Drive, Some(filter), _) => Some(&mut filter.drive_db),
            (Parameter::LfoAmount, _, Some(lfo)) => Some(&mut lfo.semitones),
            (Parameter::LfoRate, _, Some(lfo)) => match &mut lfo.rate {
                LfoRate::Hz(rate) | LfoRate::PerBeat(rate) => Some(rate),
            },
            _ => None,
        }
    }
}

impl DrumSamplerSettings {
    /// The setting that a parameter moves.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        match (parameter, &mut self.filter) {
            (Parameter::Frequency, Some(filter)) => Some(&mut filter.hz),
            (Parameter::Resonance, Some(filter)) => Some(&mut filter.resonance),
            (Parameter::Transpose, _) => Some(&mut self.semitones),
            (Parameter::Gain, _) => Some(&mut self.gain_db),
            (Parameter::Balance, _) => Some(&mut self.pan),
            (Parameter::Attack, _) => Some(&mut self.attack),
            (Parameter::Hold, _) => Some(&mut self.hold),
            (Parameter::Decay, _) => Some(&mut self.decay),
            (Parameter::Velocity, _) => Some(&mut self.velocity_to_level),
            _ => None,
        }
    }
}

impl ImpulseSettings {
    /// The setting that a parameter moves. What a full velocity does, `Coarse` (pitch), `Morph` (stretch),
    /// `EnvelopeAmount` (filter) and `Width` (place) say; what chance does, `Fine`, `LfoAmount` and `Spread`.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        Some(match parameter {
            Parameter::Offset => &mut self.start,
            Parameter::Transpose => &mut self.semitones,
            Parameter::Coarse => &mut self.semitones_by.velocity,
            Parameter::Fine => &mut self.semitones_by.random,
            Parameter::Time => &mut self.stretch,
            Parameter::Morph => &mut self.stretch_by.velocity,
            Parameter::Drive => &mut self.drive_db,
            Parameter::Frequency => &mut self.filter.hz,
            Parameter::Resonance => &mut self.filter.q,
            Parameter::EnvelopeAmount => &mut self.filter.octaves.velocity,
            Parameter::LfoAmount => &mut self.filter.octaves.random,
            Parameter::Decay => &mut self.decay,
            Parameter::Balance => &mut self.pan,
            Parameter::Width => &mut self.pan_by.velocity,
            Parameter::Spread => &mut self.pan_by.random,
            Parameter::Gain => &mut self.gain_db,
            Parameter::Velocity => &mut self.velocity_to_level,
            _ => return None,
        })
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
            InstrumentSettings::Drift(settings) => settings.place(parameter),
            InstrumentSettings::DrumSampler(settings) => settings.place(parameter),
            InstrumentSettings::Operator(settings) => settings.place(parameter),
            InstrumentSettings::Impulse(settings) => settings.place(parameter),
        }
    }
}

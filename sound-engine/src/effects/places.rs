//! Which settings of effects move while they sound.

use super::auto_filter::{AutoFilterSettings, FilterType, LfoRate};
use super::compressor::CompressorSettings;
use super::delay::{DelaySettings, DelayTime};
use super::effect::EffectSettings;
use super::eq_eight::EqEightSettings;
use super::limiter::LimiterSettings;
use super::reverb::ReverbSettings;
use super::saturator::SaturatorSettings;
use super::utility::UtilitySettings;
use crate::parameter::{Parameter, places};

places! {
    CompressorSettings {
        Threshold => threshold_db, Ratio => ratio, Attack => attack_ms, Release => release_ms, Output => output_db,
        Knee => knee_db, Mix => mix,
    }
    LimiterSettings { Gain => gain_db, Threshold => ceiling_db, Release => release_ms }
    ReverbSettings {
        PreDelay => predelay_ms, Decay => decay_s, Size => size, Width => stereo, Reflections => reflect_db,
        Diffusion => diffuse_db, LfoAmount => chorus_amount, LfoRate => chorus_hz, Mix => mix,
    }
    SaturatorSettings { Drive => drive_db, Output => output_db, Mix => mix }
    UtilitySettings { Gain => gain_db, Width => width, Balance => balance }
}

impl AutoFilterSettings {
    /// The setting that a parameter moves.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        match (parameter, &mut self.filter_type, &mut self.lfo.rate) {
            (Parameter::Frequency, ..) => Some(&mut self.hz),
            (Parameter::Resonance, ..) => Some(&mut self.resonance),
            (Parameter::Drive, ..) => Some(&mut self.drive),
            (Parameter::Morph, FilterType::Morph(morph), _) => Some(morph),
            (Parameter::LfoAmount, ..) => Some(&mut self.lfo.octaves),
            (Parameter::LfoRate, _, LfoRate::Hz(rate) | LfoRate::PerBeat(rate)) => Some(rate),
            (Parameter::Phase, ..) => Some(&mut self.lfo.phase),
            (Parameter::Offset, ..) => Some(&mut self.lfo.offset),
            (Parameter::EnvelopeAmount, ..) => Some(&mut self.envelope_octaves),
            (Parameter::Attack, ..) => Some(&mut self.envelope_attack_ms),
            (Parameter::Release, ..) => Some(&mut self.envelope_release_ms),
            (Parameter::Output, ..) => Some(&mut self.output_db),
            (Parameter::Mix, ..) => Some(&mut self.mix),
            _ => None,
        }
    }
}

impl DelaySettings {
    /// The setting that a parameter moves.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        match parameter {
            Parameter::Time => Some(time(&mut self.left)),
            Parameter::TimeRight => self.right.as_mut().map(time),
            Parameter::Feedback => Some(&mut self.feedback),
            Parameter::Frequency => self.filter.as_mut().map(|(hz, _)| hz),
            Parameter::Width => self.filter.as_mut().map(|(_, octaves)| octaves),
            Parameter::Mix => Some(&mut self.mix),
            _ => None,
        }
    }
}

fn time(time: &mut DelayTime) -> &mut f32 {
    match time {
        DelayTime::Seconds(time) | DelayTime::Sixteenths { count: time, .. } => time,
    }
}

impl EqEightSettings {
    /// The setting that a parameter moves.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        match parameter {
            Parameter::BandFrequency(index) => self.bands.get_mut(usize::from(index)).map(|band| &mut band.hz),
            Parameter::BandGain(index) => self.bands.get_mut(usize::from(index)).map(|band| &mut band.gain_db),
            Parameter::BandQ(index) => self.bands.get_mut(usize::from(index)).map(|band| &mut band.q),
            Parameter::Amount => Some(&mut self.scale),
            Parameter::Output => Some(&mut self.output_db),
            _ => None,
        }
    }
}

impl EffectSettings {
    /// The setting that a parameter moves, or `None` where there is none (of that name, or now).
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        match self {
            EffectSettings::EqEight(settings) => settings.place(parameter),
            EffectSettings::Compressor(settings) => settings.place(parameter),
            EffectSettings::Reverb(settings) => settings.place(parameter),
            EffectSettings::Delay(settings) => settings.place(parameter),
            EffectSettings::Saturator(settings) => settings.place(parameter),
            EffectSettings::Utility(settings) => settings.place(parameter),
            EffectSettings::AutoFilter(settings) => settings.place(parameter),
            EffectSettings::Limiter(settings) => settings.place(parameter),
        }
    }
}

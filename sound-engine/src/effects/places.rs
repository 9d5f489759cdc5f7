//! Which settings of effects move while they sound.

use super::auto_filter::{AutoFilterSettings, FilterType};
use super::compressor::CompressorSettings;
use super::delay::{DelaySettings, DelayTime};
use super::eq_eight::EqEightSettings;
use super::limiter::LimiterSettings;
use super::reverb::ReverbSettings;
use super::saturator::SaturatorSettings;
use super::utility::UtilitySettings;
use super::{
    AutoPanSettings, ChannelEqSettings, ChorusSettings, DrumBussSettings, EchoSettings, EqThreeSettings, GateSettings,
    GlueSettings, PhaserSettings, ReduxSettings,
};
use crate::dsp::lfo::LfoRate;
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
    EqThreeSettings {
        GainLow => low_db, GainMid => mid_db, GainHigh => high_db, FrequencyLow => low_hz, FrequencyHigh => high_hz,
    }
    ChannelEqSettings {
        GainLow => low_db, GainMid => mid_db, Frequency => mid_hz, GainHigh => high_db, Output => output_db,
    }
    GlueSettings { Threshold => threshold_db, Range => range_db, Output => output_db, Mix => mix }
    GateSettings {
        Threshold => threshold_db, Attack => attack_ms, Hold => hold_ms, Release => release_ms, Return => return_db,
        Floor => floor_db,
    }
    ReduxSettings { Rate => hz, Amount => jitter, Coarse => bits, Shape => shape, Mix => mix }
    DrumBussSettings {
        Gain => trim_db, Drive => drive, Crunch => crunch, Damping => damping_hz, Transients => transients,
        Frequency => boom_hz, Amount => boom, Decay => boom_decay, Output => output_db, Mix => mix,
    }
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

/// The setting of an LFO's rate, in whatever it counts.
fn rate(rate: &mut LfoRate) -> &mut f32 {
    match rate {
        LfoRate::Hz(rate) | LfoRate::PerBeat(rate) => rate,
    }
}

impl ChorusSettings {
    /// The setting that a parameter moves.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        Some(match parameter {
            Parameter::LfoRate => rate(&mut self.rate),
            Parameter::Amount => &mut self.amount,
            Parameter::Feedback => &mut self.feedback,
            Parameter::Offset => &mut self.offset,
            Parameter::Time => &mut self.delay_ms,
            Parameter::Width => &mut self.width,
            Parameter::Warmth => &mut self.warmth,
            Parameter::Output => &mut self.output_db,
            Parameter::Mix => &mut self.mix,
            Parameter::Frequency => return self.highpass_hz.as_mut(),
            _ => return None,
        })
    }
}

impl AutoPanSettings {
    /// The setting that a parameter moves.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        Some(match parameter {
            Parameter::LfoRate => rate(&mut self.rate),
            Parameter::Amount => &mut self.amount,
            Parameter::Phase => &mut self.phase,
            Parameter::Offset => &mut self.offset,
            Parameter::Shape => &mut self.shape,
            _ => return None,
        })
    }
}

impl PhaserSettings {
    /// The setting that a parameter moves.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        Some(match parameter {
            Parameter::LfoRate => rate(&mut self.rate),
            Parameter::Amount => &mut self.amount,
            Parameter::Phase => &mut self.phase,
            Parameter::EnvelopeAmount => &mut self.envelope_amount,
            Parameter::Attack => &mut self.envelope_attack_ms,
            Parameter::Release => &mut self.envelope_release_ms,
            Parameter::Frequency => &mut self.center_hz,
            Parameter::FrequencyLow => &mut self.safe_hz,
            Parameter::Spread => &mut self.spread,
            Parameter::Time => &mut self.flanger_ms,
            Parameter::TimeRight => &mut self.doubler_ms,
            Parameter::Feedback => &mut self.feedback,
            Parameter::Warmth => &mut self.warmth,
            Parameter::Output => &mut self.output_db,
            Parameter::Mix => &mut self.mix,
            _ => return None,
        })
    }
}

impl EchoSettings {
    /// The setting that a parameter moves.
    pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
        Some(match parameter {
            Parameter::Time => time(&mut self.left),
            Parameter::TimeRight => return self.right.as_mut().map(time),
            Parameter::Gain => &mut self.input_db,
            Parameter::Feedback => &mut self.feedback,
            Parameter::FrequencyHigh => return self.filter.as_mut().map(|filter| &mut filter.highpass_hz),
            Parameter::FrequencyLow => return self.filter.as_mut().map(|filter| &mut filter.lowpass_hz),
            Parameter::LfoRate => rate(&mut self.movement.rate),
            Parameter::LfoAmount => &mut self.movement.delay,
            Parameter::EnvelopeAmount => &mut self.movement.filter,
            Parameter::Reflections => &mut self.room,
            Parameter::Decay => &mut self.room_decay,
            Parameter::Width => &mut self.width,
            Parameter::Output => &mut self.output_db,
            Parameter::Mix => &mut self.mix,
            _ => return None,
        })
    }
}

//! Any effect: its settings beside the state that fits them.

use super::auto_filter::{AutoFilter, AutoFilterSettings};
use super::compressor::{Compressor, CompressorSettings};
use super::delay::{Delay, DelaySettings};
use super::eq_eight::{EqEight, EqEightSettings};
use super::limiter::{Limiter, LimiterSettings};
use super::reverb::{Reverb, ReverbSettings};
use super::saturator::{Saturator, SaturatorSettings};
use super::utility::{Utility, UtilitySettings};
use crate::dsp::span::{Bus, Span};

/// What an effect is told beside its settings.
#[derive(Clone, Copy, Debug)]
pub struct EffectContext<'a> {
    pub span: Span,
    /// Quarter beats a minute.
    pub tempo_bpm: f32,
    /// The song's position at the span's first frame, quarter beats; `None` while it stands.
    pub song_beat: Option<f64>,
    /// The signal of another track that it listens to.
    pub sidechain: Option<&'a Bus>,
}

/// An effect with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum EffectSettings {
    EqEight(EqEightSettings),
    Compressor(CompressorSettings),
    Reverb(ReverbSettings),
    Delay(DelaySettings),
    Saturator(SaturatorSettings),
    Utility(UtilitySettings),
    AutoFilter(AutoFilterSettings),
    Limiter(LimiterSettings),
}

/// What an effect remembers of its signal.
pub enum EffectState {
    EqEight(Box<EqEight>),
    Compressor(Box<Compressor>),
    Reverb(Box<Reverb>),
    Delay(Box<Delay>),
    Saturator(Box<Saturator>),
    Utility(Box<Utility>),
    AutoFilter(Box<AutoFilter>),
    Limiter(Box<Limiter>),
}

impl EffectState {
    /// For an effect of the settings' kind, `rate` frames a second. Allocates.
    pub fn new(settings: &EffectSettings, rate: f32) -> EffectState {
        match settings {
            EffectSettings::EqEight(_) => EffectState::EqEight(Box::new(EqEight::new(rate))),
            EffectSettings::Compressor(_) => EffectState::Compressor(Box::new(Compressor::new(rate))),
            EffectSettings::Reverb(_) => EffectState::Reverb(Box::new(Reverb::new(rate))),
            EffectSettings::Delay(_) => EffectState::Delay(Box::new(Delay::new(rate))),
            EffectSettings::Saturator(_) => EffectState::Saturator(Box::new(Saturator::new(rate))),
            EffectSettings::Utility(_) => EffectState::Utility(Box::new(Utility::new(rate))),
            EffectSettings::AutoFilter(_) => EffectState::AutoFilter(Box::new(AutoFilter::new(rate))),
            EffectSettings::Limiter(_) => EffectState::Limiter(Box::new(Limiter::new(rate))),
        }
    }

    /// Turns the signal into what comes out. A state that does not fit the settings leaves it as it is.
    pub fn process(&mut self, settings: &EffectSettings, context: &EffectContext, bus: &mut Bus) {
        match (self, settings) {
            (EffectState::EqEight(state), EffectSettings::EqEight(settings)) => state.process(settings, context, bus),
            (EffectState::Compressor(state), EffectSettings::Compressor(settings)) => {
                state.process(settings, context, bus);
            }
            (EffectState::Reverb(state), EffectSettings::Reverb(settings)) => state.process(settings, context, bus),
            (EffectState::Delay(state), EffectSettings::Delay(settings)) => state.process(settings, context, bus),
            (EffectState::Saturator(state), EffectSettings::Saturator(settings)) => {
                state.process(settings, context, bus);
            }
            (EffectState::Utility(state), EffectSettings::Utility(settings)) => state.process(settings, context, bus),
            (EffectState::AutoFilter(state), EffectSettings::AutoFilter(settings)) => {
                state.process(settings, context, bus);
            }
            (EffectState::Limiter(state), EffectSettings::Limiter(settings)) => state.process(settings, context, bus),
            _ => {}
        }
    }

    /// For how many frames it may be silent before it sounds again of itself.
    pub fn memory_frames(&self) -> u64 {
        match self {
            EffectState::Reverb(state) => state.memory_frames(),
            EffectState::Delay(state) => state.memory_frames(),
            _ => 0,
        }
    }

    /// Every number that it remembers of its signal.
    #[cfg(test)]
    pub fn memory(&self) -> Vec<f32> {
        match self {
            EffectState::EqEight(state) => state.memory().collect(),
            EffectState::Compressor(state) => state.memory().collect(),
            EffectState::Reverb(state) => state.memory().collect(),
            EffectState::Delay(state) => state.memory().collect(),
            EffectState::Saturator(state) => state.memory().collect(),
            EffectState::Utility(state) => state.memory().collect(),
            EffectState::AutoFilter(state) => state.memory().collect(),
            EffectState::Limiter(state) => state.memory().collect(),
        }
    }
}

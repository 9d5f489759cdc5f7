//! Any effect: its settings beside the state that fits them.

use super::auto_filter::{AutoFilter, AutoFilterSettings};
use super::auto_pan::{AutoPan, AutoPanSettings};
use super::channel_eq::{ChannelEq, ChannelEqSettings};
use super::chorus::{Chorus, ChorusSettings};
use super::compressor::{Compressor, CompressorSettings};
use super::delay::{Delay, DelaySettings};
use super::drum_buss::{DrumBuss, DrumBussSettings};
use super::echo::{Echo, EchoSettings};
use super::eq_eight::{EqEight, EqEightSettings};
use super::eq_three::{EqThree, EqThreeSettings};
use super::gate::{Gate, GateSettings};
use super::glue::{Glue, GlueSettings};
use super::limiter::{Limiter, LimiterSettings};
use super::phaser_flanger::{PhaserFlanger, PhaserSettings};
use super::redux::{Redux, ReduxSettings};
use super::reverb::{Reverb, ReverbSettings};
use super::saturator::{Saturator, SaturatorSettings};
use super::utility::{Utility, UtilitySettings};
use crate::dsp::span::{Bus, Span};
use crate::parameter::Parameter;

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
    EqThree(EqThreeSettings),
    ChannelEq(ChannelEqSettings),
    Glue(GlueSettings),
    Gate(GateSettings),
    Redux(ReduxSettings),
    Chorus(ChorusSettings),
    AutoPan(AutoPanSettings),
    PhaserFlanger(PhaserSettings),
    Echo(EchoSettings),
    DrumBuss(DrumBussSettings),
}

/// The states of effects: one for each kind of settings.
macro_rules! effects {
    ($($kind:ident),* $(,)?) => {
        /// What an effect remembers of its signal.
        pub enum EffectState {
            $($kind(Box<$kind>),)*
        }

        impl EffectState {
            /// For an effect of the settings' kind, `rate` frames a second. Allocates.
            pub fn new(settings: &EffectSettings, rate: f32) -> EffectState {
                match settings {
                    $(EffectSettings::$kind(_) => EffectState::$kind(Box::new($kind::new(rate))),)*
                }
            }

            /// Turns the signal into what comes out. A state that does not fit the settings leaves it as it is.
            pub fn process(&mut self, settings: &EffectSettings, context: &EffectContext, bus: &mut Bus) {
                match (self, settings) {
                    $((EffectState::$kind(state), EffectSettings::$kind(settings)) => {
                        state.process(settings, context, bus);
                    })*
                    _ => {}
                }
            }

            /// Every number that it remembers of its signal.
            #[cfg(test)]
            pub fn memory(&self) -> Vec<f32> {
                match self {
                    $(EffectState::$kind(state) => state.memory().collect(),)*
                }
            }
        }

        impl EffectSettings {
            /// The setting that a parameter moves, or `None` where there is none (of that name, or now).
            pub fn place(&mut self, parameter: Parameter) -> Option<&mut f32> {
                match self {
                    $(EffectSettings::$kind(settings) => settings.place(parameter),)*
                }
            }
        }
    };
}

effects! {
    EqEight, Compressor, Reverb, Delay, Saturator, Utility, AutoFilter, Limiter, EqThree, ChannelEq, Glue, Gate, Redux,
    Chorus, AutoPan, PhaserFlanger, Echo, DrumBuss,
}

impl EffectState {
    /// For how many frames it may be silent before it sounds again of itself.
    pub fn memory_frames(&self) -> u64 {
        match self {
            EffectState::Reverb(state) => state.memory_frames(),
            EffectState::Delay(state) => state.memory_frames(),
            EffectState::Chorus(state) => state.memory_frames(),
            EffectState::PhaserFlanger(state) => state.memory_frames(),
            EffectState::Echo(state) => state.memory_frames(),
            EffectState::DrumBuss(state) => state.memory_frames(),
            _ => 0,
        }
    }
}

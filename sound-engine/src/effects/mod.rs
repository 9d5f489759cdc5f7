//! Effects: one file each. Settings are in units of the world (Hz, dB, seconds, factors); a state is made for a sample
//! rate and lives on while settings change.

mod auto_filter;
mod auto_pan;
mod channel_eq;
mod chorus;
mod compressor;
mod delay;
mod detector;
mod drum_buss;
mod echo;
mod effect;
mod eq_eight;
mod eq_three;
mod gate;
mod glue;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod laws_of_sounds;
mod limiter;
mod phaser_flanger;
mod places;
mod redux;
mod reverb;
mod saturator;
mod utility;

pub use crate::dsp::lfo::{LfoRate, LfoWave};
pub use auto_filter::{AutoFilterSettings, FilterType, Lfo};
pub use compressor::{CompressorModel, CompressorSettings, EnvelopeMode};
pub use delay::{DelaySettings, DelaySmoothing, DelayTime};
pub use effect::{EffectContext, EffectSettings, EffectState};
pub use eq_eight::{BandType, EqBand, EqEightSettings};
pub use limiter::LimiterSettings;
pub use reverb::ReverbSettings;
pub use saturator::{PostClip, SaturatorColor, SaturatorSettings, SaturatorShape};
pub use utility::{ChannelMode, UtilitySettings};

pub use crate::dsp::smooth_filter::FilterSettings;
pub use crate::dsp::svf::Response;
pub use auto_pan::AutoPanSettings;
pub use channel_eq::ChannelEqSettings;
pub use chorus::{ChorusMode, ChorusSettings};
pub use detector::DetectorSettings;
pub use drum_buss::{DrumBussSettings, DrumDrive};
pub use echo::{EchoChannels, EchoFilter, EchoMovement, EchoRoom, EchoSettings};
pub use eq_three::EqThreeSettings;
pub use gate::GateSettings;
pub use glue::GlueSettings;
pub use phaser_flanger::{PhaserMode, PhaserSettings};
pub use redux::ReduxSettings;

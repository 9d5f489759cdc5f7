//! Effects: one file each. Settings are in units of the world (Hz, dB, seconds, factors); a state is made for a sample
//! rate and lives on while settings change.

mod auto_filter;
mod compressor;
mod delay;
mod effect;
mod eq_eight;
#[cfg(test)]
mod laws;
mod limiter;
mod places;
mod reverb;
mod saturator;
mod utility;

pub use auto_filter::{AutoFilterSettings, FilterType, Lfo, LfoRate, LfoWave};
pub use compressor::{CompressorModel, CompressorSettings, EnvelopeMode};
pub use delay::{DelaySettings, DelaySmoothing, DelayTime};
pub use effect::{EffectContext, EffectSettings, EffectState};
pub use eq_eight::{BandType, EqBand, EqEightSettings};
pub use limiter::LimiterSettings;
pub use reverb::ReverbSettings;
pub use saturator::{PostClip, SaturatorColor, SaturatorSettings, SaturatorShape};
pub use utility::{ChannelMode, UtilitySettings};

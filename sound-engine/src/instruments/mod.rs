//! Instruments: notes to sound. Each has a pool of voices that a plan's settings play through.

mod drum_kits;
mod drum_voice;
mod drums;
mod instrument;
mod patch;
mod patches;
mod places;
mod sampler;
mod sampler_voice;
mod synth;
mod synth_voice;
mod voice_pool;

pub use drum_kits::DrumKit;
pub use instrument::{InstrumentSettings, InstrumentState};
pub use patch::{FmPair, Oscillator, Patch, PatchFilter, Vibrato};
pub use patches::Role;
pub use sampler::{SamplerFilter, SamplerMode, SamplerSettings};
pub use voice_pool::{MOST_VOICES, Note, Victim};

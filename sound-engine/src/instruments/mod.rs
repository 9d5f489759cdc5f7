//! Instruments: notes to sound. Each has a pool of voices that a plan's settings play through.

mod drift;
mod drift_movement;
mod drift_settings;
mod drift_voice;
mod drum_kits;
mod drum_sampler;
mod drum_sampler_effect;
mod drum_sampler_voice;
mod drum_voice;
mod drums;
mod held_notes;
mod impulse;
mod impulse_voice;
mod instrument;
mod operator;
mod operator_envelope;
mod operator_movement;
mod operator_oscillator;
mod operator_settings;
mod operator_voice;
mod patch;
mod patches;
mod places;
mod sampler;
mod sampler_head;
mod sampler_voice;
mod synth;
mod synth_control;
mod synth_fours;
mod synth_tuning;
mod synth_voice;
mod voice_pool;

pub use crate::dsp::envelope::EnvelopeTimes;
pub use drift_settings::{
    DriftAmount, DriftLfo, DriftLfoWave, DriftLowpass, DriftOscillator, DriftRoute, DriftSettings, DriftSource,
    DriftTarget, DriftVoices, DriftWave, SecondEnvelope,
};
pub use drum_kits::DrumKit;
pub use drum_sampler::{DrumFilter, DrumFilterType, DrumSamplerEffect, DrumSamplerSettings, DrumVelocityTarget};
pub use impulse::{HitAmounts, ImpulseFilter, ImpulseSettings};
pub use instrument::{InstrumentSettings, InstrumentState};
pub use operator_settings::{
    ALGORITHMS, Algorithm, EnvelopeCycle, OPERATORS, OperatorEnvelope, OperatorFilter, OperatorLfo, OperatorOscillator,
    OperatorSettings, OperatorShaper, OperatorWave, ShaperCurve,
};
pub use patch::{FmPair, Oscillator, Patch, PatchFilter, Vibrato};
pub use patches::Role;
pub use sampler::{PitchEnvelope, SamplerFilter, SamplerGlide, SamplerLfo, SamplerMode, SamplerSettings, SamplerWarp};
pub use voice_pool::{MOST_VOICES, Note, Victim};

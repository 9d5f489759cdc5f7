//! Any instrument: its settings beside the state that fits them.

use super::drift::Drift;
use super::drift_settings::DriftSettings;
use super::drum_kits::DrumKit;
use super::drum_sampler::{DrumSampler, DrumSamplerSettings};
use super::drums::Drums;
use super::impulse::{Impulse, ImpulseSettings};
use super::operator::Operator;
use super::operator_settings::OperatorSettings;
use super::patch::Patch;
use super::sampler::{Sampler, SamplerSettings};
use super::synth::Synth;
use super::voice_pool::{Note, Victim};
use crate::dsp::span::{Bus, Span};

/// An instrument with its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum InstrumentSettings {
    Synth(Box<Patch>),
    Drums(DrumKit),
    Sampler(Box<SamplerSettings>),
    Drift(Box<DriftSettings>),
    DrumSampler(Box<DrumSamplerSettings>),
    Operator(Box<OperatorSettings>),
    Impulse(Box<ImpulseSettings>),
}

/// The voices of an instrument.
pub enum InstrumentState {
    Synth(Box<Synth>),
    Drums(Box<Drums>),
    Sampler(Box<Sampler>),
    Drift(Box<Drift>),
    DrumSampler(Box<DrumSampler>),
    Operator(Box<Operator>),
    Impulse(Box<Impulse>),
}

/// `$body` with the voices of whatever instrument it is.
macro_rules! with_pool {
    ($state:expr, $pool:ident => $body:expr) => {
        match $state {
            InstrumentState::Synth(synth) => {
                let $pool = &mut synth.pool;
                $body
            }
            InstrumentState::Drums(drums) => {
                let $pool = &mut drums.pool;
                $body
            }
            InstrumentState::Sampler(sampler) => {
                let $pool = &mut sampler.pool;
                $body
            }
            InstrumentState::Drift(drift) => {
                let $pool = &mut drift.pool;
                $body
            }
            InstrumentState::DrumSampler(sampler) => {
                let $pool = &mut sampler.pool;
                $body
            }
            InstrumentState::Operator(operator) => {
                let $pool = &mut operator.pool;
                $body
            }
            InstrumentState::Impulse(impulse) => {
                let $pool = &mut impulse.pool;
                $body
            }
        }
    };
}

impl InstrumentState {
    /// For an instrument of the settings' kind, `rate` frames a second. Allocates.
    pub fn new(settings: &InstrumentSettings, rate: f32) -> InstrumentState {
        match settings {
            InstrumentSettings::Synth(_) => InstrumentState::Synth(Box::new(Synth::new(rate))),
            InstrumentSettings::Drums(_) => InstrumentState::Drums(Box::new(Drums::new(rate))),
            InstrumentSettings::Sampler(_) => InstrumentState::Sampler(Box::new(Sampler::new(rate))),
            InstrumentSettings::Drift(_) => InstrumentState::Drift(Box::new(Drift::new(rate))),
            InstrumentSettings::DrumSampler(_) => InstrumentState::DrumSampler(Box::new(DrumSampler::new(rate))),
            InstrumentSettings::Operator(_) => InstrumentState::Operator(Box::new(Operator::new(rate))),
            InstrumentSettings::Impulse(_) => InstrumentState::Impulse(Box::new(Impulse::new(rate))),
        }
    }

    /// `now` is the frame at which the note begins.
    pub fn note_on(&mut self, settings: &InstrumentSettings, note: Note, now: u64) {
        match (self, settings) {
            (InstrumentState::Synth(synth), InstrumentSettings::Synth(patch)) => synth.note_on(patch, note, now),
            (InstrumentState::Drums(drums), InstrumentSettings::Drums(kit)) => drums.note_on(*kit, note, now),
            (InstrumentState::Sampler(sampler), InstrumentSettings::Sampler(settings)) => {
                sampler.note_on(settings, note, now);
            }
            (InstrumentState::Drift(drift), InstrumentSettings::Drift(settings)) => drift.note_on(settings, note, now),
            (InstrumentState::DrumSampler(sampler), InstrumentSettings::DrumSampler(settings)) => {
                sampler.note_on(settings, note, now);
            }
            (InstrumentState::Operator(operator), InstrumentSettings::Operator(settings)) => {
                operator.note_on(settings, note, now);
            }
            (InstrumentState::Impulse(impulse), InstrumentSettings::Impulse(settings)) => {
                impulse.note_on(settings, note, now);
            }
            _ => {}
        }
    }

    pub fn note_off(&mut self, settings: &InstrumentSettings, id: u64, pitch: u8) {
        match (self, settings) {
            (InstrumentState::Synth(synth), InstrumentSettings::Synth(patch)) => synth.note_off(patch, id, pitch),
            (InstrumentState::Drums(drums), InstrumentSettings::Drums(_)) => drums.pool.end(id, pitch),
            (InstrumentState::Sampler(sampler), InstrumentSettings::Sampler(settings)) => {
                sampler.note_off(settings, id, pitch);
            }
            (InstrumentState::Drift(drift), InstrumentSettings::Drift(settings)) => drift.note_off(settings, id, pitch),
            (InstrumentState::DrumSampler(sampler), InstrumentSettings::DrumSampler(settings)) => {
                sampler.note_off(settings, id, pitch);
            }
            (InstrumentState::Operator(operator), InstrumentSettings::Operator(_)) => operator.pool.end(id, pitch),
            (InstrumentState::Impulse(impulse), InstrumentSettings::Impulse(settings)) => {
                impulse.note_off(settings, id, pitch);
            }
            _ => {}
        }
    }

    /// Releases all notes.
    pub fn end_all(&mut self) {
        match self {
            InstrumentState::Synth(synth) => synth.end_all(),
            InstrumentState::Drift(drift) => drift.end_all(),
            other => with_pool!(other, pool => pool.end_all()),
        }
    }

    /// Everything that sounds ends within 3 ms.
    pub fn fade_all(&mut self) {
        match self {
            InstrumentState::Synth(synth) => synth.fade_all(),
            InstrumentState::Drift(drift) => drift.fade_all(),
            other => with_pool!(other, pool => pool.fade_all()),
        }
    }

    /// Voices that sound.
    pub fn sounding(&mut self) -> usize {
        with_pool!(self, pool => pool.sounding())
    }

    /// The voice that would be missed least.
    pub fn victim(&mut self) -> Option<Victim> {
        with_pool!(self, pool => pool.victim())
    }

    pub fn fade(&mut self, victim: Victim) {
        with_pool!(self, pool => pool.fade(victim));
    }

    /// Adds what it plays.
    pub fn render(&mut self, settings: &InstrumentSettings, span: &Span, tempo_bpm: f32, bus: &mut Bus) {
        match (self, settings) {
            (InstrumentState::Synth(synth), InstrumentSettings::Synth(patch)) => synth.render(patch, span, bus),
            (InstrumentState::Drums(drums), InstrumentSettings::Drums(_)) => drums.render(span, bus),
            (InstrumentState::Sampler(sampler), InstrumentSettings::Sampler(settings)) => {
                sampler.render(settings, span, tempo_bpm, bus);
            }
            (InstrumentState::Drift(drift), InstrumentSettings::Drift(settings)) => {
                drift.render(settings, span, tempo_bpm, bus);
            }
            (InstrumentState::DrumSampler(sampler), InstrumentSettings::DrumSampler(settings)) => {
                sampler.render(settings, span, bus);
            }
            (InstrumentState::Operator(operator), InstrumentSettings::Operator(settings)) => {
                operator.render(settings, span, tempo_bpm, bus);
            }
            (InstrumentState::Impulse(impulse), InstrumentSettings::Impulse(settings)) => {
                impulse.render(settings, span, bus);
            }
            _ => {}
        }
    }
}

//! What a dynamics effect listens to: its own signal or another's, filtered first.

use super::effect::EffectContext;
use crate::dsp::math::gain_of_db;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::Bus;

/// How it listens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetectorSettings {
    pub filter: Option<FilterSettings>,
    /// Of the other track's signal.
    pub gain_db: f32,
    /// How much of what is heard is the other one's, 0 to 1.
    pub mix: f32,
}

impl Default for DetectorSettings {
    fn default() -> DetectorSettings {
        DetectorSettings { filter: None, gain_db: 0.0, mix: 1.0 }
    }
}

pub(super) struct Detector {
    filter: SmoothFilter,
}

impl Detector {
    pub fn new(rate: f32) -> Detector {
        Detector { filter: SmoothFilter::new(rate) }
    }

    /// What is heard in a span.
    pub fn listen(&mut self, settings: &DetectorSettings, context: &EffectContext, bus: &Bus) -> Bus {
        let mut heard = *bus;
        if let Some(side) = context.sidechain {
            let gain = gain_of_db(settings.gain_db);
            let lanes = [(&mut heard.left, &side.left), (&mut heard.right, &side.right)];
            for (own, other) in lanes {
                for (own, other) in own.iter_mut().zip(other) {
                    *own += (other * gain - *own) * settings.mix;
                }
            }
        }
        if let Some(filter) = &settings.filter {
            if context.span.is_tick() {
                self.filter.tick(filter);
            }
            self.filter.process(&context.span, &mut heard);
        }
        heard
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        self.filter.memory()
    }
}

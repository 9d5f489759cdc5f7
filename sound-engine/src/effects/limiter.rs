//! The limiter: nothing above the ceiling, at once, without looking ahead.

use super::effect::EffectContext;
use crate::dsp::math::{approach_in_loop, gain_of_db};
use crate::dsp::ramp::Ramp;
use crate::dsp::span::Bus;

#[derive(Clone, Debug, PartialEq)]
pub struct LimiterSettings {
    pub gain_db: f32,
    pub ceiling_db: f32,
    pub release_ms: f32,
    /// How much both sides follow the louder one, 0 to 1.
    pub link: f32,
}

impl Default for LimiterSettings {
    fn default() -> LimiterSettings {
        LimiterSettings { gain_db: 0.0, ceiling_db: -0.3, release_ms: 100.0, link: 1.0 }
    }
}

pub struct Limiter {
    gain: Ramp,
    left: f32,
    right: f32,
    rate: f32,
}

impl Limiter {
    pub fn new(rate: f32) -> Limiter {
        Limiter { gain: Ramp::new(1.0, 0.005, rate), left: 1.0, right: 1.0, rate }
    }

    pub fn process(&mut self, settings: &LimiterSettings, context: &EffectContext, bus: &mut Bus) {
        let ceiling = gain_of_db(settings.ceiling_db);
        let release = approach_in_loop(settings.release_ms.max(0.01) * 0.001 * self.rate);
        self.gain.go(gain_of_db(settings.gain_db));
        for (left, right) in bus.frames_mut(context.span.frames) {
            let gain = self.gain.next_value();
            let (l, r) = (*left * gain, *right * gain);
            let both = l.abs().max(r.abs());
            let heard = |own: f32| own.abs() + (both - own.abs()) * settings.link;
            let held = |before: f32, level: f32| {
                let rising = before + (1.0 - before) * release;
                if level * rising > ceiling { ceiling / level } else { rising }
            };
            self.left = held(self.left, heard(l));
            self.right = held(self.right, heard(r));
            *left = l * self.left;
            *right = r * self.right;
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        [self.left, self.right].into_iter()
    }
}

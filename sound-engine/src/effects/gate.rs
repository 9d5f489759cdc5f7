//! The gate: lets through what is loud enough.

use super::detector::{Detector, DetectorSettings};
use super::effect::EffectContext;
use crate::dsp::math::{approach_in_loop, gain_of_db};
use crate::dsp::span::{Bus, quiet};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GateSettings {
    pub threshold_db: f32,
    pub attack_ms: f32,
    pub hold_ms: f32,
    pub release_ms: f32,
    /// It closes so far below the threshold.
    pub return_db: f32,
    /// What is left when it is closed; -75 and less: nothing.
    pub floor_db: f32,
    /// Lets through what is quiet instead.
    pub flip: bool,
    pub detector: DetectorSettings,
}

impl Default for GateSettings {
    fn default() -> GateSettings {
        GateSettings {
            threshold_db: -12.0,
            attack_ms: 3.5,
            hold_ms: 10.0,
            release_ms: 15.0,
            return_db: 3.0,
            floor_db: -40.0,
            flip: false,
            detector: DetectorSettings::default(),
        }
    }
}

/// A loud half cycle is remembered for so long (ms to e^-1), or low tones would open and close it.
const LEVEL_MS: f32 = 3.0;

pub struct Gate {
    detector: Detector,
    level: f32,
    open: bool,
    held: u32,
    gain: f32,
    rate: f32,
}

impl Gate {
    pub fn new(rate: f32) -> Gate {
        Gate { detector: Detector::new(rate), level: 0.0, open: false, held: 0, gain: 0.0, rate }
    }

    pub fn process(&mut self, settings: &GateSettings, context: &EffectContext, bus: &mut Bus) {
        if context.span.is_tick() {
            (self.level, self.gain) = (quiet(self.level), quiet(self.gain));
        }
        let heard = self.detector.listen(&settings.detector, context, bus);
        let part = |ms: f32| approach_in_loop(ms.max(0.02) * 0.001 * self.rate);
        let fall = part(LEVEL_MS);
        // Times are those in which it arrives: four constants.
        let (attack, release) = (part(settings.attack_ms * 0.25), part(settings.release_ms * 0.25));
        let opens = gain_of_db(settings.threshold_db);
        let closes = gain_of_db(settings.threshold_db - settings.return_db.max(0.0));
        let hold = (settings.hold_ms * 0.001 * self.rate) as u32;
        let floor = if settings.floor_db <= -75.0 { 0.0 } else { gain_of_db(settings.floor_db) };
        for ((left, right), (l, r)) in bus.frames_mut(context.span.frames).zip(heard.left.into_iter().zip(heard.right))
        {
            let peak = l.abs().max(r.abs());
            self.level = if peak > self.level { peak } else { self.level - self.level * fall };
            if self.level >= opens {
                (self.open, self.held) = (true, hold);
            } else if self.open && self.level < closes {
                self.held = self.held.saturating_sub(1);
                self.open = self.held > 0;
            }
            let wanted = if self.open != settings.flip { 1.0 } else { floor };
            self.gain += (wanted - self.gain) * if wanted > self.gain { attack } else { release };
            *left *= self.gain;
            *right *= self.gain;
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        [self.level, self.gain].into_iter().chain(self.detector.memory())
    }
}

//! The Glue Compressor: a compressor for groups, by steps, as a bus compressor of a desk.

use super::detector::{Detector, DetectorSettings};
use super::effect::EffectContext;
use crate::dsp::math::{approach_in_loop, db_of_gain, gain_of_db, tanh};
use crate::dsp::ramp::Ramp;
use crate::dsp::span::{Bus, quiet};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlueSettings {
    pub threshold_db: f32,
    /// The device has 2, 4 and 10.
    pub ratio: f32,
    /// 0.01, 0.1, 0.3, 1, 3, 10, 30.
    pub attack_ms: f32,
    /// 100, 200, 400, 600, 800, 1,200; `None`: by the signal.
    pub release_ms: Option<f32>,
    /// It is never made quieter by more.
    pub range_db: f32,
    pub output_db: f32,
    /// 0 to 1.
    pub mix: f32,
    /// Bends what would go above -0.5 dB.
    pub soft_clip: bool,
    pub detector: DetectorSettings,
}

impl Default for GlueSettings {
    fn default() -> GlueSettings {
        GlueSettings {
            threshold_db: 0.0,
            ratio: 4.0,
            attack_ms: 1.0,
            release_ms: Some(600.0),
            range_db: 70.0,
            output_db: 0.0,
            mix: 1.0,
            soft_clip: false,
            detector: DetectorSettings::default(),
        }
    }
}

/// Its curve bends within so many decibels.
const KNEE_DB: f32 = 4.0;
/// Releases by the signal: a fast one, and one that loud parts of a second and more come to.
const AUTO_FAST_MS: f32 = 120.0;
const AUTO_SLOW_MS: f32 = 1_200.0;
/// -0.5 dB.
const CLIP: f32 = 0.944_061;

pub struct Glue {
    detector: Detector,
    reduction: f32,
    slow: f32,
    output: Ramp,
    mix: Ramp,
    rate: f32,
}

impl Glue {
    pub fn new(rate: f32) -> Glue {
        let ramp = Ramp::new(1.0, 0.005, rate);
        Glue { detector: Detector::new(rate), reduction: 0.0, slow: 0.0, output: ramp, mix: ramp, rate }
    }

    pub fn process(&mut self, settings: &GlueSettings, context: &EffectContext, bus: &mut Bus) {
        if context.span.is_tick() {
            (self.reduction, self.slow) = (quiet(self.reduction), quiet(self.slow));
        }
        let heard = self.detector.listen(&settings.detector, context, bus);
        let part = |ms: f32| approach_in_loop(ms.max(0.01) * 0.001 * self.rate);
        let attack = part(settings.attack_ms);
        let release = part(settings.release_ms.unwrap_or(AUTO_FAST_MS));
        let (slow_attack, slow_release) = (part(AUTO_SLOW_MS), part(AUTO_SLOW_MS));
        self.output.go(gain_of_db(settings.output_db));
        self.mix.go(settings.mix);
        for ((left, right), (l, r)) in bus.frames_mut(context.span.frames).zip(heard.left.into_iter().zip(heard.right))
        {
            let wanted = reduction_db(settings, db_of_gain(l.abs().max(r.abs())));
            self.reduction += (wanted - self.reduction) * if wanted > self.reduction { attack } else { release };
            let mut reduction = self.reduction;
            if settings.release_ms.is_none() {
                let part = if wanted > self.slow { slow_attack } else { slow_release };
                self.slow += (wanted - self.slow) * part;
                reduction = reduction.max(self.slow);
            }
            let gain = gain_of_db(-reduction) * self.output.next_value();
            let mix = self.mix.next_value();
            for value in [left, right] {
                let wet = *value * gain;
                let wet = if settings.soft_clip { clipped(wet) } else { wet };
                *value += (wet - *value) * mix;
            }
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        [self.reduction, self.slow].into_iter().chain(self.detector.memory())
    }
}

fn reduction_db(settings: &GlueSettings, level_db: f32) -> f32 {
    let slope = 1.0 - 1.0 / settings.ratio.max(1.0);
    let over = level_db - settings.threshold_db;
    let reduction = if over <= -0.5 * KNEE_DB {
        0.0
    } else if over < 0.5 * KNEE_DB {
        slope * (over + 0.5 * KNEE_DB) * (over + 0.5 * KNEE_DB) / (2.0 * KNEE_DB)
    } else {
        slope * over
    };
    reduction.min(settings.range_db.max(0.0))
}

/// Straight up to half of the way to the ceiling in dB, bent above.
fn clipped(x: f32) -> f32 {
    let start = CLIP * 0.7;
    let over = x.abs() - start;
    if over <= 0.0 { x } else { x.signum() * (start + (CLIP - start) * tanh(over / (CLIP - start))) }
}

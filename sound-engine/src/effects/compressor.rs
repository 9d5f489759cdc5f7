//! The compressor: feed-forward, without looking ahead.

use super::effect::EffectContext;
use crate::dsp::math::{GainOfDb, approach_in_loop, db_of_gain, gain_of_db};
use crate::dsp::ramp::Ramp;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::{Bus, Lane, quiet};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompressorModel {
    Peak,
    #[default]
    Rms,
    /// Makes louder what lies above the threshold.
    Expand,
}

/// What attack and release smooth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnvelopeMode {
    /// The level: loud peaks are let go of faster.
    Linear,
    /// The decibels.
    #[default]
    Logarithmic,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CompressorSettings {
    pub threshold_db: f32,
    /// 1 and above; infinity limits.
    pub ratio: f32,
    /// Of [`CompressorModel::Expand`], 1 and above.
    pub expansion_ratio: f32,
    pub attack_ms: f32,
    pub release_ms: f32,
    /// The release follows the signal: slow after long loud parts.
    pub auto_release: bool,
    pub output_db: f32,
    /// Half of what a signal of 0 dB loses is given back.
    pub makeup: bool,
    pub knee_db: f32,
    /// 0 to 1.
    pub mix: f32,
    pub model: CompressorModel,
    pub envelope: EnvelopeMode,
    /// What the detector hears is filtered first.
    pub detector_filter: Option<FilterSettings>,
    pub sidechain_gain_db: f32,
    /// How much of the detector's signal is that of the sidechain, 0 to 1.
    pub sidechain_mix: f32,
}

impl Default for CompressorSettings {
    fn default() -> CompressorSettings {
        CompressorSettings {
            threshold_db: 0.0,
            ratio: 4.0,
            expansion_ratio: 1.15,
            attack_ms: 1.0,
            release_ms: 30.0,
            auto_release: false,
            output_db: 0.0,
            makeup: false,
            knee_db: 6.0,
            mix: 1.0,
            model: CompressorModel::Rms,
            envelope: EnvelopeMode::Logarithmic,
            detector_filter: None,
            sidechain_gain_db: 0.0,
            sidechain_mix: 1.0,
        }
    }
}

/// The window of the RMS detector, seconds to e^-1.
const RMS_SECONDS: f32 = 0.005;
/// The slow half of an automatic release, as a multiple of the set one.
const AUTO_SLOW: f32 = 6.0;

pub struct Compressor {
    filter: SmoothFilter,
    mean_square: f32,
    /// Of the linear mode, the level; of the other, the decibels by which the gain differs.
    follower: f32,
    slow: f32,
    attack: f32,
    release: f32,
    slow_release: f32,
    /// Of which attack and release these are, ms.
    told_times: [f32; 2],
    rms: f32,
    side_gain: GainOfDb,
    output_gain: GainOfDb,
    output: Ramp,
    mix: Ramp,
    rate: f32,
}

impl Compressor {
    pub fn new(rate: f32) -> Compressor {
        Compressor {
            filter: SmoothFilter::new(rate),
            mean_square: 0.0,
            follower: 0.0,
            slow: 0.0,
            attack: 1.0,
            release: 1.0,
            slow_release: 1.0,
            told_times: [f32::NAN; 2],
            rms: approach_in_loop(RMS_SECONDS * rate),
            side_gain: GainOfDb::default(),
            output_gain: GainOfDb::default(),
            output: Ramp::new(1.0, 0.005, rate),
            mix: Ramp::new(1.0, 0.005, rate),
            rate,
        }
    }

    pub fn process(&mut self, settings: &CompressorSettings, context: &EffectContext, bus: &mut Bus) {
        if context.span.is_tick() {
            self.tick(settings);
        }
        let curve = Curve::new(settings);
        self.output.go(self.output_gain.of(settings.output_db + makeup_db(settings, &curve)));
        self.mix.go(settings.mix);
        // Step by step over the whole span: what does not wait for the frame before is done for several at once.
        let mut lane = self.levels(settings, context, bus);
        if settings.envelope == EnvelopeMode::Logarithmic {
            lane.iter_mut().for_each(|value| *value = curve.change_db(db_of_gain(*value)));
        }
        self.follow(&mut lane, context.span.frames, settings);
        if settings.envelope == EnvelopeMode::Linear {
            lane.iter_mut().for_each(|value| *value = curve.change_db(db_of_gain(*value)));
        }
        let (output, mix) = (self.output.lane(&context.span), self.mix.lane(&context.span));
        for ((change, output), mix) in lane.iter_mut().zip(&output).zip(&mix) {
            let gain = if *change == 0.0 { 1.0 } else { gain_of_db(*change) };
            *change = 1.0 + (gain * output - 1.0) * mix;
        }
        bus.left.iter_mut().zip(&lane).for_each(|(value, factor)| *value *= factor);
        bus.right.iter_mut().zip(&lane).for_each(|(value, factor)| *value *= factor);
    }

    /// How loud what the detector hears is at each frame.
    fn levels(&mut self, settings: &CompressorSettings, context: &EffectContext, bus: &Bus) -> Lane {
        let mut heard = *bus;
        if let Some(side) = context.sidechain {
            let side_gain = self.side_gain.of(settings.sidechain_gain_db);
            for (own, other) in [(&mut heard.left, &side.left), (&mut heard.right, &side.right)] {
                for (own, other) in own.iter_mut().zip(other) {
                    *own += (other * side_gain - *own) * settings.sidechain_mix;
                }
            }
        }
        if settings.detector_filter.is_some() {
            for (left, right) in heard.frames_mut(context.span.frames) {
                (*left, *right) = self.filter.frame(*left, *right);
            }
        }
        let mut lane = heard.left;
        let both = lane.iter_mut().zip(&heard.right);
        if settings.model != CompressorModel::Rms {
            both.for_each(|(level, right)| *level = level.abs().max(right.abs()));
            return lane;
        }
        both.for_each(|(level, right)| *level = 0.5 * (*level * *level + right * right));
        let (mut mean_square, rms) = (self.mean_square, self.rms);
        for level in lane.iter_mut().take(context.span.frames) {
            mean_square += (*level - mean_square) * rms;
            *level = mean_square;
        }
        self.mean_square = mean_square;
        lane.iter_mut().for_each(|level| *level = level.max(0.0).sqrt());
        lane
    }

    fn tick(&mut self, settings: &CompressorSettings) {
        let times = [settings.attack_ms, settings.release_ms];
        if self.told_times != times {
            self.told_times = times;
            let part = |ms: f32| approach_in_loop(ms.max(0.01) * 0.001 * self.rate);
            self.attack = part(settings.attack_ms);
            self.release = part(settings.release_ms);
            self.slow_release = part(settings.release_ms * AUTO_SLOW);
        }
        if let Some(filter) = &settings.detector_filter {
            self.filter.tick(filter);
        }
        self.mean_square = quiet(self.mean_square);
        self.follower = quiet(self.follower);
        self.slow = quiet(self.slow);
    }

    /// What follows the levels, or the decibels by which they are changed.
    fn follow(&mut self, wanted: &mut Lane, frames: usize, settings: &CompressorSettings) {
        let (mut follower, mut slow, attack, release) = (self.follower, self.slow, self.attack, self.release);
        let wanted = wanted.iter_mut().take(frames);
        match (settings.envelope, settings.auto_release) {
            (EnvelopeMode::Linear, _) => wanted.for_each(|value| {
                let part = if *value > follower { attack } else { release };
                follower += (*value - follower) * part;
                *value = follower;
            }),
            (EnvelopeMode::Logarithmic, false) => wanted.for_each(|value| {
                let part = if value.abs() > follower.abs() { attack } else { release };
                follower += (*value - follower) * part;
                *value = follower;
            }),
            (EnvelopeMode::Logarithmic, true) => wanted.for_each(|value| {
                let part = if value.abs() > follower.abs() { attack } else { release };
                follower += (*value - follower) * part;
                let part = if value.abs() > slow.abs() { attack * 0.1 } else { self.slow_release };
                slow += (*value - slow) * part;
                *value = if slow.abs() > follower.abs() { slow } else { follower };
            }),
        }
        (self.follower, self.slow) = (follower, slow);
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        [self.mean_square, self.follower, self.slow].into_iter().chain(self.filter.memory())
    }
}

/// By how many decibels a level is changed.
struct Curve {
    threshold: f32,
    knee: f32,
    slope: f32,
}

impl Curve {
    fn new(settings: &CompressorSettings) -> Curve {
        let slope = match settings.model {
            CompressorModel::Expand => settings.expansion_ratio.max(1.0) - 1.0,
            _ => 1.0 / settings.ratio.max(1.0) - 1.0,
        };
        Curve { threshold: settings.threshold_db, knee: settings.knee_db.max(0.0), slope }
    }

    #[inline]
    fn change_db(&self, level_db: f32) -> f32 {
        let over = level_db - self.threshold;
        if 2.0 * over <= -self.knee {
            0.0
        } else if 2.0 * over < self.knee {
            let into = over + 0.5 * self.knee;
            self.slope * into * into / (2.0 * self.knee)
        } else {
            self.slope * over
        }
    }
}

fn makeup_db(settings: &CompressorSettings, curve: &Curve) -> f32 {
    let used = settings.makeup && settings.model != CompressorModel::Expand;
    if used { -0.5 * curve.change_db(0.0) } else { 0.0 }
}

//! Drum Buss: drive, crunch, attacks, a tuned low end.

use super::effect::EffectContext;
use crate::dsp::math::{approach_in_loop, db_of_gain, exp2, gain_of_db, tanh};
use crate::dsp::oversampler::Oversampler;
use crate::dsp::phase::Phase;
use crate::dsp::ramp::Ramp;
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::{Bus, quiet};
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrumDrive {
    #[default]
    Soft,
    Medium,
    Hard,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrumBussSettings {
    /// A fixed compressor in front.
    pub compressor: bool,
    pub trim_db: f32,
    /// 0 to 1.
    pub drive: f32,
    pub drive_type: DrumDrive,
    /// A bend of what lies above 1 kHz, 0 to 1.
    pub crunch: f32,
    /// What lies above is taken away.
    pub damping_hz: f32,
    /// -1 to 1: attacks quieter and tails shorter, or attacks louder and tails longer.
    pub transients: f32,
    /// A tone that lows set off: 30 to 90 Hz; how much, and how long: 0 to 1.
    pub boom_hz: f32,
    pub boom: f32,
    pub boom_decay: f32,
    pub output_db: f32,
    pub mix: f32,
}

impl Default for DrumBussSettings {
    fn default() -> DrumBussSettings {
        DrumBussSettings {
            compressor: false,
            trim_db: 0.0,
            drive: 0.2,
            drive_type: DrumDrive::Soft,
            crunch: 0.0,
            damping_hz: 9_200.0,
            transients: 0.0,
            boom_hz: 50.0,
            boom: 0.0,
            boom_decay: 1.0,
            output_db: 0.0,
            mix: 1.0,
        }
    }
}

const DRIVE_DB: f32 = 24.0;
const CRUNCH_HZ: f32 = 1_000.0;
const TRANSIENTS_DB: f32 = 12.0;

pub struct DrumBuss {
    oversamplers: [Oversampler; 2],
    crunch_filter: SmoothFilter,
    damping: SmoothFilter,
    boom_filter: SmoothFilter,
    reduction: f32,
    fast: f32,
    slow: f32,
    boom_level: f32,
    boom_phase: Phase,
    trim: Ramp,
    drive: Ramp,
    crunch: Ramp,
    boom: Ramp,
    output: Ramp,
    mix: Ramp,
    rate: f32,
}

impl DrumBuss {
    pub fn new(rate: f32) -> DrumBuss {
        let ramp = |value| Ramp::new(value, 0.005, rate);
        let filter = || SmoothFilter::new(rate);
        DrumBuss {
            oversamplers: [Oversampler::default(); 2],
            crunch_filter: filter(),
            damping: filter(),
            boom_filter: filter(),
            reduction: 0.0,
            fast: 0.0,
            slow: 0.0,
            boom_level: 0.0,
            boom_phase: Phase(0),
            trim: ramp(1.0),
            drive: ramp(0.2),
            crunch: ramp(0.0),
            boom: ramp(0.0),
            output: ramp(1.0),
            mix: ramp(1.0),
            rate,
        }
    }

    /// How long the boom may ring on by itself.
    pub fn memory_frames(&self) -> u64 {
        (4.0 * self.rate) as u64
    }

    pub fn process(&mut self, settings: &DrumBussSettings, context: &EffectContext, bus: &mut Bus) {
        let span = &context.span;
        if span.is_tick() {
            self.tick(settings);
        }
        let aims = [
            (&mut self.trim, gain_of_db(settings.trim_db)),
            (&mut self.drive, settings.drive.clamp(0.0, 1.0)),
            (&mut self.crunch, settings.crunch.clamp(0.0, 1.0)),
            (&mut self.boom, settings.boom.clamp(0.0, 1.0)),
            (&mut self.output, gain_of_db(settings.output_db)),
            (&mut self.mix, settings.mix),
        ];
        aims.into_iter().for_each(|(ramp, value)| ramp.go(value));
        let dry = *bus;
        self.press(settings, context, bus);
        self.bend(settings, context, bus);
        self.damping.process(span, bus);
        self.shape(settings, context, bus);
        self.add_boom(settings, context, (&dry, bus));
        for ((left, right), (l, r)) in bus.frames_mut(span.frames).zip(dry.left.into_iter().zip(dry.right)) {
            let (output, mix) = (self.output.next_value(), self.mix.next_value());
            *left = l + (*left * output - l) * mix;
            *right = r + (*right * output - r) * mix;
        }
    }

    /// Trim and the fixed compressor: 4:1 from -18 dB on, 2 ms and 60 ms.
    fn press(&mut self, settings: &DrumBussSettings, context: &EffectContext, bus: &mut Bus) {
        let part = |ms: f32| approach_in_loop(ms * 0.001 * self.rate);
        let (attack, release) = (part(2.0), part(60.0));
        for (left, right) in bus.frames_mut(context.span.frames) {
            let trim = self.trim.next_value();
            (*left, *right) = (*left * trim, *right * trim);
            if settings.compressor || self.reduction > 1e-3 {
                let level = db_of_gain(left.abs().max(right.abs()));
                let wanted = if settings.compressor { (0.75 * (level + 18.0)).max(0.0) } else { 0.0 };
                self.reduction += (wanted - self.reduction) * if wanted > self.reduction { attack } else { release };
                // Half of what full level loses is given back.
                let gain = gain_of_db(if settings.compressor { 6.0 } else { 0.0 } - self.reduction);
                (*left, *right) = (*left * gain, *right * gain);
            }
        }
    }

    fn bend(&mut self, settings: &DrumBussSettings, context: &EffectContext, bus: &mut Bus) {
        let mut high = *bus;
        self.crunch_filter.process(&context.span, &mut high);
        let [left_sampler, right_sampler] = &mut self.oversamplers;
        let lanes = bus.left.iter_mut().zip(&mut bus.right).zip(high.left.iter().zip(&high.right));
        for ((left, right), (high_left, high_right)) in lanes.take(context.span.frames) {
            let (drive, crunch) = (self.drive.next_value(), self.crunch.next_value());
            let gain = gain_of_db(DRIVE_DB * drive);
            let back = exp2(-2.2 * drive);
            let side = |value: &mut f32, high: f32, sampler: &mut Oversampler| {
                let crunched = *value + (tanh(8.0 * high) * 0.35 - high * 0.5) * crunch;
                *value = sampler.process(crunched, |x| {
                    let bent = match settings.drive_type {
                        DrumDrive::Soft => tanh(x * gain),
                        DrumDrive::Medium => (x * gain) / (1.0 + (x * gain) * (x * gain)).sqrt(),
                        DrumDrive::Hard => (x * gain * 1.5).clamp(-1.0, 1.0),
                    };
                    x + (bent * back - x) * drive.min(0.25) * 4.0
                });
            };
            side(left, *high_left, left_sampler);
            side(right, *high_right, right_sampler);
        }
    }

    /// Attacks are where a fast follower is above a slow one.
    fn shape(&mut self, settings: &DrumBussSettings, context: &EffectContext, bus: &mut Bus) {
        if settings.transients == 0.0 && self.fast == 0.0 {
            return;
        }
        let part = |ms: f32| approach_in_loop(ms * 0.001 * self.rate);
        let (rise, fall, slow_rise, slow_fall) = (part(1.0), part(60.0), part(25.0), part(180.0));
        for (left, right) in bus.frames_mut(context.span.frames) {
            let peak = left.abs().max(right.abs());
            self.fast += (peak - self.fast) * if peak > self.fast { rise } else { fall };
            self.slow += (peak - self.slow) * if peak > self.slow { slow_rise } else { slow_fall };
            let ratio = (self.fast + 1e-5) / (self.slow + 1e-5);
            let attack = (db_of_gain(ratio) / 6.0).clamp(-1.0, 1.0);
            let tail = if attack < 0.0 && settings.transients > 0.0 { -0.5 * attack } else { attack };
            let gain =
                gain_of_db(TRANSIENTS_DB * settings.transients * tail.abs() * if tail < 0.0 { -1.0 } else { 1.0 });
            (*left, *right) = (*left * gain, *right * gain);
        }
    }

    fn add_boom(&mut self, settings: &DrumBussSettings, context: &EffectContext, (dry, bus): (&Bus, &mut Bus)) {
        let mut low = *dry;
        self.boom_filter.process(&context.span, &mut low);
        let rise = approach_in_loop(0.004 * self.rate);
        let seconds = 0.08 + 0.9 * settings.boom_decay.clamp(0.0, 1.0);
        let fall = approach_in_loop(seconds * self.rate / 4.0);
        let step = Phase::of((settings.boom_hz.clamp(20.0, 200.0) / self.rate).min(0.4));
        for ((left, right), (l, r)) in bus.frames_mut(context.span.frames).zip(low.left.into_iter().zip(low.right)) {
            let level = (0.5 * (l + r)).abs();
            self.boom_level += (level - self.boom_level) * if level > self.boom_level { rise } else { fall };
            self.boom_phase = self.boom_phase.plus(step);
            let tone = self.boom_phase.sine() * self.boom_level * 1.6 * self.boom.next_value();
            (*left, *right) = (*left + tone, *right + tone);
        }
    }

    fn tick(&mut self, settings: &DrumBussSettings) {
        self.oversamplers.iter_mut().for_each(Oversampler::settle);
        for value in [&mut self.reduction, &mut self.fast, &mut self.slow, &mut self.boom_level] {
            *value = quiet(*value);
        }
        let filters = [
            (&mut self.crunch_filter, Response::Highpass, CRUNCH_HZ),
            (&mut self.damping, Response::Lowpass, settings.damping_hz.clamp(500.0, 20_000.0)),
            (&mut self.boom_filter, Response::Lowpass, 90.0),
        ];
        for (filter, response, hz) in filters {
            filter.tick(&FilterSettings { response, hz, q: 0.707 });
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let filters = [&self.crunch_filter, &self.damping, &self.boom_filter];
        let samplers = self.oversamplers.iter().flat_map(Oversampler::memory);
        let levels = [self.reduction, self.fast, self.slow, self.boom_level];
        filters.into_iter().flat_map(SmoothFilter::memory).chain(samplers).chain(levels)
    }
}

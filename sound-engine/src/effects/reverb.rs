//! The reverb: early reflections, four diffusers, a feedback network.

use super::effect::EffectContext;
use crate::dsp::delay_line::DelayLine;
use crate::dsp::diffuser::Diffuser;
use crate::dsp::feedback_network::{FeedbackNetwork, Ringing};
use crate::dsp::math::{exp2, gain_of_db};
use crate::dsp::ramp::{Glide, Ramp};
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::Bus;
use crate::dsp::svf::Response;

#[derive(Clone, Debug, PartialEq)]
pub struct ReverbSettings {
    pub predelay_ms: f32,
    /// To 60 dB below.
    pub decay_s: f32,
    /// Of the room, 0.05 to 2; 1 is a hall.
    pub size: f32,
    /// How much hits are smeared, 0 to 1.
    pub diffusion: f32,
    pub low_cut_hz: Option<f32>,
    pub high_cut_hz: Option<f32>,
    /// What is above it rings shorter, by a factor for each round.
    pub high_shelf: Option<(f32, f32)>,
    pub low_shelf: Option<(f32, f32)>,
    pub chorus_hz: f32,
    /// How far delays wander, 0 to 4.
    pub chorus_amount: f32,
    /// 0 mono, 1 wide.
    pub stereo: f32,
    pub reflect_db: f32,
    pub diffuse_db: f32,
    /// What rings, rings for ever, and nothing new comes in.
    pub freeze: bool,
    /// 0 to 1.
    pub mix: f32,
}

impl Default for ReverbSettings {
    fn default() -> ReverbSettings {
        ReverbSettings {
            predelay_ms: 2.5,
            decay_s: 1.2,
            size: 1.0,
            diffusion: 0.6,
            low_cut_hz: None,
            high_cut_hz: Some(6_300.0),
            high_shelf: Some((4_500.0, 0.7)),
            low_shelf: None,
            chorus_hz: 0.02,
            chorus_amount: 0.02,
            stereo: 1.0,
            reflect_db: 0.0,
            diffuse_db: 0.0,
            freeze: false,
            mix: 0.55,
        }
    }
}

/// Early reflections: milliseconds at size 1, level.
const EARLY_LEFT: [(f32, f32); 5] = [(7.1, 0.71), (13.7, -0.52), (19.3, 0.41), (27.9, 0.33), (41.3, -0.22)];
const EARLY_RIGHT: [(f32, f32); 5] = [(8.9, 0.69), (12.1, 0.50), (21.7, -0.43), (30.1, 0.31), (38.7, 0.23)];
const DIFFUSERS_MS: [f32; 4] = [4.77, 3.59, 12.73, 9.31];
/// Level of what rings beside the dry sound; with noise at 1.2 s it lies 3 dB below.
const DIFFUSE_LEVEL: f32 = 0.20;
const EARLY_LEVEL: f32 = 0.5;
const LONGEST_PREDELAY: f32 = 0.25;

pub struct Reverb {
    predelay: [DelayLine; 2],
    predelay_frames: Glide,
    diffusers: [[Diffuser; 4]; 2],
    network: FeedbackNetwork,
    cuts: [SmoothFilter; 2],
    input: Ramp,
    early: Ramp,
    late: Ramp,
    mix: Ramp,
    width: Ramp,
    ringing: Ringing,
    fresh: bool,
    rate: f32,
}

impl Reverb {
    pub fn new(rate: f32) -> Reverb {
        let line = || DelayLine::new(((LONGEST_PREDELAY + 0.1) * rate) as usize);
        let diffusers = |offset: usize| DIFFUSERS_MS.map(|ms| Diffuser::new((ms * 0.001 * rate) as usize + offset));
        let ramp = |value| Ramp::new(value, 0.01, rate);
        Reverb {
            predelay: [line(), line()],
            predelay_frames: Glide::new(0.05, rate),
            diffusers: [diffusers(0), diffusers(23)],
            network: FeedbackNetwork::new(rate),
            cuts: [SmoothFilter::new(rate), SmoothFilter::new(rate)],
            input: ramp(1.0),
            early: ramp(0.0),
            late: ramp(0.0),
            mix: ramp(0.0),
            width: ramp(1.0),
            ringing: ringing(&ReverbSettings::default(), rate),
            fresh: true,
            rate,
        }
    }

    pub fn memory_frames(&self) -> u64 {
        (LONGEST_PREDELAY * self.rate) as u64 + self.network.longest() as u64
    }

    pub fn process(&mut self, settings: &ReverbSettings, context: &EffectContext, bus: &mut Bus) {
        let span = &context.span;
        if span.is_tick() {
            self.tick(settings);
        }
        self.aim(settings);
        let mut wet = *bus;
        for filter in &mut self.cuts {
            filter.process(span, &mut wet);
        }
        let (smear, ringing) = (0.25 + 0.5 * settings.diffusion.clamp(0.0, 1.0), self.ringing);
        let (frames, ms) = (self.predelay_frames.value(), 0.001 * self.rate * settings.size.clamp(0.05, 1.5));
        let taps = |taps: [(f32, f32); 5]| taps.map(|(at, level)| ((frames + at * ms) as usize, level));
        let (early_left, early_right) = (taps(EARLY_LEFT), taps(EARLY_RIGHT));
        for at in 0..span.frames {
            let (Some(wet_left), Some(wet_right)) = (wet.left.get(at), wet.right.get(at)) else { break };
            let input = self.input.next_value();
            let [before_left, before_right] = &mut self.predelay;
            before_left.write(wet_left * input);
            before_right.write(wet_right * input);
            let (mut left, mut right) = (before_left.read_between(frames), before_right.read_between(frames));
            let taps = |line: &DelayLine, taps: &[(usize, f32)]| -> f32 {
                taps.iter().map(|(at, level)| level * line.read(*at)).sum()
            };
            let early = (taps(before_left, &early_left), taps(before_right, &early_right));
            let [smear_left, smear_right] = &mut self.diffusers;
            for (a, b) in smear_left.iter_mut().zip(smear_right.iter_mut()) {
                left = a.process(left, smear);
                right = b.process(right, smear);
            }
            let late = self.network.process(&ringing, left, right);
            let (early_gain, late_gain) = (self.early.next_value(), self.late.next_value());
            let (left, right) = (early.0 * early_gain + late.0 * late_gain, early.1 * early_gain + late.1 * late_gain);
            let (middle, side) = (0.5 * (left + right), 0.5 * (left - right) * self.width.next_value());
            let mix = self.mix.next_value();
            if let (Some(out_left), Some(out_right)) = (bus.left.get_mut(at), bus.right.get_mut(at)) {
                *out_left += (middle + side - *out_left) * mix;
                *out_right += (middle - side - *out_right) * mix;
            }
        }
    }

    fn aim(&mut self, settings: &ReverbSettings) {
        let aims = [
            (&mut self.input, if settings.freeze { 0.0 } else { 1.0 }),
            (&mut self.early, EARLY_LEVEL * gain_of_db(settings.reflect_db)),
            (&mut self.late, DIFFUSE_LEVEL * gain_of_db(settings.diffuse_db)),
            (&mut self.mix, settings.mix),
            (&mut self.width, settings.stereo),
        ];
        for (ramp, value) in aims {
            if self.fresh { ramp.jump(value) } else { ramp.go(value) }
        }
        self.fresh = false;
    }

    fn tick(&mut self, settings: &ReverbSettings) {
        let predelay = settings.predelay_ms.clamp(0.1, 1000.0 * LONGEST_PREDELAY) * 0.001 * self.rate;
        self.predelay_frames.step(predelay.max(2.0));
        let cut = |hz: Option<f32>, response: Response, idle: f32| match hz {
            Some(hz) => FilterSettings { response, hz, q: 0.707 },
            None => FilterSettings { response: Response::Through, hz: idle, q: 0.707 },
        };
        let [low, high] = &mut self.cuts;
        low.tick(&cut(settings.low_cut_hz, Response::Highpass, 100.0));
        high.tick(&cut(settings.high_cut_hz, Response::Lowpass, 6000.0));
        self.ringing = ringing(settings, self.rate);
        self.network.tick(&self.ringing);
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let lines = self.predelay.iter().flat_map(|line| line.memory().iter().copied());
        let diffusers = self.diffusers.iter().flatten().flat_map(|diffuser| diffuser.memory().iter().copied());
        lines.chain(diffusers).chain(self.network.memory()).chain(self.cuts.iter().flat_map(SmoothFilter::memory))
    }
}

fn ringing(settings: &ReverbSettings, rate: f32) -> Ringing {
    // Shelf gains belong to a round of about 50 ms at size 1, whatever the size is.
    let shelf = |shelf: Option<(f32, f32)>, idle: f32| match shelf {
        Some((hz, gain)) if !settings.freeze => {
            let rounds = settings.size.clamp(0.05, 2.0);
            (hz / rate, exp2(crate::dsp::math::log2(gain.clamp(0.05, 1.0)) * rounds))
        }
        _ => (idle / rate, 1.0),
    };
    let (high_frequency, high_gain) = shelf(settings.high_shelf, 4500.0);
    let (low_frequency, low_gain) = shelf(settings.low_shelf, 90.0);
    Ringing {
        decay: if settings.freeze { 0.0 } else { settings.decay_s },
        size: settings.size,
        high_gain,
        high_frequency,
        low_gain,
        low_frequency,
        wander: settings.chorus_amount * 4.0,
        wander_rate: settings.chorus_hz,
    }
}

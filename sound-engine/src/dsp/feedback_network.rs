//! The late part of a room: eight delays that feed each other through a matrix that loses nothing, so that how long it
//! rings is set by one gain for each.

use super::delay_line::DelayLine;
use super::four::{Four, ZEROS, without_quiet};
use super::math::{exp2, sin_turns};
use super::span::{QUIET, TICK};

const LINES: usize = 8;
/// Milliseconds at size 1. No two have a common divisor in samples, so that echoes do not fall together.
const LENGTHS_MS: [f32; LINES] = [29.71, 37.11, 41.17, 47.93, 53.17, 59.33, 67.01, 73.37];
const LARGEST_SIZE: f32 = 2.0;
/// log2(1000): 60 dB.
const LOG2_OF_60_DB: f32 = 9.965_784;
const EIGHTH_ROOT: f32 = 0.353_553_4;

/// How a room rings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ringing {
    /// To 60 dB below, seconds; 0 and less: for ever.
    pub decay: f32,
    /// Of the lines' lengths, 0.05 to 2.
    pub size: f32,
    /// How much shorter what lies above `high_frequency` rings: a factor for each round, 0 to 1.
    pub high_gain: f32,
    /// A part of the sample rate.
    pub high_frequency: f32,
    pub low_gain: f32,
    pub low_frequency: f32,
    /// How far the lines' lengths wander, samples, and how fast, turns a second.
    pub wander: f32,
    pub wander_rate: f32,
}

/// Lines that are worked side by side.
const FOURS: usize = LINES / 4;

#[derive(Clone, Debug)]
pub struct FeedbackNetwork {
    lines: [DelayLine; LINES],
    /// Where each is read: whole frames, and the rest.
    whole: [usize; LINES],
    between: [Four; FOURS],
    gains: [Four; FOURS],
    high: [Four; FOURS],
    low: [Four; FOURS],
    size: f32,
    turn: f32,
    high_part: f32,
    low_part: f32,
    rate: f32,
    /// Of which size and decay the gains are.
    told: Option<(f32, f32)>,
}

impl FeedbackNetwork {
    pub fn new(rate: f32) -> FeedbackNetwork {
        FeedbackNetwork {
            lines: LENGTHS_MS.map(|ms| DelayLine::new((ms * 0.001 * rate * LARGEST_SIZE) as usize + 64)),
            whole: [2; LINES],
            between: [ZEROS; FOURS],
            gains: [ZEROS; FOURS],
            high: [ZEROS; FOURS],
            low: [ZEROS; FOURS],
            size: 0.0,
            turn: 0.0,
            high_part: 1.0,
            low_part: 0.0,
            rate,
            told: None,
        }
    }

    /// Frames of its longest line.
    pub fn longest(&self) -> usize {
        self.lines.iter().map(DelayLine::longest).max().unwrap_or_default()
    }

    /// Once a tick.
    pub fn tick(&mut self, ringing: &Ringing) {
        let size = ringing.size.clamp(0.05, LARGEST_SIZE);
        // A tenth of a second until the room has another size.
        self.size =
            if self.size == 0.0 { size } else { self.size + (size - self.size) * (TICK as f32 / (0.1 * self.rate)) };
        self.turn += ringing.wander_rate * TICK as f32 / self.rate;
        self.turn -= super::math::floor(self.turn);
        let (mut between, mut gains) = ([0.0; LINES], [1.0; LINES]);
        let places = self.whole.iter_mut().zip(&mut between);
        for (at, ((line, ms), (whole, between))) in self.lines.iter().zip(LENGTHS_MS).zip(places).enumerate() {
            let sway = ringing.wander * (1.0 + sin_turns(self.turn + at as f32 * 0.125));
            (*whole, *between) = line.place((straight(ms, self.rate, self.size) + sway).max(8.0));
        }
        self.between = fours(&between);
        let told = Some((self.size, ringing.decay));
        if self.told != told {
            self.told = told;
            for (gain, ms) in gains.iter_mut().zip(LENGTHS_MS).filter(|_| ringing.decay > 0.0) {
                let seconds = straight(ms, self.rate, self.size) / self.rate;
                *gain = exp2(-LOG2_OF_60_DB * seconds / ringing.decay);
            }
            self.gains = fours(&gains);
        }
        for memory in self.high.iter_mut().chain(&mut self.low) {
            *memory = without_quiet(*memory, QUIET);
        }
        let part = |frequency: f32| 1.0 - exp2(-9.064_72 * frequency.clamp(1e-5, 0.45));
        self.high_part = part(ringing.high_frequency);
        self.low_part = part(ringing.low_frequency);
    }

    #[inline]
    pub fn process(&mut self, ringing: &Ringing, left: f32, right: f32) -> (f32, f32) {
        let mut values = [0.0f32; LINES];
        let (lines, whole) = (self.lines.as_chunks::<4>().0, self.whole.as_chunks::<4>().0);
        let read = lines.iter().zip(whole).zip(&self.between).zip(&self.gains);
        let memories = self.high.iter_mut().zip(&mut self.low);
        let places = values.as_chunks_mut::<4>().0.iter_mut();
        for (((((lines, whole), t), gain), (high, low)), values) in read.zip(memories).zip(places) {
            let ([a, b, c, d], [at_a, at_b, at_c, at_d]) = (lines, *whole);
            let around = [a.four_around(at_a), b.four_around(at_b), c.four_around(at_c), d.four_around(at_d)];
            let past = between(Four::transpose(around.map(Four::new)), *t) * *gain;
            // What is above and below the middle is lost by its own gain each round.
            *high += (past - *high) * Four::splat(self.high_part);
            let shelved = *high + (past - *high) * Four::splat(ringing.high_gain);
            *low += (shelved - *low) * Four::splat(self.low_part);
            *values = (shelved - *low * Four::splat(1.0 - ringing.low_gain)).to_array();
        }
        let out = (values[0] + values[2] + values[4] + values[6], values[1] + values[3] + values[5] + values[7]);
        hadamard(&mut values);
        for (at, (value, line)) in values.iter().zip(self.lines.iter_mut()).enumerate() {
            let input = if at % 2 == 0 { left } else { right };
            let sign = if at % 4 < 2 { 1.0 } else { -1.0 };
            line.write(value * EIGHTH_ROOT + input * sign);
        }
        out
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let filters = self.high.iter().chain(&self.low).flat_map(|four| four.to_array());
        self.lines.iter().flat_map(|line| line.memory().iter().copied()).chain(filters)
    }
}

/// Frames of a line that does not wander.
fn straight(ms: f32, rate: f32, size: f32) -> f32 {
    ms * 0.001 * rate * size
}

fn fours(values: &[f32; LINES]) -> [Four; FOURS] {
    let mut fours = [ZEROS; FOURS];
    fours.iter_mut().zip(values.as_chunks::<4>().0).for_each(|(four, values)| *four = Four::new(*values));
    fours
}

/// As [`DelayLine::read_between`], of four lines.
#[inline(always)]
fn between([y3, y2, y1, y0]: [Four; 4], t: Four) -> Four {
    let (half, two) = (Four::splat(0.5), Four::splat(2.0));
    let c1 = half * (y2 - y0);
    let c2 = y0 - Four::splat(2.5) * y1 + two * y2 - half * y3;
    let c3 = half * (y3 - y0) + Four::splat(1.5) * (y1 - y2);
    y1 + t * (c1 + t * (c2 + t * c3))
}

#[inline]
fn hadamard(values: &mut [f32; LINES]) {
    let [a, b, c, d, e, f, g, h] = *values;
    let (a, b, c, d) = (a + b, a - b, c + d, c - d);
    let (e, f, g, h) = (e + f, e - f, g + h, g - h);
    let (a, b, c, d) = (a + c, b + d, a - c, b - d);
    let (e, f, g, h) = (e + g, f + h, e - g, f - h);
    *values = [a + e, b + f, c + g, d + h, a - e, b - f, c - g, d - h];
}

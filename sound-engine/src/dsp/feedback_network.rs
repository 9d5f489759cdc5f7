//! The late part of a room: eight delays that feed each other through a matrix that loses nothing, so that how long it
//! rings is set by one gain for each.

use super::delay_line::DelayLine;
use super::math::{exp2, sin_turns};
use super::span::{TICK, quiet};

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

#[derive(Clone, Debug)]
struct Line {
    past: DelayLine,
    length: f32,
    gain: f32,
    high: f32,
    low: f32,
}

#[derive(Clone, Debug)]
pub struct FeedbackNetwork {
    lines: [Line; LINES],
    size: f32,
    turn: f32,
    high_part: f32,
    low_part: f32,
    rate: f32,
}

impl FeedbackNetwork {
    pub fn new(rate: f32) -> FeedbackNetwork {
        let line = |ms: f32| Line {
            past: DelayLine::new((ms * 0.001 * rate * LARGEST_SIZE) as usize + 64),
            length: ms * 0.001 * rate,
            gain: 0.0,
            high: 0.0,
            low: 0.0,
        };
        FeedbackNetwork { lines: LENGTHS_MS.map(line), size: 0.0, turn: 0.0, high_part: 1.0, low_part: 0.0, rate }
    }

    /// Frames of its longest line.
    pub fn longest(&self) -> usize {
        self.lines.iter().map(|line| line.past.longest()).max().unwrap_or_default()
    }

    /// Once a tick.
    pub fn tick(&mut self, ringing: &Ringing) {
        let size = ringing.size.clamp(0.05, LARGEST_SIZE);
        // A tenth of a second until the room has another size.
        self.size =
            if self.size == 0.0 { size } else { self.size + (size - self.size) * (TICK as f32 / (0.1 * self.rate)) };
        self.turn += ringing.wander_rate * TICK as f32 / self.rate;
        self.turn -= super::math::floor(self.turn);
        for (at, (line, ms)) in self.lines.iter_mut().zip(LENGTHS_MS).enumerate() {
            let straight = ms * 0.001 * self.rate * self.size;
            let sway = ringing.wander * (1.0 + sin_turns(self.turn + at as f32 * 0.125));
            line.length = (straight + sway).max(8.0);
            let seconds = straight / self.rate;
            line.gain = if ringing.decay > 0.0 { exp2(-LOG2_OF_60_DB * seconds / ringing.decay) } else { 1.0 };
            line.high = quiet(line.high);
            line.low = quiet(line.low);
        }
        let part = |frequency: f32| 1.0 - exp2(-9.064_72 * frequency.clamp(1e-5, 0.45));
        self.high_part = part(ringing.high_frequency);
        self.low_part = part(ringing.low_frequency);
    }

    #[inline]
    pub fn process(&mut self, ringing: &Ringing, left: f32, right: f32) -> (f32, f32) {
        let mut values = [0.0f32; LINES];
        for (value, line) in values.iter_mut().zip(self.lines.iter_mut()) {
            let past = line.past.read_between(line.length) * line.gain;
            // What is above and below the middle is lost by its own gain each round.
            line.high += (past - line.high) * self.high_part;
            let shelved = line.high + (past - line.high) * ringing.high_gain;
            line.low += (shelved - line.low) * self.low_part;
            *value = shelved - line.low * (1.0 - ringing.low_gain);
        }
        let out = (values[0] + values[2] + values[4] + values[6], values[1] + values[3] + values[5] + values[7]);
        hadamard(&mut values);
        for (at, (value, line)) in values.iter().zip(self.lines.iter_mut()).enumerate() {
            let input = if at % 2 == 0 { left } else { right };
            let sign = if at % 4 < 2 { 1.0 } else { -1.0 };
            line.past.write(value * EIGHTH_ROOT + input * sign);
        }
        out
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        self.lines.iter().flat_map(|line| line.past.memory().iter().copied().chain([line.high, line.low]))
    }
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

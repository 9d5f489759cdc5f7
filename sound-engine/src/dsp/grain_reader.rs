//! A sample at another tempo with its pitch kept: two grains at a time, each laid where it continues the one before
//! (WSOLA). It is driven by position: whoever plays says which frame of the sample is heard now, so that seeking and
//! looping cost nothing and nothing runs ahead.

use super::math::cos_turns;
use super::sinc_reader::SincReader;
use crate::sample::Sample;

/// How grains are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grains {
    /// Frames from one grain to the next.
    pub hop: u32,
    /// How far a grain may be laid from where it belongs, frames of the sample.
    pub search: i64,
}

/// Frames of the first grain after a jump, which has to be heard at once.
const JUMP_HOP: u32 = 128;
/// Turns that readers take, and the frames between two of them.
const TURNS: u64 = 8;
const TURN_FRAMES: u32 = 64;
/// What is compared: so many points, so many frames apart.
const POINTS: i64 = 64;
const POINT_STEP: i64 = 4;
const CANDIDATE_STEP: i64 = 4;
/// Nothing is searched further away.
const MOST_SEARCH: i64 = 960;
const AROUND: usize = (2 * (MOST_SEARCH + CANDIDATE_STEP) + POINTS * POINT_STEP) as usize;

#[derive(Clone, Copy, Debug)]
pub struct GrainReader {
    /// Where the grain that goes and the one that comes are read, frames of the sample.
    going: f64,
    coming: f64,
    at: u32,
    hop: u32,
    fresh: bool,
}

impl GrainReader {
    /// Begins at once with the frame that is asked for first.
    pub fn new() -> GrainReader {
        GrainReader::with_turn(0)
    }

    /// As [`GrainReader::new`]. Readers of another turn search at other frames: where many begin at once, they would
    /// all search in the same block.
    pub fn with_turn(turn: u64) -> GrainReader {
        let hop = JUMP_HOP + (turn % TURNS) as u32 * TURN_FRAMES;
        GrainReader { going: 0.0, coming: 0.0, at: 0, hop, fresh: true }
    }

    /// The next frame played: that of the sample at `position`, read at `speed` frames of the sample for each. Grains
    /// lie before and behind the position: each has an edge of its own, of `edge` frames, where the sample ends.
    #[inline]
    pub fn next(
        &mut self,
        sample: &Sample,
        grains: &Grains,
        position: f64,
        speed: f64,
        (reader, edge): (&SincReader, f32),
    ) -> (f32, f32) {
        let edge = f64::from(edge) * speed;
        if self.fresh {
            (self.fresh, self.coming, self.going, self.at) = (false, position, position, 0);
        } else if self.at >= self.hop {
            self.at = 0;
            self.hop = grains.hop.max(16);
            self.going = self.coming;
            self.coming = best_continuation(sample, self.going, position, grains.search);
        }
        let weight = 0.5 - 0.5 * cos_turns(0.5 * self.at as f32 / self.hop as f32);
        let (left, right) = reader.read_to_end(sample, self.coming, edge);
        let out = if self.going == self.coming {
            (left, right)
        } else {
            let (old_left, old_right) = reader.read_to_end(sample, self.going, edge);
            (old_left + (left - old_left) * weight, old_right + (right - old_right) * weight)
        };
        self.going += speed;
        self.coming += speed;
        self.at += 1;
        out
    }
}

impl Default for GrainReader {
    fn default() -> GrainReader {
        GrainReader::new()
    }
}

/// The position around `wanted` at which the sample looks most as it does at `from`.
fn best_continuation(sample: &Sample, from: f64, wanted: f64, search: i64) -> f64 {
    if (from - wanted).abs() < 0.75 {
        return from;
    }
    let (from_frame, wanted_frame) = (from as i64, wanted as i64);
    let search = search.clamp(CANDIDATE_STEP, MOST_SEARCH);
    let value = |index: i64| {
        let (left, right) = sample.frame(index);
        left + right
    };
    let mut template = [0.0f32; POINTS as usize];
    for (place, at) in template.iter_mut().zip(0..) {
        *place = value(from_frame + at * POINT_STEP);
    }
    // All that candidates look at, in a row: each is looked at many times.
    let mut around = [0.0f32; AROUND];
    let first = wanted_frame - search - CANDIDATE_STEP;
    let length = (2 * (search + CANDIDATE_STEP) + POINTS * POINT_STEP) as usize;
    for (place, index) in around.iter_mut().take(length).zip(first..) {
        *place = value(index);
    }
    let likeness = |candidate: i64| {
        let (mut product, mut energy) = (0.0f32, 1e-9f32);
        let place = around.get((candidate - first) as usize..).unwrap_or_default();
        for (wanted, there) in template.iter().zip(place.iter().step_by(POINT_STEP as usize)) {
            product += wanted * there;
            energy += there * there;
        }
        product / energy.sqrt()
    };
    let best_of = |candidates: &mut dyn Iterator<Item = i64>| {
        let mut best = (f32::NEG_INFINITY, 0);
        for offset in candidates {
            let score = likeness(wanted_frame + offset);
            if score > best.0 {
                best = (score, offset);
            }
        }
        best.1
    };
    let coarse = best_of(&mut (-search / CANDIDATE_STEP..=search / CANDIDATE_STEP).map(|step| step * CANDIDATE_STEP));
    let fine = best_of(&mut (coarse - CANDIDATE_STEP + 1..coarse + CANDIDATE_STEP));
    // The parts between frames are kept, so that a grain that fits fits wholly.
    (wanted_frame + fine) as f64 + (from - from_frame as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{fundamental_hz, largest_step, sine};

    const TONES: Grains = Grains { hop: 1024, search: 480 };

    fn stretched(hz: f32, tempo: f64) -> Vec<f32> {
        let sample = Sample::new(sine(hz, 48_000.0, 400_000).into(), 1, 48_000.0).expect("a sample");
        let (mut grains, reader) = (GrainReader::new(), SincReader::at_speed(1.0));
        let at = |n: u32| 1000.0 + f64::from(n) * tempo;
        (0..96_000).map(|n| grains.next(&sample, &TONES, at(n), 1.0, (&reader, 128.0)).0).collect()
    }

    #[test]
    fn pitch_stays_while_the_tempo_changes() {
        for tempo in [0.5, 0.8, 1.25, 2.0] {
            let signal = stretched(220.0, tempo);
            let cents = 1200.0 * (fundamental_hz(&signal, 48_000.0, 220.0) / 220.0).log2();
            assert!(cents.abs() < 3.0, "{cents:.2} cents at {tempo}");
            // No faster than the tone itself moves.
            assert!(largest_step(&signal) < 0.04, "{} at {tempo}", largest_step(&signal));
        }
    }

    #[test]
    fn at_its_own_tempo_nothing_changes() {
        let plain: Vec<f32> = sine(220.0, 48_000.0, 400_000);
        for (heard, there) in stretched(220.0, 1.0).iter().zip(plain.iter().skip(1000)) {
            assert!((heard - there).abs() < 1e-3);
        }
    }
}

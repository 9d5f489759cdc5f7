//! The stretch of frames that is made at once, and the stereo signal of that length.

use super::four::{Four, ZEROS, louder};
use wide::CmpGe;

/// Frames between two steps of control values, counted from the first frame that the engine ever made: so that results
/// do not depend on the host's block size. Also the longest span.
pub const TICK: usize = 16;

/// A number of a filter's or a delay's memory that is nearer to zero than this is set to zero. Left alone it would
/// become subnormal, and a subnormal number costs a processor a hundred times as much as another.
pub const QUIET: f32 = 1e-15;

/// At most [`TICK`] frames that lie between two ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The first frame's number, counted from the engine's first.
    pub start: u64,
    /// 1 to [`TICK`].
    pub frames: usize,
}

impl Span {
    /// Whether control values step at its first frame.
    pub fn is_tick(&self) -> bool {
        self.start.is_multiple_of(TICK as u64)
    }

    /// Whether it is the last before a tick.
    pub fn ends_tick(&self) -> bool {
        (self.start + self.frames as u64).is_multiple_of(TICK as u64)
    }
}

/// Room for a span of one channel.
pub type Lane = [f32; TICK];

/// Room for a span in stereo. Of a shorter span, the first frames count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bus {
    pub left: Lane,
    pub right: Lane,
}

impl Bus {
    pub const SILENT: Bus = Bus { left: [0.0; TICK], right: [0.0; TICK] };

    pub fn clear(&mut self) {
        *self = Bus::SILENT;
    }

    /// Adds another signal.
    pub fn add(&mut self, other: &Bus) {
        for (mine, theirs) in self.left.iter_mut().zip(&other.left) {
            *mine += theirs;
        }
        for (mine, theirs) in self.right.iter_mut().zip(&other.right) {
            *mine += theirs;
        }
    }

    /// Adds the first frames of another signal, each multiplied by its gain.
    pub fn add_scaled(&mut self, other: &Bus, gains: &Lane) {
        for ((mine, theirs), gain) in self.left.iter_mut().zip(&other.left).zip(gains) {
            *mine += theirs * gain;
        }
        for ((mine, theirs), gain) in self.right.iter_mut().zip(&other.right).zip(gains) {
            *mine += theirs * gain;
        }
    }

    /// The largest absolute value of the first frames, of both channels.
    pub fn peak(&self, frames: usize) -> f32 {
        let (left, right) = self.peaks(frames);
        left.max(right)
    }

    /// The largest absolute value of the first frames, of each channel.
    pub fn peaks(&self, frames: usize) -> (f32, f32) {
        (peak_of(&self.left, frames), peak_of(&self.right, frames))
    }

    /// Whether any of the first frames is as loud as a level, or louder. Mostly the first values tell.
    pub fn reaches(&self, level: f32, frames: usize) -> bool {
        let reaches = |lane: &Lane| {
            if frames < TICK {
                return lane.iter().take(frames).any(|value| value.abs() >= level);
            }
            lane.as_chunks::<4>().0.iter().any(|values| Four::new(*values).abs().cmp_ge(Four::splat(level)).any())
        };
        reaches(&self.left) || reaches(&self.right)
    }

    /// Whether it has no value but 0.
    pub fn is_silent(&self) -> bool {
        let sounds = |lane: &Lane| lane.iter().fold(0, |bits, value| bits | (value.to_bits() << 1)) != 0;
        !sounds(&self.left) && !sounds(&self.right)
    }

    /// Both channels' samples at each of the first frames.
    pub fn frames_mut(&mut self, frames: usize) -> impl Iterator<Item = (&mut f32, &mut f32)> {
        self.left.iter_mut().zip(self.right.iter_mut()).take(frames)
    }
}

/// The largest absolute value of the first frames. What is no number is passed over, so the order does not matter.
#[inline]
fn peak_of(lane: &Lane, frames: usize) -> f32 {
    if frames >= TICK {
        let peaks = lane.as_chunks::<4>().0.iter().fold(ZEROS, |peaks, values| louder(peaks, Four::new(*values)));
        return peaks.to_array().into_iter().fold(0.0, f32::max);
    }
    lane.iter().take(frames).fold(0.0f32, |peak, value| peak.max(value.abs()))
}

/// `value`, or zero where it is nearer to zero than [`QUIET`].
#[inline]
pub fn quiet(value: f32) -> f32 {
    if value.abs() < QUIET { 0.0 } else { value }
}

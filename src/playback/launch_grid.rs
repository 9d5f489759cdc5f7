//! Launch boundaries: the positions at which an order may take effect.

use super::NEVER;
use crate::music::Beats;
use crate::set::runtime::launch_orders::LaunchQuantum;

/// Finer grids than this are no grid: a launch then takes effect at once.
const FINEST_BEATS: Beats = 1e-3;
/// Rounding noise, as a part of the quantum.
const NOISE: f64 = 1e-9;

/// A quantum as one number, for a track's cell: beats as they are, bars negative.
pub(super) fn code(quantum: LaunchQuantum) -> f64 {
    match quantum {
        LaunchQuantum::None => 0.0,
        LaunchQuantum::Beats(beats) => beats.max(0.0),
        LaunchQuantum::Bars(bars) => -f64::from(bars),
    }
}

pub(super) fn from_code(code: f64) -> LaunchQuantum {
    if code < 0.0 {
        LaunchQuantum::Bars((-code) as u32)
    } else if code > 0.0 {
        LaunchQuantum::Beats(code)
    } else {
        LaunchQuantum::None
    }
}

/// The bars of the leading clock around one moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LaunchGrid {
    /// Above 0.
    pub bar_length: Beats,
    /// A known bar line.
    pub bar_start: Beats,
}

impl LaunchGrid {
    /// One boundary and the distance to the next; `None` where everything is a boundary.
    fn steps(self, quantum: LaunchQuantum) -> Option<(Beats, Beats)> {
        let (origin, step) = match quantum {
            LaunchQuantum::None => return None,
            LaunchQuantum::Beats(beats) => (0.0, beats),
            LaunchQuantum::Bars(bars) => {
                let bars = f64::from(bars);
                // Hosts give the bar's start but not its number; it is counted as if the meter never changed.
                let number = (self.bar_start / self.bar_length).round();
                (self.bar_start - number.rem_euclid(bars) * self.bar_length, bars * self.bar_length)
            }
        };
        (step.is_finite() && step >= FINEST_BEATS && origin.is_finite()).then_some((origin, step))
    }

    /// The first boundary at or after `from`; `None` where `from` itself is one.
    pub fn next(self, quantum: LaunchQuantum, from: Beats) -> Option<Beats> {
        self.steps(quantum).map(|(origin, step)| origin + ((from - origin) / step - NOISE).ceil() * step)
    }

    /// The last boundary at or before `at`, or up to `slack` behind it; `at` where everything is a boundary.
    pub fn last(self, quantum: LaunchQuantum, at: Beats, slack: Beats) -> Beats {
        match self.steps(quantum) {
            Some((origin, step)) => origin + ((at + slack - origin) / step + NOISE).floor() * step,
            None => at,
        }
    }

    /// The boundary nearest to `at`, or `at`.
    pub fn nearest(self, quantum: LaunchQuantum, at: Beats) -> Beats {
        match self.steps(quantum) {
            Some((origin, step)) => origin + ((at - origin) / step).round() * step,
            None => at,
        }
    }
}

/// Which beats a block covers, and which of its frames a beat falls on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BlockSpan {
    pub frames: u32,
    /// The beat at frame 0.
    pub begin: Beats,
    pub beats_per_frame: f64,
    pub seconds_per_beat: f64,
    /// Events from here ...
    pub since: Beats,
    /// ... to before here belong to this block.
    pub until: Beats,
    pub grid: LaunchGrid,
}

impl BlockSpan {
    /// Rounding to the nearest frame, written as a shift before rounding down. A shift of exactly one half would leave
    /// it to noise on which side a beat falls that lies exactly between two frames, as every sixteenth at 120 BPM and
    /// 44.1 kHz does.
    pub const SHIFT_FRAMES: f64 = 0.501;

    /// The frame of an event at `beat`, which is at or after `since`; [`NEVER`] if it is in a later block.
    pub fn frame(&self, beat: Beats) -> u32 {
        if beat < self.until {
            let frame = ((beat - self.begin) / self.beats_per_frame + Self::SHIFT_FRAMES).floor();
            // A cast saturates, and sends what is no number to 0.
            (frame as u32).min(self.frames.saturating_sub(1))
        } else {
            NEVER
        }
    }

    /// Where the events of `frame` begin.
    pub fn threshold(&self, frame: u32) -> Beats {
        self.begin + (f64::from(frame) - Self::SHIFT_FRAMES) * self.beats_per_frame
    }

    /// The beat at which the block ends.
    pub fn end(&self) -> Beats {
        self.begin + f64::from(self.frames) * self.beats_per_frame
    }

    /// Half a frame in beats: positions closer than this are the same.
    pub fn half_frame(&self) -> Beats {
        Self::SHIFT_FRAMES * self.beats_per_frame
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries() {
        let at_zero = LaunchGrid { bar_length: 4.0, bar_start: 0.0 };
        let odd = LaunchGrid { bar_length: 3.5, bar_start: 9.5 };
        let fourth = LaunchGrid { bar_length: 4.0, bar_start: 12.0 };
        // grid, quantum, position, next, last, nearest
        let table = [
            (at_zero, LaunchQuantum::Bars(1), 0.0, 0.0, 0.0, 0.0),
            (at_zero, LaunchQuantum::Bars(1), 0.1, 4.0, 0.0, 0.0),
            (at_zero, LaunchQuantum::Bars(1), 4.0 + 1e-10, 4.0, 4.0, 4.0),
            (at_zero, LaunchQuantum::Bars(1), 3.9, 4.0, 0.0, 4.0),
            (at_zero, LaunchQuantum::Bars(1), -0.5, 0.0, -4.0, 0.0),
            (at_zero, LaunchQuantum::Bars(2), 4.5, 8.0, 0.0, 8.0),
            (at_zero, LaunchQuantum::Beats(0.5), 4.3, 4.5, 4.0, 4.5),
            (odd, LaunchQuantum::Bars(1), 9.6, 13.0, 9.5, 9.5),
            (odd, LaunchQuantum::Beats(1.0), 9.6, 10.0, 9.0, 10.0),
            (fourth, LaunchQuantum::Bars(8), 12.5, 32.0, 0.0, 0.0),
        ];
        for (grid, quantum, at, next, last, nearest) in table {
            let found = (grid.next(quantum, at), grid.last(quantum, at, 0.0), grid.nearest(quantum, at));
            assert_eq!(found, (Some(next), last, nearest), "{quantum:?} at {at}");
        }
        for none in [
            LaunchQuantum::None,
            LaunchQuantum::Bars(0),
            LaunchQuantum::Beats(0.0),
            LaunchQuantum::Beats(-1.0),
            LaunchQuantum::Beats(f64::NAN),
        ] {
            assert_eq!((at_zero.next(none, 1.3), at_zero.last(none, 1.3, 0.1)), (None, 1.3), "{none:?}");
        }
    }

    #[test]
    fn codes_come_back() {
        for quantum in [
            LaunchQuantum::None,
            LaunchQuantum::Beats(0.25),
            LaunchQuantum::Beats(4.0),
            LaunchQuantum::Bars(1),
            LaunchQuantum::Bars(8),
        ] {
            assert_eq!(from_code(code(quantum)), quantum);
        }
    }
}

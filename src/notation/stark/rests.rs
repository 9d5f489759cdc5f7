//! How the time up to an onset is filled with rests, and how long a note may be before it.

use super::vocabulary::{LENGTHS, LONGEST, QUARTER, Ticks, ticks_in};
use crate::music::{Beats, SAME_POSITION_BEATS};

/// The shortest length.
const SHORTEST: Ticks = 4;
/// Rests below this are looked up; longer ones start with longest lengths.
const TABLE: usize = 2 * LONGEST as usize;

/// The time from the clock to an onset.
#[derive(Clone, Copy)]
pub(super) struct TicksToOnset {
    /// Whole ticks that fit.
    pub ticks: Ticks,
    /// The onset is a whole number of ticks away (to 0.001 beat).
    exact: bool,
}

impl TicksToOnset {
    pub fn between(clock: Ticks, onset: Beats) -> TicksToOnset {
        let gap = ticks_in(onset) - clock as f64;
        let nearest = gap.round();
        let exact = nearest >= 0.0 && (gap - nearest).abs() < ticks_in(SAME_POSITION_BEATS);
        // A float too large for the integer becomes the largest one.
        TicksToOnset { ticks: if exact { nearest } else { gap.floor().max(0.0) } as Ticks, exact }
    }
}

/// How each gap is filled with rests.
pub(super) struct Rests {
    /// By gap: the first rest of the spelling; 0 where there is none (and for no gap).
    first: [Ticks; TABLE],
}

impl Rests {
    pub fn new() -> Rests {
        let mut rests = Rests { first: [0; TABLE] };
        let mut fewest = [u32::MAX; TABLE];
        if let Some(none) = fewest.first_mut() {
            *none = 0;
        }
        for gap in 1..TABLE {
            // Longest first is the usual spelling; where that does not come out even, the one with the fewest rests.
            let mut best: Option<(bool, u32, Ticks)> = None;
            for (value, _) in LENGTHS {
                let left = gap.checked_sub(value as usize).and_then(|left| fewest.get(left)).copied();
                if let Some(left) = left.filter(|left| *left < u32::MAX) {
                    let usual = best.is_none() && longest_first_fills(gap as Ticks);
                    if best.is_none_or(|(fixed, count, _)| !fixed && left + 1 < count) {
                        best = Some((usual, left + 1, value));
                    }
                }
            }
            if let (Some((_, count, value)), Some(slot), Some(first)) =
                (best, fewest.get_mut(gap), rests.first.get_mut(gap))
            {
                (*slot, *first) = (count, value);
            }
        }
        rests
    }

    /// Whether a gap can be filled to its end.
    fn can_fill(&self, gap: Ticks) -> bool {
        gap == 0 || gap >= LONGEST || self.first(gap) != 0
    }

    fn first(&self, gap: Ticks) -> Ticks {
        usize::try_from(gap).ok().and_then(|gap| self.first.get(gap)).copied().unwrap_or(LONGEST)
    }

    /// Writes the rests of a gap, longest first where there is no exact spelling.
    pub fn fill(&self, gap: TicksToOnset, mut write: impl FnMut(Ticks, u64)) {
        let mut left = gap.ticks;
        let many = (left / LONGEST).saturating_sub(1);
        if many > 0 {
            write(LONGEST, many);
            left -= many * LONGEST;
        }
        while left > 0 {
            let exact = if gap.exact { self.first(left) } else { 0 };
            let Some(length) = Some(exact).filter(|first| *first > 0).or_else(|| longest_within(left)) else { return };
            write(length, 1);
            left -= length.min(left);
        }
    }

    /// The length that a note of this duration is written with. `room`: the way to the next onset.
    pub fn length(&self, duration: Beats, room: Option<TicksToOnset>) -> Ticks {
        let wanted = ticks_in(duration);
        let nearest = |fits: &dyn Fn(Ticks) -> bool| {
            // From the shortest on, so that it wins a tie.
            let lengths = LENGTHS.iter().rev().map(|(ticks, _)| *ticks).filter(|ticks| fits(*ticks));
            lengths.min_by(|a, b| {
                let off = |ticks: &Ticks| (*ticks as f64 - wanted).abs();
                off(a).total_cmp(&off(b))
            })
        };
        let Some(room) = room else { return nearest(&|_| true).unwrap_or(QUARTER) };
        let exact =
            nearest(&|length| room.exact && room.ticks.checked_sub(length).is_some_and(|left| self.can_fill(left)));
        exact.or_else(|| nearest(&|length| length <= room.ticks)).unwrap_or(SHORTEST)
    }
}

/// Whether longest-first rests fill a gap to its end.
fn longest_first_fills(gap: Ticks) -> bool {
    let mut left = gap;
    while let Some(length) = longest_within(left) {
        left -= length;
    }
    left == 0
}

fn longest_within(gap: Ticks) -> Option<Ticks> {
    LENGTHS.iter().map(|(ticks, _)| *ticks).find(|ticks| *ticks <= gap)
}

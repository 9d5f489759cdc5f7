//! Positions and ranges of them, before a line's colon and in `split`.

use super::code::Units;
use super::lexemes::{found_range, skip_blanks};
use super::problem::{Finding, Problem};
use crate::music::position::{self, BadPosition};
use crate::music::text::Cursor;
use crate::music::{Beats, Meter, pitch};

type ReadResult<T> = Result<T, Box<Finding>>;

/// A position in a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    bar: f64,
    beat: f64,
    offset: Beats,
}

impl Point {
    /// In musical beats from 1|1.
    pub fn to_musical(self, units: Units) -> f64 {
        (self.bar - 1.0) * units.beats_per_bar + self.beat - 1.0 + units.to_musical(self.offset)
    }
}

/// Which starts a line selects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Times {
    Point(Point),
    Range { from: Point, to: Point, to_excluded: bool },
}

impl Times {
    /// The bounds in musical beats, and whether the upper one is outside.
    pub fn bounds(self, units: Units) -> (f64, f64, bool) {
        match self {
            Times::Point(point) => (point.to_musical(units), point.to_musical(units), false),
            Times::Range { from, to, to_excluded } => (from.to_musical(units), to.to_musical(units), to_excluded),
        }
    }
}

/// A position without anything glued to it.
pub(super) fn point(cursor: &mut Cursor<'_>) -> Option<Point> {
    cursor.attempt(|c| {
        let bar = c.bar()?;
        let beat = c.decimal_from_one()?;
        let offset = c.offset().unwrap_or(0.0);
        let ends = !matches!(c.peek(), Some(b'/' | b'+' | b'.' | b'|' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z'));
        ends.then_some(Point { bar, beat, offset })
    })
}

/// `3|`, of `3|*`.
fn whole_bar(cursor: &mut Cursor<'_>) -> Option<f64> {
    cursor.attempt(|c| {
        let bar = c.bar()?;
        c.eat("*").then_some(bar)
    })
}

pub(super) fn times(cursor: &mut Cursor<'_>) -> ReadResult<Option<Times>> {
    let start = cursor.pos();
    let mut ahead = *cursor;
    let digits = ahead.digits();
    if ahead.peek() != Some(b'|') {
        skip_blanks(&mut ahead);
        let number = digits.parse::<u8>().ok().filter(|number| *number <= 127);
        if let (Some(number), true) = (number, ahead.peek() == Some(b':')) {
            return Err(
                Finding::new(start..start + digits.len(), Problem::NumberSelector).with_fix(pitch::name(number))
            );
        }
        return Ok(None);
    }
    let bar_start = |bar| Point { bar, beat: 1.0, offset: 0.0 };
    let times = if let Some(first) = whole_bar(cursor) {
        let mut last = first;
        if cursor.eat("-") {
            last = match whole_bar(cursor) {
                Some(last) => last,
                None => return Err(Finding::new(start..found_range(cursor).end, Problem::MixedBars)),
            };
        }
        if last < first {
            return Err(Finding::new(start..cursor.pos(), Problem::Descending));
        }
        Times::Range { from: bar_start(first), to: bar_start(last + 1.0), to_excluded: true }
    } else {
        let Some(from) = point(cursor) else { return Err(bad_position(cursor)) };
        if cursor.eat("-") {
            let to_excluded = cursor.eat("<");
            let mut bar = *cursor;
            if whole_bar(&mut bar).is_some() {
                return Err(Finding::new(start..bar.pos(), Problem::MixedBars));
            }
            let Some(to) = point(cursor) else { return Err(bad_position(cursor)) };
            Times::Range { from, to, to_excluded }
        } else {
            Times::Point(from)
        }
    };
    let descends = |units| {
        let (from, to, _) = times.bounds(units);
        to < from
    };
    if Units::sample_meters().all(descends)
        || matches!(times, Times::Range { from, to, .. } if to.bar < from.bar && from.offset == to.offset)
    {
        return Err(Finding::new(start..cursor.pos(), Problem::Descending));
    }
    Ok(Some(times))
}

pub(super) fn bad_position(cursor: &Cursor<'_>) -> Box<Finding> {
    let rest = cursor.rest();
    let ends = |c: char| c.is_whitespace() || matches!(c, ':' | ',' | ')' | '(');
    let found = rest.split(ends).next().unwrap_or("");
    // Of a range the part that cannot be read.
    let found = found.split_once("-<").map_or(found, |(first, _)| first);
    let range = cursor.pos()..cursor.pos() + found.len();
    if found.is_empty() {
        return Finding::new(range.start..found_range(cursor).end, Problem::Position(BadPosition::Unreadable));
    }
    let (problem, fix) = position::diagnose(found, Meter::COMMON);
    let finding = Finding::new(range, Problem::Position(problem));
    match fix {
        Some(fix) => finding.with_fix(fix),
        None => finding,
    }
}

//! What stands before a line's colon: pitches, times, conditions.

use super::code::Units;
use super::expression::{self, Expression};
use super::pieces::{blanks, never_closed, not_closed, piece, word};
use super::problem::{Finding, Problem, STATEMENT_CALLS, meant_word};
use crate::music::position::{self, BadPosition};
use crate::music::text::Cursor;
use crate::music::{Beats, Meter, pitch};
use std::ops::Range;

type Read<T> = Result<T, Box<Finding>>;

/// A position in a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    bar: f64,
    beat: f64,
    offset: Beats,
}

impl Point {
    /// In musical beats from 1|1.
    pub fn musical(self, units: Units) -> f64 {
        (self.bar - 1.0) * units.beats_per_bar + self.beat - 1.0 + units.musical(self.offset)
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
            Times::Point(point) => (point.musical(units), point.musical(units), false),
            Times::Range { from, to, to_excluded } => (from.musical(units), to.musical(units), to_excluded),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Selector {
    pub pitches: Option<(u8, u8)>,
    pub times: Option<Times>,
    pub condition: Option<Expression>,
}

enum Segment {
    Pitches(u8, u8),
    Times(Times),
    Where(Box<Expression>),
}

/// Up to three segments before a colon; none where there is no such colon.
pub(super) fn selector(cursor: &mut Cursor<'_>, faults: &mut Vec<Finding>) -> Read<Selector> {
    let start = *cursor;
    let mut segments: Vec<(Segment, Range<usize>)> = Vec::new();
    let mut best: Option<(usize, Cursor<'_>)> = None;
    let mut ahead = *cursor;
    while segments.len() < 3 {
        let at = ahead.at();
        let segment = match segment(&mut ahead) {
            Ok(Some(segment)) => segment,
            Ok(None) => break,
            // Behind a colon it may be the body, which says better what is wrong with it.
            Err(_) if best.is_some_and(|(_, after)| after.at() == at) => break,
            Err(finding) => return Err(finding),
        };
        segments.push((segment, at..ahead.at()));
        let end = ahead.at();
        let mut colon = ahead;
        blanks(&mut colon);
        if colon.eat(":") {
            blanks(&mut colon);
            best = Some((segments.len(), colon));
            ahead = colon;
        } else {
            ahead.eat_while(b" \t");
            if ahead.at() == end {
                break;
            }
        }
    }
    let Some((count, after)) = best else {
        if let Some((Segment::Pitches(..) | Segment::Times(_), range)) = segments.last()
            && let Some(finding) = spaced_range(start, range.clone())
        {
            return Err(finding);
        }
        return match segments.last() {
            None => Ok(Selector::default()),
            // A pitch alone is a statement.
            Some((Segment::Pitches(low, high), range)) if segments.len() == 1 && low == high => {
                let mut ahead = start;
                ahead.go(range.end);
                let touching = ahead.peek();
                blanks(&mut ahead);
                let next = word(&mut ahead);
                if next.is_empty() || !matches!(touching, Some(b' ' | b'\t')) {
                    return Ok(Selector::default());
                }
                Err(missing_colon(range.clone()))
            }
            Some((_, range)) => Err(missing_colon(range.clone())),
        };
    };
    *cursor = after;
    let mut selector = Selector::default();
    for (segment, range) in segments.into_iter().take(count) {
        let twice = match segment {
            Segment::Pitches(low, high) => selector.pitches.replace((low, high)).is_some(),
            Segment::Times(times) => selector.times.replace(times).is_some(),
            Segment::Where(mut condition) => {
                faults.append(&mut condition.faults);
                selector.condition.replace(*condition).is_some()
            }
        };
        if twice {
            faults.push(*Finding::new(range, Problem::SelectorTwice));
        }
    }
    Ok(selector)
}

/// `1|1 - 2|1:`, where `first` is the range of its first half.
fn spaced_range(mut cursor: Cursor<'_>, first: Range<usize>) -> Option<Box<Finding>> {
    cursor.go(first.end);
    cursor.eat_while(b" \t");
    if !cursor.eat("-") {
        return None;
    }
    cursor.eat_while(b" \t");
    let joint = if cursor.eat("<") { "-<" } else { "-" };
    cursor.eat_while(b" \t");
    let second = cursor.at();
    let mut ahead = cursor;
    segment(&mut ahead).ok()??;
    let end = ahead.at();
    blanks(&mut ahead);
    if ahead.peek() != Some(b':') {
        return None;
    }
    Some(Finding::new(first.start..end, Problem::SpacedRange).instead(first.end..second, joint))
}

fn missing_colon(range: Range<usize>) -> Box<Finding> {
    let end = range.end;
    Finding::new(range, Problem::SelectorColon).instead(end..end, ":")
}

fn segment(cursor: &mut Cursor<'_>) -> Read<Option<Segment>> {
    let start = cursor.at();
    if cursor.peek().is_some_and(|b| b.is_ascii_digit()) {
        return times(cursor).map(|times| times.map(Segment::Times));
    }
    let mut ahead = *cursor;
    if word(&mut ahead) == "where" {
        blanks(&mut ahead);
        let open = ahead.at();
        if !ahead.eat("(") {
            let finding = Finding::new(start..start + 5, Problem::NoCondition);
            let line = ahead.rest().split(['\r', '\n']).next().unwrap_or("");
            return Err(match line.split_once(':') {
                Some((inside, _)) => finding.instead(start..open + inside.len(), format!("where({})", inside.trim())),
                None => finding,
            });
        }
        let condition = expression::read(&mut ahead, true)?;
        blanks(&mut ahead);
        if !ahead.eat(")") {
            return Err(if never_closed(&ahead) {
                not_closed(open..open + 1, &ahead)
            } else {
                Finding::new(piece(&ahead), Problem::NoOperator)
            });
        }
        if !condition.is_condition {
            return Err(Finding::new(condition.range, Problem::NoCondition));
        }
        *cursor = ahead;
        return Ok(Some(Segment::Where(Box::new(condition))));
    }
    let mut ahead = *cursor;
    let name = word(&mut ahead);
    let name_end = ahead.at();
    blanks(&mut ahead);
    if ahead.peek() == Some(b'(') && meant_word(name, STATEMENT_CALLS) == Some("where") && name != "where" {
        return Err(Finding::new(start..name_end, Problem::Selector).rather("where"));
    }
    let Some(low) = selected_pitch(cursor)? else { return Ok(None) };
    let mut ahead = *cursor;
    let high = if ahead.eat("-") { selected_pitch(&mut ahead)? } else { None };
    if high.is_some() {
        *cursor = ahead;
    }
    let high = high.unwrap_or(low);
    if high < low {
        return Err(Finding::new(start..cursor.at(), Problem::Descending).rather(format!(
            "{}-{}",
            pitch::name(high),
            pitch::name(low)
        )));
    }
    Ok(Some(Segment::Pitches(low, high)))
}

pub(super) fn selected_pitch(cursor: &mut Cursor<'_>) -> Read<Option<u8>> {
    let start = cursor.at();
    let mut ahead = *cursor;
    let Some(number) = ahead.pitch() else { return Ok(None) };
    if ahead.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'(' || b == b'.') {
        return Ok(None);
    }
    let pitch = u8::try_from(number).ok().filter(|pitch| *pitch <= 127);
    let pitch = pitch.ok_or_else(|| Finding::new(start..ahead.at(), Problem::PitchRange))?;
    *cursor = ahead;
    Ok(Some(pitch))
}

/// A position without anything glued to it.
pub(super) fn point(cursor: &mut Cursor<'_>) -> Option<Point> {
    cursor.attempt(|c| {
        let bar = c.bar()?;
        let beat = c.counting_decimal()?;
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

fn times(cursor: &mut Cursor<'_>) -> Read<Option<Times>> {
    let start = cursor.at();
    let mut ahead = *cursor;
    let digits = ahead.digits();
    if ahead.peek() != Some(b'|') {
        blanks(&mut ahead);
        let number = digits.parse::<u8>().ok().filter(|number| *number <= 127);
        if let (Some(number), true) = (number, ahead.peek() == Some(b':')) {
            return Err(Finding::new(start..start + digits.len(), Problem::NumberSelector).rather(pitch::name(number)));
        }
        return Ok(None);
    }
    let bar_start = |bar| Point { bar, beat: 1.0, offset: 0.0 };
    let times = if let Some(first) = whole_bar(cursor) {
        let mut last = first;
        if cursor.eat("-") {
            last = match whole_bar(cursor) {
                Some(last) => last,
                None => return Err(Finding::new(start..piece(cursor).end, Problem::MixedBars)),
            };
        }
        if last < first {
            return Err(Finding::new(start..cursor.at(), Problem::Descending));
        }
        Times::Range { from: bar_start(first), to: bar_start(last + 1.0), to_excluded: true }
    } else {
        let Some(from) = point(cursor) else { return Err(bad_position(cursor)) };
        if cursor.eat("-") {
            let to_excluded = cursor.eat("<");
            let mut bar = *cursor;
            if whole_bar(&mut bar).is_some() {
                return Err(Finding::new(start..bar.at(), Problem::MixedBars));
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
    if Units::samples().all(descends)
        || matches!(times, Times::Range { from, to, .. } if to.bar < from.bar && from.offset == to.offset)
    {
        return Err(Finding::new(start..cursor.at(), Problem::Descending));
    }
    Ok(Some(times))
}

pub(super) fn bad_position(cursor: &Cursor<'_>) -> Box<Finding> {
    let rest = cursor.rest();
    let ends = |c: char| c.is_whitespace() || matches!(c, ':' | ',' | ')' | '(');
    let found = rest.split(ends).next().unwrap_or("");
    // Of a range the part that cannot be read.
    let found = found.split_once("-<").map_or(found, |(first, _)| first);
    let range = cursor.at()..cursor.at() + found.len();
    if found.is_empty() {
        return Finding::new(range.start..piece(cursor).end, Problem::Position(BadPosition::Unreadable));
    }
    let (problem, fix) = position::diagnose(found, Meter::COMMON);
    let finding = Finding::new(range, Problem::Position(problem));
    match fix {
        Some(fix) => finding.rather(fix),
        None => finding,
    }
}

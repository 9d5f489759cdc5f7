//! What stands before a line's colon: pitches, times, conditions.

use super::expression::{self, Expression};
use super::lexemes::{found_range, never_closed, not_closed, skip_blanks, word};
use super::problem::{Finding, Problem};
use super::suggestions::{STATEMENT_CALLS, suggest_word};
use super::times::{Times, times};
use crate::music::pitch;
use crate::music::text::Cursor;
use std::ops::Range;

type ReadResult<T> = Result<T, Box<Finding>>;

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
pub(super) fn selector(cursor: &mut Cursor<'_>, findings: &mut Vec<Finding>) -> ReadResult<Selector> {
    let start = *cursor;
    let mut segments: Vec<(Segment, Range<usize>)> = Vec::new();
    let mut best: Option<(usize, Cursor<'_>)> = None;
    let mut ahead = *cursor;
    while segments.len() < 3 {
        let at = ahead.pos();
        let segment = match segment(&mut ahead) {
            Ok(Some(segment)) => segment,
            Ok(None) => break,
            // Behind a colon it may be the body, which says better what is wrong with it.
            Err(_) if best.is_some_and(|(_, after)| after.pos() == at) => break,
            Err(finding) => return Err(finding),
        };
        segments.push((segment, at..ahead.pos()));
        let end = ahead.pos();
        let mut colon = ahead;
        skip_blanks(&mut colon);
        if colon.eat(":") {
            skip_blanks(&mut colon);
            best = Some((segments.len(), colon));
            ahead = colon;
        } else {
            ahead.eat_while(b" \t");
            if ahead.pos() == end {
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
                ahead.seek(range.end);
                let touching = ahead.peek();
                skip_blanks(&mut ahead);
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
                findings.append(&mut condition.semantic_findings);
                selector.condition.replace(*condition).is_some()
            }
        };
        if twice {
            findings.push(*Finding::new(range, Problem::SelectorTwice));
        }
    }
    Ok(selector)
}

/// `1|1 - 2|1:`, where `first` is the range of its first half.
fn spaced_range(mut cursor: Cursor<'_>, first: Range<usize>) -> Option<Box<Finding>> {
    cursor.seek(first.end);
    cursor.eat_while(b" \t");
    if !cursor.eat("-") {
        return None;
    }
    cursor.eat_while(b" \t");
    let joint = if cursor.eat("<") { "-<" } else { "-" };
    cursor.eat_while(b" \t");
    let second = cursor.pos();
    let mut ahead = cursor;
    segment(&mut ahead).ok()??;
    let end = ahead.pos();
    skip_blanks(&mut ahead);
    if ahead.peek() != Some(b':') {
        return None;
    }
    Some(Finding::new(first.start..end, Problem::SpacedRange).replacing(first.end..second, joint))
}

fn missing_colon(range: Range<usize>) -> Box<Finding> {
    let end = range.end;
    Finding::new(range, Problem::SelectorColon).replacing(end..end, ":")
}

fn segment(cursor: &mut Cursor<'_>) -> ReadResult<Option<Segment>> {
    let start = cursor.pos();
    if cursor.peek().is_some_and(|b| b.is_ascii_digit()) {
        return times(cursor).map(|times| times.map(Segment::Times));
    }
    let mut ahead = *cursor;
    if word(&mut ahead) == "where" {
        skip_blanks(&mut ahead);
        let open = ahead.pos();
        if !ahead.eat("(") {
            let finding = Finding::new(start..start + 5, Problem::NoCondition);
            let line = ahead.rest().split(['\r', '\n']).next().unwrap_or("");
            return Err(match line.split_once(':') {
                Some((inside, _)) => finding.replacing(start..open + inside.len(), format!("where({})", inside.trim())),
                None => finding,
            });
        }
        let condition = expression::read(&mut ahead, true)?;
        skip_blanks(&mut ahead);
        if !ahead.eat(")") {
            return Err(if never_closed(&ahead) {
                not_closed(open..open + 1, &ahead)
            } else {
                Finding::new(found_range(&ahead), Problem::NoOperator)
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
    let name_end = ahead.pos();
    skip_blanks(&mut ahead);
    if ahead.peek() == Some(b'(') && suggest_word(name, STATEMENT_CALLS) == Some("where") && name != "where" {
        return Err(Finding::new(start..name_end, Problem::Selector).with_fix("where"));
    }
    let Some(low) = selected_pitch(cursor)? else { return Ok(None) };
    let mut ahead = *cursor;
    let high = if ahead.eat("-") { selected_pitch(&mut ahead)? } else { None };
    if high.is_some() {
        *cursor = ahead;
    }
    let high = high.unwrap_or(low);
    if high < low {
        return Err(Finding::new(start..cursor.pos(), Problem::Descending).with_fix(format!(
            "{}-{}",
            pitch::name(high),
            pitch::name(low)
        )));
    }
    Ok(Some(Segment::Pitches(low, high)))
}

pub(super) fn selected_pitch(cursor: &mut Cursor<'_>) -> ReadResult<Option<u8>> {
    let start = cursor.pos();
    let mut ahead = *cursor;
    let Some(number) = ahead.pitch() else { return Ok(None) };
    if ahead.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'(' || b == b'.') {
        return Ok(None);
    }
    let pitch = u8::try_from(number).ok().filter(|pitch| *pitch <= 127);
    let pitch = pitch.ok_or_else(|| Finding::new(start..ahead.pos(), Problem::PitchRange))?;
    *cursor = ahead;
    Ok(Some(pitch))
}

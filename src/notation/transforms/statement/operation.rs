//! The statements that are no assignment (`ratchet`, `double`, ...), read with their arguments.

use super::body::{Body, ReadResult, constant};
use crate::music::text::Cursor;
use crate::notation::transforms::code::Op;
use crate::notation::transforms::expression;
use crate::notation::transforms::lexemes::{at_end_of_line, found_range, skip_blanks, word};
use crate::notation::transforms::problem::{Finding, OPERATIONS, Problem, expected_arguments};
use crate::notation::transforms::times::{bad_position, point};
use std::ops::Range;

pub(super) fn read(
    name: &str,
    cursor: &mut Cursor<'_>,
    range: Range<usize>,
    findings: &mut Vec<Finding>,
) -> ReadResult<Body> {
    let (name, form) = OPERATIONS.into_iter().find(|(known, _)| *known == name).unwrap_or(("", ""));
    let bad_form = |range| Finding::new(range, Problem::OperationForm(name, form));
    if !cursor.eat("(") {
        let mut ahead = *cursor;
        skip_blanks(&mut ahead);
        let finding = bad_form(range.clone());
        return Err(if ahead.peek() == Some(b'(') && ahead.pos() > range.end {
            finding.replacing(range.end..ahead.pos(), "")
        } else {
            finding
        });
    }
    if name == "split" {
        return split(cursor, range, findings);
    }
    let mut arguments = Vec::new();
    skip_blanks(cursor);
    if !cursor.eat(")") {
        loop {
            let mut value = expression::read(cursor, false)?;
            findings.append(&mut value.semantic_findings);
            arguments.push(value);
            skip_blanks(cursor);
            if cursor.eat(")") {
                break;
            }
            if !cursor.eat(",") {
                return Err(if at_end_of_line(cursor) {
                    Finding::new(range.start..range.end + 1, Problem::NotClosed)
                } else {
                    Finding::new(found_range(cursor), Problem::NoOperator)
                });
            }
        }
    }
    let count = arguments.len();
    let mut arguments = arguments.into_iter();
    let body = match (name, arguments.next(), arguments.next()) {
        ("ratchet", Some(pieces), None) => Body::Ratchet(pieces),
        ("repeat", Some(offset), copies) if count <= 2 => Body::Repeat { offset, copies },
        ("merge", gap, None) => Body::Merge(gap),
        ("double", Some(semitones), velocity) if count <= 2 => Body::Double { semitones, velocity },
        ("humanize", Some(time), velocity) if count <= 2 => Body::Humanize { time, velocity },
        _ => {
            let (least, most) = match name {
                "ratchet" => (1, 1),
                "repeat" | "double" | "humanize" => (1, 2),
                _ => (0, 1),
            };
            let expected = expected_arguments(least, most);
            let problem = Problem::OperationArgumentCount { name, expected, found: count, form };
            findings.push(*Finding::new(range.clone(), problem));
            // Something that nothing more is wrong with; it is never carried out.
            match name {
                "ratchet" => Body::Ratchet(constant(vec![Op::Number(2.0)], range)),
                "repeat" => Body::Repeat { offset: constant(vec![Op::NoteValue(1.0)], range), copies: None },
                _ => Body::Merge(None),
            }
        }
    };
    Ok(body)
}

fn split(cursor: &mut Cursor<'_>, range: Range<usize>, findings: &mut Vec<Finding>) -> ReadResult<Body> {
    let mut points = Vec::new();
    let mut sync = false;
    skip_blanks(cursor);
    if !cursor.eat(")") {
        loop {
            skip_blanks(cursor);
            let at = cursor.pos();
            let mut ahead = *cursor;
            match word(&mut ahead) {
                "sync" if !points.is_empty() => {
                    *cursor = ahead;
                    sync = true;
                }
                "sync" => return Err(Finding::new(at..ahead.pos(), Problem::Keyword)),
                _ => match point(cursor) {
                    Some(point) => points.push(point),
                    None => return Err(bad_position(cursor)),
                },
            }
            skip_blanks(cursor);
            if cursor.eat(")") {
                break;
            }
            if at_end_of_line(cursor) {
                return Err(Finding::new(range.start..range.end + 1, Problem::NotClosed));
            }
            if sync || !cursor.eat(",") {
                return Err(Finding::new(
                    found_range(cursor),
                    Problem::OperationForm("split", "split(1|2, 1|3.5, sync)"),
                ));
            }
        }
    }
    if points.is_empty() {
        findings.push(*Finding::new(range, Problem::Split));
    }
    Ok(Body::Split { points, sync })
}

//! Lines read from text: what is done with the notes that the selector selects.
//!
//! Here are the parameters and the short forms; [`operation`] reads what changes the number of notes, [`diagnose`] says
//! what was meant where neither stands.

mod body;
mod diagnose;
mod operation;

use super::code::{Function, Op};
use super::expression::{self, Expression};
use super::lexemes::{at_end_of_line, length, number, skip_blanks, word};
use super::problem::{Finding, OPERATIONS, Problem};
use super::selector::{selected_pitch, selector};
use crate::music::text::Cursor;
pub(super) use body::{Assign, Body, Parameter, Statement};
use body::{PARAMETERS, ReadResult, assign, constant};

/// One line; the cursor is at its end then.
pub(super) fn read(cursor: &mut Cursor<'_>) -> ReadResult<Statement> {
    let mut findings = Vec::new();
    let selector = selector(cursor, &mut findings)?;
    skip_blanks(cursor);
    let start = cursor.pos();
    let body = body(cursor, &mut findings)?;
    let head = start..(start + word(&mut Cursor::new(cursor.since(start))).len()).max(start + 1);
    if selector.condition.is_some()
        && matches!(body, Body::Ratchet(_) | Body::Repeat { .. } | Body::Split { .. } | Body::Merge(_))
    {
        return Err(Finding::new(head, Problem::WhereOnOperation));
    }
    skip_blanks(cursor);
    if !at_end_of_line(cursor) {
        let is_assignment = PARAMETERS.iter().any(|(name, _)| *name == word(&mut Cursor::new(cursor.since(start))));
        return Err(diagnose::after_statement(cursor, is_assignment));
    }
    Ok(Statement { selector, body, semantic_findings: findings })
}

fn body(cursor: &mut Cursor<'_>, findings: &mut Vec<Finding>) -> ReadResult<Body> {
    let start = *cursor;
    let at = start.pos();
    let name = word(cursor);
    let range = at..cursor.pos();
    if OPERATIONS.iter().any(|(known, _)| *known == name) {
        return operation::read(name, cursor, range, findings);
    }
    if let Some((_, parameter)) = PARAMETERS.iter().find(|(known, _)| *known == name) {
        skip_blanks(cursor);
        let Some(assign) = assign(cursor) else {
            return Err(diagnose::missing_assignment(cursor, name, at));
        };
        let mut value = expression::read(cursor, false)?;
        findings.append(&mut value.semantic_findings);
        if is_pitch_name(&value) && *parameter != Parameter::Pitch {
            findings.push(*Finding::new(value.range.clone(), Problem::PitchAsValue));
        }
        if assign != Assign::Set
            && let Some(function) = value.lone_call
        {
            match function {
                Function::Swing => {
                    findings.push(*Finding::new(value.range.clone(), Problem::CompoundPosition("swing")))
                }
                Function::Quant => {
                    findings.push(*Finding::new(value.range.clone(), Problem::CompoundPosition("quant")))
                }
                _ => {}
            }
        }
        return Ok(Body::Assign { parameter: *parameter, assign, value });
    }
    *cursor = start;
    if let Some(body) = shorthand(cursor)? {
        if let Some(finding) = diagnose::behind_shorthand(cursor, at, &body) {
            return Err(finding);
        }
        return Ok(body);
    }
    Err(diagnose::unknown_statement(start, name))
}

/// A pitch name, or a choice among some.
fn is_pitch_name(value: &Expression) -> bool {
    let chooses = matches!(value.lone_call, Some(Function::Seq | Function::ClipSeq | Function::Choose));
    let pitches = |op: &Op| matches!(op, Op::Pitch(_));
    match value.code.as_slice() {
        [one] => pitches(one),
        [options @ .., Op::Call { .. }] => chooses && options.iter().all(pitches),
        _ => false,
    }
}

/// A short form.
fn shorthand(cursor: &mut Cursor<'_>) -> ReadResult<Option<Body>> {
    let start = cursor.pos();
    let body = |cursor: &Cursor<'_>, parameter, assign, code| Body::Assign {
        parameter,
        assign,
        value: constant(code, start..cursor.pos()),
    };
    if word(&mut cursor.clone()) == "delete" {
        cursor.seek(start + 6);
        return Ok(Some(body(cursor, Parameter::Velocity, Assign::Set, vec![Op::Number(0.0)])));
    }
    for (letter, parameter) in [("v", Parameter::Velocity), ("p", Parameter::Probability)] {
        let mut ahead = *cursor;
        if !ahead.eat(letter) {
            continue;
        }
        let assign = if ahead.eat("+") {
            Assign::Add
        } else if ahead.eat("-") {
            Assign::Subtract
        } else {
            Assign::Set
        };
        let value = if parameter == Parameter::Velocity { ahead.integer() } else { number(&mut ahead) };
        let Some(value) = value else { continue };
        if parameter == Parameter::Velocity && assign == Assign::Set {
            let to = ahead.attempt(|c| if c.eat("-") { c.integer() } else { None });
            if let Some(to) = to {
                let (from, to) = (value.min(127.0), to.min(127.0));
                if from < 1.0 || to < 1.0 {
                    let fix = format!("v1-{}", from.max(to).max(1.0));
                    return Err(Finding::new(start..ahead.pos(), Problem::RangeFromZero).with_fix(fix));
                }
                *cursor = ahead;
                return Ok(Some(Body::VelocityRange { velocity: from.min(to), deviation: (from - to).abs() }));
            }
        }
        if parameter == Parameter::Velocity
            && let Some(finding) = diagnose::fractional_velocity(&ahead, start, assign)
        {
            return Err(finding);
        }
        *cursor = ahead;
        return Ok(Some(body(cursor, parameter, assign, vec![Op::Number(value)])));
    }
    if let Some(op) = length(cursor) {
        let mut code = vec![op];
        if matches!(op, Op::Bars(_))
            && let Some(offset) = cursor.offset()
        {
            code.push(Op::NoteValue(offset));
            code.push(Op::Binary(super::code::BinaryOperator::Plus));
        }
        return Ok(Some(body(cursor, Parameter::Duration, Assign::Set, code)));
    }
    let mut ahead = *cursor;
    if let Some(pitch) = selected_pitch(&mut ahead)? {
        *cursor = ahead;
        let code = vec![Op::Pitch(pitch)];
        return Ok(Some(body(cursor, Parameter::Pitch, Assign::Set, code)));
    }
    Ok(None)
}

//! Lines read from text: what is done with the notes that the selector selects.
//!
//! Here are the parameters and the short forms; [`operation`] reads what changes the number of notes, [`meant`] says what was
//! meant where neither stands.

mod meant;
mod operation;

use super::code::Op;
use super::expression::{self, Expression};
use super::pieces::{at_end_of_line, blanks, length, number, word};
use super::problem::{Finding, OPERATIONS, Problem};
use super::selector::{Point, Selector, selected_pitch, selector};
use crate::music::text::Cursor;
use std::ops::Range;

type Read<T> = Result<T, Box<Finding>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    Velocity,
    Pitch,
    Timing,
    Duration,
    Probability,
    Deviation,
    Gain,
    PitchShift,
}

const PARAMETERS: [(&str, Parameter); 8] = [
    ("velocity", Parameter::Velocity),
    ("pitch", Parameter::Pitch),
    ("timing", Parameter::Timing),
    ("duration", Parameter::Duration),
    ("probability", Parameter::Probability),
    ("deviation", Parameter::Deviation),
    ("gain", Parameter::Gain),
    ("pitchShift", Parameter::PitchShift),
];

impl Parameter {
    pub fn is_audio(self) -> bool {
        matches!(self, Parameter::Gain | Parameter::PitchShift)
    }

    pub fn name(self) -> &'static str {
        PARAMETERS.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| *name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assign {
    Set,
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Clone, Debug)]
pub(super) enum Body {
    Assign {
        parameter: Parameter,
        assign: Assign,
        value: Expression,
    },
    /// Velocity and what is added to it at random.
    VelocityRange {
        velocity: f64,
        deviation: f64,
    },
    Ratchet(Expression),
    Repeat {
        offset: Expression,
        copies: Option<Expression>,
    },
    Split {
        points: Vec<Point>,
        sync: bool,
    },
    Merge(Option<Expression>),
}

impl Body {
    /// What it does, by the parameter that it changes or by its own name.
    pub fn name(&self) -> &'static str {
        match self {
            Body::Assign { parameter, .. } => parameter.name(),
            Body::VelocityRange { .. } => Parameter::Velocity.name(),
            Body::Ratchet(_) => "ratchet",
            Body::Repeat { .. } => "repeat",
            Body::Split { .. } => "split",
            Body::Merge(_) => "merge",
        }
    }

    pub fn is_audio(&self) -> bool {
        matches!(self, Body::Assign { parameter, .. } if parameter.is_audio())
    }
}

#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub selector: Selector,
    pub body: Body,
    /// What follows the grammar and is wrong all the same.
    pub faults: Vec<Finding>,
}

/// One line; the cursor is at its end then.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Read<Statement> {
    let mut faults = Vec::new();
    let selector = selector(cursor, &mut faults)?;
    blanks(cursor);
    let start = cursor.at();
    let body = body(cursor, &mut faults)?;
    let head = start..(start + word(&mut Cursor::new(cursor.since(start))).len()).max(start + 1);
    if selector.condition.is_some()
        && matches!(body, Body::Ratchet(_) | Body::Repeat { .. } | Body::Split { .. } | Body::Merge(_))
    {
        return Err(Finding::new(head, Problem::WhereOnOperation));
    }
    blanks(cursor);
    if !at_end_of_line(cursor) {
        let is_assignment = PARAMETERS.iter().any(|(name, _)| *name == word(&mut Cursor::new(cursor.since(start))));
        return Err(meant::after(cursor, is_assignment));
    }
    Ok(Statement { selector, body, faults })
}

fn body(cursor: &mut Cursor<'_>, faults: &mut Vec<Finding>) -> Read<Body> {
    let start = *cursor;
    let at = start.at();
    let name = word(cursor);
    let range = at..cursor.at();
    if OPERATIONS.iter().any(|(known, _)| *known == name) {
        return operation::read(name, cursor, range, faults);
    }
    if let Some((_, parameter)) = PARAMETERS.iter().find(|(known, _)| *known == name) {
        blanks(cursor);
        let Some(assign) = assign(cursor) else {
            return Err(meant::no_operator(cursor, name, at));
        };
        let mut value = expression::read(cursor, false)?;
        faults.append(&mut value.faults);
        if is_pitch_name(&value) && *parameter != Parameter::Pitch {
            faults.push(*Finding::new(value.range.clone(), Problem::PitchAsValue));
        }
        if assign != Assign::Set
            && let Some(function) = value.lone_call
        {
            use super::code::Function;
            match function {
                Function::Swing => faults.push(*Finding::new(value.range.clone(), Problem::CompoundPosition("swing"))),
                Function::Quant => faults.push(*Finding::new(value.range.clone(), Problem::CompoundPosition("quant"))),
                _ => {}
            }
        }
        return Ok(Body::Assign { parameter: *parameter, assign, value });
    }
    *cursor = start;
    if let Some(body) = shorthand(cursor)? {
        if let Some(finding) = meant::behind_shorthand(cursor, at, &body) {
            return Err(finding);
        }
        return Ok(body);
    }
    Err(meant::unknown(start, name))
}

/// A pitch name, or a choice among some.
fn is_pitch_name(value: &Expression) -> bool {
    use super::code::Function;
    let chooses = matches!(value.lone_call, Some(Function::Seq | Function::ClipSeq | Function::Choose));
    let pitches = |op: &Op| matches!(op, Op::Pitch(_));
    match value.code.as_slice() {
        [one] => pitches(one),
        [options @ .., Op::Call { .. }] => chooses && options.iter().all(pitches),
        _ => false,
    }
}

fn assign(cursor: &mut Cursor<'_>) -> Option<Assign> {
    let compared = cursor.rest().starts_with("==");
    [
        ("+=", Assign::Add),
        ("-=", Assign::Subtract),
        ("*=", Assign::Multiply),
        ("/=", Assign::Divide),
        ("=", Assign::Set),
    ]
    .into_iter()
    .find(|(text, _)| !compared && cursor.eat(text))
    .map(|(_, assign)| assign)
}

fn constant(code: Vec<Op>, range: Range<usize>) -> Expression {
    Expression { code, range, calls: Vec::new(), faults: Vec::new(), lone_call: None, is_condition: false }
}

/// A short form.
fn shorthand(cursor: &mut Cursor<'_>) -> Read<Option<Body>> {
    let start = cursor.at();
    let body = |cursor: &Cursor<'_>, parameter, assign, code| Body::Assign {
        parameter,
        assign,
        value: constant(code, start..cursor.at()),
    };
    if word(&mut cursor.clone()) == "delete" {
        cursor.go(start + 6);
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
        let value = if parameter == Parameter::Velocity { ahead.whole() } else { number(&mut ahead) };
        let Some(value) = value else { continue };
        if parameter == Parameter::Velocity && assign == Assign::Set {
            let to = ahead.attempt(|c| if c.eat("-") { c.whole() } else { None });
            if let Some(to) = to {
                let (from, to) = (value.min(127.0), to.min(127.0));
                if from < 1.0 || to < 1.0 {
                    let fix = format!("v1-{}", from.max(to).max(1.0));
                    return Err(Finding::new(start..ahead.at(), Problem::RangeFromZero).rather(fix));
                }
                *cursor = ahead;
                return Ok(Some(Body::VelocityRange { velocity: from.min(to), deviation: (from - to).abs() }));
            }
        }
        if parameter == Parameter::Velocity
            && let Some(finding) = meant::broken_velocity(&ahead, start, assign)
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
            code.push(Op::Binary(super::code::Binary::Plus));
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

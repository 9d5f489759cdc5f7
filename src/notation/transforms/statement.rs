//! Lines read from text: what is done with the notes that the selector selects.

use super::code::Op;
use super::expression::{self, Expression};
use super::pieces::{at_end_of_line, blanks, length, number, piece, word};
use super::problem::{Finding, OPERATIONS, PARAMETER_NAMES, Problem, STATEMENT_CALLS, meant_parameter, meant_word};
use super::selector::{Point, Selector, bad_position, point, selected_pitch, selector};
use crate::music::text::Cursor;
use crate::notation::error::odd_character;
use crate::notation::meant::slip_of;
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
        return Err(after(cursor, &body));
    }
    Ok(Statement { selector, body, faults })
}

/// Something behind a whole statement.
fn after(cursor: &Cursor<'_>, body: &Body) -> Box<Finding> {
    let at = cursor.at();
    let range = piece(cursor);
    let rest = cursor.rest();
    if rest.starts_with("/*") {
        return Finding::new(at..at + 2, Problem::Comment);
    }
    if let Some(odd) = cursor.peek_char().and_then(odd_character) {
        return Finding::new(range, Problem::Odd(odd));
    }
    if rest.starts_with(';') {
        return Finding::new(at..at + 1, Problem::Semicolon);
    }
    if rest.starts_with([')', '(']) {
        return Finding::new(range, Problem::NoOperator);
    }
    match body {
        Body::Assign { .. } if rest.starts_with(['<', '>', '=', '!', '&', '|']) => {
            Finding::new(range, Problem::ConditionOutside)
        }
        Body::Assign { .. } => Finding::new(range, Problem::NoOperator),
        _ => Finding::new(range, Problem::AfterStatement),
    }
}

fn body(cursor: &mut Cursor<'_>, faults: &mut Vec<Finding>) -> Read<Body> {
    let start = *cursor;
    let at = start.at();
    let name = word(cursor);
    let range = at..cursor.at();
    if OPERATIONS.iter().any(|(known, _)| *known == name) {
        return operation(name, cursor, range, faults);
    }
    if let Some((_, parameter)) = PARAMETERS.iter().find(|(known, _)| *known == name) {
        blanks(cursor);
        let Some(assign) = assign(cursor) else {
            let found = if at_end_of_line(cursor) { cursor.at()..cursor.at() } else { piece(cursor) };
            let compares = cursor.rest().starts_with(['<', '>', '!']) || cursor.rest().starts_with("==");
            let problem = if compares { Problem::ConditionOutside } else { Problem::Operator };
            let finding = Finding::new(found, problem);
            // `velocity: 80` and `velocity 80`.
            let with = if cursor.peek() == Some(b':') {
                (cursor.at()..cursor.at() + 1, "=")
            } else {
                (cursor.at()..cursor.at(), "= ")
            };
            return Err(finding.instead(with.0, with.1));
        };
        let mut value = expression::read(cursor, false)?;
        faults.append(&mut value.faults);
        if matches!(*value.code, [Op::Pitch(_)]) && *parameter != Parameter::Pitch {
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
    if let Some((body, what)) = shorthand(cursor)? {
        let mut ahead = *cursor;
        blanks(&mut ahead);
        let rest = ahead.rest();
        let comment = rest.starts_with("/*");
        if !comment && rest.starts_with(['+', '-', '*', '/', '%']) {
            return Err(Finding::new(piece(&ahead), Problem::ArithmeticAfterShorthand(what)));
        }
        if cursor.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'|' | b'=')) {
            return Err(Finding::new(at..piece(cursor).end, Problem::Shorthand));
        }
        return Ok(body);
    }
    Err(unknown(start, name))
}

/// A line that starts with nothing known.
fn unknown(cursor: Cursor<'_>, name: &str) -> Box<Finding> {
    let at = cursor.at();
    if cursor.rest().starts_with("/*") {
        return Finding::new(at..at + 2, Problem::Comment);
    }
    if let Some(odd) = cursor.peek_char().and_then(odd_character) {
        return Finding::new(piece(&cursor), Problem::Odd(odd));
    }
    if name.is_empty() {
        let range = piece(&cursor);
        if cursor.peek() == Some(b';') {
            return Finding::new(at..at + 1, Problem::Semicolon);
        }
        return Finding::new(range, Problem::Statement);
    }
    let range = at..at + name.len();
    let mut ahead = cursor;
    ahead.go(range.end);
    if name == "note" && ahead.peek() == Some(b'.') {
        ahead.skip_char();
        let property = word(&mut ahead);
        let finding = Finding::new(at..ahead.at(), Problem::Parameter);
        return match meant_parameter(property) {
            Some(meant) => finding.rather(meant),
            None => finding,
        };
    }
    blanks(&mut ahead);
    let assigned = assign(&mut ahead.clone()).is_some() || ahead.peek() == Some(b':');
    if !assigned {
        let short_form = name.starts_with('n')
            && cursor.rest().get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '/'));
        if short_form {
            let zero = cursor.rest().contains("/0");
            return Finding::new(piece(&cursor), if zero { Problem::ZeroDenominator } else { Problem::NoDenominator });
        }
        let meant = meant_parameter(name).is_some_and(|meant| meant.eq_ignore_ascii_case(name));
        if !meant {
            let finding = Finding::new(range, Problem::Statement);
            let calls = ahead.peek() == Some(b'(');
            return match name {
                _ if calls => match meant_word(name, STATEMENT_CALLS) {
                    Some(meant) => finding.rather(meant),
                    None => finding,
                },
                "del" | "remove" => finding.rather("delete"),
                _ => match (meant_word(name, ["delete"]), slip_of(name, PARAMETER_NAMES)) {
                    (Some(meant), _) => finding.rather(meant),
                    (None, Some(meant)) if !at_end_of_line(&ahead) => finding.rather(format!("{meant} =")),
                    _ => finding,
                },
            };
        }
    }
    let finding = Finding::new(range, Problem::Parameter);
    match meant_parameter(name) {
        Some(meant) => finding.rather(meant),
        None => finding,
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

/// A short form, and what it is called.
fn shorthand(cursor: &mut Cursor<'_>) -> Read<Option<(Body, &'static str)>> {
    let start = cursor.at();
    let body = |cursor: &Cursor<'_>, parameter, assign, code| Body::Assign {
        parameter,
        assign,
        value: constant(code, start..cursor.at()),
    };
    if word(&mut cursor.clone()) == "delete" {
        cursor.go(start + 6);
        return Ok(Some((body(cursor, Parameter::Velocity, Assign::Set, vec![Op::Number(0.0)]), "delete")));
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
                return Ok(Some((
                    Body::VelocityRange { velocity: from.min(to), deviation: (from - to).abs() },
                    "a velocity range",
                )));
            }
        }
        *cursor = ahead;
        let what = if parameter == Parameter::Velocity { "v90" } else { "p0.5" };
        return Ok(Some((body(cursor, parameter, assign, vec![Op::Number(value)]), what)));
    }
    if let Some(op) = length(cursor) {
        let mut code = vec![op];
        if matches!(op, Op::Bars(_))
            && let Some(offset) = cursor.offset()
        {
            code.push(Op::NoteValue(offset));
            code.push(Op::Binary(super::code::Binary::Plus));
        }
        return Ok(Some((body(cursor, Parameter::Duration, Assign::Set, code), "a length")));
    }
    let mut ahead = *cursor;
    if let Some(pitch) = selected_pitch(&mut ahead)? {
        *cursor = ahead;
        let code = vec![Op::Pitch(pitch)];
        return Ok(Some((body(cursor, Parameter::Pitch, Assign::Set, code), "a pitch")));
    }
    Ok(None)
}

fn operation(name: &str, cursor: &mut Cursor<'_>, range: Range<usize>, faults: &mut Vec<Finding>) -> Read<Body> {
    let (name, form) = OPERATIONS.into_iter().find(|(known, _)| *known == name).unwrap_or(("", ""));
    let bad_form = |range| Finding::new(range, Problem::OperationForm(name, form));
    if !cursor.eat("(") {
        let mut ahead = *cursor;
        blanks(&mut ahead);
        let finding = bad_form(range.clone());
        return Err(if ahead.peek() == Some(b'(') && ahead.at() > range.end {
            finding.instead(range.end..ahead.at(), "")
        } else {
            finding
        });
    }
    if name == "split" {
        return split(cursor, range, faults);
    }
    let mut arguments = Vec::new();
    blanks(cursor);
    if !cursor.eat(")") {
        loop {
            let mut value = expression::read(cursor, false)?;
            faults.append(&mut value.faults);
            arguments.push(value);
            blanks(cursor);
            if cursor.eat(")") {
                break;
            }
            if !cursor.eat(",") {
                return Err(if at_end_of_line(cursor) {
                    Finding::new(range.start..range.end + 1, Problem::NotClosed)
                } else {
                    Finding::new(piece(cursor), Problem::NoOperator)
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
        (_, first, _) => {
            let problem = match name {
                "ratchet" => Problem::Ratchet(false),
                "repeat" => Problem::Repeat(false),
                _ => Problem::Merge,
            };
            faults.push(*Finding::new(range, problem));
            Body::Merge(first)
        }
    };
    Ok(body)
}

fn split(cursor: &mut Cursor<'_>, range: Range<usize>, faults: &mut Vec<Finding>) -> Read<Body> {
    let mut points = Vec::new();
    let mut sync = false;
    blanks(cursor);
    if !cursor.eat(")") {
        loop {
            blanks(cursor);
            let at = cursor.at();
            let mut ahead = *cursor;
            match word(&mut ahead) {
                "sync" if !points.is_empty() => {
                    *cursor = ahead;
                    sync = true;
                }
                "sync" => return Err(Finding::new(at..ahead.at(), Problem::Keyword)),
                _ => match point(cursor) {
                    Some(point) => points.push(point),
                    None => return Err(bad_position(cursor)),
                },
            }
            blanks(cursor);
            if cursor.eat(")") {
                break;
            }
            if at_end_of_line(cursor) {
                return Err(Finding::new(range.start..range.end + 1, Problem::NotClosed));
            }
            if sync || !cursor.eat(",") {
                return Err(Finding::new(piece(cursor), Problem::OperationForm("split", "split(1|2, 1|3.5, sync)")));
            }
        }
    }
    if points.is_empty() {
        faults.push(*Finding::new(range, Problem::Split));
    }
    Ok(Body::Split { points, sync })
}

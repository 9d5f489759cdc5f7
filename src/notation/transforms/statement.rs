//! Lines read from text: selectors, and what is done with the notes they select.

use super::code::{Op, Units};
use super::expression::{self, Expression, at_end_of_line, blanks, length, number, piece, word};
use super::problem::{Finding, OPERATIONS, Problem, meant_parameter};
use crate::music::position::{self, BadPosition};
use crate::music::text::Cursor;
use crate::music::{Beats, Meter, pitch};
use crate::notation::error::odd_character;
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

enum Segment {
    Pitches(u8, u8),
    Times(Times),
    Where(Box<Expression>),
}

/// Up to three segments before a colon; none where there is no such colon.
fn selector(cursor: &mut Cursor<'_>, faults: &mut Vec<Finding>) -> Read<Selector> {
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
            return Err(Finding::new(start..start + 5, Problem::NoCondition));
        }
        let condition = expression::read(&mut ahead, true)?;
        blanks(&mut ahead);
        if !ahead.eat(")") {
            return Err(if at_end_of_line(&ahead) {
                Finding::new(open..open + 1, Problem::NotClosed)
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

fn selected_pitch(cursor: &mut Cursor<'_>) -> Read<Option<u8>> {
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
fn point(cursor: &mut Cursor<'_>) -> Option<Point> {
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

fn bad_position(cursor: &Cursor<'_>) -> Box<Finding> {
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
            return if matches!(name, "del" | "remove" | "Delete" | "DELETE") {
                finding.rather("delete")
            } else {
                finding
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

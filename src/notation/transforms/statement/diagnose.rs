//! What was meant where no statement, or no end of one, can be read.

use super::body::{Assign, Body, assign};
use crate::music::text::{Cursor, slice};
use crate::notation::closest_word::closest_word;
use crate::notation::error::describe_odd_character;
use crate::notation::transforms::code::Op;
use crate::notation::transforms::lexemes::{at_end_of_line, found_range, number, skip_blanks, word};
use crate::notation::transforms::problem::{Finding, Problem};
use crate::notation::transforms::suggestions::{
    PARAMETER_NAMES, STATEMENT_CALLS, missing_octave, suggest_parameter, suggest_word,
};

/// Something that follows a whole statement.
pub(super) fn after_statement(cursor: &Cursor<'_>, is_assignment: bool) -> Box<Finding> {
    let at = cursor.pos();
    let range = found_range(cursor);
    let rest = cursor.rest();
    if rest.starts_with("/*") {
        return Finding::new(at..at + 2, Problem::Comment);
    }
    if let Some(odd) = cursor.peek_char().and_then(describe_odd_character) {
        return Finding::new(range, Problem::OddCharacter(odd));
    }
    if rest.starts_with(';') {
        let finding = Finding::new(at..at + 1, Problem::Semicolon);
        let mut behind = *cursor;
        behind.skip_char();
        skip_blanks(&mut behind);
        return if at_end_of_line(&behind) { finding.with_fix("") } else { finding };
    }
    if rest.starts_with([')', '(']) {
        return Finding::new(range, Problem::NoOperator);
    }
    if !is_assignment {
        return Finding::new(range, Problem::AfterStatement);
    }
    let compares = rest.starts_with(['<', '>', '=', '!', '&', '|']);
    Finding::new(range, if compares { Problem::ConditionOutside } else { Problem::NoOperator })
}

/// No operator behind a parameter: `velocity 80`, `velocity: 80`, `velocity -5`.
pub(super) fn missing_assignment(cursor: &Cursor<'_>, name: &str, start: usize) -> Box<Finding> {
    let at = cursor.pos();
    let rest = cursor.rest();
    if let Some(odd) = cursor.peek_char().and_then(describe_odd_character) {
        let end = at + cursor.peek_char().map_or(0, char::len_utf8);
        return Finding::new(at..end, Problem::OddCharacter(odd));
    }
    let found = if at_end_of_line(cursor) { at..at } else { found_range(cursor) };
    if rest.starts_with(['<', '>', '!']) || rest.starts_with("==") {
        let mut line = *cursor;
        line.seek(start);
        let finding = Finding::new(found, Problem::ConditionOutside);
        let property = if name == "timing" { "start" } else { name };
        let meant =
            first_colon(&line).map(|colon| (colon, format!("where(note.{property} {})", text_until(cursor, colon))));
        return match meant {
            Some((colon, meant)) => finding.replacing(start..colon, meant),
            None => finding,
        };
    }
    let finding = Finding::new(found, Problem::Operator);
    let mut ahead = *cursor;
    if cursor.peek() == Some(b':') {
        return finding.replacing(at..at + 1, "=");
    }
    for sign in ["+", "-", "*", "/"] {
        if ahead.eat(sign) {
            // `+ = 10`, else `-5`: what is to be added or taken away.
            ahead.eat_while(b" \t");
            ahead.eat("=");
            ahead.eat_while(b" \t");
            return finding.replacing(at..ahead.pos(), format!("{sign}= "));
        }
    }
    finding.replacing(at..at, "= ")
}

/// Where the line's first colon is.
fn first_colon(cursor: &Cursor<'_>) -> Option<usize> {
    let line = cursor.rest().split(['\r', '\n']).next().unwrap_or("");
    line.find(':').map(|at| cursor.pos() + at)
}

/// The text from the cursor up to a place, without the blanks around it.
fn text_until<'a>(cursor: &Cursor<'a>, end: usize) -> &'a str {
    slice(cursor.rest(), ..end.saturating_sub(cursor.pos())).trim()
}

/// A condition that stands where a selector stands, without its `where(...)`.
fn condition_outside(cursor: Cursor<'_>, name: &str) -> Option<Box<Finding>> {
    let at = cursor.pos();
    let mut ahead = cursor;
    ahead.seek(at + name.len());
    let is_value = matches!(name, "note" | "next" | "clip");
    if is_value && ahead.peek() != Some(b'.') {
        return None;
    }
    let finding = Finding::new(at..at + name.len(), Problem::ConditionOutside);
    if name == "if" {
        skip_blanks(&mut ahead);
        if ahead.peek() == Some(b'(') {
            return Some(finding.with_fix("where"));
        }
    }
    let colon = first_colon(&cursor)?;
    let inside = text_until(if is_value { &cursor } else { &ahead }, colon);
    let compares = inside.contains(['<', '>']) || inside.contains("==") || inside.contains("!=");
    compares.then(|| finding.replacing(at..colon, format!("where({inside})")))
}

/// Something behind a short form that makes it unreadable; `start` is where the short form begins.
pub(super) fn behind_shorthand(cursor: &Cursor<'_>, start: usize, body: &Body) -> Option<Box<Finding>> {
    let end = cursor.pos();
    let written = cursor.since(start);
    if cursor.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'|' | b'=')) {
        return Some(Finding::new(start..found_range(cursor).end, Problem::Shorthand));
    }
    let mut ahead = *cursor;
    skip_blanks(&mut ahead);
    let rest = ahead.rest();
    let code = match body {
        Body::Assign { value, .. } => value.code.as_slice(),
        _ => &[],
    };
    if matches!(code, [Op::Pitch(_)]) && rest.starts_with('=') && !rest.starts_with("==") {
        return Some(Finding::new(start..end, Problem::SelectorColon).replacing(end..ahead.pos() + 1, ":"));
    }
    if rest.starts_with("/*") || !rest.starts_with(['+', '-', '*', '/', '%']) {
        return None;
    }
    if matches!(code, [Op::Bars(_)]) && rest.starts_with(['+', '-']) {
        let sign = slice(rest, ..1);
        let mut offset = ahead;
        offset.skip_char();
        offset.eat_while(b" \t");
        if offset.eat("n") && offset.note_fraction().is_some() {
            let mut before = ahead;
            before.skip_char();
            before.eat_while(b" \t");
            return Some(Finding::new(found_range(&ahead), Problem::SpacedLength).replacing(end..before.pos(), sign));
        }
    }
    Some(Finding::new(found_range(&ahead), Problem::ArithmeticAfterShorthand(written.to_owned())))
}

/// `v1.5`: a short form with a fraction; `cursor` is behind its whole part.
pub(super) fn fractional_velocity(cursor: &Cursor<'_>, start: usize, assign: Assign) -> Option<Box<Finding>> {
    if cursor.peek() != Some(b'.') || !cursor.peek_ahead(1).is_some_and(|b| b.is_ascii_digit()) {
        return None;
    }
    let (written, operator) = match assign {
        Assign::Add => (start + 2, "+="),
        Assign::Subtract => (start + 2, "-="),
        _ => (start + 1, "="),
    };
    let mut whole = *cursor;
    whole.seek(written);
    number(&mut whole)?;
    let value = whole.since(written);
    Some(Finding::new(start..whole.pos(), Problem::WholeVelocity).with_fix(format!("velocity {operator} {value}")))
}

/// A line that starts with nothing known.
pub(super) fn unknown_statement(cursor: Cursor<'_>, name: &str) -> Box<Finding> {
    let at = cursor.pos();
    if cursor.rest().starts_with("/*") {
        return Finding::new(at..at + 2, Problem::Comment);
    }
    if let Some(odd) = cursor.peek_char().and_then(describe_odd_character) {
        return Finding::new(found_range(&cursor), Problem::OddCharacter(odd));
    }
    if name.is_empty() {
        let range = found_range(&cursor);
        if cursor.peek() == Some(b';') {
            return Finding::new(at..at + 1, Problem::Semicolon);
        }
        return Finding::new(range, Problem::Statement);
    }
    let range = at..at + name.len();
    let mut ahead = cursor;
    ahead.seek(range.end);
    if matches!(name, "if" | "note" | "next" | "clip")
        && let Some(finding) = condition_outside(cursor, name)
    {
        return finding;
    }
    if name == "note" && ahead.peek() == Some(b'.') {
        ahead.skip_char();
        let property = word(&mut ahead);
        let finding = Finding::new(at..ahead.pos(), Problem::Parameter);
        return match suggest_parameter(property) {
            Some(meant) => finding.with_fix(meant),
            None => finding,
        };
    }
    let behind = ahead;
    skip_blanks(&mut ahead);
    if assign(&mut ahead.clone()).is_none()
        && let Some(finding) = missing_octave(&behind, name, range.clone())
    {
        // Which octave is not to be guessed.
        return Finding { replacement: None, ..*finding }.into();
    }
    let assigned = assign(&mut ahead.clone()).is_some() || ahead.peek() == Some(b':');
    if !assigned {
        let short_form = name.starts_with('n')
            && cursor.rest().get(1..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '/'));
        if short_form {
            let zero = cursor.rest().contains("/0");
            return Finding::new(
                found_range(&cursor),
                if zero { Problem::ZeroDenominator } else { Problem::NoDenominator },
            );
        }
        let meant = suggest_parameter(name).is_some_and(|meant| meant.eq_ignore_ascii_case(name));
        if !meant {
            let finding = Finding::new(range, Problem::Statement);
            let calls = ahead.peek() == Some(b'(');
            return match name {
                _ if calls => match suggest_word(name, STATEMENT_CALLS) {
                    Some(meant) => finding.with_fix(meant),
                    None => finding,
                },
                "del" | "remove" => finding.with_fix("delete"),
                _ => match (suggest_word(name, ["delete"]), closest_word(name, PARAMETER_NAMES)) {
                    (Some(meant), _) => finding.with_fix(meant),
                    (None, Some(meant)) if !at_end_of_line(&ahead) => finding.with_fix(format!("{meant} =")),
                    _ => finding,
                },
            };
        }
    }
    let finding = Finding::new(range, Problem::Parameter);
    match suggest_parameter(name) {
        Some(meant) => finding.with_fix(meant),
        None => finding,
    }
}

//! What was meant where no value or operator can be read.

use super::super::code::{Binary, FUNCTIONS};
use super::super::pieces::{at_end_of_line, piece, word};
use super::super::problem::{Finding, OPERATIONS, PARAMETER_NAMES, Problem, no_octave};
use super::{Open, Reader};
use crate::music::text::Cursor;
use crate::notation::error::odd_character;
use crate::notation::meant::slip_of;
use std::ops::Range;

impl Reader<'_> {
    /// A word alone that is no value.
    pub(super) fn bare(&self, name: &str, range: Range<usize>) -> Box<Finding> {
        if matches!(name, "pi" | "PI" | "tau" | "TAU") {
            return Finding::new(range, Problem::Pi);
        }
        if let Some((operation, form)) = OPERATIONS.iter().find(|(known, _)| *known == name) {
            return Finding::new(range, Problem::OperationAsValue(operation, form));
        }
        if FUNCTIONS.iter().any(|(known, ..)| *known == name) {
            return Finding::new(range, Problem::NoArguments);
        }
        if name == "not" && self.in_where {
            return Finding::new(range, Problem::AndOr).rather("!");
        }
        if matches!(name, "sync" | "raw") {
            return Finding::new(range, Problem::Keyword);
        }
        let is_note_value = matches!(name, "velocity" | "pitch" | "duration" | "probability" | "deviation" | "start");
        if is_note_value || PARAMETER_NAMES.contains(&name) {
            let problem = if self.in_where { Problem::MissingNote } else { Problem::Namespace };
            let property = if name == "timing" { "start" } else { name };
            return Finding::new(range, problem).rather(format!("note.{property}"));
        }
        let mut rest = name.chars();
        let first = rest.next().unwrap_or(' ');
        let digits = rest.as_str();
        if name == "delete" || first == 'v' && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            let finding = Finding::new(range, Problem::ShorthandAsValue(name.to_owned()));
            // A range has no number that would stand for it.
            return match name {
                "delete" => finding.rather("0"),
                _ if self.cursor.peek() == Some(b'-') => finding,
                _ => finding.rather(digits),
            };
        }
        if first == 'n' && (digits.is_empty() || digits.bytes().all(|b| b.is_ascii_digit())) {
            let after = self.cursor.rest();
            if after.starts_with("/0") {
                return Finding::new(range.start..range.end + 2, Problem::ZeroDenominator);
            }
            if after.starts_with('/') {
                return Finding::new(range.start..range.end + 1, Problem::NoDenominator);
            }
            return Finding::new(range, Problem::NoDenominator).rather(format!("n/{digits}"));
        }
        if let Some(finding) = no_octave(&self.cursor, name, range.clone()) {
            return finding;
        }
        // Last of all, a slip.
        if matches!(self.open.last(), Some(Open::Call { count: 1.., .. }))
            && let Some(keyword) = slip_of(name, ["sync", "raw"])
        {
            return Finding::new(range, Problem::Keyword).rather(keyword);
        }
        let values = ["velocity", "pitch", "duration", "probability", "deviation", "start"];
        let finding = Finding::new(range, Problem::Value);
        match slip_of(name, values) {
            Some(property) => finding.rather(format!("note.{property}")),
            None => finding,
        }
    }

    /// Nothing that a value could start with.
    pub(super) fn nothing(&self, at: usize) -> Box<Finding> {
        let text = self.cursor;
        if text.rest().starts_with("/*") {
            return Finding::new(at..at + 2, Problem::Comment);
        }
        if let Some(odd) = text.peek_char().and_then(odd_character) {
            let end = at + text.peek_char().map_or(0, char::len_utf8);
            return Finding::new(at..end, Problem::Odd(odd));
        }
        let after = match self.open.last() {
            Some(Open::Binary(operator, _)) => Some(operator_text(*operator).to_owned()),
            Some(Open::Not(_)) => Some("!".to_owned()),
            Some(Open::Group { .. }) => Some("(".to_owned()),
            Some(Open::Call { count: 0, .. }) => Some("(".to_owned()),
            Some(Open::Call { .. }) => Some(",".to_owned()),
            None => None,
        };
        let end = if at_end_of_line(&text) { at } else { piece(&text).end };
        let problem = match after {
            Some(after) if after == "%" => Problem::NothingAfterModulo,
            Some(after) => Problem::NothingAfter(after),
            None if end == at => Problem::NothingAfter(if self.in_where { "(" } else { "=" }.to_owned()),
            None => Problem::Value,
        };
        Finding::new(at..end, problem)
    }

    /// Something in brackets that is no operator.
    pub(super) fn unexpected(&self) -> Box<Finding> {
        let at = self.cursor.at();
        if self.cursor.rest().starts_with("/*") {
            return Finding::new(at..at + 2, Problem::Comment);
        }
        let range = piece(&self.cursor);
        match self.cursor.peek_char().and_then(odd_character) {
            Some(odd) => Finding::new(range, Problem::Odd(odd)),
            None => Finding::new(range, Problem::NoOperator),
        }
    }
}

fn operator_text(operator: Binary) -> &'static str {
    match operator {
        Binary::Or => "||",
        Binary::And => "&&",
        Binary::AtLeast => ">=",
        Binary::AtMost => "<=",
        Binary::Equal => "==",
        Binary::Unequal => "!=",
        Binary::Above => ">",
        Binary::Below => "<",
        Binary::Plus => "+",
        Binary::Minus => "-",
        Binary::Times => "*",
        Binary::Divided => "/",
        Binary::Modulo => "%",
    }
}

/// `:0t` behind a number: bars and a length as they were once written.
pub(super) fn old_period(cursor: &Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(":") && !ahead.digits().is_empty() && ahead.eat("t")
}

/// A value with something glued to its end.
pub(super) fn torn(cursor: Cursor<'_>, at: usize) -> Box<Finding> {
    let mut ahead = cursor;
    let head = cursor.since(at);
    let tail = word(&mut ahead);
    let whole = at..ahead.at();
    if ahead.peek() == Some(b'|') {
        let end = piece(&ahead).end;
        return Finding::new(at..end, Problem::Value);
    }
    if head.contains('/') && tail.starts_with("bar") {
        return Finding::new(whole, Problem::MixedLength);
    }
    if old_period(&cursor) {
        return Finding::new(at..piece(&cursor).end, Problem::OldLength);
    }
    if matches!(tail, "t" | "d") && head.bytes().all(|b| b.is_ascii_digit()) {
        return Finding::new(whole, Problem::OldLength);
    }
    Finding::new(cursor.at()..ahead.at(), Problem::NoOperator)
}

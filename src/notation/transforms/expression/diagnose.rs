//! What was meant where no value or operator can be read.

use super::reader::{ExpressionReader, Open};
use crate::music::text::Cursor;
use crate::notation::closest_word::closest_word;
use crate::notation::error::describe_odd_character;
use crate::notation::transforms::code::{BinaryOperator, FUNCTIONS};
use crate::notation::transforms::lexemes::{at_end_of_line, found_range, word};
use crate::notation::transforms::problem::{Finding, OPERATIONS, Problem};
use crate::notation::transforms::suggestions::{PARAMETER_NAMES, missing_octave};
use std::ops::Range;

impl ExpressionReader<'_> {
    /// A word alone that is no value.
    pub(super) fn unknown_name(&self, name: &str, range: Range<usize>) -> Box<Finding> {
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
            return Finding::new(range, Problem::AndOr).with_fix("!");
        }
        if matches!(name, "sync" | "raw") {
            return Finding::new(range, Problem::Keyword);
        }
        let is_note_value = matches!(name, "velocity" | "pitch" | "duration" | "probability" | "deviation" | "start");
        if is_note_value || PARAMETER_NAMES.contains(&name) {
            let problem = if self.in_where { Problem::MissingNote } else { Problem::Namespace };
            let property = if name == "timing" { "start" } else { name };
            return Finding::new(range, problem).with_fix(format!("note.{property}"));
        }
        let mut rest = name.chars();
        let first = rest.next().unwrap_or(' ');
        let digits = rest.as_str();
        if name == "delete" || first == 'v' && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
            let finding = Finding::new(range, Problem::ShorthandAsValue(name.to_owned()));
            // A range has no number that would stand for it.
            return match name {
                "delete" => finding.with_fix("0"),
                _ if self.cursor.peek() == Some(b'-') => finding,
                _ => finding.with_fix(digits),
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
            return Finding::new(range, Problem::NoDenominator).with_fix(format!("n/{digits}"));
        }
        if let Some(finding) = missing_octave(&self.cursor, name, range.clone()) {
            return finding;
        }
        // Last of all, a slip.
        if matches!(self.open.last(), Some(Open::Call { count: 1.., .. }))
            && let Some(keyword) = closest_word(name, ["sync", "raw"])
        {
            return Finding::new(range, Problem::Keyword).with_fix(keyword);
        }
        let values = ["velocity", "pitch", "duration", "probability", "deviation", "start"];
        let finding = Finding::new(range, Problem::Value);
        match closest_word(name, values) {
            Some(property) => finding.with_fix(format!("note.{property}")),
            None => finding,
        }
    }

    /// Nothing that a value could start with.
    pub(super) fn missing_value(&self, at: usize) -> Box<Finding> {
        let text = self.cursor;
        if text.rest().starts_with("/*") {
            return Finding::new(at..at + 2, Problem::Comment);
        }
        if let Some(odd) = text.peek_char().and_then(describe_odd_character) {
            let end = at + text.peek_char().map_or(0, char::len_utf8);
            return Finding::new(at..end, Problem::OddCharacter(odd));
        }
        let after = match self.open.last() {
            Some(Open::Binary(operator, _)) => Some(operator_text(*operator).to_owned()),
            Some(Open::Not(_)) => Some("!".to_owned()),
            Some(Open::Group { .. }) => Some("(".to_owned()),
            Some(Open::Call { count: 0, .. }) => Some("(".to_owned()),
            Some(Open::Call { .. }) => Some(",".to_owned()),
            None => None,
        };
        let end = if at_end_of_line(&text) { at } else { found_range(&text).end };
        let problem = match after {
            Some(after) if after == "%" => Problem::NothingAfterModulo,
            Some(after) => Problem::NothingAfter(after),
            None if end == at => Problem::NothingAfter(if self.in_where { "(" } else { "=" }.to_owned()),
            None => Problem::Value,
        };
        Finding::new(at..end, problem)
    }

    /// Something in brackets that is no operator.
    pub(super) fn unexpected_operator(&self) -> Box<Finding> {
        let at = self.cursor.pos();
        if self.cursor.rest().starts_with("/*") {
            return Finding::new(at..at + 2, Problem::Comment);
        }
        let range = found_range(&self.cursor);
        match self.cursor.peek_char().and_then(describe_odd_character) {
            Some(odd) => Finding::new(range, Problem::OddCharacter(odd)),
            None => Finding::new(range, Problem::NoOperator),
        }
    }
}

fn operator_text(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Or => "||",
        BinaryOperator::And => "&&",
        BinaryOperator::AtLeast => ">=",
        BinaryOperator::AtMost => "<=",
        BinaryOperator::Equal => "==",
        BinaryOperator::Unequal => "!=",
        BinaryOperator::Above => ">",
        BinaryOperator::Below => "<",
        BinaryOperator::Plus => "+",
        BinaryOperator::Minus => "-",
        BinaryOperator::Times => "*",
        BinaryOperator::Divided => "/",
        BinaryOperator::Modulo => "%",
    }
}

/// `:0t` behind a number: bars and a length as they were once written.
pub(super) fn old_period(cursor: &Cursor<'_>) -> bool {
    let mut ahead = *cursor;
    ahead.eat(":") && !ahead.digits().is_empty() && ahead.eat("t")
}

/// A value with something glued to its end.
pub(super) fn glued_to_value(cursor: Cursor<'_>, at: usize) -> Box<Finding> {
    let mut ahead = cursor;
    let head = cursor.since(at);
    let tail = word(&mut ahead);
    let whole = at..ahead.pos();
    if ahead.peek() == Some(b'|') {
        let end = found_range(&ahead).end;
        return Finding::new(at..end, Problem::Value);
    }
    if head.contains('/') && tail.starts_with("bar") {
        return Finding::new(whole, Problem::MixedLength);
    }
    if old_period(&cursor) {
        return Finding::new(at..found_range(&cursor).end, Problem::OldLength);
    }
    if matches!(tail, "t" | "d") && head.bytes().all(|b| b.is_ascii_digit()) {
        return Finding::new(whole, Problem::OldLength);
    }
    Finding::new(cursor.pos()..ahead.pos(), Problem::NoOperator)
}

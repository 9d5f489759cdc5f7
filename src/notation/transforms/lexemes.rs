//! The smallest pieces of a line: blanks, words, lengths, numbers.

use super::code::Op;
use super::problem::{Finding, Problem};
use crate::music::text::Cursor;
use crate::notation::comments::comment_length;
use std::ops::Range;

/// Blanks and comments within a line. A comment that is never closed is left standing.
pub(super) fn skip_blanks(cursor: &mut Cursor<'_>) {
    loop {
        cursor.eat_while(b" \t");
        match comment_length(cursor.rest()) {
            Some(length) => cursor.seek(cursor.pos() + length),
            None => return,
        }
    }
}

/// A word of letters and digits that starts with a letter.
pub(super) fn word<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let start = cursor.pos();
    if cursor.peek().is_some_and(|b| b.is_ascii_alphabetic()) {
        while cursor.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_') {
            cursor.skip_char();
        }
    }
    cursor.since(start)
}

/// Some characters from here on, for a message.
pub(super) fn found_range(cursor: &Cursor<'_>) -> Range<usize> {
    let rest = cursor.rest();
    let mut ends = rest.char_indices().skip(1);
    let end =
        ends.find(|(_, c)| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';' | ':' | '+' | '*' | '=' | '<' | '>'));
    cursor.pos()..cursor.pos() + end.map_or(rest.len(), |(at, _)| at)
}

pub(super) fn at_end_of_line(cursor: &Cursor<'_>) -> bool {
    matches!(cursor.peek(), None | Some(b'\r' | b'\n'))
}

/// Whether the condition before the cursor was forgotten to be closed: it stands at the colon, or no `)` follows on the
/// line.
pub(super) fn never_closed(cursor: &Cursor<'_>) -> bool {
    let line = cursor.rest().split(['\r', '\n']).next().unwrap_or("");
    line.starts_with(':') || !line.contains(')')
}

/// A `(` of a condition that is still open at the cursor, closed before the colon if it stands at one.
pub(super) fn not_closed(open: Range<usize>, cursor: &Cursor<'_>) -> Box<Finding> {
    let at = cursor.pos();
    let finding = Finding::new(open, Problem::NotClosed);
    if cursor.peek() == Some(b':') { finding.replacing(at..at, ")") } else { finding }
}

/// A note value or bar count, without its sign.
pub(super) fn length(cursor: &mut Cursor<'_>) -> Option<Op> {
    let bars = cursor.attempt(|c| {
        c.eat("n");
        let bars = c.positive_integer()?;
        c.bar_word().then_some(Op::Bars(bars))
    });
    bars.or_else(|| cursor.attempt(|c| if c.eat("n") { c.note_fraction().map(Op::NoteValue) } else { None }))
}

/// A number without its sign: `7`, `7.`, `7.5`, `.5`.
pub(super) fn number(cursor: &mut Cursor<'_>) -> Option<f64> {
    cursor.decimal().or_else(|| {
        cursor.attempt(|c| {
            let start = c.pos();
            (c.eat(".") && !c.digits().is_empty()).then(|| c.since(start).parse().ok()).flatten()
        })
    })
}

/// A time such as `15ms`, without its sign.
pub(super) fn milliseconds(cursor: &mut Cursor<'_>) -> Option<f64> {
    cursor.attempt(|c| {
        let value = number(c)?;
        let ends = |c: &Cursor<'_>| !c.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_');
        (c.eat("ms") && ends(c)).then_some(value)
    })
}

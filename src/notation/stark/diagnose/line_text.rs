//! Words and characters of a line, and whether a line can be read.

use crate::music::text::slice;
use crate::notation::error::{describe_odd_character, looks_blank};
use crate::notation::stark::problem::{Finding, Problem};
use crate::notation::stark::tokens::is_readable;

/// Fixes for longer lines than this are not tried.
pub(super) const LONGEST_FIX_BYTES: usize = 400;
/// A line that is offered as a fix is cut to this many characters.
const SHOWN_LINE_CHARS: usize = 32;

pub(super) fn line_end(text: &str, from: usize) -> usize {
    text.get(from..).and_then(|rest| rest.find(['\r', '\n'])).map_or(text.len(), |length| from + length)
}

/// The characters from a place up to a blank of any kind, a line's end or a bar line.
pub(super) fn word_at(text: &str, start: usize) -> &str {
    let rest = slice(text, start..);
    rest.split(|c| matches!(c, ' ' | '\t' | '\r' | '\n' | '|') || looks_blank(c)).next().unwrap_or("")
}

/// A character that no line has. What touches it is passed over with it, but for what stands behind a blank.
pub(super) fn odd_character_at(text: &str, at: usize) -> Option<Finding> {
    let c = text.get(at..)?.chars().next().filter(|c| !matches!(c, '\u{266f}' | '\u{266d}'))?;
    let problem = Problem::OddCharacter(describe_odd_character(c)?);
    let behind = at + c.len_utf8();
    let (fix, resume) = match c {
        '\u{2019}' | '\u{2018}' | '\u{2032}' => (Some("'".to_owned()), behind),
        c if c.is_whitespace() => (None, behind),
        _ => (None, behind + word_at(text, behind).len()),
    };
    Some(Finding { at, found: c.to_string(), problem, fix, resume })
}

/// The first character from `start` to `end` that is invisible or looks like a blank, or is a typographic apostrophe.
pub(super) fn odd_character_within(text: &str, start: usize, end: usize) -> Option<Finding> {
    let odd = |c| looks_blank(c) || matches!(c, '\u{2019}' | '\u{2018}' | '\u{2032}');
    odd_character_at(text, start + text.get(start..end)?.find(odd)?)
}

pub(super) fn is_readable_line(line: &str) -> bool {
    line.len() <= LONGEST_FIX_BYTES && is_readable(line)
}

pub(super) fn shortened_line(line: &str) -> String {
    if line.chars().count() <= SHOWN_LINE_CHARS {
        return line.to_owned();
    }
    let mut cut: String = line.chars().take(SHOWN_LINE_CHARS).collect();
    cut.push('\u{2026}');
    cut
}

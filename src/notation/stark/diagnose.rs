//! What was probably meant by something that cannot be read.
//!
//! Nothing here changes what is accepted, and a fix is only offered if it can be read. Findings of one text come in the
//! order of their places: none looks back past the one before.

mod chord;
mod header;
mod token;

use super::pieces::header as read_header;
pub(super) use super::problem::Finding;
use super::problem::Problem;
use super::read::{Kind, is_readable};
use crate::music::text::Cursor;
use crate::notation::error::{is_unseen, odd_character};
pub(super) use header::header;

/// Fixes for longer lines than this are not tried.
const LONGEST_FIX_BYTES: usize = 400;
/// A line that is offered as a fix is cut to this many characters.
const SHOWN_LINE_CHARS: usize = 32;

/// Where in a line something cannot be read.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    /// Where the tokens start that nothing was found wrong with.
    pub from: usize,
    /// The last of these tokens.
    pub previous: Option<usize>,
    pub at: usize,
    pub kind: Kind,
}

impl Spot {
    /// Whether a token can be read on this kind of line.
    fn reads(self, token: &str) -> bool {
        let header = match self.kind {
            Kind::Drum(_) => "kick",
            Kind::Line(_) => "melody",
            Kind::Chords => "chords",
        };
        readable_line(&format!("{header}: {token}"))
    }
}

fn line_end(text: &str, from: usize) -> usize {
    text.get(from..).and_then(|rest| rest.find(['\r', '\n'])).map_or(text.len(), |length| from + length)
}

/// The characters from a place up to a blank of any kind, a line's end or a bar line.
fn word_at(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or("");
    rest.split(|c| matches!(c, ' ' | '\t' | '\r' | '\n' | '|') || is_unseen(c)).next().unwrap_or("")
}

/// A character that no line has. What touches it is passed over with it, but for what stands behind a blank.
fn odd_at(text: &str, at: usize) -> Option<Finding> {
    let c = text.get(at..)?.chars().next().filter(|c| !matches!(c, '\u{266f}' | '\u{266d}'))?;
    let problem = Problem::Odd(odd_character(c)?);
    let behind = at + c.len_utf8();
    let (fix, resume) = match c {
        '\u{2019}' | '\u{2018}' | '\u{2032}' => (Some("'".to_owned()), behind),
        c if c.is_whitespace() => (None, behind),
        _ => (None, behind + word_at(text, behind).len()),
    };
    Some(Finding { at, found: c.to_string(), problem, fix, resume })
}

/// The first character of `range` that looks like nothing or like a blank, or is an apostrophe of print.
fn odd_within(text: &str, start: usize, end: usize) -> Option<Finding> {
    let odd = |c| is_unseen(c) || matches!(c, '\u{2019}' | '\u{2018}' | '\u{2032}');
    odd_at(text, start + text.get(start..end)?.find(odd)?)
}

fn readable_line(line: &str) -> bool {
    line.len() <= LONGEST_FIX_BYTES && is_readable(line)
}

fn cut(line: &str) -> String {
    if line.chars().count() <= SHOWN_LINE_CHARS {
        return line.to_owned();
    }
    let mut cut: String = line.chars().take(SHOWN_LINE_CHARS).collect();
    cut.push('\u{2026}');
    cut
}

/// What is wrong in the tokens of a line.
pub(super) fn content(text: &str, spot: Spot) -> Finding {
    let Spot { from, at, kind, .. } = spot;
    if let Some(odd) = odd_at(text, at) {
        return odd;
    }
    if let Some(finding) = header_inside(text, from, at) {
        return finding;
    }
    let word = word_at(text, at);
    let pitched = !matches!(kind, Kind::Drum(_));
    match word.bytes().next() {
        Some(b'[') if pitched => return stack(text, at),
        Some(b'(' | b'<') if pitched => {
            if let Some(finding) = brackets(text, spot) {
                return finding;
            }
        }
        _ => {}
    }
    if let Some(finding) = token::behind_another(text, spot, word).or_else(|| token::rest(text, spot, word)) {
        return finding;
    }
    if kind == Kind::Chords && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return chord::chord(text, at, word);
    }
    token::unknown(at, word, kind)
}

/// A header in the middle of a line, whose first letters were read as tokens or which no one knows.
fn header_inside(text: &str, from: usize, at: usize) -> Option<Finding> {
    let end = line_end(text, at);
    let before = text.get(from..at)?;
    let word_start = from + before.rfind([' ', '\t', '|']).map_or(0, |blank| blank + 1);
    let line = text.get(word_start..end)?;
    let colon = line.find([':', '|'])?;
    if !line.get(colon..)?.starts_with(':') {
        return None;
    }
    let word = line.get(..colon)?.trim_end();
    let name = word.split([' ', '\t', '/']).next().unwrap_or("");
    let length = word.get(name.len()..)?.trim_start();
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '#' | '-' | '\u{266f}' | '\u{266d}'));
    let is_length =
        length.is_empty() || length.starts_with('/') && length.bytes().all(|b| b"/.t0123456789".contains(&b));
    if name.is_empty() || !is_name || !is_length {
        return None;
    }
    let known = read_header(&mut Cursor::new(line)).is_some();
    let found = line.get(..=colon)?.to_owned();
    let finding = |problem, fix| Finding { at: word_start, found: found.clone(), problem, fix, resume: end };
    Some(if known {
        finding(Problem::NewLine(found.clone()), None)
    } else {
        finding(Problem::Header, header::meant(name, line.get(name.len()..)?))
    })
}

fn stack(text: &str, at: usize) -> Finding {
    let line = text.get(at..line_end(text, at)).unwrap_or("");
    let Some(close) = line.find(']') else {
        // What stands behind it is read on its own, but for more of the same.
        let more = line.bytes().take_while(|b| b"[ \t".contains(b)).count();
        return Finding { at, found: "[".to_owned(), problem: Problem::NotClosed, fix: None, resume: at + more };
    };
    let whole = line.get(..=close).unwrap_or("");
    let resume = at + close + 1 + word_at(line, close + 1).len();
    if let Some(odd) = odd_within(text, at, at + close) {
        return Finding { resume, ..odd };
    }
    let spaced = whole.replace([',', '|'], " ");
    let fix = Some(spaced).filter(|fix| fix != whole && readable_line(&format!("melody: {fix}")));
    Finding { at, found: whole.to_owned(), problem: Problem::Stack, fix, resume }
}

/// Notes in brackets of another shape. With a repeat behind them they may be meant one after the other.
fn brackets(text: &str, spot: Spot) -> Option<Finding> {
    let at = spot.at;
    let line = text.get(at..line_end(text, at))?;
    let close = line.find([')', '>'])?;
    let behind = word_at(line, close + 1);
    let fix = format!("[{}]", line.get(1..close)?);
    if behind.contains('*') || !spot.reads(&fix) {
        return None;
    }
    let found = line.get(..=close)?.to_owned();
    // A comma may be meant to stand between notes or to put one an octave down.
    let fix = Some(fix).filter(|fix| !fix.contains(','));
    Some(Finding { at, found, problem: Problem::Brackets, fix, resume: at + close + 1 + behind.len() })
}

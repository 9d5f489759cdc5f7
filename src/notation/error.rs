//! Refusals: where in the text, what is there, what is wrong, what was probably meant.

use super::limits::{MAX_NOTES, MAX_TEXT_BYTES, MAX_TRANSFORM_LINES};
use crate::music::text::slice;
use std::fmt;

/// Mistakes beyond this many are not looked for.
pub(crate) const MAX_MISTAKES: usize = 10;
/// A found text longer than this many characters is cut.
const SHOWN_CHARS: usize = 24;

/// Why a text (or array) of notes was refused as a whole.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotationError {
    #[error(
        "the text is {bytes} bytes long; one text may hold {MAX_TEXT_BYTES} bytes (1 MiB). Write it in several calls"
    )]
    TextTooLong { bytes: usize },
    #[error("the notes are more than {MAX_NOTES}, the most that one text may write. Write them in several calls")]
    TooManyNotes,
    #[error("the transforms would leave more than {MAX_NOTES} notes, the most that one call may write to a clip")]
    TooManyTransformed,
    #[error(
        "the transforms are more than {MAX_TRANSFORM_LINES} lines, the most that one text may hold. Send them in several calls"
    )]
    TooManyLines,
    #[error(
        "these transforms would take too long, and nothing was changed: their lines, times the notes that each touches, times the \
         length of its values, come to more than 25 million steps for one clip. Send fewer or shorter lines in one call"
    )]
    TooMuchWork,
    #[error(
        "line {line} would put notes of {pitches} different pitches onto {end}, the end of the range, and nothing was \
         changed: shift them by less, or move the notes that go beyond it in a line of their own"
    )]
    FoldsPitches { line: usize, pitches: usize, end: &'static str },
    #[error(
        "the notes are written in {other}, and the notation in use is {notation}: write them in {notation}, or send the header \
         x-svc-notation: {other}"
    )]
    OtherNotation { notation: &'static str, other: &'static str },
    #[error("{notation}: the list has no note that can be used: {why}")]
    NoUsableNote { notation: &'static str, why: String },
    /// `more`: there may be mistakes that are not listed.
    #[error("{}", mistakes_text(notation, mistakes, *more))]
    Mistakes { notation: &'static str, mistakes: Vec<Mistake>, more: bool },
}

/// Where a mistake is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MistakePlace {
    /// In a text: line and column from 1, character from 0, all counted in characters.
    Text { line: usize, column: usize, character: usize },
    /// In an array: the element from 0, and the member in it.
    Element { index: usize, member: Option<String> },
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub place: MistakePlace,
    /// What stands there, cut to 24 characters; `None` where the line or the text ends.
    pub found: Option<String>,
    pub problem: String,
    /// What was probably meant; always something that can be read.
    pub fix: Option<String>,
}

impl MistakePlace {
    /// Where in its text, by characters; an array's mistakes come in order.
    pub(super) fn character(&self) -> usize {
        match self {
            MistakePlace::Text { character, .. } => *character,
            MistakePlace::Element { index, .. } => *index,
        }
    }
}

impl NotationError {
    /// How many mistakes are listed; other refusals count as one.
    pub(crate) fn mistake_count(&self) -> usize {
        match self {
            NotationError::Mistakes { mistakes, .. } => mistakes.len(),
            _ => 1,
        }
    }

    /// The first `most` of the mistakes.
    pub(crate) fn limited_to(mut self, most: usize) -> NotationError {
        if let NotationError::Mistakes { mistakes, more, .. } = &mut self {
            *more |= mistakes.len() > most;
            mistakes.truncate(most);
        }
        self
    }

    /// The mistakes of a reader that stops looking for them at [`MAX_MISTAKES`].
    pub(super) fn from_mistakes(notation: &'static str, mistakes: Vec<Mistake>) -> NotationError {
        let more = mistakes.len() >= MAX_MISTAKES;
        NotationError::Mistakes { notation, mistakes, more }
    }
}

impl Mistake {
    /// A mistake at a byte place of `text`, where `found` stands.
    pub(super) fn in_text(text: &str, at: usize, found: &str, problem: String, fix: Option<String>) -> Mistake {
        let (line, column) = LineCounter::new(text).line_and_column(at);
        let character = text.get(..at).unwrap_or(text).chars().count();
        Mistake { place: MistakePlace::Text { line, column, character }, found: shortened(found), problem, fix }
    }
}

/// A mistake as a reader finds it, and the byte where reading goes on.
pub(super) struct Finding<P> {
    pub at: usize,
    pub found: String,
    pub problem: P,
    pub fix: Option<String>,
    pub resume: usize,
}

impl<P: fmt::Display> Finding<P> {
    pub fn into_mistake(self, text: &str) -> Mistake {
        Mistake::in_text(text, self.at, &self.found, self.problem.to_string(), self.fix)
    }
}

/// The lines and columns of places in a text. Asked in the order of the text, all of them together take one walk
/// through it.
#[derive(Debug)]
pub(super) struct LineCounter<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    column: usize,
}

impl<'a> LineCounter<'a> {
    pub fn new(text: &'a str) -> LineCounter<'a> {
        LineCounter { text, at: 0, line: 1, column: 1 }
    }

    /// The line and the column of a byte place, both from 1. A line ends with `\n`, `\r\n`, or `\r` alone, as old Macs
    /// have it.
    pub fn line_and_column(&mut self, at: usize) -> (usize, usize) {
        if at < self.at {
            *self = LineCounter::new(self.text);
        }
        let chars = slice(self.text, self.at..at).chars();
        for c in chars {
            self.at += c.len_utf8();
            let returns = c == '\r' && self.text.as_bytes().get(self.at) != Some(&b'\n');
            (self.line, self.column) =
                if c == '\n' || returns { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        (self.line, self.column)
    }
}

/// A found text as a message shows it.
pub(super) fn shortened(found: &str) -> Option<String> {
    let mut chars = found.chars();
    let mut cut: String = chars.by_ref().take(SHOWN_CHARS).collect();
    if chars.next().is_some() {
        cut.push('\u{2026}');
    }
    (!cut.is_empty()).then_some(cut)
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            MistakePlace::Text { line, column, character } => {
                write!(f, "line {line}, column {column} (character {character}), ")?;
            }
            MistakePlace::Element { index, member: Some(member) } => {
                write!(f, "element {index}, member \"{member}\", ")?
            }
            MistakePlace::Element { index, member: None } => write!(f, "element {index}, ")?,
        }
        match &self.found {
            Some(found) => write!(f, "at \"{found}\": {}", self.problem)?,
            None => write!(f, "where the line ends: {}", self.problem)?,
        }
        match &self.fix {
            Some(fix) => write!(f, ". Did you mean {fix} ?"),
            None => Ok(()),
        }
    }
}

/// Arguments of transforms are wrong, too, where the grammar is not broken.
fn mistake_noun(notation: &str) -> String {
    if notation == "transforms" { "mistake".to_owned() } else { format!("{notation} syntax error") }
}

fn mistakes_text(notation: &str, mistakes: &[Mistake], more: bool) -> String {
    match mistakes {
        [one] if !more => format!("{} at {one}", mistake_noun(notation)),
        many => {
            let mut text = format!("{}s, nothing was written:", mistake_noun(notation));
            for mistake in many {
                text.push_str(&format!("\n- {mistake}"));
            }
            if more {
                text.push_str("\n- there may be more after these");
            }
            text
        }
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{ad}')
}

/// Whether a character is invisible or looks like a blank, and is none of the blanks that notations have.
pub(super) fn looks_blank(c: char) -> bool {
    !matches!(c, '\t' | '\n' | '\r' | ' ') && (is_invisible(c) || c.is_whitespace() || c.is_control())
}

/// A text with ASCII in place of characters that look alike: dashes, a multiplication sign, full-width letters.
pub(super) fn ascii_lookalikes(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '\u{d7}' => 'x',
            '\u{ff01}'..='\u{ff5e}' => u32::from(c).checked_sub(0xfee0).and_then(char::from_u32).unwrap_or(c),
            _ => c,
        })
        .collect()
}

/// The message about a character that is invisible, looks like a blank, or is used by no notation.
pub(super) fn describe_odd_character(found: char) -> Option<String> {
    let code = u32::from(found);
    let kind = match found {
        '\t' | '\n' | '\r' | ' ' => return None,
        c if is_invisible(c) => "an invisible character; remove it",
        c if c.is_whitespace() => "an unusual blank; write a normal space",
        c if c.is_control() => "a control character; remove it",
        c if !c.is_ascii() => "a character that means nothing here",
        _ => return None,
    };
    Some(format!("U+{code:04X} is {kind}"))
}

//! What was probably meant by something that cannot be read.
//!
//! Nothing here changes what is accepted, and a fix is only offered if it can be read.

use super::read::{BLANKS, Kind, class, header as read_header, header_word, is_readable, value};
use super::vocabulary::DRUMS;
use crate::music::text::Cursor;
use crate::notation::Mistake;
use crate::notation::error::odd_character;
use crate::notation::meant::slip_of;

/// Fixes for longer lines than this are not tried.
const LONGEST_FIX_BYTES: usize = 400;
/// A line that is offered as a fix is cut to this many characters.
const SHOWN_LINE_CHARS: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Problem {
    #[error("{0}")]
    Odd(String),
    #[error("this [ is never closed; add ] behind the last note of the stack")]
    NotClosed,
    #[error("a length is /1, /2, /4, /8 or /16, with a . behind it for a dotted or a t for a triplet one")]
    Value,
    #[error("a length has one . or t at most")]
    SecondModifier,
    #[error("a repeat is * and a count from 1, once, at the end of its token: X*4 or C/8*3")]
    Repeat,
    #[error("octave marks belong to each note inside the brackets: [C' E']")]
    StackOctave,
    #[error(
        "a stack [...] holds note letters with spaces between, such as [C Eb G']; its length, ! or ? and *N stand behind the ]"
    )]
    Stack,
    #[error("a line needs a colon behind its name")]
    NoColon,
    #[error("a new line is needed before {0}")]
    NewLine(String),
    #[error(
        "a line starts with melody, bass, chords, a pitch such as F#1, or a drum ({}), then a colon",
        DRUMS.map(|(long, _, _)| long).join(", ")
    )]
    Header,
    #[error("no chord is called that; chords look like C, Am7, F#dim, Bbmaj9, Gsus4 or D/F#, with spaces between them")]
    Chord,
    #[error("a drum line holds hits (X, ^ loud, x soft), rests (z) and bar lines (|), each perhaps with a length: X/8")]
    DrumToken,
    #[error("a melody or bass line holds notes (C, F#', Bb,), stacks ([C E G]), rests (z) and bar lines (|)")]
    LineToken,
    #[error("a chords line holds chord names (Am7), stacks ([C E G]), rests (z) and bar lines (|)")]
    ChordToken,
}

/// A mistake and where reading goes on.
pub(super) struct Finding {
    at: usize,
    found: String,
    problem: Problem,
    fix: Option<String>,
    pub resume: usize,
}

impl Finding {
    pub fn mistake(self, text: &str) -> Mistake {
        Mistake::in_text(text, self.at, &self.found, self.problem.to_string(), self.fix)
    }
}

fn line_end(text: &str, from: usize) -> usize {
    text.get(from..).and_then(|rest| rest.find(['\r', '\n'])).map_or(text.len(), |length| from + length)
}

/// The characters from a place up to a blank, a line's end or a bar line.
fn word_at(text: &str, start: usize) -> &str {
    let rest = text.get(start..).unwrap_or("");
    rest.split([' ', '\t', '\r', '\n', '|']).next().unwrap_or("")
}

fn odd_at(text: &str, at: usize) -> Option<Finding> {
    let c = text.get(at..)?.chars().next().filter(|c| !matches!(c, '\u{266f}' | '\u{266d}'))?;
    let problem = Problem::Odd(odd_character(c)?);
    Some(Finding { at, found: c.to_string(), problem, fix: None, resume: at + c.len_utf8() })
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

/// What is wrong at the start of a line.
pub(super) fn header(text: &str, start: usize) -> Finding {
    if let Some(odd) = odd_at(text, start) {
        return odd;
    }
    let end = line_end(text, start);
    let line = text.get(start..end).unwrap_or("");
    let mut cursor = Cursor::new(line);
    let finding = |at: usize, found: &str, problem, fix| {
        let found = if found.is_empty() { word_at(text, start) } else { found };
        Finding { at: start + at, found: found.to_owned(), problem, fix, resume: end }
    };
    if header_word(&mut cursor).is_some() {
        cursor.eat_while(BLANKS);
        if cursor.peek() == Some(b'/') && value(&mut cursor).is_none() {
            let word = word_at(line, cursor.at()).split(':').next().unwrap_or("");
            return finding(cursor.at(), word, Problem::Value, None);
        }
        let head = cursor.since(0).trim_end();
        let rest = cursor.rest();
        if let Some(after) = rest.strip_prefix(['.', 't'])
            && after.trim_start_matches(' ').starts_with(':')
        {
            return finding(cursor.at(), rest.get(..1).unwrap_or(""), Problem::SecondModifier, None);
        }
        let with_colon = format!("{head}: {}", rest.trim_start());
        if !rest.trim_start().starts_with(':') && readable_line(&with_colon) {
            return finding(0, head, Problem::NoColon, Some(cut(with_colon.trim_end())));
        }
    }
    let word_end = line.find([':', ' ', '\t', '/']).unwrap_or(line.len());
    let word = line.get(..word_end).unwrap_or("");
    let rest = line.get(word_end..).unwrap_or("");
    finding(0, word, Problem::Header, meant_header(word, rest))
}

/// A line with the header that `word` is a slip of, if it can be read.
fn meant_header(word: &str, rest: &str) -> Option<String> {
    let known = ["melody", "bass", "chords"].into_iter().chain(DRUMS.iter().map(|(long, _, _)| *long));
    let line = format!("{}{rest}", slip_of(word, known)?);
    readable_line(&line).then(|| cut(line.trim_end()))
}

/// What is wrong at `at`, in the tokens of a line that start at `start`.
pub(super) fn content(text: &str, start: usize, at: usize, kind: Kind) -> Finding {
    if let Some(odd) = odd_at(text, at) {
        return odd;
    }
    let word = word_at(text, at);
    let whole = |problem, fix| Finding { at, found: word.to_owned(), problem, fix, resume: at + word.len() };
    if let Some(finding) = header_inside(text, start, at) {
        return finding;
    }
    let before = text.get(start..at).unwrap_or("");
    let touches = !before.is_empty() && !before.ends_with([' ', '\t', '|']);
    match word.bytes().next() {
        Some(b'[') if !matches!(kind, Kind::Drum(_)) => return stack(text, at),
        Some(b'*') if touches => return whole(Problem::Repeat, None),
        Some(b'.' | b't') if touches && ends_with_value(before) => return whole(Problem::SecondModifier, None),
        Some(b',' | b'\'') if before.ends_with(']') => return whole(Problem::StackOctave, None),
        _ => {}
    }
    if kind == Kind::Chords && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return chord(text, at, word);
    }
    match word.bytes().next() {
        Some(b'/') if touches => return whole(Problem::Value, None),
        Some(b'0'..=b'9') if touches && ends_with_value(before) => {
            // `/12`, `/32`: the first digit alone is a length.
            return whole(Problem::Value, None);
        }
        _ => {}
    }
    let rest_was_meant = matches!(word, "." | "-" | "_" | "r" | "R");
    let fix = rest_was_meant.then(|| "z".to_owned());
    match kind {
        Kind::Drum(_) => {
            let fix = fix.or_else(|| matches!(word, "o" | "O" | "*" | "1").then(|| "X".to_owned()));
            whole(Problem::DrumToken, fix)
        }
        Kind::Line(_) => whole(Problem::LineToken, fix),
        Kind::Chords => whole(Problem::ChordToken, fix),
    }
}

/// Whether the last thing of a text is a length.
fn ends_with_value(before: &str) -> bool {
    let tail = before.trim_end_matches(['.', 't']);
    let digits = tail.trim_end_matches(|c: char| c.is_ascii_digit());
    digits.len() < tail.len() && digits.ends_with('/')
}

/// A header in the middle of a line, whose first letters were read as tokens or which no one knows.
fn header_inside(text: &str, start: usize, at: usize) -> Option<Finding> {
    let end = line_end(text, at);
    let before = text.get(start..at)?;
    let word_start = start + before.rfind([' ', '\t', '|']).map_or(0, |blank| blank + 1);
    let line = text.get(word_start..end)?;
    let colon = line.find([':', '|'])?;
    if !line.get(colon..)?.starts_with(':') {
        return None;
    }
    let word = line.get(..colon)?.trim_end();
    let name = word.split([' ', '\t', '/']).next().unwrap_or("");
    if name.is_empty() || word.len() > name.len() && !word.get(name.len()..)?.trim_start().starts_with('/') {
        return None;
    }
    let known = read_header(&mut Cursor::new(line)).is_some();
    let found = line.get(..=colon)?.to_owned();
    let finding = |problem, fix| Finding { at: word_start, found: found.clone(), problem, fix, resume: end };
    Some(if known {
        finding(Problem::NewLine(found.clone()), None)
    } else {
        finding(Problem::Header, meant_header(name, line.get(name.len()..)?))
    })
}

fn stack(text: &str, at: usize) -> Finding {
    let line = text.get(at..line_end(text, at)).unwrap_or("");
    let Some(close) = line.find(']') else {
        // What stands behind it is read on its own.
        return Finding { at, found: "[".to_owned(), problem: Problem::NotClosed, fix: None, resume: at + 1 };
    };
    let whole = line.get(..=close).unwrap_or("");
    let after = word_at(line, close + 1).len();
    let spaced = whole.replace([',', '|'], " ");
    let fix = Some(spaced).filter(|fix| fix != whole && readable_line(&format!("melody: {fix}")));
    Finding { at, found: whole.to_owned(), problem: Problem::Stack, fix, resume: at + close + 1 + after }
}

/// A chord name that is none.
fn chord(text: &str, at: usize, word: &str) -> Finding {
    let finding = |problem, fix| Finding { at, found: word.to_owned(), problem, fix, resume: at + word.len() };
    let mut cursor = Cursor::new(text);
    cursor.go(at);
    if class(&mut cursor).is_none() || word.len() > LONGEST_FIX_BYTES {
        return finding(Problem::ChordToken, None);
    }
    let root = cursor.since(at);
    let quality = word.get(root.len()..).unwrap_or("");
    let spelled = quality
        .replace("MAJ", "maj")
        .replace("Maj", "maj")
        .replace("MIN", "m")
        .replace("Min", "m")
        .replace("DIM", "dim")
        .replace("6/9", "69")
        .replace(['(', ')'], "")
        .replace("\u{b0}", "dim")
        .replace("\u{f8}7", "m7b5")
        .replace('\u{f8}', "m7b5");
    let candidates = [spelled.replacen('-', "m", 1), spelled.replacen("min", "m", 1), spelled.replacen('[', " [", 1)];
    let fix = candidates
        .into_iter()
        .map(|quality| format!("{root}{quality}"))
        .find(|candidate| candidate != word && readable_line(&format!("chords: {candidate}")));
    let problem = if fix.is_none() && quality.contains('*') { Problem::Repeat } else { Problem::Chord };
    finding(problem, fix)
}

//! What is wrong inside a `[` or `(`.
//!
//! Every value is checked by itself, so each wrong one is reported at its own place.

use super::broken_word::BrokenWord;
use super::readable::is_one_item;
use super::semantic::semantic_finding;
use super::words::word_at;
use crate::music::Meter;
use crate::music::text::{Cursor, slice};
use crate::notation::barbeat::grammar::{read_item, read_value};
use crate::notation::barbeat::item::{Item, SpannedItem, Value};
use crate::notation::barbeat::problem::{Finding, Problem};
use crate::notation::comments::{comment_length, skip_blanks_and_comments};
use crate::notation::error::MAX_MISTAKES;

/// Everything wrong with a `[` or `(` that cannot be read, or that holds what does not fit.
pub(super) fn bracket_findings(text: &str, start: usize, meter: Meter) -> Vec<Finding> {
    let opener = text.get(start..).and_then(|rest| rest.chars().next()).unwrap_or('[');
    let one =
        |at, found: &str, problem, resume| vec![Finding { at, found: found.to_owned(), problem, fix: None, resume }];
    let close = match find_closer(text, start) {
        Closing::At(close) => close,
        Closing::UnclosedComment(at) => return one(at, "/*", Problem::Comment, text.len()),
        Closing::Missing => {
            let resume = readable_until(text, start + 1, opener, meter).max(start + 1);
            return one(start, word_at(text, start), Problem::NotClosed(opener), resume);
        }
        Closing::InnerUnclosed(at, resume) => {
            let opener = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or('(');
            return one(at, word_at(text, at), Problem::NotClosed(opener), resume);
        }
    };
    let mut contents = BracketContents {
        text,
        start,
        close,
        opener,
        meter,
        findings: Vec::new(),
        kind: None,
        mixed: false,
        comma: None,
    };
    contents.check_values();
    let closer = text.get(close..).and_then(|rest| rest.chars().next()).unwrap_or(']');
    if contents.findings.is_empty() && closer == closer_of(opener) {
        let (found, problem) = (slice(text, start..=close), contents.form_problem());
        contents.add_finding(start, found, problem, None);
    }
    if closer != closer_of(opener) {
        let resume = behind_wrong_closer(text, close, opener, meter);
        let problem = Problem::WrongCloser { opener, closer };
        contents.findings.push(Finding { at: close, found: closer.to_string(), problem, fix: None, resume });
    }
    // Also where only a chord in it is wrong, reading goes on behind all of it.
    for finding in &mut contents.findings {
        finding.resume = finding.resume.max(close + 1);
    }
    contents.findings
}

fn closer_of(opener: char) -> char {
    if opener == '(' { ')' } else { ']' }
}

/// How far the inside of a bracket can be read from a place on.
fn readable_until(text: &str, from: usize, opener: char, meter: Meter) -> usize {
    let mut cursor = Cursor::new(text);
    cursor.seek(from);
    loop {
        skip_blanks_and_comments(&mut cursor);
        if cursor.eat(",") {
            continue;
        }
        let start = cursor.pos();
        let read = if opener == '(' { cursor.pitch().is_some() } else { read_value(&mut cursor, meter).is_some() };
        if !read || !ends_value(&cursor) {
            cursor.seek(start);
            return start;
        }
    }
}

/// Where reading goes on behind a closer that is not the bracket's: behind the bracket's own, if nothing but values
/// stand between.
fn behind_wrong_closer(text: &str, close: usize, opener: char, meter: Meter) -> usize {
    let end = readable_until(text, close + 1, opener, meter);
    let own = text.get(end..).is_some_and(|rest| rest.starts_with(closer_of(opener)));
    if own { end + 1 } else { close + 1 }
}

/// Whether a value may end here.
fn ends_value(cursor: &Cursor<'_>) -> bool {
    match cursor.peek() {
        None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'#' | b',' | b'[' | b']' | b'(' | b')') => true,
        Some(b'/') => matches!(cursor.peek_ahead(1), Some(b'/' | b'*')),
        _ => false,
    }
}

struct BracketContents<'a> {
    text: &'a str,
    start: usize,
    close: usize,
    opener: char,
    meter: Meter,
    findings: Vec<Finding>,
    /// Of the first value.
    kind: Option<u8>,
    mixed: bool,
    /// The first comma.
    comma: Option<usize>,
}

impl BracketContents<'_> {
    fn form_problem(&self) -> Problem {
        if self.opener == '(' { Problem::Chord } else { Problem::Pattern }
    }

    fn add_finding(&mut self, at: usize, found: &str, problem: Problem, fix: Option<String>) {
        let resume = self.close + 1;
        self.findings.push(Finding { at, found: found.to_owned(), problem, fix, resume });
    }

    fn check_values(&mut self) {
        let text = self.text;
        let mut cursor = Cursor::new(text);
        cursor.seek(self.start + 1);
        let mut values = 0_usize;
        let mut was_comma = false;
        while self.findings.len() <= MAX_MISTAKES {
            skip_blanks_and_comments(&mut cursor);
            let at = cursor.pos();
            if at >= self.close {
                break;
            }
            if cursor.eat(",") {
                self.comma.get_or_insert(at);
                was_comma = true;
                continue;
            }
            values += 1;
            if cursor.rest().starts_with(['[', '(']) && (self.opener == '(' || cursor.rest().starts_with('[')) {
                // No bracket stands in a chord, and no pattern in a pattern.
                self.add_finding(at, word_at(text, at), self.form_problem(), None);
                match find_closer(text, at) {
                    Closing::At(close) => cursor.seek(close + 1),
                    _ => cursor.seek(self.close),
                }
                continue;
            }
            let read =
                if self.opener == '(' { cursor.pitch().map(Value::Pitch) } else { read_value(&mut cursor, self.meter) };
            match read {
                Some(value) if ends_value(&cursor) => {
                    self.check_value(value, at, cursor.pos());
                    if cursor.rest().starts_with('(') && self.opener == '[' {
                        self.add_finding(cursor.pos(), word_at(text, cursor.pos()), Problem::NoSpace, None);
                    }
                }
                Some(Value::Chord(_)) => {
                    self.add_finding(cursor.pos(), word_at(text, cursor.pos()), Problem::NoSpace, None)
                }
                _ => {
                    cursor.seek(at);
                    if !self.diagnose_value(&mut cursor) {
                        break;
                    }
                }
            }
        }
        let whole = slice(text, self.start..=self.close);
        if let Some(comma) = self.comma {
            let fix = Some(whole.replace(',', " ")).filter(|fix| is_one_item(fix, self.meter));
            self.add_finding(comma, slice(text, comma..=self.close), self.form_problem(), fix);
        } else if values == 0 && !was_comma {
            self.add_finding(self.start, whole, self.form_problem(), None);
        }
        if self.mixed {
            self.add_finding(self.start, whole, Problem::MixedPattern, None);
        }
    }

    fn check_value(&mut self, value: Value, start: usize, end: usize) {
        let kind = value.kind();
        self.mixed |= *self.kind.get_or_insert(kind) != kind;
        let written = SpannedItem { item: Item::Value(value), start, end };
        if let Some(problem) = written.semantic_problem(self.text) {
            let finding = semantic_finding(self.text, &written, problem, self.meter);
            self.findings.push(Finding { resume: self.close + 1, ..finding });
        }
    }

    /// A value that cannot be read; steps over it. Gives whether it is worth looking on.
    fn diagnose_value(&mut self, cursor: &mut Cursor<'_>) -> bool {
        let (text, at) = (self.text, cursor.pos());
        if self.opener == '[' && cursor.rest().starts_with('(') {
            let found = bracket_findings(text, at, self.meter);
            cursor.seek(found.iter().map(|finding| finding.resume).max().unwrap_or(at + 1));
            self.findings.extend(found);
            return true;
        }
        // What touches the value's end makes the whole word unreadable.
        let mut sharp = false;
        while sharp && cursor.peek() == Some(b'#') || cursor.pos() == at || !ends_value(cursor) {
            sharp = cursor.peek().is_some_and(|b| b.is_ascii_alphabetic());
            cursor.skip_char();
        }
        let word = cursor.since(at);
        let mut items = Vec::new();
        let mut alone = Cursor::new(word);
        let begins = read_item(&mut alone, self.meter, &mut items).is_some();
        if begins && alone.is_at_end() {
            // It may stand elsewhere.
            self.add_finding(at, word, self.form_problem(), None);
            return self.opener == '(' && matches!(items.first(), Some(SpannedItem { item: Item::Value(_), .. }));
        }
        let item_end = begins.then_some(alone.pos());
        let context = BrokenWord { text: word, word, start: 0, item_end, previous: None, meter: self.meter };
        let inner = context.diagnose();
        match inner.problem {
            Problem::Copy | Problem::CopyBar(_) | Problem::Position(_) => {
                self.add_finding(at, word, self.form_problem(), None)
            }
            Problem::Unknown if word.starts_with(char::is_alphabetic) && word.len() < 8 => {
                self.add_finding(at, word, if self.opener == '(' { Problem::Pitch } else { self.form_problem() }, None);
            }
            Problem::Unknown => self.add_finding(at, word, self.form_problem(), None),
            problem => self.add_finding(at, word, problem, inner.fix),
        }
        !word.contains('|')
    }
}

/// What closes a bracket.
enum Closing {
    At(usize),
    /// Nothing.
    Missing,
    /// Nothing closes one inside it, while it is closed itself: where that one is, and where its surroundings end.
    InnerUnclosed(usize, usize),
    /// A comment that is never closed.
    UnclosedComment(usize),
}

/// What closes the bracket at `start`; comments do not count.
fn find_closer(text: &str, start: usize) -> Closing {
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut cursor = Cursor::new(text);
    cursor.seek(start);
    let mut before = b' ';
    while let Some(byte) = cursor.peek() {
        let sharp = byte == b'#' && matches!(before.to_ascii_uppercase(), b'A'..=b'G');
        if matches!(byte, b'#' | b'/') && !sharp {
            if let Some(length) = comment_length(cursor.rest()) {
                cursor.seek(cursor.pos() + length);
                before = b' ';
                continue;
            }
            if cursor.rest().starts_with("/*") {
                return Closing::UnclosedComment(cursor.pos());
            }
        }
        match byte {
            b'[' | b'(' => open.push((byte, cursor.pos())),
            b']' | b')' => {
                let own = if byte == b']' { b'[' } else { b'(' };
                let Some((opener, at)) = open.pop() else { return Closing::Missing };
                if opener != own && open.last().is_some_and(|(below, _)| *below == own) {
                    return Closing::InnerUnclosed(at, cursor.pos() + 1);
                }
                if open.is_empty() {
                    return Closing::At(cursor.pos());
                }
            }
            _ => {}
        }
        before = byte;
        cursor.skip_char();
    }
    Closing::Missing
}

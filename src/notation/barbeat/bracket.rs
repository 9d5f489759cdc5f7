//! What is wrong inside a `[` or `(`.
//!
//! Every value is looked at by itself, so all that are wrong are told of, each at its own place.

use super::diagnose::{Word, is_one, unfit_finding, word_at};
use super::item::{Item, Value, Written, item, value};
use super::problem::{Finding, Problem};
use crate::music::Meter;
use crate::music::text::Cursor;
use crate::notation::error::MAX_MISTAKES;
use crate::notation::gap::{comment_length, gap};

/// Everything wrong with a `[` or `(` that cannot be read, or that holds what does not fit.
pub(super) fn bracket(text: &str, start: usize, meter: Meter) -> Vec<Finding> {
    let opener = text.get(start..).and_then(|rest| rest.chars().next()).unwrap_or('[');
    let one =
        |at, found: &str, problem, resume| vec![Finding { at, found: found.to_owned(), problem, fix: None, resume }];
    let close = match closing(text, start) {
        Closing::At(close) => close,
        Closing::Comment(at) => return one(at, "/*", Problem::Comment, text.len()),
        Closing::Never => {
            let resume = readable(text, start + 1, opener, meter).max(start + 1);
            return one(start, word_at(text, start), Problem::NotClosed(opener), resume);
        }
        Closing::Other(at, resume) => {
            let opener = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or('(');
            return one(at, word_at(text, at), Problem::NotClosed(opener), resume);
        }
    };
    let mut inside =
        Inside { text, start, close, opener, meter, findings: Vec::new(), kind: None, mixed: false, comma: None };
    inside.look();
    let closer = text.get(close..).and_then(|rest| rest.chars().next()).unwrap_or(']');
    if inside.findings.is_empty() && closer == closer_of(opener) {
        let (found, problem) = (text.get(start..=close).unwrap_or(""), inside.form());
        inside.add(start, found, problem, None);
    }
    if closer != closer_of(opener) {
        let resume = behind_wrong_closer(text, close, opener, meter);
        let problem = Problem::WrongCloser { opener, closer };
        inside.findings.push(Finding { at: close, found: closer.to_string(), problem, fix: None, resume });
    }
    // Also where only a chord in it is wrong, reading goes on behind all of it.
    for finding in &mut inside.findings {
        finding.resume = finding.resume.max(close + 1);
    }
    inside.findings
}

fn closer_of(opener: char) -> char {
    if opener == '(' { ')' } else { ']' }
}

/// How far the inside of a bracket can be read from a place on.
fn readable(text: &str, from: usize, opener: char, meter: Meter) -> usize {
    let mut cursor = Cursor::new(text);
    cursor.go(from);
    loop {
        gap(&mut cursor);
        if cursor.eat(",") {
            continue;
        }
        let start = cursor.at();
        let read = if opener == '(' { cursor.pitch().is_some() } else { value(&mut cursor, meter).is_some() };
        if !read || !ends_value(&cursor) {
            cursor.go(start);
            return start;
        }
    }
}

/// Where reading goes on behind a closer that is not the bracket's: behind the bracket's own, if nothing but values stand
/// between.
fn behind_wrong_closer(text: &str, close: usize, opener: char, meter: Meter) -> usize {
    let end = readable(text, close + 1, opener, meter);
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

struct Inside<'a> {
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

impl Inside<'_> {
    fn form(&self) -> Problem {
        if self.opener == '(' { Problem::Chord } else { Problem::Pattern }
    }

    fn add(&mut self, at: usize, found: &str, problem: Problem, fix: Option<String>) {
        let resume = self.close + 1;
        self.findings.push(Finding { at, found: found.to_owned(), problem, fix, resume });
    }

    fn look(&mut self) {
        let text = self.text;
        let mut cursor = Cursor::new(text);
        cursor.go(self.start + 1);
        let mut values = 0_usize;
        let mut was_comma = false;
        while self.findings.len() <= MAX_MISTAKES {
            gap(&mut cursor);
            let at = cursor.at();
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
                self.add(at, word_at(text, at), self.form(), None);
                match closing(text, at) {
                    Closing::At(close) => cursor.go(close + 1),
                    _ => cursor.go(self.close),
                }
                continue;
            }
            let read =
                if self.opener == '(' { cursor.pitch().map(Value::Pitch) } else { value(&mut cursor, self.meter) };
            match read {
                Some(value) if ends_value(&cursor) => {
                    self.value(value, at, cursor.at());
                    if cursor.rest().starts_with('(') && self.opener == '[' {
                        self.add(cursor.at(), word_at(text, cursor.at()), Problem::NoSpace, None);
                    }
                }
                Some(Value::Chord(_)) => self.add(cursor.at(), word_at(text, cursor.at()), Problem::NoSpace, None),
                _ => {
                    cursor.go(at);
                    if !self.wrong(&mut cursor) {
                        break;
                    }
                }
            }
        }
        let whole = text.get(self.start..=self.close).unwrap_or("");
        if let Some(comma) = self.comma {
            let fix = Some(whole.replace(',', " ")).filter(|fix| is_one(fix, self.meter));
            self.add(comma, text.get(comma..=self.close).unwrap_or(""), self.form(), fix);
        } else if values == 0 && !was_comma {
            self.add(self.start, whole, self.form(), None);
        }
        if self.mixed {
            self.add(self.start, whole, Problem::MixedPattern, None);
        }
    }

    fn value(&mut self, value: Value, start: usize, end: usize) {
        let kind = value.kind();
        self.mixed |= *self.kind.get_or_insert(kind) != kind;
        let written = Written { item: Item::One(value), start, end };
        if let Some(unfit) = written.unfit(self.text) {
            let finding = unfit_finding(self.text, &written, unfit, self.meter);
            self.findings.push(Finding { resume: self.close + 1, ..finding });
        }
    }

    /// A value that cannot be read; steps over it. Gives whether it is worth looking on.
    fn wrong(&mut self, cursor: &mut Cursor<'_>) -> bool {
        let (text, at) = (self.text, cursor.at());
        if self.opener == '[' && cursor.rest().starts_with('(') {
            let found = bracket(text, at, self.meter);
            cursor.go(found.iter().map(|finding| finding.resume).max().unwrap_or(at + 1));
            self.findings.extend(found);
            return true;
        }
        // What touches the value's end makes the whole word unreadable.
        let mut sharp = false;
        while sharp && cursor.peek() == Some(b'#') || cursor.at() == at || !ends_value(cursor) {
            sharp = cursor.peek().is_some_and(|b| b.is_ascii_alphabetic());
            cursor.skip_char();
        }
        let word = cursor.since(at);
        let mut items = Vec::new();
        let mut alone = Cursor::new(word);
        let begins = item(&mut alone, self.meter, &mut items).is_some();
        if begins && alone.is_done() {
            // It may stand elsewhere.
            self.add(at, word, self.form(), None);
            return self.opener == '(' && matches!(items.first(), Some(Written { item: Item::One(_), .. }));
        }
        let item_end = begins.then_some(alone.at());
        let context = Word { text: word, word, start: 0, item_end, previous: None, meter: self.meter };
        let inner = context.diagnose();
        match inner.problem {
            Problem::Copy | Problem::CopyBar(_) | Problem::Position(_) => self.add(at, word, self.form(), None),
            Problem::Unknown if word.starts_with(char::is_alphabetic) && word.len() < 8 => {
                self.add(at, word, if self.opener == '(' { Problem::Pitch } else { self.form() }, None);
            }
            Problem::Unknown => self.add(at, word, self.form(), None),
            problem => self.add(at, word, problem, inner.fix),
        }
        !word.contains('|')
    }
}

/// What closes a bracket.
enum Closing {
    At(usize),
    /// Nothing.
    Never,
    /// Nothing closes one inside it, while it is closed itself: where that one is, and where its surroundings end.
    Other(usize, usize),
    /// A comment that is never closed.
    Comment(usize),
}

/// What closes the bracket at `start`; comments do not count.
fn closing(text: &str, start: usize) -> Closing {
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut cursor = Cursor::new(text);
    cursor.go(start);
    let mut before = b' ';
    while let Some(byte) = cursor.peek() {
        let sharp = byte == b'#' && matches!(before.to_ascii_uppercase(), b'A'..=b'G');
        if matches!(byte, b'#' | b'/') && !sharp {
            if let Some(length) = comment_length(cursor.rest()) {
                cursor.go(cursor.at() + length);
                before = b' ';
                continue;
            }
            if cursor.rest().starts_with("/*") {
                return Closing::Comment(cursor.at());
            }
        }
        match byte {
            b'[' | b'(' => open.push((byte, cursor.at())),
            b']' | b')' => {
                let own = if byte == b']' { b'[' } else { b'(' };
                let Some((opener, at)) = open.pop() else { return Closing::Never };
                if opener != own && open.last().is_some_and(|(below, _)| *below == own) {
                    return Closing::Other(at, cursor.at() + 1);
                }
                if open.is_empty() {
                    return Closing::At(cursor.at());
                }
            }
            _ => {}
        }
        before = byte;
        cursor.skip_char();
    }
    Closing::Never
}

//! What is wrong inside a `[` or `(`.

use super::diagnose::{Word, is_one, word_at};
use super::item::{Item, Written, item, value};
use super::problem::{Finding, Problem};
use crate::music::Meter;
use crate::music::text::Cursor;
use crate::notation::gap::{comment_length, gap};

/// A `[` or `(` whose inside cannot be read.
pub(super) fn bracket(text: &str, start: usize, meter: Meter) -> Finding {
    let opener = text.get(start..).and_then(|rest| rest.chars().next()).unwrap_or('[');
    let is_chord = opener == '(';
    // How far the inside can be read.
    let mut cursor = Cursor::new(text);
    cursor.go(start + 1);
    loop {
        gap(&mut cursor);
        let start = cursor.at();
        let read = if is_chord { cursor.pitch().is_some() } else { value(&mut cursor, meter).is_some() };
        match cursor.peek() {
            Some(b' ' | b'\t' | b'\r' | b'\n' | b'#' | b'/') if read => {}
            None | Some(b',' | b']' | b')' | b'[' | b'(') => break,
            Some(_) => {
                // What touches the value's end makes the whole word unreadable.
                cursor.go(start);
                break;
            }
        }
    }
    let failed = cursor.at();
    let form = || if is_chord { Problem::Chord } else { Problem::Pattern };
    let close = match closing(text, start) {
        Ok(close) => close,
        Err(Some(comment)) => {
            return Finding {
                at: comment,
                found: "/*".into(),
                problem: Problem::Comment,
                fix: None,
                resume: text.len(),
            };
        }
        Err(None) => {
            let found = word_at(text, start).to_owned();
            return Finding { at: start, found, problem: Problem::NotClosed(opener), fix: None, resume: failed };
        }
    };
    let whole = text.get(start..=close).unwrap_or("");
    let resume = close + 1;
    let at_start = |problem, fix: Option<String>| Finding { at: start, found: whole.to_owned(), problem, fix, resume };
    let inside = text.get(start + 1..close).unwrap_or("");
    if inside.trim().is_empty() {
        return at_start(form(), None);
    }
    if inside.contains(',') && failed <= close {
        let fix = whole.replace(',', " ");
        return Finding {
            at: failed,
            found: text.get(failed..=close).unwrap_or("").to_owned(),
            problem: form(),
            fix: Some(fix.split_whitespace().collect::<Vec<_>>().join(" ")).filter(|fix| is_one(fix, meter)),
            resume,
        };
    }
    let found = word_at(text, failed);
    let found = found.get(..close.saturating_sub(failed)).unwrap_or(found);
    let mut finding = Finding { at: failed, found: found.to_owned(), problem: form(), fix: None, resume };
    if found.is_empty() || found.starts_with(['[', '(']) {
        return finding;
    }
    // A value with a mistake of its own says so; one that may stand elsewhere says what may stand here.
    let mut items = Vec::new();
    let mut alone = Cursor::new(found);
    let begins = item(&mut alone, meter, &mut items).is_some();
    let reads = begins && alone.is_done();
    if !reads {
        let item_end = begins.then_some(alone.at());
        let context = Word { text: found, word: found, start: 0, item_end, previous: None, meter };
        let inner = context.diagnose();
        let elsewhere =
            matches!(inner.problem, Problem::Unknown | Problem::Copy | Problem::CopyBar | Problem::Position(_));
        if !elsewhere {
            finding.problem = inner.problem;
            finding.fix = inner.fix;
        }
    } else if let Some(Written { item: Item::One(_), .. }) = items.first()
        && !is_chord
    {
        finding.problem = Problem::NoSpace;
    }
    finding
}

/// The place of the bracket that closes the one at `start`; comments do not count. An error is the place of a comment
/// that is never closed, or nothing.
fn closing(text: &str, start: usize) -> Result<usize, Option<usize>> {
    let mut depth = 0_usize;
    let mut cursor = Cursor::new(text);
    cursor.go(start);
    let mut before = b' ';
    while let Some(byte) = cursor.peek() {
        let sharp = byte == b'#' && matches!(before.to_ascii_uppercase(), b'A'..=b'G');
        if matches!(byte, b'#' | b'/') && !sharp {
            if let Some(length) = comment_length(cursor.rest()) {
                cursor.go(cursor.at() + length);
                continue;
            }
            if cursor.rest().starts_with("/*") {
                return Err(Some(cursor.at()));
            }
        }
        match byte {
            b'[' | b'(' => depth += 1,
            b']' | b')' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Ok(cursor.at());
                }
            }
            _ => {}
        }
        before = byte;
        cursor.skip_char();
    }
    Err(None)
}

//! Notes that sound together: stacks, and brackets of another shape in their place.

use super::broken_token::BrokenToken;
use super::line_text::{is_readable_line, line_end, odd_character_within, word_at};
use crate::music::text::slice;
use crate::notation::stark::problem::{Finding, Problem};

/// What is wrong with a stack.
pub(super) fn diagnose_stack(text: &str, at: usize) -> Finding {
    let line = slice(text, at..line_end(text, at));
    let Some(close) = line.find(']') else {
        // What stands behind it is read on its own, but for more of the same.
        let more = line.bytes().take_while(|b| b"[ \t".contains(b)).count();
        return Finding { at, found: "[".to_owned(), problem: Problem::NotClosed, fix: None, resume: at + more };
    };
    let whole = slice(line, ..=close);
    let resume = at + close + 1 + word_at(line, close + 1).len();
    if let Some(odd) = odd_character_within(text, at, at + close) {
        return Finding { resume, ..odd };
    }
    let spaced = whole.replace([',', '|'], " ");
    let fix = Some(spaced).filter(|fix| fix != whole && is_readable_line(&format!("melody: {fix}")));
    Finding { at, found: whole.to_owned(), problem: Problem::Stack, fix, resume }
}

/// Notes in brackets of another shape. With a repeat behind them they may be meant one after the other.
pub(super) fn diagnose_brackets(text: &str, broken: BrokenToken) -> Option<Finding> {
    let at = broken.at;
    let line = text.get(at..line_end(text, at))?;
    let close = line.find([')', '>'])?;
    let behind = word_at(line, close + 1);
    let fix = format!("[{}]", line.get(1..close)?);
    if behind.contains('*') || !broken.can_read(&fix) {
        return None;
    }
    let found = line.get(..=close)?.to_owned();
    // A comma may be meant to stand between notes or to put one an octave down.
    let fix = Some(fix).filter(|fix| !fix.contains(','));
    Some(Finding { at, found, problem: Problem::Brackets, fix, resume: at + close + 1 + behind.len() })
}

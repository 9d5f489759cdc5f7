//! What was probably meant by something that cannot be read.
//!
//! Nothing here changes what is accepted, and a fix is only offered if it can be read. Findings of one text come in the
//! order of their places: none goes back behind the one before it.

mod broken_token;
mod chord;
mod header;
mod line_text;
mod stack;
mod token;

use super::problem::Finding;
use super::score::LineKind;
pub(super) use broken_token::BrokenToken;
pub(super) use header::diagnose_header;
use header::header_inside;
use line_text::{odd_character_at, word_at};
use stack::{diagnose_brackets, diagnose_stack};

/// What is wrong with the tokens of a line.
pub(super) fn diagnose_token(text: &str, broken: BrokenToken) -> Finding {
    let BrokenToken { from, at, kind, .. } = broken;
    if let Some(odd) = odd_character_at(text, at) {
        return odd;
    }
    if let Some(finding) = header_inside(text, from, at) {
        return finding;
    }
    let word = word_at(text, at);
    let pitched = !matches!(kind, LineKind::Drum(_));
    match word.bytes().next() {
        Some(b'[') if pitched => return diagnose_stack(text, at),
        Some(b'(' | b'<') if pitched => {
            if let Some(finding) = diagnose_brackets(text, broken) {
                return finding;
            }
        }
        _ => {}
    }
    if let Some(finding) = token::behind_token(text, broken, word).or_else(|| token::foreign_rest(text, broken, word)) {
        return finding;
    }
    if kind == LineKind::Chords && word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return chord::diagnose_chord(text, at, word);
    }
    token::unknown_token(at, word, kind)
}

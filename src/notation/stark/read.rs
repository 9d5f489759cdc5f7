//! A text as sections of tokens, or everything that is wrong with it.

use super::diagnose::{BrokenToken, diagnose_header, diagnose_token};
use super::problem::Finding;
use super::score::{Score, Section};
use super::token_parts::read_header;
use super::tokens::{LINE_BLANKS, TokenReader};
use crate::notation::error::MAX_MISTAKES;
use crate::notation::error::{Mistake, NotationError};

/// Reads a whole text. After a mistake reading goes on behind what could not be read, so that independent mistakes are
/// found in one go.
pub(super) fn read(text: &str) -> Result<Score, NotationError> {
    let mut mistakes: Vec<Mistake> = Vec::new();
    let score = scan(text, |finding: Finding| {
        mistakes.push(finding.into_mistake(text));
        mistakes.len() < MAX_MISTAKES
    });
    if mistakes.is_empty() { Ok(score) } else { Err(NotationError::from_mistakes("stark", mistakes)) }
}

/// Reads a text and reports each mistake; stops when `report` gives false.
fn scan(text: &str, mut report: impl FnMut(Finding) -> bool) -> Score {
    let mut reader = TokenReader::new(text);
    loop {
        reader.cursor.eat_while(LINE_BLANKS);
        if reader.cursor.is_at_end() {
            return reader.score;
        }
        let start = reader.cursor.pos();
        let Some(header) = read_header(&mut reader.cursor) else {
            let finding = diagnose_header(text, start);
            reader.cursor.seek(finding.resume.max(start + 1));
            if !report(finding) {
                return reader.score;
            }
            continue;
        };
        let first = reader.score.tokens.len();
        let mut from = reader.cursor.pos();
        while let Some(at) = reader.tokens(&header) {
            let tokens = reader.score.tokens.get(first..).unwrap_or(&[]);
            let previous = tokens.last().map(|token| token.at).filter(|previous| *previous >= from);
            let finding = diagnose_token(text, BrokenToken { from, previous, at, kind: header.kind });
            let resume = finding.resume;
            reader.cursor.seek(resume);
            if resume <= at {
                // Always go on, so that reading comes to an end.
                reader.cursor.seek(at);
                reader.cursor.skip_char();
            }
            from = reader.cursor.pos();
            if !report(finding) {
                return reader.score;
            }
        }
        let tokens = first..reader.score.tokens.len();
        reader.score.sections.push(Section { kind: header.kind, header: header.word, tokens });
    }
}

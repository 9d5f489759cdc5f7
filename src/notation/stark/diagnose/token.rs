//! Pieces of tokens: what stands behind another token and what was meant as a silence.

use super::broken_token::BrokenToken;
use super::line_text::word_at;
use crate::notation::stark::problem::{Finding, Problem};
use crate::notation::stark::score::LineKind;

/// Something that belongs to the token before it, or stands wrong behind it.
pub(super) fn behind_token(text: &str, broken: BrokenToken, word: &str) -> Option<Finding> {
    let BrokenToken { from, at, .. } = broken;
    let before = text.get(from..at)?;
    let first = word.chars().next()?;
    let whole = |problem, fix| Some(Finding { at, found: word.to_owned(), problem, fix, resume: at + word.len() });
    if before.is_empty() || before.ends_with([' ', '\t', '|']) {
        return piece_after_space(text, broken, word, first);
    }
    if let Some(finding) = step_grid(text, broken) {
        return Some(finding);
    }
    let repeated = before.trim_end_matches(|c: char| c.is_ascii_digit());
    let repeated = repeated.len() < before.len() && repeated.ends_with('*');
    match first {
        '*' => whole(Problem::Repeat, None),
        '/' | '!' | '?' | '\'' | ',' if repeated => {
            let fix = broken.previous.and_then(|previous| text.get(previous..at)).and_then(|token| {
                let (token, count) = token.rsplit_once('*')?;
                let fix = format!("{token}{word}*{count}");
                // Of two lengths one is wrong, and which is not known.
                let two = token.contains('/') && word.contains('/');
                (!two && broken.can_read(&fix)).then_some(fix)
            });
            whole(Problem::BehindRepeat, fix)
        }
        '.' | 't' if ends_with_length(before) => whole(Problem::SecondModifier, None),
        ',' | '\'' if before.ends_with(']') => whole(Problem::StackOctave, None),
        '/' => whole(Problem::Length, None),
        // `/12`, `/32`: the first digit alone is a length.
        '0'..='9' if ends_with_length(before) => whole(Problem::Length, None),
        '.' => whole(Problem::LoneDot, None),
        '-' | '_' | '~' => whole(Problem::Tie, None),
        _ => None,
    }
}

/// Whether the last thing of a text is a length.
pub(super) fn ends_with_length(before: &str) -> bool {
    let tail = before.trim_end_matches(['.', 't']);
    let digits = tail.trim_end_matches(|c: char| c.is_ascii_digit());
    digits.len() < tail.len() && digits.ends_with('/')
}

/// `C /8`, `X * 4`: a piece of a token with a space before it.
fn piece_after_space(text: &str, broken: BrokenToken, word: &str, first: char) -> Option<Finding> {
    let at = broken.at;
    let between = text.get(broken.previous?..at)?;
    let token = between.trim_end_matches([' ', '\t']);
    if token.is_empty() || token.ends_with('|') {
        return None;
    }
    // A lone star belongs to the number behind it.
    let rest = text.get(at + word.len()..)?;
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let (count, end) = match word {
        "*" => {
            let count = word_at(rest, blanks);
            (count, at + word.len() + blanks + count.len())
        }
        _ => ("", at + word.len()),
    };
    let glued = format!("{token}{word}{count}");
    let belongs = match first {
        '/' | '*' => broken.can_read(&glued),
        '!' | '?' => word.len() == 1 && broken.can_read(&glued),
        _ => false,
    };
    let found = text.get(at..end)?.to_owned();
    belongs.then_some(Finding { at, found, problem: Problem::Spaced(first), fix: Some(glued), resume: end })
}

/// Steps of a grid, `x--x--x-`: the word that the place is in.
fn step_grid(text: &str, broken: BrokenToken) -> Option<Finding> {
    if !matches!(broken.kind, LineKind::Drum(_)) {
        return None;
    }
    let before = text.get(broken.from..broken.at)?;
    let start = broken.from + before.rfind([' ', '\t', '|']).map_or(0, |blank| blank + 1);
    let word = word_at(text, start);
    let count = |kind: &str| word.chars().filter(|c| kind.contains(*c)).count();
    let (hits, silent) = (count("xX^"), count("-_."));
    if hits + silent + count("zZ") < word.chars().count() || silent == 0 || hits == 0 || hits + silent < 3 {
        return None;
    }
    let fix = word.replace(['-', '_', '.'], "z");
    let fix = broken.can_read(&fix).then_some(fix)?;
    let found = word.to_owned();
    Some(Finding { at: start, found, problem: Problem::DrumToken, fix: Some(fix), resume: start + word.len() })
}

/// A silence as others write it.
pub(super) fn foreign_rest(text: &str, broken: BrokenToken, word: &str) -> Option<Finding> {
    let BrokenToken { at, kind, .. } = broken;
    if let Some(finding) = step_grid(text, broken) {
        return Some(finding);
    }
    let fix = match word {
        "N.C." | "N.C" | "NC" if kind == LineKind::Chords => "z".to_owned(),
        _ => format!("z{}", word.strip_prefix(['r', 'R', '.', '-', '_'])?),
    };
    if !broken.can_read(&fix) || fix.get(1..).is_some_and(|more| !more.is_empty() && !more.starts_with(['/', '*'])) {
        return None;
    }
    let problem = unknown_token(at, word, kind).problem;
    Some(Finding { at, found: word.to_owned(), problem, fix: Some(fix), resume: at + word.len() })
}

/// What this kind of line does not hold.
pub(super) fn unknown_token(at: usize, word: &str, kind: LineKind) -> Finding {
    let (problem, fix) = match kind {
        LineKind::Drum(_) => (Problem::DrumToken, matches!(word, "o" | "O" | "*" | "1").then(|| "X".to_owned())),
        LineKind::Pitched(_) => (Problem::LineToken, None),
        LineKind::Chords => (Problem::ChordToken, None),
    };
    Finding { at, found: word.to_owned(), problem, fix, resume: at + word.len() }
}

//! What an unknown word was probably meant to be.

use super::code::{FUNCTIONS, VARIABLES};
use super::problem::{Finding, Problem};
use crate::music::text::Cursor;
use crate::notation::closest_word::closest_word;
use std::ops::Range;

/// What may stand before a bracket where a line starts.
pub(super) const STATEMENT_CALLS: [&str; 7] = ["ratchet", "repeat", "split", "merge", "double", "humanize", "where"];

/// Which of the known words an unknown one was meant to be: the same in another case, or one with a typo.
pub(super) fn suggest_word<const N: usize>(word: &str, known: [&'static str; N]) -> Option<&'static str> {
    known.into_iter().find(|name| name.eq_ignore_ascii_case(word)).or_else(|| closest_word(word, known))
}

pub(super) const PARAMETER_NAMES: [&str; 8] =
    ["velocity", "pitch", "timing", "duration", "probability", "deviation", "gain", "pitchShift"];

/// The parameter that an unknown word was meant to be.
pub(super) fn suggest_parameter(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    if let Some(exact) = PARAMETER_NAMES.into_iter().find(|name| name.eq_ignore_ascii_case(word)) {
        return Some(exact);
    }
    if lower == "v" || lower.starts_with("vel") {
        return Some("velocity");
    }
    if matches!(lower.as_str(), "length" | "len") {
        return Some("duration");
    }
    if matches!(lower.as_str(), "start" | "time" | "position") {
        return Some("timing");
    }
    if lower.len() >= 3 {
        let mut begun = PARAMETER_NAMES.into_iter().filter(|name| name.to_ascii_lowercase().starts_with(&lower));
        if let (Some(one), None) = (begun.next(), begun.next()) {
            return Some(one);
        }
    }
    closest_word(word, PARAMETER_NAMES)
}

/// The function that an unknown word was meant to be.
pub(super) fn suggest_function(word: &str) -> Option<&'static str> {
    let known = || FUNCTIONS.iter().map(|(name, ..)| *name);
    known().find(|name| name.eq_ignore_ascii_case(word)).or_else(|| closest_word(word, known()))
}

/// The property that an unknown word was meant to be.
pub(super) fn suggest_property(namespace: &str, word: &str) -> Option<&'static str> {
    let known = || VARIABLES.iter().filter(|(space, ..)| *space == namespace).map(|(_, name, _)| *name);
    let alias = match word {
        "time" | "timing" | "position" => "start",
        "length" | "len" => "duration",
        "vel" | "v" => "velocity",
        other => other,
    };
    known().find(|name| name.eq_ignore_ascii_case(alias)).or_else(|| closest_word(word, known()))
}

/// The property of that name, or the one that was meant.
pub(super) fn property_or_suggestion(namespace: &str, word: &str) -> Option<&'static str> {
    let exact = VARIABLES.iter().find(|(space, name, _)| (*space, *name) == (namespace, word));
    exact.map(|(_, name, _)| *name).or_else(|| suggest_property(namespace, word))
}

/// The pitch that a note letter without an octave was meant to be, and where: `name` was read last, and `cursor` is
/// behind it.
pub(super) fn missing_octave(cursor: &Cursor<'_>, name: &str, range: Range<usize>) -> Option<Box<Finding>> {
    let mut class = Cursor::new(name);
    class.pitch_class().filter(|_| class.is_at_end())?;
    let mut ahead = *cursor;
    let is_letter = name.len() == 1;
    if is_letter && (ahead.eat("#") || ahead.eat("\u{266f}") || ahead.eat("\u{266d}")) {
        let finding = Finding::new(range.start..ahead.pos(), Problem::NoOctave);
        let ends =
            !ahead.peek_char().is_some_and(|c| c.is_alphanumeric() || matches!(c, '#' | '\u{266f}' | '\u{266d}'));
        let meant = format!("{name}{}3", ahead.since(range.end));
        return Some(if ends { finding.with_fix(meant) } else { finding });
    }
    // `F #3`: the sharp would be a comment.
    ahead.eat_while(b" \t");
    let sharp = ahead.pos();
    if is_letter && sharp > range.end && ahead.eat("#") && !ahead.digits().is_empty() {
        let finding = Finding::new(range.clone(), Problem::NoOctave);
        let ends = !ahead.peek_char().is_some_and(char::is_alphanumeric);
        let written = ahead.since(sharp);
        return Some(if ends {
            finding.replacing(range.start..ahead.pos(), format!("{name}{written}"))
        } else {
            finding
        });
    }
    let meant = format!("{name}3");
    Some(Finding::new(range, Problem::NoOctave).with_fix(meant))
}

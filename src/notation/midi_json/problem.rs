//! What can be wrong with a text or an array, and the number that was probably meant.

use super::members::is_optional;
use super::number::read_number;
use crate::music::text::Cursor;

/// What messages call the notation.
pub(super) const NAME: &str = "midi-json";

#[derive(Clone, Debug, thiserror::Error)]
pub(super) enum Problem {
    #[error("expected [ and then notes, as in [{{p:60,t:0,d:1,v:100}}]")]
    NoArray,
    #[error("expected the list of notes itself, as in [{{p:60,t:0,d:1,v:100}}], with nothing around it")]
    Wrapped,
    #[error("expected [ and then notes; leave out the ``` around them")]
    Fence,
    #[error("expected a note in braces, such as {{p:60,t:0,d:1,v:100}}")]
    NoNote,
    #[error("expected a note in braces, such as {{p:60,t:0,d:1,v:100}}: one list holds all the notes")]
    Nested,
    #[error("expected , or ] after a note")]
    AfterNote,
    #[error("expected no comma before {0}")]
    TrailingComma(char),
    #[error("expected the end of the text after the closing ]")]
    AfterEnd,
    #[error("expected the name of a member (p, t, d, v, vd or c), bare or in quotes")]
    NoKey,
    #[error("expected : after \"{0}\"")]
    NoColon(String),
    #[error("expected a number or a ratio for \"{0}\", such as 60, 0.5, .5 or 2/3")]
    NoNumber(String),
    #[error("expected a number for \"{0}\", or the note without it")]
    Nothing(String),
    #[error("expected a number for \"{key}\": a pitch is given by its MIDI number, C3 is 60")]
    PitchName { key: String },
    #[error("expected , or }} after a member")]
    AfterMember,
    #[error("comments are no part of this notation")]
    Comment,
    #[error("{0}")]
    OddCharacter(String),
}

/// What is wrong with a member's value, and the number that was probably meant.
pub(super) fn diagnose_number(key: &str, rest: &str) -> (Problem, Option<String>) {
    let value: String = rest.chars().take(64).take_while(|c| !matches!(c, ',' | '}' | ']')).collect();
    let value = value.trim().trim_matches(['"', '\'']);
    let mut pitch = Cursor::new(value);
    if matches!(key, "p" | "pitch")
        && let Some(midi) = pitch.pitch()
        && pitch.is_at_end()
        && (0..=127).contains(&midi)
    {
        return (Problem::PitchName { key: key.to_owned() }, Some(midi.to_string()));
    }
    if matches!(value, "null" | "None" | "nil" | "undefined") && is_optional(key) {
        return (Problem::Nothing(key.to_owned()), None);
    }
    let squeezed: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    let candidate = squeezed.strip_prefix('+').unwrap_or(&squeezed).trim_end_matches('.');
    let mut cursor = Cursor::new(candidate);
    let fits = read_number(&mut cursor).is_some() && cursor.is_at_end();
    (Problem::NoNumber(key.to_owned()), fits.then(|| candidate.to_owned()))
}

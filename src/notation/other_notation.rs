//! Notes that cannot be read because they are written in another notation than the one in use.

use super::error::NotationError;
use super::name::Notation;
use super::parsed::ParseContext;
use super::read::read;
use crate::music::{Meter, Random};

/// The refusal of a text. If the whole text can be read in another notation, it names that one.
pub(super) fn name_other_notation(notation: Notation, text: &str, meter: Meter, error: NotationError) -> NotationError {
    if !matches!(error, NotationError::Mistakes { .. }) {
        return error;
    }
    let others = Notation::ALL.into_iter().filter(|other| *other != notation && looks_like(*other, text));
    let other = others.into_iter().find(|other| {
        let random = &mut Random::from_seed(0);
        read(*other, text, ParseContext { meter, existing: &[], random }).is_ok_and(|parsed| !parsed.notes.is_empty())
    });
    match other {
        Some(other) => NotationError::OtherNotation { notation: notation.name(), other: other.name() },
        None => error,
    }
}

/// A quick check before reading: every text of this notation that has notes passes it.
fn looks_like(notation: Notation, text: &str) -> bool {
    match notation {
        Notation::Barbeat => text.contains('|'),
        Notation::MidiJson => text.trim_start().starts_with('['),
        Notation::Stark => text.contains(':'),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;

    #[test]
    fn text_of_another_notation_is_called_by_its_name() {
        use Notation::{Barbeat, MidiJson, Stark};
        for (notation, text, other) in [
            (MidiJson, "kick: X z X z", Some("stark")),
            (Barbeat, "kick: X z X z\nsnare: z X", Some("stark")),
            (Barbeat, "chords: Cm7 F7 | Bb", Some("stark")),
            (Stark, "[{p:60,t:0,d:1,v:100}]", Some("midi-json")),
            (Barbeat, " [{\"p\":60,\"t\":0}]", Some("midi-json")),
            (Stark, "v100 n/4 C3 1|1,3", Some("barbeat")),
            (MidiJson, "C3 1|1", Some("barbeat")),
            // A mistake in the other one may be a mistake in this one.
            (MidiJson, "kick: X o X z", None),
            (Stark, "[{p:60,t:x}]", None),
            (Stark, "kick: X o", None),
            (Barbeat, "", None),
            // No notes.
            (MidiJson, "kick:", None),
        ] {
            let random = &mut Random::from_seed(1);
            let read = parse(notation, text, ParseContext { meter: Meter::COMMON, existing: &[], random });
            let found = match &read {
                Err(NotationError::OtherNotation { other, .. }) => Some(*other),
                _ => None,
            };
            assert_eq!(found, other, "{text}: {read:?}");
            if let (Some(other), Err(error)) = (other, &read) {
                assert!(error.to_string().ends_with(&format!("x-svc-notation: {other}")), "{error}");
            }
        }
    }
}

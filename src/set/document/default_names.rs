//! The names that Live shows where the user gave none.

use crate::set::document::Document;
use crate::set::document::track::{Track, TrackKind};

impl Document {
    /// The name a track shows: its own, with `#` at the front replaced by its number (`##` by one of two digits), or
    /// Live's numbered default, which follows the track's position. A return keeps its letter, whatever it is called.
    pub fn track_name(&self, track: &Track) -> String {
        match track.kind {
            TrackKind::Main => track.name.clone().unwrap_or_else(|| "Main".to_owned()),
            TrackKind::Return => {
                let letter = self.return_position(track.serial).map_or('A', return_letter);
                match &track.name {
                    Some(name) if name.starts_with('#') => name.replacen('#', &letter.to_string(), 1),
                    Some(name) => format!("{letter}-{}", without_letter(name, letter)),
                    // An unnamed return is called after its letter and its first device.
                    None => format!(
                        "{letter}-{}",
                        track.devices.first().map_or("Return".into(), |device| device.shown_name())
                    ),
                }
            }
            _ => match &track.name {
                Some(name) if !name.starts_with('#') => name.clone(),
                _ => numbered_name(track, self.track_position(track.serial).unwrap_or(0)),
            },
        }
    }
}

/// No Set has a track whose number has more.
const MOST_DIGITS: usize = 9;

/// The name that a regular track shows at that position.
pub fn numbered_name(track: &Track, at: usize) -> String {
    let number = at + 1;
    match &track.name {
        Some(name) if name.starts_with('#') => {
            // Each further sign is a digit more.
            let rest = name.trim_start_matches('#');
            let digits = (name.len() - rest.len()).min(MOST_DIGITS);
            format!("{number:0digits$}{rest}")
        }
        Some(name) => name.clone(),
        None => {
            let what = match track.kind {
                TrackKind::Audio => "Audio",
                TrackKind::Group => "Group",
                _ => "MIDI",
            };
            format!("{number}-{what}")
        }
    }
}

/// The name of a return behind its own letter, where it is written with it.
pub fn without_letter(name: &str, letter: char) -> &str {
    name.strip_prefix(letter).and_then(|rest| rest.strip_prefix('-')).unwrap_or(name)
}

/// A, B, ... for a return track's position.
pub fn return_letter(at: usize) -> char {
    u8::try_from(at % 26).map_or('A', |at| char::from(b'A' + at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_signs_are_digits() {
        let mut track = Track::new(1, TrackKind::Audio, 0, 0);
        for (name, shown) in [("# Kick", "3 Kick"), ("## Kick", "03 Kick"), ("###", "003"), ("Kick #", "Kick #")] {
            track.name = Some(name.to_owned());
            assert_eq!(numbered_name(&track, 2), shown);
        }
        track.name = Some("#".repeat(100_000));
        assert_eq!(numbered_name(&track, 2), "000000003");
    }
}

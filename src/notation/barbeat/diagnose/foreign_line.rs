//! A line that is wholly in another notation: a list of an event's place, pitch, length and velocity, as trackers and
//! MIDI lists have them. It is written right as a whole; what each word of it could be by itself would mislead.

use super::readable::is_readable;
use crate::music::text::{Cursor, decimal_text};
use crate::music::{Meter, pitch, position};

/// Longer lines are not looked at.
const LONGEST_LINE_BYTES: usize = 200;
/// A lone number behind a pitch that is above this is a velocity, else a length in beats.
const LONGEST_LIKELY_BEATS: f64 = 16.0;
/// Numbers from here on are more likely pitches than beats.
const LEAST_LIKELY_PITCH: f64 = 24.0;

/// The line in this notation, if every word of it is in another one.
pub(super) fn rewritten(line: &str, meter: Meter) -> Option<String> {
    if line.len() > LONGEST_LINE_BYTES {
        return None;
    }
    let words: Vec<&str> = line.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).collect();
    // Commas are of lists of beats.
    let apart: Vec<&str> = line.split_ascii_whitespace().collect();
    let written = numbers(&words, meter).or_else(|| placed(&apart, meter)).or_else(|| lettered(&words, meter))?;
    is_readable(&written, meter).then_some(written)
}

/// `60 0 1 100`: pitch, start and length in beats, velocity.
fn numbers(words: &[&str], meter: Meter) -> Option<String> {
    let numbers = words.iter().map(|word| number(word)).collect::<Option<Vec<f64>>>()?;
    let &[note, start, length, velocity] = numbers.as_slice() else { return None };
    // Four pitches are no event.
    let are_pitches = start >= LEAST_LIKELY_PITCH && length >= LEAST_LIKELY_PITCH;
    let is_whole = |n: f64| n.fract() == 0.0 && (0.0..=127.0).contains(&n);
    if are_pitches || !is_whole(note) || !is_whole(velocity) || velocity < 1.0 || length <= 0.0 {
        return None;
    }
    let place = position::format(start, meter);
    Some(format!("v{velocity} {} {} {place}", beats(length), pitch::name(note as u8)))
}

/// `1.1 C3 4 100`: place, pitches, length in beats, velocity; the place may stand behind the pitches or at the end.
fn placed(words: &[&str], meter: Meter) -> Option<String> {
    let is_place = |word: &&str| dotted_place(word, meter).is_some();
    let at = words.iter().position(is_place);
    let place = at.and_then(|at| dotted_place(words.get(at)?, meter));
    let others: Vec<&str> = words.iter().enumerate().filter(|(here, _)| Some(*here) != at).map(|(_, w)| *w).collect();
    let pitches = others.iter().take_while(|word| is_pitch(word)).count();
    let (pitches, rest) = others.split_at_checked(pitches).filter(|(pitches, _)| !pitches.is_empty())?;
    if at.is_some_and(|at| at != 0 && at != pitches.len() && at + 1 != words.len()) {
        return None;
    }
    // A place behind notes is where this notation has it, and numbers behind it may be beats.
    let is_ours = at.is_some_and(|at| at > 0);
    let (length, velocity) = match *rest {
        [] => (None, None),
        [one] => match number(one)? {
            n if n > LONGEST_LIKELY_BEATS => (None, Some(n)),
            n => (Some(n), None),
        },
        [length, velocity] => (Some(number(length)?), Some(number(velocity)?)),
        _ => return None,
    };
    if is_ours && (length.is_none() || velocity.is_none_or(|velocity| velocity <= LONGEST_LIKELY_BEATS)) {
        return None;
    }
    // A pitch and a number alone may be anything.
    if place.is_none() && velocity.is_none_or(|_| length.is_none()) {
        return None;
    }
    let mut written: Vec<String> = Vec::new();
    if let Some(velocity) = velocity {
        let is_velocity = velocity.fract() == 0.0 && (1.0..=127.0).contains(&velocity);
        written.push(is_velocity.then(|| format!("v{velocity}"))?);
    }
    written.extend(length.map(beats));
    written.extend(pitches.iter().map(|pitch| (*pitch).to_owned()));
    written.push(place.unwrap_or_else(|| "1|1".to_owned()));
    Some(written.join(" "))
}

/// `C4 q D4 e`: each pitch with the letter of its length, one behind the other.
fn lettered(words: &[&str], meter: Meter) -> Option<String> {
    let (mut written, mut at) = (Vec::new(), 0.0);
    let mut words = words.iter();
    while let Some(first) = words.next() {
        let second = words.next()?;
        let (pitch, length) = if is_pitch(first) { (first, second) } else { (second, first) };
        let length = letter_beats(length).filter(|_| is_pitch(pitch))?;
        written.push(format!("{} {pitch} {}", beats(length), position::format(at, meter)));
        at += length;
    }
    (!written.is_empty()).then(|| written.join(" "))
}

/// A length in quarter beats.
fn beats(length: f64) -> String {
    for denominator in [1_u32, 2, 4, 8, 16, 32] {
        if (length * f64::from(denominator) - 4.0).abs() < 1e-9 {
            return format!("n/{denominator}");
        }
    }
    format!("n{}/4", decimal_text(length, 3))
}

fn number(word: &str) -> Option<f64> {
    let is_plain = word.bytes().all(|b| b.is_ascii_digit() || b == b'.') && !word.starts_with('.');
    word.parse().ok().filter(|_| is_plain)
}

fn is_pitch(word: &str) -> bool {
    let mut cursor = Cursor::new(word);
    cursor.pitch().is_some() && cursor.is_at_end()
}

/// `1.1`, `1:1` or `1.1.3`: bar, beat and sixteenth; `1|1` too.
fn dotted_place(word: &str, meter: Meter) -> Option<String> {
    if word.contains('|') {
        return position::parse(word, meter).ok().map(|_| word.to_owned());
    }
    let parts = word.split(['.', ':']).map(|part| part.parse::<u32>().ok().filter(|n| *n > 0));
    match parts.collect::<Option<Vec<u32>>>()?.as_slice() {
        [bar, beat] => Some(format!("{bar}|{beat}")),
        [bar, beat, sixteenth @ 1..=4] => {
            let beat = f64::from(*beat) + f64::from(sixteenth - 1) / 4.0;
            Some(format!("{bar}|{}", decimal_text(beat, 2)))
        }
        _ => None,
    }
}

/// `q` is a quarter, `q.` a dotted one.
fn letter_beats(word: &str) -> Option<f64> {
    let (letter, dotted) = word.strip_suffix('.').map_or((word, false), |letter| (letter, true));
    let beats = match letter {
        "w" | "W" => 4.0,
        "h" | "H" => 2.0,
        "q" | "Q" => 1.0,
        "e" => 0.5,
        "s" | "S" => 0.25,
        _ => return None,
    };
    Some(if dotted { beats * 1.5 } else { beats })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_other_notations_are_rewritten() {
        for (line, written) in [
            ("1.1 C3 4 100", Some("v100 n/1 C3 1|1")),
            ("2:3 C3 E3 G3 0.5 90", Some("v90 n/8 C3 E3 G3 2|3")),
            ("1.2.3 C3", Some("C3 1|2.5")),
            ("C3 1.1 100", None),
            ("C3 1.3, 4", None),
            ("F2 2.3", None),
            ("1.1 C3 100", Some("v100 C3 1|1")),
            ("C3 1|1 2", None),
            ("C3 1|1 64", None),
            ("C3 1|1 2 3", None),
            ("C3 1|1 2 90", Some("v90 n/2 C3 1|1")),
            ("C3 2 90 1|1", Some("v90 n/2 C3 1|1")),
            ("C3 0.5 90 2.3", Some("v90 n/8 C3 2|3")),
            ("1|3 F#2 3", Some("n3/4 F#2 1|3")),
            ("C3 1 100", Some("v100 n/4 C3 1|1")),
            ("C4 q", Some("n/4 C4 1|1")),
            ("C4 q D4 e. E4 h", Some("n/4 C4 1|1 n0.75/4 D4 1|2 n/2 E4 1|2.75")),
            ("q C4", Some("n/4 C4 1|1")),
            ("60 0 1 100", Some("v100 n/4 C3 1|1")),
            ("60, 4.5, 0.25, 64", Some("v64 n/16 C3 2|1.5")),
            // Four pitches, a lone number, a list of positions, something else.
            ("60 64 67 72", None),
            ("C3 4", None),
            ("C3 60", None),
            ("1.1", None),
            ("1|1 2 3", None),
            ("v100 C3 1.1", None),
            ("Cm7 q", None),
            ("", None),
        ] {
            assert_eq!(rewritten(line, Meter::COMMON).as_deref(), written, "{line}");
        }
    }
}

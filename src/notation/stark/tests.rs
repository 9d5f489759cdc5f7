use super::*;
use crate::music::{Meter, Random};
use crate::notation::{MAX_NOTES, Mistake, MistakePlace, duplicates};

mod mistakes;
mod reading;
mod writing;

fn read_seeded(text: &str, seed: u64) -> Result<Parsed, NotationError> {
    let random = &mut Random::from_seed(seed);
    parse(text, ParseContext { meter: Meter::COMMON, existing: &[], random })
}

fn read(text: &str) -> Result<Parsed, NotationError> {
    read_seeded(text, 1)
}

fn format(notes: &[Note], drum_mode: bool) -> String {
    write(notes, drum_mode).text
}

fn level(velocity: f64) -> char {
    match velocity as u8 {
        60..=80 => 's',
        100..=110 => 'n',
        115..=127 => 'a',
        _ => '?',
    }
}

/// `pitch start duration level`, rounded to four decimals.
fn short(notes: &[Note]) -> Vec<String> {
    let round = |x: f64| (x * 1e4).round() / 1e4;
    let one = |n: &Note| format!("{} {} {} {}", n.pitch, round(n.start), round(n.duration), level(n.velocity));
    notes.iter().map(one).collect()
}

fn note(pitch: u8, start: f64, duration: f64, velocity: f64) -> Note {
    Note { velocity, ..Note::new(pitch, start, duration) }
}

/// Mistakes are told in the order of the text, one in a place.
fn in_order(text: &str, mistakes: &[Mistake]) {
    let place = |mistake: &Mistake| match mistake.place {
        MistakePlace::Text { character, .. } => character,
        MistakePlace::Element { .. } => panic!("{mistake}"),
    };
    assert!(mistakes.windows(2).all(|pair| place(&pair[0]) < place(&pair[1])), "{text}: {mistakes:#?}");
}

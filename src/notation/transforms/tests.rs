use super::*;
use crate::music::{Meter, Note, Random, scale};
use crate::notation::{MAX_TEXT_BYTES, Mistake, MistakePlace, NotationError};

mod bounds;
mod chance;
mod changes;
mod counts;
mod evaluation;
mod grammar;
mod messages;
mod rules;
mod surroundings;

fn note(pitch: u8, start: f64, duration: f64, velocity: f64) -> Note {
    Note { velocity, ..Note::new(pitch, start, duration) }
}

/// D3, F3, A3, D3 a quarter apart.
fn four() -> Vec<Note> {
    vec![note(62, 0.0, 1.0, 70.0), note(65, 1.0, 1.0, 80.0), note(69, 2.0, 1.0, 90.0), note(62, 3.0, 1.0, 100.0)]
}

fn in_meter(meter: &str) -> ClipContext {
    ClipContext { meter: meter.parse().unwrap(), ..ClipContext::default() }
}

fn apply_in(context: &ClipContext, text: &str, notes: Vec<Note>) -> TransformedNotes {
    let program = Program::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    program.check(ClipKind::Midi).unwrap_or_else(|e| panic!("{text}: {e}"));
    program.apply(notes, context, &mut Random::from_seed(1)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn apply(text: &str, notes: Vec<Note>) -> TransformedNotes {
    apply_in(&ClipContext::default(), text, notes)
}

fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// `pitch@start+duration v`
fn short(notes: &[Note]) -> String {
    let one = |n: &Note| format!("{}@{}+{} {}", n.pitch, round(n.start), round(n.duration), round(n.velocity));
    notes.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn list(values: impl Iterator<Item = f64>) -> String {
    values.map(|v| round(v).to_string()).collect::<Vec<_>>().join(" ")
}

use super::*;
use crate::notation::{MAX_NOTES, MistakePlace, duplicates};

mod mistakes;
mod reading;
mod rules;
mod wholes;
mod writing;

fn meter(text: &str) -> Meter {
    text.parse().unwrap()
}

/// What is said of a text in a clip that begins at 1|1.
fn warnings(parsed: &Parsed) -> Vec<String> {
    [parsed.pickup_warnings(0.0, Meter::COMMON), parsed.warnings.clone()].concat()
}

type Short = (u8, f64, f64, f64);

fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

fn short(notes: &[Note]) -> Vec<Short> {
    notes.iter().map(|n| (n.pitch, round(n.start), round(n.duration), n.velocity)).collect()
}

/// One pitch at many starts, quarter-long, velocity 100.
fn at(pitch: u8, starts: &[f64]) -> Vec<Short> {
    starts.iter().map(|start| (pitch, *start, 1.0, 100.0)).collect()
}

fn note(pitch: u8, start: f64, duration: f64, velocity: f64) -> Note {
    Note { velocity, ..Note::new(pitch, start, duration) }
}

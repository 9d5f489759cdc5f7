//! How fast each notation is read and written, and what a transform costs a note.
//!
//! Reading and writing should grow no faster than the notes do: 100 times the notes, 100 times the time.

mod support;

use std::hint::black_box;
use std::time::{Duration, Instant};
use support::{Table, rounds};
use svc_device::music::{Meter, Note, Random};
use svc_device::notation::transforms::{ClipContext, Program};
use svc_device::notation::{self, MAX_TEXT_BYTES, Notation, ParseContext};

const COUNTS: [u32; 3] = [1_000, 10_000, 100_000];

/// Two voices in sixteenths and triplets, their velocities changing from note to note.
fn varied(count: u32) -> Vec<Note> {
    let note = |i: u32| Note {
        velocity: f64::from(60 + i % 40),
        ..Note::new((36 + (i * 7) % 48) as u8, f64::from(i / 2) / 4.0 + f64::from(i % 3) / 12.0, 0.25)
    };
    (0..count).map(note).collect()
}

/// A drum loop: eight pitches in sixteenths.
fn drums(count: u32) -> Vec<Note> {
    (0..count).map(|i| Note::new((36 + i % 8) as u8, f64::from(i / 8) / 4.0, 0.25)).collect()
}

/// The shortest of some runs.
fn fastest<T>(mut work: impl FnMut() -> T) -> Duration {
    let runs = rounds(10).max(2);
    let once = |work: &mut dyn FnMut() -> T| {
        let start = Instant::now();
        black_box(work());
        start.elapsed()
    };
    (0..runs).map(|_| once(&mut work)).min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

fn main() {
    reading_and_writing();
    transforming();
}

fn reading_and_writing() {
    let mut table = Table::new(&["notes", "text", "read", "MB/s", "Mnotes/s", "written", "MB/s", "Mnotes/s"]);
    for (name, notes_of, drum_mode) in
        [("varied", varied as fn(u32) -> Vec<Note>, false), ("drums", drums as fn(u32) -> Vec<Note>, true)]
    {
        for notation in Notation::ALL {
            for count in COUNTS {
                let notes = notes_of(count);
                let text = notation::format(notation, &notes, Meter::COMMON, drum_mode);
                let written = fastest(|| notation::format(notation, &notes, Meter::COMMON, drum_mode));
                let read = fastest(|| read(notation, &text));
                let speed = |amount: f64, time: Duration| format!("{:.1}", amount / 1e6 / time.as_secs_f64());
                let (bytes, notes) = (text.len() as f64, f64::from(count));
                table.row(
                    &format!("{count} {name}, {}", notation.name()),
                    [
                        format!("{:.0} kB", bytes / 1e3),
                        milliseconds(read),
                        speed(bytes, read),
                        speed(notes, read),
                        milliseconds(written),
                        speed(bytes, written),
                        speed(notes, written),
                    ],
                );
            }
        }
    }
    table.print();
}

/// Reads a text in pieces that one call may send, cut between lines or notes.
fn read(notation: Notation, text: &str) -> usize {
    let mut random = Random::from_seed(1);
    let mut parse = |text: &str| {
        let reading = ParseContext { meter: Meter::COMMON, existing: &[], random: &mut random };
        notation::parse(notation, text, reading).expect("what was written can be read").notes.len()
    };
    if text.len() <= MAX_TEXT_BYTES {
        return parse(text);
    }
    let separator = if notation == Notation::MidiJson { "},{" } else { "\n" };
    let mut sum = 0;
    let mut rest = text.trim_start_matches('[').trim_end_matches(']');
    while !rest.is_empty() {
        let window = rest.get(..MAX_TEXT_BYTES - 16).unwrap_or(rest);
        let end = if window.len() == rest.len() { rest.len() } else { window.rfind(separator).expect("a cut") + 1 };
        let piece = rest[..end].trim_end_matches('\n');
        sum += if notation == Notation::MidiJson { parse(&format!("[{piece}]")) } else { parse(piece) };
        rest = rest[end..].trim_start_matches(',');
    }
    sum
}

fn transforming() {
    let mut table = Table::new(&["transform", "10,000 notes", "100,000 notes", "ns a note"]);
    for text in [
        "velocity += 10",
        "velocity = 64 + 30 * sin(1bar)",
        "C2-C4 1|1-<999|1: velocity = ramp(20, 120)",
        "where(note.velocity > 80 && note.pitch < C4): delete",
        "timing = swing(0.08, n/8)",
        "duration = legato()",
        "pitch = step(note.pitch, 2)",
        "velocity = rand(60, 100)",
        "merge(n/16)",
        "velocity += 3\nduration *= 0.9\ntiming += rand(-0.01, 0.01)",
    ] {
        let program = Program::parse(text).expect("a transform");
        let run = |count: u32| {
            let notes = varied(count);
            let mut random = Random::from_seed(1);
            let context = ClipContext::default();
            fastest(|| program.apply(notes.clone(), &context, &mut random).expect("notes").notes.len())
        };
        let (small, large) = (run(10_000), run(100_000));
        let each = format!("{:.0}", large.as_nanos() as f64 / 100_000.0);
        table.row(&text.replace('\n', "; "), [milliseconds(small), milliseconds(large), each]);
    }
    table.print();
}

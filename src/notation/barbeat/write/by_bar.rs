//! One line for each kind of chord in a bar, with the positions of all that are like it.

use super::writer::{NoteState, SAME_BEAT, Writer, WrittenNote};
use crate::music::position::push_beat;
use crate::music::text::push_whole;
use crate::music::{Meter, SAME_POSITION_BEATS};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Notes that start together.
struct Chord {
    /// Its notes, by their indices in the list.
    from: usize,
    until: usize,
    /// The beat of the earliest.
    beat: f64,
    /// The next chord of the bar that is written in the same line, by its place among the bar's chords.
    next: Option<usize>,
    starts_line: bool,
}

impl Chord {
    fn notes<'a>(&self, notes: &'a [WrittenNote]) -> &'a [WrittenNote] {
        notes.get(self.from..self.until).unwrap_or(&[])
    }

    /// Equal for chords that may share a line.
    fn content_hash(&self, notes: &[WrittenNote]) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |value: u64| hash = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        for note in self.notes(notes) {
            let NoteState { low, high, duration, probability } = note.state;
            add(u64::from(note.pitch) | u64::from(low) << 8 | u64::from(high) << 16);
            add(duration.to_bits());
            add(probability as u64);
        }
        hash
    }

    fn is_like(&self, other: &Chord, notes: &[WrittenNote]) -> bool {
        let key = |note: &WrittenNote| (note.pitch, note.state);
        self.notes(notes).iter().map(key).eq(other.notes(notes).iter().map(key))
    }
}

/// A hasher for keys that are hashes already.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The chords of one bar, by line.
#[derive(Default)]
struct Bar {
    chords: Vec<Chord>,
    /// The last chord of each line, by the hash of what it says. Two that share a hash by chance get lines of their
    /// own.
    lines: HashMap<u64, usize, BuildHasherDefault<IdentityHasher>>,
}

impl Bar {
    fn add(&mut self, mut chord: Chord, notes: &[WrittenNote]) {
        let place = self.chords.len();
        let hash = chord.content_hash(notes);
        if let Some(before) = self.lines.insert(hash, place).and_then(|last| self.chords.get_mut(last))
            && before.is_like(&chord, notes)
        {
            before.next = Some(place);
            chord.starts_line = false;
        }
        self.chords.push(chord);
    }

    /// Writes a line for each kind of chord, with the positions of all that are like it.
    fn write(&mut self, writer: &mut Writer, notes: &[WrittenNote], meter: Meter) {
        for first in self.chords.iter().filter(|chord| chord.starts_line) {
            writer.start_line();
            for note in first.notes(notes) {
                writer.state(note.state);
                writer.pitch(note.pitch);
            }
            let mut chord = Some(first);
            while let Some(this) = chord {
                if let Some(note) = notes.get(this.from) {
                    if this.starts_line {
                        writer.space();
                        push_whole(&mut writer.text, note.bar);
                        writer.text.push('|');
                    } else {
                        writer.text.push(',');
                    }
                    push_beat(&mut writer.text, this.beat, meter);
                }
                chord = this.next.and_then(|next| self.chords.get(next));
            }
        }
        self.chords.clear();
        self.lines.clear();
    }
}

pub(super) fn write_bars(writer: &mut Writer, mut notes: Vec<WrittenNote>, meter: Meter) {
    let mut bar = Bar::default();
    let mut current_bar = None;
    // Where each pitch was last written to start.
    let mut written = [f64::NEG_INFINITY; 128];
    let mut from = 0;
    while let Some(first) = notes.get(from).copied() {
        if current_bar != Some(first.bar) {
            bar.write(writer, &notes, meter);
            current_bar = Some(first.bar);
        }
        let mut until = from;
        while let Some(moment) = notes.get(until).map(|note| note.start) {
            let rest = notes.get(until..).unwrap_or(&[]);
            let together = rest.split(|note| note.start != moment).next().unwrap_or(&[]);
            // A chord takes notes back to its start, but never onto an earlier note of their pitch; and those of one
            // moment together or not at all, as they are all that a reader of the text still sees.
            let joins = |note: &WrittenNote| {
                let last = written.get(usize::from(note.pitch)).copied().unwrap_or(f64::INFINITY);
                note.bar == first.bar
                    && note.beat - first.beat <= SAME_BEAT
                    && first.start - last >= SAME_POSITION_BEATS
            };
            if until > from && !together.iter().all(joins) {
                break;
            }
            for note in together {
                if let Some(last) = written.get_mut(usize::from(note.pitch)) {
                    *last = first.start;
                }
            }
            until += together.len().max(1);
        }
        if until - from > 1 {
            notes.get_mut(from..until).unwrap_or(&mut []).sort_by_key(|note| note.pitch);
        }
        bar.add(Chord { from, until, beat: first.beat, next: None, starts_line: true }, &notes);
        from = until;
    }
    bar.write(writer, &notes, meter);
}

//! Notes to text: the state said once and then only where it changes, one line a batch (or, for drums, a pitch).
//!
//! Invariant: what is compared, grouped and measured are starts and lengths as they will be read back, never as they came.
//! So a text that is read and written again is the same text, and no two notes of a pitch are read back into one slot.

use super::spelling::{Lengths, Starts};
use crate::music::duration::note_value;
use crate::music::position::{beat_text, place, push_beat};
use crate::music::text::{Cursor, decimal_text};
use crate::music::{Beats, Meter, Note, SAME_POSITION_BEATS, pitch};
use crate::notation::slots;
use indexmap::IndexMap;
use std::collections::HashMap;
use std::fmt::{Arguments, Write as _};
use std::hash::{BuildHasherDefault, Hasher};

/// Notes that start no further apart than this (in beats of the meter) are written as one chord.
const SAME_BEAT: f64 = 0.001;
/// Hits closer than this (in quarter beats) to where a repeat would put them may be written as the repeat.
const REPEAT_ERROR_BEATS: Beats = 0.0005;

/// A note ready to be written.
#[derive(Clone, Copy)]
struct Entry {
    pitch: u8,
    start: Beats,
    bar: i64,
    beat: f64,
    state: State,
}

/// What the state tokens say.
#[derive(Clone, Copy, PartialEq)]
struct State {
    low: u8,
    high: u8,
    duration: Beats,
    /// In thousandths.
    probability: i64,
}

impl State {
    fn of(note: &Note, lengths: &mut Lengths) -> State {
        // A negative deviation is a range below the velocity.
        let deviation = note.velocity_deviation.round();
        let low = (note.velocity.round() + deviation.min(0.0)).clamp(1.0, 127.0);
        let high = (note.velocity.round() + deviation.max(0.0)).clamp(low, 127.0);
        let duration = lengths.written(note.duration);
        State { low: low as u8, high: high as u8, duration, probability: thousandths(note.probability) }
    }
}

fn thousandths(value: f64) -> i64 {
    (value * 1000.0).round() as i64
}

/// The text being written, with the state that it has said so far.
struct Writer {
    text: String,
    said: Option<State>,
}

impl Writer {
    fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
    }

    fn word(&mut self, word: Arguments<'_>) {
        self.space();
        // Writing to a String cannot fail.
        let _ = self.text.write_fmt(word);
    }

    fn pitch(&mut self, pitch: u8) {
        self.word(format_args!("{}{}", pitch::class_name(pitch), i32::from(pitch / 12) - 2));
    }

    /// Says what differs from what was said; the first time all but a probability of 1.
    fn state(&mut self, state: State) {
        let said = self.said;
        if said.is_none_or(|s| (s.low, s.high) != (state.low, state.high)) {
            if state.low == state.high {
                self.word(format_args!("v{}", state.low));
            } else {
                self.word(format_args!("v{}-{}", state.low, state.high));
            }
        }
        if said.is_none_or(|s| s.duration != state.duration) {
            self.word(format_args!("{}", note_value(state.duration)));
        }
        if said.map_or(1000, |s| s.probability) != state.probability {
            self.word(format_args!("p{}", decimal_text(state.probability as f64 / 1000.0, 3)));
        }
        self.said = Some(state);
    }

    fn line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

/// The text of notes; `""` for none.
pub(super) fn write(notes: &[Note], meter: Meter, drum_mode: bool) -> String {
    let mut lengths = Lengths::default();
    let mut starts = Starts::new(meter);
    let mut entries: Vec<Entry> = slots::sorted(notes)
        .iter()
        .filter(|note| note.pitch <= 127 && note.duration > 0.0 && note.duration.is_finite() && note.start.is_finite())
        .map(|note| {
            let (start, bar, beat) = starts.written(note.pitch, note.start);
            Entry { pitch: note.pitch, start, bar, beat, state: State::of(note, &mut lengths) }
        })
        .collect();
    // Notes a hair apart may be written at one moment; then their pitches order them.
    entries.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch)));
    let mut writer = Writer { text: String::with_capacity(entries.len() * 12), said: None };
    if drum_mode {
        drums(&mut writer, &entries, meter)
    } else {
        batches(&mut writer, entries, meter)
    }
    writer.text
}

/// Notes that start together.
struct Group {
    /// Which of the entries.
    from: usize,
    until: usize,
    /// The beat of the earliest.
    beat: f64,
    /// The next group of the bar that is written in the same line, by its place among the bar's groups.
    next: Option<usize>,
    is_first: bool,
}

impl Group {
    fn entries<'a>(&self, entries: &'a [Entry]) -> &'a [Entry] {
        entries.get(self.from..self.until).unwrap_or(&[])
    }

    /// Equal for groups that may share a line.
    fn hash(&self, entries: &[Entry]) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |value: u64| hash = (hash ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        for entry in self.entries(entries) {
            let State { low, high, duration, probability } = entry.state;
            add(u64::from(entry.pitch) | u64::from(low) << 8 | u64::from(high) << 16);
            add(duration.to_bits());
            add(probability as u64);
        }
        hash
    }

    fn is_like(&self, other: &Group, entries: &[Entry]) -> bool {
        let key = |entry: &Entry| (entry.pitch, entry.state);
        self.entries(entries).iter().map(key).eq(other.entries(entries).iter().map(key))
    }
}

/// A hasher for what is a hash already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
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

/// The groups of one bar, by line.
#[derive(Default)]
struct Bar {
    groups: Vec<Group>,
    /// The last group of each line, by the hash of what it says. Two that share a hash by chance get lines of their own.
    lines: HashMap<u64, usize, BuildHasherDefault<Hashed>>,
}

impl Bar {
    fn add(&mut self, mut group: Group, entries: &[Entry]) {
        let place = self.groups.len();
        let hash = group.hash(entries);
        if let Some(before) = self.lines.insert(hash, place).and_then(|last| self.groups.get_mut(last))
            && before.is_like(&group, entries)
        {
            before.next = Some(place);
            group.is_first = false;
        }
        self.groups.push(group);
    }

    /// Writes a line for each kind of group, with the positions of all that are like it.
    fn write(&mut self, writer: &mut Writer, entries: &[Entry], meter: Meter) {
        for first in self.groups.iter().filter(|group| group.is_first) {
            writer.line();
            for entry in first.entries(entries) {
                writer.state(entry.state);
                writer.pitch(entry.pitch);
            }
            let mut group = Some(first);
            while let Some(this) = group {
                if let Some(entry) = entries.get(this.from) {
                    if this.is_first {
                        writer.word(format_args!("{}|", entry.bar));
                    } else {
                        writer.text.push(',');
                    }
                    push_beat(&mut writer.text, this.beat, meter);
                }
                group = this.next.and_then(|next| self.groups.get(next));
            }
        }
        self.groups.clear();
        self.lines.clear();
    }
}

fn batches(writer: &mut Writer, mut entries: Vec<Entry>, meter: Meter) {
    let mut bar = Bar::default();
    let mut current_bar = None;
    // Where each pitch was last written to start.
    let mut written = [f64::NEG_INFINITY; 128];
    let mut from = 0;
    while let Some(first) = entries.get(from).copied() {
        if current_bar != Some(first.bar) {
            bar.write(writer, &entries, meter);
            current_bar = Some(first.bar);
        }
        let mut until = from;
        while let Some(moment) = entries.get(until).map(|entry| entry.start) {
            let rest = entries.get(until..).unwrap_or(&[]);
            let together = rest.split(|entry| entry.start != moment).next().unwrap_or(&[]);
            // A chord takes notes back to its start, but never onto an earlier note of their pitch; and those of one moment
            // together or not at all, as they are all that a reader of the text still sees.
            let joins = |entry: &Entry| {
                let last = written.get(usize::from(entry.pitch)).copied().unwrap_or(f64::INFINITY);
                entry.bar == first.bar
                    && entry.beat - first.beat <= SAME_BEAT
                    && first.start - last >= SAME_POSITION_BEATS
            };
            if until > from && !together.iter().all(joins) {
                break;
            }
            for entry in together {
                if let Some(last) = written.get_mut(usize::from(entry.pitch)) {
                    *last = first.start;
                }
            }
            until += together.len().max(1);
        }
        if until - from > 1 {
            entries.get_mut(from..until).unwrap_or(&mut []).sort_by_key(|entry| entry.pitch);
        }
        bar.add(Group { from, until, beat: first.beat, next: None, is_first: true }, &entries);
        from = until;
    }
    bar.write(writer, &entries, meter);
}

fn drums(writer: &mut Writer, entries: &[Entry], meter: Meter) {
    let mut pitches: IndexMap<u8, Vec<Entry>> = IndexMap::new();
    for entry in entries {
        pitches.entry(entry.pitch).or_default().push(*entry);
    }
    for (pitch, hits) in pitches {
        writer.line();
        let mut rest = hits.as_slice();
        while let Some(first) = rest.first() {
            let size = rest.iter().take_while(|hit| first.state == hit.state).count().max(1);
            let Some((run, after)) = rest.split_at_checked(size) else { break };
            rest = after;
            writer.state(first.state);
            writer.pitch(pitch);
            writer.word(format_args!("{}", positions(run, first.state.duration, meter)));
        }
    }
}

/// The positions of a run of hits of one pitch: a repeat if they are even and it is shorter, else lists by bar.
fn positions(run: &[Entry], length: Beats, meter: Meter) -> String {
    repeat(run, length, meter).unwrap_or_else(|| list(run.iter().map(|hit| (hit.bar, hit.beat)), meter))
}

fn list(hits: impl Iterator<Item = (i64, f64)>, meter: Meter) -> String {
    let mut list = String::new();
    let mut before = None;
    for (bar, beat) in hits {
        if before == Some(bar) {
            list.push(',');
        } else {
            if !list.is_empty() {
                list.push(' ');
            }
            let _ = write!(list, "{bar}|");
            before = Some(bar);
        }
        push_beat(&mut list, beat, meter);
    }
    list
}

/// The run as a repeat, if it says the same in fewer characters.
fn repeat(run: &[Entry], length: Beats, meter: Meter) -> Option<String> {
    let [first, second, _, ..] = run else { return None };
    let last = run.last()?;
    let gap = (last.start - first.start) / (run.len() - 1) as f64;
    if gap <= SAME_BEAT || (second.start - first.start - gap).abs() > 0.002 * meter.beat_length() {
        return None;
    }
    // What counts is where the text puts the hits, so the written length is read back.
    let read = |step: &str| Cursor::new(step).length(meter).unwrap_or(0.0);
    let lands = |step: Beats| {
        let error = |(index, hit): (usize, &Entry)| (first.start + step * index as f64 - hit.start).abs();
        run.iter().enumerate().all(|hit| error(hit) < REPEAT_ERROR_BEATS)
    };
    let shorter = |repeat: &str, step: Beats| {
        let hits = (0..run.len()).map(|index| place(first.start + step * index as f64, meter));
        repeat.len() < list(hits, meter).len()
    };
    let base = format!("{}|{}x{}", first.bar, beat_text(first.beat, meter), run.len());
    let step = note_value(gap);
    let whole = format!("{base}@{step}");
    let without = read(&note_value(length));
    if (gap - length).abs() <= SAME_BEAT * meter.beat_length() && lands(without) {
        // The step counts even where it is left out.
        return shorter(&format!("{base}@{}", note_value(length)), without).then_some(base);
    }
    let step = read(&step);
    (lands(step) && shorter(&whole, step)).then_some(whole)
}

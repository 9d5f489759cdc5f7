//! Notes to text: the state said once and then only where it changes, one line a batch (or, for drums, a pitch).

use crate::music::duration::note_value;
use crate::music::position::{beat_text, place, push_beat};
use crate::music::text::{Cursor, decimal_text};
use crate::music::{Beats, Meter, Note, pitch};
use crate::notation::slots;
use indexmap::IndexMap;
use std::collections::HashMap;
use std::fmt::{Arguments, Write as _};
use std::hash::{BuildHasherDefault, Hasher};

/// Lengths closer than this are written as one.
const SAME_VALUE: f64 = 0.001;
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
#[derive(Clone, Copy)]
struct State {
    low: u8,
    high: u8,
    duration: Beats,
    probability: f64,
}

impl State {
    fn of(note: &Note) -> State {
        // A negative deviation is a range below the velocity.
        let deviation = note.velocity_deviation.round();
        let low = (note.velocity.round() + deviation.min(0.0)).clamp(1.0, 127.0);
        let high = (note.velocity.round() + deviation.max(0.0)).clamp(low, 127.0);
        State { low: low as u8, high: high as u8, duration: note.duration, probability: note.probability }
    }

    fn is_like(&self, other: &State) -> bool {
        (self.low, self.high) == (other.low, other.high)
            && (self.duration - other.duration).abs() <= SAME_VALUE
            && thousandths(self.probability) == thousandths(other.probability)
    }

    /// Equal for states that may share a batch.
    fn key(&self) -> (u8, u8, i64, i64) {
        (self.low, self.high, thousandths(self.duration), thousandths(self.probability))
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
        let mut now = state;
        match said {
            Some(s) if (s.duration - state.duration).abs() <= SAME_VALUE => now.duration = s.duration,
            _ => self.word(format_args!("{}", note_value(state.duration))),
        }
        if thousandths(said.map_or(1.0, |s| s.probability)) != thousandths(state.probability) {
            self.word(format_args!("p{}", decimal_text(state.probability, 3)));
        }
        self.said = Some(now);
    }

    fn line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

/// The text of notes; `""` for none.
pub(super) fn write(notes: &[Note], meter: Meter, drum_mode: bool) -> String {
    let entries: Vec<Entry> = slots::sorted(notes)
        .iter()
        .filter(|note| note.pitch <= 127 && note.duration > 0.0 && note.duration.is_finite() && note.start.is_finite())
        .map(|note| {
            let (bar, beat) = place(note.start, meter);
            Entry { pitch: note.pitch, start: note.start, bar, beat, state: State::of(note) }
        })
        .collect();
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
            let (low, high, duration, probability) = entry.state.key();
            add(u64::from(entry.pitch) | u64::from(low) << 8 | u64::from(high) << 16);
            add(duration as u64);
            add(probability as u64);
        }
        hash
    }

    fn is_like(&self, other: &Group, entries: &[Entry]) -> bool {
        let key = |entry: &Entry| (entry.pitch, entry.state.key());
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
    let mut from = 0;
    while let Some(first) = entries.get(from).copied() {
        if current_bar != Some(first.bar) {
            bar.write(writer, &entries, meter);
            current_bar = Some(first.bar);
        }
        let size = entries
            .get(from..)
            .unwrap_or(&[])
            .iter()
            .take_while(|entry| entry.bar == first.bar && entry.beat - first.beat <= SAME_VALUE)
            .count()
            .max(1);
        let until = from + size;
        if size > 1 {
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
            let size = rest.iter().take_while(|hit| first.state.is_like(&hit.state)).count().max(1);
            let Some((run, after)) = rest.split_at_checked(size) else { break };
            rest = after;
            writer.state(first.state);
            writer.pitch(pitch);
            let length = writer.said.map_or(first.state.duration, |said| said.duration);
            writer.word(format_args!("{}", positions(run, length, meter)));
        }
    }
}

/// The positions of a run of hits of one pitch: a repeat if they are even and it is shorter, else lists by bar.
fn positions(run: &[Entry], length: Beats, meter: Meter) -> String {
    let mut list = String::new();
    let mut bar = None;
    for entry in run {
        if bar == Some(entry.bar) {
            list.push(',');
        } else {
            if !list.is_empty() {
                list.push(' ');
            }
            let _ = write!(list, "{}|", entry.bar);
            bar = Some(entry.bar);
        }
        push_beat(&mut list, entry.beat, meter);
    }
    repeat(run, length, meter, list.len()).unwrap_or(list)
}

/// The run as a repeat, if it says the same in less than `list_length` characters.
fn repeat(run: &[Entry], length: Beats, meter: Meter, list_length: usize) -> Option<String> {
    let [first, second, _, ..] = run else { return None };
    let last = run.last()?;
    let gap = (last.start - first.start) / (run.len() - 1) as f64;
    if gap <= SAME_VALUE || (second.start - first.start - gap).abs() > 0.002 * meter.beat_length() {
        return None;
    }
    let base = format!("{}|{}x{}", first.bar, beat_text(first.beat, meter), run.len());
    let step = note_value(gap);
    if base.len() + 1 + step.len() >= list_length {
        return None;
    }
    // What counts is where the text puts the hits, so the written length is read back.
    let lands = |step: &str| {
        let step = Cursor::new(step).length(meter).unwrap_or(0.0);
        let error = |(index, entry): (usize, &Entry)| (first.start + step * index as f64 - entry.start).abs();
        run.iter().enumerate().all(|hit| error(hit) < REPEAT_ERROR_BEATS)
    };
    if (gap - length).abs() <= SAME_VALUE * meter.beat_length() && lands(&note_value(length)) {
        Some(base)
    } else {
        lands(&step).then(|| format!("{base}@{step}"))
    }
}

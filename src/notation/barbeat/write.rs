//! Notes to text: the state said once and then only where it changes, one line a batch (or, for drums, a pitch).

use crate::music::duration::note_value;
use crate::music::position::{beat_text, place};
use crate::music::text::{Cursor, decimal_text};
use crate::music::{Beats, Meter, Note, pitch};
use indexmap::IndexMap;

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
    fn word(&mut self, word: &str) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }

    /// Says what differs from what was said; the first time all but a probability of 1.
    fn state(&mut self, state: State) {
        let said = self.said;
        if said.is_none_or(|s| (s.low, s.high) != (state.low, state.high)) {
            if state.low == state.high {
                self.word(&format!("v{}", state.low));
            } else {
                self.word(&format!("v{}-{}", state.low, state.high));
            }
        }
        let mut now = state;
        match said {
            Some(s) if (s.duration - state.duration).abs() <= SAME_VALUE => now.duration = s.duration,
            _ => self.word(&note_value(state.duration)),
        }
        if thousandths(said.map_or(1.0, |s| s.probability)) != thousandths(state.probability) {
            self.word(&format!("p{}", decimal_text(state.probability, 3)));
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
    let mut entries: Vec<Entry> = notes
        .iter()
        .filter(|note| note.pitch <= 127 && note.duration > 0.0 && note.duration.is_finite() && note.start.is_finite())
        .map(|note| {
            let (bar, beat) = place(note.start, meter);
            Entry { pitch: note.pitch, start: note.start, bar, beat, state: State::of(note) }
        })
        .collect();
    entries.sort_by(|a, b| a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch)));
    let mut writer = Writer { text: String::with_capacity(entries.len() * 12), said: None };
    if drum_mode {
        drums(&mut writer, &entries, meter)
    } else {
        batches(&mut writer, entries, meter)
    }
    writer.text
}

/// What groups must share to be written as one: per note its pitch and state.
type BatchKey = Vec<(u8, (u8, u8, i64, i64))>;

fn batches(writer: &mut Writer, mut entries: Vec<Entry>, meter: Meter) {
    let mut bar_batches: IndexMap<BatchKey, (usize, usize, String)> = IndexMap::new();
    let mut current_bar = None;
    let mut from = 0;
    while let Some(first) = entries.get(from).copied() {
        if current_bar != Some(first.bar) {
            flush(writer, &mut bar_batches, &entries);
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
        let group = entries.get_mut(from..until).unwrap_or(&mut []);
        group.sort_by_key(|entry| entry.pitch);
        let key: BatchKey = group.iter().map(|entry| (entry.pitch, entry.state.key())).collect();
        let beat = beat_text(first.beat, meter);
        match bar_batches.entry(key) {
            indexmap::map::Entry::Occupied(mut batch) => {
                let (_, _, positions) = batch.get_mut();
                positions.push(',');
                positions.push_str(&beat);
            }
            indexmap::map::Entry::Vacant(batch) => {
                batch.insert((from, until, format!("{}|{beat}", first.bar)));
            }
        }
        from = until;
    }
    flush(writer, &mut bar_batches, &entries);
}

fn flush(writer: &mut Writer, batches: &mut IndexMap<BatchKey, (usize, usize, String)>, entries: &[Entry]) {
    for (_, (from, until, positions)) in batches.drain(..) {
        writer.line();
        for entry in entries.get(from..until).unwrap_or(&[]) {
            writer.state(entry.state);
            writer.word(&pitch::name(entry.pitch));
        }
        writer.word(&positions);
    }
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
            writer.word(&pitch::name(pitch));
            let length = writer.said.map_or(first.state.duration, |said| said.duration);
            writer.word(&positions(run, length, meter));
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
            list.push_str(&format!("{}|", entry.bar));
            bar = Some(entry.bar);
        }
        list.push_str(&beat_text(entry.beat, meter));
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

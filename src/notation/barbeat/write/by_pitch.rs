//! One line for each pitch, for tracks that hold a drum rack.

use super::writer::{SAME_BEAT, Writer, WrittenNote};
use crate::music::duration::note_value;
use crate::music::position::{bar_and_beat, beat_text, push_beat};
use crate::music::text::Cursor;
use crate::music::{Beats, Meter};
use indexmap::IndexMap;
use std::fmt::Write as _;

/// Hits closer than this (in quarter beats) to where a repeat would put them may be written as the repeat.
const REPEAT_ERROR_BEATS: Beats = 0.0005;

pub(super) fn write_pitches(writer: &mut Writer, notes: &[WrittenNote], meter: Meter) {
    let mut pitches: IndexMap<u8, Vec<WrittenNote>> = IndexMap::new();
    for note in notes {
        pitches.entry(note.pitch).or_default().push(*note);
    }
    for (pitch, hits) in pitches {
        writer.start_line();
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
fn positions(run: &[WrittenNote], length: Beats, meter: Meter) -> String {
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

/// The run as a repeat, if that is shorter.
fn repeat(run: &[WrittenNote], length: Beats, meter: Meter) -> Option<String> {
    let [first, second, _, ..] = run else { return None };
    let last = run.last()?;
    let gap = (last.start - first.start) / (run.len() - 1) as f64;
    if gap <= SAME_BEAT || (second.start - first.start - gap).abs() > 0.002 * meter.beat_length() {
        return None;
    }
    // What counts is where the text puts the hits, so the written length is read back.
    let read = |step: &str| Cursor::new(step).length(meter).unwrap_or(0.0);
    let lands = |step: Beats| {
        let error = |(index, hit): (usize, &WrittenNote)| (first.start + step * index as f64 - hit.start).abs();
        run.iter().enumerate().all(|hit| error(hit) < REPEAT_ERROR_BEATS)
    };
    let shorter = |repeat: &str, step: Beats| {
        let hits = (0..run.len()).map(|index| bar_and_beat(first.start + step * index as f64, meter));
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

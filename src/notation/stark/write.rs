//! Notes to text.
//!
//! Onsets are kept: a note's length and the rests behind it are chosen so that the next token falls on its onset,
//! wherever the fifteen lengths can be added up to do so. Where they can't, the text falls behind by less than the
//! shortest length and catches up at the next onset that allows it.

use super::approximations::Approximations;
use super::rests::{Rests, TicksToOnset};
use super::vocabulary::{LENGTHS, LONGEST, Level, QUARTER, Ticks, drum_name};
use crate::music::pitch::Spelling;
use crate::music::{Beats, Note, SAME_POSITION_BEATS};
use crate::notation::duplicates;
use std::fmt::Write as _;

/// The notes that sound together at one moment of a line.
struct Onset<'a> {
    /// The clip's notes that it stands for.
    notes: &'a [Note],
    start: Beats,
    duration: Beats,
    /// The token without its length.
    glyph: TokenKind,
    level: Level,
}

#[derive(Clone, PartialEq)]
enum TokenKind {
    Rest,
    Hit,
    /// A note or a stack with its octave marks.
    Pitches(String),
}

/// Equal tokens in a row.
struct Run {
    glyph: TokenKind,
    level: Level,
    length: Ticks,
    count: u64,
}

/// A line for each pitch, in rising order, and how it differs from the notes.
pub(super) fn drum_lines(notes: &[Note], spelling: Spelling) -> (String, Approximations) {
    let mut approximations = Approximations::default();
    let mut sorted = sorted(notes, &mut approximations);
    sorted.sort_by_key(|note| note.pitch);
    let rests = Rests::new();
    let mut text = String::with_capacity(notes.len() * 4);
    for same in sorted.chunk_by(|a, b| a.pitch == b.pitch) {
        let Some(pitch) = same.first().map(|note| note.pitch) else { continue };
        if !text.is_empty() {
            text.push('\n');
        }
        let header = drum_name(pitch).map_or_else(|| spelling.name(pitch), str::to_owned);
        let onsets = groups_by_start(same).map(|hits| {
            let hit = hits.last().copied().unwrap_or(Note::new(pitch, 0.0, 1.0));
            approximations.left_out(hits.len().saturating_sub(1));
            let level = Level::from_velocity(hit.velocity);
            Onset { notes: hits, start: hit.start, duration: hit.duration, glyph: TokenKind::Hit, level }
        });
        let onsets = onsets.collect();
        write_line(&mut text, &header, onsets, &rests, &mut approximations);
    }
    (text, approximations)
}

/// One line for all notes, and how it differs from them.
pub(super) fn pitched_line(notes: &[Note], spelling: Spelling) -> (String, Approximations) {
    let mut approximations = Approximations::default();
    let sorted = sorted(notes, &mut approximations);
    let mut pitches: Vec<u8> = sorted.iter().map(|note| note.pitch).collect();
    pitches.sort_unstable();
    let Some(middle) = pitches.get(pitches.len() / 2) else { return (String::new(), approximations) };
    let (header, register) = if *middle < 48 { ("bass", 36) } else { ("melody", 60) };
    let onsets = groups_by_start(&sorted).filter_map(|notes| {
        let mut group = notes.to_vec();
        group.sort_by_key(|note| note.pitch);
        group.dedup_by_key(|note| note.pitch);
        approximations.left_out(notes.len() - group.len());
        let lowest = *group.first()?;
        let mut spelled = String::new();
        for note in &group {
            spelled.push_str(if spelled.is_empty() { "" } else { " " });
            write_pitch(&mut spelled, note.pitch, register, spelling);
        }
        if group.len() > 1 {
            spelled = format!("[{spelled}]");
        }
        let glyph = TokenKind::Pitches(spelled);
        Some(Onset {
            notes,
            start: lowest.start,
            duration: lowest.duration,
            glyph,
            level: Level::from_velocity(lowest.velocity),
        })
    });
    let onsets = onsets.collect();
    let mut text = String::with_capacity(notes.len() * 6);
    write_line(&mut text, header, onsets, &Rests::new(), &mut approximations);
    (text, approximations)
}

/// The notes that can be written, in order. What starts before a line does is none of them: written later it would push
/// the others off their places.
fn sorted(notes: &[Note], approximations: &mut Approximations) -> Vec<Note> {
    let is_note = |note: &&Note| note.pitch <= 127 && note.start.is_finite() && note.duration.is_finite();
    let is_early = |note: &Note| note.start <= -SAME_POSITION_BEATS;
    let mut written: Vec<Note> = notes.iter().filter(is_note).copied().collect();
    approximations.left_out(notes.len() - written.len());
    let before = written.len();
    written.retain(|note| !is_early(note));
    approximations.early(before - written.len());
    duplicates::sorted(&written)
}

/// Notes that start together with the first of their group.
fn groups_by_start(sorted: &[Note]) -> impl Iterator<Item = &[Note]> {
    let mut rest = sorted;
    std::iter::from_fn(move || {
        let first = rest.first()?.start;
        let size = rest.iter().take_while(|note| note.start - first <= SAME_POSITION_BEATS).count().max(1);
        let (group, after) = rest.split_at_checked(size)?;
        rest = after;
        Some(group)
    })
}

/// A note letter with the marks that put it into its octave.
fn write_pitch(text: &mut String, pitch: u8, register: i32, spelling: Spelling) {
    text.push_str(spelling.class_name(pitch));
    let octaves = (i32::from(pitch) - i32::from(pitch % 12) - register) / 12;
    let mark = if octaves < 0 { ',' } else { '\'' };
    text.extend(std::iter::repeat_n(mark, octaves.unsigned_abs() as usize));
}

/// Writes a line: its tokens in order, the most used length once in the header, equal tokens in a row as a count.
fn write_line(
    text: &mut String,
    header: &str,
    onsets: Vec<Onset<'_>>,
    rests: &Rests,
    approximations: &mut Approximations,
) {
    let runs = to_runs(onsets, rests, approximations);
    let default = default_length(&runs);
    text.push_str(header);
    if default != QUARTER {
        text.push(' ');
        text.push_str(length_text(default));
    }
    text.push(':');
    for run in &runs {
        let written = if (3..).contains(&run.count) { 1 } else { run.count };
        for _ in 0..written {
            text.push(' ');
            write_token(text, run, default);
        }
        if run.count >= 3 {
            // Writing to a String cannot fail.
            let _ = write!(text, "*{}", run.count);
        }
    }
}

fn write_token(text: &mut String, run: &Run, default: Ticks) {
    let length = |text: &mut String| {
        if run.length != default {
            text.push_str(length_text(run.length));
        }
    };
    match &run.glyph {
        TokenKind::Rest => {
            text.push('z');
            length(text);
        }
        TokenKind::Hit => {
            text.push(match run.level {
                Level::Soft => 'x',
                Level::Normal => 'X',
                Level::Accent => '^',
            });
            length(text);
        }
        TokenKind::Pitches(spelled) => {
            text.push_str(spelled);
            length(text);
            text.push_str(match run.level {
                Level::Soft => "?",
                Level::Normal => "",
                Level::Accent => "!",
            });
        }
    }
}

fn length_text(length: Ticks) -> &'static str {
    LENGTHS.iter().find(|(ticks, _)| *ticks == length).map_or("/4", |(_, text)| text)
}

/// The most used length; of equally used ones the quarter, then the longest.
fn default_length(runs: &[Run]) -> Ticks {
    let mut counts = LENGTHS.map(|(ticks, _)| (0_u64, ticks == QUARTER, ticks));
    for run in runs {
        if let Some((count, _, _)) = counts.iter_mut().find(|(_, _, ticks)| *ticks == run.length) {
            *count = count.saturating_add(run.count);
        }
    }
    counts.into_iter().max().map_or(QUARTER, |(_, _, ticks)| ticks)
}

/// Gives every onset its length, with rests between.
fn to_runs(onsets: Vec<Onset<'_>>, rests: &Rests, approximations: &mut Approximations) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::with_capacity(onsets.len());
    let mut push = |glyph: TokenKind, level: Level, length: Ticks, count: u64| match runs.last_mut() {
        Some(last) if (&last.glyph, last.level, last.length) == (&glyph, level, length) => last.count += count,
        _ => runs.push(Run { glyph, level, length, count }),
    };
    let mut clock: Ticks = 0;
    let mut onsets = onsets.into_iter().peekable();
    while let Some(onset) = onsets.next() {
        rests.fill(TicksToOnset::between(clock, onset.start), |length, count| {
            push(TokenKind::Rest, Level::Normal, length, count);
            clock = clock.saturating_add(length.saturating_mul(count));
        });
        let room = onsets.peek().map(|next| TicksToOnset::between(clock, next.start));
        let length = rests.length(onset.duration, room);
        let has_room = room.is_none_or(|room| room.ticks >= LONGEST);
        for note in onset.notes {
            approximations.compare(note, clock, length, onset.level, has_room);
        }
        push(onset.glyph, onset.level, length, 1);
        clock = clock.saturating_add(length);
    }
    runs
}

//! Notes to text.
//!
//! Onsets are kept: a note's length and the rests behind it are chosen so that the next token falls on its onset, wherever
//! the fifteen lengths can be added up to do so. Where they can't, the text falls behind by less than the shortest length
//! and catches up at the next onset that allows it.

use super::losses::Losses;
use super::vocabulary::{LONGEST, Level, QUARTER, Ticks, VALUES, drum_name, exact_ticks};
use crate::music::{Beats, Note, SAME_POSITION_BEATS, pitch};
use crate::notation::slots;
use std::fmt::Write as _;

/// The shortest length.
const SHORTEST: Ticks = 4;
/// Rests below this are looked up; longer ones start with longest lengths.
const TABLE: usize = 2 * LONGEST as usize;

/// What sounds at one moment of a line.
struct Onset<'a> {
    /// All that it stands for.
    notes: &'a [Note],
    start: Beats,
    duration: Beats,
    /// The token without its length.
    glyph: Glyph,
    level: Level,
}

#[derive(Clone, PartialEq)]
enum Glyph {
    Rest,
    Hit,
    /// A note or a stack with its octave marks.
    Pitches(String),
}

/// Some equal tokens in a row.
struct Run {
    glyph: Glyph,
    level: Level,
    length: Ticks,
    count: u64,
}

/// A line for each pitch, in rising order, and what it does not say of the notes.
pub(super) fn drums(notes: &[Note]) -> (String, Losses) {
    let mut losses = Losses::default();
    let mut sorted = sorted(notes, &mut losses);
    sorted.sort_by_key(|note| note.pitch);
    let rests = Rests::new();
    let mut text = String::with_capacity(notes.len() * 4);
    for same in sorted.chunk_by(|a, b| a.pitch == b.pitch) {
        let Some(pitch) = same.first().map(|note| note.pitch) else { continue };
        if !text.is_empty() {
            text.push('\n');
        }
        let header = drum_name(pitch).map_or_else(|| pitch::name(pitch), str::to_owned);
        let onsets = together(same).map(|hits| {
            let hit = hits.last().copied().unwrap_or(Note::new(pitch, 0.0, 1.0));
            losses.left_out(hits.len().saturating_sub(1));
            let level = Level::of(hit.velocity);
            Onset { notes: hits, start: hit.start, duration: hit.duration, glyph: Glyph::Hit, level }
        });
        let onsets = onsets.collect();
        voice(&mut text, &header, onsets, &rests, &mut losses);
    }
    (text, losses)
}

/// One line for all notes, and what it does not say of them.
pub(super) fn line(notes: &[Note]) -> (String, Losses) {
    let mut losses = Losses::default();
    let sorted = sorted(notes, &mut losses);
    let mut pitches: Vec<u8> = sorted.iter().map(|note| note.pitch).collect();
    pitches.sort_unstable();
    let Some(middle) = pitches.get(pitches.len() / 2) else { return (String::new(), losses) };
    let (header, register) = if *middle < 48 { ("bass", 36) } else { ("melody", 60) };
    let onsets = together(&sorted).filter_map(|notes| {
        let mut group = notes.to_vec();
        group.sort_by_key(|note| note.pitch);
        group.dedup_by_key(|note| note.pitch);
        losses.left_out(notes.len() - group.len());
        let lowest = *group.first()?;
        let mut spelled = String::new();
        for note in &group {
            spelled.push_str(if spelled.is_empty() { "" } else { " " });
            spell(&mut spelled, note.pitch, register);
        }
        if group.len() > 1 {
            spelled = format!("[{spelled}]");
        }
        let glyph = Glyph::Pitches(spelled);
        Some(Onset { notes, start: lowest.start, duration: lowest.duration, glyph, level: Level::of(lowest.velocity) })
    });
    let onsets = onsets.collect();
    let mut text = String::with_capacity(notes.len() * 6);
    voice(&mut text, header, onsets, &Rests::new(), &mut losses);
    (text, losses)
}

/// The notes that can be written, in order. What starts before a line does is none of them: written later it would push the
/// others off their places.
fn sorted(notes: &[Note], losses: &mut Losses) -> Vec<Note> {
    let is_note = |note: &&Note| note.pitch <= 127 && note.start.is_finite() && note.duration.is_finite();
    let is_early = |note: &Note| note.start <= -SAME_POSITION_BEATS;
    let mut written: Vec<Note> = notes.iter().filter(is_note).copied().collect();
    losses.left_out(notes.len() - written.len());
    let before = written.len();
    written.retain(|note| !is_early(note));
    losses.early(before - written.len());
    slots::sorted(&written)
}

/// Notes that start together with the first of their group.
fn together(sorted: &[Note]) -> impl Iterator<Item = &[Note]> {
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
fn spell(text: &mut String, pitch: u8, register: i32) {
    text.push_str(pitch::class_name(pitch));
    let octaves = (i32::from(pitch) - i32::from(pitch % 12) - register) / 12;
    let mark = if octaves < 0 { ',' } else { '\'' };
    text.extend(std::iter::repeat_n(mark, octaves.unsigned_abs() as usize));
}

/// A line: the tokens placed, the most used length said once, equal tokens in a row counted.
fn voice(text: &mut String, header: &str, onsets: Vec<Onset<'_>>, rests: &Rests, losses: &mut Losses) {
    let runs = place(onsets, rests, losses);
    let default = default_length(&runs);
    text.push_str(header);
    if default != QUARTER {
        text.push(' ');
        text.push_str(value_text(default));
    }
    text.push(':');
    for run in &runs {
        let written = if (3..).contains(&run.count) { 1 } else { run.count };
        for _ in 0..written {
            text.push(' ');
            token(text, run, default);
        }
        if run.count >= 3 {
            // Writing to a String cannot fail.
            let _ = write!(text, "*{}", run.count);
        }
    }
}

fn token(text: &mut String, run: &Run, default: Ticks) {
    let length = |text: &mut String| {
        if run.length != default {
            text.push_str(value_text(run.length));
        }
    };
    match &run.glyph {
        Glyph::Rest => {
            text.push('z');
            length(text);
        }
        Glyph::Hit => {
            text.push(match run.level {
                Level::Soft => 'x',
                Level::Normal => 'X',
                Level::Accent => '^',
            });
            length(text);
        }
        Glyph::Pitches(spelled) => {
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

fn value_text(length: Ticks) -> &'static str {
    VALUES.iter().find(|(ticks, _)| *ticks == length).map_or("/4", |(_, text)| text)
}

/// The most used length; of equally used ones the quarter, then the longest.
fn default_length(runs: &[Run]) -> Ticks {
    let mut counts = VALUES.map(|(ticks, _)| (0_u64, ticks == QUARTER, ticks));
    for run in runs {
        if let Some((count, _, _)) = counts.iter_mut().find(|(_, _, ticks)| *ticks == run.length) {
            *count = count.saturating_add(run.count);
        }
    }
    counts.into_iter().max().map_or(QUARTER, |(_, _, ticks)| ticks)
}

/// Gives every onset its length, with rests between.
fn place(onsets: Vec<Onset<'_>>, rests: &Rests, losses: &mut Losses) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::with_capacity(onsets.len());
    let mut push = |glyph: Glyph, level: Level, length: Ticks, count: u64| match runs.last_mut() {
        Some(last) if (&last.glyph, last.level, last.length) == (&glyph, level, length) => last.count += count,
        _ => runs.push(Run { glyph, level, length, count }),
    };
    let mut clock: Ticks = 0;
    let mut onsets = onsets.into_iter().peekable();
    while let Some(onset) = onsets.next() {
        rests.fill(Gap::from(clock, onset.start), |length, count| {
            push(Glyph::Rest, Level::Normal, length, count);
            clock = clock.saturating_add(length.saturating_mul(count));
        });
        let room = onsets.peek().map(|next| Gap::from(clock, next.start));
        let length = rests.length(onset.duration, room);
        let has_room = room.is_none_or(|room| room.ticks >= LONGEST);
        for note in onset.notes {
            losses.note(note, clock, length, onset.level, has_room);
        }
        push(onset.glyph, onset.level, length, 1);
        clock = clock.saturating_add(length);
    }
    runs
}

/// The way from the clock to an onset.
#[derive(Clone, Copy)]
struct Gap {
    /// Whole ticks that fit.
    ticks: Ticks,
    /// The onset is a whole number of ticks away (to 0.001 beat).
    exact: bool,
}

impl Gap {
    fn from(clock: Ticks, onset: Beats) -> Gap {
        let gap = exact_ticks(onset) - clock as f64;
        let nearest = gap.round();
        let exact = nearest >= 0.0 && (gap - nearest).abs() < exact_ticks(SAME_POSITION_BEATS);
        // A float too large for the integer becomes the largest one.
        Gap { ticks: if exact { nearest } else { gap.floor().max(0.0) } as Ticks, exact }
    }
}

/// How each gap is spelled in rests.
struct Rests {
    /// By gap: the first rest of the spelling; 0 where there is none (and for no gap).
    first: [Ticks; TABLE],
}

impl Rests {
    fn new() -> Rests {
        let mut rests = Rests { first: [0; TABLE] };
        let mut fewest = [u32::MAX; TABLE];
        if let Some(none) = fewest.first_mut() {
            *none = 0;
        }
        for gap in 1..TABLE {
            // Longest first is the usual spelling; where that does not come out even, the one with the fewest rests.
            let mut best: Option<(bool, u32, Ticks)> = None;
            for (value, _) in VALUES {
                let left = gap.checked_sub(value as usize).and_then(|left| fewest.get(left)).copied();
                if let Some(left) = left.filter(|left| *left < u32::MAX) {
                    let usual = best.is_none() && greedy_comes_out(gap as Ticks);
                    if best.is_none_or(|(fixed, count, _)| !fixed && left + 1 < count) {
                        best = Some((usual, left + 1, value));
                    }
                }
            }
            if let (Some((_, count, value)), Some(slot), Some(first)) =
                (best, fewest.get_mut(gap), rests.first.get_mut(gap))
            {
                (*slot, *first) = (count, value);
            }
        }
        rests
    }

    /// Whether a gap can be filled to its end.
    fn can_fill(&self, gap: Ticks) -> bool {
        gap == 0 || gap >= LONGEST || self.first(gap) != 0
    }

    fn first(&self, gap: Ticks) -> Ticks {
        usize::try_from(gap).ok().and_then(|gap| self.first.get(gap)).copied().unwrap_or(LONGEST)
    }

    /// Writes the rests of a gap, longest first where there is no exact spelling.
    fn fill(&self, gap: Gap, mut write: impl FnMut(Ticks, u64)) {
        let mut left = gap.ticks;
        let many = (left / LONGEST).saturating_sub(1);
        if many > 0 {
            write(LONGEST, many);
            left -= many * LONGEST;
        }
        while left > 0 {
            let exact = if gap.exact { self.first(left) } else { 0 };
            let Some(length) = Some(exact).filter(|first| *first > 0).or_else(|| longest_within(left)) else { return };
            write(length, 1);
            left -= length.min(left);
        }
    }

    /// The length that a note of this duration is written with. `room`: the way to the next onset.
    fn length(&self, duration: Beats, room: Option<Gap>) -> Ticks {
        let wanted = exact_ticks(duration);
        let nearest = |fits: &dyn Fn(Ticks) -> bool| {
            // From the shortest on, so that it wins a tie.
            let lengths = VALUES.iter().rev().map(|(ticks, _)| *ticks).filter(|ticks| fits(*ticks));
            lengths.min_by(|a, b| {
                let off = |ticks: &Ticks| (*ticks as f64 - wanted).abs();
                off(a).total_cmp(&off(b))
            })
        };
        let Some(room) = room else { return nearest(&|_| true).unwrap_or(QUARTER) };
        let exact =
            nearest(&|length| room.exact && room.ticks.checked_sub(length).is_some_and(|left| self.can_fill(left)));
        exact.or_else(|| nearest(&|length| length <= room.ticks)).unwrap_or(SHORTEST)
    }
}

/// Whether longest-first rests fill a gap to its end.
fn greedy_comes_out(gap: Ticks) -> bool {
    let mut left = gap;
    while let Some(length) = longest_within(left) {
        left -= length;
    }
    left == 0
}

fn longest_within(gap: Ticks) -> Option<Ticks> {
    VALUES.iter().map(|(ticks, _)| *ticks).find(|ticks| *ticks <= gap)
}

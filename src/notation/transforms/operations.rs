//! The statements that are no assignment: `ratchet`, `repeat`, `split`, `merge`, `double`, `humanize`.

use super::arithmetic::number_text;
use super::assignment::warn_brought_into_range;
use super::code::{Op, Units, is_lone_length};
use super::expression::Expression;
use super::line_context::Subject;
use super::program::Line;
use super::runner::LineRunner;
use super::statement::{Body, Parameter};
use super::times::Point;
use super::working_note::WorkingNote;
use crate::music::round_half_up;
use crate::music::text::{LARGEST_NUMBER, counted};
use crate::music::{Beats, time_without_noise};
use crate::notation::error::NotationError;
use crate::notation::limits::MAX_NOTES;

/// Pieces or copies of one note.
const MAX_PIECES: usize = 64;
/// Places closer than this are the same.
const SAME_PLACE_BEATS: Beats = 1e-9;

/// Carries out the line on the selected notes. The list is unsorted afterwards.
pub(super) fn carry_out(
    runner: &mut LineRunner<'_>,
    line: &Line,
    notes: &mut Vec<WorkingNote>,
) -> Result<(), NotationError> {
    match &line.statement.body {
        Body::Ratchet(pieces) => ratchet(runner, line, pieces, notes),
        Body::Repeat { offset, copies } => repeat(runner, line, offset, copies.as_ref(), notes),
        Body::Split { points, sync } => split(runner, line, points, *sync, notes),
        Body::Merge(gap) => {
            let gap = gap.as_ref().map(|gap| match *gap.code {
                [Op::NoteValue(beats)] => beats,
                [Op::Bars(bars)] => bars * runner.context.meter.bar_length(),
                _ => 0.0,
            });
            merge(&mut runner.selected, gap, notes);
            Ok(())
        }
        Body::Double { semitones, velocity } => double(runner, line, semitones, velocity.as_ref(), notes),
        Body::Humanize { time, velocity } => {
            humanize(runner, line, time, velocity.as_ref(), notes);
            Ok(())
        }
        Body::Assign { .. } | Body::VelocityRange { .. } => Ok(()),
    }
}

/// Adds a note to each selected one. What would lie outside of the pitches is left out and counted.
fn double(
    runner: &mut LineRunner<'_>,
    line: &Line,
    semitones: &Expression,
    velocity: Option<&Expression>,
    notes: &mut Vec<WorkingNote>,
) -> Result<(), NotationError> {
    let Some(semitones) = argument(runner, line, semitones).map(round_half_up) else { return Ok(()) };
    if notes.len().saturating_add(runner.selected.len()) > MAX_NOTES {
        return Err(NotationError::TooManyTransformed);
    }
    let (mut outside, mut into_range) = (0_usize, 0_usize);
    let selected = std::mem::take(&mut runner.selected);
    for (at, index) in selected.iter().enumerate() {
        let Some(mut made) = notes.get(*index).copied() else { continue };
        let pitch = f64::from(made.note.pitch) + semitones;
        if !(0.0..=127.0).contains(&pitch) {
            outside += 1;
            continue;
        }
        (made.note.pitch, made.made) = (pitch as u8, true);
        if let Some(velocity) = velocity {
            let subject = Subject::Note { notes, selected: &selected, index: at };
            let wanted = match runner.evaluate_for(&velocity.code, subject) {
                Ok(wanted) => wanted,
                Err(failure) => {
                    runner.warn(line, format_args!("{failure}; the line is skipped"));
                    break;
                }
            };
            made.note.velocity = wanted.clamp(1.0, 127.0);
            into_range += usize::from(made.note.velocity != wanted);
        }
        notes.push(made);
    }
    warn_brought_into_range(runner, line, Parameter::Velocity, into_range);
    if outside > 0 {
        let notes = counted(outside, "note");
        runner.warn(line, format_args!("{notes} were not doubled: the second would lie outside C-2 to G8"));
    }
    Ok(())
}

/// Moves starts and velocities at random. A note of the clip's region stays inside of it: what would leave it at one
/// end comes back from there.
fn humanize(
    runner: &mut LineRunner<'_>,
    line: &Line,
    time: &Expression,
    velocity: Option<&Expression>,
    notes: &mut [WorkingNote],
) {
    let Some(time) = argument(runner, line, time).map(|musical| runner.units.to_quarters(musical)) else { return };
    let amount = match velocity.map(|velocity| argument(runner, line, velocity)) {
        None => 0.0,
        Some(Some(amount)) => amount,
        Some(None) => return,
    };
    let mut into_range = 0_usize;
    let (start, end) = (runner.context.start, runner.context.end.unwrap_or(f64::INFINITY));
    for index in &runner.selected {
        let mut draw = || 2.0 * runner.random.unit() - 1.0;
        let (moved, louder) = (draw() * time, draw() * amount);
        let Some(working) = notes.get_mut(*index) else { continue };
        let note = &mut working.note;
        let is_inside = (start..end).contains(&note.start);
        let target = note.start + moved;
        let stays = !is_inside || (start..end).contains(&target);
        let back = note.start - moved;
        note.start = match stays {
            true => time_without_noise(target),
            false if (start..end).contains(&back) => time_without_noise(back),
            false => note.start,
        };
        let wanted = round_half_up(note.velocity + louder);
        note.velocity = wanted.clamp(1.0, 127.0);
        into_range += usize::from(note.velocity != wanted);
    }
    warn_brought_into_range(runner, line, Parameter::Velocity, into_range);
}

/// An argument's value; warns when it has none.
fn argument(runner: &mut LineRunner<'_>, line: &Line, expression: &Expression) -> Option<f64> {
    match runner.evaluate_once(&expression.code) {
        Ok(value) => Some(value),
        Err(failure) => {
            runner.warn(line, format_args!("{failure}; the line is skipped"));
            None
        }
    }
}

fn ratchet(
    runner: &mut LineRunner<'_>,
    line: &Line,
    pieces: &Expression,
    notes: &mut Vec<WorkingNote>,
) -> Result<(), NotationError> {
    let Some(value) = argument(runner, line, pieces) else { return Ok(()) };
    if is_lone_length(&pieces.code) {
        let grid = runner.units.to_quarters(value);
        if grid <= 0.0 {
            runner.warn(line, "the grid of ratchet is not above 0; the line is skipped");
            return Ok(());
        }
        let lines_in = |start: Beats, end: Beats, cuts: &mut Vec<Beats>| {
            let first = ((start + SAME_PLACE_BEATS) / grid).floor() + 1.0;
            // One more than is used, to tell when there are too many.
            let all = (0..=MAX_PIECES).map(|index| (first + index as f64) * grid);
            cuts.extend(all.take_while(|cut| *cut < end - SAME_PLACE_BEATS));
        };
        return cut(runner, line, notes, lines_in);
    }
    let count = round_half_up(value);
    if count < 2.0 {
        runner.warn(
            line,
            format_args!("ratchet needs 2 pieces or more, and here it is {}; the line is skipped", number_text(count)),
        );
        return Ok(());
    }
    let count = clamped(runner, line, count);
    let evenly = |start: Beats, end: Beats, cuts: &mut Vec<Beats>| {
        let each = (end - start) / count as f64;
        cuts.extend((1..count).map(|index| start + each * index as f64));
    };
    cut(runner, line, notes, evenly)
}

/// A number of pieces or copies, not above the most there may be.
fn clamped(runner: &mut LineRunner<'_>, line: &Line, count: f64) -> usize {
    if count > MAX_PIECES as f64 {
        runner.warn(
            line,
            format_args!(
                "{} is more than the {MAX_PIECES} that a note can become; {MAX_PIECES} are made",
                number_text(count)
            ),
        );
    }
    count.clamp(1.0, MAX_PIECES as f64) as usize
}

fn split(
    runner: &mut LineRunner<'_>,
    line: &Line,
    points: &[Point],
    sync: bool,
    notes: &mut Vec<WorkingNote>,
) -> Result<(), NotationError> {
    let (mut shift, mut units) = (0.0, runner.units);
    if sync {
        match runner.context.arrangement_position {
            Some(position) => {
                shift = runner.context.start_marker - position;
                units = Units::from_meter(runner.context.song_meter);
            }
            None => runner.warn(line, "sync has no effect on a session clip; the positions are the clip's own"),
        }
    }
    let mut places: Vec<Beats> =
        points.iter().map(|point| units.to_quarters(point.to_musical(units)) + shift).collect();
    places.sort_by(f64::total_cmp);
    places.dedup_by(|a, b| (*a - *b).abs() <= SAME_PLACE_BEATS);
    cut(runner, line, notes, |start, end, cuts| {
        let from = places.partition_point(|place| *place <= start + SAME_PLACE_BEATS);
        let inside = places.iter().skip(from).copied().take_while(|place| *place < end - SAME_PLACE_BEATS);
        cuts.extend(inside.take(MAX_PIECES + 1));
    })
}

/// Cuts each selected note at the places that `places` gives for its start and end, in rising order.
fn cut(
    runner: &mut LineRunner<'_>,
    line: &Line,
    notes: &mut Vec<WorkingNote>,
    places: impl Fn(Beats, Beats, &mut Vec<Beats>),
) -> Result<(), NotationError> {
    let (mut uncut, mut clamped) = (0_usize, 0_usize);
    let mut cuts: Vec<Beats> = Vec::new();
    let selected = std::mem::take(&mut runner.selected);
    for index in &selected {
        let Some(whole) = notes.get(*index).copied() else { continue };
        let (start, end) = (whole.note.start, whole.note.start + whole.note.duration);
        cuts.clear();
        places(start, end, &mut cuts);
        if cuts.len() >= MAX_PIECES {
            clamped += 1;
            cuts.truncate(MAX_PIECES - 1);
        }
        let Some(first) = cuts.first() else {
            uncut += 1;
            continue;
        };
        if let Some(working) = notes.get_mut(*index) {
            working.note.duration = first - start;
        }
        let ends = cuts.iter().copied().skip(1).chain([end]);
        for (from, to) in cuts.iter().zip(ends) {
            let mut piece = whole;
            (piece.note.start, piece.note.duration, piece.made) = (time_without_noise(*from), to - from, true);
            notes.push(piece);
        }
        if notes.len() > MAX_NOTES {
            return Err(NotationError::TooManyTransformed);
        }
    }
    runner.selected = selected;
    if uncut > 0 {
        let verbs = if uncut == 1 { ["has", "stays"] } else { ["have", "stay"] };
        runner.warn(line, format_args!("{} {} no cut inside and {} whole", counted(uncut, "note"), verbs[0], verbs[1]));
    }
    if clamped > 0 {
        runner.warn(line, format_args!("a note becomes {MAX_PIECES} pieces at most; {clamped} would have become more"));
    }
    Ok(())
}

fn repeat(
    runner: &mut LineRunner<'_>,
    line: &Line,
    offset: &Expression,
    copies: Option<&Expression>,
    notes: &mut Vec<WorkingNote>,
) -> Result<(), NotationError> {
    let Some(offset) = argument(runner, line, offset).map(|musical| runner.units.to_quarters(musical)) else {
        return Ok(());
    };
    let copies = match copies.map(|copies| argument(runner, line, copies)) {
        None => 1.0,
        Some(Some(copies)) => round_half_up(copies),
        Some(None) => return Ok(()),
    };
    if copies < 1.0 || offset <= 0.0 {
        runner.warn(line, "repeat needs an offset above 0 and one copy or more; the line is skipped");
        return Ok(());
    }
    let copies = clamped(runner, line, copies);
    if notes.len().saturating_add(runner.selected.len().saturating_mul(copies)) > MAX_NOTES {
        return Err(NotationError::TooManyTransformed);
    }
    let mut beyond = false;
    for index in std::mem::take(&mut runner.selected) {
        let Some(whole) = notes.get(index).copied() else { continue };
        for copy in 1..=copies {
            let mut made = whole;
            (made.note.start, made.made) = (time_without_noise(whole.note.start + offset * copy as f64), true);
            if made.note.start > LARGEST_NUMBER {
                beyond = true;
                break;
            }
            notes.push(made);
        }
    }
    if beyond {
        runner.warn(line, "copies beyond 1,000,000,000 quarter beats are left out");
    }
    Ok(())
}

/// Joins selected notes of one pitch: all of them, or those with no more than `gap` between. A line before may have
/// moved notes, so they are put into the order of their starts first: the earliest gives what the joined one is.
fn merge(selected: &mut [usize], gap: Option<Beats>, notes: &mut Vec<WorkingNote>) {
    let start = |index: &usize| notes.get(*index).map_or(0.0, |working| working.note.start);
    selected.sort_by(|a, b| start(a).total_cmp(&start(b)));
    // By pitch: the note that grows.
    let mut growing: [Option<usize>; 128] = [None; 128];
    let mut is_gone = vec![false; notes.len()];
    for index in selected {
        let Some(next) = notes.get(*index).map(|working| working.note) else { continue };
        let Some(slot) = growing.get_mut(usize::from(next.pitch)) else { continue };
        let grown = slot.and_then(|first| notes.get_mut(first));
        let joins = |end: Beats| gap.is_none_or(|gap| next.start - end <= gap + SAME_PLACE_BEATS);
        match grown {
            Some(working) if joins(working.note.start + working.note.duration) => {
                let note = &mut working.note;
                note.duration = (note.start + note.duration).max(next.start + next.duration) - note.start;
                if let Some(gone) = is_gone.get_mut(*index) {
                    *gone = true;
                }
            }
            _ => *slot = Some(*index),
        }
    }
    let mut gone = is_gone.into_iter();
    notes.retain(|_| gone.next() != Some(true));
}

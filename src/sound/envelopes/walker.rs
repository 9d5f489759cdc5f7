//! Envelopes on the audio thread: where a clip or the song is becomes events that move parameters, at their frames, and
//! let go of them when the clip is over, or the track follows the Arrangement no more. While the clock stands, what the
//! Arrangement moved stays where it is. Nothing here allocates after it was made.
//!
//! A line is followed from node to node: its points, and on a slope the steps of a grid in its own time. So what is
//! told does not depend on how time is cut into blocks.

use super::table::{EnvelopeTable, MovingLine, Source};
use crate::object_model::EnvelopePoint;
use crate::playback::{ClipCourse, SongCourse};
use crate::set::document::ids::Serial;
use svc_sound::engine::{Event, EventKind};
use svc_sound::parameter::Parameter;
use svc_sound::plan::Automated;

/// Parameters that move at a time; more stay where they stand.
const MOST_MOVED: usize = 512;
/// Events of one block; more are not sent.
pub const MOST_MOVES: usize = 8192;
/// The grid that slopes are followed on, in beats: 8 ms at 120 BPM.
const GRID: f64 = 1.0 / 64.0;
/// Nearer than this two times are one.
const SAME_TIME: f64 = 1e-7;
/// As playback rounds to frames.
const SHIFT_FRAMES: f64 = 0.501;
/// How strongly a way with a curve of 1 bends: it goes as an exponential that ends so many e-folds up.
const BEND: f64 = 5.0;

/// A parameter that moves now.
#[derive(Clone, Copy, Debug)]
struct Moved {
    track: Serial,
    of: Automated,
    parameter: Parameter,
    source: Source,
    /// The time of the clip, or of the song, that is to come next.
    next_time: f64,
    /// Where it was sent to last.
    sent: f32,
    /// The frame of this block up to which it is moved.
    until: u32,
}

/// A source's time for so many frames.
#[derive(Clone, Copy)]
struct Way {
    sample: u32,
    frames: u32,
    track: Serial,
    source: Source,
    time: f64,
    per_frame: f64,
}

/// Follows what a table moves.
pub struct EnvelopeWalker {
    moved: Vec<Moved>,
    sent: SentEvents,
    /// Of the block, in order.
    events: Vec<Event>,
    /// Nothing is let go any more.
    holds: bool,
}

/// As they were sent, track by track.
struct SentEvents(Vec<(usize, Event)>);

impl SentEvents {
    fn push(&mut self, event: Event, most: usize) {
        // Room for all that may come was made; a push beyond it would allocate.
        if self.0.len() < most {
            self.0.push((self.0.len(), event));
        }
    }
}

impl Default for EnvelopeWalker {
    fn default() -> EnvelopeWalker {
        EnvelopeWalker {
            moved: Vec::with_capacity(MOST_MOVED),
            sent: SentEvents(Vec::with_capacity(MOST_MOVES)),
            events: Vec::with_capacity(MOST_MOVES),
            holds: false,
        }
    }
}

impl EnvelopeWalker {
    /// Forgets the events of the block before.
    pub fn begin_block(&mut self) {
        self.sent.0.clear();
        self.events.clear();
    }

    /// Takes where a clip is.
    pub fn course(&mut self, table: &EnvelopeTable, course: &ClipCourse) {
        let ClipCourse { sample, frames, track, clip, time, per_frame } = *course;
        let source = Source::Clip(clip);
        let way = Way { sample, frames, track, source, time, per_frame };
        for line in table.of(track, source) {
            self.follow(line, &way);
        }
    }

    /// Takes where the song is, behind the courses of the clip that plays meanwhile: what that one moves, it does.
    pub fn song_course(&mut self, table: &EnvelopeTable, course: &SongCourse) {
        let SongCourse { sample, frames, track, over, beats, per_frame } = *course;
        let source = Source::Arrangement;
        let way = Way { sample, frames, track, source, time: beats, per_frame };
        let of_clip = over.map_or(&[][..], |clip| table.of(track, Source::Clip(clip)));
        for line in table.of(track, source) {
            if of_clip.iter().any(|other| other.movement.is_of(&line.movement)) {
                continue;
            }
            if per_frame > 0.0 { self.follow(line, &way) } else { self.hold(line, &way) }
        }
    }

    /// From the next block on, what is moved stays where it is when nothing moves it any more.
    pub fn hold_all(&mut self) {
        self.holds = true;
    }

    /// Lets go of what nothing moves any more, and puts the block's events in order.
    pub fn end_block(&mut self, frames: u32) {
        let EnvelopeWalker { moved, sent, events, holds } = self;
        moved.retain_mut(|moved| {
            let goes_on = moved.until >= frames || *holds;
            if !goes_on {
                let kind = EventKind::FreeParameter { of: moved.of, parameter: moved.parameter };
                sent.push(Event { frame: moved.until, track: moved.track, kind }, MOST_MOVES);
            }
            moved.until = 0;
            goes_on
        });
        sent.0.sort_unstable_by_key(|(number, event)| (event.frame, *number));
        events.clear();
        events.extend(sent.0.iter().map(|(_, event)| *event));
    }

    /// Lets go of everything, at the start of the block.
    pub fn release_all(&mut self) {
        self.moved.iter_mut().for_each(|moved| moved.until = 0);
        self.end_block(1);
    }

    /// Of the block, in order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The clock stands: what the Arrangement moved stays.
    fn hold(&mut self, line: &MovingLine, way: &Way) {
        let (of, parameter) = (line.movement.of, line.movement.parameter);
        let known = self.moved.iter_mut().find(|m| (m.track, m.of, m.parameter) == (way.track, of, parameter));
        if let Some(moved) = known.filter(|moved| moved.source == way.source && moved.until == way.sample) {
            moved.until = way.sample.saturating_add(way.frames);
        }
    }

    fn follow(&mut self, line: &MovingLine, way: &Way) {
        let EnvelopeWalker { moved, sent, .. } = self;
        let (of, parameter) = (line.movement.of, line.movement.parameter);
        let known = moved.iter().position(|m| (m.track, m.of, m.parameter) == (way.track, of, parameter));
        let begins = known.and_then(|at| moved.get(at)).is_none_or(|moved| {
            let goes_on = moved.source == way.source && moved.until == way.sample;
            !goes_on || (moved.next_time - way.time).abs() > SAME_TIME.max(way.per_frame * 0.01)
        });
        let at = match known {
            Some(at) => at,
            None if moved.len() < MOST_MOVED => {
                let (track, source) = (way.track, way.source);
                moved.push(Moved { track, of, parameter, source, next_time: 0.0, sent: f32::NAN, until: 0 });
                moved.len().saturating_sub(1)
            }
            None => return,
        };
        let Some(moved) = moved.get_mut(at) else { return };
        moved.source = way.source;
        moved.until = way.sample.saturating_add(way.frames);
        moved.next_time = way.time + f64::from(way.frames) * way.per_frame;
        Walk { line, way, moved, sent }.run(begins);
    }
}

/// One line along one stretch.
struct Walk<'a> {
    line: &'a MovingLine,
    way: &'a Way,
    moved: &'a mut Moved,
    sent: &'a mut SentEvents,
}

impl Walk<'_> {
    fn run(&mut self, begins: bool) {
        let Way { time, per_frame, frames, .. } = *self.way;
        // Not a number is no rate.
        if !matches!(per_frame.partial_cmp(&0.0), Some(std::cmp::Ordering::Greater)) {
            return;
        }
        let mut at = time - SHIFT_FRAMES * per_frame;
        if begins {
            self.go(0, self.value(time, After), 0);
            self.ramp(time);
            at = time;
        }
        // A node for each frame and one more is all that can be.
        for _ in 0..=frames {
            let Some(node) = next_node(self.line.points(), at) else { return };
            let frame = self.frame(node);
            if frame >= i64::from(frames) {
                return;
            }
            let frame = u32::try_from(frame).unwrap_or_default();
            let (before, after) = (self.value(node, Before), self.value(node, After));
            if before != after || self.moved.sent != after {
                self.go(frame, after, 0);
            }
            self.ramp(node);
            at = node;
        }
    }

    /// From the value at a node to that at the next one.
    fn ramp(&mut self, from: f64) {
        let Some(node) = next_node(self.line.points(), from) else { return };
        let (begin, end) = (self.frame(from).max(0), self.frame(node));
        let target = self.value(node, Before);
        if target != self.moved.sent {
            let frames = u32::try_from(end - begin).unwrap_or_default();
            self.go(u32::try_from(begin).unwrap_or_default(), target, frames);
        }
    }

    fn value(&self, time: f64, side: Side) -> f32 {
        self.line.movement.curve.value(raw_at(self.line.points(), time, side))
    }

    /// The frame of a time, counted from the stretch's first.
    fn frame(&self, time: f64) -> i64 {
        // A cast saturates.
        ((time - self.way.time) / self.way.per_frame + SHIFT_FRAMES).floor() as i64
    }

    fn go(&mut self, frame: u32, value: f32, frames: u32) {
        let Moved { track, of, parameter, .. } = *self.moved;
        let kind = EventKind::Parameter { of, parameter, value, frames };
        // The end of each has its room.
        self.sent.push(Event { frame: self.way.sample.saturating_add(frame), track, kind }, MOST_MOVES - MOST_MOVED);
        self.moved.sent = value;
    }
}

/// On which side of a step one looks.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    Before,
    After,
}

use Side::{After, Before};

/// The next time behind `at` where a line may turn: a point, or on a slope a step of the grid. `None`: it stays.
fn next_node(points: &[EnvelopePoint], at: f64) -> Option<f64> {
    let behind = at + SAME_TIME;
    let next = points.partition_point(|point| point.time <= behind);
    let point = points.get(next)?;
    let is_sloped = next.checked_sub(1).and_then(|before| points.get(before)).is_some_and(|p| p.value != point.value);
    let grid = ((behind / GRID).floor() + 1.0) * GRID;
    Some(if is_sloped && grid < point.time - SAME_TIME { grid } else { point.time })
}

/// The raw value of a line at a time; outside its points that of the nearest.
fn raw_at(points: &[EnvelopePoint], time: f64, side: Side) -> f64 {
    let next = match side {
        Side::After => points.partition_point(|point| point.time <= time + SAME_TIME),
        Side::Before => points.partition_point(|point| point.time < time - SAME_TIME),
    };
    let before = next.checked_sub(1).and_then(|before| points.get(before));
    match (before, points.get(next)) {
        (Some(from), Some(to)) => {
            let part = ((time - from.time) / (to.time - from.time)).clamp(0.0, 1.0);
            from.value + (to.value - from.value) * bent(part, from.curve)
        }
        (Some(only), None) | (None, Some(only)) => only.value,
        (None, None) => 0.0,
    }
}

/// How far along a way one is that bends by `curve`, -1 to 1: above 0 it goes slowly at first.
fn bent(part: f64, curve: f64) -> f64 {
    if curve == 0.0 || !curve.is_finite() {
        return part;
    }
    let folds = BEND * curve;
    ((folds * part).exp() - 1.0) / (folds.exp() - 1.0)
}

#[cfg(test)]
mod tests;

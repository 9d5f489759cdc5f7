//! Where a playing clip is: the leading clock's beats to the clip's own time and back. That is beats too, or seconds of
//! the file where an audio clip is not warped.
//!
//! Invariant: whatever values a clip holds, every walk over its notes ends.

use super::Frame;
use super::launch_grid::BlockSpan;
use crate::music::Beats;
use crate::set::document::{AudioContent, Clip, StoredNote};

/// Loops shorter than this are silent: at 120 BPM it is half a millisecond.
const SHORTEST_LOOP_BEATS: Beats = 1.0 / 1024.0;
/// More passes of a loop than this fit no single frame at any tempo and sample rate the clock lets through.
const PASSES_PER_WALK: u32 = 1024;

/// How a clip goes on from where it was entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PlayRegion {
    /// A loop too short to play: silent, but playing.
    Empty,
    /// Plays to `end`, then stops by itself.
    Once { end: Beats },
    /// Plays to `end`, then repeats `start..end`.
    Loop { start: Beats, end: Beats },
    /// Entered at or past the loop's end: plays on behind it, never meets the loop and never ends.
    PastLoop,
}

impl PlayRegion {
    pub fn of(clip: &Clip, enter: Beats) -> PlayRegion {
        if !clip.looping || clip.is_unwarped() {
            let (_, end) = clip.region();
            // What is no number has to be over at once rather than never.
            PlayRegion::Once { end: if end.is_nan() { Beats::NEG_INFINITY } else { end } }
        } else if clip.loop_end - clip.loop_start >= SHORTEST_LOOP_BEATS {
            let (start, end) = (clip.loop_start, clip.loop_end);
            if enter >= end { PlayRegion::PastLoop } else { PlayRegion::Loop { start, end } }
        } else {
            PlayRegion::Empty
        }
    }

    /// The clip beat at which notes are cut.
    pub fn end(self) -> Beats {
        match self {
            PlayRegion::Empty => Beats::NEG_INFINITY,
            PlayRegion::Once { end } | PlayRegion::Loop { end, .. } => end,
            PlayRegion::PastLoop => Beats::INFINITY,
        }
    }
}

/// A clip's run: it was entered at clip beat `enter` when the leading clock was at `anchor`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClipPhase {
    pub anchor: Beats,
    pub enter: Beats,
    pub region: PlayRegion,
    /// How many of the file's seconds pass in a clock beat, where the clip's time counts in them; of a run just begun
    /// [`in_tempo`](Self::in_tempo) finds it.
    pub seconds_per_beat: Option<f64>,
}

/// One pass through a clip's region: clock beat = `base` + clip beat, up to clip beat `end`.
#[derive(Clone, Copy, Debug)]
struct LoopPass {
    base: Beats,
    position: Beats,
    end: Beats,
    /// Passes of the loop before this one.
    number: i64,
}

impl ClipPhase {
    /// A launch at clock beat `anchor`, from the clip's start marker.
    pub fn launched(clip: &Clip, anchor: Beats) -> ClipPhase {
        let enter = if clip.is_unwarped() { clip.region().0 } else { clip.start_marker };
        ClipPhase { anchor, enter, region: PlayRegion::of(clip, enter), seconds_per_beat: None }
    }

    /// A launch at clock beat `anchor` that takes over clip beat `position` of the clip before, folded into what this
    /// clip plays.
    pub fn taken_over(clip: &Clip, anchor: Beats, position: Beats) -> ClipPhase {
        let (start, end) = clip.region();
        let outside = position >= end || (!clip.looping && position < start);
        let enter = if outside { start + (position - start).rem_euclid(end - start) } else { position };
        // A region without length folds to nothing.
        let enter = if enter.is_finite() { enter } else { clip.start_marker };
        ClipPhase { anchor, enter, region: PlayRegion::of(clip, enter), seconds_per_beat: None }
    }

    /// The same run, moved within the clip by `by` at clock beat `now`. Behind the region it is folded into it, before
    /// it too.
    pub fn skipped(self, clip: &Clip, now: Beats, by: Beats) -> ClipPhase {
        let to = self.content(now) + by * self.slope();
        let (start, end) = clip.region();
        let first = if clip.looping { start.min(clip.start_marker) } else { start };
        let to = if to < first { start + (to - start).rem_euclid(end - start) } else { to };
        if !to.is_finite() {
            return self;
        }
        ClipPhase { seconds_per_beat: self.seconds_per_beat, ..ClipPhase::taken_over(clip, now, to) }
    }

    /// The same run after the clip was edited at clock beat `now`: the clip goes on from where it is, and a position
    /// that the loop no longer holds is folded into it.
    pub fn edited(self, clip: &Clip, now: Beats) -> ClipPhase {
        let position = self.content(now);
        if PlayRegion::of(clip, position) == self.region {
            return self;
        }
        let was_past = self.region == PlayRegion::PastLoop;
        let folded =
            if clip.looping && !was_past { ClipPhase::taken_over(clip, now, position).enter } else { position };
        let enter = folded - (now - self.anchor) * self.slope();
        ClipPhase { enter, region: PlayRegion::of(clip, folded), ..self }
    }

    /// The same run in the present tempo.
    pub fn in_tempo(self, clip: &Clip, span: &BlockSpan) -> ClipPhase {
        ClipPhase { seconds_per_beat: seconds_per_beat(clip, span), ..self }
    }

    /// The same run, told from where it is at clock beat `now`.
    pub fn rebased(self, now: Beats) -> ClipPhase {
        ClipPhase { anchor: now, enter: self.content(now), ..self }
    }

    /// The same place, going on as `other` does.
    pub fn with_course_of(self, other: ClipPhase) -> ClipPhase {
        ClipPhase { region: other.region, seconds_per_beat: other.seconds_per_beat, ..self }
    }

    /// How much of the clip's time passes in a clock beat.
    fn slope(self) -> f64 {
        self.seconds_per_beat.unwrap_or(1.0)
    }

    fn linear(self, beat: Beats) -> Beats {
        self.enter + (beat - self.anchor) * self.slope()
    }

    /// How far two runs are apart at clock beat `now`, in the clip's time; a loop's end is its start.
    pub fn distance(self, other: ClipPhase, now: Beats) -> f64 {
        let apart = (self.content(now) - other.content(now)).abs();
        match other.region {
            PlayRegion::Loop { start, end } => apart.min((end - start - apart).abs()),
            _ => apart,
        }
    }

    /// The clip beat at clock beat `beat`.
    pub fn content(self, beat: Beats) -> Beats {
        self.pass(beat).position
    }

    /// The clock beat at which the clip stops by itself.
    pub fn ends_at(self) -> Option<Beats> {
        match self.region {
            PlayRegion::Once { end } => Some(self.anchor + (end - self.enter) / self.slope()),
            PlayRegion::Empty | PlayRegion::Loop { .. } | PlayRegion::PastLoop => None,
        }
    }

    fn pass(self, from: Beats) -> LoopPass {
        let linear = self.linear(from);
        let base = self.anchor - self.enter;
        match self.region {
            PlayRegion::Empty => LoopPass { base, position: self.enter, end: Beats::NEG_INFINITY, number: 0 },
            PlayRegion::Once { end } => LoopPass { base, position: linear, end, number: 0 },
            PlayRegion::PastLoop => LoopPass { base, position: linear, end: Beats::INFINITY, number: 0 },
            PlayRegion::Loop { end, .. } if linear < end => LoopPass { base, position: linear, end, number: 0 },
            PlayRegion::Loop { start, end } => {
                let length = end - start;
                let passes = ((linear - start) / length).floor();
                let (before, number) = (passes * length, passes as i64);
                // Rounding may push the position out of the loop by a hair.
                let position = (linear - before).max(start);
                if position < end {
                    LoopPass { base: base + before, position, end, number }
                } else {
                    LoopPass { base: base + before + length, position: start, end, number: number.saturating_add(1) }
                }
            }
        }
    }

    /// Visits the stretches of the frames `from..to` in which its time runs straight on: first frame, the frame behind
    /// the last, the time at the first, how much of it passes in a frame.
    pub fn visit_passes(
        self,
        span: &BlockSpan,
        (from, to): (Frame, Frame),
        mut visitor: impl FnMut(Frame, Frame, f64, f64),
    ) {
        // Nearly the last beat that belongs to a frame.
        const LATE_FRAMES: f64 = 0.498;
        let per_frame = self.slope() * span.beats_per_frame;
        let mut at = from;
        for _ in 0..PASSES_PER_WALK {
            let late = span.begin + (f64::from(at) + LATE_FRAMES) * span.beats_per_frame;
            let pass = self.pass(late);
            let end = match self.region {
                PlayRegion::Empty => return,
                PlayRegion::PastLoop => None,
                PlayRegion::Once { .. } => self.ends_at(),
                PlayRegion::Loop { .. } => Some(pass.base + pass.end),
            };
            let until = end.map_or(to, |end| if end <= late { at } else { span.frame(end).min(to) });
            if at >= until {
                return;
            }
            visitor(at, until, pass.position - LATE_FRAMES * per_frame, per_frame);
            at = until;
        }
    }

    fn after(self, pass: LoopPass) -> Option<LoopPass> {
        match self.region {
            PlayRegion::Loop { start, end } => Some(LoopPass {
                base: pass.base + (end - start),
                position: start,
                end,
                number: pass.number.saturating_add(1),
            }),
            PlayRegion::Empty | PlayRegion::Once { .. } | PlayRegion::PastLoop => None,
        }
    }

    /// The clock beat of the first of `notes` (sorted by start) at or after clock beat `from`.
    pub fn next_note(self, notes: &[StoredNote], from: Beats) -> Option<Beats> {
        let first_in = |pass: LoopPass| {
            let index = notes.partition_point(|n| n.note.start < pass.position);
            let start = notes.get(index)?.note.start;
            (start < pass.end).then_some(pass.base + start)
        };
        let pass = self.pass(from);
        // What the next pass does not hold, no later one does.
        first_in(pass).or_else(|| self.after(pass).and_then(first_in))
    }

    /// Visits those of `notes` (sorted by start) that begin in the clock beats `from..until`, in order, each with the
    /// clock beats of its start and of where the region cuts it, and the passes of the loop before.
    pub fn visit(
        self,
        notes: &[StoredNote],
        from: Beats,
        until: Beats,
        mut visitor: impl FnMut(&StoredNote, Beats, Beats, i64),
    ) {
        let mut pass = self.pass(from);
        for _ in 0..PASSES_PER_WALK {
            let first = notes.partition_point(|n| n.note.start < pass.position);
            for note in notes.get(first..).unwrap_or_default() {
                let start = note.note.start;
                if start >= pass.end {
                    break;
                }
                let at = pass.base + start;
                // Written so that what is no number ends the walk.
                if !matches!(at.partial_cmp(&until), Some(std::cmp::Ordering::Less)) {
                    return;
                }
                visitor(note, at, pass.base + pass.end, pass.number);
            }
            match self.after(pass) {
                Some(next) if next.base + next.position < until => pass = next,
                _ => return,
            }
        }
    }
}

/// How many of its file's seconds a clip plays in a clock beat; `None` where its time is beats.
fn seconds_per_beat(clip: &Clip, span: &BlockSpan) -> Option<f64> {
    let AudioContent { pitch_coarse, pitch_fine, .. } = **clip.audio().filter(|audio| !audio.warping)?;
    let semitones = f64::from(pitch_coarse) + pitch_fine / 100.0;
    let seconds = span.seconds_per_beat * (semitones / 12.0).exp2();
    Some(if seconds.is_finite() && seconds > 0.0 { seconds } else { span.seconds_per_beat })
}

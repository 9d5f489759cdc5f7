//! One track within one stretch of a block: what plays, what is ordered, and when something happens next.

use super::cells::Runtime;
use super::clock::{Change, LOOP_SLACK_BEATS};
use super::grid::Span;
use super::phase::Phase;
use super::{Frame, NEVER, placed};
use crate::music::Beats;
use crate::set::document::ids::Serial;
use crate::set::document::index::Home;
use crate::set::document::timeline_lane::Lane as Timeline;
use crate::set::document::{Clip, Document, StoredNote, Track};
use crate::set::runtime::launch_orders::{LaunchAction, NUMBER_END, Quantum, TrackLaunch};

/// Room for a track's work, made with each snapshot; what must outlast it is in the track's cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lane {
    pub track: Serial,
    /// Where the ordered clip lies, by its scene's serial; 0 where that is not known.
    ordered_slot: Serial,
    /// By mute and solo, its own and those of groups around it.
    audible: bool,
    /// The frame of this block at which something happens next, or [`NEVER`].
    pub next: Frame,
    /// The frame at which the waiting order acts, or [`NEVER`].
    due: Frame,
    due_at: Beats,
    /// Everything of this lane before this clock beat was made.
    since: Beats,
    run: Runtime,
    /// A clip that starts over at boundaries while its button is held.
    repeat: Option<Repeat>,
    /// The playing clip was moved within itself at the start of this block.
    moved: bool,
    /// The track has Arrangement clips.
    arranged: bool,
    /// Neither plays nor has an order: nothing to do in this block.
    idle: bool,
}

/// See [`TrackLaunch::repeat`].
#[derive(Clone, Copy, Debug)]
struct Repeat {
    /// Of the order that launched it.
    number: u64,
    clip: Serial,
    quantum: Quantum,
}

/// What a lane did at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It goes on.
    On,
    /// What sounds of it ends here.
    Cut,
}

impl Lane {
    pub fn new(track: Serial, launch: Option<&TrackLaunch>, audible: bool, document: &Document) -> Lane {
        let home = match launch.map(|launch| launch.order.action) {
            Some(LaunchAction::Play { clip, .. }) => document.index.get(&clip),
            Some(LaunchAction::Stop | LaunchAction::Keep) | None => None,
        };
        Lane {
            track,
            ordered_slot: if let Some(Home::SessionClip { scene, .. }) = home { *scene } else { 0 },
            audible,
            next: NEVER,
            due: NEVER,
            due_at: 0.0,
            since: 0.0,
            run: Runtime::default(),
            repeat: None,
            moved: false,
            arranged: false,
            idle: true,
        }
    }

    /// Takes the lane up for a block: applies what changed in the Set and the clock, and finds when an order acts.
    pub fn begin(
        &mut self,
        launch: Option<&TrackLaunch>,
        track: Option<&Track>,
        span: &Span,
        change: Change,
        running: bool,
    ) {
        self.run = launch.map_or_else(Runtime::default, |launch| Runtime::load(&launch.cell));
        self.next = NEVER;
        self.due = NEVER;
        self.since = span.since;
        let number = launch.map_or(0, |launch| launch.order.number.min(NUMBER_END - 1));
        let ordered = number > self.run.handled;
        self.repeat = match launch.map(|launch| (launch.repeat, launch.order.action)) {
            Some((Some(quantum), LaunchAction::Play { clip, .. })) => Some(Repeat { number, clip, quantum }),
            _ => None,
        };
        self.moved = false;
        self.arranged = track.is_some_and(|track| !track.arrangement.is_empty());
        self.idle =
            !ordered && self.run.playing.is_none() && self.repeat.is_none() && self.arrangement(track).is_none();
        if self.idle {
            return;
        }
        let clip = self.playing_clip(track);
        if self.run.playing.is_some() && clip.is_none() {
            self.run.playing = None;
            self.run.ended_by_itself = true;
        }
        if let Some(clip) = clip {
            self.run.phase = self.run.phase.edited(clip, span.since);
            match change {
                Change::Started => self.restart(clip, span),
                Change::Jumped { from } => self.follow_jump(from, span),
                // A Session clip knows nothing of the song's loop.
                Change::Wrapped { from, .. } => {
                    self.run.phase.anchor += span.begin - from;
                    self.run.start_beats += span.begin - from;
                }
                Change::None | Change::Stopped => {}
            }
        }
        if let Some(launch) = launch {
            self.skip(launch, track, span);
            if ordered {
                self.await_order(launch, track, span, number, running);
                self.catch_up_at_wrap(launch, span, change);
            }
        }
        if running {
            self.look_ahead(track, span, 0);
        }
    }

    /// Moves within the playing clip, once.
    fn skip(&mut self, launch: &TrackLaunch, track: Option<&Track>, span: &Span) {
        let number = launch.skip.number.min(NUMBER_END - 1);
        if number <= self.run.skipped.max(self.run.handled) {
            return;
        }
        self.run.skipped = number;
        if let Some(clip) = self.playing_clip(track) {
            self.run.phase = self.run.phase.skipped(clip, span.since, launch.skip.by);
            self.run.position_beats = self.run.phase.content(span.since);
            self.moved = true;
        }
    }

    /// When the clip whose button is held starts over next.
    fn again_at(&self, span: &Span) -> Option<Beats> {
        /// Less than any launch boundary from the next.
        const BEHIND_BEATS: Beats = 0.5e-3;
        let Repeat { number, clip, quantum } = self.repeat.filter(|repeat| repeat.number <= self.run.handled)?;
        let plays = self.run.playing == Some(clip) || (self.run.playing.is_none() && self.run.ended_by_itself);
        let next = || span.grid.next(quantum, self.since.max(self.run.start_beats + BEHIND_BEATS));
        (plays && number > 0).then(next).flatten()
    }

    fn await_order(&mut self, launch: &TrackLaunch, track: Option<&Track>, span: &Span, number: u64, running: bool) {
        match launch.order.action {
            // Its clip is gone: there is nothing to wait for.
            LaunchAction::Play { clip, .. } if track.is_none_or(|t| find(t, clip, self.ordered_slot).is_none()) => {
                self.run.handled = number;
            }
            LaunchAction::Stop if !running => {
                self.run.handled = number;
                self.run.playing = None;
                self.run.ended_by_itself = false;
            }
            LaunchAction::Keep => self.run.handled = number,
            LaunchAction::Play { .. } if !running => {}
            LaunchAction::Play { .. } | LaunchAction::Stop => match span.grid.next(launch.order.quantum, span.since) {
                Some(boundary) => {
                    self.due_at = boundary;
                    self.due = span.frame(boundary);
                }
                None => {
                    self.due_at = span.begin;
                    self.due = 0;
                }
            },
        }
    }

    /// A boundary at the end of the song's loop is passed at its start, which may lie on no boundary: else what waits for
    /// it would wait for ever.
    fn catch_up_at_wrap(&mut self, launch: &TrackLaunch, span: &Span, change: Change) {
        let Change::Wrapped { end, .. } = change else { return };
        let waits = launch.order.number.min(NUMBER_END - 1) > self.run.handled;
        let boundary = span.grid.next(launch.order.quantum, end - LOOP_SLACK_BEATS);
        if waits && boundary.is_some_and(|boundary| boundary <= end + LOOP_SLACK_BEATS) {
            self.due_at = span.since + LOOP_SLACK_BEATS;
            self.due = 0;
        }
    }

    pub fn plays_session(&self) -> bool {
        self.run.playing.is_some()
    }

    /// The Arrangement clips that are heard: as long as nothing was launched.
    fn arrangement<'d>(&self, track: Option<&'d Track>) -> Option<&'d Timeline> {
        (self.arranged && self.run.handled == 0).then(|| track.map(|track| &track.arrangement)).flatten()
    }

    /// The clock starts somewhere: the clip plays as if launched at the last boundary before, so that a start at a
    /// given place always sounds the same.
    fn restart(&mut self, clip: &Clip, span: &Span) {
        let anchor = span.grid.last(self.run.quantum, span.begin, span.half_frame());
        self.run.phase = Phase::launched(clip, anchor);
        self.run.start_beats = anchor;
        self.since = self.since.max(anchor);
    }

    /// The clip goes on from where it is, to the nearest place at which its launch lies on the grid again.
    fn follow_jump(&mut self, from: Beats, span: &Span) {
        let elapsed = from - self.run.phase.anchor;
        let mut anchor = span.grid.nearest(self.run.quantum, span.begin - elapsed);
        if anchor > span.begin + span.half_frame() {
            anchor = span.grid.last(self.run.quantum, span.begin, span.half_frame());
        }
        self.run.phase.anchor = anchor;
        self.run.start_beats = anchor;
        self.since = self.since.max(anchor);
    }

    fn playing_clip<'d>(&mut self, track: Option<&'d Track>) -> Option<&'d Clip> {
        let (slot, clip) = find(track?, self.run.playing?, self.run.slot_hint)?;
        self.run.slot_hint = slot;
        Some(clip)
    }

    /// The playing clip's notes and the channel they leave on; nothing while they are not to be heard.
    fn heard_notes<'d>(&mut self, track: Option<&'d Track>) -> Option<(&'d Clip, &'d [StoredNote], u8)> {
        let channel = track?.midi_channel.filter(|_| self.audible)?;
        let clip = self.playing_clip(track).filter(|clip| !clip.muted)?;
        Some((clip, &clip.notes()?.list, channel))
    }

    /// The Arrangement's clips and the channel they leave on; nothing while they are not to be heard.
    fn heard_arrangement<'d>(&self, track: Option<&'d Track>) -> Option<(&'d Timeline, u8)> {
        let timeline = self.arrangement(track)?;
        Some((timeline, track?.midi_channel.filter(|_| self.audible)?))
    }

    /// Finds the next frame, at or after `earliest`, at which something happens.
    pub fn look_ahead(&mut self, track: Option<&Track>, span: &Span, earliest: Frame) {
        let phase = self.run.phase;
        let mut next = if self.moved { earliest } else { self.due };
        next = next.min(self.again_at(span).map_or(NEVER, |at| span.frame(at)));
        if self.run.playing.is_some() {
            next = next.min(phase.ends_at().map_or(NEVER, |end| span.frame(end)));
            if let Some((_, notes, _)) = self.heard_notes(track) {
                next = next.min(phase.next_note(notes, self.since).map_or(NEVER, |at| span.frame(at)));
            }
        }
        if let Some((timeline, _)) = self.heard_arrangement(track) {
            next = next.min(placed::next_note(timeline, self.since, span.until).map_or(NEVER, |at| span.frame(at)));
        }
        self.next = next.max(earliest);
        if self.next >= span.frames {
            self.next = NEVER;
        }
    }

    /// Carries out what is due at `frame` before any note starts: an order, or the clip's end.
    pub fn turn(&mut self, launch: Option<&TrackLaunch>, track: Option<&Track>, span: &Span, frame: Frame) -> Turn {
        let mut turn = if std::mem::take(&mut self.moved) { Turn::Cut } else { Turn::On };
        if let Some(at) = self.again_at(span).filter(|at| self.due > frame && span.frame(*at) <= frame)
            && let Some(Repeat { clip, .. }) = self.repeat
            && let Some((slot, clip)) = track.and_then(|track| find(track, clip, self.run.slot_hint))
        {
            self.since = self.since.max(at);
            self.run.phase = Phase::launched(clip, at);
            self.run.playing = Some(clip.serial);
            self.run.ended_by_itself = false;
            self.run.slot_hint = slot;
            self.run.start_beats = at;
            turn = Turn::Cut;
        }
        if self.due <= frame
            && let Some(launch) = launch
        {
            self.due = NEVER;
            self.carry_out(launch, track, span, frame);
            turn = Turn::Cut;
        }
        if self.run.playing.is_some()
            && let Some(end) = self.run.phase.ends_at()
            && end < span.threshold(frame.saturating_add(1)).min(span.until)
        {
            self.run.playing = None;
            self.run.ended_by_itself = true;
            turn = Turn::Cut;
        }
        turn
    }

    fn carry_out(&mut self, launch: &TrackLaunch, track: Option<&Track>, span: &Span, frame: Frame) {
        let before = self.run.playing.map(|_| self.run.phase.content(self.due_at));
        self.run.handled = launch.order.number.min(NUMBER_END - 1);
        self.run.ended_by_itself = false;
        self.run.playing = None;
        let LaunchAction::Play { clip: serial, legato } = launch.order.action else { return };
        let Some((slot, clip)) = track.and_then(|track| find(track, serial, self.ordered_slot)) else { return };
        self.since = self.since.max(span.threshold(frame));
        self.run.phase = match before.filter(|_| legato) {
            Some(position) => Phase::taken_over(clip, self.due_at, position),
            None => {
                // Half a frame before the start marker may lie a note that is not the launch's.
                self.since = self.since.max(self.due_at);
                Phase::launched(clip, self.due_at)
            }
        };
        self.run.playing = Some(serial);
        self.run.slot_hint = slot;
        self.run.start_beats = self.due_at;
        self.run.quantum = launch.order.quantum;
    }

    /// Visits the notes that start at `frame`, as (clip, note, start, cut, channel) with clock beats.
    pub fn visit_notes(
        &mut self,
        track: Option<&Track>,
        span: &Span,
        frame: Frame,
        mut visitor: impl FnMut(&Clip, &StoredNote, Beats, Beats, u8),
    ) {
        let until = span.threshold(frame.saturating_add(1)).min(span.until);
        let (phase, since) = (self.run.phase, self.since);
        if let Some((clip, notes, channel)) = self.heard_notes(track) {
            phase.visit(notes, since, until, |note, at, cut| visitor(clip, note, at, cut, channel));
        }
        if let Some((timeline, channel)) = self.heard_arrangement(track) {
            placed::visit(timeline, since, until, |clip, note, at, cut| visitor(clip, note, at, cut, channel));
        }
    }

    /// Closes `frame` and looks for the next.
    pub fn advance(&mut self, track: Option<&Track>, span: &Span, frame: Frame) {
        self.since = self.since.max(span.threshold(frame.saturating_add(1)).min(span.until));
        self.look_ahead(track, span, frame.saturating_add(1));
    }

    /// When a sounding note of this lane ends by what the Set says now: `None` if it is not to be heard any more.
    pub fn review(
        &mut self,
        track: Option<&Track>,
        clip_serial: Serial,
        id: u32,
        note_start: Beats,
        pitch: u8,
        on: Beats,
    ) -> Option<Beats> {
        if let Some((timeline, _)) = self.heard_arrangement(track) {
            return placed::ends_at(timeline, clip_serial, id, note_start, pitch, on);
        }
        let (clip, notes, _) = self.heard_notes(track)?;
        let first = notes.partition_point(|n| n.note.start < note_start);
        let same_start = notes.get(first..)?.iter().take_while(|n| n.note.start == note_start);
        let note = same_start.map(|n| (n.id, n.note)).find(|&(other, _)| other == id)?.1;
        let stays = clip.serial == clip_serial && !note.mute && note.pitch == pitch;
        let length = note.duration.min(self.run.phase.region.end() - note.start);
        stays.then_some(on + length).filter(|end| !end.is_nan())
    }

    /// Writes the track's cell for the end of the block.
    pub fn finish(&mut self, launch: Option<&TrackLaunch>, span: &Span, running: bool) {
        let Some(launch) = launch.filter(|_| !self.idle) else { return };
        if running && self.run.playing.is_some() {
            self.run.position_beats = self.run.phase.content(span.end());
        }
        self.run.store(&launch.cell);
    }
}

/// A track's clip by its serial, and its slot's scene; looks into the slot `hint` first.
fn find(track: &Track, serial: Serial, hint: Serial) -> Option<(Serial, &Clip)> {
    if let Some(clip) = track.session.get(hint).filter(|clip| clip.serial == serial) {
        return Some((hint, clip));
    }
    let slot = track.session.iter().find(|slot| slot.clip.serial == serial)?;
    Some((slot.scene, &slot.clip))
}

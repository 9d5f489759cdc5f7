//! One track within one stretch of a block: what plays, what is ordered, and when something happens next.

mod heard_notes;

pub(super) use heard_notes::NoteStart;

use crate::music::Beats;
use crate::playback::clock::{ClockChange, LOOP_SLACK_BEATS};
use crate::playback::launch_grid::BlockSpan;
use crate::playback::phase::ClipPhase;
use crate::playback::track_memory::TrackMemory;
use crate::playback::{Frame, NEVER};
use crate::set::document::ids::Serial;
use crate::set::document::object_index::Location;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, Document, Track};
use crate::set::runtime::launch_orders::{LaunchAction, LaunchOrder, LaunchQuantum, NUMBER_END, TrackLaunch};

/// Room for a track's work, made with each snapshot; what must outlast it is in the track's cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct TrackPlayer {
    pub track: Serial,
    /// Where the ordered clip lies, by its scene's serial; 0 where that is not known.
    ordered_slot: Serial,
    /// The same of the clip that is ordered to play before it.
    before_slot: Serial,
    /// By mute and solo, its own and those of groups around it.
    audible: bool,
    /// The frame of this block at which something happens next, or [`NEVER`].
    pub next: Frame,
    /// The frame at which the waiting order acts, or [`NEVER`].
    due: Frame,
    due_at: Beats,
    /// Everything of this track before this clock beat was made.
    since: Beats,
    memory: TrackMemory,
    /// A clip that starts over at boundaries while its button is held.
    repeat: Option<Repeat>,
    /// What played was moved within itself at the start of this block, or something else took its place.
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
    quantum: LaunchQuantum,
}

/// What becomes of the notes that sound of a track, at a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameOutcome {
    /// They go on.
    GoOn,
    /// They end here.
    Cut,
}

impl TrackPlayer {
    pub fn new(track: Serial, launch: Option<&TrackLaunch>, audible: bool, document: &Document) -> TrackPlayer {
        let slot = |order: Option<LaunchOrder>| {
            let Some(LaunchAction::Play { clip, .. }) = order.map(|order| order.action) else { return 0 };
            if let Some(Location::SessionClip { scene, .. }) = document.index.get(&clip) { *scene } else { 0 }
        };
        TrackPlayer {
            track,
            ordered_slot: slot(launch.map(|launch| launch.order)),
            before_slot: slot(launch.and_then(|launch| launch.before)),
            audible,
            next: NEVER,
            due: NEVER,
            due_at: 0.0,
            since: 0.0,
            memory: TrackMemory::default(),
            repeat: None,
            moved: false,
            arranged: false,
            idle: true,
        }
    }

    /// Starts a block: applies what changed in the Set and the clock, and finds when an order acts.
    pub fn begin_block(
        &mut self,
        launch: Option<&TrackLaunch>,
        track: Option<&Track>,
        span: &BlockSpan,
        change: ClockChange,
        running: bool,
    ) {
        self.memory = launch.map_or_else(TrackMemory::default, |launch| TrackMemory::load(&launch.cell));
        self.next = NEVER;
        self.due = NEVER;
        self.since = span.since;
        let number = launch.map_or(0, |launch| launch.order.number.min(NUMBER_END - 1));
        let ordered = number > self.memory.handled;
        self.repeat = match launch.map(|launch| (launch.repeat, launch.order.action)) {
            Some((Some(quantum), LaunchAction::Play { clip, .. })) => Some(Repeat { number, clip, quantum }),
            _ => None,
        };
        self.moved = false;
        self.arranged = track.is_some_and(|track| !track.arrangement.is_empty());
        self.idle =
            !ordered && self.memory.playing.is_none() && self.repeat.is_none() && self.arrangement(track).is_none();
        if self.idle {
            return;
        }
        let clip = self.playing_clip(track);
        if self.memory.playing.is_some() && clip.is_none() {
            self.memory.playing = None;
            self.memory.ended_by_itself = true;
        }
        if let Some(clip) = clip {
            self.memory.phase = self.memory.phase.in_tempo(clip, span).edited(clip, span.since);
            match change {
                ClockChange::Started => self.restart(clip, span),
                ClockChange::Jumped { from } => self.follow_jump(from, span),
                // A Session clip knows nothing of the song's loop.
                ClockChange::Wrapped { from, .. } => {
                    self.memory.phase.anchor += span.begin - from;
                    self.memory.start_beats += span.begin - from;
                }
                ClockChange::None | ClockChange::Stopped => {}
            }
        }
        if let Some(launch) = launch {
            self.carry_out_before(launch, track, span, running);
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

    /// Carries out at the start of the block what was shown as done when the newest order took its place.
    fn carry_out_before(&mut self, launch: &TrackLaunch, track: Option<&Track>, span: &BlockSpan, running: bool) {
        let Some(before) = launch.before.filter(|before| before.number.min(NUMBER_END - 1) > self.memory.handled)
        else {
            return;
        };
        let is_due = match before.action {
            LaunchAction::Play { clip, .. } => {
                running && track.is_some_and(|track| find_clip(track, clip, self.before_slot).is_some())
            }
            LaunchAction::Stop => true,
            LaunchAction::Keep => false,
        };
        if is_due {
            self.due_at = span.begin;
            self.carry_out(before, self.before_slot, track, span, 0);
            self.moved = true;
        }
    }

    /// Moves within the playing clip, once.
    fn skip(&mut self, launch: &TrackLaunch, track: Option<&Track>, span: &BlockSpan) {
        let number = launch.skip.number.min(NUMBER_END - 1);
        if number <= self.memory.skipped.max(self.memory.handled) {
            return;
        }
        self.memory.skipped = number;
        if let Some(clip) = self.playing_clip(track) {
            self.memory.phase = self.memory.phase.skipped(clip, span.since, launch.skip.by);
            self.memory.position_beats = self.memory.phase.content(span.since);
            self.moved = true;
        }
    }

    /// When the clip whose button is held starts over next.
    fn next_repeat(&self, span: &BlockSpan) -> Option<Beats> {
        /// Less than any launch boundary from the next.
        const BEHIND_BEATS: Beats = 0.5e-3;
        let Repeat { number, clip, quantum } = self.repeat.filter(|repeat| repeat.number <= self.memory.handled)?;
        let plays = self.memory.playing == Some(clip) || (self.memory.playing.is_none() && self.memory.ended_by_itself);
        let next = || span.grid.next(quantum, self.since.max(self.memory.start_beats + BEHIND_BEATS));
        (plays && number > 0).then(next).flatten()
    }

    fn await_order(
        &mut self,
        launch: &TrackLaunch,
        track: Option<&Track>,
        span: &BlockSpan,
        number: u64,
        running: bool,
    ) {
        match launch.order.action {
            // Its clip is gone: there is nothing to wait for.
            LaunchAction::Play { clip, .. }
                if track.is_none_or(|t| find_clip(t, clip, self.ordered_slot).is_none()) =>
            {
                self.memory.handled = number;
            }
            LaunchAction::Stop if !running => {
                self.memory.handled = number;
                self.memory.playing = None;
                self.memory.ended_by_itself = false;
            }
            LaunchAction::Keep => self.memory.handled = number,
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

    /// A boundary at the end of the song's loop is passed at its start, which may lie on no boundary: else what waits
    /// for it would wait for ever.
    fn catch_up_at_wrap(&mut self, launch: &TrackLaunch, span: &BlockSpan, change: ClockChange) {
        let ClockChange::Wrapped { end, .. } = change else { return };
        let waits = launch.order.number.min(NUMBER_END - 1) > self.memory.handled;
        let boundary = span.grid.next(launch.order.quantum, end - LOOP_SLACK_BEATS);
        if waits && boundary.is_some_and(|boundary| boundary <= end + LOOP_SLACK_BEATS) {
            self.due_at = span.since + LOOP_SLACK_BEATS;
            self.due = 0;
        }
    }

    pub fn plays_session(&self) -> bool {
        self.memory.playing.is_some()
    }

    /// As long as nothing was launched.
    fn follows_arrangement(&self) -> bool {
        self.memory.handled == 0
    }

    /// The Arrangement clips that are heard.
    fn arrangement<'d>(&self, track: Option<&'d Track>) -> Option<&'d Lane> {
        (self.arranged && self.follows_arrangement()).then(|| track.map(|track| &track.arrangement)).flatten()
    }

    /// The clock starts somewhere: the clip plays as if launched at the last boundary before, so that a start at a
    /// given place always sounds the same.
    fn restart(&mut self, clip: &Clip, span: &BlockSpan) {
        let anchor = span.grid.last(self.memory.quantum, span.begin, span.half_frame());
        self.memory.phase = ClipPhase::launched(clip, anchor).in_tempo(clip, span);
        self.memory.start_beats = anchor;
        self.since = self.since.max(anchor);
    }

    /// The clip goes on from where it is, to the nearest place at which its launch lies on the grid again.
    fn follow_jump(&mut self, from: Beats, span: &BlockSpan) {
        if self.memory.phase.seconds_per_beat.is_some() {
            // What counts in seconds is on no grid.
            self.memory.phase = ClipPhase { anchor: span.begin, ..self.memory.phase.rebased(from) };
            return;
        }
        let elapsed = from - self.memory.phase.anchor;
        let mut anchor = span.grid.nearest(self.memory.quantum, span.begin - elapsed);
        if anchor > span.begin + span.half_frame() {
            anchor = span.grid.last(self.memory.quantum, span.begin, span.half_frame());
        }
        self.memory.phase.anchor = anchor;
        self.memory.start_beats = anchor;
        self.since = self.since.max(anchor);
    }

    fn playing_clip<'d>(&mut self, track: Option<&'d Track>) -> Option<&'d Clip> {
        let (slot, clip) = find_clip(track?, self.memory.playing?, self.memory.slot_hint)?;
        self.memory.slot_hint = slot;
        Some(clip)
    }

    /// Carries out what is due at `frame` before any note starts: an order, or the clip's end.
    pub fn act_at(
        &mut self,
        launch: Option<&TrackLaunch>,
        track: Option<&Track>,
        span: &BlockSpan,
        frame: Frame,
    ) -> FrameOutcome {
        let mut outcome = if std::mem::take(&mut self.moved) { FrameOutcome::Cut } else { FrameOutcome::GoOn };
        if let Some(at) = self.next_repeat(span).filter(|at| self.due > frame && span.frame(*at) <= frame)
            && let Some(Repeat { clip, .. }) = self.repeat
            && let Some((slot, clip)) = track.and_then(|track| find_clip(track, clip, self.memory.slot_hint))
        {
            self.since = self.since.max(at);
            self.memory.phase = ClipPhase::launched(clip, at).in_tempo(clip, span);
            self.memory.playing = Some(clip.serial);
            self.memory.ended_by_itself = false;
            self.memory.slot_hint = slot;
            self.memory.start_beats = at;
            outcome = FrameOutcome::Cut;
        }
        if self.due <= frame
            && let Some(launch) = launch
        {
            self.due = NEVER;
            self.carry_out(launch.order, self.ordered_slot, track, span, frame);
            outcome = FrameOutcome::Cut;
        }
        if self.memory.playing.is_some()
            && let Some(end) = self.memory.phase.ends_at()
            && end < span.threshold(frame.saturating_add(1)).min(span.until)
        {
            self.memory.playing = None;
            self.memory.ended_by_itself = true;
            outcome = FrameOutcome::Cut;
        }
        outcome
    }

    /// `slot` is where the ordered clip lies, if that is known.
    fn carry_out(&mut self, order: LaunchOrder, slot: Serial, track: Option<&Track>, span: &BlockSpan, frame: Frame) {
        let before = self.memory.playing.map(|_| self.memory.phase.content(self.due_at));
        self.memory.handled = order.number.min(NUMBER_END - 1);
        self.memory.ended_by_itself = false;
        self.memory.playing = None;
        let LaunchAction::Play { clip: serial, legato } = order.action else { return };
        let Some((slot, clip)) = track.and_then(|track| find_clip(track, serial, slot)) else { return };
        self.since = self.since.max(span.threshold(frame));
        let phase = match before.filter(|_| legato) {
            Some(position) => ClipPhase::taken_over(clip, self.due_at, position),
            None => {
                // Half a frame before the start marker may lie a note that is not the launch's.
                self.since = self.since.max(self.due_at);
                ClipPhase::launched(clip, self.due_at)
            }
        };
        self.memory.phase = phase.in_tempo(clip, span);
        self.memory.playing = Some(serial);
        self.memory.slot_hint = slot;
        self.memory.start_beats = self.due_at;
        self.memory.quantum = order.quantum;
    }

    /// Writes the track's cell for the end of the block.
    pub fn finish(&mut self, launch: Option<&TrackLaunch>, span: &BlockSpan, running: bool) {
        let Some(launch) = launch.filter(|_| !self.idle) else { return };
        if running && self.memory.playing.is_some() {
            self.memory.position_beats = self.memory.phase.content(span.end());
            if self.memory.phase.seconds_per_beat.is_some() {
                // The tempo may be another one in the next block.
                self.memory.phase = self.memory.phase.rebased(span.end());
            }
        }
        self.memory.store(&launch.cell);
    }
}

/// A track's clip by its serial, and its slot's scene; looks into the slot `hint` first.
fn find_clip(track: &Track, serial: Serial, hint: Serial) -> Option<(Serial, &Clip)> {
    if let Some(clip) = track.session.get(hint).filter(|clip| clip.serial == serial) {
        return Some((hint, clip));
    }
    let slot = track.session.iter().find(|slot| slot.clip.serial == serial)?;
    Some((slot.scene, &slot.clip))
}

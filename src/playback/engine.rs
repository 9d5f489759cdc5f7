//! The walk through a block, from one frame at which something happens to the next.

use super::active_notes::{ActiveNotes, EventSink, NoteKey, ScheduledNote};
use super::clock::{Clock, ClockChange, ClockSettings, song_loop};
use super::launch_grid::BlockSpan;
use super::prepared::{PlayableTrack, PreparedSnapshot, SongSettings};
use super::track_player::{FrameOutcome, TrackPlayer};
use super::xorshift::Xorshift;
use super::{Block, Event, Frame};
use crate::music::{Beats, Note};
use crate::set::document::{StoredNote, Track};
use crate::set::runtime::launch_orders::{ClockCell, TrackLaunch, TransportAction, TransportOrder};
use std::sync::Arc;
use triple_buffer::Output;

const SEED: u64 = 0x5356_4320_4465_7669;

/// The audio thread's end of [`channel`](super::channel).
pub struct Engine {
    output: Output<PreparedSnapshot>,
    clock_cell: Arc<ClockCell>,
    clock: Clock,
    notes: ActiveNotes,
    random: Xorshift,
    /// The snapshot is new since the last block with frames.
    fresh: bool,
}

impl Engine {
    pub(super) fn new(output: Output<PreparedSnapshot>, clock_cell: Arc<ClockCell>) -> Engine {
        Engine {
            output,
            clock_cell,
            clock: Clock::default(),
            notes: ActiveNotes::new(),
            random: Xorshift::new(SEED),
            fresh: false,
        }
    }

    /// Makes the events of one block: in time order, at each sample the offs before the ons.
    ///
    /// `out` answers `false` when the host takes no more in this block; it is then not called again before the next
    /// one, which begins with what was refused. `out` runs on the audio thread and must keep its rules.
    pub fn process(&mut self, block: &Block, out: &mut impl FnMut(Event) -> bool) {
        self.fresh |= self.output.update();
        if block.frames == 0 {
            return;
        }
        let mut sink = EventSink::new(out);
        let mut made = 0;
        while made < block.frames {
            sink.continue_at(made);
            let rest = Block { frames: block.frames - made, ..*block };
            made = made.saturating_add(self.make_stretch(&rest, &mut sink).max(1));
        }
    }

    /// Makes the next stretch of a block, and gives its length in frames.
    fn make_stretch<F: FnMut(Event) -> bool>(&mut self, rest: &Block, sink: &mut EventSink<F>) -> Frame {
        let fresh = std::mem::take(&mut self.fresh);
        let PreparedSnapshot { settings, tracks } = self.output.output_buffer_mut();
        let step = self.clock.step(rest, &clock_settings(settings.as_ref()), &self.clock_cell);
        let (span, running) = (step.span, step.playing);
        let notes = &mut self.notes;

        notes.begin_block(&span);
        if !running || !matches!(step.change, ClockChange::None | ClockChange::Wrapped { .. }) {
            notes.end_all();
        }
        let mut walk = BlockWalk { tracks, span, random: &mut self.random };
        walk.each_track(|player, launch, track| player.begin_block(launch, track, &span, step.change, running));
        if let ClockChange::Wrapped { from, .. } = step.change {
            walk.follow_loop(span.begin - from, notes);
        }
        if fresh {
            walk.recheck(notes);
        }
        if running {
            walk.run(notes, sink);
        } else {
            notes.release_due(0, sink);
        }
        walk.each_track(|player, launch, _| player.finish(launch, &span, running));
        span.frames
    }

    /// The host stops calling `process` for a while. Its transport counts as standing until it calls again, so that
    /// what is launched meanwhile is not shown as playing.
    pub fn suspend(&mut self) {
        if self.clock.host_leads() {
            self.clock_cell.mark_stopped();
        }
    }

    /// Sends the offs of everything that sounds, at sample 0: for when the host stops calling `process`. Clips go on
    /// when it calls again; offs that `out` refuses are the next block's first events.
    pub fn silence(&mut self, out: &mut impl FnMut(Event) -> bool) {
        self.notes.end_all();
        self.notes.release_due(0, &mut EventSink::new(out));
    }
}

fn clock_settings(settings: Option<&SongSettings>) -> ClockSettings {
    match settings {
        Some(SongSettings { song, transport, own_clock }) => ClockSettings {
            tempo_bpm: song.tempo_bpm,
            meter: (song.signature.numerator.into(), song.signature.denominator.into()),
            own_clock: *own_clock,
            transport: *transport,
            song_loop: song_loop(song.loop_on, song.loop_start, song.loop_length),
        },
        None => ClockSettings {
            tempo_bpm: 0.0,
            meter: (0, 0),
            own_clock: false,
            transport: TransportOrder { number: 0, action: TransportAction::Stop },
            song_loop: None,
        },
    }
}

struct BlockWalk<'a> {
    tracks: &'a mut [PlayableTrack],
    span: BlockSpan,
    random: &'a mut Xorshift,
}

impl BlockWalk<'_> {
    fn each_track(&mut self, mut act: impl FnMut(&mut TrackPlayer, Option<&TrackLaunch>, Option<&Track>)) {
        for PlayableTrack { player, launch, track } in self.tracks.iter_mut() {
            act(player, launch.as_ref(), track.as_deref());
        }
    }

    /// Visits the players at which something happens at `frame`.
    fn each_due(&mut self, frame: Frame, mut act: impl FnMut(&mut TrackPlayer, Option<&TrackLaunch>, Option<&Track>)) {
        self.each_track(|player, launch, track| {
            if player.next <= frame {
                act(player, launch, track);
            }
        });
    }

    /// The song's loop goes round: Session clips go on, what sounds of the Arrangement ends.
    fn follow_loop(&self, by: Beats, notes: &mut ActiveNotes) {
        notes.follow_loop(&self.span, by, |track| {
            let index = self.tracks.binary_search_by_key(&track, |track| track.player.track).ok();
            index.and_then(|index| self.tracks.get(index)).is_some_and(|track| track.player.plays_session())
        });
    }

    /// Holds what sounds against the new snapshot.
    fn recheck(&mut self, notes: &mut ActiveNotes) {
        let tracks = &mut *self.tracks;
        notes.recheck(&self.span, |key, sound| {
            let index = tracks.binary_search_by_key(&sound.track, |track| track.player.track).ok()?;
            let PlayableTrack { player, track, .. } = tracks.get_mut(index)?;
            player.recheck(track.as_deref(), sound, key.pitch())
        });
    }

    fn run<F: FnMut(Event) -> bool>(&mut self, notes: &mut ActiveNotes, sink: &mut EventSink<F>) {
        let mut earliest: Frame = 0;
        let mut waiting = notes.any_waiting();
        while earliest < self.span.frames {
            let next = self.tracks.iter().fold(notes.next_off(), |next, track| next.min(track.player.next));
            let frame = if waiting { 0 } else { next.max(earliest) };
            if frame >= self.span.frames {
                break;
            }
            self.make_frame(frame, waiting, notes, sink);
            waiting = false;
            earliest = frame.saturating_add(1);
        }
    }

    fn make_frame<F: FnMut(Event) -> bool>(
        &mut self,
        frame: Frame,
        waiting: bool,
        notes: &mut ActiveNotes,
        sink: &mut EventSink<F>,
    ) {
        let span = self.span;
        notes.release_due(frame, sink);
        self.each_due(frame, |player, launch, track| {
            if player.act_at(launch, track, &span, frame) == FrameOutcome::Cut {
                notes.cut_track(player.track, frame, sink);
            }
        });
        // The same walk twice, with the same dice: first the offs that make room, then the ons.
        let dice = self.random.clone();
        self.each_note(frame, |key, _| notes.make_room(key, frame, sink));
        if waiting {
            notes.start_waiting(&span, sink);
        }
        *self.random = dice;
        self.each_note(frame, |key, sound| notes.start(key, sound, frame, &span, sink));
        self.each_due(frame, |player, _, track| player.advance(track, &span, frame));
    }

    /// Visits the notes that start at `frame` and won their draw.
    fn each_note(&mut self, frame: Frame, mut act: impl FnMut(NoteKey, ScheduledNote)) {
        let span = self.span;
        let BlockWalk { tracks, random, .. } = self;
        for PlayableTrack { player, track, .. } in tracks.iter_mut().filter(|track| track.player.next <= frame) {
            let serial = player.track;
            player.visit_notes(track.as_deref(), &span, frame, |clip, stored, on, cut, channel| {
                if let Some(key) = NoteKey::new(channel, stored.note.pitch)
                    && let Some(velocity) = draw(&stored.note, random)
                {
                    act(key, sound(stored, on, cut, velocity, serial, clip.serial));
                }
            });
        }
    }
}

/// Whether a note sounds this time, and how hard, 0..=1.
fn draw(note: &Note, random: &mut Xorshift) -> Option<f32> {
    if note.mute || (note.probability < 1.0 && random.unit() >= note.probability) {
        return None;
    }
    let deviation = if note.velocity_deviation == 0.0 { 0.0 } else { note.velocity_deviation * random.unit() };
    let velocity = note.velocity + deviation;
    let velocity = if velocity.is_nan() { 100.0 } else { velocity.clamp(1.0, 127.0) };
    Some((velocity / 127.0) as f32)
}

fn sound(stored: &StoredNote, on: Beats, cut: Beats, velocity: f32, track: u32, clip: u32) -> ScheduledNote {
    let StoredNote { id, note } = *stored;
    // A length that is no number is none; `min` would prefer the other number and let the note sound to its cut.
    let off = if note.duration.is_nan() { on } else { (on + note.duration).min(cut) };
    ScheduledNote {
        track,
        clip,
        note: id,
        note_start: note.start,
        on,
        off: if off.is_nan() { on } else { off },
        velocity,
        release: (note.release_velocity.clamp(0.0, 127.0) / 127.0) as f32,
    }
}

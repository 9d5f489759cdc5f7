//! The walk through a block, from one frame at which something happens to the next.

use super::clock::{Change, Clock, SetClock, song_loop};
use super::grid::Span;
use super::lane::{Lane, Turn};
use super::prepared::{Part, Prepared, Setting};
use super::random::Random;
use super::sounding::{Key, Sink, Sound, Sounding};
use super::{Block, Event, Frame};
use crate::music::{Beats, Note};
use crate::set::document::{StoredNote, Track};
use crate::set::runtime::launch_orders::{ClockCell, TrackLaunch, TransportAction, TransportOrder};
use std::sync::Arc;
use triple_buffer::Output;

const SEED: u64 = 0x5356_4320_4465_7669;

/// The audio thread's end of [`channel`](super::channel).
pub struct Engine {
    output: Output<Prepared>,
    clock_cell: Arc<ClockCell>,
    clock: Clock,
    sounding: Sounding,
    random: Random,
    /// The snapshot is new since the last block with frames.
    fresh: bool,
}

impl Engine {
    pub(super) fn new(output: Output<Prepared>, clock_cell: Arc<ClockCell>) -> Engine {
        Engine {
            output,
            clock_cell,
            clock: Clock::default(),
            sounding: Sounding::new(),
            random: Random::new(SEED),
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
        let mut sink = Sink::new(out);
        let mut made = 0;
        while made < block.frames {
            sink.go_on_at(made);
            let rest = Block { frames: block.frames - made, ..*block };
            made = made.saturating_add(self.stretch(&rest, &mut sink).max(1));
        }
    }

    /// Makes the next stretch of a block, and gives its length in frames.
    fn stretch<F: FnMut(Event) -> bool>(&mut self, rest: &Block, sink: &mut Sink<F>) -> Frame {
        let fresh = std::mem::take(&mut self.fresh);
        let Prepared { setting, parts } = self.output.output_buffer_mut();
        let step = self.clock.step(rest, &set_clock(setting.as_ref()), &self.clock_cell);
        let (span, running) = (step.span, step.playing);
        let sounding = &mut self.sounding;

        sounding.begin_block(&span);
        if !running || !matches!(step.change, Change::None | Change::Wrapped { .. }) {
            sounding.end_all();
        }
        let mut walk = Walk { parts, span, random: &mut self.random };
        walk.each_part(|lane, launch, track| lane.begin(launch, track, &span, step.change, running));
        if let Change::Wrapped { from, .. } = step.change {
            walk.go_round(span.begin - from, sounding);
        }
        if fresh {
            walk.review(sounding);
        }
        if running {
            walk.run(sounding, sink);
        } else {
            sounding.release_due(0, sink);
        }
        walk.each_part(|lane, launch, _| lane.finish(launch, &span, running));
        span.frames
    }

    /// The host stops calling `process` for a while. Its transport counts as standing until it calls again, so that what is
    /// launched meanwhile is not said to play.
    pub fn rest(&mut self) {
        if self.clock.host_leads() {
            self.clock_cell.stand();
        }
    }

    /// Sends the offs of everything that sounds, at sample 0: for when the host stops calling `process`. Clips go on
    /// when it calls again; offs that `out` refuses are the next block's first events.
    pub fn silence(&mut self, out: &mut impl FnMut(Event) -> bool) {
        self.sounding.end_all();
        self.sounding.release_due(0, &mut Sink::new(out));
    }
}

fn set_clock(setting: Option<&Setting>) -> SetClock {
    match setting {
        Some(Setting { song, transport, own_clock }) => SetClock {
            tempo_bpm: song.tempo_bpm,
            meter: (song.signature.numerator.into(), song.signature.denominator.into()),
            own_clock: *own_clock,
            transport: *transport,
            song_loop: song_loop(song.loop_on, song.loop_start, song.loop_length),
        },
        None => SetClock {
            tempo_bpm: 0.0,
            meter: (0, 0),
            own_clock: false,
            transport: TransportOrder { number: 0, action: TransportAction::Stop },
            song_loop: None,
        },
    }
}

struct Walk<'a> {
    parts: &'a mut [Part],
    span: Span,
    random: &'a mut Random,
}

impl Walk<'_> {
    fn each_part(&mut self, mut act: impl FnMut(&mut Lane, Option<&TrackLaunch>, Option<&Track>)) {
        for Part { lane, launch, track } in self.parts.iter_mut() {
            act(lane, launch.as_ref(), track.as_deref());
        }
    }

    /// Visits the lanes at which something happens at `frame`.
    fn each_due(&mut self, frame: Frame, mut act: impl FnMut(&mut Lane, Option<&TrackLaunch>, Option<&Track>)) {
        self.each_part(|lane, launch, track| {
            if lane.next <= frame {
                act(lane, launch, track);
            }
        });
    }

    /// The song's loop goes round: Session clips go on, what sounds of the Arrangement ends.
    fn go_round(&self, by: Beats, sounding: &mut Sounding) {
        sounding.go_round(&self.span, by, |track| {
            let index = self.parts.binary_search_by_key(&track, |part| part.lane.track).ok();
            index.and_then(|index| self.parts.get(index)).is_some_and(|part| part.lane.plays_session())
        });
    }

    /// Holds what sounds against the new snapshot.
    fn review(&mut self, sounding: &mut Sounding) {
        let parts = &mut *self.parts;
        sounding.review(&self.span, |key, sound| {
            let index = parts.binary_search_by_key(&sound.track, |part| part.lane.track).ok()?;
            let Part { lane, track, .. } = parts.get_mut(index)?;
            lane.review(track.as_deref(), sound.clip, sound.note, sound.note_start, key.pitch(), sound.on)
        });
    }

    fn run<F: FnMut(Event) -> bool>(&mut self, sounding: &mut Sounding, sink: &mut Sink<F>) {
        let mut earliest: Frame = 0;
        let mut waiting = sounding.any_waiting();
        while earliest < self.span.frames {
            let next = self.parts.iter().fold(sounding.next_off(), |next, part| next.min(part.lane.next));
            let frame = if waiting { 0 } else { next.max(earliest) };
            if frame >= self.span.frames {
                break;
            }
            self.make_frame(frame, waiting, sounding, sink);
            waiting = false;
            earliest = frame.saturating_add(1);
        }
    }

    fn make_frame<F: FnMut(Event) -> bool>(
        &mut self,
        frame: Frame,
        waiting: bool,
        sounding: &mut Sounding,
        sink: &mut Sink<F>,
    ) {
        let span = self.span;
        sounding.release_due(frame, sink);
        self.each_due(frame, |lane, launch, track| {
            if lane.turn(launch, track, &span, frame) == Turn::Cut {
                sounding.cut_track(lane.track, frame, sink);
            }
        });
        // The same walk twice, with the same dice: first the offs that make room, then the ons.
        let dice = self.random.clone();
        self.each_note(frame, |key, _| sounding.make_room(key, frame, sink));
        if waiting {
            sounding.start_waiting(&span, sink);
        }
        *self.random = dice;
        self.each_note(frame, |key, sound| sounding.start(key, sound, frame, &span, sink));
        self.each_due(frame, |lane, _, track| lane.advance(track, &span, frame));
    }

    /// Visits the notes that start at `frame` and won their draw.
    fn each_note(&mut self, frame: Frame, mut act: impl FnMut(Key, Sound)) {
        let span = self.span;
        let Walk { parts, random, .. } = self;
        for Part { lane, track, .. } in parts.iter_mut().filter(|part| part.lane.next <= frame) {
            let serial = lane.track;
            lane.visit_notes(track.as_deref(), &span, frame, |clip, stored, on, cut, channel| {
                if let Some(key) = Key::new(channel, stored.note.pitch)
                    && let Some(velocity) = draw(&stored.note, random)
                {
                    act(key, sound(stored, on, cut, velocity, serial, clip.serial));
                }
            });
        }
    }
}

/// Whether a note sounds this time, and how hard, 0..=1.
fn draw(note: &Note, random: &mut Random) -> Option<f32> {
    if note.mute || (note.probability < 1.0 && random.unit() >= note.probability) {
        return None;
    }
    let deviation = if note.velocity_deviation == 0.0 { 0.0 } else { note.velocity_deviation * random.unit() };
    let velocity = note.velocity + deviation;
    let velocity = if velocity.is_nan() { 100.0 } else { velocity.clamp(1.0, 127.0) };
    Some((velocity / 127.0) as f32)
}

fn sound(stored: &StoredNote, on: Beats, cut: Beats, velocity: f32, track: u32, clip: u32) -> Sound {
    let StoredNote { id, note } = *stored;
    // A length that is no number is none; `min` would prefer the other number and let the note sound to its cut.
    let off = if note.duration.is_nan() { on } else { (on + note.duration).min(cut) };
    Sound {
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

//! The notes as the tracks sound them: each is known by a number of its own, so that two tracks on one MIDI channel,
//! or two notes of one pitch, never end each other.
//!
//! Invariants: a note that started ends once, whatever becomes of its clip or track; no start of this room waits for
//! anybody, and nothing allocates after it was made.

use super::launch_grid::BlockSpan;
use super::started_note::{EventSink, StartedNote};
use super::{Frame, NEVER, NoteSink, TrackNote, TrackNoteKind};
use crate::music::Beats;
use crate::set::document::ids::Serial;

/// More notes than this do not sound at once: the one that started first gives way. An engine that plays 128 voices
/// has its own choice to make long before.
const MOST_NOTES: usize = 1024;

#[derive(Clone, Copy, Debug, Default)]
struct SoundingNote {
    number: u32,
    pitch: u8,
    started: StartedNote,
    /// The frame of the end in this block, or [`NEVER`].
    end_frame: Frame,
}

pub(super) struct TrackNotes {
    /// In the order of their starts.
    sounding: Vec<SoundingNote>,
    next_number: u32,
    /// The earliest `end_frame`.
    next_end: Frame,
}

impl TrackNotes {
    pub fn new() -> TrackNotes {
        TrackNotes { sounding: Vec::with_capacity(MOST_NOTES), next_number: 0, next_end: NEVER }
    }

    fn visit(&mut self, mut visitor: impl FnMut(&mut SoundingNote)) {
        self.next_end = NEVER;
        for note in &mut self.sounding {
            visitor(note);
            self.next_end = self.next_end.min(note.end_frame);
        }
    }

    /// Places the ends in a new block.
    pub fn begin_block(&mut self, span: &BlockSpan) {
        self.visit(|note| note.end_frame = span.frame(note.started.off));
    }

    /// Everything that sounds is due to end at the block's start.
    pub fn end_all(&mut self) {
        self.visit(SoundingNote::end_at_once);
    }

    /// The clock went `by` beats elsewhere: the notes of tracks that go on where they are move with it, the others end.
    pub fn follow_loop(&mut self, span: &BlockSpan, by: Beats, mut goes_on: impl FnMut(Serial) -> bool) {
        self.visit(|note| {
            if goes_on(note.started.track) {
                note.started.on += by;
                note.started.off += by;
                note.end_frame = span.frame(note.started.off);
            } else {
                note.end_at_once();
            }
        });
    }

    /// Moves the end of each note that sounds to where the Set now has it; `None` ends it at once.
    pub fn recheck(&mut self, span: &BlockSpan, mut ends_at: impl FnMut(u8, &StartedNote) -> Option<Beats>) {
        self.visit(|note| {
            // An end that is overdue stays so.
            if note.started.off != Beats::NEG_INFINITY {
                note.started.off = ends_at(note.pitch, &note.started).unwrap_or(Beats::NEG_INFINITY);
                note.end_frame = span.frame(note.started.off);
            }
        });
    }

    /// The frame of the next end in this block, or [`NEVER`].
    pub fn next_end(&self) -> Frame {
        self.next_end
    }

    /// Ends what is due at `frame`.
    pub fn release_due<S: NoteSink>(&mut self, frame: Frame, sink: &mut EventSink<S>) {
        if self.next_end <= frame {
            self.end_those(frame, sink, |note| note.end_frame <= frame);
        }
    }

    /// Ends at `frame` whatever `track` lets sound.
    pub fn cut_track<S: NoteSink>(&mut self, track: Serial, frame: Frame, sink: &mut EventSink<S>) {
        self.end_those(frame, sink, |note| note.started.track == track);
    }

    fn end_those<S: NoteSink>(&mut self, frame: Frame, sink: &mut EventSink<S>, ends: impl Fn(&SoundingNote) -> bool) {
        self.next_end = NEVER;
        self.sounding.retain(|note| {
            let stays = !ends(note);
            if stays {
                self.next_end = self.next_end.min(note.end_frame);
            } else {
                sink.send_to_track(note.ended(frame));
            }
            stays
        });
    }

    /// Starts a note at `frame`.
    pub fn start<S: NoteSink>(
        &mut self,
        pitch: u8,
        started: StartedNote,
        frame: Frame,
        span: &BlockSpan,
        sink: &mut EventSink<S>,
    ) {
        if self.sounding.len() >= MOST_NOTES {
            sink.send_to_track(self.sounding.remove(0).ended(frame));
        }
        let number = self.next_number;
        self.next_number = number.wrapping_add(1);
        // However short a note is, its end is at least a frame after its start; past the block's end it is the next
        // block's.
        let end_frame = span.frame(started.off).max(frame.saturating_add(1));
        let end_frame = if end_frame < span.frames { end_frame } else { NEVER };
        let note = SoundingNote { number, pitch, started, end_frame };
        self.sounding.push(note);
        self.next_end = self.next_end.min(end_frame);
        let kind = TrackNoteKind::Start { velocity: started.velocity };
        sink.send_to_track(note.event(frame, kind));
    }
}

impl SoundingNote {
    fn end_at_once(&mut self) {
        self.started.off = Beats::NEG_INFINITY;
        self.end_frame = 0;
    }

    fn event(&self, sample: Frame, kind: TrackNoteKind) -> TrackNote {
        TrackNote { sample, track: self.started.track, number: self.number, pitch: self.pitch, kind }
    }

    fn ended(&self, sample: Frame) -> TrackNote {
        self.event(sample, TrackNoteKind::End { velocity: self.started.release })
    }
}

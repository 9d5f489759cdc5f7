//! A note that starts, and where its events go.

use super::late_midi::{LateMidi, NoteTag};
use super::{ClipCourse, Event, Frame, NoteSink, SongCourse, TrackClip, TrackNote};
use crate::music::Beats;
use crate::set::document::ids::Serial;

/// Where events go. After the first MIDI event that is refused no other is offered in this block, so that the order
/// stays right.
pub(super) struct EventSink<'a, S> {
    out: &'a mut S,
    late: &'a mut LateMidi,
    full: bool,
    /// Frames of the block before the stretch being made: a block is cut where the song loops.
    offset: Frame,
}

impl<'a, S: NoteSink> EventSink<'a, S> {
    pub fn new(out: &'a mut S, late: &'a mut LateMidi) -> Self {
        EventSink { out, late, full: false, offset: 0 }
    }

    /// From here on frames count from `offset` frames into the block.
    pub fn continue_at(&mut self, offset: Frame) {
        self.offset = offset;
    }

    pub fn send(&mut self, mut event: Event, tag: NoteTag) -> bool {
        let (Event::NoteOn { sample, .. } | Event::NoteOff { sample, .. }) = &mut event;
        *sample = sample.saturating_add(self.offset);
        self.late.take(event, tag, self.out, &mut self.full)
    }

    /// All events of a block of so many frames were given.
    pub fn end_block(&mut self, frames: Frame) {
        self.late.end_block(frames, self.out, &mut self.full);
    }

    /// Ends whatever the host has.
    pub fn end_held(&mut self) {
        self.late.end_held(self.out, &mut self.full);
    }

    pub fn send_to_track(&mut self, mut note: TrackNote) {
        note.sample = note.sample.saturating_add(self.offset);
        self.out.track_note(note);
    }

    pub fn knows_clip(&self, track: Serial, clip: Serial) -> bool {
        self.out.knows_clip(track, clip)
    }

    pub fn send_clip(&mut self, mut clip: TrackClip) {
        clip.sample = clip.sample.saturating_add(self.offset);
        self.out.track_clip(clip);
    }

    pub fn follows(&self, track: Serial) -> bool {
        self.out.follows(track)
    }

    pub fn send_course(&mut self, mut course: ClipCourse) {
        course.sample = course.sample.saturating_add(self.offset);
        self.out.clip_course(course);
    }

    pub fn send_song_course(&mut self, mut course: SongCourse) {
        course.sample = course.sample.saturating_add(self.offset);
        self.out.song_course(course);
    }

    /// Where the song is at the stretch's first frame.
    pub fn send_position(&mut self, beats: Beats, plays: bool) {
        self.out.position(self.offset, beats, plays);
    }

    pub fn send_beat(&mut self, frame: Frame, is_bar: bool) {
        self.out.metronome(frame.saturating_add(self.offset), is_bar);
    }
}

/// A note to start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct StartedNote {
    pub track: Serial,
    pub clip: Serial,
    pub note: u32,
    /// The note's start in its clip; with `note` it finds the note again after an edit.
    pub note_start: Beats,
    /// The clock beats of its on and its off.
    pub on: Beats,
    pub off: Beats,
    /// 0..=1, also the release.
    pub velocity: f32,
    pub release: f32,
    /// By how many frames its MIDI is late.
    pub late: u32,
}

//! Every note that started and has not ended, as MIDI has it and as its track sounds it.

use super::launch_grid::BlockSpan;
use super::midi_notes::{MidiNotes, NoteKey};
use super::started_note::{EventSink, StartedNote};
use super::track_notes::TrackNotes;
use super::{Frame, NoteSink};
use crate::music::Beats;
use crate::set::document::ids::Serial;

/// Room for both views.
pub(super) struct StartedNotes {
    pub midi: MidiNotes,
    pub tracks: TrackNotes,
}

impl StartedNotes {
    pub fn new() -> StartedNotes {
        StartedNotes { midi: MidiNotes::new(), tracks: TrackNotes::new() }
    }

    pub fn begin_block(&mut self, span: &BlockSpan) {
        self.midi.begin_block(span);
        self.tracks.begin_block(span);
    }

    pub fn end_all(&mut self) {
        self.midi.end_all();
        self.tracks.end_all();
    }

    pub fn follow_loop(&mut self, span: &BlockSpan, by: Beats, mut goes_on: impl FnMut(Serial) -> bool) {
        self.midi.follow_loop(span, by, &mut goes_on);
        self.tracks.follow_loop(span, by, goes_on);
    }

    /// The frame of the next end in this block, or [`NEVER`](super::NEVER).
    pub fn next_end(&self) -> Frame {
        self.midi.next_off().min(self.tracks.next_end())
    }

    pub fn release_due<S: NoteSink>(&mut self, frame: Frame, sink: &mut EventSink<S>) {
        self.midi.release_due(frame, sink);
        self.tracks.release_due(frame, sink);
    }

    pub fn cut_track<S: NoteSink>(&mut self, track: Serial, frame: Frame, sink: &mut EventSink<S>) {
        self.midi.cut_track(track, frame, sink);
        self.tracks.cut_track(track, frame, sink);
    }

    /// Starts a note, over MIDI where it has a key there.
    pub fn start<S: NoteSink>(&mut self, heard: HeardNote, frame: Frame, span: &BlockSpan, sink: &mut EventSink<S>) {
        if let Some(key) = heard.key {
            self.midi.start(key, heard.started, frame, span, sink);
        }
        if S::HEARS_TRACKS {
            self.tracks.start(heard.pitch, heard.started, frame, span, sink);
        }
    }
}

/// A note that won its draw.
pub(super) struct HeardNote {
    /// `None`: it is not to be sent over MIDI, as its track is muted or another is soloed.
    pub key: Option<NoteKey>,
    pub pitch: u8,
    pub started: StartedNote,
}

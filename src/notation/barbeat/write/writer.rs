//! The text being written: words, and the state written once and then only where it changes.

use crate::music::duration::note_value;
use crate::music::text::{decimal_text, push_whole};
use crate::music::{Beats, Note, nearest_whole, pitch};
use crate::notation::barbeat::written_times::WrittenLengths;
use std::fmt::{Arguments, Write as _};

/// Notes that start no further apart than this (in beats of the meter) are written as one chord.
pub(super) const SAME_BEAT: f64 = 0.001;

/// A note ready to be written.
#[derive(Clone, Copy)]
pub(super) struct WrittenNote {
    pub pitch: u8,
    pub start: Beats,
    pub bar: i64,
    pub beat: f64,
    pub state: NoteState,
}

/// What velocity, length and probability tokens set.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct NoteState {
    pub low: u8,
    pub high: u8,
    pub duration: Beats,
    /// In thousandths.
    pub probability: i64,
}

impl NoteState {
    pub fn from_note(note: &Note, lengths: &mut WrittenLengths) -> NoteState {
        // A negative deviation is a range below the velocity.
        let (velocity, deviation) = (nearest_whole(note.velocity), nearest_whole(note.velocity_deviation));
        let low = (velocity + deviation.min(0.0)).clamp(1.0, 127.0);
        let high = (velocity + deviation.max(0.0)).clamp(low, 127.0);
        let duration = lengths.length(note.duration);
        NoteState { low: low as u8, high: high as u8, duration, probability: thousandths(note.probability) }
    }
}

fn thousandths(value: f64) -> i64 {
    nearest_whole(value * 1000.0) as i64
}

/// The text being written, and the state that its last words set.
pub(super) struct Writer {
    pub text: String,
    pub written_state: Option<NoteState>,
}

impl Writer {
    pub fn space(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push(' ');
        }
    }

    pub fn word(&mut self, word: Arguments<'_>) {
        self.space();
        // Writing to a String cannot fail.
        let _ = self.text.write_fmt(word);
    }

    pub fn pitch(&mut self, pitch: u8) {
        self.space();
        self.text.push_str(pitch::class_name(pitch));
        push_whole(&mut self.text, i64::from(pitch / 12) - 2);
    }

    /// Writes what differs from the last state; the first time all but a probability of 1.
    pub fn state(&mut self, state: NoteState) {
        let written_state = self.written_state;
        if written_state.is_none_or(|s| (s.low, s.high) != (state.low, state.high)) {
            self.space();
            self.text.push('v');
            push_whole(&mut self.text, state.low.into());
            if state.low != state.high {
                self.text.push('-');
                push_whole(&mut self.text, state.high.into());
            }
        }
        if written_state.is_none_or(|s| s.duration != state.duration) {
            self.space();
            self.text.push_str(&note_value(state.duration));
        }
        if written_state.map_or(1000, |s| s.probability) != state.probability {
            self.word(format_args!("p{}", decimal_text(state.probability as f64 / 1000.0, 3)));
        }
        self.written_state = Some(state);
    }

    pub fn start_line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }
}

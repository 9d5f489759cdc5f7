//! What a text of transforms needs to know of the clip that it runs on.

use crate::music::scale::Scale;
use crate::music::{Beats, Meter};

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipKind {
    Midi,
    Audio,
}

/// What a text needs to know of the clip it runs on. Times are quarter beats.
#[derive(Clone, Debug)]
pub struct ClipContext {
    /// The clip's own meter.
    pub meter: Meter,
    /// The song's, in which positions on the timeline are counted.
    pub song_meter: Meter,
    /// The Set's tempo, which milliseconds are counted at.
    pub tempo_bpm: f64,
    /// The Set's scale, if it is on.
    pub scale: Option<Scale>,
    /// The clip's place among all clips of the call, from 0.
    pub index: usize,
    /// How many clips the call works on.
    pub count: usize,
    /// The arrangement clip's length, or a session clip's content length.
    pub duration: Beats,
    /// Where an arrangement clip starts; `None` for a session clip.
    pub arrangement_position: Option<Beats>,
    /// The clip's start marker.
    pub start_marker: Beats,
    /// Where the content starts: the loop's start when it loops, else the start marker.
    pub start: Beats,
    /// Where the content ends: the loop's end when it loops, else the end marker.
    pub end: Option<Beats>,
}

impl Default for ClipContext {
    /// A lone session clip of one 4/4 bar.
    fn default() -> ClipContext {
        ClipContext {
            meter: Meter::COMMON,
            song_meter: Meter::COMMON,
            tempo_bpm: 120.0,
            scale: None,
            index: 0,
            count: 1,
            duration: 4.0,
            arrangement_position: None,
            start_marker: 0.0,
            start: 0.0,
            end: Some(4.0),
        }
    }
}

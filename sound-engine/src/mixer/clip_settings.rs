//! What an audio clip is.

use super::clip_fades::ClipFades;
use crate::dsp::grain_reader::Grains;
pub use crate::dsp::warp_map::WarpMarker;
use crate::dsp::warp_map::seconds_at;
use crate::sample::Sample;

/// How a clip follows the tempo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Warp {
    /// Not: its time counts in seconds of the file, and its pitch changes its speed.
    Off,
    /// As a record: the tempo sets the pitch.
    Repitch,
    /// The pitch stays.
    Grains(Grains),
}

impl Warp {
    /// Short grains, which keep hits sharp.
    pub const BEATS: Warp = Warp::Grains(Grains { hop: 512, search: 160 });
    pub const TONES: Warp = Warp::Grains(Grains { hop: 1024, search: 480 });
    pub const TEXTURE: Warp = Warp::Grains(Grains { hop: 1536, search: 64 });
    /// Long grains, for whole pieces: an approximation of what works on spectra.
    pub const COMPLEX: Warp = Warp::Grains(Grains { hop: 2048, search: 960 });
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipRegion {
    pub start: f64,
    pub end: f64,
}

/// An audio clip. Its time counts in beats of the clip, or in seconds where it is not warped.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipSettings {
    pub id: u64,
    /// Of its readers of grains: those of another turn search at other frames. What sounds goes by it, not by the id.
    pub turn: u64,
    pub sample: Sample,
    pub gain_db: f32,
    pub semitones: f32,
    pub warp: Warp,
    /// Two at least where it is warped, both numbers ascending; beyond the outer ones the nearest two go on.
    pub markers: Vec<WarpMarker>,
    /// What is repeated; `None`: it is played to `end`.
    pub repeats: Option<ClipRegion>,
    pub end: f64,
    /// `None`: it is as loud everywhere.
    pub fades: Option<ClipFades>,
}

impl ClipSettings {
    /// The second of the file at a time of the clip, and how many seconds pass for each unit of that time.
    #[inline]
    pub(super) fn seconds_at(&self, time: f64) -> (f64, f64) {
        if self.warp == Warp::Off {
            return (time, 1.0);
        }
        seconds_at(&self.markers, time)
    }
}

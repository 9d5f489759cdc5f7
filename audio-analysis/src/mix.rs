//! All that is measured of a mix of tracks with names.

use crate::clicks::ClickFinder;
use crate::key::{self, Key};
use crate::levels::{LevelMeter, Levels};
use crate::loudness::{Loudness, LoudnessMeter};
use crate::masking::{CellMeter, Cells, Masking};
use crate::spectrum::{Balance, BalanceMeter};
use crate::tempo::{self, Tempo};

/// Hidden by less is told of nobody.
pub const LEAST_HIDDEN_SHARE: f64 = 0.15;

/// One signal, measured.
#[derive(Clone, Debug, PartialEq)]
pub struct SignalReport {
    pub loudness: Loudness,
    pub levels: Levels,
    pub balance: Balance,
}

impl SignalReport {
    pub fn is_silent(&self) -> bool {
        self.levels.sample_peak_dbfs.is_none()
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct TrackReport {
    pub name: String,
    pub signal: SignalReport,
}

/// One track that another hides, both by their index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HiddenTrack {
    pub track: usize,
    pub by: usize,
    pub masking: Masking,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MixReport {
    pub seconds: f64,
    pub main: SignalReport,
    pub tracks: Vec<TrackReport>,
    pub tempo: Option<Tempo>,
    pub key: Option<Key>,
    /// Seconds from the beginning.
    pub clicks_s: Vec<f64>,
    /// The most hidden first.
    pub hidden: Vec<HiddenTrack>,
}

/// Measures a signal that comes in pieces.
struct SignalMeter {
    loudness: LoudnessMeter,
    levels: LevelMeter,
    balance: BalanceMeter,
}

impl SignalMeter {
    fn new(rate_hz: f64) -> Result<SignalMeter, String> {
        Ok(SignalMeter {
            loudness: LoudnessMeter::new(rate_hz)?,
            levels: LevelMeter::new(rate_hz),
            balance: BalanceMeter::new(rate_hz),
        })
    }

    fn push(&mut self, left: &[f32], right: &[f32]) -> Result<(), String> {
        self.levels.push(left, right);
        self.balance.push(left, right);
        self.loudness.push(left, right)
    }

    fn finish(self) -> Result<SignalReport, String> {
        let (loudness, levels) = (self.loudness.finish()?, self.levels.finish());
        Ok(SignalReport { loudness, levels, balance: self.balance.finish() })
    }
}

/// Measures a mix of named tracks that comes in pieces. It keeps a value for each frame of the main output, and nothing
/// that long for a track.
pub struct MixMeter {
    rate_hz: f64,
    main: SignalMeter,
    clicks: ClickFinder,
    mono: Vec<f32>,
    tracks: Vec<TrackMeter>,
}

struct TrackMeter {
    name: String,
    signal: SignalMeter,
    cells: CellMeter,
}

impl MixMeter {
    /// The error says why it cannot be measured: the sample rate.
    pub fn new(rate_hz: f64, tracks: &[&str]) -> Result<MixMeter, String> {
        let track = |name: &&str| {
            let (signal, cells) = (SignalMeter::new(rate_hz)?, CellMeter::new(rate_hz));
            Ok(TrackMeter { name: (*name).to_owned(), signal, cells })
        };
        Ok(MixMeter {
            rate_hz,
            main: SignalMeter::new(rate_hz)?,
            clicks: ClickFinder::new(rate_hz),
            mono: Vec::new(),
            tracks: tracks.iter().map(track).collect::<Result<_, String>>()?,
        })
    }

    /// The next piece of the main output; both channels have the same length.
    pub fn push_main(&mut self, left: &[f32], right: &[f32]) -> Result<(), String> {
        self.mono.extend(left.iter().zip(right).map(|(left, right)| 0.5 * (left + right)));
        self.clicks.push(left, right);
        self.main.push(left, right)
    }

    /// The next piece of a track, by its index, as it goes into the main output.
    pub fn push_track(&mut self, track: usize, left: &[f32], right: &[f32]) -> Result<(), String> {
        let Some(track) = self.tracks.get_mut(track) else { return Ok(()) };
        track.cells.push(left, right);
        track.signal.push(left, right)
    }

    pub fn finish(self) -> Result<MixReport, String> {
        let (mut tracks, mut cells) = (Vec::new(), Vec::new());
        for track in self.tracks {
            let signal = track.signal.finish()?;
            cells.push((!signal.is_silent()).then(|| track.cells.finish()));
            tracks.push(TrackReport { name: track.name, signal });
        }
        Ok(MixReport {
            seconds: self.mono.len() as f64 / self.rate_hz,
            main: self.main.finish()?,
            tempo: tempo::hear(&self.mono, self.rate_hz),
            key: key::hear(&self.mono, self.rate_hz),
            clicks_s: self.clicks.finish(),
            hidden: hidden_tracks(&cells),
            tracks,
        })
    }
}

/// `None`: the track is silent.
fn hidden_tracks(cells: &[Option<Cells>]) -> Vec<HiddenTrack> {
    let mut hidden = Vec::new();
    for (track, own) in cells.iter().enumerate() {
        for (by, other) in cells.iter().enumerate().filter(|(by, _)| *by != track) {
            let (Some(own), Some(other)) = (own, other) else { continue };
            let masking = own.hidden_by(other);
            if masking.share >= LEAST_HIDDEN_SHARE {
                hidden.push(HiddenTrack { track, by, masking });
            }
        }
    }
    hidden.sort_by(|a, b| b.masking.share.total_cmp(&a.masking.share));
    hidden
}

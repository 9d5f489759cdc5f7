//! All that is measured of a mix of tracks with names.

use crate::clicks::ClickFinder;
use crate::key::{self, Key};
use crate::levels::{LevelMeter, Levels};
use crate::loudness::{Loudness, LoudnessMeter};
use crate::masking::{CellMeter, Cells, Masking};
use crate::spectrum::{Balance, BalanceMeter};
use crate::tempo::{self, Tempo};

/// Tempo, key and what hides what are heard in the beginning alone.
const HEARD_S: f64 = 600.0;
/// Below, nothing of a mix is heard that could be told of.
const LEAST_TRUE_PEAK_DBTP: f64 = -50.0;
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

    /// The true peak of what is so soft, or in which no moment has a loudness.
    pub fn next_to_silent(&self) -> Option<f64> {
        let has_loudness = self.loudness.integrated_lufs.or(self.loudness.momentary_max_lufs).is_some();
        self.loudness.true_peak_dbtp.filter(|peak| !has_loudness || *peak < LEAST_TRUE_PEAK_DBTP)
    }
}

/// What a signal beside the main output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It plays something of its own.
    Track,
    /// A sum of others, or what is made of them: measured, and held against nobody.
    Bus,
    /// One sound of several that a track has, such as a drum. It is held against the others of that track, by its
    /// index, and in the track's place against other tracks.
    Part { of: usize },
}

/// A signal beside the main output that is to be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'a> {
    pub name: &'a str,
    pub role: Role,
}

#[derive(Clone, Debug, PartialEq)]
pub struct TrackReport {
    pub name: String,
    pub role: Role,
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
    /// Of a mix that is [next to silent](SignalReport::next_to_silent) neither is heard.
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

/// Measures a mix of named tracks that comes in pieces. It keeps a value for each frame of the main output's first ten
/// minutes, and nothing that long for a track.
pub struct MixMeter {
    rate_hz: f64,
    frames: u64,
    main: SignalMeter,
    clicks: ClickFinder,
    mono: Vec<f32>,
    tracks: Vec<TrackMeter>,
}

struct TrackMeter {
    name: String,
    role: Role,
    signal: SignalMeter,
    /// None of a bus.
    cells: Option<CellMeter>,
    /// Frames that the cells have.
    heard: u64,
}

impl MixMeter {
    /// The error says why it cannot be measured: the sample rate.
    pub fn new(rate_hz: f64, sources: &[Source]) -> Result<MixMeter, String> {
        let track = |source: &Source| {
            let Source { name, role } = *source;
            let cells = (role != Role::Bus).then(|| CellMeter::new(rate_hz));
            Ok(TrackMeter { name: name.to_owned(), role, signal: SignalMeter::new(rate_hz)?, cells, heard: 0 })
        };
        Ok(MixMeter {
            rate_hz,
            frames: 0,
            main: SignalMeter::new(rate_hz)?,
            clicks: ClickFinder::new(rate_hz),
            mono: Vec::new(),
            tracks: sources.iter().map(track).collect::<Result<_, String>>()?,
        })
    }

    /// The next piece of the main output; both channels have the same length.
    pub fn push_main(&mut self, left: &[f32], right: &[f32]) -> Result<(), String> {
        let heard = left_to_hear(self.frames, self.rate_hz);
        self.mono.extend(left.iter().zip(right).map(|(left, right)| 0.5 * (left + right)).take(heard));
        self.frames += left.len().min(right.len()) as u64;
        self.clicks.push(left, right);
        self.main.push(left, right)
    }

    /// The next piece of a track, by its index, as it goes into the main output.
    pub fn push_track(&mut self, track: usize, left: &[f32], right: &[f32]) -> Result<(), String> {
        let Some(track) = self.tracks.get_mut(track) else { return Ok(()) };
        let frames = left.len().min(right.len());
        let heard = left_to_hear(track.heard, self.rate_hz).min(frames);
        if let (Some(cells), Some(left), Some(right)) = (&mut track.cells, left.get(..heard), right.get(..heard)) {
            cells.push(left, right);
        }
        track.heard += frames as u64;
        track.signal.push(left, right)
    }

    pub fn finish(self) -> Result<MixReport, String> {
        let (mut tracks, mut cells) = (Vec::new(), Vec::new());
        for track in self.tracks {
            let signal = track.signal.finish()?;
            cells.push(track.cells.filter(|_| !signal.is_silent()).map(CellMeter::finish));
            tracks.push(TrackReport { name: track.name, role: track.role, signal });
        }
        let main = self.main.finish()?;
        let is_heard = main.next_to_silent().is_none();
        Ok(MixReport {
            seconds: self.frames as f64 / self.rate_hz,
            main,
            tempo: is_heard.then(|| tempo::hear(&self.mono, self.rate_hz)).flatten(),
            key: is_heard.then(|| key::hear(&self.mono, self.rate_hz)).flatten(),
            clicks_s: self.clicks.finish(),
            hidden: hidden_tracks(&tracks, &cells),
            tracks,
        })
    }
}

fn left_to_hear(frames: u64, rate_hz: f64) -> usize {
    usize::try_from(((HEARD_S * rate_hz) as u64).saturating_sub(frames)).unwrap_or(usize::MAX)
}

/// Cells are `None` where there is nothing to hide. Parts stand for the tracks that they are of.
fn hidden_tracks(tracks: &[TrackReport], cells: &[Option<Cells>]) -> Vec<HiddenTrack> {
    let has_parts = |at: usize| tracks.iter().any(|track| track.role == Role::Part { of: at });
    let alone: Vec<(usize, &Cells, Option<usize>)> = tracks
        .iter()
        .zip(cells)
        .enumerate()
        .filter(|(at, _)| !has_parts(*at))
        .filter_map(|(at, (track, cells))| {
            let of = if let Role::Part { of } = track.role { Some(of) } else { None };
            Some((at, cells.as_ref()?, of))
        })
        .collect();
    let mut hidden = Vec::new();
    for (track, own, of) in &alone {
        let others = alone.iter().filter(|(by, _, other)| by != track && (of.is_none() || of != other));
        for (by, other, _) in others {
            let masking = own.hidden_by(other);
            if masking.share >= LEAST_HIDDEN_SHARE {
                hidden.push(HiddenTrack { track: *track, by: *by, masking });
            }
        }
    }
    hidden.sort_by(|a, b| b.masking.share.total_cmp(&a.masking.share));
    hidden
}

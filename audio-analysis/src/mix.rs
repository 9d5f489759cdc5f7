//! All that is measured of a mix of tracks with names.

use crate::audio::Audio;
use crate::clicks;
use crate::key::{self, Key};
use crate::levels::{self, Levels};
use crate::loudness::{self, Loudness};
use crate::masking::{Cells, Masking};
use crate::spectrum::{self, Balance};
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
    pub fn of(audio: &Audio) -> Result<SignalReport, String> {
        Ok(SignalReport {
            loudness: loudness::measure(audio)?,
            levels: levels::measure(audio),
            balance: spectrum::balance(audio),
        })
    }

    pub fn is_silent(&self) -> bool {
        self.levels.sample_peak_dbfs.is_none()
    }
}

/// A track of the mix, as it goes into the main output.
pub struct Stem<'a> {
    pub name: &'a str,
    pub audio: Audio<'a>,
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

/// Measures a mix. `stems` begin when `main` does.
pub fn measure(main: &Audio, stems: &[Stem]) -> Result<MixReport, String> {
    let tracks = stems
        .iter()
        .map(|stem| Ok(TrackReport { name: stem.name.to_owned(), signal: SignalReport::of(&stem.audio)? }))
        .collect::<Result<Vec<_>, String>>()?;
    Ok(MixReport {
        seconds: main.seconds(),
        main: SignalReport::of(main)?,
        tempo: tempo::hear(main),
        key: key::hear(main),
        clicks_s: clicks::find(main),
        hidden: hidden_tracks(stems, &tracks),
        tracks,
    })
}

fn hidden_tracks(stems: &[Stem], tracks: &[TrackReport]) -> Vec<HiddenTrack> {
    let cells: Vec<Option<Cells>> = stems
        .iter()
        .zip(tracks)
        .map(|(stem, told)| (!told.signal.is_silent()).then(|| Cells::of(&stem.audio)))
        .collect();
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

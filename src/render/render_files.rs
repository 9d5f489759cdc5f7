//! What becomes of a rendering: its files and their loudness; and why it came to nothing.

use super::sound_file::{Bits, SoundFormat};
use std::path::PathBuf;

/// What becomes of the sound.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderFiles {
    /// The mix, as FLAC where it ends in `.flac`, else as WAV; `None`: it is only listened to.
    pub mix: Option<PathBuf>,
    /// The notes that are played, as MIDI.
    pub midi: Option<PathBuf>,
    /// A folder for a file of each track that goes into the main one and is not silent, in the mix's format.
    pub stems: Option<PathBuf>,
    pub bits: Bits,
    pub loudness: Option<Loudness>,
}

impl RenderFiles {
    /// Of the mix and the stems.
    pub fn format(&self) -> SoundFormat {
        self.mix.as_deref().and_then(SoundFormat::of).unwrap_or(SoundFormat::Wav)
    }
}

/// What the mix is brought to by one gain; stems get the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loudness {
    Lufs(f64),
    TruePeakDbtp(f64),
}

impl Loudness {
    /// `-14LUFS`, `-1dBTP`. The error is a clause that says what is right.
    pub fn parse(text: &str) -> Result<Loudness, String> {
        let lower = text.trim().to_ascii_lowercase();
        let level = |unit: &str| lower.strip_suffix(unit)?.trim().parse::<f64>().ok();
        match (level("lufs"), level("dbtp")) {
            (Some(lufs), _) if (-60.0..=0.0).contains(&lufs) => Ok(Loudness::Lufs(lufs)),
            (_, Some(peak)) if (-60.0..=0.0).contains(&peak) => Ok(Loudness::TruePeakDbtp(peak)),
            _ => Err(format!("a loudness, such as -14LUFS, or a peak, such as -1dBTP, from -60 to 0, not {text:?}")),
        }
    }
}

/// Said of work that was given up.
pub const CANCELLED: &str = "it was cancelled";

/// What of [`RenderFiles`] a failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    Mix,
    Midi,
    Stems,
    /// Both would be one file.
    MixAndStems,
    Loudness,
}

/// Why there is no rendering: a clause, and what it is about, where that is something asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrendered {
    pub about: Option<Wanted>,
    pub why: String,
}

impl Unrendered {
    pub fn about(wanted: Wanted, why: impl Into<String>) -> Unrendered {
        Unrendered { about: Some(wanted), why: why.into() }
    }
}

impl From<String> for Unrendered {
    fn from(why: String) -> Unrendered {
        Unrendered { about: None, why }
    }
}

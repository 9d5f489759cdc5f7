//! What becomes of a rendering: its files and their loudness; and why it came to nothing.

use super::sound_file::{Bits, SoundFormat};
use crate::disk::{Access, Replacing, StagedFile};
use crate::user_store::WrittenFiles;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Who has chosen the files.
#[derive(Clone, Debug)]
pub enum ChosenBy {
    /// The user: links on the way are followed, and what lies there is replaced.
    Hand,
    /// A call, by a path without links: it replaces what this product wrote, and other files where it says so.
    Call { written: Arc<WrittenFiles>, overwrites: bool },
}

/// Said of a file that a call may not replace; it follows the file's name.
pub const NOT_OURS: &str = "is there already, and was not written by SVC Device, or was changed since: name another \
                            file, or send overwrite: true to replace it";

impl ChosenBy {
    /// A new file beside that one.
    pub(super) fn stage(&self, file: &Path) -> io::Result<StagedFile> {
        match self {
            ChosenBy::Hand => StagedFile::by_hand(file, Access::AsBefore),
            ChosenBy::Call { .. } => StagedFile::of_real(file, Access::AsBefore),
        }
    }

    /// What may be replaced at a path. The error is a clause that follows the file's name.
    pub(super) fn replacing(&self, file: &Path) -> Result<Replacing, &'static str> {
        match self {
            ChosenBy::Call { written, overwrites: false } => match file.symlink_metadata() {
                Err(_) => Ok(Replacing::Nothing),
                Ok(_) if written.is_ours(file) => Ok(Replacing::Anything),
                Ok(_) => Err(NOT_OURS),
            },
            ChosenBy::Hand | ChosenBy::Call { .. } => Ok(Replacing::Anything),
        }
    }

    /// Notes that a file was written.
    pub(super) fn note(&self, path: &Path, file: &File) {
        if let ChosenBy::Call { written, .. } = self {
            written.note(path, file);
        }
    }
}

/// What becomes of the sound.
#[derive(Clone, Debug)]
pub struct RenderFiles {
    pub chosen_by: ChosenBy,
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

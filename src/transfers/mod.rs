//! Files that come from a browser (*uploads*) and leave for one (*downloads*): a page can neither name a file on the
//! disk nor write one.
//!
//! All lie in one folder of the user's. Sets that came are read once, so only the newest are kept; samples that came
//! are named by Sets, so they stay until the user removes them, and one too many is refused. What may be fetched is a
//! closed list: the files that this device wrote into its own folder since it started. See D195 in
//! `docs/decisions.md`.

mod downloads;
mod file_names;
mod kept_files;
mod uploads;

pub use crate::files::SOUND_ENDINGS;
pub use downloads::{Download, DownloadFile};
pub use uploads::{Arrived, Upload};

use downloads::Downloads;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// The largest file that comes.
pub const MAX_UPLOAD_BYTES: u64 = 512 << 20;
/// Files that come at a time.
pub const MAX_UPLOADS_AT_A_TIME: usize = 4;
/// How the names of Sets end.
pub const SET_ENDINGS: [&str; 3] = ["als", "alc", "svcset"];

/// Characters of a name that are repeated in a refusal.
const MAX_SHOWN_CHARS: usize = 100;

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse {
    Set,
    Sample,
}

impl FileUse {
    pub fn name(self) -> &'static str {
        match self {
            FileUse::Set => "set",
            FileUse::Sample => "sample",
        }
    }
}

/// How much is kept.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    file_bytes: u64,
    sets: Kept,
    samples: Kept,
    downloads: Kept,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    files: usize,
    bytes: u64,
}

const BOUNDS: Bounds = Bounds {
    file_bytes: MAX_UPLOAD_BYTES,
    sets: Kept { files: 20, bytes: 1 << 30 },
    samples: Kept { files: 1_000, bytes: 4 << 30 },
    downloads: Kept { files: 20, bytes: 2 << 30 },
};

/// Why a file does not come or leave.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    #[error("This device has no folder for files.")]
    NoFolder,
    #[error("`{name}` is no file for this device: it takes {}.", endings_text())]
    Kind { name: String },
    #[error("The file is empty.")]
    Empty,
    #[error("`{name}` is no audio file that can be read: {why}. Nothing of it was kept.")]
    NoAudio { name: String, why: String },
    #[error("The file is larger than {limit} bytes.")]
    TooLarge { limit: u64 },
    #[error("{MAX_UPLOADS_AT_A_TIME} files are coming already; send it again when one of them is here.")]
    TooManyAtATime,
    #[error(
        "{folder} holds as many samples as it may: {files} files or {megabytes} MB; Sets play them from there, so remove \
         what no Set needs any more."
    )]
    TooManySamples { folder: String, files: usize, megabytes: u64 },
    #[error("The disk is full: nothing of the file was kept.")]
    DiskFull,
    #[error("The file could not be kept: {0}.")]
    Disk(String),
    #[error("The device has no file `{0}` to be fetched: GET /api/files lists them.")]
    NotThere(String),
}

impl TransferError {
    fn of(error: &std::io::Error) -> TransferError {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        match error.kind() {
            StorageFull | QuotaExceeded => TransferError::DiskFull,
            kind => TransferError::Disk(kind.to_string()),
        }
    }
}

/// A name as it is repeated: whoever sent it knows it.
fn shown(name: &str) -> String {
    match name.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

fn endings_text() -> String {
    let list = |endings: &[&str]| endings.iter().map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
    format!("Sets ({}) and samples ({})", list(&SET_ENDINGS), list(&SOUND_ENDINGS))
}

/// The files of one device. Everything but [`Transfers::folders`] waits for a disk.
pub struct Transfers {
    sets: PathBuf,
    samples: PathBuf,
    bounds: Bounds,
    /// Uploads under way, of which one may begin or end at any time.
    under_way: AtomicUsize,
    downloads: Downloads,
}

impl Transfers {
    /// In the folder of what belongs to the user across Sets.
    pub fn new(user_folder: &Path) -> Arc<Transfers> {
        Transfers::bounded(user_folder, BOUNDS)
    }

    fn bounded(user_folder: &Path, bounds: Bounds) -> Arc<Transfers> {
        let folder = user_folder.join("transfers");
        Arc::new(Transfers {
            sets: folder.join("sets"),
            samples: folder.join("samples"),
            bounds,
            under_way: AtomicUsize::new(0),
            downloads: Downloads::new(folder.join("downloads"), bounds.downloads),
        })
    }

    /// Where Sets and samples lie that came, and what goes to the user.
    pub fn folders(&self) -> [PathBuf; 3] {
        [self.sets.clone(), self.samples.clone(), self.downloads.folder().to_owned()]
    }

    /// Removes what a device left that was killed while a file came.
    pub fn sweep(&self) {
        for folder in [&self.sets, &self.samples] {
            kept_files::remove_left_partials(folder);
        }
    }

    /// Begins to take in a file of that name, of `announced` bytes where the sender says so.
    pub fn begin(self: &Arc<Self>, name: &str, announced: Option<u64>) -> Result<Upload, TransferError> {
        Upload::begin(self.clone(), name, announced)
    }

    /// The folder that tools write to what is to be fetched; it is there then.
    pub fn download_folder(&self) -> Result<PathBuf, TransferError> {
        self.downloads.make_folder()
    }

    /// The device wrote a file: if it lies in [`Transfers::download_folder`], it can be fetched from now on, and what
    /// is one too many goes.
    pub fn wrote(&self, file: &Path) {
        self.downloads.add(file);
    }

    /// What can be fetched, oldest first.
    pub fn downloads(&self) -> Vec<Download> {
        self.downloads.list()
    }

    pub fn open(&self, name: &str) -> Result<DownloadFile, TransferError> {
        self.downloads.open(name)
    }
}

//! What a call knows of the request it came with and of the device it talks to.

use super::budget::Budget;
use super::error::ToolError;
use crate::disk::real_folder;
use crate::jobs::Jobs;
use crate::library::Library;
use crate::music::Meter;
use crate::notation::Notation;
use crate::object_model::Session;
use crate::object_model::history::SetChanges;
use crate::object_model::host_values::SetVersion;
use crate::paths::AllowedFolders;
use crate::user_store::{Presets, UserStore};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a request sees: the notation and mode its texts follow, and facts about the device it talks to.
#[derive(Clone)]
pub struct RequestContext {
    pub notation: Notation,
    pub small_model_mode: bool,
    /// Names of the tools this request can call.
    pub tools: Arc<[&'static str]>,
    pub device: Arc<DeviceFacts>,
    /// The answer goes out as JSON, not as compact text.
    pub json: bool,
    /// Results may be given as text of that form, written out already; else they are values.
    pub as_text: bool,
    /// The Set's meter as last committed: what notes are parsed for while the Set is not at hand.
    pub song_meter: Meter,
    pub at_rest: CommittedSet,
    /// A file that the user chose by hand for this call: it needs no permission.
    pub chosen_file: Option<Arc<Path>>,
    /// The call may start a job that changes the Set: it is no dry run, and no part of a batch.
    pub may_last: bool,
    /// What the call may use up; *prepare* spends from it too.
    pub budget: Budget,
}

/// The Set as last committed, to look things up in while the Set is not at hand: which files a call is about. By the
/// time the call is applied it may have changed.
#[derive(Clone)]
pub struct CommittedSet(pub Arc<dyn Fn() -> Box<dyn Session> + Send + Sync>);

/// What tools say of the device itself.
#[derive(Clone)]
pub struct DeviceFacts {
    /// Which running device this is, such as `standalone, process 4711`.
    pub instance: String,
    /// The open project.
    pub project: Arc<dyn Project>,
    /// How many projects had been loaded when the call came in.
    pub generation: u64,
    /// The index of the user's sample folders.
    pub library: Arc<Library>,
    /// Work that outlasts its call.
    pub jobs: Jobs,
    /// The user's device presets.
    pub presets: Presets,
    /// What the user keeps across projects.
    pub user_store: Arc<UserStore>,
    /// Files that hold Sets.
    pub set_files: Arc<dyn SetFiles>,
    /// Sets as sound.
    pub renderer: Arc<dyn Renderer>,
    /// Where files lie that came from the user's browser or go there.
    pub transfer_folders: Arc<TransferFolders>,
}

/// Folders of the device's own, that need no permission; `None` where it has none.
#[derive(Clone, Debug, Default)]
pub struct TransferFolders {
    /// Sets are read there. They came, and go again when others come: nothing is written there.
    pub sets: Option<PathBuf>,
    pub samples: Option<PathBuf>,
    /// Sets are read and written there, and sound is written.
    pub downloads: Option<PathBuf>,
}

impl DeviceFacts {
    /// The folders whose files the user has opened to calls.
    pub fn allowed_folders(&self) -> AllowedFolders {
        // A folder that leads to the root of a disk would be all of it.
        AllowedFolders::new(self.project.folders().into_iter().filter(|folder| real_folder(folder.as_ref()).is_some()))
    }
}

impl Default for DeviceFacts {
    fn default() -> Self {
        DeviceFacts {
            instance: String::new(),
            project: Arc::new(NoProject),
            generation: 0,
            library: Arc::default(),
            jobs: Jobs::default(),
            presets: Presets::default(),
            user_store: Arc::default(),
            set_files: Arc::new(NoSetFiles),
            renderer: Arc::new(NoRenderer),
            transfer_folders: Arc::default(),
        }
    }
}

/// What is kept with a project beside its Set.
pub trait Project: Send + Sync {
    /// The context document.
    fn context(&self) -> String;

    /// What the project asks for and the user has not granted, and how it is granted: a sentence without its full stop.
    fn permission_request(&self) -> Option<String> {
        None
    }

    /// The folders that documents are opened in and written to.
    fn folders(&self) -> Vec<String> {
        Vec::new()
    }

    /// Replaces the context document; refused when nothing can be saved, or when other projects have been loaded than
    /// `generation` of them.
    fn set_context(&self, text: &str, generation: u64) -> Result<(), ToolError>;
}

/// Reads and writes files that hold Sets. Waits for disks. Errors are clauses, without the file's name. Samples that a
/// Set names on a server are looked at only in `folders`.
pub trait SetFiles: Send + Sync {
    /// Of a damaged Live Set what stands before the damage, where that is asked for.
    fn read(
        &self,
        file: &Path,
        folders: &AllowedFolders,
        salvage: bool,
        work: &dyn FileWork,
    ) -> Result<ReadSet, String>;

    /// Reads a preset that Ableton Live saved.
    fn read_device(&self, file: &Path, folders: &AllowedFolders, work: &dyn FileWork) -> Result<ReadDevice, String>;

    /// What is different between two Sets, the second of which came from elsewhere: what in the one is what in the
    /// other is found by what it is like.
    fn compare(&self, before: &SetVersion, after: &SetVersion, most: usize) -> Result<ComparedSets, String>;

    /// Writes a Set in place of what is there. Work that was cancelled leaves nothing.
    fn write(&self, file: &Path, set: &SetToWrite, work: &dyn FileWork) -> Result<WrittenSet, String>;
}

/// Work on a file, as whoever asked for it follows it.
pub trait FileWork: Sync {
    /// How far it is, in units of its own; told whenever that is another percent.
    fn report(&self, done: u64, total: u64);

    /// How many bytes are written, of who knows how many.
    fn wrote(&self, bytes: u64);

    /// Whether it is to end, leaving nothing.
    fn is_cancelled(&self) -> bool;

    /// To be asked before anything is put in its place: from now on the work is not cancelled; false when it has been.
    fn commit(&self) -> bool;
}

/// Nobody follows the work.
pub struct Unwatched;

impl FileWork for Unwatched {
    fn report(&self, _: u64, _: u64) {}

    fn wrote(&self, _: u64) {}

    fn is_cancelled(&self) -> bool {
        false
    }

    fn commit(&self) -> bool {
        true
    }
}

/// What is written to a file.
pub struct SetToWrite {
    pub set: SetVersion,
    /// The project's context.
    pub context: String,
    /// Its samples are copied beside it.
    pub collected: Option<CollectedFrom>,
}

/// Whose samples are copied beside a Set: a Set may name any file, and may be somebody else's.
pub struct CollectedFrom {
    /// Those that lie in these folders.
    pub folders: AllowedFolders,
    /// The user exports by hand: those elsewhere too, but not from a server.
    pub by_hand: bool,
}

/// A Set that was read from a file.
pub struct ReadSet {
    pub set: SetVersion,
    /// What there is to tell of it, such as what did not come along, by kind and count.
    pub told: Map<String, Value>,
}

/// Two Sets side by side, in which what is the same has one id.
pub struct ComparedSets {
    pub before: Box<dyn Session + Send>,
    pub after: Box<dyn Session + Send>,
    pub changes: SetChanges,
}

/// A device that was read from a file.
pub struct ReadDevice {
    /// What the user calls it, such as `Auto Filter`.
    pub device: String,
    /// As a host saves it.
    pub saved: Value,
    /// What did not come along.
    pub remark: Option<String>,
}

/// What became of writing a Set.
#[derive(Default)]
pub struct WrittenSet {
    pub bytes: u64,
    /// Samples that were copied.
    pub samples: usize,
    /// Samples that could not be.
    pub missing: Vec<String>,
    /// How many of those lie outside the folders that samples are copied from.
    pub outside: usize,
}

/// Renders Sets. It takes a part of the time that the sound lasts. Samples on a server are looked at only in `folders`.
pub trait Renderer: Send + Sync {
    /// What was heard, with the files that were written. Work that was cancelled, or refused, leaves none.
    fn render(
        &self,
        set: &SetVersion,
        order: &RenderOrder,
        folders: &AllowedFolders,
        work: &dyn FileWork,
    ) -> Result<Map<String, Value>, NotRendered>;
}

/// What is to be rendered, as it was sent.
#[derive(Clone, Debug, Default)]
pub struct RenderOrder {
    /// What the job is called.
    pub title: String,
    pub scene: Option<String>,
    pub start: Option<String>,
    pub length: Option<String>,
    pub file: Option<PathBuf>,
    /// A folder.
    pub stems: Option<PathBuf>,
    pub rate_hz: i64,
    pub bits: i64,
    pub tail_seconds: Option<f64>,
    pub normalize: Option<String>,
    pub seed: u64,
    pub strict: bool,
    pub image: bool,
    /// Files that this product did not write are replaced, too.
    pub overwrites: bool,
}

/// Why nothing was rendered: a clause, about a parameter or the Set.
#[derive(Clone, Debug)]
pub struct NotRendered {
    pub parameter: Option<&'static str>,
    pub why: String,
}

struct NoRenderer;

impl Renderer for NoRenderer {
    fn render(
        &self,
        _: &SetVersion,
        _: &RenderOrder,
        _: &AllowedFolders,
        _: &dyn FileWork,
    ) -> Result<Map<String, Value>, NotRendered> {
        Err(NotRendered { parameter: None, why: "there is no sound".to_owned() })
    }
}

struct NoSetFiles;

impl SetFiles for NoSetFiles {
    fn read(&self, _: &Path, _: &AllowedFolders, _: bool, _: &dyn FileWork) -> Result<ReadSet, String> {
        Err("there are no files".to_owned())
    }

    fn read_device(&self, _: &Path, _: &AllowedFolders, _: &dyn FileWork) -> Result<ReadDevice, String> {
        Err("there are no files".to_owned())
    }

    fn compare(&self, _: &SetVersion, _: &SetVersion, _: usize) -> Result<ComparedSets, String> {
        Err("there are no files".to_owned())
    }

    fn write(&self, _: &Path, _: &SetToWrite, _: &dyn FileWork) -> Result<WrittenSet, String> {
        Err("there are no files".to_owned())
    }
}

struct NoProject;

impl Project for NoProject {
    fn context(&self) -> String {
        String::new()
    }

    fn set_context(&self, _: &str, _: u64) -> Result<(), ToolError> {
        Err(ToolError::new("there is no project"))
    }
}

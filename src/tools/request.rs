//! What a call knows of the request it came with and of the device it talks to.

use super::budget::Budget;
use super::error::ToolError;
use crate::jobs::Jobs;
use crate::library::Library;
use crate::music::Meter;
use crate::notation::Notation;
use crate::object_model::Session;
use crate::object_model::model::SetVersion;
use crate::paths::AllowedFolders;
use crate::user_store::{Presets, UserStore};
use serde_json::{Map, Value};
use std::path::Path;
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
}

impl DeviceFacts {
    /// The folders whose files the user has opened to calls.
    pub fn allowed_folders(&self) -> AllowedFolders {
        AllowedFolders::new(self.project.folders())
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
    fn read(&self, file: &Path, folders: &AllowedFolders) -> Result<ReadSet, String>;

    /// Writes a Set with its context, in place of what is there. The number of samples that lie beside it by now, where
    /// they are to be `collected` (the folders that they may be in), and what could not be copied.
    fn write(
        &self,
        file: &Path,
        set: &SetVersion,
        context: &str,
        collected: Option<&AllowedFolders>,
    ) -> Result<WrittenSet, String>;
}

/// A Set that was read from a file.
pub struct ReadSet {
    pub set: SetVersion,
    /// What there is to tell of it, such as what did not come along, by kind and count.
    pub told: Map<String, Value>,
}

/// What became of writing a Set.
#[derive(Default)]
pub struct WrittenSet {
    pub bytes: u64,
    /// Samples that were copied.
    pub samples: usize,
    /// Samples that could not be.
    pub missing: Vec<String>,
}

struct NoSetFiles;

impl SetFiles for NoSetFiles {
    fn read(&self, _: &Path, _: &AllowedFolders) -> Result<ReadSet, String> {
        Err("there are no files".to_owned())
    }

    fn write(&self, _: &Path, _: &SetVersion, _: &str, _: Option<&AllowedFolders>) -> Result<WrittenSet, String> {
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

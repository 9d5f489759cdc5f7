//! The tools: one file each, plus what they share.
//!
//! A call of a tool is *prepare* (parse, read files; any thread) → *apply* (with the key to the Set, no I/O) → *finish* (put
//! the answer together; any thread). Only *apply* holds up the host, so it does only what needs the Set.

pub mod connect;
pub mod context;
pub mod create_clip;
pub mod create_device;
pub mod create_scene;
pub mod create_track;
pub mod delete;
pub mod duplicate;
pub mod library;
pub mod live_api;
pub mod manage;
pub mod playback;
pub mod read_clip;
pub mod read_device;
pub mod read_live_set;
pub mod read_scene;
pub mod read_track;
pub mod select;
pub mod shared;
#[cfg(feature = "test-tools")]
pub mod test_tools;
pub mod update_clip;
pub mod update_device;
pub mod update_live_set;
pub mod update_scene;
pub mod update_track;

use crate::library::Library;
use crate::music::Meter;
use crate::notation::Notation;
use crate::object_model::{ModelError, Session};
use crate::user_store::{Presets, UserStore};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Instant;

pub use shared::hidden::Hidden;

/// Every tool, in the order clients list them.
pub fn all() -> &'static [&'static Tool] {
    static ALL: &[&Tool] = &[
        &connect::TOOL,
        &context::TOOL,
        &manage::TOOL,
        &read_live_set::TOOL,
        &update_live_set::TOOL,
        &read_track::TOOL,
        &create_track::TOOL,
        &update_track::TOOL,
        &read_scene::TOOL,
        &create_scene::TOOL,
        &update_scene::TOOL,
        &read_clip::TOOL,
        &create_clip::TOOL,
        &update_clip::TOOL,
        &read_device::TOOL,
        &create_device::TOOL,
        &update_device::TOOL,
        &delete::TOOL,
        &duplicate::TOOL,
        &select::TOOL,
        &playback::TOOL,
        &library::TOOL,
        &live_api::TOOL,
        #[cfg(feature = "test-tools")]
        &test_tools::TOOL,
    ];
    ALL
}

/// Reads a call's arguments; what it gives is applied to the Set later.
pub type Prepare = fn(Map<String, Value>, &View) -> Result<Box<dyn Job>, ToolError>;

/// A tool: what it is called, what it takes, how a call of it is prepared.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub read_only: bool,
    pub destructive: bool,
    /// The first sentence says it all: small models are shown no more.
    pub description: fn(&View) -> String,
    pub params: &'static [Param],
    /// Parameters that are accepted but not published; see [`shared::hidden`].
    pub hidden: &'static [Hidden],
    /// Withheld from requests in small-model mode.
    pub withheld_in_small_model: bool,
    /// Whether preparing a call with these arguments reads a disk: such a call is prepared on a worker.
    pub reads_files: fn(&Map<String, Value>) -> bool,
    pub prepare: Prepare,
}

/// What a request sees: the notation and mode its texts follow, and facts about the device it talks to.
#[derive(Clone)]
pub struct View {
    pub notation: Notation,
    pub small_model_mode: bool,
    /// Names of the tools this request can call.
    pub tools: Arc<[&'static str]>,
    pub device: Arc<DeviceFacts>,
    /// The answer goes out as JSON, not as compact text.
    pub json: bool,
    /// The Set's meter as last committed: what notes are parsed for while the Set is not at hand.
    pub song_meter: Meter,
    pub at_rest: AtRest,
}

/// The Set as last committed, to look things up in while the Set is not at hand: which files a call is about. By the time the
/// call is applied it may have changed.
#[derive(Clone)]
pub struct AtRest(pub Arc<dyn Fn() -> Box<dyn Session> + Send + Sync>);

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
    /// The user's device presets.
    pub presets: Presets,
    /// What the user keeps across projects.
    pub user_store: Arc<UserStore>,
}

impl Default for DeviceFacts {
    fn default() -> Self {
        DeviceFacts {
            instance: String::new(),
            project: Arc::new(NoProject),
            generation: 0,
            library: Arc::default(),
            presets: Presets::default(),
            user_store: Arc::default(),
        }
    }
}

/// What is kept with a project beside its Set.
pub trait Project: Send + Sync {
    /// The context document.
    fn context(&self) -> String;

    /// Replaces the context document; refused when nothing can be saved, or when other projects have been loaded than
    /// `generation` of them.
    fn set_context(&self, text: &str, generation: u64) -> Result<(), ToolError>;
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

/// The word of an `include` that asks for all of them.
const EVERYTHING: &str = "*";

/// One parameter of a tool.
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub required: bool,
    pub about: About,
    /// Not in the published schema of small-model mode; over REST still accepted.
    pub hidden_in_small_model: bool,
    /// Words that the published schema of small-model mode leaves out; over REST still accepted. See [`Param::drops`].
    pub small_model_drops: &'static [&'static str],
    /// Words that are accepted but never published.
    pub unpublished: &'static [&'static str],
}

/// What a parameter takes. Published as one plain JSON type.
pub enum Kind {
    Text,
    /// Note text in the active notation; with `midi-json` an array is taken too.
    Notes,
    /// A whole number that every JSON client keeps exact: from -(2^53-1) to 2^53-1.
    Integer,
    /// A whole number from the one to the other.
    IntegerIn(i64, i64),
    /// A whole number from that one up.
    IntegerFrom(i64),
    Number,
    /// A number from the one to the other.
    NumberIn(f64, f64),
    Boolean,
    Choice(&'static [&'static str]),
    /// An array of these words.
    Words(&'static [&'static str]),
    /// A schema of its own.
    Schema(fn() -> Value),
    /// A schema to show, and a wider one that is accepted.
    Wide(fn() -> Value, fn() -> Value),
}

/// A description, the same in every profile or following it.
pub enum About {
    Text(&'static str),
    Per(fn(&View) -> Cow<'static, str>),
}

impl Param {
    pub const fn new(name: &'static str, kind: Kind, about: &'static str) -> Param {
        Param::about(name, kind, About::Text(about))
    }

    /// With a description that follows the request.
    pub const fn per(name: &'static str, kind: Kind, about: fn(&View) -> Cow<'static, str>) -> Param {
        Param::about(name, kind, About::Per(about))
    }

    const fn about(name: &'static str, kind: Kind, about: About) -> Param {
        Param {
            name,
            kind,
            required: false,
            about,
            hidden_in_small_model: false,
            small_model_drops: &[],
            unpublished: &[],
        }
    }

    pub const fn required(mut self) -> Param {
        self.required = true;
        self
    }

    pub const fn hidden_in_small_model(mut self) -> Param {
        self.hidden_in_small_model = true;
        self
    }

    pub const fn small_model_drops(mut self, words: &'static [&'static str]) -> Param {
        self.small_model_drops = words;
        self
    }

    /// Whether small models are not shown this word: one of the parameter's own, or the `*` of an `include`, with which they ask
    /// for too much.
    pub fn drops(&self, word: &str) -> bool {
        self.small_model_drops.contains(&word) || word == EVERYTHING && matches!(self.kind, Kind::Words(_))
    }

    pub const fn unpublished(mut self, words: &'static [&'static str]) -> Param {
        self.unpublished = words;
        self
    }
}

/// A prepared call.
pub trait Job: Send {
    /// Reads and changes the Set. An error means that nothing is changed.
    fn apply(&mut self, session: &mut dyn Session, call: &mut CallContext) -> Result<(), ToolError>;

    /// Puts the answer together. Only a call that changed nothing of the Set may still be refused here.
    fn finish(self: Box<Self>, call: &mut CallContext) -> Result<Answer, ToolError>;

    /// Finishing takes long enough to be done on a worker.
    fn finish_is_heavy(&self) -> bool {
        false
    }
}

/// A tool's answer before it is put into an envelope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub result: Value,
    /// Markdown blocks behind the result.
    pub appended: Vec<String>,
}

impl From<Value> for Answer {
    fn from(result: Value) -> Self {
        Answer { result, ..Answer::default() }
    }
}

/// What goes along with a call.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// When the tool should start nothing new: somewhat before the call's time-out.
    pub soft_deadline: Instant,
    /// Whole-call warnings, without the `WARNING:` prefix; only for what no entry can hold.
    pub warnings: Vec<String>,
}

impl CallContext {
    pub fn is_late(&self) -> bool {
        Instant::now() >= self.soft_deadline
    }

    /// Warns of what each clip of a call may say alike.
    pub fn warn_once(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// A refusal: the whole call, in a sentence that says what was wrong and what would be right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

impl ToolError {
    pub fn new(text: impl Into<String>) -> ToolError {
        ToolError(text.into())
    }
}

impl From<ModelError> for ToolError {
    fn from(error: ModelError) -> Self {
        ToolError(error.to_string())
    }
}

/// The typed arguments of a call. They were validated before, so a failure here is a rule that the schema cannot say.
pub fn arguments<T: DeserializeOwned>(map: Map<String, Value>) -> Result<T, ToolError> {
    serde_json::from_value(Value::Object(map)).map_err(|e| ToolError::new(format!("the arguments cannot be read: {e}")))
}

type Apply<T> = Box<dyn FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send>;
type Finish<T> = Box<dyn FnOnce(T, &mut CallContext) -> Result<Answer, ToolError> + Send>;

struct TwoSteps<T> {
    apply: Option<Apply<T>>,
    gathered: Option<T>,
    finish: Finish<T>,
    heavy: fn(&T) -> bool,
}

impl<T: Send> Job for TwoSteps<T> {
    fn apply(&mut self, session: &mut dyn Session, call: &mut CallContext) -> Result<(), ToolError> {
        if let Some(apply) = self.apply.take() {
            self.gathered = Some(apply(session, call)?);
        }
        Ok(())
    }

    fn finish(self: Box<Self>, call: &mut CallContext) -> Result<Answer, ToolError> {
        match self.gathered {
            Some(gathered) => (self.finish)(gathered, call),
            None => Ok(Answer::default()),
        }
    }

    fn finish_is_heavy(&self) -> bool {
        self.gathered.as_ref().is_some_and(self.heavy)
    }
}

/// A job whose answer is ready when it was applied.
pub fn job(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<Value, ToolError> + Send + 'static,
) -> Box<dyn Job> {
    job_with_finish(apply, |value, _| value.into(), |_| false)
}

/// A job that gathers with the Set at hand and puts its answer together later.
pub fn job_with_finish<T: Send + 'static>(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send + 'static,
    finish: impl FnOnce(T, &mut CallContext) -> Answer + Send + 'static,
    heavy: fn(&T) -> bool,
) -> Box<dyn Job> {
    read_job(apply, move |gathered, call| Ok(finish(gathered, call)), heavy)
}

/// As [`job_with_finish`], for a call that changes nothing of the Set: it may find out as late as it is finished that it is refused.
pub fn read_job<T: Send + 'static>(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send + 'static,
    finish: impl FnOnce(T, &mut CallContext) -> Result<Answer, ToolError> + Send + 'static,
    heavy: fn(&T) -> bool,
) -> Box<dyn Job> {
    Box::new(TwoSteps { apply: Some(Box::new(apply)), gathered: None, finish: Box::new(finish), heavy })
}

//! The steps of undo, as a host that keeps them tells of them: who made which, the Set as it was then, and what is
//! different between two of those moments. See D72 in `docs/decisions.md`.

use super::id::ObjectId;
use serde_json::Value as Json;
use std::sync::Arc;
use std::time::SystemTime;

/// What a step is called: the tool that made it, and who called that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepLabel {
    pub tool: Arc<str>,
    /// The face (`rest`) or the client's own name; empty where nobody called.
    pub who: Arc<str>,
}

/// A step of a tool that nobody called.
impl From<&str> for StepLabel {
    fn from(tool: &str) -> StepLabel {
        StepLabel { tool: tool.into(), who: "".into() }
    }
}

/// A step that can be undone, or that was undone and can be redone.
#[derive(Clone, Debug, PartialEq)]
pub struct StepFacts {
    /// Never given to another step. Step N is the Set as it is after step N.
    pub number: u64,
    pub label: StepLabel,
    pub at: SystemTime,
    /// It was undone: redo brings it back, until the next change of the Set drops it.
    pub undone: bool,
}

/// A moment of the Set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    Now,
    /// As it was when the step was done; of the
    /// oldest as it was before the first step that is kept.
    After(u64),
    Before(u64),
}

/// What is different between two moments of a Set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SetChanges {
    pub objects: Vec<ObjectChange>,
    /// Further objects that are different.
    pub more: usize,
    /// How many objects were looked at to find them.
    pub compared: usize,
}

/// What is different about one object. What it holds (the clips of a track, the chains of a rack) is told as objects of
/// their own, unless it came or went with them.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectChange {
    pub id: ObjectId,
    pub class: ChangedClass,
    pub kind: ChangeKind,
    /// It existed before and was gone in between: undone, or restored.
    pub came_back: bool,
    /// Its own values that are different, as the host keeps them, by the object model's names: before and after.
    pub values: Vec<(String, Json, Json)>,
    /// Its parameters whose values are different.
    pub parameters: Vec<ObjectId>,
    pub notes: Option<NoteChanges>,
    /// What came or went with it.
    pub holds: Held,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangedClass {
    Set,
    Track,
    TakeLane,
    Scene,
    Clip,
    Device,
    Chain,
    Locator,
    Groove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    Made,
    Deleted,
    Changed,
    /// To another place; its values may be others too.
    Moved,
}

/// The notes of a clip before and after, by their ids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoteChanges {
    pub before: usize,
    pub after: usize,
    pub added: usize,
    pub removed: usize,
    pub changed: usize,
}

/// How many clips and devices an object holds, at any depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub clips: usize,
    pub devices: usize,
}

/// What came of bringing an object back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Restored {
    /// Whether anything is different from before.
    pub changed: bool,
    /// What came along, gave way or could not come, a sentence each.
    pub remarks: Vec<String>,
}

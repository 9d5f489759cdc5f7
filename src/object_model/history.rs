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
    pub who: Caller,
}

/// A step of a tool that nobody called.
impl From<&str> for StepLabel {
    fn from(tool: &str) -> StepLabel {
        StepLabel { tool: tool.into(), who: Caller::new(Via::Host, "") }
    }
}

impl StepLabel {
    /// Whether both are of one gesture: their changes are one step.
    pub fn is_same_gesture(&self, other: &StepLabel) -> bool {
        self.who.gesture.is_some() && self.who == other.who
    }
}

/// Who calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    pub via: Via,
    /// The client's own name, else the face's (`rest`); empty where nobody called.
    pub name: Arc<str>,
    /// The movement of the user's that the call is a part of, as the client numbers them.
    pub gesture: Option<Arc<str>>,
}

impl Caller {
    pub fn new(via: Via, name: &str) -> Caller {
        Caller { via, name: name.into(), gesture: None }
    }
}

/// The face of the device that a call comes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    Rest,
    Mcp,
    Window,
    /// The device's own page in a browser.
    Page,
    /// Nobody called: the program that holds the device did it, or the device itself.
    Host,
}

impl Via {
    pub fn name(self) -> &'static str {
        match self {
            Via::Rest => "rest",
            Via::Mcp => "mcp",
            Via::Window => "window",
            Via::Page => "page",
            Via::Host => "host",
        }
    }
}

/// The undo step that a call's changes became, or became a part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MadeStep {
    pub number: u64,
    /// The step of the same gesture that it goes on with, which is no step any more.
    pub took_in: Option<u64>,
    /// The step that it stands on. Those with numbers between the two were undone before it was made, and are gone.
    pub follows: u64,
}

impl MadeStep {
    /// Where the call that made it led.
    pub fn way(&self) -> StepWay {
        StepWay { from: self.took_in.unwrap_or(self.follows), to: self.number }
    }
}

/// From the Set as after one step to the Set as after another: a new one, or, by undo and redo, one that was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepWay {
    pub from: u64,
    pub to: u64,
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

/// The notes of a clip before and after.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NoteChanges {
    pub before: usize,
    pub after: usize,
    pub added: usize,
    pub removed: usize,
    /// In any way; one note may count below more than once.
    pub changed: usize,
    pub transposed: usize,
    /// By how many semitones, where all of them by as many.
    pub semitones: Option<i16>,
    pub moved: usize,
    /// By how many quarter beats, where all of them by as many.
    pub beats: Option<f64>,
    pub durations: usize,
    /// Of another velocity or velocity range.
    pub velocities: usize,
    /// Of another probability or release velocity, or switched on or off.
    pub others: usize,
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

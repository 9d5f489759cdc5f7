//! What every host answers.

use super::ObjectId;
use super::audio::AudioFiles;
use super::check::Asker;
use super::class::Class;
use super::error::ModelError;
use super::path::{self, Root};
use super::value::Value;
use crate::music::{Beats, Note};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// A host's objects. Reads never change anything; a write or call that is refused changes nothing.
///
/// A property at a time is fine for a Set in memory and ruinous for a Live behind a bridge, so tools that want much use
/// [`ObjectModel::run`] and [`ObjectModel::read_many`], which a host may answer in one exchange.
pub trait ObjectModel {
    /// The object at a root; `None` where the host has none there.
    fn root(&self, root: Root) -> Result<Option<ObjectId>, ModelError>;

    /// The object's class; `None` when there is no such object (any more).
    fn class_of(&self, id: ObjectId) -> Result<Option<&'static Class>, ModelError>;

    /// The object's own route; `None` for a dead id.
    fn path_of(&self, id: ObjectId) -> Result<Option<String>, ModelError>;

    /// How many objects a child list holds; a single child counts 1 or 0.
    fn child_count(&self, id: ObjectId, name: &str) -> Result<usize, ModelError>;

    /// The `index`th object of a child list, or the single child at index 0. `None` where there is none, where the object has
    /// no such child, and of a dead id.
    fn child_at(&self, id: ObjectId, name: &str, index: usize) -> Result<Option<ObjectId>, ModelError>;

    /// Reads a property, a child or a child list.
    fn get_as(&self, asker: Asker, id: ObjectId, member: &str) -> Result<Value, ModelError>;

    /// Writes a property or a writable child.
    fn set_as(&mut self, asker: Asker, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError>;

    /// Calls a function.
    fn call_as(&mut self, asker: Asker, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError>;

    /// The notes of a MIDI clip, muted ones included, sorted by start then pitch: the bulk form of
    /// `get_all_notes_extended`.
    fn notes(&self, clip: ObjectId) -> Result<Vec<Note>, ModelError>;

    /// Makes `notes` the notes of a MIDI clip. A note with the pitch and start of an old one keeps that one's id.
    fn replace_notes(&mut self, clip: ObjectId, notes: Vec<Note>) -> Result<(), ModelError>;

    /// Whether this host can do a thing at all; the error says why not and what to do instead.
    fn capability(&self, capability: Capability) -> Result<(), ModelError>;

    /// Lands values that this host applies late. Called once, when a call's work is done.
    fn settle(&mut self) {}

    fn get(&self, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        self.get_as(Asker::Tool, id, member)
    }

    fn set(&mut self, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        self.set_as(Asker::Tool, id, member, value)
    }

    fn call(&mut self, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        self.call_as(Asker::Tool, id, function, args)
    }

    /// The object a path names.
    fn resolve(&self, path: &str) -> Result<Option<ObjectId>, ModelError> {
        path::resolve(self, path)
    }

    /// Runs several steps in order and gives what each gave.
    fn run(&mut self, program: &[Step]) -> Vec<Result<Value, ModelError>> {
        program
            .iter()
            .map(|step| match step {
                Step::Get { id, member } => self.get(*id, member),
                Step::Set { id, member, value } => self.set(*id, member, value.clone()).map(|()| Value::Nothing),
                Step::Call { id, function, args } => self.call(*id, function, args),
            })
            .collect()
    }

    /// Reads the same members of many objects: one row for each object, one column for each member.
    fn read_many(&self, ids: &[ObjectId], members: &[&str]) -> Vec<Vec<Result<Value, ModelError>>> {
        ids.iter().map(|id| members.iter().map(|member| self.get(*id, member)).collect()).collect()
    }
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    Get { id: ObjectId, member: String },
    Set { id: ObjectId, member: String, value: Value },
    Call { id: ObjectId, function: String, args: Vec<Value> },
}

/// What a host may be unable to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Recording from an input, converting audio to notes, the browser: a running Live's engine.
    LiveEngine,
    /// Plug-ins inside the Set.
    PluginDevices,
}

/// What is not an object: facts about the host and the documents around the Set.
pub trait Host {
    /// `embedded` or `live`.
    fn kind(&self) -> &'static str;

    /// The version of Live whose object model is answered, such as `12.4`.
    fn live_version(&self) -> &str;

    /// The project's own name, empty when it has none.
    fn set_name(&self) -> Result<String, ModelError>;

    /// What the host has to say of an object it made, where it could not do quite what was asked.
    fn remark(&self, _id: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(None)
    }

    /// What was found out about the files that the call names. A host that makes clips and samples of them needs it before,
    /// as it reads no disk itself; one that reads them itself needs nothing.
    fn know_files(&mut self, _files: AudioFiles) {}

    /// Makes a locator at that moment, where none stands, without moving the playhead.
    fn create_locator(&mut self, _at: Beats) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host makes locators only at its playhead".to_owned()))
    }

    /// Removes a locator without moving the playhead.
    fn delete_locator(&mut self, _locator: ObjectId) -> Result<(), ModelError> {
        Err(ModelError::Unable("this host removes locators only at its playhead".to_owned()))
    }

    /// Cuts an Arrangement clip at a moment inside it. It keeps what is before; what is after becomes a clip of its own, which
    /// is given. Both sound as the whole did.
    fn split_clip(&mut self, _clip: ObjectId, _at: Beats) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot cut clips".to_owned()))
    }

    /// Moves the end of an Arrangement clip: a looped one repeats up to there, and the region of an unlooped one ends there.
    /// Growing, it goes over what follows.
    fn set_clip_end(&mut self, _clip: ObjectId, _at: Beats) -> Result<(), ModelError> {
        Err(ModelError::Unable("this host cannot move the end of a clip".to_owned()))
    }

    /// Builds a clip like this one from its notes or its file: in a ClipSlot, or at a moment on the timeline of a Track or
    /// TakeLane, over what is there. For places that no function copies a clip to. Envelopes do not come along, and the warp
    /// markers are those of a new clip.
    fn rebuild_clip(&mut self, _clip: ObjectId, _onto: ObjectId, _at: Beats) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot build a clip from another".to_owned()))
    }

    /// Draws what a clip of the Session does to a parameter, from scratch. The points are sorted by time; none removes the
    /// envelope.
    fn draw_envelope(
        &mut self,
        _clip: ObjectId,
        _parameter: ObjectId,
        _points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        Err(ModelError::Unable("this host cannot draw envelopes".to_owned()))
    }

    /// Copies a device with all that it holds to a place on a Track or in a Chain; without a place, to the end of its kind.
    fn copy_device(&mut self, _device: ObjectId, _onto: ObjectId, _at: Option<usize>) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host copies devices only beside themselves".to_owned()))
    }

    /// Copies a chain to a place among those of a rack of the same kind; without a place, to the end. Sends go along where that
    /// rack has a return chain of the same name; macro mappings never do.
    fn copy_chain(&mut self, _chain: ObjectId, _rack: ObjectId, _at: Option<usize>) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot copy chains".to_owned()))
    }

    /// How a parameter shows its values, where the host knows it as a rule; else its labels say it, one by one.
    fn readout(&self, _parameter: ObjectId) -> Result<Option<Readout>, ModelError> {
        Ok(None)
    }

    /// The label of a parameter's raw value: `str_for_value` for readers.
    fn label_of(&self, _parameter: ObjectId, _raw: f64) -> Result<Option<String>, ModelError> {
        Ok(None)
    }

    /// An amount of a Wavetable's modulation matrix: `get_modulation_value` for readers.
    fn modulation(&self, _device: ObjectId, _row: usize, _source: usize) -> Result<Option<f64>, ModelError> {
        Ok(None)
    }

    /// The track that the identifier of a routing stands for, where the host can say so.
    fn routed_track(&self, _identifier: &str) -> Result<Option<ObjectId>, ModelError> {
        Ok(None)
    }

    /// A device with all that it holds, as JSON that [`Host::insert_saved_device`] takes back.
    fn save_device(&self, _device: ObjectId) -> Result<Json, ModelError> {
        Err(ModelError::Unable("this host cannot save devices".to_owned()))
    }

    /// Makes a device that was saved: on a Track or in a Chain, as [`Host::copy_device`] does. What is no sound device is
    /// refused.
    fn insert_saved_device(
        &mut self,
        _saved: &Json,
        _onto: ObjectId,
        _at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot load saved devices".to_owned()))
    }

    /// Who leads the clock, and with what. See [`Clock`].
    fn clock(&self) -> Result<Clock, ModelError>;

    /// The Set as it is now, to be read while others change it. None where objects live in another program.
    fn snapshot(&self) -> Option<Box<dyn Session + Send>> {
        None
    }
}

/// How a parameter shows its values.
#[derive(Clone, Debug, PartialEq)]
pub enum Readout {
    /// One label for each whole number of the raw range, from its lowest up.
    Steps(Vec<String>),
    /// `display_value` is the number shown.
    Number {
        /// As labels have it: `Hz`, `ms`, `dB`, `%`, `st`, `pan` (-50..=50), `note` (a MIDI pitch), ...
        unit: Option<&'static str>,
        /// The numbers at the raw ends; none where a word stands, such as `-inf dB`.
        at_min: Option<f64>,
        at_max: Option<f64>,
    },
    /// Nobody has measured it: only the raw value is known.
    Raw,
}

/// A point of a clip's envelope.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EnvelopePoint {
    /// Quarter beats from the clip's beat 0.
    pub time: Beats,
    /// As the parameter counts, usually 0..=1.
    pub value: f64,
    /// How the way to the next point bends, -1..=1; 0 is straight.
    #[serde(default, skip_serializing_if = "is_straight")]
    pub curve: f64,
}

fn is_straight(curve: &f64) -> bool {
    *curve == 0.0
}

/// The clock that playback follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    /// A DAW leads; else the Set's own clock does.
    pub led_by_daw: bool,
    pub playing: bool,
    pub tempo_bpm: f64,
    pub meter: (u32, u32),
}

/// A host at work: its objects and its facts.
pub trait Session: ObjectModel + Host {}

impl<T: ObjectModel + Host> Session for T {}

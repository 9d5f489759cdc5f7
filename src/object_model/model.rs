//! What every host answers.

use super::ObjectId;
use super::audio::AudioFiles;
use super::check::Asker;
use super::class::Class;
use super::clip_facts::ClipFacts;
use super::error::ModelError;
use super::history::{Moment, Restored, SetChanges, StepFacts};
use super::path::{self, Root};
use super::routing_choices::{RoutedTracks, RoutingChoice, RoutingChoices};
use super::scope::{Origin, Scope};
use super::value::Value;
use crate::music::pitch::Spelling;
use crate::music::{Beats, Note};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::any::Any;
use std::sync::Arc;

/// A host's objects.
///
/// Required are the reads ([`root`](ObjectModel::root) to [`get_as`](ObjectModel::get_as),
/// [`notes`](ObjectModel::notes)), the writes ([`set_as`](ObjectModel::set_as), [`call_as`](ObjectModel::call_as),
/// [`replace_notes`](ObjectModel::replace_notes)) and [`capability`](ObjectModel::capability). A host that applies
/// writes late also writes [`settle`](ObjectModel::settle); one that finds a path faster than step by step,
/// [`resolve`](ObjectModel::resolve).
///
/// Reads never change anything. A write or call that is refused changes nothing. The methods are called by whoever
/// holds the guard, one at a time, and on no audio thread; a host may block for an exchange.
///
/// A property at a time is fine for a Set in memory and ruinous for a host whose objects are in another program, so who
/// reads much reads from a [snapshot](HostFacts::snapshot), which such a host fills in one exchange.
///
/// # Errors
///
/// Where a read gives an `Option`, `None` is the model's answer: there is no such thing. A host that cannot ask its
/// objects fails with [`ModelError::Unreachable`] from every method, and never answers `None` instead.
pub trait ObjectModel {
    /// The object at a root; `None` where the host has none there.
    fn root(&self, root: Root) -> Result<Option<ObjectId>, ModelError>;

    /// The object's class; `None` when there is no such object (any more).
    fn class_of(&self, id: ObjectId) -> Result<Option<&'static Class>, ModelError>;

    /// The object's own route, which [`resolve`](ObjectModel::resolve) takes back; `None` for a dead id.
    fn path_of(&self, id: ObjectId) -> Result<Option<String>, ModelError>;

    /// How many objects a child list holds; a single child counts 1 or 0.
    ///
    /// # Errors
    ///
    /// [`ModelError::NoObject`] for a dead id, [`ModelError::UnknownMember`] where the class has no such child.
    fn child_count(&self, id: ObjectId, name: &str) -> Result<usize, ModelError>;

    /// The `index`th object of a child list, or the single child at index 0. `None` where there is none, where the
    /// object has no such child, and of a dead id.
    fn child_at(&self, id: ObjectId, name: &str, index: usize) -> Result<Option<ObjectId>, ModelError>;

    /// Reads a property, a child or a child list, as far as the asker reaches.
    ///
    /// # Errors
    ///
    /// [`ModelError::NoObject`] for a dead id, [`ModelError::UnknownMember`] for what this object does not have,
    /// [`ModelError::Refused`] for what has no value now, [`ModelError::Unable`] for what this host does not know.
    fn get_as(&self, asker: Asker, id: ObjectId, member: &str) -> Result<Value, ModelError>;

    /// Writes a property or a writable child. The value is read back as it landed, at the latest after
    /// [`settle`](ObjectModel::settle).
    ///
    /// # Errors
    ///
    /// As for a read, and [`ModelError::ReadOnly`], [`ModelError::WrongType`] and [`ModelError::OutOfRange`] by the
    /// class table.
    fn set_as(&mut self, asker: Asker, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError>;

    /// Calls a function.
    ///
    /// # Errors
    ///
    /// As for a read, and [`ModelError::BadArguments`] by the class table.
    fn call_as(&mut self, asker: Asker, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError>;

    /// [`call`](Self::call) of a function whose value nobody needs. It may wait for what follows; what became of it is
    /// then told by [`land`](Self::land).
    fn call_later(&mut self, id: ObjectId, function: &str, args: &[Value]) -> Result<(), ModelError> {
        self.call(id, function, args).map(drop)
    }

    /// The notes of a MIDI clip, muted ones included, sorted by start then pitch: the bulk form of
    /// `get_all_notes_extended`.
    ///
    /// # Errors
    ///
    /// [`ModelError::Refused`] for any other object.
    fn notes(&self, clip: ObjectId) -> Result<Vec<Note>, ModelError>;

    /// Makes `notes` the notes of a MIDI clip. A note with the pitch and start of an old one keeps that one's id.
    ///
    /// # Errors
    ///
    /// As for [`notes`](ObjectModel::notes).
    fn replace_notes(&mut self, clip: ObjectId, notes: Vec<Note>) -> Result<(), ModelError>;

    /// Whether this host can do a thing at all. Known without an exchange.
    ///
    /// # Errors
    ///
    /// [`ModelError::Unable`], which says why not and what to do instead.
    fn capability(&self, capability: Capability) -> Result<(), ModelError>;

    /// Lands what this host applies late. Called once, when a call's work is done. Without it nothing waits.
    ///
    /// # Errors
    ///
    /// Why a write did not land after all that was taken as written and belongs to no [target](Self::begin_target).
    fn settle(&mut self) -> Result<(), ModelError> {
        Ok(())
    }

    /// Says at which objects the call will look, so that a host far away brings all of them at once. By
    /// default nothing is to be brought.
    ///
    /// # Errors
    ///
    /// [`ModelError::Unreachable`] only: what is not there is found out by who looks.
    fn look_ahead(&self, _objects: &[Origin]) -> Result<(), ModelError> {
        Ok(())
    }

    /// What is written from now on belongs to that target of the call, counted from 0.
    fn begin_target(&mut self, _target: usize) {}

    /// Lands what was written to targets and tells what became of those whose writes were late; by default none are.
    fn land(&mut self) -> Result<Vec<LandedTarget>, ModelError> {
        Ok(Vec::new())
    }

    /// [`get_as`](ObjectModel::get_as) of a tool.
    fn get(&self, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        self.get_as(Asker::Tool, id, member)
    }

    /// [`set_as`](ObjectModel::set_as) of a tool.
    fn set(&mut self, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        self.set_as(Asker::Tool, id, member, value)
    }

    /// [`call_as`](ObjectModel::call_as) of a tool.
    fn call(&mut self, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        self.call_as(Asker::Tool, id, function, args)
    }

    /// The object a path names; `None` where it names nothing. By default step by step, which is an exchange or two for
    /// each.
    fn resolve(&self, path: &str) -> Result<Option<ObjectId>, ModelError> {
        resolve(self, path)
    }
}

/// The object a path names, or `None`: an unknown word, an index out of range, a dead id and an empty path are no
/// error, as in Live.
fn resolve<M: ObjectModel + ?Sized>(model: &M, path: &str) -> Result<Option<ObjectId>, ModelError> {
    let mut words = path.split_whitespace();
    let Some(root) = Root::read(&mut words) else { return Ok(None) };
    let mut at = model.root(root)?;
    while let Some(parent) = at
        && let Some(name) = words.next()
    {
        let child = model.class_of(parent)?.and_then(|class| class.children.get(name));
        let index = match child {
            None => None,
            Some(child) if child.list => words.next().and_then(path::index),
            Some(_) => Some(0),
        };
        at = match index {
            Some(index) => model.child_at(parent, name, index)?,
            None => None,
        };
    }
    Ok(at)
}

/// Why nothing is deleted that holds one of a host's [own devices](HostFacts::own_devices).
pub const OWN_DEVICE_INSIDE: &str =
    "an SVC Device plugin is in it, which may be the one that answers this call: delete it in Live";

/// What became of the late writes to one target of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct LandedTarget {
    /// See [`ObjectModel::begin_target`].
    pub target: usize,
    /// How many landed.
    pub landed: usize,
    /// Why others did not.
    pub failed: Vec<ModelError>,
}

/// What a host may be unable to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Converting audio by [`HostEdits::convert_audio`], and [`HostEdits::insert_from_browser`]: a running Live's
    /// engine.
    LiveEngine,
    /// Carrying a call out as if, and keeping nothing of it.
    DryRun,
    /// Telling of the steps of undo: [`HostFacts::history`].
    History,
    /// Bringing one object back alone: [`HostEdits::restore`].
    Restore,
    /// Moving the end of a looped Arrangement clip outwards: [`HostEdits::set_clip_end`].
    LoopedClipGrowth,
    /// Making a rack with chains and moving devices into it.
    NewRacks,
    /// Keeping a device outside the Set: [`HostFacts::save_device`].
    SavedDevices,
    /// Loading another sample into a Simpler.
    Samples,
    /// Setting the warp markers of an audio clip.
    WarpMarkers,
    /// Making the Set's sound away from the Set, faster than it lasts.
    Rendering,
}

/// What a host says of itself and of its objects beside their members.
///
/// Required are [`kind`](HostFacts::kind), [`live_version`](HostFacts::live_version), [`set_name`](HostFacts::set_name)
/// and [`clock`](HostFacts::clock). Every other method has a default that stands for "not known here": tools then find
/// out by the model, with more reads, or leave it out.
///
/// # Errors
///
/// As for [`ObjectModel`]: `None` is an answer, and a host that cannot ask fails with [`ModelError::Unreachable`].
pub trait HostFacts {
    /// `embedded` or `live`. Known without an exchange.
    fn kind(&self) -> &'static str;

    /// The version of Live whose object model is answered, such as `12.4`. Known without an exchange.
    fn live_version(&self) -> &str;

    /// The project's own name, empty when it has none.
    fn set_name(&self) -> Result<String, ModelError>;

    /// Who leads the clock, and with what. See [`Clock`].
    fn clock(&self) -> Result<Clock, ModelError>;

    /// How pitches are written, by the Set's scale. Known without an exchange; by default with flats.
    fn spelling(&self) -> Spelling {
        Spelling::FLATS
    }

    /// What the host has to say of an object: where it could not do quite what was asked when it made it, or what it
    /// keeps of it that no member tells. By default nothing.
    fn remark(&self, _id: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(None)
    }

    /// How much later a track plays than it says, in words, where the host keeps that. Live's object model has no
    /// member for it.
    fn track_delay(&self, _track: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(None)
    }

    /// How a parameter shows its values, where the host knows it as a rule; else, as by default, its labels say it, one
    /// by one.
    fn readout(&self, _parameter: ObjectId) -> Result<Option<Readout>, ModelError> {
        Ok(None)
    }

    /// The label of a parameter's raw value: `str_for_value` for readers. By default none is known.
    fn label_of(&self, _parameter: ObjectId, _raw: f64) -> Result<Option<String>, ModelError> {
        Ok(None)
    }

    /// [`label_of`](HostFacts::label_of) of many raw values at once.
    fn labels_of(&self, parameter: ObjectId, raws: &[f64]) -> Result<Vec<Option<String>>, ModelError> {
        raws.iter().map(|raw| self.label_of(parameter, *raw)).collect()
    }

    /// The number that a parameter's raw value is shown as, in the unit of its [readout](HostFacts::readout). By
    /// default none is known, and labels tell it.
    fn shown_number(&self, _parameter: ObjectId, _raw: f64) -> Result<Option<f64>, ModelError> {
        Ok(None)
    }

    /// The raw value that a parameter shows as this number: the other way round of
    /// [`shown_number`](HostFacts::shown_number). What no raw value shows is brought to the nearest end.
    fn raw_of(&self, _parameter: ObjectId, _number: f64) -> Result<Option<f64>, ModelError> {
        Ok(None)
    }

    /// An amount of a Wavetable's modulation matrix: `get_modulation_value` for readers. By default none is known.
    fn modulation(&self, _device: ObjectId, _row: usize, _source: usize) -> Result<Option<f64>, ModelError> {
        Ok(None)
    }

    /// What the macros of a rack move, in the order in which it was mapped. `None` where the host cannot tell, as by
    /// default.
    fn macro_mappings(&self, _rack: ObjectId) -> Result<Option<Vec<MacroTarget>>, ModelError> {
        Ok(None)
    }

    /// Where the notes of a track leave; `None` of a track without notes. By default it is not known.
    fn midi_output(&self, _track: ObjectId) -> Result<Option<MidiOutput>, ModelError> {
        Ok(None)
    }

    /// How a Track or Device is heard: `exact`, `approximate: ...`, `stand-in: ...` or `silent: why`; of a parameter
    /// `silent: why` where no envelope moves it. `None` of other objects, and where the host's own sound is not ours to
    /// tell of, as by default.
    fn sounds(&self, _object: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(None)
    }

    /// The track that the identifier of a routing stands for. By default it is not known, and tools go by its name.
    fn routed_track(&self, _identifier: &str) -> Result<Option<ObjectId>, ModelError> {
        Ok(None)
    }

    /// What one of a track's `available_..._routing_...` lists is made of. `None` where the host gives such a list only
    /// as the member itself, as by default, and where the track has none.
    fn routing_choices(&self, _track: ObjectId, _list: &str) -> Result<Option<RoutingChoices>, ModelError> {
        Ok(None)
    }

    /// The tracks that [`routing_choices`](HostFacts::routing_choices) name, with their entries.
    fn tracks_to_route(&self, _of: RoutedTracks) -> Result<Vec<(ObjectId, RoutingChoice)>, ModelError> {
        Ok(Vec::new())
    }

    /// The clips in the slots of a Track, in the order of the scenes, or of a Scene, in that of the tracks: what
    /// walking the slots finds. `None` where the host knows them no other way, as by default.
    fn session_clips(&self, _of: ObjectId) -> Result<Option<Vec<ObjectId>>, ModelError> {
        Ok(None)
    }

    /// What every read of a Clip shows, at once. `None` where the host gives a clip member by member, as by default,
    /// and of what is no clip.
    fn clip_facts(&self, _clip: ObjectId) -> Result<Option<ClipFacts>, ModelError> {
        Ok(None)
    }

    /// How many [`session_clips`](HostFacts::session_clips) there are, for who needs no more.
    fn session_clip_count(&self, _of: ObjectId) -> Result<Option<usize>, ModelError> {
        Ok(None)
    }

    /// The devices of this Set that are this product itself: who deletes one may cut off who called. By default none.
    fn own_devices(&self) -> Result<Vec<ObjectId>, ModelError> {
        Ok(Vec::new())
    }

    /// Whether the program that has the objects answers now, as far as is known without asking it.
    ///
    /// # Errors
    ///
    /// [`ModelError::Unreachable`], which says what to do.
    fn reachable(&self) -> Result<(), ModelError> {
        Ok(())
    }

    /// How it stands with the program that has the objects, for `svc-connect`; `None` where that is this one.
    fn link_facts(&self) -> Option<Json> {
        None
    }

    /// A device with all that it holds, as JSON that [`HostEdits::insert_saved_device`] takes back.
    ///
    /// # Errors
    ///
    /// [`ModelError::Unable`] where the host cannot, as by default.
    fn save_device(&self, _device: ObjectId) -> Result<Json, ModelError> {
        Err(ModelError::Unable("this host cannot save devices".to_owned()))
    }

    /// Whether every read is answered from this program's own memory: a snapshot then serves only who reads on while
    /// others change the Set. Known without an exchange; by default not.
    fn reads_are_local(&self) -> bool {
        false
    }

    /// Which Set this is, to be compared with what it is later. `None` where the host cannot compare, as by default.
    fn version(&self) -> Option<SetVersion> {
        None
    }

    /// Whether the Set is as it was then, but for what undo does not take back. By default that is not known.
    fn is_version(&self, _version: &SetVersion) -> bool {
        false
    }

    /// The Set as it is now, to be read while others change it; `scope` says what is about to be read. `None` where the
    /// host is read object by object, as by default.
    ///
    /// A host in memory copies what it is and need not look at the scope. One whose objects are in another program
    /// fills the scope in one exchange. Asked for what is beyond the scope, a snapshot reads on: it answers what is,
    /// never that there is nothing. Nobody writes to a snapshot. Asked for one itself, it may give `None`: it is read
    /// as it is.
    fn snapshot(&self, _scope: &Scope<'_>) -> Result<Option<Box<dyn Session + Send>>, ModelError> {
        Ok(None)
    }

    /// The steps of undo as they are now.
    ///
    /// # Errors
    ///
    /// [`ModelError::Unable`] where the host keeps no such list, as by default.
    fn history(&self) -> Result<Box<dyn StepHistory>, ModelError> {
        Err(ModelError::Unable(
            "this host tells nothing of its steps: its undo goes back one by one, and brings nothing back alone"
                .to_owned(),
        ))
    }
}

/// What a host does in one step that no function of the object model does.
///
/// No method is required: each default refuses, and the tool that wanted it says so.
///
/// # Errors
///
/// Every method fails with [`ModelError::Unable`] where the host cannot do it, and as writes and calls of
/// [`ObjectModel`] do where it can. What fails changed nothing.
pub trait HostEdits {
    /// What was found out about the files that the call names, told before any of them is used. A host that makes clips
    /// and samples of them keeps it, as it reads no disk itself; one that reads them itself, as by default, needs
    /// nothing.
    fn know_files(&mut self, _files: AudioFiles) {}

    /// Makes a locator at that moment, where none stands, without moving the playhead.
    fn create_locator(&mut self, _at: Beats) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host makes locators only at its playhead".to_owned()))
    }

    /// Removes a locator without moving the playhead.
    fn delete_locator(&mut self, _locator: ObjectId) -> Result<(), ModelError> {
        Err(ModelError::Unable("this host removes locators only at its playhead".to_owned()))
    }

    /// Cuts an Arrangement clip at a moment inside it. It keeps what is before; what is after becomes a clip of its
    /// own, which is given. Both sound as the whole did.
    fn split_clip(&mut self, _clip: ObjectId, _at: Beats) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot cut clips".to_owned()))
    }

    /// Moves the end of an Arrangement clip: a looped one repeats up to there, and the region of an unlooped one ends
    /// there. Growing, it goes over what follows.
    fn set_clip_end(&mut self, _clip: ObjectId, _at: Beats) -> Result<(), ModelError> {
        Err(ModelError::Unable("this host cannot move the end of a clip".to_owned()))
    }

    /// Builds a clip like this one from its notes or its file: in a ClipSlot, or at a moment on the timeline of a Track
    /// or TakeLane, over what is there. For places that no function copies a clip to. Envelopes do not come along, and
    /// the warp markers are those of a new clip.
    fn rebuild_clip(&mut self, _clip: ObjectId, _onto: ObjectId, _at: Beats) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot build a clip from another".to_owned()))
    }

    /// Draws what a clip of the Session does to a parameter, from scratch. The points are sorted by time; none removes
    /// the envelope.
    fn draw_envelope(
        &mut self,
        _clip: ObjectId,
        _parameter: ObjectId,
        _points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        Err(ModelError::Unable("this host cannot draw envelopes".to_owned()))
    }

    /// Copies a device with all that it holds to a place on a Track or in a Chain; without a place, to the end of its
    /// kind.
    fn copy_device(&mut self, _device: ObjectId, _onto: ObjectId, _at: Option<usize>) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host copies devices only beside themselves".to_owned()))
    }

    /// Copies a chain to a place among those of a rack of the same kind; without a place, to the end. Sends go along
    /// where that rack has a return chain of the same name; macro mappings never do.
    fn copy_chain(&mut self, _chain: ObjectId, _rack: ObjectId, _at: Option<usize>) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot copy chains".to_owned()))
    }

    /// Maps, unmaps or names a macro of a rack, counted from 0.
    fn edit_macro(&mut self, _rack: ObjectId, _macro_index: usize, _edit: MacroEdit) -> Result<(), ModelError> {
        Err(ModelError::Unable("Live's object model neither maps nor names macros; do it in Live".to_owned()))
    }

    /// Makes a device that was saved: on a Track or in a Chain, as [`HostEdits::copy_device`] does. What is no sound
    /// device is refused.
    fn insert_saved_device(
        &mut self,
        _saved: &Json,
        _onto: ObjectId,
        _at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host cannot load saved devices".to_owned()))
    }

    /// Makes what the host's browser has: on a Track or in a Chain, at a place or at the end of its kind.
    fn insert_from_browser(
        &mut self,
        _item: &BrowserItem,
        _onto: ObjectId,
        _at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host has no browser".to_owned()))
    }

    /// Puts what the host's browser has in the place of a device of its kind.
    fn swap_from_browser(&mut self, _item: &BrowserItem, _device: ObjectId) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host has no browser".to_owned()))
    }

    /// Makes a track of an audio clip, which stays: `drums`, `melody` or `harmony` of its notes, `simpler` or
    /// `drum-rack` of its sound.
    fn convert_audio(&mut self, _clip: ObjectId, _to: &str) -> Result<ObjectId, ModelError> {
        Err(ModelError::Unable("this host converts no audio".to_owned()))
    }

    /// Puts a Set that was read from a file in place of this one, or its tracks behind those that are here; what there
    /// is to say of what did not come along.
    fn put_set(&mut self, _set: &SetVersion, _place: SetPlace) -> Result<Vec<String>, ModelError> {
        Err(ModelError::Unable("files are opened and imported in Ableton Live itself".to_owned()))
    }

    /// Makes a Clip, Track, Scene or Device, with all that it holds, what it was after a step of the
    /// [history](HostFacts::history), and leaves everything else; one that is gone comes back with its id. What was
    /// put in its place since gives way. Refused where what it stood in is gone, or where it would cost what stood
    /// elsewhere then.
    fn restore(&mut self, _object: ObjectId, _step: u64) -> Result<Restored, ModelError> {
        Err(ModelError::Unable("this host cannot bring back one object alone; undo steps back".to_owned()))
    }
}

/// What the browser of a host is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrowserItem {
    /// Its name in any case, with or without its ending; with folders before it where several have that name.
    pub name: String,
    /// A folder that it is in, such as the device that a preset is for.
    pub under: Option<String>,
}

/// A parameter that a macro moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MacroTarget {
    /// 0..=15.
    pub macro_index: usize,
    pub parameter: ObjectId,
    /// Its raw values where the macro stands at its lower and its upper end.
    pub at_0: f64,
    pub at_127: f64,
}

/// What can be done with a macro of a rack.
#[derive(Clone, Debug, PartialEq)]
pub enum MacroEdit {
    /// The macro moves a parameter of a device inside the rack, between two raw values. One that it moves already gets
    /// the new values. A macro that moved nothing yet is put where the parameter stands; else the parameter goes to the
    /// macro.
    Map { parameter: ObjectId, at_0: f64, at_127: f64 },
    /// The macro moves that parameter, or none at all, any more.
    Unmap(Option<ObjectId>),
    /// A blank name gives back its own.
    Rename(String),
}

/// Spends steps of work; an error ends what is being done.
pub type Spend<'a> = dyn FnMut(u64) -> Result<(), ModelError> + 'a;

/// The steps as they were at one moment, to be read while others change the Set.
pub trait StepHistory: Send {
    /// Those that were undone and those that can be, the newest first.
    fn steps(&self) -> Vec<StepFacts>;

    /// The step that the Set is as after.
    fn now(&self) -> u64;

    /// The oldest step whose Set undo still reaches. It is no step of [`steps`](StepHistory::steps): it was before the
    /// oldest of those.
    fn oldest(&self) -> u64;

    /// Steps were dropped, as the history keeps only so much.
    fn is_cut(&self) -> bool;

    /// It begins where another Set was put in place: the Set was loaded, and steps from before that are gone.
    fn began_with_a_load(&self) -> bool;

    /// How much is kept, in words.
    fn bounds(&self) -> String;

    /// The Set at a moment, to be read; `None` where that is not kept.
    fn state(&self, moment: Moment) -> Option<Box<dyn Session + Send>>;

    /// What is different between two moments; `None` where one of them is not kept. Looks only at what the two do not
    /// share; of more than `most` objects only the number is told.
    ///
    /// # Errors
    ///
    /// What `spend` gives.
    fn changes(
        &self,
        from: Moment,
        to: Moment,
        most: usize,
        spend: &mut Spend<'_>,
    ) -> Result<Option<SetChanges>, ModelError>;
}

/// Where a track's notes leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MidiOutput {
    /// 1..=16.
    pub channel: u8,
    /// As whoever plays the Set calls it.
    pub port: String,
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

/// A Set at one moment, as its host knows it.
#[derive(Clone)]
pub struct SetVersion(pub Arc<dyn Any + Send + Sync>);

/// Where a Set that was read goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetPlace {
    /// In place of the Set that is there.
    Instead,
    /// Its tracks behind those that are there.
    Beside,
}

/// A host at work: its objects, its facts and its edits.
pub trait Session: ObjectModel + HostFacts + HostEdits {}

impl<T: ObjectModel + HostFacts + HostEdits> Session for T {}

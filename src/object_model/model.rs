//! What every host answers.

use super::ObjectId;
use super::check::Asker;
use super::class::Class;
use super::clip_facts::ClipFacts;
use super::error::ModelError;
use super::history::{Moment, SetChanges, StepFacts};
use super::host_edits::HostEdits;
use super::host_values::{Capability, Clock, LandedTarget, MacroTarget, MidiOutput, Readout, SetVersion};
use super::path::{self, Root};
use super::routing_choices::{RoutedTracks, RoutingChoice, RoutingChoices};
use super::scope::{Origin, Scope};
use super::value::Value;
use crate::music::Note;
use crate::music::pitch::Spelling;
use serde_json::Value as Json;

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

    /// What the host keeps of a Set, a scene, a track or a clip that Live's object model has no member for, in words:
    /// a delay, fades, tempos of the Arrangement. By default nothing.
    fn kept_words(&self, _object: ObjectId) -> Result<Option<String>, ModelError> {
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
    /// `silent: why` where no envelope moves it, of a Clip where its file cannot be played. `None` of other objects,
    /// and where the host's own sound is not ours to tell of, as by default.
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

/// A host at work: its objects, its facts and its edits.
pub trait Session: ObjectModel + HostFacts + HostEdits {}

impl<T: ObjectModel + HostFacts + HostEdits> Session for T {}

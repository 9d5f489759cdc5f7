//! A Set as one call sees and changes it: the Set itself, until the call first writes; from then on a copy, which
//! shares all that the call does not touch. A call that only reads copies nothing.

use crate::music::pitch::Spelling;
use crate::music::{Beats, Note};
use crate::object_model::audio::AudioFiles;
use crate::object_model::check::Asker;
use crate::object_model::class::Class;
use crate::object_model::clip_facts::ClipFacts;
use crate::object_model::history::{Restored, StepLabel};
use crate::object_model::host_edits::SetPlace;
use crate::object_model::host_values::{Capability, Clock, SetVersion};
use crate::object_model::model::StepHistory;
use crate::object_model::path::Root;
use crate::object_model::routing_choices::{RoutedTracks, RoutingChoice, RoutingChoices};
use crate::object_model::{
    EnvelopePoint, HostEdits, HostFacts, MacroEdit, MacroTarget, MidiOutput, ModelError, ObjectId, ObjectModel,
    Readout, Scope, Session, Value,
};
use crate::set::SetState;
use crate::set::document::object_index::Index;
use std::ops::Deref;

/// See the [module](self). `S` points to the Set.
pub struct WorkingCopy<S> {
    set: S,
    step: StepLabel,
    copy: Option<SetState>,
    /// What was there when the writes so far had landed.
    settled: Option<Index>,
}

impl<S: Deref<Target = SetState>> WorkingCopy<S> {
    pub fn new(set: S, step: StepLabel) -> WorkingCopy<S> {
        WorkingCopy { set, step, copy: None, settled: None }
    }

    /// The Set, and the copy if something was written.
    pub fn into_parts(self) -> (S, Option<SetState>) {
        (self.set, self.copy)
    }

    /// Whether the document differs from that of the Set.
    pub fn has_changes(&self) -> bool {
        self.copy.as_ref().is_some_and(|copy| !copy.document.same_as(&self.set.document))
    }

    /// Whether the document differs, or what was launched.
    pub fn has_effects(&self) -> bool {
        let ordered = |copy: &SetState| copy.runtime.newest_order() != self.set.runtime.newest_order();
        self.has_changes() || self.copy.as_ref().is_some_and(ordered)
    }

    fn read(&self) -> &SetState {
        self.copy.as_ref().unwrap_or(&self.set)
    }

    fn written(&mut self) -> &mut SetState {
        self.copy.get_or_insert_with(|| self.set.for_step(&self.step))
    }
}

impl<S: Deref<Target = SetState>> ObjectModel for WorkingCopy<S> {
    fn root(&self, root: Root) -> Result<Option<ObjectId>, ModelError> {
        self.read().root(root)
    }

    fn class_of(&self, id: ObjectId) -> Result<Option<&'static Class>, ModelError> {
        self.read().class_of(id)
    }

    fn path_of(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        self.read().path_of(id)
    }

    fn child_count(&self, id: ObjectId, name: &str) -> Result<usize, ModelError> {
        self.read().child_count(id, name)
    }

    fn child_at(&self, id: ObjectId, name: &str, index: usize) -> Result<Option<ObjectId>, ModelError> {
        self.read().child_at(id, name, index)
    }

    fn get_as(&self, asker: Asker, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        self.read().get_as(asker, id, member)
    }

    fn set_as(&mut self, asker: Asker, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        self.written().set_as(asker, id, member, value)
    }

    fn call_as(&mut self, asker: Asker, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        self.written().call_as(asker, id, function, args)
    }

    fn notes(&self, clip: ObjectId) -> Result<Vec<Note>, ModelError> {
        self.read().notes(clip)
    }

    fn replace_notes(&mut self, clip: ObjectId, notes: Vec<Note>) -> Result<(), ModelError> {
        self.written().replace_notes(clip, notes)
    }

    fn capability(&self, capability: Capability) -> Result<(), ModelError> {
        self.read().capability(capability)
    }

    /// Done at the end of a call, and of each that a call makes: the next one sees nothing play that is gone.
    fn settle(&mut self) -> Result<(), ModelError> {
        // What waits was written.
        if let Some(copy) = &mut self.copy {
            copy.settle()?;
            let before = self.settled.as_ref().unwrap_or(&self.set.document.index);
            copy.runtime.forget_removed(before, &copy.document.index);
            self.settled = Some(copy.document.index.clone());
        }
        Ok(())
    }

    fn resolve(&self, path: &str) -> Result<Option<ObjectId>, ModelError> {
        self.read().resolve(path)
    }
}

impl<S: Deref<Target = SetState>> HostFacts for WorkingCopy<S> {
    fn kind(&self) -> &'static str {
        self.read().kind()
    }

    fn live_version(&self) -> &str {
        self.read().live_version()
    }

    fn set_name(&self) -> Result<String, ModelError> {
        self.read().set_name()
    }

    fn clock(&self) -> Result<Clock, ModelError> {
        self.read().clock()
    }

    fn spelling(&self) -> Spelling {
        self.read().spelling()
    }

    fn remark(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        self.read().remark(id)
    }

    fn kept_words(&self, object: ObjectId) -> Result<Option<String>, ModelError> {
        self.read().kept_words(object)
    }

    fn readout(&self, parameter: ObjectId) -> Result<Option<Readout>, ModelError> {
        self.read().readout(parameter)
    }

    fn label_of(&self, parameter: ObjectId, raw: f64) -> Result<Option<String>, ModelError> {
        self.read().label_of(parameter, raw)
    }

    fn labels_of(&self, parameter: ObjectId, raws: &[f64]) -> Result<Vec<Option<String>>, ModelError> {
        self.read().labels_of(parameter, raws)
    }

    fn shown_number(&self, parameter: ObjectId, raw: f64) -> Result<Option<f64>, ModelError> {
        self.read().shown_number(parameter, raw)
    }

    fn raw_of(&self, parameter: ObjectId, number: f64) -> Result<Option<f64>, ModelError> {
        self.read().raw_of(parameter, number)
    }

    fn macro_mappings(&self, rack: ObjectId) -> Result<Option<Vec<MacroTarget>>, ModelError> {
        self.read().macro_mappings(rack)
    }

    fn midi_output(&self, track: ObjectId) -> Result<Option<MidiOutput>, ModelError> {
        self.read().midi_output(track)
    }

    fn sounds(&self, object: ObjectId) -> Result<Option<String>, ModelError> {
        self.read().sounds(object)
    }

    fn modulation(&self, device: ObjectId, row: usize, source: usize) -> Result<Option<f64>, ModelError> {
        self.read().modulation(device, row, source)
    }

    fn routed_track(&self, identifier: &str) -> Result<Option<ObjectId>, ModelError> {
        self.read().routed_track(identifier)
    }

    fn routing_choices(&self, track: ObjectId, list: &str) -> Result<Option<RoutingChoices>, ModelError> {
        self.read().routing_choices(track, list)
    }

    fn tracks_to_route(&self, of: RoutedTracks) -> Result<Vec<(ObjectId, RoutingChoice)>, ModelError> {
        self.read().tracks_to_route(of)
    }

    fn session_clips(&self, of: ObjectId) -> Result<Option<Vec<ObjectId>>, ModelError> {
        self.read().session_clips(of)
    }

    fn clip_facts(&self, clip: ObjectId) -> Result<Option<ClipFacts>, ModelError> {
        self.read().clip_facts(clip)
    }

    fn session_clip_count(&self, of: ObjectId) -> Result<Option<usize>, ModelError> {
        self.read().session_clip_count(of)
    }

    fn save_device(&self, device: ObjectId) -> Result<serde_json::Value, ModelError> {
        self.read().save_device(device)
    }

    fn version(&self) -> Option<SetVersion> {
        self.read().version()
    }

    fn is_version(&self, version: &SetVersion) -> bool {
        self.read().is_version(version)
    }

    fn reads_are_local(&self) -> bool {
        self.read().reads_are_local()
    }

    fn snapshot(&self, scope: &Scope<'_>) -> Result<Option<Box<dyn Session + Send>>, ModelError> {
        self.read().snapshot(scope)
    }

    fn history(&self) -> Result<Box<dyn StepHistory>, ModelError> {
        self.read().history()
    }
}

impl<S: Deref<Target = SetState>> HostEdits for WorkingCopy<S> {
    fn know_files(&mut self, files: AudioFiles) {
        self.written().know_files(files);
    }

    fn create_locator(&mut self, at: Beats) -> Result<ObjectId, ModelError> {
        self.written().create_locator(at)
    }

    fn delete_locator(&mut self, locator: ObjectId) -> Result<(), ModelError> {
        self.written().delete_locator(locator)
    }

    fn split_clip(&mut self, clip: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.written().split_clip(clip, at)
    }

    fn set_clip_end(&mut self, clip: ObjectId, at: Beats) -> Result<(), ModelError> {
        self.written().set_clip_end(clip, at)
    }

    fn rebuild_clip(&mut self, clip: ObjectId, onto: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.written().rebuild_clip(clip, onto, at)
    }

    fn draw_envelope(
        &mut self,
        clip: ObjectId,
        parameter: ObjectId,
        points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        self.written().draw_envelope(clip, parameter, points)
    }

    fn copy_device(&mut self, device: ObjectId, onto: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.written().copy_device(device, onto, at)
    }

    fn copy_chain(&mut self, chain: ObjectId, rack: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.written().copy_chain(chain, rack, at)
    }

    fn edit_macro(&mut self, rack: ObjectId, macro_index: usize, edit: MacroEdit) -> Result<(), ModelError> {
        self.written().edit_macro(rack, macro_index, edit)
    }

    fn insert_saved_device(
        &mut self,
        saved: &serde_json::Value,
        onto: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        self.written().insert_saved_device(saved, onto, at)
    }

    fn put_set(&mut self, set: &SetVersion, place: SetPlace) -> Result<Vec<String>, ModelError> {
        self.written().put_set(set, place)
    }

    fn restore(&mut self, object: ObjectId, step: u64) -> Result<Restored, ModelError> {
        self.written().restore(object, step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A method that is not handed on would answer with its default.
    #[test]
    fn what_is_asked_is_asked_of_the_set() {
        let mut set = SetState::alone();
        let mut working = WorkingCopy::new(&mut set, "a call".into());
        let song = working.root(Root::LiveSet).unwrap().unwrap();
        assert_eq!(working.get(song, "tempo").unwrap(), Value::Float(120.0));
        let track = working.resolve("live_set tracks 0").unwrap().unwrap();
        assert_eq!(working.session_clip_count(track).unwrap(), Some(0));
        assert!(working.reads_are_local() && working.snapshot(&Scope::new(&|| Ok(Vec::new()))).unwrap().is_some());
        working.settle().unwrap();
        assert!(!working.has_changes() && working.copy.is_none(), "reading copies nothing");

        working.set(song, "tempo", 90.0.into()).unwrap();
        assert_eq!(working.get(song, "tempo").unwrap(), Value::Float(90.0));
        assert!(working.has_changes());
        let locator = working.create_locator(4.0).unwrap();
        working.delete_locator(locator).unwrap();
        let (set, copy) = working.into_parts();
        assert_eq!(set.get(song, "tempo").unwrap(), Value::Float(120.0));
        assert!(copy.is_some_and(|mut copy| copy.end_step() && copy.undo()));
    }
}

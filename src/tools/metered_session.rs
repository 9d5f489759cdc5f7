//! The Set as a call sees it: each read and write at the object model spends from the call's [`Budget`], and fails once
//! that is used up. Loops over targets and objects end by it without a line of their own.
//!
//! Every method of the three traits is handed on, those with a default too: a host's own way is never lost.

use super::budget::Budget;
use crate::music::pitch::Spelling;
use crate::music::{Beats, Note};
use crate::object_model::audio::AudioFiles;
use crate::object_model::check::Asker;
use crate::object_model::class::Class;
use crate::object_model::clip_facts::ClipFacts;
use crate::object_model::history::Restored;
use crate::object_model::host_edits::{BrowserItem, SetPlace};
use crate::object_model::host_values::{Capability, Clock, LandedTarget, SetVersion};
use crate::object_model::model::StepHistory;
use crate::object_model::path::Root;
use crate::object_model::routing_choices::{RoutedTracks, RoutingChoice, RoutingChoices};
use crate::object_model::scope::Origin;
use crate::object_model::{
    EnvelopePoint, HostEdits, HostFacts, MacroEdit, MacroTarget, MidiOutput, ModelError, ObjectId, ObjectModel,
    Readout, Scope, Session, Value,
};
use serde_json::Value as Json;
use std::ops::{Deref, DerefMut};

/// See the [module](self). `S` points to a session: `&mut dyn Session`, or a box.
pub struct MeteredSession<S> {
    inner: S,
    budget: Budget,
}

impl<S> MeteredSession<S> {
    pub fn new(inner: S, budget: Budget) -> MeteredSession<S> {
        MeteredSession { inner, budget }
    }

    /// A step that may take long by itself, or comes with work on notes: the clock is looked at each time.
    fn spend_long_step(&self) -> Result<(), ModelError> {
        self.budget.spend(1)?;
        Ok(self.budget.check()?)
    }
}

/// What is read of one object: one step, and one for each that a list names.
fn steps_of(value: &Value) -> u64 {
    match value {
        Value::Objects(list) => list.len() as u64,
        _ => 0,
    }
}

impl<S: DerefMut> ObjectModel for MeteredSession<S>
where
    <S as Deref>::Target: Session,
{
    fn root(&self, root: Root) -> Result<Option<ObjectId>, ModelError> {
        self.budget.spend(1)?;
        self.inner.root(root)
    }

    fn class_of(&self, id: ObjectId) -> Result<Option<&'static Class>, ModelError> {
        self.budget.spend(1)?;
        self.inner.class_of(id)
    }

    /// An object whose path is asked for is one that the answer names.
    fn path_of(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        self.budget.spend_object()?;
        self.inner.path_of(id)
    }

    fn child_count(&self, id: ObjectId, name: &str) -> Result<usize, ModelError> {
        self.budget.spend(1)?;
        self.inner.child_count(id, name)
    }

    fn child_at(&self, id: ObjectId, name: &str, index: usize) -> Result<Option<ObjectId>, ModelError> {
        self.budget.spend(1)?;
        self.inner.child_at(id, name, index)
    }

    fn get_as(&self, asker: Asker, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        self.budget.spend(1)?;
        let value = self.inner.get_as(asker, id, member)?;
        self.budget.spend(steps_of(&value))?;
        Ok(value)
    }

    fn set_as(&mut self, asker: Asker, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        self.budget.spend(1)?;
        self.inner.set_as(asker, id, member, value)
    }

    fn call_as(&mut self, asker: Asker, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        self.spend_long_step()?;
        self.inner.call_as(asker, id, function, args)
    }

    fn call_later(&mut self, id: ObjectId, function: &str, args: &[Value]) -> Result<(), ModelError> {
        self.spend_long_step()?;
        self.inner.call_later(id, function, args)
    }

    fn notes(&self, clip: ObjectId) -> Result<Vec<Note>, ModelError> {
        self.spend_long_step()?;
        let notes = self.inner.notes(clip)?;
        self.budget.spend(notes.len() as u64)?;
        Ok(notes)
    }

    fn replace_notes(&mut self, clip: ObjectId, notes: Vec<Note>) -> Result<(), ModelError> {
        self.spend_long_step()?;
        self.budget.spend(notes.len() as u64)?;
        self.inner.replace_notes(clip, notes)
    }

    fn capability(&self, capability: Capability) -> Result<(), ModelError> {
        self.inner.capability(capability)
    }

    fn settle(&mut self) -> Result<(), ModelError> {
        self.inner.settle()
    }

    fn look_ahead(&self, objects: &[Origin]) -> Result<(), ModelError> {
        self.budget.spend(objects.len() as u64)?;
        self.inner.look_ahead(objects)
    }

    fn begin_target(&mut self, target: usize) {
        self.inner.begin_target(target);
    }

    fn land(&mut self) -> Result<Vec<LandedTarget>, ModelError> {
        self.inner.land()
    }

    fn get(&self, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        self.budget.spend(1)?;
        let value = self.inner.get(id, member)?;
        self.budget.spend(steps_of(&value))?;
        Ok(value)
    }

    fn set(&mut self, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        self.budget.spend(1)?;
        self.inner.set(id, member, value)
    }

    fn call(&mut self, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        self.spend_long_step()?;
        self.inner.call(id, function, args)
    }

    fn resolve(&self, path: &str) -> Result<Option<ObjectId>, ModelError> {
        self.budget.spend(1)?;
        self.inner.resolve(path)
    }
}

impl<S: DerefMut> HostFacts for MeteredSession<S>
where
    <S as Deref>::Target: Session,
{
    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    fn live_version(&self) -> &str {
        self.inner.live_version()
    }

    fn set_name(&self) -> Result<String, ModelError> {
        self.inner.set_name()
    }

    fn clock(&self) -> Result<Clock, ModelError> {
        self.inner.clock()
    }

    fn spelling(&self) -> Spelling {
        self.inner.spelling()
    }

    fn remark(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        self.inner.remark(id)
    }

    fn kept_words(&self, object: ObjectId) -> Result<Option<String>, ModelError> {
        self.inner.kept_words(object)
    }

    fn readout(&self, parameter: ObjectId) -> Result<Option<Readout>, ModelError> {
        self.budget.spend(1)?;
        self.inner.readout(parameter)
    }

    fn label_of(&self, parameter: ObjectId, raw: f64) -> Result<Option<String>, ModelError> {
        self.budget.spend(1)?;
        self.inner.label_of(parameter, raw)
    }

    fn labels_of(&self, parameter: ObjectId, raws: &[f64]) -> Result<Vec<Option<String>>, ModelError> {
        self.budget.spend(raws.len() as u64)?;
        self.inner.labels_of(parameter, raws)
    }

    fn shown_number(&self, parameter: ObjectId, raw: f64) -> Result<Option<f64>, ModelError> {
        self.budget.spend(1)?;
        self.inner.shown_number(parameter, raw)
    }

    fn raw_of(&self, parameter: ObjectId, number: f64) -> Result<Option<f64>, ModelError> {
        self.budget.spend(1)?;
        self.inner.raw_of(parameter, number)
    }

    fn macro_mappings(&self, rack: ObjectId) -> Result<Option<Vec<MacroTarget>>, ModelError> {
        self.budget.spend(1)?;
        self.inner.macro_mappings(rack)
    }

    fn midi_output(&self, track: ObjectId) -> Result<Option<MidiOutput>, ModelError> {
        self.budget.spend(1)?;
        self.inner.midi_output(track)
    }

    fn sounds(&self, object: ObjectId) -> Result<Option<String>, ModelError> {
        self.budget.spend(1)?;
        self.inner.sounds(object)
    }

    fn modulation(&self, device: ObjectId, row: usize, source: usize) -> Result<Option<f64>, ModelError> {
        self.budget.spend(1)?;
        self.inner.modulation(device, row, source)
    }

    fn routed_track(&self, identifier: &str) -> Result<Option<ObjectId>, ModelError> {
        self.budget.spend(1)?;
        self.inner.routed_track(identifier)
    }

    fn routing_choices(&self, track: ObjectId, list: &str) -> Result<Option<RoutingChoices>, ModelError> {
        let choices = self.inner.routing_choices(track, list)?;
        self.budget.spend(1 + choices.as_ref().map_or(0, |all| (all.before.len() + all.after.len()) as u64))?;
        Ok(choices)
    }

    fn tracks_to_route(&self, of: RoutedTracks) -> Result<Vec<(ObjectId, RoutingChoice)>, ModelError> {
        let tracks = self.inner.tracks_to_route(of)?;
        self.budget.spend(1 + tracks.len() as u64)?;
        Ok(tracks)
    }

    fn session_clips(&self, of: ObjectId) -> Result<Option<Vec<ObjectId>>, ModelError> {
        let clips = self.inner.session_clips(of)?;
        self.budget.spend(1 + clips.as_ref().map_or(0, |clips| clips.len() as u64))?;
        Ok(clips)
    }

    fn clip_facts(&self, clip: ObjectId) -> Result<Option<ClipFacts>, ModelError> {
        self.budget.spend(1)?;
        self.inner.clip_facts(clip)
    }

    fn reachable(&self) -> Result<(), ModelError> {
        self.inner.reachable()
    }

    fn link_facts(&self) -> Option<Json> {
        self.inner.link_facts()
    }

    fn own_devices(&self) -> Result<Vec<ObjectId>, ModelError> {
        self.budget.spend(1)?;
        self.inner.own_devices()
    }

    fn session_clip_count(&self, of: ObjectId) -> Result<Option<usize>, ModelError> {
        self.budget.spend(1)?;
        self.inner.session_clip_count(of)
    }

    fn version(&self) -> Option<SetVersion> {
        self.inner.version()
    }

    fn is_version(&self, version: &SetVersion) -> bool {
        self.inner.is_version(version)
    }

    fn reads_are_local(&self) -> bool {
        self.inner.reads_are_local()
    }

    fn save_device(&self, device: ObjectId) -> Result<Json, ModelError> {
        self.budget.spend(1)?;
        self.inner.save_device(device)
    }

    /// A snapshot is read within the same budget.
    fn snapshot(&self, scope: &Scope<'_>) -> Result<Option<Box<dyn Session + Send>>, ModelError> {
        self.budget.spend(1)?;
        let snapshot = self.inner.snapshot(scope)?;
        Ok(snapshot
            .map(|inner| Box::new(MeteredSession { inner, budget: self.budget.clone() }) as Box<dyn Session + Send>))
    }

    fn history(&self) -> Result<Box<dyn StepHistory>, ModelError> {
        self.budget.spend(1)?;
        self.inner.history()
    }
}

impl<S: DerefMut> HostEdits for MeteredSession<S>
where
    <S as Deref>::Target: Session,
{
    fn know_files(&mut self, files: AudioFiles) {
        self.inner.know_files(files);
    }

    fn create_locator(&mut self, at: Beats) -> Result<ObjectId, ModelError> {
        self.budget.spend(1)?;
        self.inner.create_locator(at)
    }

    fn delete_locator(&mut self, locator: ObjectId) -> Result<(), ModelError> {
        self.budget.spend(1)?;
        self.inner.delete_locator(locator)
    }

    fn split_clip(&mut self, clip: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.budget.spend(1)?;
        self.inner.split_clip(clip, at)
    }

    fn set_clip_end(&mut self, clip: ObjectId, at: Beats) -> Result<(), ModelError> {
        self.budget.spend(1)?;
        self.inner.set_clip_end(clip, at)
    }

    fn rebuild_clip(&mut self, clip: ObjectId, onto: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.budget.spend(1)?;
        self.inner.rebuild_clip(clip, onto, at)
    }

    fn draw_envelope(
        &mut self,
        clip: ObjectId,
        parameter: ObjectId,
        points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        self.budget.spend(1 + points.len() as u64)?;
        self.inner.draw_envelope(clip, parameter, points)
    }

    fn copy_device(&mut self, device: ObjectId, onto: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.budget.spend(1)?;
        self.inner.copy_device(device, onto, at)
    }

    fn copy_chain(&mut self, chain: ObjectId, rack: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.budget.spend(1)?;
        self.inner.copy_chain(chain, rack, at)
    }

    fn edit_macro(&mut self, rack: ObjectId, macro_index: usize, edit: MacroEdit) -> Result<(), ModelError> {
        self.budget.spend(1)?;
        self.inner.edit_macro(rack, macro_index, edit)
    }

    fn insert_from_browser(
        &mut self,
        item: &BrowserItem,
        onto: ObjectId,
        at: Option<usize>,
    ) -> Result<ObjectId, ModelError> {
        self.budget.spend(1)?;
        self.inner.insert_from_browser(item, onto, at)
    }

    fn swap_from_browser(&mut self, item: &BrowserItem, device: ObjectId) -> Result<ObjectId, ModelError> {
        self.budget.spend(1)?;
        self.inner.swap_from_browser(item, device)
    }

    fn convert_audio(&mut self, clip: ObjectId, to: &str) -> Result<ObjectId, ModelError> {
        self.budget.spend(1)?;
        self.inner.convert_audio(clip, to)
    }

    fn insert_saved_device(&mut self, saved: &Json, onto: ObjectId, at: Option<usize>) -> Result<ObjectId, ModelError> {
        self.budget.spend(1)?;
        self.inner.insert_saved_device(saved, onto, at)
    }

    fn put_set(&mut self, set: &SetVersion, place: SetPlace) -> Result<Vec<String>, ModelError> {
        self.spend_long_step()?;
        self.inner.put_set(set, place)
    }

    fn restore(&mut self, object: ObjectId, step: u64) -> Result<Restored, ModelError> {
        self.spend_long_step()?;
        self.inner.restore(object, step)
    }
}

#[cfg(test)]
mod tests {
    /// A method with a default that is not handed on would cost a host its own way of doing it.
    #[test]
    fn every_method_is_handed_on() {
        let (traits, here) = (include_str!("../object_model/model.rs"), include_str!("metered_session.rs"));
        // Of a session; the history is a value of its own.
        let traits = traits.split("pub trait StepHistory").next().unwrap_or_default();
        let methods = traits.lines().filter_map(|line| line.strip_prefix("    fn ")?.split(['(', '<']).next());
        let methods: Vec<&str> = methods.collect();
        assert!(methods.len() > 30, "{methods:?}");
        let missing: Vec<&&str> = methods.iter().filter(|name| !here.contains(&format!("    fn {name}("))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}

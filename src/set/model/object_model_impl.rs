//! What every object answers: each read, write and call is checked against the class table, then handed to the class.

use super::member_answer::{require_stored, unknown_member};
use super::object_ref::ObjectRef;
use super::set_state::{LateWrite, SetState};
use crate::music::Note;
use crate::object_model::check::{self, Asker};
use crate::object_model::class::Class;
use crate::object_model::host_values::Capability;
use crate::object_model::limits::MAX_NOTES_OF_SET;
use crate::object_model::path::Root;
use crate::object_model::{ModelError, ObjectId, ObjectModel, Value};
use crate::set::document::Document;

impl ObjectModel for SetState {
    fn root(&self, root: Root) -> Result<Option<ObjectId>, ModelError> {
        Ok(match root {
            Root::LiveSet => Some(ObjectRef::Song.id()),
            Root::LiveApp => Some(ObjectRef::Application.id()),
            Root::Id(id) => self.object_ref(id).map(|_| id),
            // The device is no object of the Set it holds, and nothing else surrounds it.
            Root::ThisDevice => None,
            Root::ControlSurface(at) => u16::try_from(at)
                .ok()
                .and_then(|index| self.object_ref(ObjectRef::ControlSurface(index).id()).map(ObjectRef::id)),
        })
    }

    fn class_of(&self, id: ObjectId) -> Result<Option<&'static Class>, ModelError> {
        Ok(self.object_ref(id).and_then(|target| self.class(target)))
    }

    fn path_of(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        Ok(self.object_ref(id).and_then(|target| self.path(target)))
    }

    fn child_count(&self, id: ObjectId, name: &str) -> Result<usize, ModelError> {
        let target = self.object_ref(id).ok_or(ModelError::NoObject)?;
        let class = self.class(target).ok_or(ModelError::NoObject)?;
        let child = class.children.get(name).ok_or_else(|| unknown_member(class, name))?;
        if child.list { self.list_len(target, name) } else { Ok(usize::from(self.single(target, name)?.is_some())) }
    }

    fn child_at(&self, id: ObjectId, name: &str, index: usize) -> Result<Option<ObjectId>, ModelError> {
        Ok(self.child_ref(id, name, index).map(ObjectRef::id))
    }

    fn get_as(&self, asker: Asker, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        let target = self.object_ref(id).ok_or(ModelError::NoObject)?;
        let class = self.class(target).ok_or(ModelError::NoObject)?;
        if let Some(child) = class.children.get(member).filter(|child| asker.may_reach(child.reach)) {
            if !child.list {
                return Ok(Value::Object(self.single(target, member)?.map(ObjectRef::id)));
            }
            return Ok(Value::Objects(self.list(target, member)?));
        }
        let property = check::readable(class, member, asker)?;
        match self.read(target, member) {
            Some(answer) => answer,
            None => require_stored(class, member).map(|()| self.stored(target, member, property)),
        }
    }

    fn set_as(&mut self, asker: Asker, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        let target = self.object_ref(id).ok_or(ModelError::NoObject)?;
        let class = self.class(target).ok_or(ModelError::NoObject)?;
        if let Some(child) = class.children.get(member).filter(|child| asker.may_reach(child.reach)) {
            if !child.writable() {
                return Err(ModelError::ReadOnly { member: member.to_owned() });
            }
            return self.write_child(target, member, &value);
        }
        if asker == Asker::Raw {
            self.begin_tick();
        }
        let value = clamped(target, member, value);
        if let ObjectRef::Scene(scene) = target
            && self.switch_off(scene, member, &value)
        {
            return Ok(());
        }
        let value = check::writable(class, member, value, asker)?;
        if asker == Asker::Raw && member == "display_value" {
            self.check_shown(target, &value)?;
        }
        // A member that this very object lacks (arm on the main track) fails on write as it does on read.
        // One without a value now (an uncoloured scene's colour) can be given one.
        if let Err(lacks @ ModelError::UnknownMember { .. }) = self.get_as(asker, id, member) {
            return Err(lacks);
        }
        if asker == Asker::Raw
            && let Some(member) = lands_late(target, member)
        {
            self.late_writes.push(LateWrite { target, member, value });
            return Ok(());
        }
        match self.write(target, member, &value) {
            Some(answer) => answer,
            None => require_stored(class, member).and_then(|()| self.store(target, member, &value)),
        }
    }

    fn call_as(&mut self, asker: Asker, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        let target = self.object_ref(id).ok_or(ModelError::NoObject)?;
        let class = self.class(target).ok_or(ModelError::NoObject)?;
        check::callable(class, function, args, asker)?;
        if asker == Asker::Raw {
            self.begin_tick();
        }
        let before = self.clone();
        let result = self.invoke(target, function, args);
        // Steps in the history bring back what was there.
        let adds = !matches!(function, "undo" | "redo");
        let result = result.and_then(|value| match before.refuse_added_notes(&self.document) {
            Err(why) if adds => Err(why),
            _ => Ok(value),
        });
        if result.is_err() {
            *self = before;
        } else {
            self.runtime.forget_removed(&before.document.index, &self.document.index);
        }
        result
    }

    fn settle(&mut self) -> Result<(), ModelError> {
        self.land_late_writes();
        self.end_call();
        self.tick = None;
        Ok(())
    }

    fn notes(&self, clip: ObjectId) -> Result<Vec<Note>, ModelError> {
        match self.object_ref(clip).ok_or(ModelError::NoObject)? {
            ObjectRef::Clip(serial) => Ok(self.midi_notes(serial)?.list.iter().map(|stored| stored.note).collect()),
            _ => Err(ModelError::refused("only a MIDI clip has notes")),
        }
    }

    fn replace_notes(&mut self, clip: ObjectId, notes: Vec<Note>) -> Result<(), ModelError> {
        match self.object_ref(clip).ok_or(ModelError::NoObject)? {
            ObjectRef::Clip(serial) => {
                let now = self.midi_notes(serial)?.list.len();
                let coming = self.document.note_count().saturating_sub(now as u64).saturating_add(notes.len() as u64);
                refuse_more_notes(self.document.note_count(), coming)?;
                self.edit_notes(serial, |kept| kept.replace(&notes))
            }
            _ => Err(ModelError::refused("only a MIDI clip has notes")),
        }
    }

    fn capability(&self, capability: Capability) -> Result<(), ModelError> {
        match capability {
            Capability::LiveEngine => Err(ModelError::Unable(
                "this needs a running Ableton Live; the Set inside the device has no audio engine".to_owned(),
            )),
            Capability::DryRun
            | Capability::History
            | Capability::Restore
            | Capability::LoopedClipGrowth
            | Capability::NewRacks
            | Capability::SavedDevices
            | Capability::Samples
            | Capability::WarpMarkers
            | Capability::Rendering => Ok(()),
        }
    }
}

impl SetState {
    /// Refuses a next document that has more notes than a Set may, and more than this one.
    pub(super) fn refuse_added_notes(&self, next: &Document) -> Result<(), ModelError> {
        refuse_more_notes(self.document.note_count(), next.note_count())
    }

    /// Makes an edit that may add notes; one that adds too many is undone and refused.
    pub(super) fn adding_notes<T>(
        &mut self,
        edit: impl FnOnce(&mut SetState) -> Result<T, ModelError>,
    ) -> Result<T, ModelError> {
        let before = self.clone();
        let made = edit(self).and_then(|made| before.refuse_added_notes(&self.document).map(|()| made));
        if made.is_err() {
            *self = before;
        }
        made
    }

    /// The `index`th object of a child list, or the single child; `None` where there is none.
    fn child_ref(&self, id: ObjectId, name: &str, index: usize) -> Option<ObjectRef> {
        let target = self.object_ref(id)?;
        let child = self.class(target)?.children.get(name)?;
        if child.list { self.list_item(target, name, index) } else { self.single(target, name).ok()? }
    }
}

/// A Set that has more notes than a Set may can lose some, and gets no more.
fn refuse_more_notes(now: u64, coming: u64) -> Result<(), ModelError> {
    if coming <= now.max(MAX_NOTES_OF_SET) {
        return Ok(());
    }
    Err(ModelError::refused(format!(
        "the Set would hold {coming} notes, and it takes {MAX_NOTES_OF_SET} at most: delete clips or notes, or use another Set"
    )))
}

/// The members that show a written value only when the call is over.
fn lands_late(target: ObjectRef, member: &str) -> Option<&'static str> {
    Some(match (target, member) {
        (ObjectRef::Song, "is_playing") => "is_playing",
        (ObjectRef::Song, "current_song_time") => "current_song_time",
        (ObjectRef::Song, "loop") => "loop",
        (ObjectRef::Clip(_), "warping") => "warping",
        _ => return None,
    })
}

/// The one kind of member whose writes Live brings into range instead of dropping them.
fn clamped(target: ObjectRef, member: &str, value: Value) -> Value {
    match (target, member, value) {
        (
            ObjectRef::Groove(_),
            "quantization_amount" | "velocity_amount",
            value @ (Value::Int(_) | Value::Float(_)),
        ) => value.as_f64().filter(|n| !n.is_nan()).map_or(value, |n| n.clamp(0.0, 100.0).into()),
        (_, _, value) => value,
    }
}

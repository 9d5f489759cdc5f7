//! The object model of a running Live, asked over the bridge.
//!
//! An exchange waits for one of Live's ticks, so there are as few as can be: what is looked at brings the usual members
//! of its object and of what that stands in; properties that are set wait for the next exchange; a function's exchange
//! reads anew what was read before, which it may have moved.

use super::bridge::Bridge;
use super::exchange::{Ask, CallLink, Change, Exchanges, MOST_WALKED, WaitingWrite, Written, unreadable};
use super::known::{Known, sorted};
use super::read_plan::ReadPlan;
use super::refusals::{LOOPED_GROWTH, NO_PRESETS, NO_WARP_MARKERS};
use super::wire_value::{from_wire, note_from_row, note_to_row, object, reference, to_wire};
use super::write_effects::{class_of_made, expected, is_pure, is_undoable, made_class, members_of_made, path_of_made};
use crate::music::{Meter, Note};
use crate::object_model::check::{self, Asker};
use crate::object_model::host_values::{Capability, LandedTarget};
use crate::object_model::model::OWN_DEVICE_INSIDE;
use crate::object_model::path::Root;
use crate::object_model::scope::Origin;
use crate::object_model::value::object_argument;
use crate::object_model::{Class, HostFacts, ModelError, ObjectId, ObjectModel, Value, class};
use parking_lot::Mutex;
use serde_json::{Value as Json, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// The number of the next call.
static NEXT_CALL: AtomicU64 = AtomicU64::new(1);

/// Live's objects as one call sees them.
pub struct LiveSession {
    pub(super) link: CallLink,
    pub(super) live_version: String,
    pub(super) exchanges: Arc<Mutex<Exchanges>>,
}

impl LiveSession {
    /// For a call that has until `deadline`. `has_written` is set as soon as Live is asked to change anything.
    pub fn new(bridge: Result<Arc<Bridge>, String>, deadline: Instant, has_written: Arc<AtomicBool>) -> LiveSession {
        let hello = bridge.as_ref().ok().and_then(|bridge| bridge.hello());
        let live_version = hello.map(|hello| hello.live_version).unwrap_or_default();
        let set = bridge.as_ref().map_or(0, |bridge| bridge.sets());
        LiveSession {
            link: CallLink { bridge, call: NEXT_CALL.fetch_add(1, Ordering::Relaxed), set, deadline, has_written },
            live_version,
            exchanges: Arc::default(),
        }
    }

    /// What Live was asked to change.
    pub fn written(&self) -> Written {
        self.exchanges.lock().written()
    }

    /// What Live made otherwise than was told.
    pub fn remarks(&self) -> Vec<String> {
        self.exchanges.lock().remarks().to_vec()
    }

    /// The meter of the song, if it was seen.
    pub fn seen_meter(&self) -> Option<Meter> {
        let exchanges = self.exchanges.lock();
        let whole = |name: &str| u32::try_from(exchanges.known.facts.get(name)?.as_u64()?).ok();
        let (numerator, denominator) = (whole("signature_numerator")?, whole("signature_denominator")?);
        format!("{numerator}/{denominator}").parse().ok()
    }

    pub(super) fn known<T>(&self, ask: impl FnOnce(&Known) -> Option<T>) -> Option<T> {
        ask(&self.exchanges.lock().known)
    }

    /// Sends what waits, and looks.
    pub(super) fn look(&self, plan: impl FnOnce(&Known, &mut ReadPlan)) -> Result<(), ModelError> {
        let mut exchanges = self.exchanges.lock();
        let mut read = ReadPlan::default();
        plan(&exchanges.known, &mut read);
        exchanges.exchange(&self.link, Ask { read, ..Ask::default() }, |_| ())?;
        Ok(())
    }

    /// Sends what waits, and looks at the object.
    pub(super) fn look_at(&self, id: ObjectId) -> Result<(), ModelError> {
        self.look(|known, plan| plan.object(id, known.kind_of(id)))
    }

    /// Whether the object was looked at.
    pub(super) fn is_read(&self, id: ObjectId) -> bool {
        self.exchanges.lock().known.is_read(id)
    }

    /// One step that changes nothing; gives its result.
    pub(super) fn read(&self, step: Json) -> Result<Json, ModelError> {
        let ask = Ask { steps: vec![step], ..Ask::default() };
        let mut results = self.exchanges.lock().exchange(&self.link, ask, |_| ())?;
        results.pop().unwrap_or_else(|| Err(unreadable()))
    }

    /// One step that may change anything; what was known is read anew behind it.
    pub(super) fn write(&mut self, step: Json, is_undoable: bool) -> Result<Json, ModelError> {
        let mut exchanges = self.exchanges.lock();
        let mut read = ReadPlan::default();
        exchanges.read_again(&mut read);
        let ask = Ask { steps: vec![step], writes: true, is_undoable, read };
        let mut results = exchanges.exchange(&self.link, ask, Known::forget_values)?;
        results.pop().unwrap_or_else(|| Err(unreadable()))
    }

    /// Has a write wait for the next exchange.
    pub(super) fn wait(&mut self, write: WaitingWrite) -> Result<(), ModelError> {
        let mut exchanges = self.exchanges.lock();
        if exchanges.waiting_count() >= MOST_WAITING {
            exchanges.send_waiting(&self.link)?;
        }
        exchanges.wait(write);
        Ok(())
    }

    /// Whether the running Live has a member that not every Live has; `what` needs it.
    pub(super) fn has_member(&self, member: &str, what: &str) -> Result<(), ModelError> {
        let hello = self.link.bridge.as_ref().ok().and_then(|bridge| bridge.hello());
        match hello.as_ref().and_then(|hello| hello.needs.get(member)) {
            Some(version) => Err(ModelError::Unable(format!("{what} needs Live {version} ({member})"))),
            None => Ok(()),
        }
    }

    /// The class of an object that has to be there.
    fn class(&self, id: ObjectId) -> Result<&'static Class, ModelError> {
        self.class_of(id)?.ok_or(ModelError::NoObject)
    }
}

impl ObjectModel for LiveSession {
    fn root(&self, root: Root) -> Result<Option<ObjectId>, ModelError> {
        let name = match root {
            Root::LiveSet => "live_set",
            Root::LiveApp => "live_app",
            Root::Id(id) => return Ok(self.class_of(id)?.map(|_| id)),
            // Another script's objects are no part of the session.
            Root::ThisDevice | Root::ControlSurface(_) => return Ok(None),
        };
        if self.known(|known| known.root(name)).is_none() {
            self.look(|_, plan| plan.path(name))?;
        }
        Ok(self.known(|known| known.root(name)))
    }

    fn class_of(&self, id: ObjectId) -> Result<Option<&'static Class>, ModelError> {
        // Of a device that is about to be made Live alone says whether it is a rack, a Simpler or another.
        let is_unsure =
            |known: &Known, class: &Class| known.is_expected(id) && matches!(class.name.as_str(), "Device" | "Chain");
        let known =
            |known: &Known| known.class_of(id).filter(|class| class.is_none_or(|class| !is_unsure(known, class)));
        if let Some(class) = self.known(known) {
            return Ok(class);
        }
        self.look_at(id)?;
        Ok(self.known(|known| known.class_of(id)).flatten())
    }

    fn path_of(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        let mut class = self.class_of(id)?;
        if self.known(|known| Some(known.is_expected(id) && known.path_of(id).is_none())) == Some(true) {
            self.look(|_, _| ())?;
            class = self.class_of(id)?;
        }
        Ok(class.and_then(|_| self.known(|known| known.path_of(id).map(str::to_owned))))
    }

    fn child_count(&self, id: ObjectId, name: &str) -> Result<usize, ModelError> {
        if let Some(count) = self.known(|known| known.count(id, name)) {
            return Ok(count);
        }
        let class = self.class(id)?;
        if !class.children.contains_key(name) {
            return Err(ModelError::UnknownMember { class: class.name.clone(), member: name.to_owned() });
        }
        if let Some(count) = self.known(|known| known.count(id, name)) {
            return Ok(count);
        }
        if !self.is_read(id) {
            self.look_at(id)?;
            if let Some(count) = self.known(|known| known.count(id, name)) {
                return Ok(count);
            }
        }
        let count = self.read(json!({ "do": "count", "of": reference(id), "member": name }))?;
        let count = count.as_u64().and_then(|count| usize::try_from(count).ok()).ok_or_else(unreadable)?;
        self.exchanges.lock().known.keep_count(id, name, count);
        Ok(count)
    }

    fn child_at(&self, id: ObjectId, name: &str, index: usize) -> Result<Option<ObjectId>, ModelError> {
        if let Some(child) = self.known(|known| known.child_at(id, name, index)) {
            return Ok(child);
        }
        let Some(child) = self.class_of(id)?.and_then(|class| class.children.get(name)) else { return Ok(None) };
        if let Some(child) = self.known(|known| known.child_at(id, name, index)) {
            return Ok(child);
        }
        let is_walked = |known: &Known| known.count(id, name).is_some_and(|count| (1..=MOST_WALKED).contains(&count));
        if WALKED.contains(&name) && is_walked(&self.exchanges.lock().known) {
            // Who asks for one by its place looks for the one at a time, and asks for its neighbours too.
            self.look(|known, plan| plan.list(id, known.kind_of(id), name))?;
            if let Some(child) = self.known(|known| known.child_at(id, name, index)) {
                return Ok(child);
            }
        }
        let mut exchanges = self.exchanges.lock();
        let mut read = ReadPlan::default();
        read.object(id, exchanges.known.kind_of(id));
        read.of_step(exchanges.waiting_count(), class::class(&child.class));
        let step = json!({ "do": "child", "of": reference(id), "member": name, "index": index });
        let mut results = exchanges.exchange(&self.link, Ask { steps: vec![step], read, ..Ask::default() }, |_| ())?;
        match results.pop().unwrap_or_else(|| Err(unreadable())) {
            Ok(child) => Ok(object(&child)),
            Err(error) if error.is_absence() => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn get_as(&self, asker: Asker, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        let class = self.class(id)?;
        let child = class.children.get(member).filter(|child| asker.may_reach(child.reach));
        let kind = match child {
            Some(_) => None,
            None => Some(check::readable(class, member, asker)?.kind),
        };
        let found = |known: &Known| -> Option<Result<Value, ModelError>> {
            if let Some(value) = known.value(id, member, kind) {
                return Some(Ok(value));
            }
            if let Some(why) = known.refusal(id, member) {
                let path = known.path_of(id).unwrap_or_default();
                return Some(Err(if is_without(class, path) {
                    ModelError::UnknownMember { class: class.name.clone(), member: member.to_owned() }
                } else {
                    ModelError::Refused(why.to_owned())
                }));
            }
            let (child, ids) = (child?, known.children(id, member)?);
            Some(Ok(if child.list { Value::Objects(ids) } else { Value::Object(ids.first().copied()) }))
        };
        if let Some(value) = self.known(found) {
            self.exchanges.lock().rely_on(id, member);
            return value;
        }
        if !self.is_read(id) {
            self.look_at(id)?;
            if let Some(value) = self.known(found) {
                return value;
            }
        }
        if (class.name.as_str(), member) == ("Clip", "automation_envelopes") {
            return self.envelopes(id);
        }
        let value = self.read(json!({ "do": "get", "of": reference(id), "member": member }))?;
        self.exchanges.lock().known.keep_value(id, member, &value);
        Ok(from_wire(value, kind))
    }

    fn set_as(&mut self, asker: Asker, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        let class = self.class(id)?;
        let is_child = class.children.get(member).is_some_and(|child| child.writable() && asker.may_reach(child.reach));
        let value = if is_child { value } else { check::writable(class, member, value, asker)? };
        let path = self.known(|known| known.path_of(id).map(str::to_owned)).unwrap_or_default();
        let wire = to_wire(&value);
        let expected = if is_child { None } else { expected(class, &path, member, &value) };
        let step = json!({ "do": "set", "of": reference(id), "member": member, "value": wire });
        let change = Change::Property { member: member.to_owned(), expected };
        let mut write = WaitingWrite::new(step, id, change, is_undoable(&class.name, member));
        write.is_raw = asker == Asker::Raw;
        self.wait(write)
    }

    fn call_as(&mut self, asker: Asker, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        let class = self.class(id)?;
        let table = check::callable(class, function, args, asker)?;
        // Tools look for themselves, and know which one is a copy.
        if asker != Asker::Tool && DELETES.contains(&function) {
            self.refuse_own_device(id, function, args)?;
        }
        let kinds = table.args.iter().map(|argument| argument.kind.as_deref().unwrap_or_default());
        let sent: Vec<Json> = args.iter().zip(kinds.chain(std::iter::repeat(""))).map(argument_to_wire).collect();
        let mut step = json!({ "do": "call", "of": reference(id), "function": function, "args": sent });
        let made = class.functions.get(function).and_then(|function| made_class(&function.returns));
        // The raw tool tells at once whether anything was made.
        if asker == Asker::Tool
            && let (Some(made), Some(free)) = (made, self.link.free_id())
        {
            step["as"] = json!(free.0);
            let made = class_of_made(&self.exchanges.lock().known, id, function, args.first(), made);
            let path = self.known(|known| path_of_made(known, id, function, args.first()));
            let members = members_of_made(function, args.first());
            let change = Change::Object { class: made, parent: id, path, members };
            self.wait(WaitingWrite::new(step, free, change, true))?;
            return Ok(Value::Object(Some(free)));
        }
        let given = if is_pure(function) {
            self.read(step)?
        } else {
            if matches!(function, "undo" | "redo") {
                // Inside one step with them it would take them back.
                self.exchanges.lock().send_waiting(&self.link)?;
            }
            self.write(step, is_undoable(&class.name, function))?
        };
        Ok(from_wire(given, None))
    }

    fn call_later(&mut self, id: ObjectId, function: &str, args: &[Value]) -> Result<(), ModelError> {
        match self.placed_edit(id, function, args) {
            Some(write) => self.wait(write),
            None => self.call(id, function, args).map(drop),
        }
    }

    fn notes(&self, clip: ObjectId) -> Result<Vec<Note>, ModelError> {
        if let Some(notes) = self.known(|known| known.notes(clip).map(<[Note]>::to_vec)) {
            return Ok(notes);
        }
        let mut exchanges = self.exchanges.lock();
        // Who named several clips looks at the notes of each.
        let others = exchanges.clips_ahead().into_iter().filter(|other| *other != clip);
        let clips: Vec<ObjectId> = std::iter::once(clip).chain(others).collect();
        let steps = clips.iter().map(|clip| json!({ "do": "notes", "of": reference(*clip) })).collect();
        let results = exchanges.exchange(&self.link, Ask { steps, ..Ask::default() }, |_| ())?;
        let mut asked = Err(unreadable());
        for (of, rows) in clips.into_iter().zip(results) {
            let read = |rows: Json| Some(sorted(rows.as_array()?.iter().filter_map(note_from_row).collect()));
            let notes = rows.and_then(|rows| read(rows).ok_or_else(unreadable));
            if let Ok(notes) = &notes {
                exchanges.known.keep_notes(of, notes.clone());
            }
            if of == clip {
                asked = notes;
            }
        }
        asked
    }

    fn replace_notes(&mut self, clip: ObjectId, notes: Vec<Note>) -> Result<(), ModelError> {
        let rows: Vec<Json> = notes.iter().map(note_to_row).collect();
        let step = json!({ "do": "replace_notes", "of": reference(clip), "rows": rows });
        self.wait(WaitingWrite::new(step, clip, Change::Notes(sorted(notes)), true))
    }

    fn capability(&self, capability: Capability) -> Result<(), ModelError> {
        let why = match capability {
            Capability::Samples => return self.has_member("SimplerDevice.replace_sample", "loading a sample"),
            Capability::LiveEngine => return Ok(()),
            Capability::LoopedClipGrowth => LOOPED_GROWTH,
            Capability::SavedDevices => NO_PRESETS,
            Capability::NewRacks => match self.needs_for(&NEW_RACKS) {
                Some(version) => return Err(ModelError::Unable(format!("making racks needs Live {version}"))),
                None => return Ok(()),
            },
            Capability::WarpMarkers => NO_WARP_MARKERS,
            Capability::DryRun => {
                "there are no dry runs on Ableton Live: what it is told, it does, and a batch that fails keeps what it did"
            }
            Capability::History => "Ableton Live tells nothing of its steps: svc-manage undo goes back one by one",
            Capability::Rendering => {
                "Ableton Live renders its Set itself (File > Export Audio/Video), and nothing of its sound is heard here"
            }
            Capability::Restore => "Ableton Live brings nothing back alone: svc-manage undo goes back one by one",
        };
        Err(ModelError::Unable(why.to_owned()))
    }

    fn look_ahead(&self, objects: &[Origin]) -> Result<(), ModelError> {
        let is_unknown = |object: &&Origin| match object {
            Origin::Id(id) => !self.is_read(*id),
            Origin::Path(path) => !self.known(|known| known.at_path(path)).is_some_and(|id| self.is_read(id)),
        };
        let unknown: Vec<&Origin> = objects.iter().filter(is_unknown).take(MOST_AHEAD).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        self.exchanges.lock().ahead.extend(unknown.iter().map(|object| (*object).clone()));
        self.look(|known, plan| {
            plan.path("live_set");
            for object in unknown {
                match object {
                    Origin::Id(id) => plan.object(*id, known.kind_of(*id)),
                    Origin::Path(path) => plan.path(path),
                }
            }
        })
    }

    fn begin_target(&mut self, target: usize) {
        self.exchanges.lock().begin_target(target);
    }

    fn land(&mut self) -> Result<Vec<LandedTarget>, ModelError> {
        self.exchanges.lock().land(&self.link)
    }

    fn settle(&mut self) -> Result<(), ModelError> {
        let mut exchanges = self.exchanges.lock();
        let of_target = exchanges.land(&self.link)?.into_iter().find_map(|landed| landed.failed.into_iter().next());
        exchanges.take_failure().or(of_target).map_or(Ok(()), Err)
    }

    fn resolve(&self, path: &str) -> Result<Option<ObjectId>, ModelError> {
        let path = path.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(id) = self.known(|known| known.at_path(&path)) {
            return Ok(Some(id));
        }
        let first = path.split(' ').next().unwrap_or_default();
        if matches!(first, "live_set" | "live_app") {
            self.look(|_, plan| plan.path(&path))?;
            if let Some(id) = self.known(|known| known.at_path(&path)) {
                return Ok(Some(id));
            }
        }
        Ok(object(&self.read(json!({ "do": "resolve", "path": path }))?))
    }
}

/// The most objects that are looked at before they are asked for.
const MOST_AHEAD: usize = 200;
/// The most writes of one program, which is never cut: Live's window waits for it.
const MOST_WAITING: usize = 1_000;
/// Lists that tools walk until they find what they look for.
const WALKED: [&str; 2] = ["arrangement_clips", "cue_points"];

/// What making racks takes.
const NEW_RACKS: [&str; 3] = ["Track.insert_device", "RackDevice.insert_chain", "Song.move_device"];

/// Functions that delete by a place in a list.
const DELETES: [&str; 4] = ["delete_track", "delete_return_track", "delete_device", "delete_all_chains"];

impl LiveSession {
    /// Which version of Live has the first of these members that this one lacks; `None` where it has all.
    fn needs_for(&self, members: &[&str]) -> Option<String> {
        let hello = self.link.bridge.as_ref().ok()?.hello()?;
        members.iter().find_map(|member| hello.needs.get(*member).cloned())
    }

    /// A plugin of this product may be the one that answers the call.
    fn refuse_own_device(&self, of: ObjectId, function: &str, args: &[Value]) -> Result<(), ModelError> {
        let own = self.own_devices()?;
        if own.is_empty() {
            return Ok(());
        }
        let route = self.path_of(of)?.unwrap_or_default();
        let at = match args.first() {
            Some(Value::Int(at)) => *at,
            _ => 0,
        };
        let doomed = match function {
            "delete_track" => format!("{route} tracks {at}"),
            "delete_return_track" => format!("{route} return_tracks {at}"),
            "delete_device" => format!("{route} devices {at}"),
            _ => route,
        };
        for own in own {
            let own = self.path_of(own)?.unwrap_or_default();
            if own == doomed || own.starts_with(&format!("{doomed} ")) {
                return Err(ModelError::refused(OWN_DEVICE_INSIDE));
            }
        }
        Ok(())
    }
}

/// An argument of that kind of the class table: an object may be given as a text, such as `id 5`.
fn argument_to_wire((value, kind): (&Value, &str)) -> Json {
    let is_object = kind.split([' ', '[']).next() == Some("id");
    match object_argument(value).filter(|_| is_object) {
        Some(object) => to_wire(&Value::Object(object)),
        None => to_wire(value),
    }
}

/// Whether the object is one of those that have not all members of their class: Live refuses to read the others.
fn is_without(class: &Class, path: &str) -> bool {
    class.name == "Track" && !path.starts_with("live_set tracks ")
}

//! What a call knows of Live, and what it has written and Live has not been told yet: writes wait for the exchange that
//! brings the next thing that has to be looked up, or for the end of the call.

use super::bridge::Bridge;
use super::known::{Known, ReadMembers, sorted};
use super::link::RequestError;
use super::read_plan::ReadPlan;
use super::wire_value::{model_error, note_from_row, object};
use super::write_effects::{moves_an_edge, stands_alone};
use crate::music::Note;
use crate::music::note::any_meet;
use crate::object_model::class::ValueKind;
use crate::object_model::host_values::LandedTarget;
use crate::object_model::scope::Origin;
use crate::object_model::{Class, ModelError, ObjectId, Value};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The most objects that are read anew with a write that may have moved them.
const MOST_READ_AGAIN: usize = 400;
/// The most objects of a list that are brought at once where a tool walks it.
pub const MOST_WALKED: usize = 100;
/// The most notes that are.
const MOST_NOTES_AGAIN: usize = 4_000;

/// The link of one call.
#[derive(Clone)]
pub struct CallLink {
    /// Or why there is none.
    pub bridge: Result<Arc<Bridge>, String>,
    /// Its number, by which its programs share a step of undo.
    pub call: u64,
    /// The Set that it is about, by [`Bridge::sets`].
    pub set: u64,
    pub deadline: Instant,
    /// Told as soon as Live is asked to change anything.
    pub has_written: Arc<AtomicBool>,
}

/// See the [module](self).
#[derive(Default)]
pub struct Exchanges {
    pub known: Known,
    waiting: Vec<WaitingWrite>,
    /// What was answered from what a waiting write is expected to come to.
    relied_on: HashSet<(ObjectId, String)>,
    /// The target that is being written.
    target: Option<usize>,
    landed: BTreeMap<usize, LandedTarget>,
    /// Why an object could not be made on which the call goes on.
    not_made: Option<ModelError>,
    /// Those that were not: what was to be done with them comes to nothing.
    unmade: HashSet<ObjectId>,
    /// Of writes that belong to no target.
    failure: Option<ModelError>,
    /// What Live made otherwise than it was told here.
    remarks: Vec<String>,
    written: Written,
    /// The devices of this product, once they were looked for.
    pub own_devices: Option<Vec<ObjectId>>,
    /// What the call said that it will look at.
    pub ahead: Vec<Origin>,
    /// Tracks on whose timelines a clip is about to be made: which clips they have then is read with it.
    timelines: Vec<ObjectId>,
}

/// What a call wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    pub programs: usize,
    /// Those that are steps of Live's undo.
    pub undo_steps: usize,
}

/// A property to be set, notes to be written, or an object to be made.
pub struct WaitingWrite {
    pub step: Json,
    /// Of whom; of an object to be made, itself.
    pub id: ObjectId,
    pub change: Change,
    /// Whether Live's undo takes it back.
    pub is_undoable: bool,
    /// Nobody is told when Live refuses it: the raw tool's writes answer the same either way.
    pub is_raw: bool,
    target: Option<usize>,
}

/// Whether Live may have begun with a request.
#[derive(Clone, Copy, Debug)]
struct IsBegun(bool);

/// What a write changes.
pub enum Change {
    Property {
        member: String,
        /// What it is taken to be from now on, if that is known.
        expected: Option<Json>,
    },
    /// What the clip will hold.
    Notes(Vec<Note>),
    /// It makes the object, in another.
    Object {
        class: &'static Class,
        parent: ObjectId,
        /// Where it will stand, if that is sure.
        path: Option<String>,
        /// What is sure of it.
        members: Map<String, Json>,
    },
    Deletion,
}

/// The steps of an exchange beside the writes that wait.
#[derive(Default)]
pub struct Ask {
    pub steps: Vec<Json>,
    /// Whether they change anything, and whether Live's undo takes that back.
    pub writes: bool,
    pub is_undoable: bool,
    pub read: ReadPlan,
}

impl WaitingWrite {
    pub fn new(step: Json, id: ObjectId, change: Change, is_undoable: bool) -> WaitingWrite {
        WaitingWrite { step, id, change, is_undoable, is_raw: false, target: None }
    }

    /// Whether objects stand elsewhere afterwards.
    fn moves_places(&self) -> bool {
        matches!(self.change, Change::Object { .. } | Change::Deletion)
    }

    fn sets(&self, of: ObjectId, name: &str) -> bool {
        self.id == of && matches!(&self.change, Change::Property { member, .. } if member == name)
    }
}

impl Exchanges {
    pub fn written(&self) -> Written {
        self.written
    }

    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Has the answer say what Live made otherwise.
    pub fn remark(&mut self, text: String) {
        if !self.remarks.contains(&text) {
            self.remarks.push(text);
        }
    }

    pub fn begin_target(&mut self, target: usize) {
        self.target = Some(target);
    }

    pub fn waiting_count(&self) -> usize {
        self.waiting.len()
    }

    /// Sends the writes that wait, if there are any.
    pub fn send_waiting(&mut self, link: &CallLink) -> Result<(), ModelError> {
        if !self.waiting.is_empty() {
            self.exchange(link, Ask::default(), |_| ())?;
        }
        Ok(())
    }

    /// Has a write wait for the next exchange.
    pub fn wait(&mut self, mut write: WaitingWrite) {
        match &write.change {
            Change::Property { member, expected } => {
                self.known.expect_value(write.id, member, expected.clone(), stands_alone(member));
                if moves_an_edge(member) {
                    self.known.forget_lane_of(write.id);
                }
            }
            // What Live cuts is known when it has.
            Change::Notes(notes) if any_meet(notes) => self.known.forget_notes(write.id),
            Change::Notes(notes) => self.known.keep_notes(write.id, notes.clone()),
            Change::Object { class, parent, path, members } => {
                if path.is_none() {
                    let is_short = |count| count <= MOST_WALKED;
                    let is_timeline = self.known.count(*parent, "arrangement_clips").is_some_and(is_short);
                    if class.name == "Clip" && is_timeline && !self.timelines.contains(parent) {
                        self.timelines.push(*parent);
                    }
                    self.known.forget_places(*parent);
                }
                self.known.expect_made(write.id, class, path.clone(), members.clone());
            }
            Change::Deletion => self.known.expect_gone(write.id),
        }
        write.target = self.target;
        self.waiting.push(write);
    }

    /// The MIDI clips that the call said it will look at, and whose notes are not known yet.
    pub fn clips_ahead(&self) -> Vec<ObjectId> {
        let known = &self.known;
        let found = self.ahead.iter().filter_map(|origin| match origin {
            Origin::Id(id) => Some(*id),
            Origin::Path(path) => known.at_path(path),
        });
        let is_midi = |clip: &ObjectId| known.value(*clip, "is_midi_clip", Some(ValueKind::Bool));
        found.filter(|clip| is_midi(clip) == Some(Value::Bool(true)) && known.notes(*clip).is_none()).collect()
    }

    /// What is taken to be there was told to somebody.
    pub fn rely_on(&mut self, id: ObjectId, member: &str) {
        if self.waiting.iter().any(|write| write.sets(id, member)) {
            self.relied_on.insert((id, member.to_owned()));
        }
    }

    /// Everything that was read so far, to be read again.
    pub fn read_again(&self, plan: &mut ReadPlan) {
        let reads = self.known.reads();
        if reads.len() > MOST_READ_AGAIN {
            plan.path("live_set");
            return;
        }
        let with_notes = self.known.note_count() <= MOST_NOTES_AGAIN;
        for (id, members) in reads {
            plan.again(id, ReadMembers { notes: members.notes && with_notes, ..members });
        }
    }

    /// Sends the writes that wait and what is asked; gives the results of the latter. What was written is known
    /// afterwards; what else is read comes into [`Exchanges::known`], before which `forget` says what is no more true.
    pub fn exchange(
        &mut self,
        link: &CallLink,
        ask: Ask,
        forget: impl FnOnce(&mut Known),
    ) -> Result<Vec<Result<Json, ModelError>>, ModelError> {
        let Ask { steps, writes, is_undoable, mut read } = ask;
        let waiting = std::mem::take(&mut self.waiting);
        // What notes read back as is no more true where more is written behind them.
        let overtaken: Vec<ObjectId> = waiting
            .iter()
            .filter(|write| writes && matches!(write.change, Change::Notes(_)))
            .map(|write| write.id)
            .collect();
        let moves_places = waiting.iter().any(WaitingWrite::moves_places);
        if moves_places && !writes {
            self.read_again(&mut read);
        }
        let mut looked_at = HashSet::new();
        for write in waiting.iter().filter(|write| looked_at.insert(write.id)) {
            read.object(write.id, self.known.kind_of(write.id));
        }
        for track in std::mem::take(&mut self.timelines) {
            read.list(track, self.known.kind_of(track), "arrangement_clips");
        }
        let first = waiting.len();
        let all: Vec<Json> = waiting.iter().map(|write| write.step.clone()).chain(steps).collect();
        let is_program = !all.is_empty();
        let writes = writes || first > 0;
        let is_undoable = is_undoable || waiting.iter().any(|write| write.is_undoable);
        let named = std::mem::take(&mut read.named);
        let mut message = Map::new();
        message.insert("more".to_owned(), true.into());
        if is_program {
            message.insert("kind".to_owned(), "program".into());
            message.insert("steps".to_owned(), all.into());
            message.insert("undo".to_owned(), is_undoable.into());
            message.insert("go_on".to_owned(), true.into());
            if !read.is_empty() {
                let mut plan = Map::new();
                read.write_to(&mut plan);
                message.insert("read".to_owned(), plan.into());
            }
        } else {
            message.insert("kind".to_owned(), "read".into());
            read.write_to(&mut message);
        }
        let mut answer = self.request(link, message, writes)?;
        if moves_places {
            self.known.forget_values();
        }
        forget(&mut self.known);
        let mut highest = self.known.tell(&mut answer);
        self.written.undo_steps += usize::from(answer.get("began_step") == Some(&json!(true)));
        let results = if is_program { take_list(&mut answer, "results")? } else { Vec::new() };
        let late = if is_program { late_values(&mut answer) } else { Vec::new() };
        let mut read = if is_program { answer.remove("read").and_then(as_object) } else { Some(answer) };
        if let Some(read) = &mut read {
            highest = highest.max(self.known.tell(read));
            let parts = take_list(read, "parts").unwrap_or_default();
            for (found, named) in parts.iter().zip(named) {
                if let (Some(0), Some(id)) = (found.as_u64(), named) {
                    self.known.is_gone(id);
                }
            }
        }
        highest = highest.max(self.known.take_read(read.unwrap_or_default()));
        link.note_id(highest);
        let mut results = results.into_iter().map(step_result);
        for (at, write) in waiting.into_iter().enumerate() {
            let result = results.next().unwrap_or_else(|| Err(unreadable()));
            let landed_late = late.iter().find(|(step, ..)| *step == at);
            self.take_result(write, result, landed_late.map(|(_, value, landed)| (value, *landed)));
        }
        overtaken.into_iter().for_each(|clip| self.known.forget_notes(clip));
        match self.not_made.take() {
            Some(error) => Err(error),
            None => Ok(results.collect()),
        }
    }

    fn request(
        &mut self,
        link: &CallLink,
        message: Map<String, Json>,
        writes: bool,
    ) -> Result<Map<String, Json>, ModelError> {
        let answered = link.request(message, writes);
        let may_have_written = match &answered {
            Ok(answer) => !has_written_nothing(answer),
            Err((_, IsBegun(is_begun))) => *is_begun,
        };
        self.written.programs += usize::from(writes && may_have_written);
        answered.map_err(|(error, _)| error)
    }

    /// Makes or takes away the locator at a moment: the script moves the playhead there and back. Gives what was made.
    pub fn toggle_locator(&mut self, link: &CallLink, at: f64, present: bool) -> Result<Option<ObjectId>, ModelError> {
        let message = json!({ "kind": "locator", "at": at, "present": present });
        let answer = self.lasting(link, message, Known::forget_locators)?;
        Ok(answer.get("locator").and_then(Json::as_u64).filter(|id| *id > 0).map(ObjectId))
    }

    /// Sends what waits, and then a request that takes the script several ticks.
    pub fn lasting(
        &mut self,
        link: &CallLink,
        mut message: Json,
        forget: impl FnOnce(&mut Known),
    ) -> Result<Map<String, Json>, ModelError> {
        self.send_waiting(link)?;
        message["more"] = true.into();
        let mut answer = self.request(link, as_object(message).unwrap_or_default(), true)?;
        let steps = answer.get("undo_steps").and_then(Json::as_u64).and_then(|steps| usize::try_from(steps).ok());
        let began = usize::from(answer.get("began_step") == Some(&json!(true)));
        self.written.undo_steps += steps.unwrap_or(began);
        forget(&mut self.known);
        link.note_id(self.known.tell(&mut answer));
        Ok(answer)
    }

    fn take_result(&mut self, write: WaitingWrite, result: Result<Json, ModelError>, late: Option<(&Json, bool)>) {
        if self.unmade.contains(&write.id) {
            return;
        }
        let is_ok = result.is_ok();
        match (result, &write.change) {
            (Ok(now), Change::Property { member, expected }) => {
                let now = late.map_or(now, |(value, _)| value.clone());
                let relied_on = self.relied_on.remove(&(write.id, member.clone()));
                if let Some(expected) = expected.as_ref().filter(|expected| relied_on && !is_same(expected, &now)) {
                    let of = self.known.path_of(write.id).unwrap_or_default();
                    self.remarks.push(format!("Live made {member} of {of} {now}, not {expected}"));
                }
            }
            (Ok(rows), Change::Notes(told)) => {
                let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
                let notes = sorted(rows.iter().filter_map(note_from_row).collect());
                if notes.len() != told.len() {
                    let of = self.known.path_of(write.id).unwrap_or_default();
                    self.remarks.push(format!("of {} notes Live kept {} in {of}", told.len(), notes.len()));
                }
                self.known.keep_notes(write.id, notes);
            }
            (Ok(made), Change::Object { .. }) if object(&made) != Some(write.id) => self.not_made = Some(unreadable()),
            (Ok(_), Change::Object { .. } | Change::Deletion) => {}
            (Err(_), _) if write.is_raw => {}
            // What was to be done with it comes to nothing.
            (Err(error), Change::Object { .. }) => {
                self.unmade.insert(write.id);
                // Who is at it hears it at once; else it is told with its target.
                if write.target.is_none() || write.target == self.target {
                    self.not_made = self.not_made.take().or(Some(error));
                } else if let Some(target) = write.target {
                    self.landed_of(target).failed.push(error);
                }
            }
            (Err(error), _) => match write.target {
                Some(target) => self.landed_of(target).failed.push(error),
                None => self.failure = self.failure.take().or(Some(error)),
            },
        }
        if let Some(target) = write.target.filter(|_| is_ok) {
            self.landed_of(target).landed += 1;
        }
    }

    fn landed_of(&mut self, target: usize) -> &mut LandedTarget {
        self.landed.entry(target).or_insert_with(|| LandedTarget { target, landed: 0, failed: Vec::new() })
    }

    /// Sends what waits, and tells what became of the writes to targets.
    pub fn land(&mut self, link: &CallLink) -> Result<Vec<LandedTarget>, ModelError> {
        self.target = None;
        self.send_waiting(link)?;
        Ok(std::mem::take(&mut self.landed).into_values().collect())
    }

    /// Why a write failed that belongs to no target.
    pub fn take_failure(&mut self) -> Option<ModelError> {
        self.failure.take()
    }
}

impl CallLink {
    /// With an error comes whether Live may have begun with it.
    fn request(
        &self,
        mut message: Map<String, Json>,
        writes: bool,
    ) -> Result<Map<String, Json>, (ModelError, IsBegun)> {
        message.insert("call".to_owned(), self.call.into());
        let bridge = self.bridge.as_ref().map_err(|why| (ModelError::Unreachable(why.clone()), IsBegun(false)))?;
        // Before it is sent: who gives up meanwhile has to say what may be left.
        let had_written = writes && self.has_written.swap(true, Ordering::AcqRel);
        let answered = bridge.request(self.set, message, self.deadline);
        if writes && answered.as_ref().is_ok_and(has_written_nothing) {
            self.has_written.store(had_written, Ordering::Release);
        }
        answered.map_err(|error| {
            let begun =
                IsBegun(!matches!(error, RequestError::NotAsked(_) | RequestError::Refused { started: false, .. }));
            if writes && !begun.0 {
                self.has_written.store(had_written, Ordering::Release);
            }
            let error = match error {
                // What only reads is done again without harm.
                RequestError::NoAnswer(why) if !writes => ModelError::Unreachable(why),
                error => ModelError::from(error),
            };
            (error, begun)
        })
    }

    /// An id that no object has.
    pub fn free_id(&self) -> Option<ObjectId> {
        Some(ObjectId(self.bridge.as_ref().ok()?.take_id()))
    }

    fn note_id(&self, highest: u64) {
        if let Ok(bridge) = &self.bridge {
            bridge.note_id(highest);
        }
    }
}

/// Whether Live refused each write of a program.
fn has_written_nothing(answer: &Map<String, Json>) -> bool {
    answer.get("wrote") == Some(&json!(false))
}

pub fn unreadable() -> ModelError {
    ModelError::Unreachable("the script in Live answered in a way that this device does not know".to_owned())
}

fn as_object(json: Json) -> Option<Map<String, Json>> {
    match json {
        Json::Object(map) => Some(map),
        _ => None,
    }
}

fn take_list(answer: &mut Map<String, Json>, name: &str) -> Result<Vec<Json>, ModelError> {
    match answer.remove(name) {
        Some(Json::Array(list)) => Ok(list),
        _ => Err(unreadable()),
    }
}

/// Of which step, what it came to, and whether that is what was sent.
fn late_values(answer: &mut Map<String, Json>) -> Vec<(usize, Json, bool)> {
    let late = take_list(answer, "late").unwrap_or_default();
    let read = |one: Json| {
        let step = usize::try_from(one.get("step")?.as_u64()?).ok()?;
        Some((step, one.get("value")?.clone(), one.get("landed") == Some(&json!(true))))
    };
    late.into_iter().filter_map(read).collect()
}

fn step_result(result: Json) -> Result<Json, ModelError> {
    let Json::Object(mut result) = result else { return Err(unreadable()) };
    match (result.remove("ok"), result.remove("error")) {
        (_, Some(Json::Object(error))) => {
            let text = |name: &str| error.get(name).and_then(Json::as_str).unwrap_or_default();
            Err(model_error(text("code"), text("text"), &error))
        }
        (Some(ok), _) => Ok(ok),
        _ => Err(unreadable()),
    }
}

/// Live keeps most numbers as 32-bit floats.
fn is_same(expected: &Json, now: &Json) -> bool {
    match (expected.as_f64(), now.as_f64()) {
        (Some(expected), Some(now)) => (expected - now).abs() <= f64::from(f32::EPSILON) * expected.abs().max(1.0),
        _ => expected == now || expected.as_bool().map(u64::from).is_some_and(|b| now.as_u64() == Some(b)),
    }
}

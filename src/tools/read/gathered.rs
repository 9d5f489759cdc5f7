//! What a read gathered with the Set at hand, to be written out away from it: plain fields, notes still to be
//! formatted, and objects inside. See D24 in `docs/decisions.md`.

use crate::music::{Meter, Note};
use crate::notation::{self, Notation};
use crate::object_model::scope::{Part, Scope, Shape};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::picture::{self, PianoRoll};
use crate::tools::address::targets::{self, Target, TargetKind};
use crate::tools::answer_size;
use crate::tools::budget::{Budget, MAX_ANSWER_BYTES};
use crate::tools::call::{CallContext, PreparedCall, prepared_read};
use crate::tools::error::ToolError;
use crate::tools::read::target_scope;
use crate::tools::report::target_result;
use crate::tools::report::write_targets;
use crate::tools::request::RequestContext;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// One object's part of a read.
#[derive(Debug, Default)]
pub struct Gathered {
    pub fields: Map<String, Value>,
    pub notes: Option<GatheredNotes>,
    /// A picture to be drawn.
    pub roll: Option<PianoRoll>,
    /// Lists of objects, by the field that holds them.
    pub lists: Vec<(&'static str, Vec<Gathered>)>,
    /// Of a target that is named again: the position of the entry that it repeats.
    pub repeats: Option<usize>,
}

/// The notes of a clip, muted ones already left out.
#[derive(Debug)]
pub struct GatheredNotes {
    pub notes: Vec<Note>,
    pub meter: Meter,
    /// On a track with a drum rack.
    pub drums: bool,
}

/// The notes that an answer holds already, by their text, with the id of their clip.
struct NotesSoFar {
    of: HashMap<String, (String, Vec<Note>, Meter)>,
    /// Only one clip of the answer has notes: nothing is kept.
    is_lone: bool,
}

/// Shorter notes are written again rather than pointed to.
const FEW_NOTES_BYTES: usize = 32;

impl NotesSoFar {
    fn of(list: &[Gathered]) -> NotesSoFar {
        NotesSoFar { of: HashMap::new(), is_lone: list.iter().map(Gathered::clips_with_notes).sum::<usize>() < 2 }
    }

    /// The id of the earlier clip that has these very notes, written the same; else they are kept.
    fn same_as(&mut self, id: Option<&str>, written: &Value, notes: Vec<Note>, meter: Meter) -> Option<String> {
        let id = id.filter(|_| !self.is_lone)?;
        let text = match written {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        if text.len() <= FEW_NOTES_BYTES {
            return None;
        }
        if let Some((earlier, of, in_meter)) = self.of.get(&text) {
            return Some(earlier.clone()).filter(|_| *of == notes && *in_meter == meter);
        }
        self.of.insert(text, (id.to_owned(), notes, meter));
        None
    }
}

/// How notes are written.
#[derive(Clone, Copy, Debug)]
pub struct NoteStyle {
    pub notation: Notation,
    /// A JSON answer: `midi-json` gives a real array, its numbers in full precision.
    pub json: bool,
}

/// No single field but the notes and the picture is longer.
const LONGEST_FIELD: usize = 1024 * 1024;
/// So many notes are written on a worker.
const MANY_NOTES: usize = 500;

impl Gathered {
    pub fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.fields.insert(field.to_owned(), value.into());
    }

    pub fn set_if(&mut self, on: bool, field: &str) {
        if on {
            self.set(field, true);
        }
    }

    fn note_count(&self) -> usize {
        let own = self.notes.as_ref().map_or(0, |notes| notes.notes.len());
        own + self.lists.iter().flat_map(|(_, list)| list).map(Gathered::note_count).sum::<usize>()
    }

    fn clips_with_notes(&self) -> usize {
        let own = usize::from(self.notes.as_ref().is_some_and(|notes| !notes.notes.is_empty()));
        own + self.lists.iter().flat_map(|(_, list)| list).map(Gathered::clips_with_notes).sum::<usize>()
    }

    pub fn is_heavy(&self) -> bool {
        self.roll.is_some() || self.note_count() > MANY_NOTES
    }

    pub fn into_json(self, style: NoteStyle) -> Value {
        let mut so_far = NotesSoFar::of(std::slice::from_ref(&self));
        self.write_out(style, &Budget::default(), &mut so_far)
    }

    /// As [`Gathered::into_json`], as far as the budget lasts: what is used up ends the call, so that what is left out
    /// then is never shown. A picture that would come too late is left out with a `detail`.
    fn write_out(self, style: NoteStyle, budget: &Budget, so_far: &mut NotesSoFar) -> Value {
        let mut fields = self.fields;
        let own = fields.iter().map(|(name, value)| name.len() + answer_size::bytes_up_to(value, LONGEST_FIELD)).sum();
        if budget.spend_answer(own).is_err() {
            return Value::Null;
        }
        if let Some(GatheredNotes { notes, meter, drums }) = self.notes.filter(|n| !n.notes.is_empty()) {
            if budget.spend(notes.len() as u64).is_err() || budget.check().is_err() {
                return Value::Null;
            }
            let written = match style {
                NoteStyle { notation: Notation::MidiJson, json: true } => notation::format_array(&notes, meter),
                NoteStyle { notation, .. } => {
                    let written = notation::write(notation, &notes, meter, drums);
                    if let Some(losses) = written.approximations {
                        target_result::add_detail(&mut fields, losses);
                    }
                    Value::String(written.text)
                }
            };
            let id = fields.get("id").and_then(Value::as_str);
            let (field, value) = match so_far.same_as(id, &written, notes, meter) {
                Some(earlier) => ("sameNotesAs", Value::String(earlier)),
                None => ("notes", written),
            };
            let bytes = answer_size::bytes_up_to(&value, MAX_ANSWER_BYTES as usize + 1);
            if budget.spend_answer(bytes).is_err() {
                return Value::Null;
            }
            fields.insert(field.to_owned(), value);
        }
        if let Some(roll) = self.roll {
            let mut notes_left = |notes: usize| budget.spend(notes as u64).is_ok() && !budget.is_late();
            match roll.data_url(&mut notes_left) {
                Ok(url) if budget.spend_answer(url.len()).is_err() => return Value::Null,
                Ok(url) => {
                    fields.insert(picture::IMAGE_FIELD.to_owned(), url.into());
                }
                Err(why) => target_result::add_detail(&mut fields, why.to_string()),
            }
        }
        for (field, list) in self.lists {
            let mut written = Vec::with_capacity(list.len());
            for item in list {
                written.push(item.write_out(style, budget, so_far));
                if budget.used_up().is_some() {
                    break;
                }
            }
            fields.insert(field.to_owned(), written.into());
        }
        Value::Object(fields)
    }
}

/// The answer of a read: one entry for each target in call order; a lone one stands alone.
fn answer(mut list: Vec<Gathered>, style: NoteStyle, budget: &Budget) -> Value {
    let so_far = &mut NotesSoFar::of(&list);
    if list.len() == 1 {
        return list.pop().map_or(Value::Null, |one| one.write_out(style, budget, so_far));
    }
    let mut written: Vec<Value> = Vec::with_capacity(list.len());
    for one in list {
        let entry = match one.repeats.and_then(|before| written.get(before)) {
            Some(before) => {
                let bytes = answer_size::bytes_up_to(before, MAX_ANSWER_BYTES as usize + 1);
                budget.spend_answer(bytes).map(|()| before.clone()).unwrap_or_default()
            }
            None => one.write_out(style, budget, so_far),
        };
        if budget.used_up().is_some() {
            break;
        }
        written.push(entry);
    }
    Value::Array(written)
}

/// What every tool that reads objects takes.
#[derive(Deserialize)]
pub struct ReadArgs {
    id: Option<String>,
    path: Option<String>,
    #[serde(default)]
    pub include: Vec<String>,
}

impl ReadArgs {
    /// Refuses a call about more than `most` objects, where `what` of each would be too much for one answer.
    pub fn at_most(&self, most: usize, what: &str) -> Result<(), ToolError> {
        let named = |list: &Option<String>| list.as_deref().map_or(0, |text| text.split(',').count());
        match named(&self.id) + named(&self.path) {
            count if count > most => Err(ToolError::new(format!(
                "{what} at most {most} in one call, and {count} are named; ask for the rest in further calls"
            ))),
            _ => Ok(()),
        }
    }
}

/// More targets than this are read away from the Set.
const FEW_TARGETS: usize = 8;

/// The call of a read tool: `read` gathers one object from a snapshot, and `shape` says what it reads of it; notes are
/// written away from it.
pub fn job(
    args: &ReadArgs,
    view: &RequestContext,
    wanted: TargetKind,
    shape: impl Fn() -> Shape + Send + 'static,
    read: impl Fn(&dyn Session, ObjectId) -> Result<Gathered, ToolError> + Send + 'static,
) -> Result<Box<dyn PreparedCall>, ToolError> {
    let targets = targets::read(wanted, args.id.as_ref(), args.path.as_ref())?;
    // What a clip includes is its own; a track or scene brings all its clips along.
    let nested = wanted != TargetKind::Clip && !args.include.is_empty();
    Ok(job_of(
        targets,
        nested,
        view,
        move |session, target| target_scope::of_target(session, target, wanted, shape()),
        move |session, target, _| target.find(session, wanted),
        read,
    ))
}

/// As [`job`], for targets that `find` finds in a way of its own; what it has to warn of it puts into the list.
/// `of_target` says what is read of one.
pub fn job_of<T: Copy + Eq + Hash + 'static>(
    targets: Vec<Target>,
    large: bool,
    view: &RequestContext,
    of_target: impl Fn(&dyn Session, &Target) -> Result<Vec<Part>, ToolError> + Send + 'static,
    find: impl Fn(&dyn Session, &Target, &mut Vec<String>) -> Result<T, ToolError> + Send + 'static,
    read: impl Fn(&dyn Session, T) -> Result<Gathered, ToolError> + Send + 'static,
) -> Box<dyn PreparedCall> {
    let style = NoteStyle { notation: view.notation, json: view.json };
    let large = large || targets.len() > FEW_TARGETS;
    let targets: Arc<[Target]> = targets.into();
    let of_scope = targets.clone();
    let parts = move |session: &dyn Session| target_scope::parts(session, &of_scope, &of_target);
    of_snapshot(large, style, parts, move |session, call| each(session, call, &targets, &find, &read))
}

/// What the Set's guard was held for: all of the read, or no more than a snapshot.
enum Read<F> {
    Done(Vec<Gathered>),
    Away(Box<dyn Session + Send>, F),
}

/// A read that gathers from a snapshot of the `parts`, where the host gives one. A `large` one does so when the call is
/// finished, and holds up nobody.
pub fn of_snapshot<F>(
    large: bool,
    style: NoteStyle,
    parts: impl Fn(&dyn Session) -> Result<Vec<Part>, ModelError> + Send + 'static,
    gather: F,
) -> Box<dyn PreparedCall>
where
    F: FnOnce(&dyn Session, &mut CallContext) -> Result<Vec<Gathered>, ToolError> + Send + 'static,
{
    prepared_read(
        move |session, call| {
            let session: &dyn Session = session;
            if !large && session.reads_are_local() {
                return gather(session, call).map(Read::Done);
            }
            match session.snapshot(&Scope::new(&|| parts(session)))? {
                Some(snapshot) if large => Ok(Read::Away(snapshot, gather)),
                Some(snapshot) => gather(snapshot.as_ref(), call).map(Read::Done),
                None => gather(session, call).map(Read::Done),
            }
        },
        move |read, call| {
            let list = match read {
                Read::Done(list) => list,
                Read::Away(snapshot, gather) => gather(snapshot.as_ref(), call)?,
            };
            Ok(answer(list, style, &call.budget).into())
        },
        |read| match read {
            Read::Done(list) => list.iter().any(Gathered::is_heavy),
            Read::Away(..) => true,
        },
    )
}

/// Reads each target, one that is named again only once. One that is not there is an entry with `ok: false`; alone, it
/// refuses the call.
fn each<T: Copy + Eq + Hash>(
    session: &dyn Session,
    call: &mut CallContext,
    targets: &[Target],
    find: impl Fn(&dyn Session, &Target, &mut Vec<String>) -> Result<T, ToolError>,
    read: impl Fn(&dyn Session, T) -> Result<Gathered, ToolError>,
) -> Result<Vec<Gathered>, ToolError> {
    write_targets::warn_of_old_spellings(call, targets);
    let mut list: Vec<Gathered> = Vec::with_capacity(targets.len());
    let mut first: HashMap<T, usize> = HashMap::new();
    for (at, target) in targets.iter().enumerate() {
        // A read of one target runs to its end.
        let late = targets.len() > 1 && call.is_late();
        let found = if late {
            Err(ToolError::new(target_result::NOT_REACHED))
        } else {
            find(session, target, &mut call.warnings)
        };
        match found {
            Ok(found) => list.push(match *first.entry(found).or_insert(at) {
                before if before < at => Gathered { repeats: Some(before), ..Gathered::default() },
                _ => read(session, found)?,
            }),
            Err(why) if targets.len() == 1 || why.kind.ends_call() => return Err(why),
            Err(why) => {
                let mut miss = Gathered::default();
                miss.set(target.key, target.spelling.as_str());
                miss.set("ok", false);
                miss.set("detail", why.text);
                list.push(miss);
            }
        }
    }
    Ok(list)
}

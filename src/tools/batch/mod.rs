//! `svc-batch`: calls of other tools, made in order as one. On a host that can take writes back nothing of it is kept
//! unless all of it is. See D69 in `docs/decisions.md`.
//!
//! Each call is prepared when its turn comes, against the Set as the calls before it left it: what it refers to
//! ([`references`]) is known by then, and its notes are read in the meter that the Set has by then. Reads are answered
//! at once, as they may still be refused; what a write does outside the Set happens when the whole batch has committed.

mod eligible;
mod reference_text;
pub mod references;

use crate::object_model::{Scope, Session};
use crate::picture;
use crate::tools::address::model_read;
use crate::tools::answer_size;
use crate::tools::budget::{Budget, MAX_ANSWER_BYTES, MAX_TARGETS};
use crate::tools::call::{self, Answer, CallContext, InnerCall, InnerOutcome, PreparedCall};
use crate::tools::dry_run::saves_preset;
use crate::tools::error::ToolError;
use crate::tools::metered_session::MeteredSession;
use crate::tools::request::{CommittedSet, RequestContext};
use crate::tools::tool::{Param, ParamKind, Prepare, Tool};
use references::{Entry, Filling, Made};
use serde_json::{Map, Value, json};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};

pub use eligible::{holds, refusal};

pub static TOOL: Tool = Tool {
    name: "svc-batch",
    title: "Batch",
    read_only: false,
    destructive: true,
    description: |_| {
        "Several calls in order as one: one undo step, all or nothing. $1.id and $1.path in later ones are what call 1 made, of \
         several a list; $1.2.id the second."
            .to_owned()
    },
    params: &[
        Param::new("calls", ParamKind::Wide(calls, calls_taken), "up to 50").required(),
        Param::new("dryRun", ParamKind::Boolean, "answers, and keeps nothing"),
    ],
    aliases: &[],
    // Small models do one thing at a time well, and several at once badly.
    left_out_in_small_model: true,
    reads_files: |_| false,
    // By its calls, which whoever applies it knows.
    small: |_| false,
    prepare: Prepare::Seeing(|map, view| {
        let calls = SentCall::all(map)?;
        for (at, sent) in calls.iter().enumerate() {
            if let Some(why) = refusal(&sent.tool, sent.arguments.as_object()) {
                return Err(in_call(at, &sent.tool, ToolError::new(why), &[]));
            }
        }
        Ok(Box::new(Batch {
            saves_presets: calls.iter().any(|sent| sent.arguments.as_object().is_some_and(saves_preset)),
            has_references: calls.iter().any(|sent| references::may_be_in(&sent.arguments)),
            calls,
            view: view.clone(),
            done: Vec::new(),
            targets: 0,
            tracks_before: None,
            pictures: 0,
            filled_bytes: AtomicUsize::new(0),
        }))
    }),
};

/// Calls in one batch.
const MAX_CALLS: usize = 50;

/// Tracks that one call makes, whatever calls are inside it.
const MAX_TRACKS: usize = 100;

/// The parameter that makes a batch a dry run.
pub const DRY_RUN: &str = "dryRun";

/// The tools that a batch names, with their arguments; nothing where it is not of that form.
pub fn named_calls(arguments: &Map<String, Value>) -> impl Iterator<Item = (&str, Option<&Map<String, Value>>)> {
    let calls = arguments.get("calls").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    calls
        .iter()
        .filter_map(|call| Some((call.get("tool")?.as_str()?, call.get("arguments").and_then(Value::as_object))))
}

fn calls() -> Value {
    json!({
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_CALLS,
        "items": {
            "type": "object",
            "properties": { "tool": { "type": "string" }, "arguments": { "type": "object" } },
            "required": ["tool"],
        },
    })
}

/// Arguments are taken as a text of JSON too, and left out where there are none.
fn calls_taken() -> Value {
    json!({
        "type": "array",
        "minItems": 1,
        "maxItems": MAX_CALLS,
        "items": {
            "type": "object",
            "properties": { "tool": { "type": "string" }, "arguments": { "type": ["object", "string", "null"] } },
            "required": ["tool"],
            "additionalProperties": false,
        },
    })
}

struct SentCall {
    tool: String,
    /// `null` where there are none.
    arguments: Value,
}

impl SentCall {
    /// The calls of a batch. They are taken out of its arguments as they are: reading them through serde would make
    /// each of their maps anew.
    fn all(mut arguments: Map<String, Value>) -> Result<Vec<SentCall>, ToolError> {
        let Some(Value::Array(calls)) = arguments.get_mut("calls").map(Value::take) else {
            return Err(ToolError::about("calls", "must be a list of calls"));
        };
        let read = |call: Value| match call {
            Value::Object(call) => {
                let (mut tool, mut arguments) = (Value::Null, Value::Null);
                for (name, value) in call {
                    match name.as_str() {
                        "tool" => tool = value,
                        "arguments" => arguments = value,
                        _ => {}
                    }
                }
                match tool {
                    Value::String(tool) => Ok(SentCall { tool, arguments }),
                    _ => Err(ToolError::about("calls", "each call names its tool")),
                }
            }
            _ => Err(ToolError::about("calls", "each call is an object")),
        };
        calls.into_iter().map(read).collect()
    }

    fn into_arguments(self) -> Result<Map<String, Value>, ToolError> {
        match self.arguments {
            Value::Null => Ok(Map::new()),
            Value::Object(map) => Ok(map),
            Value::String(text) => serde_json::from_str(&text).map_err(|why| {
                ToolError::about("arguments", format!("an object, or a text of JSON that is one: {why}"))
            }),
            _ => Err(ToolError::about("arguments", "must be an object")),
        }
    }
}

/// A batch on its way.
struct Batch {
    calls: Vec<SentCall>,
    view: RequestContext,
    done: Vec<Done>,
    /// Entries that the calls answered so far.
    targets: usize,
    tracks_before: Option<usize>,
    pictures: usize,
    /// One of its calls saves a preset.
    saves_presets: bool,
    /// One of its calls may refer to another: otherwise nobody asks what their answers name.
    has_references: bool,
    /// Bytes of the arguments that references were filled in.
    filled_bytes: AtomicUsize,
}

/// A call that was carried out.
struct Done {
    tool: String,
    warnings: Vec<String>,
    outcome: Outcome,
    entries: Vec<Entry>,
    /// See [`CallContext::left_unchanged`].
    left_unchanged: bool,
}

enum Outcome {
    Answered(Value),
    /// A write: the rest of it waits until all is committed.
    Applied(Box<dyn PreparedCall>),
    /// On a host that cannot take back what was done before it.
    Failed(String),
}

/// Says of a refusal which call it is of.
fn in_call(at: usize, tool: &str, refusal: ToolError, warnings: &[String]) -> ToolError {
    let place = format!("call {} ({})", at + 1, crate::music::excerpt::excerpt(tool));
    let remarks: String = warnings.iter().map(|warning| format!("; {warning}")).collect();
    ToolError { text: format!("{place}: {}{remarks}", refusal.text), ..refusal }
}

impl Batch {
    /// The arguments with what their references stand for.
    fn fill(
        &self,
        sent: Map<String, Value>,
        session: &dyn Session,
        budget: &Budget,
    ) -> Result<Map<String, Value>, ToolError> {
        if !self.has_references {
            return Ok(sent);
        }
        let made: Vec<Made> = self.done.iter().map(|done| Made { entries: &done.entries }).collect();
        let filling = Filling { made: &made, session, budget, bytes: &self.filled_bytes };
        references::fill(sent, &filling)
    }

    /// What later calls can refer to of an answer.
    fn entries_of(&self, answer: Option<&Value>) -> Vec<Entry> {
        answer.filter(|_| self.has_references).map(references::entries_of).unwrap_or_default()
    }

    fn carry_out(
        &mut self,
        session: &mut dyn Session,
        call: &mut CallContext,
        sent: SentCall,
    ) -> Result<Done, (ToolError, Vec<String>)> {
        let plain = |refusal: ToolError| (refusal, Vec::new());
        let tool = sent.tool.clone();
        let filled = sent.into_arguments().and_then(|sent| self.fill(sent, session, &call.budget)).map_err(plain)?;
        let Some(inner) = call.inner.0.clone() else {
            return Err(plain(ToolError::new("no other tools are at hand here")));
        };
        let InnerCall { outcome, warnings } = inner.prepare(&tool, filled, &|| self.view_now(&*session, &call.budget));
        let mut job = match outcome {
            InnerOutcome::Prepared(job) => job,
            InnerOutcome::Refused(refusal) => return Err((self.with_reason(refusal), warnings)),
            InnerOutcome::Unchanged(result) => {
                return Ok(Done {
                    tool,
                    warnings,
                    outcome: Outcome::Answered(result),
                    entries: Vec::new(),
                    left_unchanged: false,
                });
            }
        };
        let mut context = CallContext { dry_run: call.dry_run, ..CallContext::new(call.budget.clone()) };
        let before = if call::is_update(&tool) { session.version() } else { None };
        // The session spends from the budget already.
        let applied = job.apply(session, &mut context);
        let applied = call.budget.used_up().map_or(applied, |why| Err(why.into()));
        applied.map_err(|refusal| (refusal, warnings.clone()))?;
        session.settle().map_err(|error| (ToolError::from(error), warnings.clone()))?;
        let left_unchanged = before.is_some_and(|before| session.is_version(&before));
        let (outcome, targets, entries) = if job.is_read() {
            let answer = call::finish(job, &mut context).map_err(|refusal| (refusal, warnings.clone()))?;
            let result = answer.result.into_value();
            let (targets, entries) = (references::entry_count(&result), self.entries_of(Some(&result)));
            (Outcome::Answered(result), targets, entries)
        } else {
            let result = job.applied_result();
            let (targets, entries) = (result.map_or(0, references::entry_count), self.entries_of(result));
            (Outcome::Applied(job), targets, entries)
        };
        self.spend_limits(session, &outcome, targets).map_err(plain)?;
        Ok(Done {
            tool,
            warnings: warnings.into_iter().chain(context.warnings).collect(),
            outcome,
            entries,
            left_unchanged,
        })
    }

    /// A refusal, with what being in a batch has to do with it.
    fn with_reason(&self, refusal: ToolError) -> ToolError {
        let is_of_preset = refusal.param.as_deref() == Some("preset");
        match self.saves_presets && is_of_preset {
            true => refusal.and("presets are written when the batch has ended, so no later call of it finds one"),
            false => refusal,
        }
    }

    /// What a call of now sees: the Set as the calls before it left it.
    fn view_now(&self, session: &dyn Session, budget: &Budget) -> Result<RequestContext, ToolError> {
        let mut view = RequestContext { budget: budget.clone(), ..self.view.clone() };
        if let Some(meter) = model_read::song_meter(session)? {
            view.song_meter = meter;
        }
        let parts = || Ok(Vec::new());
        if let Some(snapshot) = session.snapshot(&Scope::new(&parts))? {
            let (snapshot, committed, budget) = (Mutex::new(snapshot), self.view.at_rest.clone(), budget.clone());
            view.at_rest = CommittedSet(Arc::new(move || {
                let snapshot = snapshot.lock().unwrap_or_else(PoisonError::into_inner);
                match snapshot.snapshot(&Scope::new(&|| Ok(Vec::new()))) {
                    Ok(Some(now)) => Box::new(MeteredSession::new(now, budget.clone())),
                    _ => (committed.0)(),
                }
            }));
        }
        Ok(view)
    }

    /// The limits of one call hold for all of them together.
    fn spend_limits(&mut self, session: &dyn Session, outcome: &Outcome, entries: usize) -> Result<(), ToolError> {
        let refuse = |count: usize, what: &str, most: usize| match count > most {
            true => Err(ToolError::new(format!(
                "with it the batch has {count} {what}; all its calls together have at most {most}, as one has"
            ))),
            false => Ok(()),
        };
        self.targets += entries.max(1);
        refuse(self.targets, "targets", MAX_TARGETS)?;
        let tracks = track_count(session)?.saturating_sub(*self.tracks_before.get_or_insert(0));
        refuse(tracks, "new tracks", MAX_TRACKS)?;
        if let Outcome::Answered(result) = outcome {
            self.pictures += picture::count_pictures(result);
        }
        refuse(self.pictures, "pictures", picture::MAX_PER_CALL)
    }
}

/// Tracks and return tracks.
fn track_count(session: &dyn Session) -> Result<usize, ToolError> {
    let song = model_read::song(session)?;
    Ok(session.child_count(song, "tracks")? + session.child_count(song, "return_tracks")?)
}

impl PreparedCall for Batch {
    fn apply(&mut self, session: &mut dyn Session, call: &mut CallContext) -> Result<(), ToolError> {
        self.tracks_before = Some(track_count(session)?);
        let is_atomic = call.inner.0.as_ref().is_none_or(|inner| inner.is_atomic());
        let calls = std::mem::take(&mut self.calls);
        self.done.reserve_exact(calls.len());
        for (at, sent) in calls.into_iter().enumerate() {
            let tool = sent.tool.clone();
            let late = if call.is_late() { call.budget.refuse_a_part() } else { Ok(()) };
            let done = late.map_err(|why| (why.into(), Vec::new())).and_then(|()| self.carry_out(session, call, sent));
            match done {
                Ok(done) => self.done.push(done),
                Err((refusal, warnings)) if is_atomic || at == 0 => {
                    return Err(in_call(at, &tool, refusal, &warnings).and("no call of the batch was kept"));
                }
                Err((refusal, warnings)) => {
                    self.done.push(Done {
                        left_unchanged: false,
                        tool,
                        warnings,
                        outcome: Outcome::Failed(refusal.text),
                        entries: Vec::new(),
                    });
                    call.warnings.push(format!(
                        "call {} failed and ended the batch; this host cannot take back what the calls before it did",
                        at + 1
                    ));
                    return Ok(());
                }
            }
            // Entries that were not reached for want of time are no whole either.
            if is_atomic {
                call.budget.refuse_a_part()?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>, call: &mut CallContext) -> Result<Answer, ToolError> {
        let mut results = Vec::with_capacity(self.done.len());
        let mut room = MAX_ANSWER_BYTES as usize / 2;
        for done in self.done {
            let mut context = CallContext {
                dry_run: call.dry_run,
                left_unchanged: done.left_unchanged,
                ..CallContext::new(call.budget.clone())
            };
            let mut entry = Map::with_capacity(3);
            entry.insert("tool".to_owned(), Value::String(done.tool));
            let mut warnings = done.warnings;
            let mut result = match done.outcome {
                Outcome::Answered(result) => result,
                Outcome::Applied(job) => match call::finish(job, &mut context) {
                    Ok(answer) => answer.result.into_value(),
                    // It is done: all that is missing is its answer.
                    Err(why) => {
                        warnings.push(format!("it was carried out, but its answer is missing: {why}"));
                        Value::Null
                    }
                },
                Outcome::Failed(why) => json!({ "ok": false, "detail": why }),
            };
            warnings.append(&mut context.warnings);
            if answer_size::cut_to_fit(&mut result, &[], room) > 0 {
                warnings.push("entries are cut down to ids and paths: the answer would be too long".to_owned());
            }
            room = room.saturating_sub(answer_size::bytes_up_to(&result, room));
            entry.insert("result".to_owned(), result);
            if !warnings.is_empty() {
                entry.insert("warnings".to_owned(), json!(warnings));
            }
            results.push(Value::Object(entry));
        }
        // Not by `json!`, which would copy what it is given.
        Ok(Value::Object(Map::from_iter([("results".to_owned(), Value::Array(results))])).into())
    }

    fn is_read(&self) -> bool {
        self.done.iter().all(|done| matches!(done.outcome, Outcome::Answered(_)))
    }

    /// What is left to do after the commit may write files.
    fn finish_is_heavy(&self) -> bool {
        self.done.iter().any(|done| matches!(&done.outcome, Outcome::Applied(job) if job.finish_is_heavy()))
    }
}

//! A call on its way: *prepare* (parse, read files; any thread) → *apply* (with the guard of the Set, no I/O) →
//! *finish* (put the answer together; any thread). Only *apply* holds up the host, so it does only what needs the Set.

use super::answer_size;
use super::answer_text::AnswerResult;
use super::budget::{Budget, MAX_ANSWER_BYTES, UsedUp};
use super::error::{ErrorKind, ToolError};
use super::metered_session::MeteredSession;
use super::request::RequestContext;
use crate::jobs::{JobControl, StartedJob};
use crate::object_model::Session;
use crate::object_model::history::{MadeStep, StepWay};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// A prepared call.
pub trait PreparedCall: Send {
    /// Reads and changes the Set. An error means that nothing is changed.
    fn apply(&mut self, session: &mut dyn Session, call: &mut CallContext) -> Result<(), ToolError>;

    /// Puts the answer together. Only a call that changed nothing of the Set may still be refused here.
    fn finish(self: Box<Self>, call: &mut CallContext) -> Result<Answer, ToolError>;

    /// What the applied call will answer, as far as it is known before it is finished; `None` for a read.
    fn applied_result(&self) -> Option<&Value> {
        None
    }

    /// The call changes nothing of the Set, so it may be refused as late as it is finished.
    fn is_read(&self) -> bool {
        false
    }

    /// Finishing takes long enough to be done on a worker.
    fn finish_is_heavy(&self) -> bool {
        false
    }
}

/// A tool's answer before it is put into an envelope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub result: AnswerResult,
    /// Markdown blocks behind the result.
    pub appended: Vec<String>,
    /// The job that was started, whose answer takes the place of `result`.
    pub job: Option<Arc<StartedJob>>,
}

impl From<Value> for Answer {
    fn from(result: Value) -> Self {
        Answer { result: result.into(), ..Answer::default() }
    }
}

impl From<AnswerResult> for Answer {
    fn from(result: AnswerResult) -> Self {
        Answer { result, ..Answer::default() }
    }
}

/// What goes along with a call.
#[derive(Clone, Debug, Default)]
pub struct CallContext {
    /// What the call may still use up.
    pub budget: Budget,
    /// Whole-call warnings, without the `WARNING:` prefix; only for what belongs to no single target.
    pub warnings: Vec<String>,
    /// It was an update, and the Set is as it was before.
    pub left_unchanged: bool,
    /// The undo step that it made, once it has committed.
    pub step: Option<MadeStep>,
    /// Where undo or redo led.
    pub stepped: Option<StepWay>,
    /// Nothing of the call is kept: *finish* counts nothing and writes nothing either.
    pub dry_run: bool,
    /// For a call that makes others.
    pub inner: InnerCalls,
    /// For a call that starts a job which changes the Set.
    pub later: LaterChanges,
}

/// A change of the Set. It may be made several times, each time on another copy.
pub type Change<'a> = dyn Fn(&mut dyn Session) -> Result<Value, ToolError> + 'a;

/// Changes the Set for a job, as a step of the call that started it.
#[derive(Clone, Default)]
pub struct LaterChanges(pub Option<Arc<dyn ChangeLater>>);

/// See [`LaterChanges`].
pub trait ChangeLater: Send + Sync {
    /// Makes a change to the Set as it is by then, and commits the job with it; what the change gave. Waits, so it is
    /// for a job's own thread.
    ///
    /// # Errors
    ///
    /// Nothing was changed: the change itself was refused, the job was cancelled, or another Set is there by then.
    fn commit(&self, control: &JobControl, change: &Change<'_>) -> Result<Value, ToolError>;
}

impl fmt::Debug for LaterChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "LaterChanges" } else { "no LaterChanges" })
    }
}

/// What a request sees by now.
pub type ViewNow<'a> = &'a dyn Fn() -> Result<RequestContext, ToolError>;

/// Prepares the calls that a call makes, as the request that it came with may make them.
#[derive(Clone, Default)]
pub struct InnerCalls(pub Option<Arc<dyn PrepareInner>>);

/// See [`InnerCalls`].
pub trait PrepareInner: Send + Sync {
    /// Checks the arguments and prepares the call. `view` gives that of the call around it, with the Set as it is by
    /// now; it is asked only where the call is prepared with it.
    fn prepare(&self, tool: &str, arguments: Map<String, Value>, view: ViewNow<'_>) -> InnerCall;

    /// Whether the host keeps nothing of a call that is refused.
    fn is_atomic(&self) -> bool;
}

/// A call that another one makes.
pub struct InnerCall {
    pub outcome: InnerOutcome,
    /// What there is to say of its arguments.
    pub warnings: Vec<String>,
}

/// What came of preparing an [`InnerCall`].
pub enum InnerOutcome {
    Prepared(Box<dyn PreparedCall>),
    /// It changes nothing, as all that it would write by was dropped; this is its result.
    Unchanged(Value),
    Refused(ToolError),
}

impl fmt::Debug for InnerCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "InnerCalls" } else { "no InnerCalls" })
    }
}

impl CallContext {
    pub fn new(budget: Budget) -> CallContext {
        CallContext { budget, ..CallContext::default() }
    }

    /// The tool should begin nothing new: what is left of the call is told to be sent again.
    pub fn is_late(&self) -> bool {
        self.budget.is_late()
    }

    /// Warns of what several clips of a call may have in common, once.
    pub fn warn_once(&mut self, warning: String) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// The typed arguments of a call. They were validated before, so a failure here is a rule that the schema cannot say.
pub fn arguments<T: DeserializeOwned>(map: Map<String, Value>) -> Result<T, ToolError> {
    serde_json::from_value(Value::Object(map)).map_err(|e| ToolError::new(format!("the arguments cannot be read: {e}")))
}

/// Applies a prepared call within its budget: each step at the object model spends from it. An error means that nothing
/// is to be kept of what was written, whatever the tool made of it.
pub fn apply(job: &mut dyn PreparedCall, session: &mut dyn Session, call: &mut CallContext) -> Result<(), ToolError> {
    let budget = call.budget.clone();
    budget.check()?;
    let applied = job.apply(&mut MeteredSession::new(session, budget.clone()), call);
    end_late(&applied, &budget)?;
    budget.used_up().map_or(applied, |why| Err(why.into()))
}

/// A tool that came to nothing because it was told that its time is up ends as one whose time is up.
fn end_late<T>(done: &Result<T, ToolError>, budget: &Budget) -> Result<(), ToolError> {
    match done {
        Err(why) if why.kind == ErrorKind::OverBudget => Ok(budget.refuse_a_part()?),
        _ => Ok(()),
    }
}

/// Puts the answer of a call together within its budget. A read whose budget does not last is refused; of a call that
/// changed the Set, entries are cut down to what they are about where the answer would be too long.
pub fn finish(job: Box<dyn PreparedCall>, call: &mut CallContext) -> Result<Answer, ToolError> {
    let budget = call.budget.clone();
    let is_read = job.is_read();
    let finished = job.finish(call);
    if is_read {
        end_late(&finished, &budget)?;
    }
    match budget.used_up() {
        Some(why) if is_read => return Err(why.into()),
        _ => {}
    }
    let mut answer = finished?;
    if call.left_unchanged
        && let AnswerResult::Value(result) = &mut answer.result
    {
        say_unchanged(result);
    }
    if !answer_size::exceeds(&answer.result, &answer.appended, MAX_ANSWER_BYTES as usize) {
        return Ok(answer);
    }
    if is_read {
        return Err(UsedUp::AnswerBytes.into());
    }
    let mut result = std::mem::take(&mut answer.result).into_value();
    let cut = answer_size::cut_to_fit(&mut result, &answer.appended, MAX_ANSWER_BYTES as usize);
    answer.result = result.into();
    call.warnings.push(format!(
        "everything was carried out, but the answer was longer than {} MB: {} cut down to ids and paths; read what was \
         written with the reading tools",
        MAX_ANSWER_BYTES / 1024 / 1024,
        if cut == 1 { "its last entry is".to_owned() } else { format!("its last {cut} entries are") }
    ));
    Ok(answer)
}

/// Whether all that a tool does is to change the Set. Others launch, select or keep files.
pub fn is_update(tool: &str) -> bool {
    tool.starts_with("svc-update-")
}

/// Says `changed: false` in every entry of a call that left the Set as it was. One that was not carried out says so
/// already, and what a device's actions do need not be in the Set.
fn say_unchanged(result: &mut Value) {
    let entries = match result {
        Value::Array(entries) => entries.as_mut_slice(),
        entry => std::slice::from_mut(entry),
    };
    for entry in entries.iter_mut().filter_map(Value::as_object_mut) {
        if !entry.contains_key("ok") && !entry.contains_key("actions") {
            entry.insert("changed".to_owned(), Value::Bool(false));
        }
    }
}

/// Those of the typed arguments that one part of a tool takes. Several parts are read one by one: a struct that holds
/// them flattened costs several times as much, as serde then copies what was sent first.
pub fn arguments_of<T: DeserializeOwned>(map: &Map<String, Value>) -> Result<T, ToolError> {
    T::deserialize(map).map_err(|e| ToolError::new(format!("the arguments cannot be read: {e}")))
}

type Apply<T> = Box<dyn FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send>;
type Finish<T> = Box<dyn FnOnce(T, &mut CallContext) -> Result<Answer, ToolError> + Send>;

struct ApplyThenFinish<T> {
    apply: Option<Apply<T>>,
    gathered: Option<T>,
    finish: Finish<T>,
    heavy: fn(&T) -> bool,
    result: Option<fn(&T) -> &Value>,
    is_read: bool,
}

impl<T: Send> PreparedCall for ApplyThenFinish<T> {
    fn apply(&mut self, session: &mut dyn Session, call: &mut CallContext) -> Result<(), ToolError> {
        if let Some(apply) = self.apply.take() {
            self.gathered = Some(apply(session, call)?);
        }
        Ok(())
    }

    fn finish(self: Box<Self>, call: &mut CallContext) -> Result<Answer, ToolError> {
        match self.gathered {
            Some(gathered) => (self.finish)(gathered, call),
            None => Ok(Answer::default()),
        }
    }

    fn applied_result(&self) -> Option<&Value> {
        self.gathered.as_ref().zip(self.result).map(|(gathered, result)| result(gathered))
    }

    fn is_read(&self) -> bool {
        self.is_read
    }

    fn finish_is_heavy(&self) -> bool {
        self.gathered.as_ref().is_some_and(self.heavy)
    }
}

/// A call whose answer is ready once it was applied.
pub fn prepared(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<Value, ToolError> + Send + 'static,
) -> Box<dyn PreparedCall> {
    prepared_write(apply, |value| value, |value, _| value.into(), |_| false)
}

/// A call that changes the Set, whose `result` is known when it was applied. What else comes of it, outside the Set, is
/// left to *finish*.
pub fn prepared_write<T: Send + 'static>(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send + 'static,
    result: fn(&T) -> &Value,
    finish: impl FnOnce(T, &mut CallContext) -> Answer + Send + 'static,
    heavy: fn(&T) -> bool,
) -> Box<dyn PreparedCall> {
    let finish: Finish<T> = Box::new(move |gathered, call| Ok(finish(gathered, call)));
    let result = Some(result);
    Box::new(ApplyThenFinish { apply: Some(Box::new(apply)), gathered: None, finish, heavy, result, is_read: false })
}

/// A call that gathers with the Set at hand and puts its answer together later.
pub fn prepared_with_finish<T: Send + 'static>(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send + 'static,
    finish: impl FnOnce(T, &mut CallContext) -> Answer + Send + 'static,
    heavy: fn(&T) -> bool,
) -> Box<dyn PreparedCall> {
    let finish: Finish<T> = Box::new(move |gathered, call| Ok(finish(gathered, call)));
    Box::new(ApplyThenFinish {
        apply: Some(Box::new(apply)),
        gathered: None,
        finish,
        heavy,
        result: None,
        is_read: false,
    })
}

/// As [`prepared_with_finish`], for a call that changes nothing of the Set: it may find out as late as it is finished
/// that it is refused.
pub fn prepared_read<T: Send + 'static>(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send + 'static,
    finish: impl FnOnce(T, &mut CallContext) -> Result<Answer, ToolError> + Send + 'static,
    heavy: fn(&T) -> bool,
) -> Box<dyn PreparedCall> {
    let finish: Finish<T> = Box::new(finish);
    Box::new(ApplyThenFinish {
        apply: Some(Box::new(apply)),
        gathered: None,
        finish,
        heavy,
        result: None,
        is_read: true,
    })
}

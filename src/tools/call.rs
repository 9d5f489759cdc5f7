//! A call on its way: *prepare* (parse, read files; any thread) → *apply* (with the guard of the Set, no I/O) →
//! *finish* (put the answer together; any thread). Only *apply* holds up the host, so it does only what needs the Set.

use super::error::ToolError;
use crate::jobs::StartedJob;
use crate::object_model::Session;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Instant;

/// A prepared call.
pub trait PreparedCall: Send {
    /// Reads and changes the Set. An error means that nothing is changed.
    fn apply(&mut self, session: &mut dyn Session, call: &mut CallContext) -> Result<(), ToolError>;

    /// Puts the answer together. Only a call that changed nothing of the Set may still be refused here.
    fn finish(self: Box<Self>, call: &mut CallContext) -> Result<Answer, ToolError>;

    /// Finishing takes long enough to be done on a worker.
    fn finish_is_heavy(&self) -> bool {
        false
    }
}

/// A tool's answer before it is put into an envelope.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub result: Value,
    /// Markdown blocks behind the result.
    pub appended: Vec<String>,
    /// The job that was started, whose answer takes the place of `result`.
    pub job: Option<Arc<StartedJob>>,
}

impl From<Value> for Answer {
    fn from(result: Value) -> Self {
        Answer { result, ..Answer::default() }
    }
}

/// What goes along with a call.
#[derive(Clone, Debug)]
pub struct CallContext {
    /// When the tool should start nothing new: somewhat before the call's time-out.
    pub soft_deadline: Instant,
    /// Whole-call warnings, without the `WARNING:` prefix; only for what belongs to no single target.
    pub warnings: Vec<String>,
}

impl CallContext {
    pub fn is_late(&self) -> bool {
        Instant::now() >= self.soft_deadline
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

type Apply<T> = Box<dyn FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send>;
type Finish<T> = Box<dyn FnOnce(T, &mut CallContext) -> Result<Answer, ToolError> + Send>;

struct ApplyThenFinish<T> {
    apply: Option<Apply<T>>,
    gathered: Option<T>,
    finish: Finish<T>,
    heavy: fn(&T) -> bool,
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

    fn finish_is_heavy(&self) -> bool {
        self.gathered.as_ref().is_some_and(self.heavy)
    }
}

/// A call whose answer is ready once it was applied.
pub fn prepared(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<Value, ToolError> + Send + 'static,
) -> Box<dyn PreparedCall> {
    prepared_with_finish(apply, |value, _| value.into(), |_| false)
}

/// A call that gathers with the Set at hand and puts its answer together later.
pub fn prepared_with_finish<T: Send + 'static>(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send + 'static,
    finish: impl FnOnce(T, &mut CallContext) -> Answer + Send + 'static,
    heavy: fn(&T) -> bool,
) -> Box<dyn PreparedCall> {
    prepared_read(apply, move |gathered, call| Ok(finish(gathered, call)), heavy)
}

/// As [`prepared_with_finish`], for a call that changes nothing of the Set: it may find out as late as it is finished
/// that it is refused.
pub fn prepared_read<T: Send + 'static>(
    apply: impl FnOnce(&mut dyn Session, &mut CallContext) -> Result<T, ToolError> + Send + 'static,
    finish: impl FnOnce(T, &mut CallContext) -> Result<Answer, ToolError> + Send + 'static,
    heavy: fn(&T) -> bool,
) -> Box<dyn PreparedCall> {
    Box::new(ApplyThenFinish { apply: Some(Box::new(apply)), gathered: None, finish: Box::new(finish), heavy })
}

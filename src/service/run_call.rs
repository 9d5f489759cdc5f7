//! A call from its request to its answer: resolved, validated, prepared, applied by the pump, and put together.

use super::Service;
use super::call::{Application, Applied, CommitOrTimeout, QueuedCall};
use super::profile::Profile;
use super::small_call::{AppliedHere, SmallCall};
use super::types::{Answer, CallFailure, CallRequest};
use super::{arguments, job_answer, pump};
use crate::music::excerpt::excerpt;
use crate::notation::Notation;
use crate::tools;
use crate::tools::budget::{Budget, TimeLimit, UsedUp};
use crate::tools::call::{CallContext, PreparedCall};
use crate::tools::error::{ErrorKind, ToolError};
use crate::tools::tool::Tool;
use jsonschema::Validator;
use serde_json::{Map, Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Arguments longer than this are checked and read on a worker.
const LARGE_ARGUMENT_BYTES: usize = 8 * 1024;
/// A refusal is not longer; what it repeats of the caller's own is cut where it is repeated.
const LONGEST_REFUSAL_CHARS: usize = 8_000;

/// Ends the sentence on a call that failed while it was prepared, when no host had seen it.
const NOT_APPLIED: &str = "the Set is unchanged";

/// Ends the call's work when nobody waits for it any more: its client is gone, or was told that its time is up.
struct AbandonOnDrop(Budget);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// Arguments as they were sent, with what they are checked against.
struct SentArguments {
    tool: &'static Tool,
    notation: Notation,
    validator: &'static Validator,
    sent: Map<String, Value>,
    published_only: bool,
}

/// What came of them: the arguments that the tool gets, with warnings, or a refusal.
enum ReadArguments {
    Taken {
        arguments: Map<String, Value>,
        warnings: Vec<String>,
        /// Some of what was sent is no argument of the tool, and was dropped.
        has_unknown: bool,
    },
    Refused(ToolError, Vec<String>),
}

impl Service {
    /// Runs a tool. Dropping the future before the call began means that it never does.
    pub async fn call(&self, request: CallRequest) -> Result<Answer, CallFailure> {
        let answer = self.run(request).await;
        self.calls_answered.fetch_add(1, Ordering::Relaxed);
        (self.on_call_answered)();
        answer
    }

    async fn run(&self, request: CallRequest) -> Result<Answer, CallFailure> {
        let started = Instant::now();
        let settings = self.settings.load_full();
        let profile = Profile::resolve(&settings, &request.headers);
        let tool = self
            .catalogue()
            .and_then(|c| c.find(&request.tool, &profile))
            .ok_or_else(|| CallFailure::NoSuchTool(format!("no tool {} is enabled here", excerpt(&request.tool))))?;
        let timeout = request.timeout.unwrap_or(Duration::from_millis(settings.timeout_ms.into()));
        let limit = TimeLimit { started, timeout };
        let budget = Budget::new(limit);
        let _abandon = AbandonOnDrop(budget.clone());
        let is_large = arguments::exceeds(&request.arguments, LARGE_ARGUMENT_BYTES);
        let sent = self.sent_arguments(tool, &profile, request.arguments, request.published_only)?;
        let read = move || sent.read();
        let read = if is_large { self.on_worker_in_time(tool, &limit, read).await? } else { read() }?;
        let (arguments, mut warnings, has_unknown) = match read {
            ReadArguments::Taken { arguments, warnings, has_unknown } => (arguments, warnings, has_unknown),
            ReadArguments::Refused(refusal, warnings) => return Ok(refused(&refusal, warnings)),
        };
        let view = self.views.of(&profile, request.json, request.as_text, &budget);
        // Before the call is prepared: it is about the Set of this moment.
        let generation = self.host.generation();
        let is_heavy = is_large || (tool.reads_files)(&arguments) || arguments::may_write_many_notes(tool, &arguments);
        let small = if is_heavy { None } else { SmallCall::of(tool, &arguments, &view) };
        let prepare = move || catch_unwind(AssertUnwindSafe(|| (tool.prepare)(arguments, &view)));
        let prepared = if is_heavy { self.on_worker_in_time(tool, &limit, prepare).await? } else { prepare() };
        let prepared = prepared.map_err(|_| unexpected())?;
        let job = match prepared {
            Ok(job) => job,
            // The contract: a call that changes nothing because its arguments are unknown still succeeds.
            Err(refusal) if has_unknown && refusal.kind == ErrorKind::NothingToWrite => {
                return Ok(unchanged(&refusal, warnings));
            }
            Err(refusal) => return self.ended(tool, &limit, &budget, refusal, warnings),
        };
        match self.apply(tool, small, job, generation, &limit, &budget).await? {
            Applied::Done(job, mut context) => {
                warnings.append(&mut context.warnings);
                let answer = self.finish(tool, &limit, job, context, warnings).await?;
                let mut answer = job_answer::settle(answer, limit.soft_deadline()).await;
                // When the answer is put together, so that it speaks of its own change too.
                if !tool.read_only || tool.name == tools::connect::TOOL.name {
                    answer.warnings.extend(self.save_status.warning());
                }
                Ok(answer)
            }
            Applied::Refused(refusal) => self.ended(tool, &limit, &budget, refusal, warnings),
            Applied::Failed(why) => Err(CallFailure::Internal(why)),
        }
    }

    fn sent_arguments(
        &self,
        tool: &'static Tool,
        profile: &Profile,
        sent: Map<String, Value>,
        published_only: bool,
    ) -> Result<SentArguments, CallFailure> {
        let notation = profile.notation;
        let validator = self.catalogue().and_then(|c| c.validator(tool, notation));
        let validator = validator.ok_or_else(|| CallFailure::Internal(format!("{} has no schema", tool.name)))?;
        let published_only = published_only && profile.small_model_mode;
        Ok(SentArguments { tool, notation, validator, sent, published_only })
    }

    /// What a call comes to that was refused: where it is its time that was up, that is no answer of the tool.
    fn ended(
        &self,
        tool: &Tool,
        limit: &TimeLimit,
        budget: &Budget,
        refusal: ToolError,
        warnings: Vec<String>,
    ) -> Result<Answer, CallFailure> {
        match budget.used_up() {
            Some(UsedUp::Time(_)) => Err(timed_out(tool, limit, self.host.after_failure())),
            _ => Ok(refused(&refusal, warnings)),
        }
    }

    /// What `work` gives, done on a worker before the call's time is up.
    async fn on_worker_in_time<T: Send + 'static>(
        &self,
        tool: &Tool,
        limit: &TimeLimit,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, CallFailure> {
        let submitted = match &*self.workers.lock() {
            Some(workers) => workers.submit(work),
            None => return Err(CallFailure::Internal("the device is shutting down".to_owned())),
        };
        let Some(done) = submitted else {
            return Err(CallFailure::QueueFull("too many large calls at once; try again in a moment".to_owned()));
        };
        match tokio::time::timeout_at(limit.deadline().into(), done).await {
            Ok(done) => done.map_err(|_| unexpected()),
            Err(_) => Err(timed_out(tool, limit, NOT_APPLIED)),
        }
    }

    /// Applies a prepared call here if it is small and need not wait; else has the pump do so, and waits for what
    /// became of it until its time is up.
    async fn apply(
        &self,
        tool: &'static Tool,
        small: Option<SmallCall>,
        mut job: Box<dyn PreparedCall>,
        generation: u64,
        limit: &TimeLimit,
        budget: &Budget,
    ) -> Result<Applied, CallFailure> {
        let deadline = limit.deadline();
        let context = CallContext::new(budget.clone());
        if let Some(small) = small {
            job = match self.apply_here(small, job, context.clone(), deadline, generation) {
                Ok(AppliedHere::Applied(applied)) => return Ok(applied),
                Ok(AppliedHere::Queue(job)) => job,
                Err(refusal) => return Ok(Applied::Refused(refusal)),
            };
        }
        let decision = CommitOrTimeout::default();
        let (reply, mut answered) = oneshot::channel();
        let call = Application { tool: tool.name, job, context, deadline, generation };
        self.pump.submit(QueuedCall { call, decision: decision.clone(), reply }).map_err(|_| {
            CallFailure::QueueFull(format!("{} calls wait already; try again in a moment", pump::QUEUE_LENGTH))
        })?;
        let timed_out = || timed_out(tool, limit, self.host.after_failure());
        let applied = match tokio::time::timeout_at(deadline.into(), &mut answered).await {
            Ok(applied) => applied.ok(),
            Err(_) if decision.time_out() => return Err(timed_out()),
            // It committed at the last moment: its answer is on the way.
            Err(_) => answered.await.ok(),
        };
        match applied {
            Some(applied) => Ok(applied),
            // The pump saw that the time was up and dropped the call.
            None if Instant::now() >= deadline => Err(timed_out()),
            None => Err(CallFailure::Internal("the device is shutting down".to_owned())),
        }
    }

    /// Puts the answer together. A call that may have changed the Set is waited for, whatever the time is: its *finish*
    /// leaves out what it cannot afford.
    async fn finish(
        &self,
        tool: &Tool,
        limit: &TimeLimit,
        job: Box<dyn PreparedCall>,
        context: CallContext,
        warnings: Vec<String>,
    ) -> Result<Answer, CallFailure> {
        let is_heavy = job.finish_is_heavy();
        let budget = context.budget.clone();
        let finish = move || {
            catch_unwind(AssertUnwindSafe(|| {
                let mut context = context;
                let answer = tools::call::finish(job, &mut context);
                (answer, context.warnings)
            }))
        };
        let finished = match is_heavy {
            true if tool.read_only => {
                let finished = tokio::time::timeout_at(limit.deadline().into(), self.off_thread(finish)).await;
                finished.map_err(|_| timed_out(tool, limit, self.host.after_failure()))?
            }
            true => self.off_thread(finish).await,
            false => Some(finish()),
        };
        match finished {
            Some(Ok((answer, late))) => {
                let warnings = warnings.into_iter().chain(late).collect();
                match answer {
                    Ok(tools::call::Answer { result, appended, job }) => {
                        Ok(Answer { result, is_error: false, warnings, appended, job })
                    }
                    Err(refusal) => self.ended(tool, limit, &budget, refusal, warnings),
                }
            }
            _ => Err(CallFailure::Internal(
                "the call was carried out, but its answer could not be put together".to_owned(),
            )),
        }
    }

    /// Does `work` on a worker, or here where too much waits for one; `None` when it failed or the device stops.
    pub async fn off_thread<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (done, left) = self.workers.lock().as_ref()?.submit_or_return(work);
        if let Some(work) = left {
            work();
        }
        done.await.ok()
    }
}

impl SentArguments {
    /// Checks them, and folds what was sent by other names onto the published parameters.
    fn read(self) -> Result<ReadArguments, CallFailure> {
        let SentArguments { tool, notation, validator, sent, published_only } = self;
        let (mut arguments, warning) = arguments::accept(tool, notation, validator, sent, published_only)
            .map_err(|bad| CallFailure::InvalidArguments { message: bad.message, details: bad.details })?;
        let has_unknown = warning.is_some();
        let mut warnings: Vec<String> = warning.into_iter().collect();
        Ok(match tools::aliases::fold::fold(tool, &mut arguments) {
            Ok(mut of_hidden) => {
                warnings.append(&mut of_hidden);
                ReadArguments::Taken { arguments, warnings, has_unknown }
            }
            Err(refusal) => ReadArguments::Refused(refusal, warnings),
        })
    }
}

fn unexpected() -> CallFailure {
    CallFailure::Internal(format!("the tool failed unexpectedly; {NOT_APPLIED}"))
}

/// The failure of a call whose time is up; `left` says what it left behind.
fn timed_out(tool: &Tool, limit: &TimeLimit, left: &str) -> CallFailure {
    let (name, ms) = (tool.name, limit.timeout.as_millis());
    CallFailure::TimedOut(format!(
        "{name} did not finish in {ms} ms; {left}; name fewer targets in one call, or allow it more with timeoutMs"
    ))
}

fn refused(refusal: &ToolError, warnings: Vec<String>) -> Answer {
    let mut text = refusal.to_string();
    if let Some((at, _)) = text.char_indices().nth(LONGEST_REFUSAL_CHARS) {
        text.truncate(at);
        text.push('…');
    }
    Answer { result: Value::String(text).into(), is_error: true, warnings, appended: Vec::new(), job: None }
}

/// A call that had nothing to write, as all that it would write by was dropped.
fn unchanged(nothing: &ToolError, warnings: Vec<String>) -> Answer {
    let result = json!({ "changed": false, "detail": nothing.to_string() });
    Answer { result: result.into(), is_error: false, warnings, appended: Vec::new(), job: None }
}

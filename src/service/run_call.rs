//! A call from its request to its answer: resolved, validated, prepared, applied by the pump, and put together.

use super::Service;
use super::call::{Application, Applied, CommitOrTimeout, QueuedCall};
use super::profile::Profile;
use super::small_call::{AppliedHere, SmallCall};
use super::types::{Answer, CallFailure, CallRequest};
use super::{arguments, job_answer, pump};
use crate::music::excerpt::excerpt;
use crate::tools;
use crate::tools::call::{CallContext, PreparedCall};
use crate::tools::error::{ErrorKind, ToolError};
use crate::tools::request::RequestContext;
use crate::tools::tool::Tool;
use serde_json::{Map, Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Arguments with more text than this are read on a worker.
const HEAVY_ARGUMENT_BYTES: usize = 8 * 1024;

/// Ends the sentence on a call that failed while it was prepared, when no host had seen it.
const NOT_APPLIED: &str = "the Set is unchanged";

/// How long a call may take.
struct TimeLimit {
    started: Instant,
    timeout: Duration,
}

impl TimeLimit {
    fn deadline(&self) -> Instant {
        self.started + self.timeout
    }

    /// When a tool should begin nothing new: the time-out less 10 %, and less 50 ms at least.
    fn soft_deadline(&self) -> Instant {
        let margin = (self.timeout / 10).max(Duration::from_millis(50));
        self.started + self.timeout.saturating_sub(margin)
    }
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
        let (mut arguments, warning) =
            self.accept_arguments(tool, &profile, request.arguments, request.published_only)?;
        let has_unknown = warning.is_some();
        let mut warnings: Vec<String> = warning.into_iter().collect();
        match tools::aliases::fold::fold(tool, &mut arguments) {
            Ok(mut of_hidden) => warnings.append(&mut of_hidden),
            Err(refusal) => return Ok(refused(&refusal, warnings)),
        }
        let view = self.views.of(&profile, request.json);
        // Before the call is prepared: it is about the Set of this moment.
        let generation = self.host.generation();
        let small = SmallCall::of(tool, &arguments, text_bytes(&arguments), &view);
        let job = match self.prepare(tool, arguments, view, limit.deadline()).await? {
            Ok(job) => job,
            // The contract: a call that changes nothing because its arguments are unknown still succeeds.
            Err(refusal) if has_unknown && refusal.kind == ErrorKind::NothingToWrite => {
                return Ok(unchanged(&refusal, warnings));
            }
            Err(refusal) => return Ok(refused(&refusal, warnings)),
        };
        match self.apply(tool, small, job, generation, &limit).await? {
            Applied::Done(job, mut context) => {
                warnings.append(&mut context.warnings);
                let answer = self.finish(job, context, warnings).await?;
                let mut answer = job_answer::settle(answer, limit.soft_deadline()).await;
                // When the answer is put together, so that it speaks of its own change too.
                if !tool.read_only || tool.name == tools::connect::TOOL.name {
                    answer.warnings.extend(self.save_status.warning());
                }
                Ok(answer)
            }
            Applied::Refused(refusal) => Ok(refused(&refusal, warnings)),
            Applied::Failed(why) => Err(CallFailure::Internal(why)),
        }
    }

    fn accept_arguments(
        &self,
        tool: &'static Tool,
        profile: &Profile,
        sent: Map<String, Value>,
        published_only: bool,
    ) -> Result<(Map<String, Value>, Option<String>), CallFailure> {
        let validator = self.catalogue().and_then(|c| c.validator(tool, profile.notation));
        let validator = validator.ok_or_else(|| CallFailure::Internal(format!("{} has no schema", tool.name)))?;
        arguments::accept(tool, profile.notation, validator, sent, published_only && profile.small_model_mode)
            .map_err(|bad| CallFailure::InvalidArguments { message: bad.message, details: bad.details })
    }

    /// The outer error is a failure of the device, the inner one a refusal of the tool.
    async fn prepare(
        &self,
        tool: &'static Tool,
        arguments: Map<String, Value>,
        view: RequestContext,
        deadline: Instant,
    ) -> Result<Result<Box<dyn PreparedCall>, ToolError>, CallFailure> {
        let heavy = text_bytes(&arguments) > HEAVY_ARGUMENT_BYTES || (tool.reads_files)(&arguments);
        let prepare = move || catch_unwind(AssertUnwindSafe(|| (tool.prepare)(arguments, &view)));
        let panicked = || CallFailure::Internal(format!("the tool failed unexpectedly; {NOT_APPLIED}"));
        if !heavy {
            return prepare().map_err(|_| panicked());
        }
        match tokio::time::timeout_at(deadline.into(), self.on_worker(prepare)).await {
            Ok(Ok(prepared)) => prepared.map_err(|_| panicked()),
            Ok(Err(_)) => Err(CallFailure::QueueFull("too many large calls at once; try again in a moment".to_owned())),
            Err(_) => Err(CallFailure::TimedOut(format!("{} did not finish in time; {NOT_APPLIED}", tool.name))),
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
    ) -> Result<Applied, CallFailure> {
        let deadline = limit.deadline();
        let context = CallContext { soft_deadline: limit.soft_deadline(), warnings: Vec::new() };
        if let Some(small) = small {
            job = match self.apply_here(small, job, context.clone(), deadline, generation) {
                Ok(AppliedHere::Applied(applied)) => return Ok(applied),
                Ok(AppliedHere::Queue(job)) => job,
                Err(refusal) => return Ok(Applied::Refused(refusal)),
            };
        }
        let decision = CommitOrTimeout::default();
        let (reply, mut answered) = oneshot::channel();
        let tool = tool.name;
        let call = Application { tool, job, context, deadline, generation };
        self.pump.submit(QueuedCall { call, decision: decision.clone(), reply }).map_err(|_| {
            CallFailure::QueueFull(format!("{} calls wait already; try again in a moment", pump::QUEUE_LENGTH))
        })?;
        let timed_out = || {
            let (ms, left) = (limit.timeout.as_millis(), self.host.after_failure());
            CallFailure::TimedOut(format!("{tool} did not finish in {ms} ms; {left}"))
        };
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

    async fn finish(
        &self,
        job: Box<dyn PreparedCall>,
        context: CallContext,
        warnings: Vec<String>,
    ) -> Result<Answer, CallFailure> {
        let heavy = job.finish_is_heavy();
        let finish = move || {
            catch_unwind(AssertUnwindSafe(|| {
                let mut context = context;
                let answer = job.finish(&mut context);
                (answer, context.warnings)
            }))
        };
        let finished = if heavy { self.on_worker(finish).await.ok() } else { Some(finish()) };
        match finished {
            Some(Ok((answer, late))) => {
                let warnings = warnings.into_iter().chain(late).collect();
                Ok(match answer {
                    Ok(tools::call::Answer { result, appended, job }) => {
                        Answer { result, is_error: false, warnings, appended, job }
                    }
                    Err(refusal) => refused(&refusal, warnings),
                })
            }
            _ => Err(CallFailure::Internal(
                "the call was carried out, but its answer could not be put together".to_owned(),
            )),
        }
    }

    fn on_worker<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> oneshot::Receiver<T> {
        match &*self.workers.lock() {
            Some(workers) => workers.submit(work),
            None => oneshot::channel().1,
        }
    }
}

fn refused(refusal: &ToolError, warnings: Vec<String>) -> Answer {
    Answer { result: Value::String(refusal.to_string()), is_error: true, warnings, appended: Vec::new(), job: None }
}

/// A call that had nothing to write, as all that it would write by was dropped.
fn unchanged(nothing: &ToolError, warnings: Vec<String>) -> Answer {
    let result = json!({ "changed": false, "detail": nothing.to_string() });
    Answer { result, is_error: false, warnings, appended: Vec::new(), job: None }
}

/// About how much text the arguments hold.
fn text_bytes(arguments: &Map<String, Value>) -> usize {
    let of = |value: &Value| match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.len() * 32,
        _ => 16,
    };
    arguments.values().map(of).sum()
}

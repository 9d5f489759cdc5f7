//! A call from its request to its answer: resolved, validated, prepared, applied by the pump, and put together.

use super::Service;
use super::call::{Application, Applied, CommitOrTimeout, QueuedCall};
use super::call_failures::{NOT_APPLIED, refused, timed_out, unexpected};
use super::call_log::{BegunCall, CallOutcome};
use super::draft_call::{DraftCall, Drafted};
use super::hosts::Host;
use super::inner_calls::RequestCalls;
use super::late_change::LateChange;
use super::profile::{Profile, header};
use super::save_status::UNSAVED_LIMIT;
use super::sent_arguments::{ReadArguments, SentArguments, unchanged};
use super::small_call::{AppliedHere, SmallCall, is_small_batch};
use super::types::{Answer, CallFailure, CallRequest};
use super::{arguments, job_answer, pump};
use crate::music::excerpt::excerpt;
use crate::object_model::history::Caller;
use crate::object_model::host_values::Capability;
use crate::tools;
use crate::tools::batch;
use crate::tools::budget::{Budget, TimeLimit, UsedUp};
use crate::tools::call::{CallContext, InnerCalls, LaterChanges, PreparedCall};
use crate::tools::error::{ErrorKind, ToolError};
use crate::tools::request::RequestContext;
use crate::tools::tool::Tool;
use serde_json::{Map, Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Arguments longer than this are checked and read on a worker.
const LARGE_ARGUMENT_BYTES: usize = 8 * 1024;

/// Ends the call's work when nobody waits for it any more: its client is gone, or was told that its time is up.
struct AbandonOnDrop(Budget);

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// A call whose arguments were read.
struct ReadCall {
    tool: &'static Tool,
    who: Caller,
    arguments: Map<String, Value>,
    view: RequestContext,
    context: CallContext,
    /// Whose Set it is about.
    host: Arc<Host>,
    /// The host's generation when it came in.
    generation: u64,
    is_large: bool,
}

/// What became of it.
enum Carried {
    NotPrepared(ToolError),
    Applied(Applied),
}

impl Service {
    /// Runs a tool. Dropping the future before the call began means that it never does.
    pub async fn call(&self, request: CallRequest) -> Result<Answer, CallFailure> {
        let under_way = self.activity.begin();
        let begun = BegunCall::of(&request);
        let mut outcome = CallOutcome::default();
        let answer = self.run(request, &mut outcome).await;
        drop(under_way);
        self.calls_answered.fetch_add(1, Ordering::Relaxed);
        (self.on_call_answered)(&self.calls.add(begun, &answer, &outcome));
        answer
    }

    async fn run(&self, request: CallRequest, outcome: &mut CallOutcome) -> Result<Answer, CallFailure> {
        request
            .headers
            .check_caller()
            .map_err(|message| CallFailure::InvalidArguments { message, details: json!([]) })?;
        let asked = request.headers.asks_for_dry_run().map_err(|sent| {
            let message = format!("{} must be `true` or `false`, not `{}`", header::DRY_RUN, excerpt(sent));
            CallFailure::InvalidArguments { message, details: json!([]) }
        })?;
        outcome.is_dry_run = asked;
        let answer = self.read_and_carry_out(request, outcome).await;
        answer.map(|mut answer| {
            if outcome.is_dry_run {
                answer.warnings.push(tools::dry_run::WARNING.to_owned());
            }
            answer
        })
    }

    /// `outcome` says whether the request asks for a dry run; that is set where the arguments do.
    async fn read_and_carry_out(
        &self,
        mut request: CallRequest,
        outcome: &mut CallOutcome,
    ) -> Result<Answer, CallFailure> {
        let dry_run = &mut outcome.is_dry_run;
        let started = Instant::now();
        let settings = self.settings.load_full();
        let profile = Profile::resolve(&settings, &request.headers);
        let who = request.who;
        let catalogue = self.catalogue();
        let found = catalogue.and_then(|catalogue| Some((catalogue, catalogue.find(&request.tool, &profile)?)));
        let (catalogue, tool) = found
            .ok_or_else(|| CallFailure::NoSuchTool(format!("no tool {} is enabled here", excerpt(&request.tool))))?;
        *dry_run |= arguments::take_dry_run(tool, &mut request.arguments);
        let timeout = request.timeout.unwrap_or(Duration::from_millis(settings.timeout_ms.into()));
        let limit = TimeLimit { started, timeout };
        let budget = Budget::new(limit);
        let _abandon = AbandonOnDrop(budget.clone());
        let is_large = arguments::exceeds(&request.arguments, LARGE_ARGUMENT_BYTES);
        let published_only = request.published_only;
        let sent = SentArguments::new(catalogue, tool, &profile, request.arguments, published_only)?;
        let read = move || sent.read();
        let read = if is_large { self.on_worker_in_time(tool, &limit, read).await? } else { read() }?;
        let (arguments, warnings, has_unknown) = match read {
            ReadArguments::Taken { arguments, warnings, has_unknown } => (arguments, warnings, has_unknown),
            ReadArguments::Refused(refusal, warnings) => return Ok(refused(&refusal, warnings)),
        };
        let is_batch = tool.name == batch::TOOL.name;
        *dry_run |= is_batch && arguments.get(batch::DRY_RUN) == Some(&Value::Bool(true));
        if *dry_run && let Err(refusal) = tools::dry_run::check(tool.name, &arguments) {
            return Ok(refused(&refusal, warnings));
        }
        let host = self.hosts.current();
        if *dry_run && let Err(unable) = host.set.capability(Capability::DryRun) {
            return Ok(refused(&unable.into(), warnings));
        }
        let mut context = CallContext { dry_run: *dry_run, ..CallContext::new(budget.clone()) };
        let mut view = self.views.of(&host, &profile, request.json, request.as_text && !is_batch, &budget);
        view.chosen_file = request.chosen_file;
        view.may_last = !is_batch && !*dry_run;
        if is_batch {
            let is_atomic = host.set.is_atomic();
            let calls = RequestCalls { profile, published_only, dry_run: *dry_run, is_atomic };
            context.inner = InnerCalls(Some(Arc::new(calls)));
        }
        // Before the call is prepared: it is about the Set of this moment.
        let generation = host.set.generation();
        if [tools::manage::TOOL.name, tools::create_device::TOOL.name].contains(&tool.name) {
            let late = LateChange { host: host.clone(), generation, tool: tool.name, who: who.clone() };
            context.later = LaterChanges(Some(Arc::new(late)));
        }
        let call = ReadCall { tool, who, arguments, view, context, host: host.clone(), generation, is_large };
        let applied = if is_batch || *dry_run {
            self.apply_by_draft(call, &limit).await?
        } else {
            self.apply_directly(call, &limit).await?
        };
        match applied {
            // The contract: a call that changes nothing because its arguments are unknown still succeeds.
            Carried::NotPrepared(nothing) if has_unknown && nothing.kind == ErrorKind::NothingToWrite => {
                let result = unchanged(&nothing);
                Ok(Answer { result: result.into(), is_error: false, warnings, appended: Vec::new(), job: None })
            }
            Carried::NotPrepared(refusal) | Carried::Applied(Applied::Refused(refusal)) => {
                self.ended(&host, tool, &limit, &budget, refusal, warnings)
            }
            Carried::Applied(Applied::Done(job, context)) => {
                outcome.step = context.step;
                outcome.stepped = context.stepped.filter(|_| !context.dry_run);
                self.answer(&host, tool, &limit, job, context, warnings).await
            }
            Carried::Applied(Applied::Failed(why)) => Err(CallFailure::Internal(why)),
        }
    }

    /// A call that the pump applies, or this thread where it is small.
    async fn apply_directly(&self, call: ReadCall, limit: &TimeLimit) -> Result<Carried, CallFailure> {
        let ReadCall { tool, who, arguments, view, context, host, generation, is_large } = call;
        let is_heavy = is_large || (tool.reads_files)(&arguments) || arguments::may_write_many_notes(tool, &arguments);
        let small = if is_heavy { None } else { SmallCall::of(tool, &arguments, &view) };
        let prepare = move || catch_unwind(AssertUnwindSafe(|| tool.prepare(arguments, &view)));
        let prepared = if is_heavy { self.on_worker_in_time(tool, limit, prepare).await? } else { prepare() };
        match prepared.map_err(|_| unexpected())? {
            Ok(job) => {
                let call = Application {
                    tool: tool.name,
                    who,
                    is_read: tool.read_only,
                    job,
                    context,
                    deadline: limit.deadline(),
                    generation,
                };
                Ok(Carried::Applied(self.apply(&host, tool, small, call, limit).await?))
            }
            Err(refusal) => Ok(Carried::NotPrepared(refusal)),
        }
    }

    /// A batch or a dry run: carried out on a draft, but for a small batch, which is applied at once where it can be.
    async fn apply_by_draft(&self, call: ReadCall, limit: &TimeLimit) -> Result<Carried, CallFailure> {
        let ReadCall { tool, who, arguments, view, context, host, generation, is_large } = call;
        let deadline = limit.deadline();
        if !is_large && !context.dry_run && is_small_batch(&arguments) {
            let tried = catch_unwind(AssertUnwindSafe(|| {
                let job = tool.prepare(arguments.clone(), &view)?;
                let (tool, who, is_read) = (tool.name, who.clone(), tool.read_only);
                let call = Application { tool, who, is_read, job, context: context.clone(), deadline, generation };
                Ok::<_, ToolError>(self.apply_here(&host, call))
            }));
            match tried.map_err(|_| unexpected())? {
                Ok(AppliedHere::Applied(applied)) => return Ok(Carried::Applied(applied)),
                Ok(AppliedHere::NotBegun(_) | AppliedHere::Dropped(_)) => {}
                Err(refusal) => return Ok(Carried::NotPrepared(refusal)),
            }
        }
        let call = DraftCall { tool, who, arguments, view, context, host, deadline, generation };
        match self.apply_to_draft(call, limit).await? {
            Drafted::Applied(applied) => Ok(Carried::Applied(applied)),
            Drafted::NotPrepared(refusal) => Ok(Carried::NotPrepared(refusal)),
            Drafted::NoDrafts(call) if call.context.dry_run => {
                let why = "there are no dry runs here: what this host is told, it does";
                Ok(Carried::NotPrepared(ToolError { kind: ErrorKind::Unable, ..ToolError::new(why) }))
            }
            Drafted::NoDrafts(call) => {
                let DraftCall { tool, who, arguments, view, context, host, generation, .. } = *call;
                let call = ReadCall { tool, who, arguments, view, context, host, generation, is_large };
                self.apply_directly(call, limit).await
            }
        }
    }

    /// The answer of a call that was applied.
    async fn answer(
        &self,
        host: &Host,
        tool: &Tool,
        limit: &TimeLimit,
        job: Box<dyn PreparedCall>,
        mut context: CallContext,
        mut warnings: Vec<String>,
    ) -> Result<Answer, CallFailure> {
        let dry_run = context.dry_run;
        warnings.append(&mut context.warnings);
        let answer = self.finish(host, tool, limit, job, context, warnings).await?;
        let mut answer = job_answer::settle(answer, limit.soft_deadline()).await;
        let asks_what_is_saved = [tools::connect::TOOL.name, tools::read_job::TOOL.name].contains(&tool.name);
        if !dry_run && (!tool.read_only || asks_what_is_saved) && answer.job.is_none() {
            // What took long may have changed much, and so may a step back: it takes as long to be saved.
            let is_large = tool.name == tools::manage::TOOL.name || limit.started.elapsed() >= UNSAVED_LIMIT;
            if is_large || tool.name == tools::read_job::TOOL.name {
                self.save_status.settle().await;
            }
            // When the answer is put together, so that it speaks of its own change too.
            answer.warnings.extend(self.save_status.warning());
        }
        if tool.name == tools::connect::TOOL.name {
            answer.warnings.extend(self.host_offer());
        }
        Ok(answer)
    }

    /// What a call comes to that was refused: where it is its time that was up, that is no answer of the tool.
    fn ended(
        &self,
        host: &Host,
        tool: &Tool,
        limit: &TimeLimit,
        budget: &Budget,
        refusal: ToolError,
        warnings: Vec<String>,
    ) -> Result<Answer, CallFailure> {
        match budget.used_up() {
            Some(UsedUp::Time(_)) => Err(timed_out(tool, limit, host.set.after_failure(), host.set.waits_for())),
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
        let done = self.on_worker(work)?;
        match tokio::time::timeout_at(limit.deadline().into(), done).await {
            Ok(done) => done.map_err(|_| unexpected()),
            Err(_) => Err(timed_out(tool, limit, NOT_APPLIED, None)),
        }
    }

    /// Has `work` done by a worker.
    pub(super) fn on_worker<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<oneshot::Receiver<T>, CallFailure> {
        let submitted = match &*self.workers.lock() {
            Some(workers) => workers.submit(work),
            None => return Err(CallFailure::Internal("the device is shutting down".to_owned())),
        };
        submitted
            .ok_or_else(|| CallFailure::QueueFull("too many large calls at once; try again in a moment".to_owned()))
    }

    /// Applies a prepared call here if it is small and need not wait; else has the pump do so, and waits for what
    /// became of it until its time is up.
    async fn apply(
        &self,
        host: &Host,
        tool: &'static Tool,
        small: Option<SmallCall>,
        mut call: Application,
        limit: &TimeLimit,
    ) -> Result<Applied, CallFailure> {
        let deadline = limit.deadline();
        if let Some(small) = small {
            call = match self.apply_here(host, call) {
                AppliedHere::Applied(applied) => return Ok(applied),
                AppliedHere::NotBegun(call) => call,
                AppliedHere::Dropped(dropped) => match dropped.prepared_anew(small) {
                    Ok(call) => call,
                    Err(refusal) => return Ok(Applied::Refused(refusal)),
                },
            };
        }
        let decision = CommitOrTimeout::default();
        let (reply, mut answered) = oneshot::channel();
        host.pump.submit(QueuedCall { call, decision: decision.clone(), reply }).map_err(|_| {
            CallFailure::QueueFull(format!("{} calls wait already; try again in a moment", pump::QUEUE_LENGTH))
        })?;
        // What waited for its turn left nothing behind, whatever those before it do.
        let left = || if decision.has_begun() { host.set.after_failure() } else { NOT_APPLIED };
        let timed_out = || timed_out(tool, limit, left(), host.set.waits_for());
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
        host: &Host,
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
                finished.map_err(|_| timed_out(tool, limit, host.set.after_failure(), host.set.waits_for()))?
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
                    Err(refusal) => self.ended(host, tool, limit, &budget, refusal, warnings),
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

//! Between the network and the tools: settings, request profiles, the catalogue, the call queue and its pump.
//!
//! A call is resolved and validated here, prepared (on a worker if it is large), queued for the pump, and put together
//! again here. One compare-and-swap decides whether it committed or timed out.

mod arguments;
pub mod call;
mod catalogue;
pub mod config;
mod current;
pub mod envelope;
pub mod keeper;
pub mod profile;
pub mod pump;
pub mod schema;
pub mod settings;
mod types;
mod watch;
mod worker;

pub use config::enabled_tools;
pub use keeper::Keeper;
pub use profile::{Notation, Profile, ProfileHeaders};
pub use settings::Settings;
pub use types::{Annotations, Answer, CallFailure, CallRequest, ConfigRefusal, ToolDescriptor};

use crate::library::Library;
use crate::set::SetState;
use crate::tools;
use crate::tools::call::{CallContext, Job};
use crate::tools::error::ToolError;
use crate::tools::request::{AtRest, DeviceFacts, View};
use crate::tools::tool::Tool;
use crate::user_store::{Presets, UserStore};
use call::{Applied, Outcome, QueuedCall};
use catalogue::Catalogue;
use current::Current;
use pump::Pump;
use serde_json::{Map, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot::{self, error::TryRecvError};
use worker::Workers;

/// Arguments with more text than this are read on a worker.
const HEAVY_ARGUMENT_BYTES: usize = 8 * 1024;

/// How long an answer is watched for before its caller sleeps. Everyone else on the caller's thread waits as long, so it is
/// less than anybody notices.
const WATCH_FOR: Duration = Duration::from_micros(50);

/// Something to be told; must not wait.
pub type Told = Box<dyn Fn() + Send + Sync>;

/// What callers reach: the tools, the settings.
pub struct Service {
    settings: Arc<Current>,
    instance: String,
    keeper: Arc<Keeper>,
    pump: Arc<Pump>,
    library: Arc<Library>,
    user_store: Arc<UserStore>,
    presets: Presets,
    workers: parking_lot::Mutex<Option<Workers>>,
    served: AtomicU64,
    on_served: Told,
}

/// What a device gives its service, and what it is told of.
pub struct Hooks {
    /// What tools ask of the user's samples.
    pub library: Arc<Library>,
    /// What the user keeps across projects.
    pub user_store: Arc<UserStore>,
    /// The user's device presets.
    pub presets: Presets,
    /// Settings changed to these. Must not wait.
    pub on_settings: Box<dyn Fn(&Settings) + Send + Sync>,
    /// A call was answered.
    pub on_served: Told,
}

impl Service {
    pub fn new(settings: Settings, instance: String, keeper: Arc<Keeper>, pump: Arc<Pump>, hooks: Hooks) -> Service {
        Service {
            settings: Arc::new(Current::new(settings, keeper.clone(), hooks.on_settings)),
            instance,
            keeper,
            pump,
            library: hooks.library,
            user_store: hooks.user_store,
            presets: hooks.presets,
            workers: parking_lot::Mutex::new(None),
            served: AtomicU64::new(0),
            on_served: hooks.on_served,
        }
    }

    /// Compiles the catalogue and starts the workers; until then no call can be made.
    pub fn start(&self) -> Result<(), String> {
        Catalogue::shared()?;
        let mut workers = self.workers.lock();
        if workers.is_none() {
            *workers = Some(Workers::start().map_err(|e| format!("cannot start a thread: {e}"))?);
        }
        Ok(())
    }

    fn catalogue(&self) -> Option<&'static Catalogue> {
        Catalogue::shared().ok()
    }

    pub fn settings(&self) -> Arc<Settings> {
        self.settings.load_full()
    }

    /// Calls answered since the device started.
    pub fn served(&self) -> u64 {
        self.served.load(Ordering::Relaxed)
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn user_store(&self) -> &UserStore {
        &self.user_store
    }

    pub fn presets(&self) -> &Presets {
        &self.presets
    }

    pub fn instance(&self) -> &str {
        &self.instance
    }

    /// Puts other settings in place, as a loaded project does.
    pub fn set_settings(&self, next: Settings) {
        self.settings.set(next);
    }

    /// Changes some settings; what somebody else changes in the others at the same moment stays.
    pub fn edit_settings(&self, edit: impl Fn(&mut Settings)) {
        let edited = |settings: &Settings| {
            let mut next = settings.clone();
            edit(&mut next);
            Ok((next, ()))
        };
        let _: Result<(), std::convert::Infallible> = self.settings.change(edited);
    }

    /// Puts the project's context in place that was found beside it.
    pub fn restore_context(&self, text: String) {
        self.edit_settings(|settings| settings.project_context.clone_from(&text));
    }

    /// The threads to be joined when the device goes; calls that still need them fail.
    pub fn stop_workers(&self) -> Vec<JoinHandle<()>> {
        self.workers.lock().take().map_or_else(Vec::new, Workers::stop)
    }

    fn view(&self, profile: &Profile, json: bool) -> View {
        let tools: Vec<&'static str> =
            tools::registry::all().iter().filter(|tool| profile.sees(tool)).map(|tool| tool.name).collect();
        View {
            notation: profile.notation,
            small_model_mode: profile.small_model_mode,
            tools: tools.into(),
            device: Arc::new(DeviceFacts {
                instance: self.instance.clone(),
                project: self.settings.clone(),
                generation: self.keeper.generation(),
                library: self.library.clone(),
                user_store: self.user_store.clone(),
                presets: self.presets.clone(),
            }),
            json,
            song_meter: self.keeper.committed().document.song.signature.into(),
            at_rest: {
                let keeper = self.keeper.clone();
                AtRest(Arc::new(move || Box::new(SetState::from_document(keeper.committed().document.clone()))))
            },
        }
    }

    /// Every tool that a request with these headers sees.
    pub fn list_tools(&self, headers: &ProfileHeaders) -> Vec<ToolDescriptor> {
        let settings = self.settings.load();
        let profile = Profile::resolve(&settings, headers);
        self.catalogue().map_or_else(Vec::new, |c| c.describe(&profile, &self.view(&profile, true)))
    }

    pub fn has_tool(&self, name: &str, headers: &ProfileHeaders) -> bool {
        let profile = Profile::resolve(&self.settings.load(), headers);
        self.catalogue().is_some_and(|c| c.find(name, &profile).is_some())
    }

    pub fn config(&self) -> Value {
        config::shown(&self.settings.load(), &self.instance)
    }

    pub fn change_config(&self, body: &Map<String, Value>) -> Result<Value, ConfigRefusal> {
        let ignored = self.settings.change(|settings| config::change(settings, body))?;
        let mut shown = self.config();
        if let Some(map) = shown.as_object_mut() {
            map.insert("ignored".to_owned(), ignored.into());
        }
        Ok(shown)
    }

    /// Runs a tool. Dropping the future before the call began means that it never does.
    pub async fn call(&self, request: CallRequest) -> Result<Answer, CallFailure> {
        let answer = self.run(request).await;
        self.served.fetch_add(1, Ordering::Relaxed);
        (self.on_served)();
        answer
    }

    async fn run(&self, request: CallRequest) -> Result<Answer, CallFailure> {
        let started = Instant::now();
        let settings = self.settings.load_full();
        let profile = Profile::resolve(&settings, &request.headers);
        let tool = self
            .catalogue()
            .and_then(|c| c.find(&request.tool, &profile))
            .ok_or_else(|| CallFailure::NoSuchTool(format!("no tool {} is enabled here", request.tool)))?;
        let timeout = request.timeout.unwrap_or(Duration::from_millis(settings.timeout_ms.into()));
        let deadline = started + timeout;
        let (mut arguments, warning) = self.accept(tool, &profile, request.arguments, request.as_shown)?;
        let mut warnings: Vec<String> = warning.into_iter().collect();
        match tools::aliases::fold::fold(tool, &mut arguments) {
            Ok(mut of_hidden) => warnings.append(&mut of_hidden),
            Err(refusal) => return Ok(refused(&refusal, warnings)),
        }
        let view = self.view(&profile, request.json);
        let generation = self.keeper.generation();

        let job = match self.prepare(tool, arguments, view, deadline).await? {
            Ok(job) => job,
            Err(refusal) => return Ok(refused(&refusal, warnings)),
        };
        let outcome = Outcome::default();
        let (reply, answered) = oneshot::channel();
        let context = CallContext { soft_deadline: soft_deadline(started, timeout), warnings: Vec::new() };
        let call = QueuedCall { tool: tool.name, job, context, outcome: outcome.clone(), deadline, generation, reply };
        self.pump.submit(call).map_err(|_| {
            CallFailure::QueueFull(format!("{} calls wait already; try again in a moment", pump::QUEUE_LENGTH))
        })?;
        let timed_out = || {
            CallFailure::TimedOut(format!(
                "{} did not finish in {} ms; the Set is unchanged",
                tool.name,
                timeout.as_millis()
            ))
        };
        let mut answered = answered;
        let applied = match soon(&mut answered) {
            Some(applied) => applied,
            None => match tokio::time::timeout_at(deadline.into(), &mut answered).await {
                Ok(applied) => applied.ok(),
                Err(_) if outcome.time_out() => return Err(timed_out()),
                // It committed at the last moment: its answer is on the way.
                Err(_) => answered.await.ok(),
            },
        };
        match applied {
            Some(Applied::Done(job, mut context)) => {
                warnings.append(&mut context.warnings);
                self.finish(job, context, warnings).await
            }
            Some(Applied::Refused(refusal)) => Ok(refused(&refusal, warnings)),
            Some(Applied::Failed(why)) => Err(CallFailure::Internal(why)),
            // The pump saw that the time was up and dropped the call.
            None if Instant::now() >= deadline => Err(timed_out()),
            None => Err(CallFailure::Internal("the device is shutting down".to_owned())),
        }
    }

    fn accept(
        &self,
        tool: &'static Tool,
        profile: &Profile,
        sent: Map<String, Value>,
        as_shown: bool,
    ) -> Result<(Map<String, Value>, Option<String>), CallFailure> {
        let validator = self.catalogue().and_then(|c| c.validator(tool, profile.notation));
        let validator = validator.ok_or_else(|| CallFailure::Internal(format!("{} has no schema", tool.name)))?;
        arguments::accept(tool, profile.notation, validator, sent, as_shown && profile.small_model_mode)
            .map_err(|bad| CallFailure::InvalidArguments { message: bad.message, details: bad.details })
    }

    /// The outer error is a failure of the device, the inner one a refusal of the tool.
    async fn prepare(
        &self,
        tool: &'static Tool,
        arguments: Map<String, Value>,
        view: View,
        deadline: Instant,
    ) -> Result<Result<Box<dyn Job>, ToolError>, CallFailure> {
        let heavy = weight(&arguments) > HEAVY_ARGUMENT_BYTES || (tool.reads_files)(&arguments);
        let prepare = move || catch_unwind(AssertUnwindSafe(|| (tool.prepare)(arguments, &view)));
        let panicked = || CallFailure::Internal("the tool failed unexpectedly; the Set is unchanged".to_owned());
        if !heavy {
            return prepare().map_err(|_| panicked());
        }
        match tokio::time::timeout_at(deadline.into(), self.on_worker(prepare)).await {
            Ok(Ok(prepared)) => prepared.map_err(|_| panicked()),
            Ok(Err(_)) => Err(CallFailure::QueueFull("too many large calls at once; try again in a moment".to_owned())),
            Err(_) => Err(CallFailure::TimedOut(format!("{} did not finish in time; the Set is unchanged", tool.name))),
        }
    }

    async fn finish(
        &self,
        job: Box<dyn Job>,
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
                    Ok(tools::call::Answer { result, appended }) => {
                        Answer { result, is_error: false, warnings, appended }
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

/// What became of the call (`Some(None)`: it was dropped), if that is known in less time than going to sleep for it would
/// take: a small call then costs neither a timer nor a wake-up.
fn soon(answered: &mut oneshot::Receiver<Applied>) -> Option<Option<Applied>> {
    watch::watch(WATCH_FOR, || match answered.try_recv() {
        Ok(applied) => Some(Some(applied)),
        Err(TryRecvError::Closed) => Some(None),
        Err(TryRecvError::Empty) => None,
    })
}

/// When a tool should begin nothing new: its time less 10 %, and less 50 ms at least.
fn soft_deadline(started: Instant, timeout: Duration) -> Instant {
    let margin = (timeout / 10).max(Duration::from_millis(50));
    started + timeout.saturating_sub(margin)
}

fn refused(refusal: &ToolError, warnings: Vec<String>) -> Answer {
    Answer { result: Value::String(refusal.to_string()), is_error: true, warnings, appended: Vec::new() }
}

/// About how much text the arguments hold.
fn weight(arguments: &Map<String, Value>) -> usize {
    let of = |value: &Value| match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.len() * 32,
        _ => 16,
    };
    arguments.values().map(of).sum()
}

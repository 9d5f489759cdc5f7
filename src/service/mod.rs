//! Between the network and the tools: settings, request profiles, the catalogue, the call queue and its pump.
//!
//! A call is resolved and validated here, prepared (on a worker if it is large), queued for the pump, and its answer is
//! put together here again ([`Service::call`]). One compare-and-swap decides whether it committed or timed out. The Set
//! is known by the trait [`SetHost`] alone; [`embedded`] is the one inside the device.

pub mod access;
mod apply_call;
mod arguments;
mod call;
mod call_activity;
mod call_failures;
pub mod call_log;
mod catalogue;
pub mod config;
mod described_tools;
mod draft_call;
pub mod embedded;
pub mod envelope;
mod held_look;
pub mod hosts;
mod inner_calls;
mod job_answer;
mod late_change;
pub mod live_host;
pub mod permissions;
pub mod profile;
pub mod pump;
mod request_view;
mod run_call;
pub mod save_status;
pub mod schema;
mod sent_arguments;
pub mod set_host;
pub mod settings;
mod settings_cell;
mod small_call;
#[cfg(all(test, feature = "test-tools"))]
mod tests;
mod told_calls;
mod types;
mod worker;
mod working_copy;

pub use crate::music::excerpt::{excerpt, long_excerpt};
pub use crate::notation::Notation;
pub use crate::object_model::history::{Caller, Via};
pub use crate::tools::live_api::LIVE_API_TOOL;
pub use arguments::is_dry_run;
pub use config::enabled_tools;
pub use job_answer::answer_of_job;
pub use profile::{Profile, ProfileHeaders};
pub use set_host::SetHost;
pub use settings::Settings;
pub use types::{Annotations, Answer, CallFailure, CallRequest, Callback, ConfigRefusal, ToolDescriptor, ToolList};

use crate::jobs::{Jobs, OnJob};
use crate::library::Library;
use crate::tools::budget::Budget;
use crate::tools::request::{DeviceFacts, Renderer, SetFiles, TransferFolders};
use crate::user_store::{Presets, UserStore};
use access::AccessCell;
use call_activity::CallActivity;
use call_log::{CallEntry, CallLog};
use catalogue::Catalogue;
use described_tools::DescribedTools;
use hosts::{HostChoice, Hosts};
use pump::Pump;
use request_view::RequestViews;
use save_status::SaveStatus;
use serde_json::{Map, Value};
use settings_cell::SettingsCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use worker::Workers;

/// What callers reach: the tools, the settings.
pub struct Service {
    settings: Arc<SettingsCell>,
    instance: String,
    hosts: Hosts,
    activity: CallActivity,
    library: Arc<Library>,
    user_store: Arc<UserStore>,
    presets: Presets,
    jobs: Jobs,
    save_status: Arc<SaveStatus>,
    views: RequestViews,
    workers: parking_lot::Mutex<Option<Workers>>,
    described: DescribedTools,
    access: Arc<AccessCell>,
    calls_answered: AtomicU64,
    calls: CallLog,
    on_call_answered: OnCall,
}

/// Called with a call that was answered.
pub type OnCall = Box<dyn Fn(&Arc<CallEntry>) + Send + Sync>;

/// What a service needs of its device beside the Set and the pump.
pub struct ServiceDeps {
    /// What tools ask of the user's samples.
    pub library: Arc<Library>,
    /// What the user keeps across projects.
    pub user_store: Arc<UserStore>,
    /// The user's device presets.
    pub presets: Presets,
    /// Files that hold Sets.
    pub set_files: Arc<dyn SetFiles>,
    /// Sets as sound.
    pub renderer: Arc<dyn Renderer>,
    /// Folders of the device's own that tools read and write Sets in.
    pub transfer_folders: Arc<TransferFolders>,
    /// Whether what was changed is on the disk.
    pub save_status: Arc<SaveStatus>,
    /// Called with the new settings after a change. Must not wait.
    pub on_settings: Box<dyn Fn(&Settings) + Send + Sync>,
    /// Called when a job is further than before. Must not wait.
    pub on_job: OnJob,
    /// Called after each answer to a call. Must not wait.
    pub on_call_answered: OnCall,
}

impl Service {
    pub fn new(
        settings: Settings,
        instance: String,
        host: Arc<dyn SetHost>,
        pump: Arc<Pump>,
        deps: ServiceDeps,
    ) -> Service {
        let settings = Arc::new(SettingsCell::new(settings, host.clone(), deps.on_settings));
        let jobs = Jobs::telling(deps.on_job);
        let facts = DeviceFacts {
            instance: instance.clone(),
            project: settings.clone(),
            generation: host.generation(),
            library: deps.library.clone(),
            presets: deps.presets.clone(),
            user_store: deps.user_store.clone(),
            set_files: deps.set_files,
            renderer: deps.renderer,
            transfer_folders: deps.transfer_folders,
            jobs: jobs.clone(),
        };
        Service {
            settings,
            instance,
            views: RequestViews::new(facts),
            hosts: Hosts::new(host, pump),
            activity: CallActivity::default(),
            library: deps.library,
            user_store: deps.user_store,
            presets: deps.presets,
            jobs,
            save_status: deps.save_status,
            workers: parking_lot::Mutex::new(None),
            described: DescribedTools::default(),
            access: Arc::default(),
            calls_answered: AtomicU64::new(0),
            calls: CallLog::default(),
            on_call_answered: deps.on_call_answered,
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
    pub fn calls_answered(&self) -> u64 {
        self.calls_answered.load(Ordering::Relaxed)
    }

    /// The last calls as JSON, the newest first, each with what it changed. Work for a worker.
    pub fn last_calls(&self) -> Value {
        let calls = self.calls.all();
        calls.iter().for_each(|call| self.tell(call));
        calls.iter().map(|call| call.to_json()).collect()
    }

    /// Whose Set the tools work on.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// The version of Live whose object model the Set inside the device has.
    pub fn emulated_live_version(&self) -> String {
        self.hosts.embedded().set.committed_session().live_version().to_owned()
    }

    /// What could be chosen instead of the host that takes calls now.
    pub fn host_offer(&self) -> Option<String> {
        let is_open = !self.hosts.is_live() && self.hosts.live().is_linked();
        is_open.then(|| {
            "Ableton Live is linked and the tools work on the Set inside this device: set hostChoice to live to work on \
             the Set that is open in Live"
                .to_owned()
        })
    }

    /// How long nobody has called; zero while a call is under way.
    pub fn idle_for(&self) -> Duration {
        self.activity.idle_for()
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

    pub fn save_status(&self) -> &SaveStatus {
        &self.save_status
    }

    /// What calls have to show.
    pub fn access(&self) -> &Arc<AccessCell> {
        &self.access
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

    /// Work that outlasts its call.
    pub fn jobs(&self) -> &Jobs {
        &self.jobs
    }

    /// The threads to be joined when the device goes; calls that still need them fail, jobs are cancelled.
    pub fn stop_workers(&self) -> Vec<JoinHandle<()>> {
        let workers = self.workers.lock().take().map_or_else(Vec::new, Workers::stop);
        self.jobs.stop().into_iter().chain(workers).collect()
    }

    /// Every tool that a request with these headers sees.
    pub fn list_tools(&self, headers: &ProfileHeaders) -> ToolList {
        let profile = Profile::resolve(&self.settings.load(), headers);
        let view = self.views.of(&self.hosts.current(), &profile, true, false, &Budget::default());
        let describe = || self.catalogue().map_or_else(Vec::new, |c| c.describe(&profile, &view));
        self.described.get(&view, describe)
    }

    pub fn has_tool(&self, name: &str, headers: &ProfileHeaders) -> bool {
        let profile = Profile::resolve(&self.settings.load(), headers);
        self.catalogue().is_some_and(|c| c.find(name, &profile).is_some())
    }

    pub fn config(&self) -> Value {
        let mut config = config::to_json(&self.settings.load(), &self.instance);
        if let Some(map) = config.as_object_mut() {
            map.insert("tokenRequired".to_owned(), self.access.is_restricted().into());
        }
        config
    }

    pub fn change_config(&self, body: &Map<String, Value>) -> Result<Value, ConfigRefusal> {
        let ignored = self.settings.change(|settings| config::change(settings, body))?;
        if body.contains_key(config::HOST_CHOICE) {
            // Before it is answered, so that the next call goes there; the device does what else is to be done.
            match self.settings.load().host_choice {
                HostChoice::Embedded => drop(self.hosts.choose(false)),
                HostChoice::Live => drop(self.hosts.choose(true)),
                HostChoice::Auto => {}
            }
        }
        // It was checked with the rest.
        if let Some(Ok(token)) = body.get(config::TOKEN).map(config::token) {
            self.access.set(token);
        }
        let mut config = self.config();
        if let Some(map) = config.as_object_mut() {
            map.insert("ignored".to_owned(), ignored.into());
        }
        Ok(config)
    }
}

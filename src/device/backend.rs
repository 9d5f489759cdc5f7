//! The device as the HTTP server sees it.

use super::followed_settings::FollowedSettings;
use super::indexed_folders::indexed_folders;
use super::live_link;
use super::project_state::ProjectState;
use super::server_status::{ServerStatus, StatusCell};
use crate::events::EventHub;
use crate::http::Backend;
use crate::library::{Phase, Progress};
use crate::object_model::ObjectId;
use crate::paths::AllowedFolders;
use crate::service::config::{RECOVERY, START_FRESH, TOKEN};
use crate::service::embedded::EmbeddedSet;
use crate::service::permissions::PERMISSION_REQUEST;
use crate::service::{
    Answer, CallFailure, CallRequest, ConfigRefusal, LIVE_API_TOOL, ProfileHeaders, Service, ToolList,
};
use crate::set_view::{ClipView, Overview, Waveforms};
use crate::sound::control::SoundControl;
use crate::sound::output_status::SoundStatus;
use crate::tools;
use crate::transfers::Transfers;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The device is at work on something else for longer than an answer waits.
const NOT_YET: &str = "the settings are kept; the device is busy, and follows them within a moment";

/// Holds parts of a device, never the device itself: a server under way must not keep its device alive.
pub(super) struct DeviceBackend {
    parts: Parts,
    waveforms: Arc<Waveforms>,
}

/// What it answers from.
pub(super) struct Parts {
    pub service: Arc<Service>,
    pub set: Arc<EmbeddedSet>,
    pub project: Arc<ProjectState>,
    pub status: Arc<StatusCell>,
    pub followed: Arc<FollowedSettings>,
    pub sound: Arc<SoundControl>,
    pub events: Arc<EventHub>,
    pub transfers: Option<Arc<Transfers>>,
}

static VIEW_TURN: Semaphore = Semaphore::const_new(1);

impl DeviceBackend {
    pub fn new(parts: Parts) -> DeviceBackend {
        DeviceBackend { parts, waveforms: Arc::default() }
    }

    /// How far the index is of the folders that are set, which may not have been begun with.
    fn sample_folder_status(&self) -> Option<String> {
        let library = self.parts.service.library();
        let wanted = indexed_folders(&self.parts.service.settings());
        if library.folders() == wanted {
            return library.progress().summary();
        }
        let phase = if wanted.is_empty() { Phase::Idle } else { Phase::Walking };
        Progress { phase, ..Progress::default() }.summary()
    }

    /// Adds what the device knows and the settings do not.
    fn with_device_state(&self, mut config: Value) -> Value {
        if let Some(map) = config.as_object_mut() {
            // Why a saved state could not be read.
            map.insert("heldState".to_owned(), json!(self.parts.project.unreadable_reason()));
            let listening = match self.parts.status.get() {
                ServerStatus::Listening { port } => json!(port),
                ServerStatus::Off | ServerStatus::Waiting { .. } => Value::Null,
            };
            map.insert("listeningPort".to_owned(), listening);
            map.insert("availableTools".to_owned(), available_tools());
            // How far the index of the sample folders is, in words.
            map.insert("sampleFolderStatus".to_owned(), json!(self.sample_folder_status()));
            map.insert("soundOutput".to_owned(), self.parts.sound.output.to_json());
            let SoundStatus { text, is_unheard } = self.parts.sound.status();
            map.insert("soundStatus".to_owned(), json!({ "text": text, "isUnheard": is_unheard }));
            // Why what was changed last is not on the disk.
            let failure = self.parts.service.save_status().failure();
            map.insert("saveFailure".to_owned(), json!(failure.as_deref()));
            let offer = self.parts.project.recovery_offer();
            map.insert("host".to_owned(), live_link::status_json(&self.parts.service));
            map.insert("recovery".to_owned(), offer.map_or(Value::Null, |changes| json!({ "newerChanges": changes })));
        }
        config
    }
}

impl DeviceBackend {
    /// Asks the disk for the folders that the project asks for, before they are granted: away from the server's thread.
    async fn look_at_held(&self) {
        let service = &self.parts.service;
        let settings = service.settings();
        if let Some(look) = service.off_thread(move || settings.look_at_held(true)).await {
            service.edit_settings(|settings| settings.set_held_look(look.clone()));
        }
    }
}

impl Backend for DeviceBackend {
    fn tools(&self, headers: &ProfileHeaders) -> ToolList {
        self.parts.service.list_tools(headers)
    }

    fn has_tool(&self, name: &str, headers: &ProfileHeaders) -> bool {
        self.parts.service.has_tool(name, headers)
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<Answer, CallFailure>> + Send {
        self.parts.service.call(request)
    }

    fn save_warning(&self) -> impl Future<Output = Option<String>> + Send {
        self.parts.service.save_warning()
    }

    fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Option<T>> + Send {
        self.parts.service.off_thread(work)
    }

    fn json_output(&self) -> bool {
        self.parts.service.settings().json_output
    }

    fn config(&self) -> Value {
        self.with_device_state(self.parts.service.config())
    }

    async fn change_config(&self, members: &Map<String, Value>) -> Result<Value, ConfigRefusal> {
        if members.get(PERMISSION_REQUEST).is_some_and(|word| word == "grant") {
            self.look_at_held().await;
        }
        let mut config = self.parts.service.change_config(members)?;
        if members.contains_key(TOKEN) {
            self.parts.followed.changed();
            self.parts.project.token_changed();
        }
        if let Some(word) = members.get(RECOVERY).and_then(Value::as_str) {
            self.parts.project.settle_recovery(word == "restore");
        }
        if members.get(START_FRESH) == Some(&Value::Bool(true)) {
            self.parts.project.start_fresh();
        }
        // Only now is it said that they are: the next call may depend on any of them.
        if !self.parts.followed.in_force().await
            && let Some(map) = config.as_object_mut()
        {
            map.insert("detail".to_owned(), json!(NOT_YET));
        }
        Ok(self.with_device_state(config))
    }

    fn events(&self) -> &Arc<EventHub> {
        &self.parts.events
    }

    fn greeting(&self) -> Map<String, Value> {
        let mut greeting = Map::new();
        greeting.insert("instance".to_owned(), self.parts.service.instance().into());
        greeting.insert("revision".to_owned(), live_link::revision(&self.parts.service, &self.parts.set).into());
        greeting.insert("host".to_owned(), live_link::shown_host(&self.parts.service));
        greeting
    }

    async fn view(&self) -> Option<String> {
        let Parts { service, set, sound, events, .. } = &self.parts;
        // Before the snapshot: what happens in between is told twice rather than never.
        let last_event_id = events.last_id();
        let (shows_set, host) = (!service.hosts().is_live(), live_link::shown_host(service));
        let revision_in_live = service.hosts().live().changes();
        let (set, is_heard) = (set.clone(), sound.is_heard());
        let work = move || {
            if !shows_set {
                return serde_json::to_string(&Overview::without_set(revision_in_live, last_event_id, host)).ok();
            }
            let (set, revision) = set.snapshot();
            serde_json::to_string(&Overview::of(&set, is_heard, revision, last_event_id, host)).ok()
        };
        // One at a time: views of a large Set leave workers to the calls.
        let _turn = VIEW_TURN.acquire().await.ok()?;
        service.off_thread(work).await?
    }

    async fn clip_view(&self, id: u64) -> Option<Option<String>> {
        let Parts { service, set, .. } = &self.parts;
        if service.hosts().is_live() {
            return Some(None);
        }
        let folders = AllowedFolders::new(service.settings().opened_folders());
        let (set, waveforms) = (set.clone(), self.waveforms.clone());
        let work = move || {
            let (set, revision) = set.snapshot();
            let view = ClipView::of(&set, revision, ObjectId(id), &waveforms, &folders);
            view.map(|view| serde_json::to_string(&view)).transpose().ok()
        };
        service.off_thread(work).await?
    }

    fn transfers(&self) -> Option<&Arc<Transfers>> {
        self.parts.transfers.as_ref()
    }

    async fn last_calls(&self) -> Option<String> {
        let service = self.parts.service.clone();
        let work = move || serde_json::json!({ "calls": service.last_calls() }).to_string();
        self.parts.service.off_thread(work).await
    }
}

/// Every tool that the settings can switch on or off, in the catalogue's order.
fn available_tools() -> Value {
    let all = tools::registry::all().iter().filter(|tool| tool.name != LIVE_API_TOOL);
    all.map(|tool| json!({ "name": tool.name, "title": tool.title })).collect()
}

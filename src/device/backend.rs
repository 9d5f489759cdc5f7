//! The device as the HTTP server sees it.

use super::live_link;
use super::project_state::ProjectState;
use super::server_status::{ServerStatus, StatusCell};
use crate::http::Backend;
use crate::service::config::{RECOVERY, START_FRESH, TOKEN};
use crate::service::{Answer, CallFailure, CallRequest, ConfigRefusal, ProfileHeaders, Service, ToolList};
use crate::sound::control::SoundControl;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Holds parts of a device, never the device itself: a server under way must not keep its device alive.
pub(super) struct DeviceBackend {
    service: Arc<Service>,
    project: Arc<ProjectState>,
    status: Arc<StatusCell>,
    sound: Arc<SoundControl>,
}

impl DeviceBackend {
    pub fn new(
        service: Arc<Service>,
        project: Arc<ProjectState>,
        status: Arc<StatusCell>,
        sound: Arc<SoundControl>,
    ) -> DeviceBackend {
        DeviceBackend { service, project, status, sound }
    }

    /// Adds what the device knows and the settings do not.
    fn with_device_state(&self, mut config: Value) -> Value {
        if let Some(map) = config.as_object_mut() {
            // Why a saved state could not be read.
            map.insert("heldState".to_owned(), json!(self.project.unreadable_reason()));
            let listening = match self.status.get() {
                ServerStatus::Listening { port } => json!(port),
                ServerStatus::Off | ServerStatus::Waiting { .. } => Value::Null,
            };
            map.insert("listeningPort".to_owned(), listening);
            map.insert("soundOutput".to_owned(), self.sound.output.to_json());
            // Why what was changed last is not on the disk.
            let failure = self.service.save_status().failure();
            map.insert("saveFailure".to_owned(), json!(failure.as_deref()));
            let offer = self.project.recovery_offer();
            map.insert("host".to_owned(), live_link::status_json(&self.service));
            map.insert("recovery".to_owned(), offer.map_or(Value::Null, |changes| json!({ "newerChanges": changes })));
        }
        config
    }
}

impl Backend for DeviceBackend {
    fn tools(&self, headers: &ProfileHeaders) -> ToolList {
        self.service.list_tools(headers)
    }

    fn has_tool(&self, name: &str, headers: &ProfileHeaders) -> bool {
        self.service.has_tool(name, headers)
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<Answer, CallFailure>> + Send {
        self.service.call(request)
    }

    fn save_warning(&self) -> impl Future<Output = Option<String>> + Send {
        self.service.save_warning()
    }

    fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> impl Future<Output = Option<T>> + Send {
        self.service.off_thread(work)
    }

    fn json_output(&self) -> bool {
        self.service.settings().json_output
    }

    fn config(&self) -> Value {
        self.with_device_state(self.service.config())
    }

    fn change_config(&self, members: &Map<String, Value>) -> Result<Value, ConfigRefusal> {
        let config = self.service.change_config(members)?;
        if members.contains_key(TOKEN) {
            self.project.token_changed();
        }
        if let Some(word) = members.get(RECOVERY).and_then(Value::as_str) {
            self.project.settle_recovery(word == "restore");
        }
        if members.get(START_FRESH) == Some(&Value::Bool(true)) {
            self.project.start_fresh();
        }
        Ok(self.with_device_state(config))
    }
}

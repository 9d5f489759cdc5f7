//! The device as the HTTP server sees it.

use super::{Device, ServerStatus};
use crate::http::Backend;
use crate::service::config::{RECOVERY, START_FRESH};
use crate::service::{Answer, CallFailure, CallRequest, ConfigRefusal, ProfileHeaders, Service, ToolDescriptor};
use serde_json::{Map, Value, json};
use std::sync::{Arc, Weak};

/// Holds the service, and the device only weakly: a server under way must not keep its device alive.
pub(super) struct DeviceBackend {
    service: Arc<Service>,
    device: Weak<Device>,
}

impl DeviceBackend {
    pub fn new(device: &Arc<Device>) -> DeviceBackend {
        DeviceBackend { service: device.service.clone(), device: Arc::downgrade(device) }
    }

    /// Whether a saved state is held that could not be read, and why.
    fn held(&self) -> Value {
        let held = self.device.upgrade().and_then(|device| device.keeper.held());
        held.map_or(Value::Null, |held| json!(held.why))
    }

    fn shown(&self, mut config: Value) -> Value {
        if let Some(map) = config.as_object_mut() {
            map.insert("heldState".to_owned(), self.held());
            let listening = match self.device.upgrade().map(|device| device.server_status()) {
                Some(ServerStatus::Listening { port }) => json!(port),
                _ => Value::Null,
            };
            map.insert("listeningPort".to_owned(), listening);
            let offer = self.device.upgrade().and_then(|device| device.recovery_offer());
            map.insert("recovery".to_owned(), offer.map_or(Value::Null, |changes| json!({ "newerChanges": changes })));
        }
        config
    }
}

impl Backend for DeviceBackend {
    fn tools(&self, headers: &ProfileHeaders) -> Vec<ToolDescriptor> {
        self.service.list_tools(headers)
    }

    fn has_tool(&self, name: &str, headers: &ProfileHeaders) -> bool {
        self.service.has_tool(name, headers)
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<Answer, CallFailure>> + Send {
        self.service.call(request)
    }

    fn json_output(&self) -> bool {
        self.service.settings().json_output
    }

    fn config(&self) -> Value {
        self.shown(self.service.config())
    }

    fn change_config(&self, members: &Map<String, Value>) -> Result<Value, ConfigRefusal> {
        let config = self.service.change_config(members)?;
        let recovery = members.get(RECOVERY).and_then(Value::as_str);
        if let (Some(word), Some(device)) = (recovery, self.device.upgrade()) {
            device.settle_recovery(word == "restore");
        }
        if members.get(START_FRESH) == Some(&Value::Bool(true))
            && let Some(device) = self.device.upgrade()
        {
            device.start_fresh();
        }
        Ok(self.shown(config))
    }
}

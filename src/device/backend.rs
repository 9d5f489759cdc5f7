//! The device as the HTTP server sees it.

use super::Device;
use crate::http::Backend;
use crate::service::{Answer, CallFailure, CallRequest, ConfigRefusal, ProfileHeaders, Service};
use axum::body::Bytes;
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
            let offer = self.device.upgrade().and_then(|device| device.recovery_offer());
            map.insert("recovery".to_owned(), offer.map_or(Value::Null, |changes| json!({ "newerChanges": changes })));
        }
        config
    }
}

impl Backend for DeviceBackend {
    fn tools_body(&self, headers: &ProfileHeaders) -> Bytes {
        let body = json!({ "tools": self.service.list_tools(headers) });
        Bytes::from(body.to_string())
    }

    fn has_tool(&self, name: &str, headers: &ProfileHeaders) -> bool {
        self.service.has_tool(name, headers)
    }

    fn call(&self, request: CallRequest) -> impl Future<Output = Result<Answer, CallFailure>> + Send {
        self.service.call(request)
    }

    fn config(&self) -> Value {
        self.shown(self.service.config())
    }

    fn change_config(&self, members: &Map<String, Value>) -> Result<Value, ConfigRefusal> {
        let mut members = members.clone();
        let fresh = match members.shift_remove("startFresh") {
            None => false,
            Some(Value::Bool(fresh)) => fresh,
            Some(_) => {
                let fields = vec![("startFresh".to_owned(), "must be true or false".to_owned())];
                return Err(ConfigRefusal { fields, valid_tool_names: None });
            }
        };
        let recovery = match members.shift_remove("recovery") {
            None => None,
            Some(Value::String(word)) if word == "restore" => Some(true),
            Some(Value::String(word)) if word == "dismiss" => Some(false),
            Some(_) => {
                let fields = vec![("recovery".to_owned(), "must be restore or dismiss".to_owned())];
                return Err(ConfigRefusal { fields, valid_tool_names: None });
            }
        };
        let config = self.service.change_config(&members)?;
        if let (Some(take), Some(device)) = (recovery, self.device.upgrade()) {
            device.settle_recovery(take);
        }
        if fresh && let Some(device) = self.device.upgrade() {
            device.start_fresh();
        }
        Ok(self.shown(config))
    }
}

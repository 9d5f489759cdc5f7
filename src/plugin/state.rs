//! What a host saves with its project: the device's state, as one text.

use crate::device::Device;
use nice_plug::params::persist::PersistentField;
use nice_plug::prelude::*;
use std::sync::Arc;

/// The plugin's state, and the one parameter it has.
#[derive(Params)]
pub struct DeviceParams {
    #[persist = "device"]
    state: StateField,
    /// Means nothing; changed to have the host mark its project as changed.
    #[id = "changed"]
    pub changed: BoolParam,
}

impl DeviceParams {
    pub fn new(device: Arc<Device>) -> DeviceParams {
        DeviceParams {
            state: StateField(device),
            changed: BoolParam::new("Set changed", false).non_automatable().hide(),
        }
    }
}

/// Reads and writes the device's state in the form the framework persists. Neither waits for anyone.
struct StateField(Arc<Device>);

impl PersistentField<'_, String> for StateField {
    fn set(&self, text: String) {
        self.0.load_state(&text);
    }

    fn map<F, R>(&self, f: F) -> R
    where
        F: Fn(&String) -> R,
    {
        f(&self.0.save_state())
    }
}

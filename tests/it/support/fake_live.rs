//! A device on the host `live`, linked with a fake Live.

use super::child::{Device, PATIENCE, Start, wait_until};
pub use super::fake_live_process::FakeLive;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A device on the host `live`, and the Live that it is linked with.
pub struct Linked {
    pub device: Device,
    pub live: FakeLive,
}

/// Starts both and waits until they are linked.
pub fn linked(options: Value) -> Linked {
    let device = Start::new().args(["--host", "live"]).start();
    let live = FakeLive::start(&bridge_file(&device), options);
    let linked = Linked { device, live };
    linked.wait_for("linked");
    linked
}

/// By which file a script finds the device.
pub fn bridge_file(device: &Device) -> PathBuf {
    device.data_dir().join("bridge").join(format!("{}.json", device.process()))
}

impl Linked {
    /// How it stands with the link, as `/config` tells.
    pub fn host(&self) -> Value {
        self.device.config()["host"].take()
    }

    /// Waits until the link is in that state.
    #[track_caller]
    pub fn wait_for(&self, state: &str) -> Value {
        let found = wait_until(PATIENCE, || Some(self.host()).filter(|host| host["live"]["state"] == state));
        found.unwrap_or_else(|| panic!("not {state}: {}", self.host()))
    }

    /// How many requests Live has had.
    pub fn exchanges(&self) -> u64 {
        self.host()["live"]["exchanges"].as_u64().expect("a count")
    }

    /// That no rule of Live was broken, and nothing of the script failed.
    #[track_caller]
    pub fn assert_orderly(&self) {
        assert_eq!(self.live.ask("incidents", json!({})), json!([]));
    }
}

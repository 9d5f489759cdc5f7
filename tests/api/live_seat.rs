//! A fake Live for the device of a test, with an empty Set; one that a test is done with serves the next.

use crate::fake_live_process::FakeLive;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use svc_device::device::Device;

/// Starting Python takes longer than most tests. They end with this process, whose pipes they read.
static IDLE: Mutex<Vec<FakeLive>> = Mutex::new(Vec::new());

/// Turns come faster than Live gives them, for each first request of a call waits for one.
const TURN_EVERY_MS: u32 = 2;
/// Nothing here takes this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(20);

/// Whether the tests of this run are to work on a Live instead of the embedded Set.
pub fn is_wanted() -> bool {
    std::env::var_os("SVC_API_HOST").is_some_and(|host| host == "live")
}

/// A Live that is linked with a device.
pub struct LiveSeat {
    live: Option<FakeLive>,
    /// Of the calls that can be undone and redone: how many steps of Live's undo each is.
    undone_by: Mutex<(Vec<u64>, Vec<u64>)>,
}

impl LiveSeat {
    /// A Live whose script finds the device by the bridge file in its folder.
    pub fn take(device: &Device, folder: &Path) -> LiveSeat {
        let idle = IDLE.lock().expect("no test fails with it").pop();
        let bridge_file = folder.join("bridge").join(format!("{}.json", std::process::id()));
        let live = idle.unwrap_or_else(|| {
            // The newest Live, as which the embedded Set answers.
            let options = json!({ "version": [12, 4, 6], "turn_every_ms": TURN_EVERY_MS, "load": false });
            FakeLive::start(&bridge_file, options)
        });
        let is_there = |what: &str, done: &dyn Fn() -> bool| {
            let end = Instant::now() + PATIENCE;
            while !done() {
                assert!(Instant::now() < end, "{what}");
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        is_there("the device listens for Live", &|| bridge_file.exists());
        live.ask("serve", json!({ "bridge_file": bridge_file }));
        is_there("Live is linked", &|| device.service.hosts().live().is_linked());
        LiveSeat { live: Some(live), undone_by: Mutex::default() }
    }

    /// A call as a user makes it who looks at Live's undo history: whether the requests of a call come in one turn, and
    /// so in one step, hangs on the machine. An undo takes the whole of the last call back, a redo brings it again.
    pub fn as_one_step(&self, tool: &str, arguments: &Value, call: impl Fn(&Value) -> (u16, Value)) -> (u16, Value) {
        let steps = || self.ask("steps", json!({})).as_u64().expect("a count");
        let mut undone_by = self.undone_by.lock().expect("the test goes on");
        let (undo, redo) = &mut *undone_by;
        let (from, to) = match &arguments["action"] {
            action if tool == "svc-manage" && action == "undo" => (undo, redo),
            action if tool == "svc-manage" && action == "redo" => (redo, undo),
            _ => {
                let before = steps();
                let (status, mut body) = call(arguments);
                let made = steps().saturating_sub(before);
                if made > 0 {
                    undo.push(made);
                    redo.clear();
                }
                without_undo_steps(&mut body);
                return (status, body);
            }
        };
        let mut arguments = arguments.clone();
        let calls = arguments["steps"].as_u64().unwrap_or(1);
        let mut wanted = 0;
        for _ in 0..calls {
            let step = from.pop();
            to.extend(step);
            wanted += step.unwrap_or(1);
        }
        if wanted != calls {
            arguments["steps"] = wanted.into();
        }
        call(&arguments)
    }

    /// A command of `fake_live/control.py`.
    #[track_caller]
    pub fn ask(&self, op: &str, told: Value) -> Value {
        self.live.as_ref().expect("it is there until the test ends").ask(op, told)
    }
}

impl Drop for LiveSeat {
    fn drop(&mut self) {
        let Some(live) = self.live.take() else { return };
        if std::thread::panicking() {
            return;
        }
        let broken = live.ask("leave", json!({}));
        IDLE.lock().expect("no test fails with it").push(live);
        assert_eq!(broken, json!([]), "rules of Live that were broken");
    }
}

fn without_undo_steps(envelope: &mut Value) {
    let Some(warnings) = envelope.get_mut("warnings").and_then(Value::as_array_mut) else { return };
    warnings.retain(|warning| !warning.as_str().is_some_and(|text| text.starts_with("Live's undo takes")));
    if warnings.is_empty() {
        envelope.as_object_mut().expect("an object").shift_remove("warnings");
    }
}

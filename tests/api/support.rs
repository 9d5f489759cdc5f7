//! A device in this process, its Set played by a thread that stands for an audio callback, and a client of its API.

use crate::http::{Client, Reply};
use crate::live_seat::{self, LiveSeat};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use svc_device::device::state_file::StateFile;
use svc_device::device::{Config, Device, Persistence, ServerStatus};
use svc_device::playback::Block;
use svc_device::service::Settings;
use svc_device::service::hosts::HostChoice;
use svc_device::service::pump::SliceThread;
use svc_device::set::Document;
use svc_device::sound::player::Player;

/// Nothing here takes this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(10);

pub struct Api {
    pub device: Arc<Device>,
    pub addr: SocketAddr,
    /// The Live that the tools work on, where it is not the embedded Set.
    live: Option<LiveSeat>,
    stop: Arc<AtomicBool>,
    player: Option<JoinHandle<()>>,
    user_folder: Option<PathBuf>,
    /// The user's folder, of a device that is linked with Live and was given none.
    _folder: Option<tempfile::TempDir>,
}

impl Api {
    /// A new Set.
    pub fn new() -> Api {
        Api::with(Settings::default())
    }

    /// With the raw tool switched on.
    pub fn raw_enabled() -> Api {
        Api::with(Settings { live_api_enabled: true, ..Settings::default() })
    }

    pub fn with(settings: Settings) -> Api {
        Api::keeping(settings, Persistence::Nowhere)
    }

    /// With a folder of the user's own.
    pub fn in_folder(folder: &Path) -> Api {
        Api::keeping(Settings::default(), Persistence::File(StateFile::new(folder, None)))
    }

    /// With a place for what is kept.
    pub fn keeping(settings: Settings, persistence: Persistence) -> Api {
        let (mut api, player) = Api::without_player(settings, persistence);
        api.player = Some(play(player, api.stop.clone()));
        let folder = api.user_folder.take().filter(|_| live_seat::is_wanted());
        api.live = folder.map(|folder| LiveSeat::take(&api.device, &folder));
        api
    }

    /// With whoever plays it in the test's hands.
    pub fn without_player(settings: Settings, persistence: Persistence) -> (Api, Player) {
        let is_live = live_seat::is_wanted();
        let mut folder = None;
        let persistence = match persistence.user_folder() {
            None if is_live => {
                let made = folder.insert(tempfile::tempdir().expect("a folder"));
                Persistence::File(StateFile::new(made.path(), None))
            }
            _ => persistence,
        };
        let user_folder = persistence.user_folder().map(Path::to_owned);
        let (device, player) = Device::new(Config {
            instance: "test".to_owned(),
            settings,
            document: Document::new_set(),
            own_clock: true,
            port_override: Some(0),
            host_override: is_live.then_some(HostChoice::Live),
            persistence,
            on_change: Box::new(|| {}),
        });
        let stop = Arc::new(AtomicBool::new(false));
        device.start(SliceThread::Model).expect("the device starts");
        let ServerStatus::Listening { port } = device.wait_for_server(PATIENCE) else {
            panic!("the server listens: {:?}", device.server_status())
        };
        let addr = SocketAddr::from(([127, 0, 0, 1], port));
        (Api { device, addr, live: None, stop, player: None, user_folder, _folder: folder }, player)
    }

    pub fn request(&self, method: &str, target: &str, headers: &str, body: &str) -> Reply {
        let reply = Client::connect(self.addr).request(method, target, headers, body);
        if reply.status != 204 && method != "HEAD" {
            assert_eq!(reply.header("content-type"), Some("application/json"), "{method} {target}");
            reply.json();
        }
        reply
    }

    pub fn post(&self, target: &str, headers: &str, body: &Value) -> Reply {
        self.request("POST", target, headers, &body.to_string())
    }

    /// What a call answers: status and body.
    pub fn answered(&self, tool: &str, headers: &str, arguments: &Value) -> (u16, Value) {
        let call = |arguments: &Value| {
            let reply = self.post(&format!("/api/tools/{tool}"), headers, arguments);
            (reply.status, reply.json())
        };
        match &self.live {
            Some(live) => live.as_one_step(tool, arguments, call),
            None => call(arguments),
        }
    }

    /// The whole body of a 200.
    pub fn envelope(&self, tool: &str, headers: &str, arguments: &Value) -> Value {
        let (status, body) = self.answered(tool, headers, arguments);
        assert_eq!(status, 200, "{tool} {arguments}: {body}");
        body
    }

    /// The result of a call that goes well and has nothing to warn of.
    pub fn ok(&self, tool: &str, arguments: Value) -> Value {
        let mut envelope = self.envelope(tool, "", &arguments);
        assert_eq!(envelope["isError"], false, "{tool} {arguments}: {envelope}");
        // That a busy disk is behind says nothing of the call.
        let late = |warning: &Value| warning.as_str().is_some_and(|text| text.ends_with("are not on the disk yet"));
        let only_late = envelope["warnings"].as_array().is_none_or(|all| all.iter().all(late));
        assert!(only_late, "{tool} {arguments}: {envelope}");
        envelope["result"].take()
    }

    /// The text of a call that is refused, and the proof that it changed nothing.
    pub fn refused(&self, tool: &str, arguments: Value) -> String {
        let before = self.saved();
        let envelope = self.envelope(tool, "", &arguments);
        assert_eq!(envelope["isError"], true, "{tool} {arguments}: {envelope}");
        assert_eq!(self.saved(), before, "{tool} {arguments} changed the Set");
        envelope["result"].as_str().expect("an error is a text").to_owned()
    }

    /// A 400: its body.
    pub fn bad(&self, tool: &str, arguments: Value) -> Value {
        let before = self.saved();
        let reply = self.post(&format!("/api/tools/{tool}"), "", &arguments);
        assert_eq!(reply.status, 400, "{tool} {arguments}: {}", reply.json());
        assert_eq!(self.saved(), before, "{tool} {arguments} changed the Set");
        let body = reply.json();
        assert!(body.get("result").is_none() && body.get("isError").is_none(), "{body}");
        body
    }

    /// The Set and the settings as they would be saved, byte for byte; of a Live, all that is kept of its Set.
    pub fn saved(&self) -> String {
        match &self.live {
            Some(live) => live.ask("state", json!({})).to_string(),
            None => self.device.save_state(),
        }
    }

    /// Loads the Set again as it would be if it had been saved otherwise: for what no function makes.
    pub fn edit_saved(&self, edit: impl FnOnce(&mut Value)) {
        assert!(self.live.is_none(), "Live loads no state of ours");
        let mut state: Value = serde_json::from_str(&self.saved()).expect("a state is JSON");
        edit(&mut state["set"]);
        self.device.load_state(&state.to_string());
        self.ok("svc-read-live-set", json!({}));
        assert!(self.device.set.unreadable().is_none(), "the edited Set is one");
    }

    /// All that is kept of the Set, to be compared.
    pub fn kept(&self) -> Kept {
        match &self.live {
            Some(live) => Kept::Live(live.ask("state", json!({}))),
            None => Kept::Embedded(self.document()),
        }
    }

    /// A count that a read of the Set tells.
    pub fn count(&self, field: &str) -> u64 {
        self.ok("svc-read-live-set", json!({}))[field].as_u64().expect("a count")
    }

    pub fn document(&self) -> Document {
        assert!(self.live.is_none(), "a Live has no document of ours");
        self.device.set.committed().document.clone()
    }

    /// A raw call: its whole result.
    pub fn raw_call(&self, path: &str, operations: Value) -> Value {
        let arguments = json!({ "path": path, "operations": operations });
        let mut envelope = self.envelope("svc-live-api", "x-svc-live-api: true\r\n", &arguments);
        assert_eq!(envelope["isError"], false, "{arguments}: {envelope}");
        envelope["result"].take()
    }

    /// What each operation gave; an absent `result` is `undefined`.
    pub fn raw(&self, path: &str, operations: Value) -> Vec<Value> {
        let result = self.raw_call(path, operations);
        let results = result["results"].as_array().expect("results").iter();
        results.map(|entry| entry.get("result").cloned().unwrap_or_else(|| json!("undefined"))).collect()
    }

    pub fn raw_refused(&self, path: &str, operations: Value) -> String {
        let before = self.saved();
        let arguments = json!({ "path": path, "operations": operations });
        let envelope = self.envelope("svc-live-api", "x-svc-live-api: true\r\n", &arguments);
        assert_eq!(envelope["isError"], true, "{arguments}: {envelope}");
        assert_eq!(self.saved(), before, "{arguments} changed the Set");
        envelope["result"].as_str().expect("an error is a text").to_owned()
    }

    pub fn get(&self, path: &str, property: &str) -> Value {
        self.raw(path, json!([{"type": "get", "property": property}])).remove(0)
    }

    /// Writes and reads back.
    pub fn set(&self, path: &str, property: &str, value: Value) -> Value {
        let mut results = self.raw(
            path,
            json!([{"type": "set", "property": property, "value": value}, {"type": "get", "property": property}]),
        );
        assert_eq!(results[0], 1, "set always answers 1");
        results.remove(1)
    }

    pub fn call(&self, path: &str, method: &str, args: Value) -> Value {
        self.raw(path, json!([{"type": "call", "method": method, "args": args}])).remove(0)
    }

    pub fn id(&self, path: &str) -> String {
        let id = self.raw_call(path, json!([{"type": "exists"}]))["id"].as_str().expect("an id").to_owned();
        assert_ne!(id, "0", "{path} is there");
        id
    }

    /// Waits until a property reads as wanted.
    pub fn wait_for(&self, path: &str, property: &str, wanted: Value) {
        let end = Instant::now() + PATIENCE;
        loop {
            let now = self.get(path, property);
            if now == wanted {
                return;
            }
            assert!(Instant::now() < end, "{path} {property} stays {now}, wanted {wanted}");
        }
    }
}

/// A Set as it was.
pub enum Kept {
    Embedded(Document),
    Live(Value),
}

impl Kept {
    /// Whether all of it is the same, but for ids that were used up.
    pub fn same_as(&self, other: &Kept) -> bool {
        match (self, other) {
            (Kept::Embedded(one), Kept::Embedded(other)) => one.same_as(other),
            (Kept::Live(one), Kept::Live(other)) => one == other,
            _ => false,
        }
    }
}

/// Plays the Set, as an audio callback does. Blocks come faster than real time, so that a bar passes in a moment.
fn play(mut player: Player, stop: Arc<AtomicBool>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            player.process(&Block { sample_rate: 48_000.0, frames: 2048, host: None }, &mut |_| true);
            std::thread::sleep(Duration::from_millis(2));
        }
    })
}

/// An entry without `changed: false`: for tests that may ask for what is so already.
pub fn without_changed(mut entry: Value) -> Value {
    if let Some(fields) = entry.as_object_mut() {
        fields.shift_remove("changed");
    }
    entry
}

/// An entry without what it says of paths that moved: for tests of everything else.
pub fn without_moves(mut entry: Value) -> Value {
    let said = entry["detail"].as_str().unwrap_or_default();
    let rest: Vec<&str> = said.split("; ").filter(|sentence| !sentence.starts_with("what was ")).collect();
    let rest = rest.join("; ");
    if let Some(fields) = entry.as_object_mut() {
        fields.shift_remove("detail");
        if !rest.is_empty() {
            fields.insert("detail".to_owned(), json!(rest));
        }
    }
    entry
}

impl Drop for Api {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.live = None;
        if let Some(player) = self.player.take() {
            let _ = player.join();
        }
        // Whether its threads end in time is the business of the tests of a device's life; here many devices share two
        // cores.
        let _ = self.device.stop();
    }
}

//! `svc-device` as a child process: started on a free port with a folder of its own, ended with the test.

use super::http::once;
use serde_json::{Map, Value};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Nothing that the tests wait for takes this long on a healthy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

const READY: &str = "svc-device listening on http://127.0.0.1:";

/// How a device is to be started.
pub struct Start {
    /// Without it the one of the settings counts.
    port: Option<OsString>,
    headless: bool,
    data_dir: Option<PathBuf>,
    more: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    /// Commands of a shell that run before it, in its process.
    before: Option<String>,
}

impl Start {
    /// Headless, on a free port, with a new folder.
    pub fn new() -> Start {
        Start {
            port: Some("0".into()),
            headless: true,
            data_dir: None,
            more: Vec::new(),
            environment: Vec::new(),
            before: None,
        }
    }

    pub fn port(mut self, port: u16) -> Start {
        self.port = Some(port.to_string().into());
        self
    }

    /// On the port that its settings name.
    pub fn saved_port(mut self) -> Start {
        self.port = None;
        self
    }

    pub fn with_window(mut self) -> Start {
        self.headless = false;
        self
    }

    /// A folder that outlives the device.
    pub fn data_dir(mut self, folder: &Path) -> Start {
        self.data_dir = Some(folder.to_owned());
        self
    }

    pub fn args<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Start {
        self.more.extend(arguments.into_iter().map(Into::into));
        self
    }

    pub fn env(mut self, name: &str, value: impl Into<OsString>) -> Start {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Under what these commands of a shell set for it, such as `ulimit -f 8`.
    #[cfg(unix)]
    pub fn after(mut self, commands: &str) -> Start {
        self.before = Some(commands.to_owned());
        self
    }

    fn spawn(self) -> (Child, Option<TempDir>) {
        let own = self.data_dir.is_none().then(|| tempfile::tempdir().expect("a folder for the device"));
        let folder = self.data_dir.or_else(|| own.as_ref().map(|own| own.path().to_owned())).unwrap_or_default();
        let program = env!("CARGO_BIN_EXE_svc-device");
        let mut command = match self.before {
            None => Command::new(program),
            Some(before) => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(format!("{before} && exec \"$0\" \"$@\"")).arg(program);
                shell
            }
        };
        let child = command
            .args(self.headless.then_some("--headless"))
            .args(self.port.into_iter().flat_map(|port| [OsString::from("--port"), port]))
            .arg("--data-dir")
            .arg(folder)
            .args(self.more)
            // A JACK server of whoever runs the tests is none of theirs.
            .env("JACK_DEFAULT_SERVER", "svc-device-test-without-server")
            .envs(self.environment)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("svc-device starts");
        (child, own)
    }

    /// Starts it and waits for its ready line.
    pub fn start(self) -> Device {
        self.start_once(|_| {})
    }

    /// Starts it, does something about what it says on stderr, then waits for its ready line.
    pub fn start_once(self, before: impl FnOnce(&Heard)) -> Device {
        let (mut child, data) = self.spawn();
        let stderr = Heard::listen(child.stderr.take().expect("stderr is piped"));
        before(&stderr);
        let stdout = Heard::listen(child.stdout.take().expect("stdout is piped"));
        let mut device = Device { child, addr: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), stdout, stderr, data };
        let Some(line) = device.stdout.wait_for(READY) else {
            panic!("svc-device does not say that it listens; it says {:?}", device.stderr.so_far());
        };
        let port = line.strip_prefix(READY).and_then(|port| port.parse().ok());
        device.addr.set_port(port.unwrap_or_else(|| panic!("no ready line: {line:?}")));
        device
    }

    /// Starts it and kills it once it `is_time`, however far it is by then.
    pub fn killed_when(self, is_time: impl Fn() -> bool) {
        let (mut child, _data) = self.spawn();
        let stderr = Heard::listen(child.stderr.take().expect("stderr is piped"));
        let came = wait_until(PATIENCE, || is_time().then_some(()));
        child.kill().expect("it can be killed");
        child.wait().expect("it can be waited for");
        assert!(came.is_some(), "the time to kill it never comes; it says {:?}", stderr.all());
    }

    /// Runs one that ends by itself: its exit code, stdout and stderr.
    pub fn run(self) -> (Option<i32>, String, String) {
        let (mut child, _data) = self.spawn();
        let stderr = Heard::listen(child.stderr.take().expect("stderr is piped"));
        let stdout = Heard::listen(child.stdout.take().expect("stdout is piped"));
        let status = ended(&mut child, PATIENCE).unwrap_or_else(|| {
            let _ = child.kill();
            panic!("svc-device does not end; it says {:?}", stderr.so_far())
        });
        (status.code(), stdout.all(), stderr.all())
    }
}

pub struct Device {
    child: Child,
    addr: SocketAddr,
    stdout: Heard,
    stderr: Heard,
    data: Option<TempDir>,
}

impl Device {
    /// Starts the device and waits for its ready line.
    pub fn start() -> Device {
        Start::new().start()
    }

    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// The folder of a device that was given none.
    pub fn data_dir(&self) -> &Path {
        self.data.as_ref().expect("a folder of its own").path()
    }

    pub fn stdout(&self) -> &Heard {
        &self.stdout
    }

    pub fn stderr(&self) -> &Heard {
        &self.stderr
    }

    /// The result of a tool call that must succeed.
    #[track_caller]
    pub fn call(&self, tool: &str, arguments: Value) -> Value {
        match self.try_call(tool, &arguments) {
            Ok(result) => result,
            Err(refusal) => panic!("{tool} {arguments}: {refusal}"),
        }
    }

    /// The result of a tool call, or its refusal.
    #[track_caller]
    pub fn try_call(&self, tool: &str, arguments: &Value) -> Result<Value, Value> {
        let reply = once(self.addr, "POST", &format!("/api/tools/{tool}"), "", &arguments.to_string());
        assert_eq!(reply.status, 200, "{tool} {arguments}: {}", reply.json());
        let mut envelope: Map<String, Value> = serde_json::from_value(reply.json()).expect("an object");
        let result = envelope.remove("result").unwrap_or_default();
        if envelope.get("isError") == Some(&Value::Bool(false)) { Ok(result) } else { Err(result) }
    }

    /// The warnings of a call that must succeed.
    #[track_caller]
    pub fn warnings(&self, tool: &str, arguments: Value) -> Vec<String> {
        let reply = once(self.addr, "POST", &format!("/api/tools/{tool}"), "", &arguments.to_string());
        let mut body = reply.json();
        assert_eq!((reply.status, &body["isError"]), (200, &Value::Bool(false)), "{tool} {arguments}: {body}");
        serde_json::from_value(body["warnings"].take()).unwrap_or_default()
    }

    pub fn config(&self) -> Value {
        once(self.addr, "GET", "/config", "", "").json()
    }

    pub fn change_config(&self, members: Value) -> Value {
        let reply = once(self.addr, "POST", "/config", "", &members.to_string());
        assert_eq!(reply.status, 200, "{members}: {}", reply.json());
        reply.json()
    }

    /// `signal` as `kill` names it, such as `TERM`.
    #[cfg(unix)]
    pub fn signal(&self, signal: &str) {
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(self.child.id().to_string()).status();
        assert!(sent.expect("kill runs").success());
    }

    /// Kills it without a warning and waits until it is gone.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it can be waited for");
    }

    /// Waits for its end; `None` when it still runs after `limit`.
    pub fn ended(&mut self, limit: Duration) -> Option<ExitStatus> {
        ended(&mut self.child, limit)
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("svc-device ({:?}) said: {}", self.child.try_wait(), self.stderr.so_far());
        }
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The standard library waits without a limit only.
pub fn ended(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    wait_until(limit, || child.try_wait().expect("it can be waited for"))
}

/// What `look` finds, once it finds something; for what sends no event.
pub fn wait_until<T>(limit: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + limit;
    loop {
        let found = look();
        if found.is_some() || Instant::now() >= end {
            return found;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The lines that a program has printed. They are read by a thread, so that the pipe never fills up or breaks.
#[derive(Clone)]
pub struct Heard(Arc<(Mutex<Lines>, Condvar)>);

#[derive(Default)]
struct Lines {
    all: Vec<String>,
    ended: bool,
}

impl Heard {
    pub fn listen(pipe: impl Read + Send + 'static) -> Heard {
        let heard = Heard(Arc::default());
        let writer = heard.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(pipe).lines().map_while(Result::ok) {
                writer.change(|lines| lines.all.push(line));
            }
            writer.change(|lines| lines.ended = true);
        });
        heard
    }

    fn change(&self, change: impl FnOnce(&mut Lines)) {
        change(&mut self.0.0.lock().expect("no panic"));
        self.0.1.notify_all();
    }

    /// What `found` gives of the lines so far, as soon as it gives something; `None` when the program stopped talking
    /// or the time is up.
    pub fn wait<T>(&self, mut found: impl FnMut(&[String]) -> Option<T>) -> Option<T> {
        let end = Instant::now() + PATIENCE;
        let mut lines = self.0.0.lock().expect("no panic");
        loop {
            let this = found(&lines.all);
            let left = end.saturating_duration_since(Instant::now());
            if this.is_some() || lines.ended || left.is_zero() {
                return this;
            }
            lines = self.0.1.wait_timeout(lines, left).expect("no panic").0;
        }
    }

    /// The first line with this in it.
    pub fn wait_for(&self, part: &str) -> Option<String> {
        self.wait(|lines| lines.iter().find(|line| line.contains(part)).cloned())
    }

    pub fn so_far(&self) -> String {
        self.0.0.lock().expect("no panic").all.join("\n")
    }

    /// Everything, up to its end.
    pub fn all(&self) -> String {
        let _: Option<()> = self.wait(|_| None);
        self.so_far()
    }
}

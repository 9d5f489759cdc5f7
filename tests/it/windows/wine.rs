//! Windows programs as processes of this system.

use crate::support::child::{Heard, PATIENCE, ended};
use crate::support::http::once;
use serde_json::Value;
use std::ffi::OsString;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use tempfile::TempDir;

const READY: &str = "svc-device listening on http://127.0.0.1:";
const HOST: &str = "svc-device-windows-host.exe";

/// Wine, and what was built for it.
pub struct Wine {
    programs: PathBuf,
    loader: PathBuf,
    prefix: PathBuf,
}

impl Wine {
    /// Wine, if this machine has it; says that the test is skipped where it has not.
    pub fn here() -> Option<Wine> {
        let path = |name: &str| std::env::var_os(name).map(PathBuf::from);
        let wine = (path("SVC_WINDOWS"), path("SVC_WINE"), path("SVC_WINE_PREFIX"));
        let (Some(programs), Some(loader), Some(prefix)) = wine else {
            eprintln!("skipped: no wine here, or not started by `cargo xtask test`");
            return None;
        };
        Some(Wine { programs, loader, prefix })
    }

    /// A file among what was built.
    pub fn built(&self, name: &str) -> PathBuf {
        self.programs.join(name)
    }

    /// The library of the VST3 plugin.
    pub fn vst3(&self) -> PathBuf {
        self.built("SVC Device.vst3").join("Contents/x86_64-win/SVC Device.vst3")
    }

    /// A folder that Windows programs see as `C:\NAME`.
    pub fn folder(&self) -> Folder {
        let drive = self.prefix.join("drive_c");
        let here = tempfile::Builder::new().prefix("svc test ").tempdir_in(drive).expect("a folder on wine's disk");
        let name = here.path().file_name().expect("a name").to_string_lossy().into_owned();
        Folder { there: format!(r"C:\{name}"), here }
    }

    /// Has the share `\\SERVER\SHARE` lead to a folder.
    pub fn share(&self, server: &str, share: &str, folder: &Path) {
        let place = self.prefix.join("dosdevices/unc").join(server);
        std::fs::create_dir_all(&place).expect("a server's folder");
        let link = place.join(share);
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(folder, link).expect("a link");
    }

    /// A Windows program. Its windows, also those that nobody sees, need the display that the tests have.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(&self.loader);
        command
            .arg(program)
            .env("WINEPREFIX", &self.prefix)
            .env("WINEDEBUG", "-all")
            .env("WINEDLLOVERRIDES", "mscoree=;mshtml=;winemenubuilder.exe=")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// `svc-device.exe` without a window, on a free port, with this data folder as Windows spells it.
    pub fn device(&self, data_dir: &str, more: &[&str]) -> Running {
        let mut command = self.command(&self.built("svc-device.exe"));
        command.args(device_arguments(data_dir)).args(more);
        Running::start(&mut command)
    }

    /// The same in a console of its own.
    pub fn device_in_console(&self, data_dir: &str) -> Running {
        let mut command = self.command(&self.built(HOST));
        command.arg("console").arg(self.built("svc-device.exe")).args(device_arguments(data_dir));
        Running::start(&mut command)
    }

    /// The test host, doing one thing.
    pub fn host(&self, what: &str, file: impl Into<OsString>) -> Running {
        Running::start(&mut self.host_command(what, file))
    }

    /// The same on another display.
    pub fn host_on(&self, display: &str, what: &str, file: impl Into<OsString>) -> Running {
        Running::start(self.host_command(what, file).env("DISPLAY", display))
    }

    fn host_command(&self, what: &str, file: impl Into<OsString>) -> Command {
        let mut command = self.command(&self.built(HOST));
        command.arg(what).arg(file.into());
        command
    }
}

pub fn device_arguments(data_dir: &str) -> [&str; 5] {
    ["--headless", "--port", "0", "--data-dir", data_dir]
}

/// A folder by its two names.
pub struct Folder {
    /// Its name in Windows.
    pub there: String,
    here: TempDir,
}

impl Folder {
    pub fn here(&self) -> &Path {
        self.here.path()
    }

    /// Names of what lies in it, in order.
    pub fn names(&self, inside: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.here().join(inside)).expect("the folder is there");
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// A Windows program that runs.
pub struct Running {
    child: Child,
    stdin: ChildStdin,
    stdout: Heard,
    stderr: Heard,
}

impl Running {
    pub fn start(command: &mut Command) -> Running {
        let mut child = command.spawn().expect("wine starts");
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = Heard::listen(child.stdout.take().expect("stdout is piped"));
        let stderr = Heard::listen(child.stderr.take().expect("stderr is piped"));
        Running { child, stdin, stdout, stderr }
    }

    /// The first line of stdout with this in it.
    #[track_caller]
    pub fn wait_for(&self, part: &str) -> String {
        let line = self.stdout.wait_for(part);
        line.unwrap_or_else(|| panic!("no {part:?}; it says {:?} and {:?}", self.stdout.so_far(), self.stderr.so_far()))
    }

    /// Waits until so many lines of stdout have this in them.
    #[track_caller]
    pub fn wait_for_count(&self, part: &str, count: usize) {
        let seen =
            self.stdout.wait(|lines| (lines.iter().filter(|line| line.contains(part)).count() >= count).then_some(()));
        assert!(
            seen.is_some(),
            "{part:?} {count} times; it says {:?} {:?}",
            self.stdout.so_far(),
            self.stderr.so_far()
        );
    }

    /// Waits until stderr has this.
    #[track_caller]
    pub fn stderr_has(&self, part: &str) {
        assert!(self.stderr.wait_for(part).is_some(), "{part:?} is not in {:?}", self.stderr.so_far());
    }

    /// What it has said on stderr.
    pub fn stderr_so_far(&self) -> String {
        self.stderr.so_far()
    }

    pub fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("it takes a line");
    }

    /// Where the device listens, once it does.
    #[track_caller]
    pub fn api(&self) -> Api {
        let line = self.wait_for(READY);
        let port = line.trim_end().strip_prefix(READY).and_then(|port| port.parse().ok());
        Api(SocketAddr::from((Ipv4Addr::LOCALHOST, port.unwrap_or_else(|| panic!("no port in {line:?}")))))
    }

    /// Kills it without a warning.
    pub fn kill(&mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it can be waited for");
    }

    /// Waits for its end: how it ended, stdout, stderr.
    #[track_caller]
    pub fn end(mut self) -> (ExitStatus, String, String) {
        let status = ended(&mut self.child, PATIENCE * 4)
            .unwrap_or_else(|| panic!("it does not end; it says {:?}", self.stderr.so_far()));
        (status, self.stdout.all(), self.stderr.all())
    }

    /// Waits for the end of what has to go well.
    #[track_caller]
    pub fn goes_well(self) -> String {
        let (status, stdout, stderr) = self.end();
        assert!(status.success() && stdout.contains("done"), "{status}: {stdout}\n{stderr}");
        stdout
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A device as a script sees it.
pub struct Api(SocketAddr);

impl Api {
    /// The result of a tool call: taken, or refused.
    #[track_caller]
    pub fn try_call(&self, tool: &str, arguments: &Value) -> Result<Value, Value> {
        let reply = once(self.0, "POST", &format!("/api/tools/{tool}"), "", &arguments.to_string());
        let mut body = reply.json();
        assert_eq!(reply.status, 200, "{tool} {arguments}: {body}");
        let result = body["result"].take();
        if body["isError"] == Value::Bool(false) { Ok(result) } else { Err(result) }
    }

    #[track_caller]
    pub fn call(&self, tool: &str, arguments: Value) -> Value {
        self.try_call(tool, &arguments).unwrap_or_else(|refusal| panic!("{tool} {arguments}: {refusal}"))
    }

    /// What `/config` answers to these members: the status and the body.
    pub fn configure(&self, members: Value) -> (u16, Value) {
        let reply = once(self.0, "POST", "/config", "", &members.to_string());
        (reply.status, reply.json())
    }
}

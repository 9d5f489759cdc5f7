//! Tests in a process of their own: a plugin that aborts or hangs fails its test and no other, and threads, sockets and
//! open files can be counted.

use super::api::own_ports;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Set, in the child, to the name of the test that it is there for.
const MARK: &str = "SVC_TEST_IN_OWN_PROCESS";
/// No test of a host takes this long.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs the body of a test, which must be a closure written inside that test, in a child of this process.
pub fn in_own_process<F: FnOnce()>(body: F) {
    in_own_process_with(&[], body);
}

/// Whether this is such a child.
pub fn is_own_process() -> bool {
    std::env::var_os(MARK).is_some()
}

/// The same, with these variables in the child's environment.
pub fn in_own_process_with<F: FnOnce()>(variables: &[(&str, &str)], body: F) {
    // `it::plugin_clap::a_test::{{closure}}`; the child says so if it found no test of that name.
    let path = std::any::type_name::<F>();
    let name = path.strip_suffix("::{{closure}}").and_then(|path| path.split_once("::")).map(|(_, name)| name);
    let name = name.unwrap_or_else(|| panic!("{path} is no closure in a test"));
    if std::env::var(MARK).is_ok_and(|marked| marked == name) {
        // Before the body counts what is open.
        own_ports();
        return body();
    }
    let home = tempfile::tempdir().expect("a folder for the plugin to call home");
    let mut child = Command::new(std::env::current_exe().expect("this program has a path"))
        .args([name, "--exact", "--nocapture", "--include-ignored"])
        .env(MARK, name)
        .env("HOME", home.path())
        .envs(variables.iter().copied())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this program starts again");
    let (said, heard) = mpsc::channel();
    listen(child.stdout.take().expect("stdout is piped"), said.clone());
    listen(child.stderr.take().expect("stderr is piped"), said);
    let end = Instant::now() + LIMIT;
    // Both pipes close when the child ends.
    let texts: Vec<String> =
        (0..2).filter_map(|_| heard.recv_timeout(end.saturating_duration_since(Instant::now())).ok()).collect();
    if texts.len() < 2 {
        let _ = child.kill();
    }
    let status = child.wait().expect("the child can be waited for");
    let output: String = texts.into_iter().chain(heard.iter()).collect();
    let passed = status.success() && output.contains("test result: ok. 1 passed");
    assert!(passed, "{name} in a process of its own ended with {status}:\n{output}");
}

fn listen(mut pipe: impl Read + Send + 'static, said: mpsc::Sender<String>) {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What came before an error is still worth showing.
        let _ = pipe.read_to_end(&mut bytes);
        let _ = said.send(String::from_utf8_lossy(&bytes).into_owned());
    });
}

/// The threads of this process that a plugin started, by name, with how many there are of each.
pub fn plugin_threads() -> BTreeMap<String, usize> {
    let mut threads = BTreeMap::new();
    for task in fs::read_dir("/proc/self/task").expect("Linux has /proc").flatten() {
        // A thread that ends meanwhile has no name any more.
        let name = fs::read_to_string(task.path().join("comm")).unwrap_or_default();
        if name.starts_with("svc-") {
            *threads.entry(name.trim_end().to_owned()).or_default() += 1;
        }
    }
    threads
}

/// All threads of this process.
pub fn thread_count() -> usize {
    fs::read_dir("/proc/self/task").expect("Linux has /proc").count()
}

/// The open files of this process: how many are sockets, and how many there are in all.
pub fn open_files() -> (usize, usize) {
    let targets: Vec<_> = fs::read_dir("/proc/self/fd")
        .expect("Linux has /proc")
        .flatten()
        // The descriptor that reads the folder is gone before it can be looked at.
        .filter_map(|entry| fs::read_link(entry.path()).ok())
        .collect();
    let sockets = targets.iter().filter(|target| target.to_string_lossy().starts_with("socket:")).count();
    (sockets, targets.len())
}

/// Looks again until `what` holds. For what happens in another thread or process and tells nobody.
pub fn eventually(what: &str, limit: Duration, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + limit;
    while !holds() {
        assert!(Instant::now() < end, "not within {limit:?}: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

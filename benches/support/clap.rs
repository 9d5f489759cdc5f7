//! The plugin in a CLAP host, where calls run on the host's main thread.

#[path = "../../tests/it/support/api.rs"]
mod api;
#[path = "../../tests/it/support/clap_host.rs"]
mod clap_host;
#[path = "../../tests/it/support/http.rs"]
mod http;
#[path = "../../tests/it/support/own_process.rs"]
mod own_process;
#[path = "../../tests/it/support/song.rs"]
mod song;

use crate::client::Client;
use crate::samples::Samples;
use crate::support::{Table, rounds};
use api::{Api, Saved, free_port};
use clap_host::{Library, Service};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const IN_HOST: &str = "--in-clap-host";

/// The arguments of the small write.
const RENAMING: &str = r#"{"path":"t0","name":"A"}"#;

/// The bundle that `SVC_CLAP` names, or the one that `cargo xtask bundle` makes.
fn bundle() -> PathBuf {
    let made = || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bundled/SVC Device.clap");
    let bundle = std::env::var_os("SVC_CLAP").map_or_else(made, PathBuf::from);
    if cfg!(target_os = "macos") { bundle.join("Contents/MacOS/SVC Device") } else { bundle }
}

/// For the first lines of `main`: whether this process is the host. It has then measured.
pub fn was_host(read: &str, write: &str) -> bool {
    if std::env::args().nth(1).as_deref() != Some(IN_HOST) {
        return false;
    }
    measure(read, write);
    true
}

/// Measures in a process whose home is a folder of its own, as the plugin keeps journals there.
pub fn run() {
    if !bundle().exists() {
        println!("in a CLAP host: skipped, {} is missing; `cargo xtask bundle` makes it", bundle().display());
        return;
    }
    let home = tempfile::tempdir().expect("a folder");
    let program = std::env::current_exe().expect("this program has a path");
    let status = Command::new(program).arg(IN_HOST).args(std::env::args().skip(1)).env("HOME", home.path()).status();
    assert!(status.is_ok_and(|status| status.success()), "the host ends well");
}

fn measure(read: &str, write: &str) {
    let library = Library::load(&bundle());
    let mut instance = library.instance();
    let port = free_port();
    let saved = Saved::read(&instance.save()).with_port(port);
    instance.load(&saved.bytes());
    instance.activate();
    let mut table = Table::new(&["in a CLAP host", "p50", "p99", "max"]);
    let at_once = ("its main thread free at once", Service::AtOnce, 5_000);
    for (tool, body, (name, service, calls)) in [
        // Waits for nobody, whatever that thread does.
        (read, "{}", ("its main thread never comes", Service::Never, 5_000)),
        (write, RENAMING, at_once),
        (write, RENAMING, ("its main thread comes every 16 ms", Service::Every(Duration::from_millis(16)), 500)),
        (write, RENAMING, ("its main thread never comes", Service::Never, 500)),
    ] {
        let samples = instance.run(service, |_| {
            let mut samples = Samples::default();
            Api::connect(port);
            let request = crate::client::request(port, tool, body);
            let mut client = Client::connect(port);
            for _ in 0..rounds(calls) {
                samples.time(|| client.call(&request).len());
            }
            samples
        });
        table.row(&format!("{tool}, {name}"), samples.cells());
    }
    table.print();
}

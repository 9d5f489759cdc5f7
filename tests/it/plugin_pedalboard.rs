//! The VST3 plugin in a host that others wrote: `pedalboard`, which is JUCE in Python.
//!
//! `SVC_PYTHON` names an interpreter that has the packages of `xtask/env/requirements.txt`; `cargo xtask test` sets it.

use crate::bundle::vst3_bundle;
use crate::support::api::free_port;
use std::process::Command;

#[test]
fn pedalboard_loads_calls_plays_saves_and_unloads_it() {
    let python = std::env::var_os("SVC_PYTHON")
        .expect("SVC_PYTHON is not set: run `cargo xtask test`, or name a Python that has pedalboard");
    let home = tempfile::tempdir().expect("a folder for the plugin to call home");
    let output = Command::new(python)
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/plugin_pedalboard.py"))
        .arg(vst3_bundle())
        .args([free_port(), free_port()].map(|port| port.to_string()))
        .env("HOME", home.path())
        .output()
        .expect("Python starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success() && text(&output.stdout).ends_with("all well\n"),
        "{}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
}

//! The device through MCP clients that others wrote, in both generations of the protocol.
//!
//! `SVC_PYTHON` names an interpreter with the packages of `xtask/env/requirements.txt`, `SVC_PYTHON_MCP1` one with
//! those of `requirements-mcp1.txt`, `SVC_NODE_DIR` the folder with those of `xtask/env/package.json`; `cargo xtask
//! test` sets them all.

use crate::support::child::Start;
use crate::support::script;
use std::process::Command;

/// Runs a client's script against a device of its own.
fn run_client(command: Command, file: &str, arguments: &[&str]) {
    run_client_at(command, file, arguments, |port| format!("http://127.0.0.1:{port}/mcp"));
}

fn run_client_at(mut command: Command, file: &str, arguments: &[&str], address: impl Fn(u16) -> String) {
    let device = Start::new().start();
    command.arg(format!("{}/tests/it/{file}", env!("CARGO_MANIFEST_DIR")));
    command.arg(address(device.addr().port())).args(arguments);
    let ran = script::run(command, "");
    assert!(
        ran.code == Some(0) && ran.stdout.ends_with("all well\n"),
        "{file} {arguments:?}: {:?}\n{}{}",
        ran.code,
        ran.stdout,
        ran.stderr
    );
}

#[test]
fn python_mcp() {
    assert!(std::env::var_os("SVC_PYTHON").is_some(), "SVC_PYTHON is not set: run `cargo xtask test`");
    for arguments in [["legacy", "2025-11-25"], ["auto", "2026-07-28"], ["2026-07-28", "2026-07-28"]] {
        run_client(script::python(), "mcp_client.py", &arguments);
    }
}

#[test]
fn python_mcp_of_the_first_generation() {
    assert!(std::env::var_os("SVC_PYTHON_MCP1").is_some(), "SVC_PYTHON_MCP1 is not set: run `cargo xtask test`");
    run_client(script::interpreter("SVC_PYTHON_MCP1", "python3"), "mcp1_client.py", &[]);
}

/// The same client starts `svc-device mcp`, which forwards to the device.
#[test]
fn python_mcp_on_stdin_and_stdout() {
    assert!(std::env::var_os("SVC_PYTHON").is_some(), "SVC_PYTHON is not set: run `cargo xtask test`");
    for arguments in [["legacy", "2025-11-25"], ["auto", "2026-07-28"]] {
        let program = |port| format!("{}:{port}", env!("CARGO_BIN_EXE_svc-device"));
        run_client_at(script::python(), "mcp_client.py", &arguments, program);
    }
}

#[test]
fn node_sdk_and_client() {
    assert!(std::env::var_os("SVC_NODE_DIR").is_some(), "SVC_NODE_DIR is not set: run `cargo xtask test`");
    for arguments in [
        ["sdk", "legacy", "2025-11-25"],
        ["client", "legacy", "2025-11-25"],
        ["client", "auto", "2026-07-28"],
        ["client", "2026-07-28", "2026-07-28"],
    ] {
        run_client(script::node(), "mcp_client.mjs", &arguments);
    }
}

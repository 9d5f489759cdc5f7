//! The remote script of `live-script/` in the fake Live of `tests/fake_live/`: the Python tests of
//! `tests/live_script/`.
//!
//! `SVC_PYTHON` names an interpreter with the packages of `xtask/env/requirements.txt`; `cargo xtask test` sets it.

use crate::support::script;

#[test]
fn the_script_keeps_the_rules_of_live() {
    assert!(std::env::var_os("SVC_PYTHON").is_some(), "SVC_PYTHON is not set: run `cargo xtask test`");
    let mut python = script::python();
    python.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).env("PYTHONDONTWRITEBYTECODE", "1");
    python.args(["-m", "unittest", "discover", "-t", ".", "-s", "live_script"]);
    let ran = script::run(python, "");
    // The last line says how many were skipped, which those are that need a package.
    let verdict = ran.stderr.lines().last().unwrap_or_default();
    let wanted = if cfg!(unix) { "OK" } else { "OK (skipped=1)" };
    assert!(ran.code == Some(0) && verdict == wanted, "{:?}\n{}{}", ran.code, ran.stdout, ran.stderr);
}

//! The description at `/openapi.json`, read by a published validator, and the device called by a program that was given
//! nothing but that description.

use crate::support::child::Start;
use crate::support::http::once;
use crate::support::script;

#[test]
fn a_published_validator_reads_it() {
    let device = Start::new().start();
    for headers in ["", "x-svc-live-api: true\r\nx-svc-notation: midi-json\r\n", "x-svc-small-model-mode: true\r\n"] {
        let page = once(device.addr(), "GET", "/openapi.json", headers, "").json();
        let mut python = script::python();
        python.args(["-m", "openapi_spec_validator", "-"]);
        let ran = script::run(python, &page.to_string());
        assert_eq!(ran.code, Some(0), "{headers}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn schemathesis_finds_nothing() {
    let device = Start::new().start();
    let mut python = script::python();
    python.args(["-m", "schemathesis.cli", "--config-file"]);
    python.arg(format!("{}/tests/it/schemathesis.toml", env!("CARGO_MANIFEST_DIR")));
    python.arg("run").arg(format!("http://127.0.0.1:{}/openapi.json", device.addr().port()));
    // The same calls each time.
    python.args(["--max-examples", "20", "--phases", "examples,coverage,fuzzing", "--seed", "1"]);
    // It keeps a folder of its own beside where it runs.
    let folder = tempfile::tempdir().expect("a folder");
    python.current_dir(folder.path());
    let ran = script::run(python, "");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

//! Scripts, run as a user runs them.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

#[derive(Debug)]
pub struct ScriptOutput {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The interpreter that the environment variable names, or the usual one.
pub fn interpreter(variable: &str, usual: &str) -> Command {
    Command::new(std::env::var_os(variable).unwrap_or_else(|| usual.into()))
}

pub fn python() -> Command {
    interpreter("SVC_PYTHON", "python3")
}

pub fn node() -> Command {
    interpreter("SVC_NODE", "node")
}

/// Runs a command to its end, with `input` on its standard input.
pub fn run(mut command: Command, input: &str) -> ScriptOutput {
    let name = command.get_program().to_owned();
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = spawned.unwrap_or_else(|error| {
        panic!("{}: {error}; SVC_PYTHON and SVC_NODE name other interpreters", OsStr::display(&name))
    });
    // A program that reads nothing may be gone already.
    let _ = child.stdin.take().expect("stdin is piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    ScriptOutput { code: output.status.code(), stdout: text(&output.stdout), stderr: text(&output.stderr) }
}

//! The fake Live of `tests/fake_live/` with the real script in it, as a process that ticks by itself.

use super::script;
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::Mutex;

pub struct FakeLive {
    child: Child,
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
}

impl FakeLive {
    /// Its script knows this file and no other.
    pub fn start(bridge_file: &Path, options: Value) -> FakeLive {
        FakeLive::start_with("SVC_BRIDGE_FILE", bridge_file, options)
    }

    /// Its script looks for devices in that home.
    pub fn start_at_home(home: &Path, options: Value) -> FakeLive {
        FakeLive::start_with("HOME", home, options)
    }

    fn start_with(variable: &str, path: &Path, options: Value) -> FakeLive {
        let mut told = Map::from_iter([
            ("script".to_owned(), json!(concat!(env!("CARGO_MANIFEST_DIR"), "/live-script/SvcDevice"))),
            ("real".to_owned(), json!(true)),
        ]);
        told.extend(options.as_object().cloned().unwrap_or_default());
        let mut python = script::python();
        python.args(["-m", "fake_live", &Value::Object(told).to_string()]);
        python.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
        python.env("PYTHONDONTWRITEBYTECODE", "1").env_remove("SVC_BRIDGE_FILE").env(variable, path);
        let mut child = python.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Python runs");
        let pipes = (child.stdin.take().expect("piped"), BufReader::new(child.stdout.take().expect("piped")));
        FakeLive { child, pipes: Mutex::new(pipes) }
    }

    /// A command of `fake_live/control.py`.
    #[track_caller]
    pub fn ask(&self, op: &str, told: Value) -> Value {
        let mut told = told;
        told["op"] = op.into();
        let (stdin, stdout) = &mut *self.pipes.lock().expect("the test goes on");
        writeln!(stdin, "{told}").expect("the fake Live listens");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the fake Live answers");
        let mut answer: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{op}: {line:?}"));
        assert!(answer.get("ok").is_some(), "{op}: {answer}");
        answer["ok"].take()
    }
}

impl Drop for FakeLive {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

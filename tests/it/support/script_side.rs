//! The script's side of the link, played by a test: for what the real script never sends.

use super::child::PATIENCE;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Instant;

pub struct ScriptSide {
    stream: TcpStream,
    token: String,
}

impl ScriptSide {
    /// Connects, and says nothing yet.
    pub fn connect(bridge_file: &Path) -> ScriptSide {
        let told: Value = serde_json::from_slice(&std::fs::read(bridge_file).expect("a file")).expect("JSON");
        let port = u16::try_from(told["port"].as_u64().expect("a port")).expect("a port");
        let stream = TcpStream::connect(("127.0.0.1", port)).expect("the device listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        ScriptSide { stream, token: told["token"].as_str().expect("a token").to_owned() }
    }

    /// Greets as the script does; `set` is the Set that is open.
    pub fn linked(bridge_file: &Path, set: &str) -> ScriptSide {
        let mut side = ScriptSide::connect(bridge_file);
        let hello = json!({
            "kind": "hello", "protocol": 1, "token": side.token, "script_version": "0.1.0", "live_version": "12.3.6",
            "pid": 1, "set": set,
        });
        let hello = hello.to_string().into_bytes();
        side.write(&u32::try_from(hello.len()).expect("short").to_be_bytes());
        side.write(&hello);
        assert_eq!(side.next().expect("an answer")["kind"], "welcome");
        side
    }

    /// Bytes as they are; one that was closed takes none.
    pub fn write(&mut self, bytes: &[u8]) {
        let _ = self.stream.write_all(bytes);
    }

    /// The next message that is no beat; `None` where the device has closed, or says nothing but beats for too long.
    pub fn next(&mut self) -> Option<Value> {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let mut head = [0; 4];
            self.stream.read_exact(&mut head).ok()?;
            let mut body = vec![0; usize::try_from(u32::from_be_bytes(head)).ok()?];
            self.stream.read_exact(&mut body).ok()?;
            let message: Value = serde_json::from_slice(&body).expect("JSON");
            if message["kind"] != "beat" {
                return Some(message);
            }
        }
        None
    }
}

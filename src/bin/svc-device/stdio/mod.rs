//! `svc-device mcp`: the Model Context Protocol over stdin and stdout, for clients that only start commands.
//!
//! It forwards to the device that runs already, in a DAW or not. When none answers it starts one itself, without a
//! window, which others find on the port. It ends when its stdin does. See D38 in `docs/decisions.md`.

mod message;
mod relay;

use relay::Relay;
use std::io::{BufRead, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// A device listens this long after it took its files, even on a busy machine.
const START_LIMIT: Duration = Duration::from_secs(3);
const PROBE_EVERY: Duration = Duration::from_millis(50);

/// What answers on a port.
pub enum PortUser {
    Device,
    /// Another program.
    Other,
    Nothing,
}

/// A client on stdin and stdout.
pub struct Stdio {
    runtime: Runtime,
    headers: Vec<(String, String)>,
}

impl Stdio {
    pub fn new(headers: Vec<(String, String)>) -> Result<Stdio, String> {
        let runtime = Builder::new_current_thread().enable_all().build();
        Ok(Stdio { runtime: runtime.map_err(|e| format!("cannot start: {e}"))?, headers })
    }

    fn relay(&self, port: u16) -> Relay {
        Relay::new(SocketAddr::from((Ipv4Addr::LOCALHOST, port)), self.headers.clone())
    }

    pub fn probe(&self, port: u16) -> PortUser {
        match self.runtime.block_on(self.relay(port).name()) {
            Some(name) if name == env!("CARGO_PKG_NAME") => PortUser::Device,
            Some(_) => PortUser::Other,
            None => PortUser::Nothing,
        }
    }

    /// Waits a few seconds for a device that is starting; gives whether it answers.
    pub fn wait_for_device(&self, port: u16) -> bool {
        let limit = Instant::now() + START_LIMIT;
        while Instant::now() < limit {
            if matches!(self.probe(port), PortUser::Device) {
                return true;
            }
            std::thread::sleep(PROBE_EVERY);
        }
        false
    }

    /// Serves the client until it closes our stdin and has all its answers.
    pub fn serve(self, port: u16) -> Result<(), String> {
        let lines = lines().map_err(|e| format!("cannot start a thread: {e}"))?;
        self.runtime.block_on(self.relay(port).run(lines));
        Ok(())
    }
}

/// Bytes of a line that are kept: more than a call may have, so that one a little too long is refused by its id.
const MAX_LINE_BYTES: u64 = 4 * 1024 * 1024;

/// Reads to the end of a line, and keeps nothing.
fn skip_line(from: &mut impl BufRead) {
    while let Ok(bytes) = from.fill_buf() {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let count = end.map_or(bytes.len(), |end| end + 1);
        from.consume(count);
        if end.is_some() || count == 0 {
            return;
        }
    }
}

/// The lines of stdin, read on a thread of its own, which nobody waits for: a read of stdin cannot be broken off.
fn lines() -> std::io::Result<UnboundedReceiver<String>> {
    let (sender, lines) = unbounded_channel();
    std::thread::Builder::new().name("svc-stdin".to_owned()).spawn(move || {
        let mut stdin = std::io::stdin().lock();
        let mut line = Vec::new();
        while stdin.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            if !line.ends_with(b"\n") && line.len() as u64 >= MAX_LINE_BYTES {
                // What is kept is refused as too large; the rest of the line is of no use.
                skip_line(&mut stdin);
            }
            // What is no UTF-8 is no JSON either, and the device says so.
            let text = String::from_utf8_lossy(&std::mem::take(&mut line)).trim().to_owned();
            if !text.is_empty() && sender.send(text).is_err() {
                return;
            }
        }
    })?;
    Ok(lines)
}

//! `svc-device` as a child process: started on a free port with a folder of its own, ended with the test.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

pub struct Device {
    child: Child,
    addr: SocketAddr,
    _data: TempDir,
}

impl Device {
    /// Starts the device and waits for its ready line.
    pub fn start() -> Device {
        let data = tempfile::tempdir().expect("a folder for the device");
        let mut child = Command::new(env!("CARGO_BIN_EXE_svc-device"))
            .args(["--headless", "--port", "0", "--data-dir"])
            .arg(data.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("svc-device starts");
        let mut lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines();
        let port = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                line.strip_prefix("svc-device listening on http://127.0.0.1:")?.trim_end_matches('/').parse().ok()
            })
            .expect("svc-device says that it listens");
        // Keeps the pipe from filling up, or from breaking under the device.
        std::thread::spawn(move || for _ in lines.map_while(Result::ok) {});
        Device { child, addr: SocketAddr::from((Ipv4Addr::LOCALHOST, port)), _data: data }
    }

    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

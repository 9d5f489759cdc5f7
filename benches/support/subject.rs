//! The device that a benchmark talks to.
//!
//! With the feature `standalone` it is the real `svc-device`, a process of its own; without it a device inside the
//! benchmark, whose own memory and threads are then part of the numbers.

#[path = "device_inside.rs"]
pub mod device_inside;

#[cfg(not(feature = "standalone"))]
pub use inside::*;
#[cfg(feature = "standalone")]
pub use process::*;

#[cfg(feature = "standalone")]
mod process {
    use std::io::{BufRead, BufReader};
    use std::process::{Child, Command, Stdio};

    pub const NAME: &str = "svc-device --headless, a process of its own";

    pub struct Subject {
        child: Child,
        port: u16,
        /// Until another one takes it over.
        data: Option<tempfile::TempDir>,
    }

    /// With a saved state to open, as text, or with a new Set.
    pub fn start(state: Option<&str>) -> Subject {
        let data = tempfile::tempdir().expect("a folder for the device");
        if let Some(text) = state {
            std::fs::write(data.path().join("state.json"), text).expect("the state is written");
        }
        start_in(data)
    }

    fn start_in(data: tempfile::TempDir) -> Subject {
        let mut command = Command::new(env!("CARGO_BIN_EXE_svc-device"));
        command.args(["--headless", "--port", "0", "--data-dir"]).arg(data.path());
        of(&mut command, data)
    }

    /// The device that a command starts, whose data folder this is.
    pub fn of(command: &mut Command, data: tempfile::TempDir) -> Subject {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("svc-device starts");
        let mut lines = BufReader::new(child.stdout.take().expect("stdout is piped")).lines().map_while(Result::ok);
        let port = lines
            .find_map(|line| line.rsplit_once("listening on http://127.0.0.1:")?.1.trim_end_matches('/').parse().ok())
            .expect("svc-device says where it listens");
        // Keeps the pipe open.
        std::thread::spawn(move || lines.for_each(drop));
        Subject { child, port, data: Some(data) }
    }

    impl Subject {
        pub fn process(&self) -> u32 {
            self.child.id()
        }

        pub fn port(&self) -> u16 {
            self.port
        }

        pub fn data_folder(&self) -> &std::path::Path {
            self.data.as_ref().expect("its folder").path()
        }

        /// Ends it as a user does, and starts another one with what it saved.
        pub fn restart(mut self) -> Subject {
            let process = self.child.id().to_string();
            let sent = Command::new("kill").args(["-TERM", &process]).status().expect("kill is there");
            assert!(sent.success());
            let ended = self.child.wait().expect("it ends");
            assert!(ended.success(), "{ended}");
            start_in(self.data.take().expect("its folder"))
        }
    }

    impl Drop for Subject {
        fn drop(&mut self) {
            // It may have ended by itself.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

#[cfg(not(feature = "standalone"))]
mod inside {
    use super::device_inside;
    use std::sync::Arc;
    use svc_device::device::Device;
    use svc_device::set::Document;
    use svc_device::sound::player::Player;

    pub const NAME: &str = "a device inside the benchmark (build with the feature `standalone` for the real process)";

    pub struct Subject {
        _device: Arc<Device>,
        _player: Player,
        port: u16,
    }

    /// With a saved state to open, as text, or with a new Set.
    pub fn start(state: Option<&str>) -> Subject {
        let state = state.map(|text| svc_device::device::state::load(text).expect("a state"));
        let document = state.map_or_else(Document::new_set, |state| state.document);
        let (device, player, port) = device_inside::start(document);
        Subject { _device: device, _player: player, port }
    }

    impl Subject {
        pub fn process(&self) -> u32 {
            std::process::id()
        }

        pub fn port(&self) -> u16 {
            self.port
        }
    }
}

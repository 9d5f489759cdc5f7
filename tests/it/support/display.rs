//! A display without a screen, of a test's own.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Its pixels lie in a file. It ends with this value.
pub struct Display {
    server: Child,
    name: String,
    folder: TempDir,
}

impl Display {
    pub fn start() -> Display {
        let folder = tempfile::tempdir().expect("a folder for the pixels");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-fbdir"])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts; cargo xtask test installs it");
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("stdout is piped")).read_line(&mut number).expect("its number");
        Display { server, name: format!(":{}", number.trim()), folder }
    }

    /// Such as `:7`, for the variable `DISPLAY`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Four bytes of each pixel, row by row.
    pub fn pixels(&self) -> Vec<u8> {
        let mut bytes = fs::read(self.folder.path().join("Xvfb_screen0")).expect("the pixels");
        // The file begins with how long its head is; a table of colours that it may hold besides is left in.
        let head = bytes.first_chunk().map_or(0, |length| u32::from_be_bytes(*length) as usize);
        bytes.split_off(head.min(bytes.len()))
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

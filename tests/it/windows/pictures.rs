//! What is seen: the device's own window, and the plugin's in a host's.

use super::wine::{Running, Wine};
use crate::support::child::{PATIENCE, wait_until};
use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat};

/// A display of this test's own, whose pixels lie in a file.
struct Display {
    server: Child,
    name: String,
    folder: TempDir,
}

impl Display {
    fn start() -> Display {
        let folder = tempfile::tempdir().expect("a folder for the pixels");
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-fbdir"])
            .arg(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("stdout is piped")).read_line(&mut number).expect("its number");
        Display { server, name: format!(":{}", number.trim()), folder }
    }

    /// How many colours each window of this size has, also one that is kept off the screen.
    fn windows_of(&self, width: u16, height: u16) -> Vec<usize> {
        let (connection, screen) = x11rb::connect(Some(&self.name)).expect("the display takes clients");
        let mut open = vec![connection.setup().roots[screen].root];
        let mut found = Vec::new();
        while let Some(window) = open.pop() {
            // Windows come and go meanwhile.
            let Ok(Ok(tree)) = connection.query_tree(window).map(|asked| asked.reply()) else { continue };
            open.extend(tree.children);
            let Ok(Ok(size)) = connection.get_geometry(window).map(|asked| asked.reply()) else { continue };
            if (size.width, size.height) != (width, height) {
                continue;
            }
            let all_planes = u32::MAX;
            let asked = connection.get_image(ImageFormat::Z_PIXMAP, window, 0, 0, width, height, all_planes);
            if let Ok(Ok(image)) = asked.map(|asked| asked.reply()) {
                found.push(colours_in(&image.data));
            }
        }
        found
    }

    /// How many colours there are on it.
    fn colours(&self) -> usize {
        let picture: PathBuf = self.folder.path().join("Xvfb_screen0");
        let bytes = fs::read(picture).expect("the pixels");
        // The file begins with how long its head is; a table of colours that it may hold besides adds nothing here.
        let head = bytes.first_chunk().map_or(0, |length| u32::from_be_bytes(*length) as usize);
        colours_in(bytes.get(head..).unwrap_or_default())
    }
}

/// Of pixels of four bytes.
fn colours_in(bytes: &[u8]) -> usize {
    bytes.chunks_exact(4).filter_map(|pixel| pixel.first_chunk::<3>()).collect::<HashSet<_>>().len()
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Letters with smooth edges have many colours; an empty window has one or two.
#[test]
fn the_device_draws_its_window() {
    let Some(wine) = Wine::here() else { return };
    let (display, folder) = (Display::start(), wine.folder());
    let empty = display.colours();
    let mut command = wine.command(&wine.built("svc-device.exe"));
    command.args(["--port", "0", "--data-dir", &folder.there]).env("DISPLAY", &display.name);
    let device = Running::start(&mut command);
    device.api();
    let drawn = wait_until(PATIENCE * 2, || Some(display.colours()).filter(|colours| *colours > empty + 100));
    assert!(drawn.is_some(), "{} colours, {empty} before", display.colours());
}

/// The plugin's window is there, has its size, is drawn, and goes; twice. Wine draws it beside the screen and fails to
/// copy it into the host's, so it is looked at where it is drawn.
#[test]
fn the_plugins_draw_their_windows_in_a_hosts() {
    let Some(wine) = Wine::here() else { return };
    let display = Display::start();
    for (what, library) in [("clap-editor", wine.built("SVC Device.clap")), ("vst3-editor", wine.vst3())] {
        let mut host = wine.host_on(&display.name, what, library);
        for time in 1..=2 {
            host.wait_for_count("editor 480 712", time);
            let drawn =
                wait_until(PATIENCE, || display.windows_of(480, 712).into_iter().find(|colours| *colours > 100));
            assert!(drawn.is_some(), "{what}, time {time}: colours {:?}", display.windows_of(480, 712));
            host.say("");
        }
        host.goes_well();
    }
}

//! What is seen: the device's own window, and the plugin's in a host's.

use super::wine::{Running, Wine};
use crate::support::child::{PATIENCE, wait_until};
use crate::support::display::Display;
use std::collections::HashSet;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt, ImageFormat};

/// How many colours each window of this size has, also one that is kept off the screen.
fn windows_of(display: &Display, width: u16, height: u16) -> Vec<usize> {
    let (connection, screen) = x11rb::connect(Some(display.name())).expect("the display takes clients");
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
fn colours(display: &Display) -> usize {
    colours_in(&display.pixels())
}

/// Of pixels of four bytes.
fn colours_in(bytes: &[u8]) -> usize {
    bytes.chunks_exact(4).filter_map(|pixel| pixel.first_chunk::<3>()).collect::<HashSet<_>>().len()
}

/// Letters with smooth edges have many colours; an empty window has one or two.
#[test]
fn the_device_draws_its_window() {
    let Some(wine) = Wine::here() else { return };
    let (display, folder) = (Display::start(), wine.folder());
    let empty = colours(&display);
    let mut command = wine.command(&wine.built("svc-device.exe"));
    command.args(["--port", "0", "--data-dir", &folder.there]).env("DISPLAY", display.name());
    let device = Running::start(&mut command);
    device.api();
    let drawn = wait_until(PATIENCE * 2, || Some(colours(&display)).filter(|colours| *colours > empty + 100));
    assert!(drawn.is_some(), "{} colours, {empty} before", colours(&display));
}

/// The plugin's window is there, has its size, is drawn, and goes; twice. Wine draws it beside the screen and fails to
/// copy it into the host's, so it is looked at where it is drawn.
#[test]
fn the_plugins_draw_their_windows_in_a_hosts() {
    let Some(wine) = Wine::here() else { return };
    let display = Display::start();
    for (what, library) in [("clap-editor", wine.built("SVC Device.clap")), ("vst3-editor", wine.vst3())] {
        let mut host = wine.host_on(display.name(), what, library);
        for time in 1..=2 {
            host.wait_for_count("editor 1040 700", time);
            let drawn =
                wait_until(PATIENCE, || windows_of(&display, 1_040, 700).into_iter().find(|colours| *colours > 100));
            assert!(drawn.is_some(), "{what}, time {time}: colours {:?}", windows_of(&display, 1_040, 700));
            host.say("");
        }
        host.goes_well();
    }
}

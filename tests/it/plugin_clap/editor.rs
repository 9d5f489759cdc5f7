//! The plugin's window inside a window of its host: what a user does there reaches the Set.

use super::{Api, Build, Library, Service, clap, eventually, started};
use crate::support::display::Display;
use crate::support::own_process::{in_own_process_with, is_own_process};
use crate::support::song::Daw;
use clack_extensions::gui::{GuiApiType, GuiConfiguration, PluginGui, Window};
use serde_json::json;
use std::time::Duration;
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, ConnectionExt as _, CreateWindowAux, ImageFormat, MOTION_NOTIFY_EVENT,
    WindowClass,
};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;

/// Of the clip in the first slot of the Session: its triangle, and a place of its name without letters.
const LAUNCH: (i16, i16) = (22, 134);
const BESIDE_NAME: (i16, i16) = (130, 134);
/// The clip's colour, of Live's palette.
const COLOR: [u8; 3] = [0xFF, 0x36, 0x36];
const PATIENCE: Duration = Duration::from_secs(30);

/// In a process of its own on a display of its own.
fn on_a_display<F: FnOnce()>(body: F) {
    let display = (!is_own_process()).then(Display::start);
    let variable = display.as_ref().map(|display| ("DISPLAY", display.name()));
    in_own_process_with(variable.as_slice(), body);
}

/// A window of the host's in the corner of the screen, and the user before it.
struct HostWindow {
    connection: RustConnection,
    root: u32,
    window: u32,
}

impl HostWindow {
    fn open(width: u32, height: u32) -> HostWindow {
        let (connection, screen) = x11rb::connect(None).expect("the display takes clients");
        let screen = &connection.setup().roots[screen];
        let (root, depth, visual) = (screen.root, screen.root_depth, screen.root_visual);
        let window = connection.generate_id().expect("an id");
        let size = [width, height].map(|points| u16::try_from(points).expect("a size of the screen"));
        connection
            .create_window(
                depth,
                window,
                root,
                0,
                0,
                size[0],
                size[1],
                0,
                WindowClass::INPUT_OUTPUT,
                visual,
                &CreateWindowAux::new(),
            )
            .and_then(|_| connection.map_window(window))
            .expect("a window");
        connection.flush().expect("the display is there");
        HostWindow { connection, root, window }
    }

    /// Red, green and blue of a pixel of the screen.
    fn pixel(&self, (x, y): (i16, i16)) -> [u8; 3] {
        let asked = self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, x, y, 1, 1, u32::MAX);
        let image = asked.expect("the display is there").reply().expect("a pixel");
        let [blue, green, red] = *image.data.first_chunk().expect("three colours");
        [red, green, blue]
    }

    fn click(&self, (x, y): (i16, i16)) {
        for (event, button) in [(MOTION_NOTIFY_EVENT, 0), (BUTTON_PRESS_EVENT, 1), (BUTTON_RELEASE_EVENT, 1)] {
            self.connection.xtest_fake_input(event, button, 0, self.root, x, y, 0).expect("it is sent");
        }
        self.connection.flush().expect("the display is there");
    }
}

#[test]
fn a_click_on_a_clip_launches_it() {
    on_a_display(|| {
        let library = Library::load(&clap(Build::Release));
        let (mut instance, port) = started(&library);
        let mut api = Api::connect(port);
        instance.run(Service::AtOnce, |_| {
            let clip = json!({ "path": "t0/s0", "name": "Bass", "color": "#FF3636" });
            api.call("svc-create-clip", clip);
        });
        let handle = instance.handle();
        let gui: PluginGui = handle.get_extension().expect("the plugin has a window");
        let kind = GuiConfiguration { api_type: GuiApiType::X11, is_floating: false };
        assert!(gui.is_api_supported(&handle, kind), "it goes into windows of X11");
        gui.create(&handle, kind).expect("an editor");
        let size = gui.get_size(&handle).expect("a size");
        let window = HostWindow::open(size.width, size.height);
        // A display on a busy machine may be late with its OpenGL, so that no editor opens yet.
        eventually("it takes the window", PATIENCE, || {
            // SAFETY: the window outlives the editor.
            let taken = unsafe { gui.set_parent(&handle, Window::from_x11_handle(window.window.into())) };
            if taken.is_err() {
                gui.destroy(&handle);
                gui.create(&handle, kind).expect("an editor");
            }
            taken.is_ok()
        });
        // A plugin may take its parent as enough.
        let _ = gui.show(&handle);
        let is_near = |one: u8, other: u8| one.abs_diff(other) <= 4;
        eventually("the clip is drawn", PATIENCE, || {
            window.pixel(BESIDE_NAME).into_iter().zip(COLOR).all(|(seen, wanted)| is_near(seen, wanted))
        });

        let playing = |api: &mut Api| api.call("svc-read-track", json!({ "path": "t0" }))["playingSlotIndex"].clone();
        instance.run(Service::AtOnce, |audio| {
            let mut daw = Daw::new(audio, 120.0);
            daw.play();
            daw.blocks(5);
            assert_ne!(playing(&mut api), json!(0), "nothing plays before the click");
            window.click(LAUNCH);
            eventually("the clip plays", PATIENCE, || {
                daw.blocks(1);
                playing(&mut api) == json!(0)
            });
        });
        let handle = instance.handle();
        handle.get_extension::<PluginGui>().expect("the plugin has a window").destroy(&handle);
    });
}

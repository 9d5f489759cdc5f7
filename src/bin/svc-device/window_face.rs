//! The standalone's window: the device's view in a window of its own.

use crate::bell::Bell;
use egui_baseview::baseview::HandlerError;
use egui_baseview::baseview::dpi::LogicalSize;
use egui_baseview::{App, EguiWindow, EguiWindowSettings, Frame, RepaintNotifier};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use svc_device::device::Device;
use svc_device::window::{self, WindowApp};

/// Whether a window can be shown here.
pub fn has_display() -> bool {
    // On other Unixes the window speaks X11, under Wayland too.
    cfg!(any(windows, target_os = "macos")) || std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty())
}

/// Shows the window until the user closes it or the bell rings for the end. On the main thread: macOS allows no other.
/// The error says why there is no window (any more).
pub fn run(device: Arc<Device>, bell: Bell, repaint: RepaintNotifier) -> Result<(), String> {
    let (width, height) = window::SIZE;
    let settings = EguiWindowSettings::new()
        .with_title("SVC Device")
        .with_size(LogicalSize::new(width, height))
        .with_resizable(false)
        .with_repaint_notifier(repaint);
    let face = Face { app: WindowApp::new(device), bell };
    // What goes wrong in a window must not cost the user what plays and answers behind it.
    let shown = catch_unwind(AssertUnwindSafe(|| EguiWindow::create(settings, face)?.run_until_closed()));
    match shown {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it failed unexpectedly".to_owned()),
    }
}

struct Face {
    app: WindowApp,
    bell: Bell,
}

impl App for Face {
    fn build(&mut self, ctx: egui::Context, _: &mut Frame) -> Result<(), HandlerError> {
        window::prepare(&ctx);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut Frame) {
        if self.bell.is_ending() {
            frame.baseview_window().request_close();
            return;
        }
        self.app.ui(ui);
    }
}

//! The standalone's window: the device's view in a window of its own.

use crate::wake_signal::WakeSignal;
use egui_baseview::baseview::HandlerError;
use egui_baseview::baseview::dpi::LogicalSize;
use egui_baseview::{App, EguiWindow, EguiWindowSettings, Frame, RepaintNotifier};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use svc_device::device::Device;
use svc_device::window::{LEAST_SIZE, WindowApp, prepare};

/// Whether a window can be shown here.
pub fn has_display() -> bool {
    // On other Unixes the window speaks X11, under Wayland too.
    cfg!(any(windows, target_os = "macos")) || std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty())
}

/// Shows the window until the user closes it or the device is asked to stop. On the main thread: macOS allows no other.
/// The error says why there is no window (any more).
pub fn run(device: Arc<Device>, signal: WakeSignal, repaint: RepaintNotifier) -> Result<(), String> {
    let place = device.service.settings().window.clone();
    let scale = place.scale();
    let least = LogicalSize::new(LEAST_SIZE.0 * f64::from(scale), LEAST_SIZE.1 * f64::from(scale));
    let settings = EguiWindowSettings::new()
        .with_title("SVC Device")
        .with_size(LogicalSize::new(f64::from(place.width), f64::from(place.height)))
        .with_min_size(Some(least))
        .with_zoom_factor(scale)
        .with_repaint_notifier(repaint);
    let window = StandaloneWindow { app: WindowApp::new(device), signal };
    // A fault of the window must not end what plays and answers behind it.
    let shown = catch_unwind(AssertUnwindSafe(|| EguiWindow::create(settings, window)?.run_until_closed()));
    match shown {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("it failed unexpectedly".to_owned()),
    }
}

struct StandaloneWindow {
    app: WindowApp,
    signal: WakeSignal,
}

impl App for StandaloneWindow {
    fn build(&mut self, ctx: egui::Context, _: &mut Frame) -> Result<(), HandlerError> {
        prepare(&ctx);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut Frame) {
        if self.signal.is_stopping() {
            frame.baseview_window().request_close();
            return;
        }
        self.app.ui(ui);
    }
}

//! The plugin's window: the device's view inside the host's.

use crate::device::Device;
use crate::window::{self, WindowApp};
use nice_plug::context::gui::GuiContext;
use nice_plug_egui::{Frame, NiceEguiApp, baseview};
use std::sync::Arc;

pub struct WindowFace {
    app: WindowApp,
}

impl WindowFace {
    pub fn new(device: Arc<Device>) -> Self {
        WindowFace { app: WindowApp::new(device) }
    }
}

impl NiceEguiApp for WindowFace {
    fn build(&mut self, ctx: egui::Context, _: GuiContext, _: &mut Frame) -> Result<(), baseview::HandlerError> {
        window::prepare(&ctx);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut Frame) {
        self.app.ui(ui);
    }
}

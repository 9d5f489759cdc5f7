//! The plugin's window: the device's view inside the host's.

use super::state::DeviceParams;
use crate::device::Device;
use crate::window::{self, WindowApp};
use nice_plug::context::gui::GuiContext;
use nice_plug::prelude::Param;
use nice_plug_egui::{Frame, NiceEguiApp, baseview};
use std::sync::Arc;

pub struct WindowFace {
    app: WindowApp,
    device: Arc<Device>,
    params: Arc<DeviceParams>,
    host: Option<GuiContext>,
    /// The last change that the host was told of.
    told_revision: u64,
}

impl WindowFace {
    pub fn new(device: Arc<Device>, params: Arc<DeviceParams>) -> Self {
        WindowFace { app: WindowApp::new(device.clone()), device, params, host: None, told_revision: 0 }
    }

    /// Touches a hidden parameter when the Set has changed: the only way here to have the host see its project as changed.
    fn tell_host(&mut self) {
        let revision = self.device.keeper.committed().revision;
        if revision == self.told_revision {
            return;
        }
        self.told_revision = revision;
        if let Some(host) = &self.host {
            let (setter, changed) = (host.param_setter(), &self.params.changed);
            setter.begin_set_parameter(changed);
            setter.set_parameter(changed, !changed.modulated_plain_value());
            setter.end_set_parameter(changed);
        }
    }
}

impl NiceEguiApp for WindowFace {
    fn build(&mut self, ctx: egui::Context, host: GuiContext, _: &mut Frame) -> Result<(), baseview::HandlerError> {
        window::prepare(&ctx);
        self.told_revision = self.device.keeper.committed().revision;
        self.host = Some(host);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut Frame) {
        self.app.ui(ui);
        self.tell_host();
    }

    fn editor_closed(&mut self) {
        self.host = None;
    }
}

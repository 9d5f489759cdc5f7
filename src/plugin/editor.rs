//! The plugin's window: the device's view inside the host's.

use super::state::DeviceParams;
use crate::device::Device;
use crate::window::{self, WindowApp};
use nice_plug::context::gui::GuiContext;
use nice_plug::prelude::Param;
use nice_plug_egui::{Frame, NiceEguiApp, baseview};
use std::sync::Arc;

/// The window of one instance.
pub struct PluginWindow {
    app: WindowApp,
    device: Arc<Device>,
    params: Arc<DeviceParams>,
    host: Option<GuiContext>,
    /// The last change that the host knows of.
    reported_revision: u64,
}

impl PluginWindow {
    pub fn new(device: Arc<Device>, params: Arc<DeviceParams>) -> Self {
        PluginWindow { app: WindowApp::new(device.clone()), device, params, host: None, reported_revision: 0 }
    }

    /// Touches a hidden parameter when the Set has changed: the only way here to have the host mark its project as
    /// changed.
    fn report_change(&mut self) {
        let revision = self.device.set.committed().revision;
        if revision == self.reported_revision {
            return;
        }
        self.reported_revision = revision;
        if let Some(host) = &self.host {
            let (setter, changed) = (host.param_setter(), &self.params.changed);
            setter.begin_set_parameter(changed);
            setter.set_parameter(changed, !changed.modulated_plain_value());
            setter.end_set_parameter(changed);
        }
    }
}

impl NiceEguiApp for PluginWindow {
    fn build(&mut self, ctx: egui::Context, host: GuiContext, _: &mut Frame) -> Result<(), baseview::HandlerError> {
        window::prepare(&ctx);
        self.reported_revision = self.device.set.committed().revision;
        self.host = Some(host);
        Ok(())
    }

    fn ui(&mut self, ui: &mut egui::Ui, _: &mut Frame) {
        self.app.ui(ui);
        self.report_change();
    }

    fn editor_closed(&mut self) {
        self.host = None;
    }
}

//! The plugin's window: the device's view inside the host's.

use super::state::DeviceParams;
use crate::device::Device;
use crate::window::{self, LEAST_SIZE, WindowApp};
use nice_plug::context::gui::GuiContext;
use nice_plug::editor::dpi::{LogicalSize, NativeSize, PhysicalSize};
use nice_plug::editor::{Editor, HostMethods, ParentWindowHandle, ResizeHint, SpawnedEditor};
use nice_plug::prelude::Param;
use nice_plug_egui::{
    EguiEditorHandle, EguiEditorState, EguiNiceSettings, Frame, NiceEguiApp, RepaintNotifier, baseview,
    create_egui_editor,
};
use parking_lot::Mutex;
use std::error::Error;
use std::sync::Arc;

/// Opens the window as it was left: the size that the project remembers is known only after its state was loaded, so
/// each opening makes an editor of its own.
pub struct DeviceEditor {
    device: Arc<Device>,
    params: Arc<DeviceParams>,
    repaint: RepaintNotifier,
    /// Of the window that was opened last.
    opened: Mutex<Option<Arc<EguiEditorState>>>,
}

impl DeviceEditor {
    pub fn new(device: Arc<Device>, params: Arc<DeviceParams>, repaint: RepaintNotifier) -> Self {
        DeviceEditor { device, params, repaint, opened: Mutex::new(None) }
    }

    /// Of the window that is open, or as the next one opens.
    fn state(&self) -> Arc<EguiEditorState> {
        let opened = self.opened.lock().clone();
        opened.filter(|state| state.is_open()).unwrap_or_else(|| {
            let place = &self.device.service.settings().window;
            let size = LogicalSize::new(f64::from(place.width), f64::from(place.height));
            EguiEditorState::from_size(size, place.scale())
        })
    }
}

impl Editor for DeviceEditor {
    type Handle = EguiEditorHandle;

    fn spawn(
        &self,
        parent: Option<ParentWindowHandle>,
        wait_for_parent: bool,
        fallback_scale_factor: Option<f64>,
        gui_context: GuiContext,
        host: Option<HostMethods>,
    ) -> Result<SpawnedEditor<Self::Handle>, Box<dyn Error>> {
        let state = self.state();
        let settings = EguiNiceSettings::new().with_tile("SVC Device").with_resize_hint(self.resize_hint());
        let window = PluginWindow::new(self.device.clone(), self.params.clone());
        let editor = create_egui_editor(state.clone(), self.repaint.clone(), settings, window)
            .ok_or("the window's editor could not be made")?;
        let spawned = editor.spawn(parent, wait_for_parent, fallback_scale_factor, gui_context, host)?;
        *self.opened.lock() = Some(state);
        Ok(spawned)
    }

    fn size(&self) -> NativeSize<u32> {
        let state = self.state();
        let (logical, physical) = (state.logical_size(), state.physical_size());
        // The size that the state has is that before its scale.
        let scale = state.user_scale_factor();
        let scaled = |points: f32| (points * scale).round();
        NativeSize::from_logical_or_physical(
            LogicalSize::new(f64::from(scaled(logical.width)), f64::from(scaled(logical.height))),
            PhysicalSize::new(scaled(physical.width as f32) as u32, scaled(physical.height as f32) as u32),
        )
    }

    fn resize_hint(&self) -> ResizeHint {
        let least = LogicalSize::new(LEAST_SIZE.0 as f32, LEAST_SIZE.1 as f32);
        ResizeHint::resizable().with_min_logical_size(least)
    }
}

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

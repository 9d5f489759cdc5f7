//! The device's window: a status tab and a setup tab.
//!
//! [`view::draw`] draws a plain [`model::WindowModel`] and gives back what the user asked for; it knows nothing of
//! plugins. [`WindowApp`] joins it to a device, for the plugin's editor and for the standalone's window.

mod fields;
mod file_card;
mod file_dialog;
mod live_card;
pub mod model;
mod setup;
pub mod style;
#[cfg(test)]
mod tests;
pub mod view;
mod widgets;

use crate::device::live_desk::LiveTask;
use crate::device::{Device, ServerStatus};
use crate::service::Settings;
use crate::service::live_host::LiveStatus;
use crate::set::document::ids::Serial;
use model::{Action, HostLine, LiveCard, ServerLine, WindowModel};
use std::sync::Arc;
use std::time::Duration;
use view::WindowDrafts;

pub use style::prepare;

/// Size of the window, in logical points.
pub const SIZE: (f64, f64) = (480.0, 712.0);

/// How often a meter that moves is drawn.
const METER_PACE: Duration = Duration::from_millis(50);

/// The window of a device.
pub struct WindowApp {
    device: Arc<Device>,
    drafts: WindowDrafts,
}

impl WindowApp {
    pub fn new(device: Arc<Device>) -> Self {
        WindowApp { device, drafts: WindowDrafts::default() }
    }

    /// Draws the window and does what the user asked for.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let model = self.model();
        if model.level.is_some_and(|(left, right)| left.max(right) > 0.0) {
            ui.ctx().request_repaint_after(METER_PACE);
        }
        for action in view::draw(ui, &model, &mut self.drafts) {
            self.carry_out(ui.ctx(), action);
        }
    }

    fn model(&self) -> WindowModel {
        let document = &self.device.set.committed().document;
        let samples = self.device.library().progress();
        let clips: usize = document.tracks.iter().map(|track| track.session.len()).sum();
        WindowModel {
            server: match self.device.server_status() {
                ServerStatus::Off => ServerLine::Off,
                ServerStatus::Listening { port } => {
                    ServerLine::Listening { address: format!("http://127.0.0.1:{port}") }
                }
                ServerStatus::Waiting { why } => ServerLine::Waiting { why },
            },
            calls_answered: self.device.service.calls_answered(),
            instance: self.device.service.instance().to_owned(),
            in_plugin_host: self.device.in_plugin_host(),
            tempo_bpm: document.song.tempo_bpm,
            level: self.level(document.main.serial),
            tracks: document.tracks.len(),
            scenes: document.scenes.len(),
            samples: samples.summary(),
            samples_closed: !samples.unlistable_folders.is_empty(),
            clips,
            newer_changes: self.device.project.recovery_offer(),
            save_failure: self.device.save_failure().map(|why| why.to_string()),
            unreadable: self.device.project.unreadable_reason(),
            permission_request: self.device.service.settings().permission_request(),
            live: LiveCard::of(&self.device.live_desk.view()),
            file: self.device.file_desk.view(),
            host: self.host_line(),
            settings: (*self.device.service.settings()).clone(),
        }
    }

    fn level(&self, main: Serial) -> Option<(f32, f32)> {
        let level = self.device.set.levels().of(main);
        self.device.sound.is_on().then_some((level.left, level.right))
    }

    fn host_line(&self) -> HostLine {
        let service = &self.device.service;
        let LiveStatus { state: link, hello, .. } = service.hosts().live().status();
        if service.hosts().is_live() {
            let is_linked = link.name() == "linked";
            let text = match hello.filter(|_| is_linked) {
                Some(hello) => format!(
                    "Tools work on the Set that is open in Live: {}, script {}, tick: {}.",
                    link.sentence(),
                    hello.script_version,
                    hello.tick
                ),
                None => format!("Tools work on Ableton Live, and calls fail: {}.", link.sentence()),
            };
            return HostLine { text, is_live: true, needs_attention: !is_linked };
        }
        match service.host_offer() {
            Some(_) => HostLine {
                text: "Tools work on the Set inside this device. Ableton Live is linked: choose it to work on its Set."
                    .to_owned(),
                is_live: false,
                needs_attention: true,
            },
            None => HostLine {
                text: "Tools work on the Set inside this device.".to_owned(),
                is_live: false,
                needs_attention: false,
            },
        }
    }

    fn carry_out(&self, ctx: &egui::Context, action: Action) {
        let change = |edit: &dyn Fn(&mut Settings)| self.device.service.edit_settings(edit);
        match action {
            Action::CopyAddress(address) => ctx.copy_text(address),
            Action::Port(port) => change(&|s| s.port = port),
            Action::TimeoutMs(ms) => change(&|s| s.timeout_ms = ms),
            Action::SampleFolder(folder) => change(&|s| s.set_sample_folder(folder.clone())),
            Action::Notation(notation) => change(&|s| s.notation = notation),
            Action::SmallModelMode(on) => change(&|s| s.small_model_mode = on),
            Action::HostChoice(choice) => change(&|s| s.host_choice = choice),
            Action::LiveApi(on) => change(&|s| s.set_live_api_enabled(on)),
            Action::OwnClock(on) => change(&|s| s.own_clock = on),
            Action::Sound(on) => change(&|s| s.sound = Some(on)),
            Action::MidiOut(on) => change(&|s| s.midi_out = on),
            Action::Permit(true) => change(&|s| s.release(|_| true)),
            Action::Permit(false) => change(&Settings::drop_held),
            Action::LookAtLiveScript => self.device.live_desk.ask(LiveTask::Look),
            Action::InstallLiveScript => self.device.live_desk.ask(LiveTask::Install),
            Action::RemoveLiveScript => self.device.live_desk.ask(LiveTask::Remove),
            Action::LiveLibrary(folder) => self.device.live_desk.ask(LiveTask::NameLibrary(folder)),
            Action::File(task) => self.device.file_desk.begin(task, file_dialog::chosen(task)),
            Action::StartFresh => self.device.project.start_fresh(),
            Action::Recover(take) => {
                self.device.project.settle_recovery(take);
            }
        }
    }
}

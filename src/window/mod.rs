//! The device's window: a status tab and a setup tab.
//!
//! [`view::view`] draws a plain [`view::Shown`] and gives back what the user asked for; it knows nothing of plugins or hosts.
//! [`WindowApp`] joins it to a device, for whichever face opens the window.

mod setup;
pub mod style;
#[cfg(test)]
mod tests;
pub mod view;

use crate::device::{Device, ServerStatus};
use crate::service::Settings;
use std::sync::Arc;
use view::{Action, Drafts, Server, Shown};

pub use style::prepare;

/// Size of the window, in logical points.
pub const SIZE: (f64, f64) = (480.0, 420.0);

/// The window of a device.
pub struct WindowApp {
    device: Arc<Device>,
    drafts: Drafts,
}

impl WindowApp {
    pub fn new(device: Arc<Device>) -> Self {
        WindowApp { device, drafts: Drafts::default() }
    }

    /// Draws the window and does what the user asked for.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let shown = self.shown();
        for action in view::view(ui, &shown, &mut self.drafts) {
            self.act(ui.ctx(), action);
        }
    }

    fn shown(&self) -> Shown {
        let document = &self.device.keeper.committed().document;
        let samples = self.device.library().progress();
        let clips: usize = document.tracks.iter().map(|track| track.session.len()).sum();
        Shown {
            server: match self.device.server_status() {
                ServerStatus::Off => Server::Off,
                ServerStatus::Listening { port } => Server::Listening { address: format!("http://127.0.0.1:{port}") },
                ServerStatus::Waiting { why } => Server::Waiting { why },
            },
            served: self.device.service.served(),
            instance: self.device.service.instance().to_owned(),
            in_host: self.device.in_host(),
            tempo_bpm: document.song.tempo_bpm,
            tracks: document.tracks.len(),
            scenes: document.scenes.len(),
            samples: samples.summary(),
            samples_closed: !samples.unlistable_folders.is_empty(),
            clips,
            newer_changes: self.device.recovery_offer(),
            held: self.device.keeper.held().map(|held| held.why),
            settings: (*self.device.service.settings()).clone(),
        }
    }

    fn act(&self, ctx: &egui::Context, action: Action) {
        let change = |edit: &dyn Fn(&mut Settings)| self.device.service.edit_settings(edit);
        match action {
            Action::CopyAddress(address) => ctx.copy_text(address),
            Action::Port(port) => change(&|s| s.port = port),
            Action::TimeoutMs(ms) => change(&|s| s.timeout_ms = ms),
            Action::SampleFolder(folder) => change(&|s| s.sample_folder.clone_from(&folder)),
            Action::Notation(notation) => change(&|s| s.notation = notation),
            Action::SmallModelMode(on) => change(&|s| s.small_model_mode = on),
            Action::LiveApi(on) => change(&|s| s.live_api_enabled = on),
            Action::OwnClock(on) => change(&|s| s.own_clock = on),
            Action::StartFresh => self.device.start_fresh(),
            Action::Recover(take) => {
                self.device.settle_recovery(take);
            }
        }
    }
}

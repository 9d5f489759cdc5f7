//! The device's window: what it shows of the Set and of the calls, and what the user does there.
//!
//! [`view::draw`] draws a plain [`model::WindowModel`] and gives back what the user asked for; it knows nothing of
//! plugins. [`WindowApp`] joins it to a device, for the plugin's editor and for the standalone's window. What changes
//! in the device comes by a [`feed::Feed`], whose thread lives as long as the window is open.

mod activity;
pub mod acts;
mod arrangement;
mod attention;
mod clip;
mod clock;
mod context;
pub mod feed;
mod fields;
mod file_card;
mod file_dialog;
mod follower;
mod header;
mod input_gate;
mod kept_part;
mod levels;
mod live_card;
mod marks;
pub mod model;
mod place;
mod playing;
mod reach;
mod reads;
mod ruler;
mod session;
mod setup;
mod sheet;
pub mod shown;
mod slider;
mod status;
mod stencils;
pub mod style;
pub mod tab;
mod teach;
#[cfg(test)]
mod tests;
mod times;
mod toolset;
pub mod view;
mod widgets;
mod written;

use crate::device::live_desk::LiveTask;
use crate::device::{Device, ServerStatus};
use crate::service::Settings;
use crate::service::live_host::LiveStatus;
use feed::Feed;
use follower::Order;
use model::{Action, HostLine, LiveCard, ServerLine, WindowModel};
use place::PlaceKeeper;
use shown::Shown;
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;
use std::time::Duration;
use tab::Tab;
use view::WindowDrafts;

pub use place::{LEAST_SIZE, WindowPlace};

/// How often is drawn what fades.
const FADE_PACE: Duration = Duration::from_millis(50);

/// Sets fonts and colours, and how input reaches what is shown; once, before the first frame.
pub fn prepare(ctx: &egui::Context) {
    style::prepare(ctx);
    ctx.add_plugin(input_gate::InputGate::default());
}

/// The window of a device.
pub struct WindowApp {
    device: Arc<Device>,
    drafts: WindowDrafts,
    place: PlaceKeeper,
    /// Of the open window, which holds it.
    feed: Weak<Feed>,
    threads: Vec<JoinHandle<()>>,
}

impl WindowApp {
    pub fn new(device: Arc<Device>) -> Self {
        WindowApp {
            drafts: WindowDrafts::default(),
            place: PlaceKeeper::default(),
            device,
            feed: Weak::new(),
            threads: Vec::new(),
        }
    }

    /// Draws the window and does what the user asked for.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        let feed = self.feed(ui.ctx());
        let shown = feed.as_ref().map(|feed| feed.shown()).unwrap_or_default();
        if shown.flashes.iter().any(|(_, at)| at.elapsed() < shown::FLASH) {
            ui.ctx().request_repaint_after(FADE_PACE);
        }
        let model = self.model(shown);
        for action in view::draw(ui, &model, &mut self.drafts) {
            self.carry_out(ui.ctx(), feed.as_deref(), action);
        }
        if let Some(place) = self.place.changed(ui.ctx(), self.drafts.tab) {
            self.device.service.edit_settings(|settings| settings.window = place.clone());
        }
    }

    /// The feed of this window, begun with its first frame. The window's context holds it: when the window is closed,
    /// which nobody tells here, the context goes and the feed's thread ends.
    fn feed(&mut self, ctx: &egui::Context) -> Option<Arc<Feed>> {
        let id = egui::Id::unique("svc-window-feed");
        if let Some(feed) = ctx.data(|data| data.get_temp::<Arc<Feed>>(id)) {
            return Some(feed);
        }
        self.threads.retain(|thread| !thread.is_finished());
        let (feed, thread) = Feed::start(&self.device)?;
        self.threads.push(thread);
        self.feed = Arc::downgrade(&feed);
        ctx.data_mut(|data| data.insert_temp(id, feed.clone()));
        self.drafts.tab = self.place.restore(ctx, &self.device.service.settings().window);
        feed.order(Order::Open(self.drafts.tab));
        if self.drafts.tab == Tab::Setup {
            self.device.live_desk.ask(LiveTask::Look);
        }
        Some(feed)
    }

    fn model(&self, shown: Arc<Shown>) -> WindowModel {
        let samples = self.device.library().progress();
        WindowModel {
            shown,
            server: match self.device.server_status() {
                ServerStatus::Off => ServerLine::Off,
                ServerStatus::Listening { port } => {
                    ServerLine::Listening { address: format!("http://127.0.0.1:{port}") }
                }
                ServerStatus::Waiting { why } => ServerLine::Waiting { why },
            },
            needs_token: self.device.service.access().is_restricted(),
            instance: self.device.service.instance().to_owned(),
            in_plugin_host: self.device.in_plugin_host(),
            samples: samples.summary(),
            samples_closed: !samples.unlistable_folders.is_empty(),
            newer_changes: self.device.project.recovery_offer(),
            save_failure: self.device.save_failure().map(|why| why.to_string()),
            unreadable: self.device.project.unreadable_reason(),
            permission_request: self.device.service.settings().permission_request(),
            live: LiveCard::of(&self.device.live_desk.view()),
            file: self.device.file_desk.view(),
            host: self.host_line(),
            sound: self.device.sound.status(),
            settings: self.device.service.settings(),
        }
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

    fn carry_out(&self, ctx: &egui::Context, feed: Option<&Feed>, action: Action) {
        let order = |order| {
            if let Some(feed) = feed {
                feed.order(order);
            }
        };
        match action {
            Action::Call(call) => order(Order::Call(call)),
            Action::ReadMemory(name) => order(Order::ReadMemory(name)),
            Action::DismissMessage => order(Order::DismissMessage),
            Action::Open(tab) => {
                if tab == Tab::Setup {
                    self.device.live_desk.ask(LiveTask::Look);
                }
                order(Order::Open(tab));
            }
            Action::Scale(scale) => ctx.set_zoom_factor(scale),
            Action::Copy(text) => ctx.copy_text(text),
            Action::OpenPage(address) => {
                // By its own page a browser shows the token that the user has anyway; it is no part of a request.
                let token = self.device.service.access().token();
                let token = token.map(|token| format!("#token={}", token.as_str())).unwrap_or_default();
                ctx.open_url(egui::OpenUrl::new_tab(format!("{address}/{token}")));
            }
            Action::LiveLibrary(folder) => self.device.live_desk.ask(LiveTask::NameLibrary(folder)),
            Action::InstallLiveScript => self.device.live_desk.ask(LiveTask::Install),
            Action::RemoveLiveScript => self.device.live_desk.ask(LiveTask::Remove),
            Action::File(task) => self.device.file_desk.begin(task, file_dialog::chosen(task)),
            Action::StartFresh => self.device.project.start_fresh(),
            Action::Recover(take) => {
                self.device.project.settle_recovery(take);
            }
            setting => self.change_setting(setting),
        }
    }

    fn change_setting(&self, action: Action) {
        let change = |edit: &dyn Fn(&mut Settings)| self.device.service.edit_settings(edit);
        match action {
            Action::Port(port) => change(&|s| s.port = port),
            Action::TimeoutMs(ms) => change(&|s| s.timeout_ms = ms),
            Action::SampleFolder(folder) => change(&|s| s.set_sample_folder(folder.clone())),
            Action::AllowedFolders(folders) => change(&|s| s.set_allowed_folders(folders.clone())),
            Action::Notation(notation) => change(&|s| s.notation = notation),
            Action::SmallModelMode(on) => change(&|s| s.small_model_mode = on),
            Action::JsonOutput(on) => change(&|s| s.json_output = on),
            Action::HostChoice(choice) => change(&|s| s.host_choice = choice),
            Action::LiveApi(on) => change(&|s| s.set_live_api_enabled(on)),
            Action::ShowTool(name, true) => change(&|s| {
                s.disabled_tools.remove(name);
            }),
            Action::ShowTool(name, false) => change(&|s| {
                s.disabled_tools.insert(name.to_owned());
            }),
            Action::OwnClock(on) => change(&|s| s.own_clock = on),
            Action::Sound(on) => change(&|s| s.sound = Some(on)),
            Action::MidiOut(on) => change(&|s| s.midi_out = on),
            // The request that stays says why something cannot be granted.
            Action::Permit(true) => change(&|s| {
                s.set_held_look(s.look_at_held(true));
                let _ = s.grant();
            }),
            Action::Permit(false) => change(&Settings::drop_held),
            // All else is carried out before.
            _ => {}
        }
    }
}

impl Drop for WindowApp {
    fn drop(&mut self) {
        if let Some(feed) = self.feed.upgrade() {
            feed.order(Order::End);
        }
        // Their code must not go before they do.
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

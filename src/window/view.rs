//! What the window shows, and what the user can ask for in it.

use super::style::{ACCENT, CARD, LINE, QUIET, WARN};
use crate::notation::Notation;
use crate::service::Settings;
use crate::service::settings::MAX_TIMEOUT_MS;
use egui::{Align, Frame, Label, Layout, Margin, RichText, Stroke, Ui};

/// Everything on screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    pub server: Server,
    /// Calls answered.
    pub served: u64,
    pub instance: String,
    /// In a DAW, whose transport leads and whose project saves.
    pub in_host: bool,
    pub tempo_bpm: f64,
    pub tracks: usize,
    pub scenes: usize,
    pub clips: usize,
    /// How far the index of the user's samples is, if there is a folder of them.
    pub samples: Option<String>,
    /// Why the saved Set could not be read.
    pub held: Option<String>,
    /// Changes that the journal holds and the project does not.
    pub newer_changes: Option<u64>,
    pub settings: Settings,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Server {
    Off,
    Listening { address: String },
    Waiting { why: String },
}

/// Something the user asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    CopyAddress(String),
    Port(u16),
    TimeoutMs(u32),
    Notation(Notation),
    SmallModelMode(bool),
    LiveApi(bool),
    OwnClock(bool),
    StartFresh,
    /// Take the journal's changes, or turn them down.
    Recover(bool),
}

/// What the user is in the middle of.
#[derive(Clone, Debug, Default)]
pub struct Drafts {
    tab: Tab,
    /// Typed and not yet taken; the reason when it was refused.
    port: Option<String>,
    timeout: Option<String>,
    refused: Option<&'static str>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Status,
    Setup,
}

/// Draws the window and gives what the user asked for in this frame.
pub fn view(ui: &mut Ui, shown: &Shown, drafts: &mut Drafts) -> Vec<Action> {
    let mut actions = Vec::new();
    let frame = Frame::new().fill(super::style::GROUND).inner_margin(Margin::same(18));
    egui::CentralPanel::default().frame(frame).show(ui, |ui| {
        header(ui, drafts);
        ui.add_space(6.0);
        if let Some(why) = &shown.held {
            held(ui, why, &mut actions);
        }
        if let Some(changes) = shown.newer_changes {
            recovery(ui, changes, &mut actions);
        }
        match drafts.tab {
            Tab::Status => status(ui, shown, &mut actions),
            Tab::Setup => setup(ui, shown, drafts, &mut actions),
        }
    });
    actions
}

fn header(ui: &mut Ui, drafts: &mut Drafts) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("SVC Device").heading().strong());
        ui.label(RichText::new(crate::VERSION).small().color(QUIET));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (tab, name) in [(Tab::Setup, "Setup"), (Tab::Status, "Status")] {
                if ui.selectable_label(drafts.tab == tab, name).clicked() {
                    drafts.tab = tab;
                }
            }
        });
    });
}

fn card(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let frame = Frame::new().fill(CARD).stroke(Stroke::new(1.0, LINE)).corner_radius(8).inner_margin(Margin::same(14));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
    ui.add_space(4.0);
}

fn held(ui: &mut Ui, why: &str, actions: &mut Vec<Action>) {
    card(ui, |ui| {
        ui.label(RichText::new("The saved Set could not be read").strong().color(WARN));
        ui.add(Label::new(why).wrap());
        if ui.button("Start fresh").on_hover_text("Drops the saved Set and takes writes again").clicked() {
            actions.push(Action::StartFresh);
        }
    });
}

fn recovery(ui: &mut Ui, changes: u64, actions: &mut Vec<Action>) {
    card(ui, |ui| {
        let count = if changes == 1 { "1 change".to_owned() } else { format!("{changes} changes") };
        ui.label(RichText::new(format!("{count} newer than this project")).strong().color(WARN));
        ui.label("The Set was changed after the project was last saved.");
        ui.horizontal(|ui| {
            if ui.button("Restore").on_hover_text("Puts the newer Set in place").clicked() {
                actions.push(Action::Recover(true));
            }
            if ui.button("Dismiss").on_hover_text("Keeps the project's Set and forgets the changes").clicked() {
                actions.push(Action::Recover(false));
            }
        });
    });
}

fn status(ui: &mut Ui, shown: &Shown, actions: &mut Vec<Action>) {
    card(ui, |ui| match &shown.server {
        Server::Listening { address } => {
            lamp(ui, ACCENT, "Listening");
            ui.horizontal(|ui| {
                ui.label(RichText::new(address).monospace().size(17.0));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.button("Copy").on_hover_text("Copy the address").clicked() {
                        actions.push(Action::CopyAddress(address.clone()));
                    }
                });
            });
        }
        Server::Waiting { why } => {
            lamp(ui, WARN, "Not reachable");
            ui.add(Label::new(why).wrap());
            ui.label(RichText::new("Another port can be set in Setup.").small().color(QUIET));
        }
        Server::Off => {
            lamp(ui, QUIET, "Off");
            ui.label("Starts when the host activates the plugin.");
        }
    });
    card(ui, |ui| {
        egui::Grid::new("facts").num_columns(2).spacing([24.0, 8.0]).show(ui, |ui| {
            let calls = if shown.served == 1 { "1 call".to_owned() } else { format!("{} calls", shown.served) };
            row(ui, "Answered", &calls);
            row(ui, "Running in", &shown.instance);
            row(ui, "Tempo", &format!("{:.2} BPM", shown.tempo_bpm));
            row(ui, "Set", &format!("{} tracks, {} scenes, {} clips", shown.tracks, shown.scenes, shown.clips));
            if let Some(samples) = &shown.samples {
                row(ui, "Samples", samples);
            }
        });
    });
    ui.add(
        Label::new(
            RichText::new("Scripts list the tools at /api/tools and call them at /api/tools/{name}.")
                .small()
                .color(QUIET),
        )
        .wrap(),
    );
}

fn lamp(ui: &mut Ui, color: egui::Color32, text: &str) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
        ui.painter().circle_filled(rect.center(), 5.0, color);
        ui.label(RichText::new(text).strong());
    });
}

fn row(ui: &mut Ui, name: &str, value: &str) {
    ui.label(RichText::new(name).color(QUIET));
    ui.add(Label::new(value).truncate());
    ui.end_row();
}

fn setup(ui: &mut Ui, shown: &Shown, drafts: &mut Drafts, actions: &mut Vec<Action>) {
    let settings = &shown.settings;
    card(ui, |ui| {
        egui::Grid::new("setup").num_columns(2).spacing([24.0, 10.0]).show(ui, |ui| {
            ui.label(RichText::new("Port").color(QUIET));
            if let Some(text) = number_field(ui, &mut drafts.port, &settings.port.to_string()) {
                match text.parse::<u16>().ok().filter(|port| *port >= 1024) {
                    Some(port) => {
                        drafts.refused = None;
                        actions.push(Action::Port(port));
                    }
                    None => drafts.refused = Some("A port is a number from 1024 to 65535."),
                }
            }
            ui.end_row();

            ui.label(RichText::new("Time-out").color(QUIET));
            ui.horizontal(|ui| {
                let seconds = f64::from(settings.timeout_ms) / 1000.0;
                if let Some(text) = number_field(ui, &mut drafts.timeout, &format!("{seconds}")) {
                    let ms = text.parse::<f64>().ok().map(|s| (s * 1000.0).round());
                    match ms.filter(|ms| (1.0..=f64::from(MAX_TIMEOUT_MS)).contains(ms)) {
                        Some(ms) => {
                            drafts.refused = None;
                            actions.push(Action::TimeoutMs(ms as u32));
                        }
                        None => drafts.refused = Some("A time-out is a number of seconds up to 55."),
                    }
                }
                ui.label(RichText::new("seconds a call may take").small().color(QUIET));
            });
            ui.end_row();

            ui.label(RichText::new("Notation").color(QUIET));
            ui.horizontal(|ui| {
                for notation in Notation::ALL {
                    if ui.selectable_label(settings.notation == notation, notation.name()).clicked() {
                        actions.push(Action::Notation(notation));
                    }
                }
            });
            ui.end_row();
        });
    });
    card(ui, |ui| {
        toggle(
            ui,
            settings.small_model_mode,
            "Small-model mode",
            "shorter texts for local models",
            actions,
            Action::SmallModelMode,
        );
        toggle(
            ui,
            settings.live_api_enabled,
            "Raw tool",
            "opens svc-live-api to every client",
            actions,
            Action::LiveApi,
        );
        if shown.in_host {
            toggle(
                ui,
                settings.own_clock,
                "Own clock",
                "plays without the host's transport",
                actions,
                Action::OwnClock,
            );
        }
    });
    let saved = if shown.in_host { "saved with the project" } else { "saved" };
    match drafts.refused {
        Some(why) => ui.label(RichText::new(why).color(WARN)),
        None => ui.label(RichText::new(format!("Changes apply at once and are {saved}.")).small().color(QUIET)),
    };
}

/// A field whose text is taken on Enter or when it is left; gives the text then.
fn number_field(ui: &mut Ui, draft: &mut Option<String>, present: &str) -> Option<String> {
    let mut text = draft.clone().unwrap_or_else(|| present.to_owned());
    let response = ui.add(egui::TextEdit::singleline(&mut text).desired_width(72.0));
    if response.changed() {
        *draft = Some(text);
    }
    if response.lost_focus() { draft.take().filter(|text| text != present) } else { None }
}

fn toggle(ui: &mut Ui, on: bool, name: &str, about: &str, actions: &mut Vec<Action>, action: fn(bool) -> Action) {
    let mut value = on;
    ui.horizontal(|ui| {
        if ui.checkbox(&mut value, name).changed() {
            actions.push(action(value));
        }
        ui.label(RichText::new(about).small().color(QUIET));
    });
}

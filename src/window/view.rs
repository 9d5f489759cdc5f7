//! What the window shows, and what the user can ask for in it.

use super::setup::{self, setup};
use super::style::{ACCENT, CARD, LINE, QUIET, WARN};
use crate::music::text::counted;
use crate::notation::Notation;
use crate::service::Settings;
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
    /// A folder of them cannot be listed; [`Shown::samples`] says which.
    pub samples_closed: bool,
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
    /// Empty for none.
    SampleFolder(String),
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
    setup: setup::Drafts,
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
            Tab::Setup => setup(ui, shown, &mut drafts.setup, &mut actions),
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

pub(super) fn card(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
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
            let calls = usize::try_from(shown.served).unwrap_or(usize::MAX);
            row(ui, "Answered", &counted(calls, "call"));
            row(ui, "Running in", &shown.instance);
            row(ui, "Tempo", &format!("{:.2} BPM", shown.tempo_bpm));
            let set = [(shown.tracks, "track"), (shown.scenes, "scene"), (shown.clips, "clip")];
            row(ui, "Set", &set.map(|(count, word)| counted(count, word)).join(", "));
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

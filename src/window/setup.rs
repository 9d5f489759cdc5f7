//! The setup tab: the settings, and what the user types into them.

use super::fields::{FieldStyle, NUMBER_FIELD, field};
use super::live_card::draw_live_card;
use super::model::{Action, WindowModel};
use super::style::{QUIET, WARN};
use super::widgets::{GRID_SPACING, NAME_WIDTH, card, host_line};
use crate::notation::Notation;
use crate::service::Settings;
use crate::service::hosts::HostChoice;
use crate::service::settings::{MAX_TIMEOUT_MS, check_folder};
use egui::{Label, RichText, Ui};

/// Texts that were typed and not yet taken, and why the last one was refused.
#[derive(Clone, Debug, Default)]
pub struct SetupDrafts {
    port: Option<String>,
    timeout: Option<String>,
    /// Stays when it is refused: a path is long to type.
    sample_folder: Option<String>,
    live_library: Option<String>,
    refused: Option<String>,
}

/// Whose Set the tools may work on.
const HOSTS: [(HostChoice, &str); 3] =
    [(HostChoice::Auto, "Auto"), (HostChoice::Embedded, "Embedded Set"), (HostChoice::Live, "Ableton Live")];

/// Draws the tab; what the user set is among `actions` then.
pub fn draw_setup(ui: &mut Ui, model: &WindowModel, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    let settings = &model.settings;
    card(ui, |ui| {
        egui::Grid::new("setup").num_columns(2).min_col_width(NAME_WIDTH).spacing(GRID_SPACING).show(ui, |ui| {
            port_row(ui, settings, drafts, actions);
            ui.end_row();
            timeout_row(ui, settings, drafts, actions);
            ui.end_row();
            sample_folder_row(ui, model, drafts, actions);
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

            ui.label(RichText::new("Tools work on").color(QUIET));
            ui.horizontal(|ui| {
                for (choice, name) in HOSTS {
                    if ui.selectable_label(settings.host_choice == choice, name).clicked() {
                        actions.push(Action::HostChoice(choice));
                    }
                }
            });
            ui.end_row();
        });
        host_line(ui, &model.host);
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
            settings.live_api_enabled(),
            "Raw tool",
            "opens svc-live-api to every client",
            actions,
            Action::LiveApi,
        );
        let on = settings.sound == Some(true);
        toggle(ui, on, "Sound", "the Set is heard, not only sent as MIDI", actions, Action::Sound);
        toggle(ui, settings.midi_out, "MIDI out", "its notes leave as MIDI", actions, Action::MidiOut);
        if model.in_plugin_host {
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
    let saved = if model.in_plugin_host { "saved with the project" } else { "saved" };
    match &drafts.refused {
        Some(why) => ui.label(RichText::new(why).color(WARN)),
        None => ui.label(RichText::new(format!("Changes apply at once and are {saved}.")).small().color(QUIET)),
    };
    ui.add_space(4.0);
    draw_live_card(ui, &model.live, &mut drafts.live_library, &mut drafts.refused, actions);
}

fn port_row(ui: &mut Ui, settings: &Settings, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    ui.label(RichText::new("Port").color(QUIET));
    if let Some(text) = field(ui, NUMBER_FIELD, &mut drafts.port, &settings.port.to_string(), &mut drafts.refused) {
        match text.parse::<u16>().ok().filter(|port| *port >= 1024) {
            Some(port) => actions.push(Action::Port(port)),
            None => drafts.refused = Some("A port is a number from 1024 to 65535.".to_owned()),
        }
    }
}

fn timeout_row(ui: &mut Ui, settings: &Settings, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    ui.label(RichText::new("Time-out").color(QUIET));
    ui.horizontal(|ui| {
        let seconds = (f64::from(settings.timeout_ms) / 1000.0).to_string();
        if let Some(text) = field(ui, NUMBER_FIELD, &mut drafts.timeout, &seconds, &mut drafts.refused) {
            let ms = text.parse::<f64>().ok().map(|s| (s * 1000.0).round());
            match ms.filter(|ms| (1.0..=f64::from(MAX_TIMEOUT_MS)).contains(ms)) {
                Some(ms) => actions.push(Action::TimeoutMs(ms as u32)),
                None => drafts.refused = Some("A time-out is a number of seconds up to 55.".to_owned()),
            }
        }
        ui.label(RichText::new("seconds a call may take").small().color(QUIET));
    });
}

/// The folder that `svc-library` searches. Below it, what the last look at the disk found there.
fn sample_folder_row(ui: &mut Ui, model: &WindowModel, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    let present = model.settings.sample_folder();
    // Not while another one is being typed, which it does not speak of.
    let settled = !present.is_empty() && drafts.sample_folder.is_none();
    let samples = model.samples.as_ref().filter(|_| settled);
    ui.vertical(|ui| {
        ui.horizontal(|ui| ui.label(RichText::new("Sample folder").color(QUIET)));
        if samples.is_some() {
            // Cells of one height begin at one height, so that the name stands beside its field.
            ui.label(RichText::new("").small());
        }
    });
    ui.vertical(|ui| {
        let path = FieldStyle { width: f32::INFINITY, hint: "none; the absolute path of a folder" };
        if let Some(text) = field(ui, path, &mut drafts.sample_folder, present, &mut drafts.refused) {
            match check_folder(text.trim().to_owned()) {
                Ok(folder) => actions.push(Action::SampleFolder(folder)),
                Err(why) => {
                    drafts.refused = Some(format!("The sample folder {why}."));
                    drafts.sample_folder = Some(text);
                }
            }
        }
        if let Some(samples) = samples {
            let color = if model.samples_closed { WARN } else { QUIET };
            ui.add(Label::new(RichText::new(samples).small().color(color)).truncate());
        }
    });
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

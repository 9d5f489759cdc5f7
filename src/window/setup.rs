//! The setup tab: every setting with what it does, the files that hold Sets, the script for Live.

use super::fields::{FieldStyle, NUMBER_FIELD, field};
use super::file_card::draw_file_card;
use super::live_card::draw_live_card;
use super::model::{Action, ServerLine, WindowModel};
use super::style::{QUIET, WARN};
use super::toolset::draw_toolset;
use super::widgets::{about, card, heading, in_the_middle, toggle_button};
use crate::notation::Notation;
use crate::service::LIVE_API_TOOL;
use crate::service::Settings;
use crate::service::hosts::HostChoice;
use crate::service::settings::{MAX_FOLDERS, MAX_TIMEOUT_MS, check_folder};
use egui::{Align, Id, Label, Layout, RichText, ScrollArea, TextEdit, Ui, Vec2};

/// Texts that were typed and not yet taken, and why the last one was refused.
#[derive(Clone, Debug, Default)]
pub struct SetupDrafts {
    port: Option<String>,
    timeout: Option<String>,
    /// Stays when it is refused: a path is long to type.
    sample_folder: Option<String>,
    allowed_folders: Option<String>,
    live_library: Option<String>,
    refused: Option<String>,
}

/// Whose Set the tools may work on.
const HOSTS: [(HostChoice, &str); 3] =
    [(HostChoice::Auto, "Auto"), (HostChoice::Embedded, "Embedded Set"), (HostChoice::Live, "Ableton Live")];

/// From this width on there are two columns of cards.
const TWO_COLUMNS: f32 = 880.0;
const NAMES: f32 = 116.0;
const MOST_WIDTH: f32 = 1_200.0;

/// Draws the tab; what the user set is among `actions` then.
pub fn draw_setup(ui: &mut Ui, model: &WindowModel, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    ScrollArea::vertical().id_salt("settings").auto_shrink(false).show(ui, |ui| {
        in_the_middle(ui, MOST_WIDTH, |ui| {
            match &drafts.refused {
                Some(why) => ui.add(Label::new(RichText::new(why).color(WARN)).wrap()),
                None => {
                    let saved = if model.in_plugin_host { "saved with the project" } else { "saved" };
                    let text = format!("Changes apply at once and are {saved}. SVC Device {}.", crate::VERSION);
                    ui.add(Label::new(RichText::new(text).small().color(QUIET)).wrap())
                }
            };
            if ui.available_width() >= TWO_COLUMNS {
                ui.columns(2, |columns| {
                    if let [left, right] = columns {
                        draw_left(left, model, drafts, actions);
                        draw_right(right, model, drafts, actions);
                    }
                });
            } else {
                draw_left(ui, model, drafts, actions);
                draw_right(ui, model, drafts, actions);
            }
            card(ui, |ui| {
                draw_toolset(ui, &model.settings, LIVE_API_TOOL, actions);
                let is_on = model.settings.live_api_enabled();
                let what = "svc-live-api: every property and function of the object model, without a net. For \
                            debugging.";
                toggle(ui, is_on, ("Raw tool", what), actions, Action::LiveApi);
            });
        });
    });
}

fn draw_left(ui: &mut Ui, model: &WindowModel, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    let settings = &*model.settings;
    card(ui, |ui| {
        heading(ui, "Server");
        port_row(ui, model, drafts, actions);
        timeout_row(ui, settings, drafts, actions);
        row(ui, "Tools work on", |ui, _| {
            for (choice, name) in HOSTS {
                if toggle_button(ui, name, settings.host_choice == choice).clicked() {
                    actions.push(Action::HostChoice(choice));
                }
            }
        });
        about(ui, &model.host.text);
    });
    card(ui, |ui| {
        heading(ui, "Files");
        sample_folder_row(ui, model, drafts, actions);
        allowed_folders_row(ui, settings, drafts, actions);
    });
    draw_file_card(ui, &model.file, model.host.is_live, actions);
}

fn draw_right(ui: &mut Ui, model: &WindowModel, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    let settings = &*model.settings;
    card(ui, |ui| {
        heading(ui, "How it speaks");
        row(ui, "Notation", |ui, _| {
            for notation in Notation::ALL {
                if toggle_button(ui, notation.name(), settings.notation == notation).clicked() {
                    actions.push(Action::Notation(notation));
                }
            }
        });
        about(ui, "How notes are written in calls and answers.");
        let what = "Shorter texts and fewer arguments, for local models.";
        toggle(ui, settings.small_model_mode, ("Small-model mode", what), actions, Action::SmallModelMode);
        let what = "Assistants get plain JSON instead of the compact form. Scripts over HTTP choose by themselves.";
        toggle(ui, settings.json_output, ("JSON output", what), actions, Action::JsonOutput);
    });
    card(ui, |ui| {
        heading(ui, "Sound and clock");
        let on = settings.sound == Some(true);
        toggle(ui, on, ("Sound", "Plays the Set, beside sending its notes as MIDI."), actions, Action::Sound);
        let color = if model.sound.is_unheard { WARN } else { QUIET };
        ui.add_space(-4.0);
        ui.add(Label::new(RichText::new(&model.sound.text).small().color(color)).wrap());
        let what = "Its notes leave as MIDI, each track on a channel of its own.";
        toggle(ui, settings.midi_out, ("MIDI out", what), actions, Action::MidiOut);
        if model.in_plugin_host {
            let what = "Plays without the DAW's transport.";
            toggle(ui, settings.own_clock, ("Own clock", what), actions, Action::OwnClock);
        }
    });
    draw_live_card(ui, &model.live, &mut drafts.live_library, &mut drafts.refused, actions);
}

/// A name and what is set by it, side by side; `add` is given the name's id.
fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui, Id)) {
    ui.horizontal(|ui| {
        let size = Vec2::new(NAMES, 28.0);
        let name = ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(size);
            ui.label(name).id
        });
        add(ui, name.inner);
    });
}

fn port_row(ui: &mut Ui, model: &WindowModel, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    let port = model.settings.port.to_string();
    row(ui, "Port", |ui, name| {
        if let Some(text) = field(ui, NUMBER_FIELD, &mut drafts.port, &port, &mut drafts.refused, name) {
            match text.parse::<u16>().ok().filter(|port| *port >= 1024) {
                Some(port) => actions.push(Action::Port(port)),
                None => drafts.refused = Some("A port is a number from 1024 to 65535.".to_owned()),
            }
        }
    });
    match &model.server {
        ServerLine::Listening { address } if !address.ends_with(&format!(":{port}")) => {
            about(ui, &format!("Listens at {address}; the port set here is taken from the next start on."));
        }
        _ => about(ui, "Where scripts and assistants find the device."),
    }
}

fn timeout_row(ui: &mut Ui, settings: &Settings, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    let seconds = (f64::from(settings.timeout_ms) / 1000.0).to_string();
    row(ui, "Time-out", |ui, name| {
        if let Some(text) = field(ui, NUMBER_FIELD, &mut drafts.timeout, &seconds, &mut drafts.refused, name) {
            let ms = text.parse::<f64>().ok().map(|s| (s * 1000.0).round());
            match ms.filter(|ms| (1.0..=f64::from(MAX_TIMEOUT_MS)).contains(ms)) {
                Some(ms) => actions.push(Action::TimeoutMs(ms as u32)),
                None => drafts.refused = Some("A time-out is a number of seconds up to 55.".to_owned()),
            }
        }
    });
    about(ui, "Seconds that a call may take, up to 55.");
}

/// The folder that `svc-library` searches. Below it, what the last look at the disk found there.
fn sample_folder_row(ui: &mut Ui, model: &WindowModel, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    let present = model.settings.sample_folder();
    // Not while another one is being typed, which it does not speak of.
    let settled = !present.is_empty() && drafts.sample_folder.is_none();
    row(ui, "Sample folder", |ui, name| {
        let path = FieldStyle { width: f32::INFINITY, hint: "none; the absolute path of a folder" };
        if let Some(text) = field(ui, path, &mut drafts.sample_folder, present, &mut drafts.refused, name) {
            match check_folder(text.trim().to_owned()) {
                Ok(folder) => actions.push(Action::SampleFolder(folder)),
                Err(why) => {
                    drafts.refused = Some(format!("The sample folder {why}."));
                    drafts.sample_folder = Some(text);
                }
            }
        }
    });
    match model.samples.as_ref().filter(|_| settled) {
        Some(samples) => {
            let color = if model.samples_closed { WARN } else { QUIET };
            ui.add(Label::new(RichText::new(samples).small().color(color)).truncate());
        }
        None => about(ui, "The folder that svc-library searches."),
    }
}

/// One folder a line.
fn allowed_folders_row(ui: &mut Ui, settings: &Settings, drafts: &mut SetupDrafts, actions: &mut Vec<Action>) {
    let present = settings.allowed_folders().join("\n");
    let name = ui.label("Allowed folders");
    let mut text = drafts.allowed_folders.clone().unwrap_or_else(|| present.clone());
    let edit = TextEdit::multiline(&mut text).desired_width(f32::INFINITY).desired_rows(2).hint_text("none");
    let response = ui.add(edit).labelled_by(name.id);
    if response.changed() {
        drafts.allowed_folders = Some(text.clone());
        drafts.refused = None;
    }
    if response.lost_focus()
        && let Some(text) = drafts.allowed_folders.take().filter(|text| *text != present)
    {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let folders: Result<Vec<String>, &str> = lines.map(|line| check_folder(line.to_owned())).collect();
        match folders {
            Ok(folders) if folders.len() <= MAX_FOLDERS => actions.push(Action::AllowedFolders(folders)),
            Ok(_) => drafts.refused = Some(format!("There are at most {MAX_FOLDERS} allowed folders.")),
            Err(why) => drafts.refused = Some(format!("An allowed folder {why}.")),
        }
        if drafts.refused.is_some() {
            drafts.allowed_folders = Some(text);
        }
    }
    about(ui, "Where tools may read and write files, a folder a line. The sample folder counts by itself.");
}

/// A setting that is on or off, with what it does.
fn toggle(ui: &mut Ui, on: bool, (name, what): (&str, &str), actions: &mut Vec<Action>, action: fn(bool) -> Action) {
    let mut value = on;
    if ui.checkbox(&mut value, name).changed() {
        actions.push(action(value));
    }
    about(ui, what);
}

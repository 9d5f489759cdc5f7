//! The card that opens and saves Sets in files.

use super::model::Action;
use super::style::{QUIET, WARN};
use super::widgets::{card, heading};
use crate::device::file_desk::{FileTask, FileTaskView};
use egui::{Label, RichText, Ui};

const BUTTONS: [(FileTask, &str, &str); 4] = [
    (FileTask::Open, "Open…", "Puts a Set in place of this one: .als of Ableton Live, .svcset. Undo takes it back"),
    (FileTask::Import, "Import…", "Adds the tracks of a Set behind those that are there"),
    (FileTask::Save, "Save as…", "Writes this Set to a .svcset file"),
    (FileTask::Export, "Export…", "Writes this Set with a copy of its samples beside it"),
];

/// Draws the card; what the user asked for is among `actions` then.
pub fn draw_file_card(ui: &mut Ui, file: &FileTaskView, is_live: bool, actions: &mut Vec<Action>) {
    if is_live {
        // Live opens and saves its own Sets.
        return;
    }
    card(ui, |ui| {
        heading(ui, "Sets in files");
        ui.add_enabled_ui(!file.at_work, |ui| {
            ui.horizontal(|ui| {
                for (task, name, what) in BUTTONS {
                    if ui.button(name).on_hover_text(what).clicked() {
                        actions.push(Action::File(task));
                    }
                }
            });
        });
        let told = if file.at_work { "Waiting for the file…" } else { &file.told };
        if !told.is_empty() {
            let color = if file.is_refusal { WARN } else { QUIET };
            ui.add(Label::new(RichText::new(told).small().color(color)).wrap());
        }
    });
}

//! Draws the window: its header, what needs the user's attention, and one of its two tabs.

use super::file_card::draw_file_card;
use super::model::{Action, ServerLine, WindowModel};
use super::setup::{SetupDrafts, draw_setup};
use super::style::{ACCENT, QUIET, WARN};
use super::widgets::{card, host_line, meter_row, row, status_dot};
use crate::music::text::counted;
use crate::service::hosts::HostChoice;
use egui::{Align, Frame, Label, Layout, Margin, RichText, ScrollArea, Ui};

/// What the user is in the middle of: the open tab, and texts that were typed and not taken.
#[derive(Clone, Debug, Default)]
pub struct WindowDrafts {
    tab: Tab,
    setup: SetupDrafts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Tab {
    #[default]
    Status,
    Setup,
}

/// Draws the window and gives what the user asked for in this frame.
pub fn draw(ui: &mut Ui, model: &WindowModel, drafts: &mut WindowDrafts) -> Vec<Action> {
    let mut actions = Vec::new();
    let frame = Frame::new().fill(super::style::GROUND).inner_margin(Margin::same(18));
    egui::CentralPanel::default().frame(frame).show(ui, |ui| {
        draw_header(ui, drafts, &mut actions);
        ui.add_space(6.0);
        if let Some(why) = &model.save_failure {
            card(ui, |ui| {
                ui.label(RichText::new("Not saved").strong().color(WARN));
                ui.add(Label::new(why).wrap());
            });
        }
        if let Some(why) = &model.unreadable {
            unreadable_card(ui, why, &mut actions);
        }
        if let Some(changes) = model.newer_changes {
            recovery_card(ui, changes, &mut actions);
        }
        if let Some(request) = &model.permission_request {
            permission_card(ui, request, &mut actions);
        }
        // What needs attention may leave too little room below it.
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| match drafts.tab {
            Tab::Status => draw_status(ui, model, &mut actions),
            Tab::Setup => draw_setup(ui, model, &mut drafts.setup, &mut actions),
        });
    });
    actions
}

fn draw_header(ui: &mut Ui, drafts: &mut WindowDrafts, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("SVC Device").heading().strong());
        ui.label(RichText::new(crate::VERSION).small().color(QUIET));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (tab, name) in [(Tab::Setup, "Setup"), (Tab::Status, "Status")] {
                if ui.selectable_label(drafts.tab == tab, name).clicked() {
                    drafts.tab = tab;
                    actions.extend((tab == Tab::Setup).then_some(Action::LookAtLiveScript));
                }
            }
        });
    });
}

fn unreadable_card(ui: &mut Ui, why: &str, actions: &mut Vec<Action>) {
    card(ui, |ui| {
        ui.label(RichText::new("The saved Set could not be read").strong().color(WARN));
        ui.add(Label::new(why).wrap());
        if ui.button("Start fresh").on_hover_text("Drops the saved Set and takes writes again").clicked() {
            actions.push(Action::StartFresh);
        }
    });
}

fn recovery_card(ui: &mut Ui, changes: u64, actions: &mut Vec<Action>) {
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

fn permission_card(ui: &mut Ui, request: &str, actions: &mut Vec<Action>) {
    card(ui, |ui| {
        ui.label(RichText::new("This project asks for permission").strong().color(WARN));
        ui.add(Label::new(request).wrap());
        ui.horizontal(|ui| {
            if ui.button("Allow").on_hover_text("For this project, now and when it is opened again").clicked() {
                actions.push(Action::Permit(true));
            }
            if ui.button("Refuse").on_hover_text("Takes it out of the project's settings").clicked() {
                actions.push(Action::Permit(false));
            }
        });
    });
}

fn draw_status(ui: &mut Ui, model: &WindowModel, actions: &mut Vec<Action>) {
    card(ui, |ui| match &model.server {
        ServerLine::Listening { address } => {
            status_dot(ui, ACCENT, "Listening");
            ui.horizontal(|ui| {
                ui.label(RichText::new(address).monospace().size(17.0));
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    if ui.button("Copy").on_hover_text("Copy the address").clicked() {
                        actions.push(Action::CopyAddress(address.clone()));
                    }
                });
            });
        }
        ServerLine::Waiting { why } => {
            status_dot(ui, WARN, "Not reachable");
            ui.add(Label::new(why).wrap());
            ui.label(RichText::new("Another port can be set in Setup.").small().color(QUIET));
        }
        ServerLine::Off => {
            status_dot(ui, QUIET, "Off");
            ui.label("Starts when the host activates the plugin.");
        }
    });
    card(ui, |ui| {
        egui::Grid::new("facts").num_columns(2).spacing([24.0, 8.0]).show(ui, |ui| {
            let calls = usize::try_from(model.calls_answered).unwrap_or(usize::MAX);
            row(ui, "Answered", &counted(calls, "call"));
            row(ui, "Running in", &model.instance);
            // The device's own Set stands still meanwhile, and says nothing of Live's.
            if !model.host.is_live {
                row(ui, "Tempo", &format!("{:.2} BPM", model.tempo_bpm));
                let set = [(model.tracks, "track"), (model.scenes, "scene"), (model.clips, "clip")];
                row(ui, "Set", &set.map(|(count, word)| counted(count, word)).join(", "));
            }
            if let Some(level) = model.level {
                meter_row(ui, level);
            }
            if let Some(samples) = &model.samples {
                row(ui, "Samples", samples);
            }
        });
        if model.settings.host_choice != HostChoice::Embedded || model.host.is_live {
            host_line(ui, &model.host);
        }
    });
    if !model.host.is_live {
        draw_file_card(ui, &model.file, actions);
    }
    ui.add(
        Label::new(
            RichText::new("Scripts list the tools at /api/tools and call them at /api/tools/{name}.")
                .small()
                .color(QUIET),
        )
        .wrap(),
    );
}

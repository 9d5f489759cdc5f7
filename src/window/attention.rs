//! What needs the user's attention, above the tabs' contents.

use super::model::{Action, ServerLine, WindowModel};
use super::style::{QUIET, WARN};
use super::widgets::card;
use egui::{Label, RichText, Ui};

/// Whether there is any of it.
pub fn is_needed(model: &WindowModel) -> bool {
    model.save_failure.is_some()
        || model.unreadable.is_some()
        || model.newer_changes.is_some()
        || model.permission_request.is_some()
        || model.host.needs_attention
        || matches!(model.server, ServerLine::Waiting { .. })
}

/// Draws it; what the user asked for is among `actions` then.
pub fn draw_attention(ui: &mut Ui, model: &WindowModel, actions: &mut Vec<Action>) {
    if let ServerLine::Waiting { why } = &model.server {
        card(ui, |ui| {
            title(ui, "Not reachable");
            ui.add(Label::new(why).wrap());
            ui.label(RichText::new("Another port can be set in Setup.").small().color(QUIET));
        });
    }
    if model.host.needs_attention {
        card(ui, |ui| {
            ui.add(Label::new(RichText::new(&model.host.text).color(WARN)).wrap());
        });
    }
    if let Some(why) = &model.save_failure {
        card(ui, |ui| {
            title(ui, "Not saved");
            ui.add(Label::new(why).wrap());
        });
    }
    if let Some(why) = &model.unreadable {
        card(ui, |ui| {
            title(ui, "The saved Set could not be read");
            ui.add(Label::new(why).wrap());
            let buttons = [("Start fresh", "Drops the saved Set and takes writes again", Action::StartFresh)];
            answers(ui, buttons, actions);
        });
    }
    if let Some(changes) = model.newer_changes {
        card(ui, |ui| {
            let count = if changes == 1 { "1 change".to_owned() } else { format!("{changes} changes") };
            title(ui, &format!("{count} newer than this project"));
            ui.label("The Set was changed after the project was last saved.");
            let restore = ("Restore", "Puts the newer Set in place", Action::Recover(true));
            let dismiss = ("Dismiss", "Keeps the project's Set and forgets the changes", Action::Recover(false));
            answers(ui, [restore, dismiss], actions);
        });
    }
    if let Some(request) = &model.permission_request {
        card(ui, |ui| {
            title(ui, "This project asks for permission");
            ui.add(Label::new(request).wrap());
            let allow = ("Allow", "For this project, now and when it is opened again", Action::Permit(true));
            let refuse = ("Refuse", "Takes it out of the project's settings", Action::Permit(false));
            answers(ui, [allow, refuse], actions);
        });
    }
}

fn title(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).strong().color(WARN));
}

fn answers<const COUNT: usize>(ui: &mut Ui, buttons: [(&str, &str, Action); COUNT], actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        for (name, what, action) in buttons {
            if ui.button(name).on_hover_text(what).clicked() {
                actions.push(action);
            }
        }
    });
}

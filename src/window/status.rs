//! The line below everything: the last call or, until it is dismissed, what could not be done, and how large everything
//! is. Nothing else moves for either.

use super::kept_part::OneOf;
use super::model::Action;
use super::shown::{Shown, ShownCall};
use super::style::{QUIET, TEXT, WARN};
use super::tab::Tab;
use egui::{Align, Button, Label, Layout, RichText, Sense, Ui};

/// Sizes of everything that can be chosen, in percent.
pub const SCALES: std::ops::RangeInclusive<i32> = 100..=200;
const SCALE_STEP: i32 = 25;

/// All that it shows.
#[derive(Clone, PartialEq)]
pub struct StatusKey {
    message: Option<String>,
    last_call: Option<OneOf<ShownCall>>,
    are_calls_read: bool,
}

impl StatusKey {
    pub fn of(shown: &Shown) -> StatusKey {
        StatusKey {
            message: shown.message.clone(),
            last_call: shown.told_calls().next().map(OneOf::of),
            are_calls_read: shown.are_calls_read,
        }
    }
}

/// Draws it; what the user asked for is among `actions` then.
pub fn draw_status(ui: &mut Ui, shown: &Shown, tab: &mut Tab, actions: &mut Vec<Action>) {
    ui.horizontal_centered(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let now = (ui.ctx().zoom_factor() * 100.0).round() as i32;
            let next = if now >= *SCALES.end() { *SCALES.start() } else { now + SCALE_STEP };
            let tip = "How large everything is: + and -, Ctrl+0";
            let button = Button::new(RichText::new(format!("{now} %")).color(QUIET)).frame(false);
            if ui.add(button).on_hover_text(tip).clicked() {
                actions.push(Action::Scale(next as f32 / 100.0));
            }
            if let Some(message) = &shown.message {
                draw_message(ui, message, actions);
                return;
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| draw_last_call(ui, shown, tab, actions));
        });
    });
}

/// From right to left.
fn draw_message(ui: &mut Ui, message: &str, actions: &mut Vec<Action>) {
    // Lower than a button is elsewhere, as the line is.
    ui.spacing_mut().button_padding.y = 2.0;
    ui.spacing_mut().interact_size.y = 22.0;
    if ui.button("Dismiss").clicked() {
        actions.push(Action::DismissMessage);
    }
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.add(Label::new(RichText::new(message).color(WARN)).truncate()).on_hover_text(message);
    });
}

fn draw_last_call(ui: &mut Ui, shown: &Shown, tab: &mut Tab, actions: &mut Vec<Action>) {
    let Some(call) = shown.told_calls().next() else {
        if shown.are_calls_read {
            ui.label(RichText::new("No call yet. What scripts and agents do appears here.").color(QUIET));
        }
        return;
    };
    ui.label(RichText::new(&call.time).color(QUIET));
    ui.label(RichText::new(&call.client).strong());
    ui.label(RichText::new(&call.tool).color(QUIET));
    if !call.remarks.is_empty() {
        ui.label(RichText::new(call.remark_word()).color(WARN)).on_hover_text(call.remarks.join("\n"));
    }
    let color = if call.has_failed { WARN } else { TEXT };
    let line = Label::new(RichText::new(&call.line).color(color)).truncate().sense(Sense::click());
    if ui.add(line).clicked() {
        *tab = Tab::Activity;
        actions.push(Action::Open(Tab::Activity));
    }
}

//! Pieces that both tabs are made of.

use super::model::HostLine;
use super::style::{ACCENT, CARD, LINE, QUIET, WARN};
use egui::{Frame, Label, Margin, RichText, Stroke, Ui};

/// Between the cells of a grid of names and fields.
pub const GRID_SPACING: [f32; 2] = [24.0, 10.0];

/// The narrowest that names are, so that the fields of all cards stand below each other.
pub const NAME_WIDTH: f32 = 88.0;

/// A framed part of the window, as wide as it is.
pub fn card(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let frame = Frame::new().fill(CARD).stroke(Stroke::new(1.0, LINE)).corner_radius(8).inner_margin(Margin::same(14));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
    ui.add_space(4.0);
}

/// A coloured dot and a word.
pub fn status_dot(ui: &mut Ui, color: egui::Color32, text: &str) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(10.0, 10.0), egui::Sense::hover());
        ui.painter().circle_filled(rect.center(), 5.0, color);
        ui.label(RichText::new(text).strong());
    });
}

/// A name and its value, as one row of a grid.
pub fn row(ui: &mut Ui, name: &str, value: &str) {
    ui.label(RichText::new(name).color(QUIET));
    ui.add(Label::new(value).truncate());
    ui.end_row();
}

/// Levels below this are drawn as nothing.
const METER_BOTTOM_DB: f32 = -60.0;

/// The level of left and right as two bars, and the louder in decibels, as one row of a grid.
pub fn meter_row(ui: &mut Ui, (left, right): (f32, f32)) {
    let decibels = |level: f32| 20.0 * level.log10();
    ui.label(RichText::new("Sound").color(QUIET));
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(egui::vec2(160.0, 13.0), egui::Sense::hover());
        for (level, top) in [(left, rect.top()), (right, rect.top() + 7.0)] {
            let part = (1.0 - decibels(level) / METER_BOTTOM_DB).clamp(0.0, 1.0);
            let bar = |width| egui::Rect::from_min_size(egui::pos2(rect.left(), top), egui::vec2(width, 6.0));
            ui.painter().rect_filled(bar(rect.width()), 1.0, LINE);
            ui.painter().rect_filled(bar(rect.width() * part), 1.0, if level >= 1.0 { WARN } else { ACCENT });
        }
        let loudest = decibels(left.max(right));
        let text = if loudest > METER_BOTTOM_DB { format!("{loudest:.1} dB") } else { "silent".to_owned() };
        ui.label(RichText::new(text).small().color(QUIET));
    });
    ui.end_row();
}

/// Whose Set the tools work on, and how it stands with the link.
pub fn host_line(ui: &mut Ui, host: &HostLine) {
    let color = if host.needs_attention { WARN } else { QUIET };
    ui.add(Label::new(RichText::new(&host.text).small().color(color)).wrap());
}

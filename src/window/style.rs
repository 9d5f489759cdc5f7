//! How the window looks: dark and quiet, one accent, numbers in a fixed width.

use egui::{Color32, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Visuals};

pub const GROUND: Color32 = Color32::from_rgb(0x16, 0x18, 0x1D);
pub const CARD: Color32 = Color32::from_rgb(0x20, 0x23, 0x2A);
pub const LINE: Color32 = Color32::from_rgb(0x34, 0x39, 0x44);
pub const TEXT: Color32 = Color32::from_rgb(0xE8, 0xEA, 0xEF);
pub const QUIET: Color32 = Color32::from_rgb(0x9D, 0xA5, 0xB4);
pub const ACCENT: Color32 = Color32::from_rgb(0x4F, 0xC3, 0xA1);
pub const WARN: Color32 = Color32::from_rgb(0xF2, 0xB1, 0x4C);

/// Sets fonts and colours; once, before the first frame.
pub fn prepare(ctx: &egui::Context) {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = GROUND;
    visuals.window_fill = GROUND;
    visuals.extreme_bg_color = Color32::from_rgb(0x10, 0x12, 0x16);
    visuals.override_text_color = Some(TEXT);
    visuals.selection.bg_fill = ACCENT.gamma_multiply(0.45);
    visuals.selection.stroke = Stroke::new(1.0, TEXT);
    visuals.widgets.inactive.bg_fill = LINE;
    visuals.widgets.inactive.weak_bg_fill = Color32::from_rgb(0x2B, 0x2F, 0x38);
    visuals.widgets.hovered.weak_bg_fill = Color32::from_rgb(0x38, 0x3E, 0x4A);
    visuals.widgets.active.weak_bg_fill = ACCENT.gamma_multiply(0.5);
    for widget in [&mut visuals.widgets.inactive, &mut visuals.widgets.hovered, &mut visuals.widgets.active] {
        widget.corner_radius = CornerRadius::same(5);
        widget.bg_stroke = Stroke::NONE;
        widget.expansion = 0.0;
    }
    ctx.set_visuals(visuals);
    ctx.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(8.0, 8.0);
        style.spacing.button_padding = egui::vec2(10.0, 5.0);
        style.spacing.interact_size.y = 26.0;
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles.insert(TextStyle::Body, font(14.0));
        style.text_styles.insert(TextStyle::Button, font(14.0));
        style.text_styles.insert(TextStyle::Heading, font(18.0));
        style.text_styles.insert(TextStyle::Small, font(12.0));
        style.text_styles.insert(TextStyle::Monospace, FontId::new(14.0, FontFamily::Monospace));
    });
}

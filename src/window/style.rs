//! How the window looks: dark and quiet, one accent, one scale of type (12, 14, 16, 20), a grid of 4 points. The page
//! of the device has the same colours. Text stands out from what is behind it by 4.5 to 1 or more.

use egui::{Color32, CornerRadius, FontFamily, FontId, Stroke, TextStyle, Visuals};

pub const GROUND: Color32 = Color32::from_rgb(0x16, 0x18, 0x1D);
pub const CARD: Color32 = Color32::from_rgb(0x20, 0x23, 0x2A);
pub const RAISED: Color32 = Color32::from_rgb(0x2B, 0x2F, 0x38);
/// What lies deeper than the ground: tracks of faders, launch buttons.
pub const WELL: Color32 = Color32::from_rgb(0x0E, 0x10, 0x14);
/// Slots without a clip.
pub const SLOT: Color32 = Color32::from_rgb(0x1C, 0x1F, 0x25);
pub const LINE: Color32 = Color32::from_rgb(0x3A, 0x40, 0x4C);
pub const TEXT: Color32 = Color32::from_rgb(0xE8, 0xEA, 0xEF);
pub const QUIET: Color32 = Color32::from_rgb(0xA3, 0xAB, 0xBA);
pub const ACCENT: Color32 = Color32::from_rgb(0x4F, 0xC3, 0xA1);
pub const ON_ACCENT: Color32 = Color32::from_rgb(0x06, 0x11, 0x0D);
pub const PLAY: Color32 = Color32::from_rgb(0x5B, 0xE0, 0x8B);
pub const SOLO: Color32 = Color32::from_rgb(0x7F, 0xB8, 0xFF);
pub const MUTE: Color32 = Color32::from_rgb(0xF2, 0xB1, 0x4C);
pub const ARM: Color32 = Color32::from_rgb(0xFF, 0x7A, 0x7A);
pub const WARN: Color32 = MUTE;

/// Corners of buttons and fields.
pub const ROUND: u8 = 5;
/// Corners of clips.
pub const CLIP_ROUND: u8 = 4;

pub const SMALL: f32 = 12.0;
pub const NORMAL: f32 = 14.0;
pub const LARGE: f32 = 16.0;
pub const HUGE: f32 = 20.0;

pub fn font(size: f32) -> FontId {
    FontId::new(size, FontFamily::Proportional)
}

/// Black or white, whichever stands out more: at least 4.5 to 1 on any colour.
pub fn text_on(color: Color32) -> Color32 {
    let value = luminance(color);
    if (value + 0.05) / 0.05 >= 1.05 / (value + 0.05) { Color32::BLACK } else { Color32::WHITE }
}

fn luminance(color: Color32) -> f32 {
    let linear = |channel: u8| {
        let value = f32::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}

/// Sets fonts and colours.
pub fn prepare(ctx: &egui::Context) {
    let mut visuals = Visuals::dark();
    visuals.panel_fill = GROUND;
    visuals.window_fill = CARD;
    visuals.extreme_bg_color = GROUND;
    visuals.override_text_color = Some(TEXT);
    visuals.selection.bg_fill = ACCENT.gamma_multiply(0.45);
    // Around what has the keyboard, too.
    visuals.selection.stroke = Stroke::new(2.0, ACCENT);
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, LINE);
    visuals.widgets.inactive.bg_fill = RAISED;
    visuals.widgets.inactive.weak_bg_fill = RAISED;
    visuals.widgets.hovered.weak_bg_fill = LINE;
    visuals.widgets.active.weak_bg_fill = LINE;
    for widget in [&mut visuals.widgets.inactive, &mut visuals.widgets.hovered, &mut visuals.widgets.active] {
        widget.corner_radius = CornerRadius::same(ROUND);
        widget.bg_stroke = Stroke::NONE;
        widget.expansion = 0.0;
    }
    // Edges of fields and boxes.
    visuals.widgets.inactive.bg_stroke = Stroke::new(1.0, LINE);
    // What has the keyboard shows it.
    visuals.widgets.active.bg_stroke = Stroke::new(2.0, ACCENT);
    ctx.set_visuals(visuals);
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
    ctx.all_styles_mut(|style| {
        style.animation_time = 0.0;
        style.spacing.item_spacing = egui::vec2(8.0, 8.0);
        style.spacing.button_padding = egui::vec2(10.0, 4.0);
        style.spacing.interact_size.y = 28.0;
        style.spacing.scroll = egui::style::ScrollStyle::solid();
        style.text_styles.insert(TextStyle::Body, font(NORMAL));
        style.text_styles.insert(TextStyle::Button, font(NORMAL));
        style.text_styles.insert(TextStyle::Heading, font(LARGE));
        style.text_styles.insert(TextStyle::Small, font(SMALL));
        style.text_styles.insert(TextStyle::Monospace, FontId::new(SMALL, FontFamily::Monospace));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contrast(a: Color32, b: Color32) -> f32 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_stands_out() {
        for ground in [GROUND, CARD, RAISED, WELL, SLOT] {
            for text in [TEXT, QUIET, ACCENT, WARN, PLAY] {
                assert!(contrast(text, ground) >= 4.5, "{text:?} on {ground:?}: {}", contrast(text, ground));
            }
        }
        for (text, ground) in [(ON_ACCENT, ACCENT), (GROUND, SOLO), (GROUND, MUTE), (GROUND, ARM)] {
            assert!(contrast(text, ground) >= 4.5, "{text:?} on {ground:?}: {}", contrast(text, ground));
        }
        for index in 0..70 {
            let rgb = crate::object_model::palette::rgb(index);
            let channel = |shift: i64| u8::try_from(rgb >> shift & 0xFF).unwrap_or_default();
            let color = Color32::from_rgb(channel(16), channel(8), channel(0));
            assert!(contrast(text_on(color), color) >= 4.5, "palette {index}");
        }
    }
}

//! Pieces that the tabs are made of.

use super::input_gate::gained_keyboard;
use super::style::{ACCENT, CARD, GROUND, LINE, NORMAL, ON_ACCENT, QUIET, RAISED, ROUND, TEXT, font};
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{
    Align2, Color32, Frame, Galley, Id, Label, Margin, Painter, Pos2, Rangef, Rect, Response, RichText, Role, Sense,
    Stroke, StrokeKind, Tooltip, Ui, UiBuilder, Vec2, WidgetInfo,
};
use std::sync::Arc;

/// Across a lamp.
const LAMP: f32 = 8.0;
/// Of the line where it plays.
const PLAYHEAD: f32 = 2.0;

/// A framed part of the window, as wide as there is room.
pub fn card(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let frame = Frame::new().fill(CARD).stroke(Stroke::new(1.0, LINE)).corner_radius(8).inner_margin(Margin::same(16));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        add(ui);
    });
    ui.add_space(8.0);
}

/// A card's name.
pub fn heading(ui: &mut Ui, text: &str) {
    ui.label(RichText::new(text).heading().strong());
}

/// A sentence about what stands above it.
pub fn about(ui: &mut Ui, text: &str) {
    // Nearer to what it is about than to what follows.
    ui.add_space(-4.0);
    ui.add(Label::new(RichText::new(text).small().color(QUIET)).wrap());
}

/// A sentence in place of a tab.
pub fn in_place_of_tab(ui: &mut Ui, text: &str) {
    Frame::new().inner_margin(Margin::same(16)).show(ui, |ui| ui.label(RichText::new(text).color(QUIET)));
}

/// Draws what is read, no wider than lines of it are well read, in the middle of a wide window.
pub fn in_the_middle(ui: &mut Ui, most: f32, add: impl FnOnce(&mut Ui)) {
    const MARGIN: f32 = 16.0;
    let room = ui.available_rect_before_wrap();
    let place = room.shrink2(Vec2::new(((room.width() - most) / 2.0).max(MARGIN), MARGIN));
    ui.scope_builder(UiBuilder::new().max_rect(place), add);
    ui.add_space(MARGIN);
}

/// A coloured dot.
pub fn dot(ui: &mut Ui, color: Color32) {
    let (rect, _) = ui.allocate_exact_size(Vec2::splat(8.0), Sense::hover());
    ui.painter().circle_filled(rect.center(), 4.0, color);
}

/// A coloured dot and a word.
pub fn status_dot(ui: &mut Ui, color: Color32, text: &str) {
    ui.horizontal(|ui| {
        dot(ui, color);
        ui.label(RichText::new(text).strong());
    });
}

/// One line of text in a place, cut with an ellipsis where it is longer; gives whether it was.
pub fn text_in(painter: &Painter, place: Rect, text: &str, (size, color): (f32, Color32), align: Align2) -> bool {
    let galley = line_of(painter, place.width().max(1.0), text, (size, color));
    let is_cut = galley.elided;
    let at = align.align_size_within_rect(galley.size(), place).min;
    // On whole points, so that letters of neighbours stand on one line.
    painter.galley(Pos2::new(at.x, at.y.round()), galley, color);
    is_cut
}

/// One line of text, laid out.
pub fn line_of(painter: &Painter, width: f32, text: &str, (size, color): (f32, Color32)) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font(size), color));
    job.wrap = TextWrapping::truncate_at_width(width);
    job.break_on_newline = false;
    painter.layout_job(job)
}

/// Left, and in the middle between top and bottom.
pub fn line_in(painter: &Painter, place: Rect, text: &str, look: (f32, Color32)) -> bool {
    text_in(painter, place, text, look, Align2::LEFT_CENTER)
}

/// A place that can be pressed by pointer and keyboard, with a name for those who do not see it.
pub fn press(ui: &Ui, place: Rect, id: Id, name: impl Fn() -> String) -> Response {
    let response = ui.interact(place, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name()));
    if gained_keyboard(&response) {
        response.scroll_to_me(None);
    }
    response
}

/// The same, of something that is on or off.
pub fn press_switch(ui: &Ui, place: Rect, id: Id, is_on: bool, name: impl Fn() -> String) -> Response {
    let response = ui.interact(place, id, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), is_on, name()));
    response
}

/// Tells more of what the pointer is on. egui is asked only there: it would look at its memory ten times in each frame
/// for each of hundreds of cells.
pub fn tip(response: &Response, tell: impl FnOnce(&mut Ui)) {
    if response.ctx.pointer_hover_pos().is_some_and(|at| response.rect.contains(at)) {
        Tooltip::for_enabled(response).show(tell);
    }
}

/// Shows that the keyboard is here.
pub fn focus_ring(ui: &Ui, response: &Response, place: Rect) {
    if response.has_focus() {
        ui.painter().rect_stroke(place, ROUND, Stroke::new(2.0, ACCENT), StrokeKind::Inside);
    }
}

/// Lights up what somebody else has just changed.
pub fn flash(painter: &Painter, place: Rect, strength: f32) {
    if strength > 0.0 {
        let color = ACCENT.gamma_multiply(strength);
        painter.rect_filled(place, ROUND, ACCENT.gamma_multiply(strength * 0.25));
        painter.rect_stroke(place, ROUND, Stroke::new(2.0, color), StrokeKind::Inside);
    }
}

/// What buttons have on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Play,
    Stop,
    /// What is below it is in sight, or folded away.
    Opened,
    Closed,
    Metronome,
    /// It plays once: an arrow to the end.
    Once,
    /// To the Arrangement: an arrow, and lines with clips.
    Back,
}

/// The triangle of [`Icon::Play`], around its middle.
pub const PLAY_CORNERS: [Vec2; 3] = [Vec2::new(-3.5, -4.5), Vec2::new(4.5, 0.0), Vec2::new(-3.5, 4.5)];
/// Edge of [`Icon::Stop`].
pub const STOP: f32 = 7.0;

/// An icon of 12 points in the middle of a place.
pub fn icon(painter: &Painter, place: Rect, icon: Icon, color: Color32) {
    let at = |x: f32, y: f32| place.center() + Vec2::new(x, y);
    match icon {
        Icon::Play => {
            let corners = PLAY_CORNERS.iter().map(|corner| place.center() + *corner).collect();
            painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
        }
        Icon::Stop => {
            painter.rect_filled(Rect::from_center_size(place.center(), Vec2::splat(STOP)), 0, color);
        }
        Icon::Opened => {
            let corners = vec![at(-4.0, -2.5), at(4.0, -2.5), at(0.0, 3.5)];
            painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
        }
        Icon::Closed => {
            let corners = vec![at(-2.5, -4.0), at(3.5, 0.0), at(-2.5, 4.0)];
            painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
        }
        Icon::Once => {
            let stroke = Stroke::new(1.5, color);
            painter.line_segment([at(-5.0, 0.0), at(1.0, 0.0)], stroke);
            let corners = vec![at(-0.5, -3.0), at(3.0, 0.0), at(-0.5, 3.0)];
            painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
            painter.line_segment([at(4.5, -4.0), at(4.5, 4.0)], stroke);
        }
        Icon::Back => {
            let corners = vec![at(-5.5, 0.0), at(-0.5, -4.5), at(-0.5, 4.5)];
            painter.add(egui::Shape::convex_polygon(corners, color, Stroke::NONE));
            for y in [-4.0, 0.0, 4.0] {
                painter.line_segment([at(1.0, y), at(6.0, y)], Stroke::new(1.5, color));
            }
        }
        Icon::Metronome => {
            let stroke = Stroke::new(1.5, color);
            let corners = vec![at(-5.0, 6.0), at(-2.0, -6.0), at(2.0, -6.0), at(5.0, 6.0)];
            painter.add(egui::Shape::closed_line(corners, stroke));
            painter.line_segment([at(0.0, 3.0), at(5.0, -4.0)], stroke);
        }
    }
}

/// How large a button with an icon is.
pub const ICON_BUTTON: Vec2 = Vec2::new(36.0, 28.0);

/// A button of a fixed size with an icon; while it is on, `on` is its fill.
pub fn icon_button(ui: &mut Ui, name: &'static str, shown: Icon, on: Option<Color32>) -> Response {
    let (place, _) = ui.allocate_exact_size(ICON_BUTTON, Sense::hover());
    let response = press_switch(ui, place, ui.scope_id().with(name), on.is_some(), || name.to_owned());
    let fill = on.unwrap_or(if response.hovered() { LINE } else { RAISED });
    ui.painter().rect_filled(place, ROUND, fill);
    icon(ui.painter(), place, shown, if on.is_some() { GROUND } else { TEXT });
    focus_ring(ui, &response, place);
    response.on_hover_text(name)
}

/// A lamp: full while something is on, a ring while it is off, so that it takes no colour to tell.
pub fn lamp(painter: &Painter, center: Pos2, is_on: bool, color: Color32) {
    if is_on {
        painter.circle_filled(center, LAMP / 2.0, color);
    } else {
        painter.circle_stroke(center, LAMP / 2.0 - 0.75, Stroke::new(1.5, color));
    }
}

/// Room for a lamp and the gaps beside it.
const LAMP_ROOM: f32 = LAMP + 16.0;

/// A button with a word and a lamp, lit as a whole while it is on.
pub fn lamp_button(ui: &mut Ui, text: &str, is_on: bool) -> Response {
    let color = if is_on { ON_ACCENT } else { TEXT };
    let width = lamp_width(ui.painter(), text);
    let (place, response) = ui.allocate_exact_size(Vec2::new(width, 28.0), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), is_on, text));
    let fill = match (is_on, response.hovered()) {
        (true, _) => ACCENT,
        (false, true) => LINE,
        (false, false) => RAISED,
    };
    ui.painter().rect_filled(place, ROUND, fill);
    lamp_and_words(ui.painter(), place, text, is_on, color);
    focus_ring(ui, &response, place);
    response
}

/// The same where there is nothing to press.
pub fn lamp_label(ui: &mut Ui, text: &str, is_on: bool) {
    let width = lamp_width(ui.painter(), text);
    let (place, response) = ui.allocate_exact_size(Vec2::new(width, 28.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    lamp_and_words(ui.painter(), place, text, is_on, if is_on { ACCENT } else { QUIET });
}

/// Of a button with a lamp and that word.
pub fn lamp_width(painter: &Painter, text: &str) -> f32 {
    LAMP_ROOM + text_width(painter, text) + 10.0
}

pub fn text_width(painter: &Painter, text: &str) -> f32 {
    painter.layout_no_wrap(text.to_owned(), font(NORMAL), TEXT).size().x
}

fn lamp_and_words(painter: &Painter, place: Rect, text: &str, is_on: bool, color: Color32) {
    lamp(painter, place.left_center() + Vec2::new(10.0 + LAMP / 2.0, 0.0), is_on, color);
    let words = Rect::from_min_max(Pos2::new(place.left() + LAMP_ROOM, place.top()), place.max);
    line_in(painter, words, text, (NORMAL, color));
}

/// A loop's brace: full while it is on, an outline while it is off.
pub fn brace(painter: &Painter, span: Rect, is_on: bool) {
    if is_on {
        painter.rect_filled(span, 2, ACCENT);
    } else {
        painter.rect_stroke(span, 2, Stroke::new(1.0, QUIET), StrokeKind::Inside);
    }
}

/// Where it plays. A time's place is its left edge, so that the line is whole also at the first one.
pub fn playhead(painter: &Painter, left: f32, y: Rangef) {
    let line = Rect::from_x_y_ranges(left..=left + PLAYHEAD, y);
    painter.rect_filled(line, 0, TEXT);
}

/// A button with a word that is on or off, as wide as its words.
pub fn toggle_button(ui: &mut Ui, text: &str, is_on: bool) -> Response {
    let color = if is_on { ON_ACCENT } else { TEXT };
    let fill = if is_on { ACCENT } else { RAISED };
    let button = egui::Button::new(RichText::new(text).size(NORMAL).color(color)).fill(fill);
    let response = ui.add(button);
    response.widget_info(|| WidgetInfo::selected(Role::Button, ui.is_enabled(), is_on, text));
    response
}

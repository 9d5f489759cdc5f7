//! The heads of the tracks and the scenes, and what of the grid is in sight.

use super::cells::{Cells, LAUNCH, LAUNCH_CORNERS};
use super::folds::Folds;
use super::scene_state::SceneState;
use super::sight::{GAP, ROW, Sight};
use crate::set::document::TrackKind;
use crate::window::acts;
use crate::window::model::Action;
use crate::window::sheet::{Sheet, Supplies};
use crate::window::shown::ShownTrack;
use crate::window::style::{CARD, CLIP_ROUND, GROUND, NORMAL, PLAY, QUIET, RAISED, ROUND, SMALL, TEXT};
use crate::window::widgets::{Icon, flash, focus_ring, icon, press_switch};
use egui::{CornerRadius, Key, Modifiers, Pos2, Rect, Ui, Vec2};

/// Width of the triangle that folds a group, and how far its tracks are indented.
const FOLD: f32 = 22.0;
/// How wide what a scene brings is at most.
const BRINGS: f32 = 64.0;

/// Draws the names of the tracks; a click selects one. A group's triangle, or F on its name, folds it.
pub fn draw_heads(
    ui: &mut Ui,
    place: Rect,
    (cells, sight): (&Cells<'_>, &Sight),
    (folds, supplies): (&mut Folds, &mut Supplies),
    actions: &mut Vec<Action>,
) {
    let mut sheet = Sheet::begin(ui, supplies);
    for (column, _, track) in cells.in_sight(sight) {
        let min = Pos2::new(sight.left(column), place.top() + 6.0);
        let head = Rect::from_min_size(min, Vec2::new(sight.width(), 30.0));
        if cells.reach.skips(ui, head) {
            continue;
        }
        let touch = cells.reach.press(ui, head, ui.scope_id().with(track.id), || format!("Select {}", track.view.name));
        let is_selected = cells.shown.selected_track() == Some(track.id);
        let fill = match (is_selected || touch.hovered(), track.view.kind) {
            (true, _) => RAISED,
            (false, TrackKind::Return) => GROUND,
            (false, _) => CARD,
        };
        sheet.fill(head, ROUND, fill);
        let stripe = Rect::from_min_size(head.min, Vec2::new(head.width(), 4.0));
        sheet.fill(stripe, CornerRadius { nw: ROUND, ne: ROUND, sw: 0, se: 0 }, track.color);
        let is_group = track.view.kind == TrackKind::Group;
        let indent = if is_group || track.view.group_id.is_some() { FOLD } else { 8.0 };
        let text = Rect::from_min_max(
            Pos2::new(head.left() + indent, head.top() + 4.0),
            Pos2::new(head.right() - 8.0, head.bottom()),
        );
        sheet.line(text, &track.view.name, (NORMAL, TEXT));
        flash(ui.painter(), head, cells.shown.flash(track.id));
        touch.ring(ui, head);
        if touch.clicked() {
            actions.push(Action::Call(acts::select(&track.id.to_string())));
        }
        let by_key = touch.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::F));
        touch.tip(|ui| drop(ui.label(&track.view.name)));
        if is_group {
            let place =
                Rect::from_min_max(head.min + Vec2::new(0.0, 4.0), Pos2::new(head.left() + FOLD, head.bottom()));
            if draw_fold(ui, place, track, folds.is_folded(track)) || by_key {
                folds.toggle(track);
            }
        }
    }
    sheet.end();
}

/// The triangle of a group; whether it was pressed.
fn draw_fold(ui: &Ui, place: Rect, group: &ShownTrack, is_folded: bool) -> bool {
    let name = || format!("Tracks of {}", group.view.name);
    let response = press_switch(ui, place, ui.scope_id().with((group.id, "fold")), !is_folded, name);
    let color = if response.hovered() { TEXT } else { QUIET };
    icon(ui.painter(), place, if is_folded { Icon::Closed } else { Icon::Opened }, color);
    focus_ring(ui, &response, place);
    let pressed = response.clicked();
    response.on_hover_text(if is_folded { "Show the group's tracks" } else { "Fold the group" });
    pressed
}

/// Draws the scenes; a click launches one.
pub fn draw_scenes(
    ui: &mut Ui,
    place: Rect,
    (cells, sight): (&Cells<'_>, &Sight),
    supplies: &mut Supplies,
    actions: &mut Vec<Action>,
) {
    let mut sheet = Sheet::begin(ui, supplies);
    for row in sight.rows.clone() {
        let Some(scene) = cells.set.scenes.get(row) else { continue };
        let min = Pos2::new(place.left() + 8.0, sight.top(row));
        let cell = Rect::from_min_max(min, Pos2::new(place.right(), min.y + ROW - GAP));
        if cells.reach.skips(ui, cell) {
            continue;
        }
        let state = cells.scene(row);
        let name = || {
            format!(
                "Launch scene {}: {}{}",
                row + 1,
                scene.name,
                state.map_or("", |state| state.words(cells.is_running))
            )
        };
        let touch = cells.reach.press(ui, cell, ui.scope_id().with(scene.id), name);
        sheet.fill(cell, CLIP_ROUND, if touch.hovered() { RAISED } else { CARD });
        let button = Rect::from_min_size(cell.min, Vec2::new(LAUNCH, cell.height()));
        // As the button of a clip that plays.
        if state == Some(SceneState::Playing) && cells.is_running {
            sheet.fill(button, LAUNCH_CORNERS, PLAY);
        }
        if let Some(color) = scene.color {
            sheet.fill(Rect::from_min_size(cell.min, Vec2::new(3.0, cell.height())), 0, color);
        }
        let shown = match state {
            Some(SceneState::Playing) if cells.is_running => GROUND,
            Some(SceneState::Waiting) if !cells.is_lit => PLAY.gamma_multiply(0.2),
            Some(_) => PLAY,
            None if touch.hovered() => TEXT,
            None => QUIET,
        };
        sheet.icon(button, Icon::Play, shown);
        let mut text = Rect::from_min_max(Pos2::new(button.right() + 4.0, cell.top()), cell.max - Vec2::new(6.0, 0.0));
        // The name comes first: beside a long one only the tempo's number has room.
        if !scene.brings.is_empty() {
            let room = text.width() - sheet.width(&scene.name, NORMAL) - GAP;
            let whole = sheet.width(&scene.brings, SMALL).min(BRINGS);
            let (brings, width) = if whole <= room {
                (scene.brings.as_str(), whole)
            } else {
                let number = scene.brings.split(' ').next().unwrap_or_default();
                (number, sheet.width(number, SMALL).min(BRINGS))
            };
            let place = Rect::from_min_max(Pos2::new(text.right() - width, text.top()), text.max);
            sheet.line(place, brings, (SMALL, QUIET));
            text.max.x -= width + GAP;
        }
        sheet.line(text, &scene.name, (NORMAL, TEXT));
        flash(ui.painter(), cell, cells.shown.flash(scene.id));
        touch.ring(ui, cell);
        if touch.clicked() {
            actions.push(Action::Call(acts::launch_scene(row)));
        }
        touch.tip(|ui| drop(ui.label(format!("{} {}", scene.name, scene.brings))));
    }
    sheet.end();
}

//! The Session tab: tracks beside each other, scenes below each other, as in Live, and a strip of the mixer below each
//! track. One surface scrolls; the heads stay at its top, the mixer at its bottom, the scenes at its right. What is out
//! of sight is not drawn.

mod cells;
mod columns;
mod folds;
mod scene_state;
mod sight;
mod strips;

use super::acts;
use super::model::{Action, WindowModel};
use super::reach::Reach;
use super::sheet::Supplies;
use super::shown::ShownSet;
use super::slider::Held;
use super::style::{LINE, QUIET, SMALL};
use super::teach::{draw_no_clip, draw_no_track};
use super::widgets::{in_place_of_tab, line_in, toggle_button};
use cells::Cells;
use egui::{Pos2, Rect, ScrollArea, Ui, UiBuilder, Vec2};
use folds::Folds;
use sight::{GAP, ROW, Sight, column_width};

const HEAD: f32 = 40.0;
const SCENES: f32 = 148.0;
const MARGIN: f32 = 8.0;
/// Of the mixer, with faders and without.
const MIXER: f32 = 244.0;
const CLOSED_MIXER: f32 = 72.0;
/// Below this height of the tab the mixer is closed unless the user opens it.
const LEAST_FOR_MIXER: f32 = 460.0;

/// How wide is what an empty grid says.
const MOST_TEACHING: f32 = 900.0;

/// What the user is in the middle of.
#[derive(Clone, Debug, Default)]
pub struct SessionDrafts {
    mixer_is_open: Option<bool>,
    held: Held,
    folds: Folds,
    supplies: Supplies,
}

#[cfg(test)]
impl SessionDrafts {
    /// How many meshes were made so far.
    pub fn made(&self) -> usize {
        self.supplies.made()
    }
}

/// Draws the tab; what the user asked for is among `actions` then.
pub fn draw_session(
    ui: &mut Ui,
    model: &WindowModel,
    reach: Reach,
    drafts: &mut SessionDrafts,
    actions: &mut Vec<Action>,
) {
    let Some(set) = &model.shown.set else {
        in_place_of_tab(ui, "Reading the Set…");
        return;
    };
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let is_open = drafts.mixer_is_open.unwrap_or(area.height() >= LEAST_FOR_MIXER);
    let mixer_top = area.bottom() - if is_open { MIXER } else { CLOSED_MIXER };
    drafts.supplies.prepare(ui.painter());
    let cells = Cells::of(&model.shown, set, drafts.folds.columns(set), reach);
    let top_left = Pos2::new(area.left() + MARGIN, area.top() + HEAD);
    let whole = Rect::from_min_max(top_left, Pos2::new(area.right() - SCENES, mixer_top - 4.0));
    let layout = GridLayout::of(ui, whole, &cells);
    // Beside the last track, as the scenes of Live are, unless something is written there.
    let scenes_left = if set.slots.is_empty() { whole.right() } else { layout.right.min(whole.right()) };
    let area = Rect::from_min_max(area.min, Pos2::new(scenes_left + SCENES, area.bottom()));
    let grid = Rect::from_min_max(whole.min, Pos2::new(scenes_left, whole.bottom()));
    let sight = draw_grid(ui, grid, &layout, (&cells, &mut drafts.supplies), actions);

    let heads = Rect::from_min_max(Pos2::new(grid.left(), area.top()), Pos2::new(scenes_left, grid.top()));
    within(ui, "heads", heads, |ui| {
        let parts = (&mut drafts.folds, &mut drafts.supplies);
        columns::draw_heads(ui, heads, (&cells, &sight), parts, actions);
    });
    let scenes =
        Rect::from_min_max(Pos2::new(scenes_left, grid.top()), Pos2::new(area.right() - MARGIN, grid.bottom()));
    within(ui, "scenes", scenes, |ui| {
        columns::draw_scenes(ui, scenes, (&cells, &sight), &mut drafts.supplies, actions);
    });
    let count = format!("{} scenes", set.scenes.len());
    let corner = Rect::from_min_max(Pos2::new(scenes_left + MARGIN, area.top()), Pos2::new(area.right(), grid.top()));
    line_in(ui.painter(), corner, &count, (SMALL, QUIET));

    ui.painter().hline(ui.max_rect().x_range(), mixer_top, (1.0, LINE));
    let mixer = Rect::from_min_max(Pos2::new(grid.left(), mixer_top + 6.0), Pos2::new(scenes_left, area.bottom()));
    let main = Rect::from_min_max(Pos2::new(scenes_left, mixer_top + 6.0), area.max).shrink2(Vec2::new(MARGIN, 0.0));
    let mut strips = strips::Strips { cells: &cells, is_open, held: &mut drafts.held, actions };
    let supplies = &mut drafts.supplies;
    within(ui, "mixer", mixer, |ui| strips.draw(ui, mixer, &sight, supplies));
    within(ui, "main", main, |ui| strips.draw_main(ui, main, supplies));
    draw_mixer_buttons(ui, main, is_open, drafts, actions);
    draw_teaching(ui, grid, model, set, actions);
    drafts.supplies.finish(ui.ctx());
}

/// Draws into a part of the tab, and nowhere beside it.
fn within(ui: &mut Ui, name: &'static str, place: Rect, draw: impl FnOnce(&mut Ui)) {
    let mut part = ui.new_child(UiBuilder::new().id_salt(name).max_rect(place));
    part.shrink_clip_rect(place);
    draw(&mut part);
}

/// How much there is of the grid in the room that it has.
struct GridLayout {
    column: f32,
    size: Vec2,
    /// Where the last track ends, with the bar that scrolls scenes.
    right: f32,
}

impl GridLayout {
    fn of(ui: &Ui, room: Rect, cells: &Cells<'_>) -> GridLayout {
        let columns = cells.columns.len();
        let height = cells.set.scenes.len() as f32 * ROW;
        let bar = if height > room.height() { ui.spacing().scroll.allocated_width() } else { 0.0 };
        let column = column_width(room.width() - bar, columns);
        let size = Vec2::new(columns as f32 * column, height);
        GridLayout { column, size, right: room.left() + size.x + bar }
    }
}

fn draw_grid(
    ui: &mut Ui,
    place: Rect,
    &GridLayout { column, size, .. }: &GridLayout,
    (cells, supplies): (&Cells<'_>, &mut Supplies),
    actions: &mut Vec<Action>,
) -> Sight {
    let mut part = ui.new_child(UiBuilder::new().id_salt("grid").max_rect(place));
    let (columns, rows) = (cells.columns.len(), cells.set.scenes.len());
    let scrolled = ScrollArea::both().id_salt("slots").auto_shrink(false).show_viewport(&mut part, |ui, viewport| {
        let origin = ui.max_rect().min;
        ui.set_min_size(size);
        let sight = Sight::of(origin, viewport, column, (columns, rows));
        cells.draw(ui, &sight, supplies, actions);
        sight
    });
    scrolled.inner
}

fn draw_mixer_buttons(ui: &mut Ui, place: Rect, is_open: bool, drafts: &mut SessionDrafts, actions: &mut Vec<Action>) {
    let row = Rect::from_min_size(place.min, Vec2::new(place.width(), 28.0));
    let mut part = ui.new_child(UiBuilder::new().id_salt("mixer buttons").max_rect(row));
    part.horizontal(|ui| {
        ui.spacing_mut().button_padding = Vec2::new(6.0, 2.0);
        ui.spacing_mut().interact_size.y = 22.0;
        ui.spacing_mut().item_spacing.x = GAP;
        if ui.button("Stop clips").on_hover_text("Stop all clips").clicked() {
            actions.push(Action::Call(acts::stop_all_clips()));
        }
        if toggle_button(ui, "Mixer", is_open).on_hover_text("Faders, pans and sends").clicked() {
            drafts.mixer_is_open = Some(!is_open);
        }
    });
}

/// What an empty grid says.
fn draw_teaching(ui: &mut Ui, grid: Rect, model: &WindowModel, set: &ShownSet, actions: &mut Vec<Action>) {
    let teach = match (set.regular(), set.slots.is_empty()) {
        (0, _) => draw_no_track,
        (_, true) => draw_no_clip,
        _ => return,
    };
    // Below the slot that it names.
    let top = grid.top() + if set.regular() > 0 { ROW + GAP } else { 12.0 };
    let place = Rect::from_min_max(Pos2::new(grid.left(), top), grid.max);
    let place = Rect::from_min_size(place.min, Vec2::new(place.width().min(MOST_TEACHING), place.height()));
    let mut part = ui.new_child(UiBuilder::new().id_salt("teach").max_rect(place));
    part.shrink_clip_rect(grid);
    // A low window scrolls it.
    ScrollArea::vertical().id_salt("teach").show(&mut part, |ui| teach(ui, model, actions));
}

//! The Arrangement tab: the timeline with its clips, locators, loop and playhead. A click on the ruler sets the start.

use super::acts;
use super::model::{Action, WindowModel};
use super::ruler::{RULER, Timeline, draw_ruler};
use super::shown::{Shown, ShownArranged, ShownSet};
use super::style::{CARD, CLIP_ROUND, GROUND, LINE, NORMAL, QUIET, RAISED, SMALL, TEXT, text_on};
use super::tab::Tab;
use super::widgets::{flash, focus_ring, in_place_of_tab, line_in, playhead, press, tip};
use crate::music::text::counted;
use egui::{PointerButton, Pos2, Rangef, Rect, RichText, ScrollArea, Stroke, StrokeKind, Ui, UiBuilder, Vec2};

const BAR_ABOVE: f32 = 40.0;
const NAMES: f32 = 160.0;
const LANE: f32 = 44.0;

/// Points of a quarter that can be chosen.
const ZOOMS: [f32; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];

/// What the user is in the middle of.
#[derive(Clone, Debug)]
pub struct ArrangementDrafts {
    zoom: usize,
}

impl Default for ArrangementDrafts {
    fn default() -> Self {
        ArrangementDrafts { zoom: 3 }
    }
}

/// Draws the tab; what the user asked for is among `actions` then.
pub fn draw_arrangement(ui: &mut Ui, model: &WindowModel, drafts: &mut ArrangementDrafts, actions: &mut Vec<Action>) {
    let shown = &*model.shown;
    let Some(set) = &shown.set else {
        in_place_of_tab(ui, "Reading the Set…");
        return;
    };
    let area = ui.available_rect_before_wrap();
    ui.advance_cursor_after_rect(area);
    let above = Rect::from_min_size(area.min, Vec2::new(area.width(), BAR_ABOVE)).shrink2(Vec2::new(16.0, 6.0));
    let mut bar = ui.new_child(UiBuilder::new().id_salt("above").max_rect(above));
    draw_bar_above(&mut bar, set, drafts);
    let points = ZOOMS.get(drafts.zoom).copied().unwrap_or(8.0);
    let lanes = Rect::from_min_max(area.min + Vec2::new(NAMES, BAR_ABOVE + RULER), area.max);

    let mut part = ui.new_child(UiBuilder::new().id_salt("lanes").max_rect(lanes));
    let beats = set.end_beats();
    let size = Vec2::new(beats as f32 * points, set.regular() as f32 * LANE);
    let scrolled =
        ScrollArea::both().id_salt("timeline").auto_shrink(false).show_viewport(&mut part, |ui, viewport| {
            let origin = ui.max_rect().min;
            ui.set_min_size(size);
            let timeline = Timeline { origin, points, from: viewport.left(), to: viewport.right(), beats };
            draw_lanes(ui, shown, set, (&timeline, viewport), actions);
            timeline
        });
    let timeline = scrolled.inner;
    let ruler =
        Rect::from_min_max(Pos2::new(lanes.left(), area.top() + BAR_ABOVE), Pos2::new(area.right(), lanes.top()));
    let mut part = ui.new_child(UiBuilder::new().id_salt("ruler").max_rect(ruler));
    part.shrink_clip_rect(ruler);
    draw_ruler(&mut part, ruler, shown, set, &timeline, actions);
    let names = Rect::from_min_max(Pos2::new(area.left(), ruler.top()), Pos2::new(lanes.left(), area.bottom()));
    draw_names(ui, names, set, timeline.origin.y);
    if let Some(playback) = &shown.playback {
        let x = timeline.x(playback.beat);
        if lanes.x_range().contains(x) {
            // Below the bars' numbers.
            playhead(ui.painter(), x, Rangef::new(ruler.top() + 18.0, lanes.bottom()));
        }
    }
    if set.arranged.is_empty() {
        let place = lanes.shrink2(Vec2::new(16.0, 16.0));
        let mut part = ui.new_child(UiBuilder::new().id_salt("teach").max_rect(place));
        part.set_max_width(520.0);
        super::widgets::card(&mut part, |ui| {
            super::widgets::heading(ui, "Nothing is arranged yet");
            ui.label(
                RichText::new(
                    "Launched clips play all the same. A clip is laid here by a path with a position, such as t0[1|1]: \
                 track 1, bar 1.",
                )
                .color(QUIET),
            );
        });
    }
}

impl ShownSet {
    /// How far the timeline goes: there is room to click behind the end.
    fn end_beats(&self) -> f64 {
        let (bar, brace) = (self.meter.bar(), &self.song.loop_brace);
        let behind_loop = brace.start_beat + brace.length_beats + 4.0 * bar;
        (self.length_beats + 8.0 * bar).max(32.0 * bar).max(behind_loop)
    }
}

fn draw_bar_above(ui: &mut Ui, set: &ShownSet, drafts: &mut ArrangementDrafts) {
    ui.horizontal_centered(|ui| {
        let bars = (set.length_beats / set.meter.bar()).ceil() as usize;
        let text = format!("{}, {}", counted(set.arranged.len(), "clip"), counted(bars, "bar"));
        ui.label(RichText::new(text).color(QUIET));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            for (text, name, is_in) in [("+", "Zoom in", true), ("–", "Zoom out", false)] {
                let can = if is_in { drafts.zoom + 1 < ZOOMS.len() } else { drafts.zoom > 0 };
                let button = ui.add_enabled(can, egui::Button::new(text).min_size(Vec2::new(32.0, 26.0)));
                button.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, can, name));
                if button.clicked() {
                    drafts.zoom = if is_in { drafts.zoom + 1 } else { drafts.zoom - 1 };
                }
                button.on_hover_text(name);
            }
        });
    });
}

fn draw_names(ui: &mut Ui, place: Rect, set: &ShownSet, top: f32) {
    let painter = ui.painter().with_clip_rect(place);
    painter.rect_filled(place, 0, CARD);
    let lanes = painter.with_clip_rect(Rect::from_min_max(place.min + Vec2::new(0.0, RULER), place.max));
    for (row, track) in set.tracks.iter().take(set.regular()).enumerate() {
        let top = top + row as f32 * LANE;
        let lane = Rect::from_min_size(Pos2::new(place.left(), top), Vec2::new(place.width(), LANE - 1.0));
        if !lane.intersects(place) {
            continue;
        }
        lanes.rect_filled(Rect::from_min_size(lane.min, Vec2::new(5.0, lane.height())), 0, track.color);
        line_in(&lanes, lane.shrink2(Vec2::new(14.0, 0.0)), &track.view.name, (NORMAL, TEXT));
        lanes.hline(lane.x_range(), lane.bottom(), (1.0, LINE.gamma_multiply(0.5)));
    }
    painter.vline(place.right(), place.y_range(), (1.0, LINE));
    painter.hline(place.x_range(), place.top() + RULER, (1.0, LINE));
}

fn draw_lanes(
    ui: &mut Ui,
    shown: &Shown,
    set: &ShownSet,
    (timeline, viewport): (&Timeline, Rect),
    actions: &mut Vec<Action>,
) {
    let painter = ui.painter().clone();
    let whole = ui.clip_rect();
    for bar in timeline.bars(set.meter) {
        painter.vline(timeline.x(bar), whole.y_range(), (1.0, LINE.gamma_multiply(0.4)));
    }
    let first = (viewport.top() / LANE).floor().max(0.0) as usize;
    let last = ((viewport.bottom() / LANE).ceil().max(0.0) as usize).min(set.regular());
    for row in first..last {
        let bottom = timeline.origin.y + (row + 1) as f32 * LANE - 1.0;
        painter.hline(whole.x_range(), bottom, (1.0, LINE.gamma_multiply(0.5)));
    }
    let (from, to) = (timeline.beat_of(viewport.left()), timeline.beat_of(viewport.right()));
    // They are sorted by track.
    let begin = set.arranged.partition_point(|clip| clip.track < first);
    let clips = set.arranged.iter().skip(begin).take_while(|clip| clip.track < last);
    for clip in clips.filter(|clip| clip.end_beat > from && clip.start_beat < to) {
        draw_clip(ui, shown, set, (timeline, clip), actions);
    }
}

fn draw_clip(
    ui: &mut Ui,
    shown: &Shown,
    set: &ShownSet,
    (timeline, clip): (&Timeline, &ShownArranged),
    actions: &mut Vec<Action>,
) {
    let top = timeline.origin.y + clip.track as f32 * LANE + 1.0;
    let width = (((clip.end_beat - clip.start_beat) as f32) * timeline.points - 1.0).max(3.0);
    let place = Rect::from_min_size(Pos2::new(timeline.x(clip.start_beat), top), Vec2::new(width, LANE - 3.0));
    let track = set.tracks.get(clip.track).map_or("", |track| track.view.name.as_str());
    let (bar, span) = (set.meter.short_position(clip.start_beat), set.meter.span(clip.end_beat - clip.start_beat));
    let response =
        press(ui, place, ui.scope_id().with(clip.id), || format!("{track}, bar {bar}: {}, {span}", clip.name));
    // Not heard while the track plays clips of the Session, or is stopped.
    let is_taken_over = shown.playback.as_ref().is_some_and(|playback| playback.is_taken_over(clip.track));
    let fill = if clip.is_muted { RAISED } else { clip.color };
    let fill = if is_taken_over { fill.lerp_to_gamma(GROUND, 0.6) } else { fill };
    let on_fill = if clip.is_muted { QUIET } else { text_on(fill) };
    let painter = ui.painter();
    painter.rect_filled(place, CLIP_ROUND, fill);
    // The name stays in sight as long as the clip does.
    let left = place.left().max(ui.clip_rect().left());
    let text = Rect::from_min_max(Pos2::new(left + 6.0, top + 2.0), Pos2::new(place.right() - 4.0, top + 18.0));
    if text.width() > 12.0 {
        line_in(painter, text, &clip.name, (SMALL, on_fill));
    }
    if shown.selected_clip() == Some(clip.id) {
        painter.rect_stroke(place, CLIP_ROUND, Stroke::new(2.0, on_fill), StrokeKind::Inside);
    }
    flash(painter, place, shown.flash(clip.id));
    focus_ring(ui, &response, place);
    if response.clicked() {
        actions.push(Action::Call(acts::select(&clip.id.to_string())));
        if response.double_clicked() || !response.clicked_by(PointerButton::Primary) {
            actions.push(Action::Open(Tab::Clip));
        }
    }
    tip(&response, |ui| drop(ui.label(format!("{}: bar {bar}, {span}. Double-click opens it.", clip.name))));
}

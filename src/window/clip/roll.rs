//! The piano roll: time goes right, pitch goes up. Loud notes are full, soft ones let the ground through; what may not
//! sound has a broken edge.

use super::roll_plan::RollPlan;
use super::roll_sight::{LEAST_NOTE, Lanes, draw_hints};
use super::{ClipTimes, RULER, draw_mark, draw_markers, draw_remark};
use crate::set_view::{ClipView, Id, NoteColumns};
use crate::window::shown::color;
use crate::window::style::{CARD, GROUND, LINE, QUIET, SMALL, TEXT, text_on};
use crate::window::times::{ShownMeter, is_black_key};
use crate::window::widgets::{line_in, line_of, playhead, tip};
use egui::{
    Color32, Painter, Pos2, Rect, Role, ScrollArea, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder, Vec2, WidgetInfo,
};

/// Widths of the names of pads and of keys.
const PADS: f32 = 92.0;
const KEYS: f32 = 38.0;
const LEAST_ROW: f32 = 14.0;
const MOST_ROW: f32 = 26.0;
const MOST_PAD_ROW: f32 = 40.0;
/// For the bars that scroll.
const BARS: f32 = 10.0;
const LEAST_BEAT: f32 = 20.0;
/// What dash and gap of a broken edge share, beside a point of each.
const DASH: f32 = 6.0;
/// A note of a lower row has no room for its chance in numbers.
const NAMED_ROW: f32 = 18.0;

/// Draws the notes; `beat` is where the clip plays.
pub fn draw_roll(ui: &mut Ui, place: Rect, clip: &ClipView, notes: &NoteColumns, beat: Option<f64>) {
    let height = place.height() - RULER - BARS;
    let plan = RollPlan::of(clip, notes, (height / MOST_ROW).floor() as u8);
    let (names, most_row) = if plan.is_drums { (PADS, MOST_PAD_ROW) } else { (KEYS, MOST_ROW) };
    let lanes = Rect::from_min_max(place.min + Vec2::new(names, RULER), place.max);
    let row = (height / plan.rows.len().max(1) as f32).clamp(LEAST_ROW, most_row).floor();
    let points = ((lanes.width() - BARS) / (plan.fits - plan.from) as f32).max(LEAST_BEAT);
    let map = Lanes { notes, plan: &plan, points, row };
    let size = map.size();
    // As high as its rows: below them is nothing to see.
    let bottom = place.bottom().min(lanes.top() + size.y + BARS);
    let (place, lanes) = (place.with_max_y(bottom), lanes.with_max_y(bottom));
    let frame = ui.interact(place, ui.scope_id().with("roll"), Sense::hover());
    frame.widget_info(|| WidgetInfo::labeled(Role::Image, true, spoken(clip, notes, &plan)));
    let mut part = ui.new_child(UiBuilder::new().id_salt("roll").max_rect(lanes));
    // A note that fades towards the edge would look like a soft one.
    part.spacing_mut().scroll.fade.strength = 0.0;
    let mut area = ScrollArea::both().id_salt("notes").auto_shrink(false);
    let id = ui.scope_id().with("sought");
    let mut kept = ui.data(|data| data.get_temp::<Kept>(id)).unwrap_or_default();
    if kept.opened != Some(clip.id) && !notes.pitch.is_empty() {
        kept = Kept { opened: Some(clip.id), sought: Some(map.opens_at(clip, lanes.size() - Vec2::splat(BARS))) };
    }
    if let Some(offset) = kept.sought.take() {
        area = area.scroll_offset(offset);
    }
    let scrolled = area.show_viewport(&mut part, |ui, _| {
        let origin = ui.max_rect().min;
        ui.set_min_size(size);
        let times = ClipTimes { from: plan.from, left: origin.x, points };
        let rows = Rows { plan: &plan, top: origin.y, height: row };
        draw_rows(ui.painter(), ui.clip_rect(), &rows);
        draw_grid(ui.painter(), ui.clip_rect(), clip, &plan, &times);
        draw_notes(ui, (clip, notes), &map, origin);
        (origin, times)
    });
    let (origin, times) = scrolled.inner;
    let rows = Rows { plan: &plan, top: origin.y, height: row };
    let over = Rect::from_min_max(place.min + Vec2::new(names, 0.0), place.max);
    let painter = ui.painter().with_clip_rect(over);
    let meter = ShownMeter::of(&clip.meter);
    let mut free = over.left();
    for bar in bars(meter, &plan) {
        let left = times.x(bar);
        if left >= free {
            draw_mark(&painter, over, left, &meter.short_position(bar));
            free = left + 40.0;
        }
    }
    draw_markers(&painter, over, clip, &times);
    if let Some(beat) = beat {
        playhead(&painter, times.x(beat), lanes.y_range());
    }
    kept.sought = draw_hints(ui, id, &map, scrolled.inner_rect, scrolled.state.clamped_offset());
    if kept.sought.is_some() {
        ui.request_repaint();
    }
    ui.data_mut(|data| data.insert_temp(id, kept));
    let names = Rect::from_min_max(Pos2::new(place.left(), lanes.top()), Pos2::new(lanes.left(), place.bottom()));
    draw_names(&ui.painter().with_clip_rect(names), names, clip, &rows);
    ui.painter().rect_stroke(place, 0, Stroke::new(1.0, LINE), StrokeKind::Outside);
    if notes.pitch.is_empty() {
        draw_remark(ui.painter(), lanes, "This clip has no notes yet.");
    }
}

fn spoken(clip: &ClipView, notes: &NoteColumns, plan: &RollPlan) -> String {
    let range = match (plan.rows.last(), plan.rows.first()) {
        (Some(low), Some(high)) => format!(" between {} and {}", plan.name(clip, *low), plan.name(clip, *high)),
        _ => String::new(),
    };
    format!("Piano roll of {}: {} notes{range}", clip.name, notes.pitch.len())
}

/// What a roll keeps from frame to frame.
#[derive(Clone, Copy, Default)]
struct Kept {
    /// The clip that was opened where its notes are; then it stays where it is scrolled to.
    opened: Option<Id>,
    /// What is to be scrolled away in the next frame.
    sought: Option<Vec2>,
}

struct Rows<'a> {
    plan: &'a RollPlan,
    top: f32,
    height: f32,
}

impl Rows<'_> {
    fn top(&self, row: usize) -> f32 {
        self.top + row as f32 * self.height
    }
}

fn bars(meter: ShownMeter, plan: &RollPlan) -> impl Iterator<Item = f64> {
    let (bar, to) = (meter.bar(), plan.to);
    let first = (plan.from / bar).floor();
    (0_u32..).map(move |at| (first + f64::from(at)) * bar).take_while(move |beat| *beat < to)
}

fn draw_rows(painter: &Painter, sight: Rect, rows: &Rows<'_>) {
    for (at, pitch) in rows.plan.rows.iter().enumerate() {
        let fill = if !rows.plan.is_drums && is_black_key(*pitch) { GROUND } else { CARD };
        let top = rows.top(at);
        let lane = Rect::from_min_max(Pos2::new(sight.left(), top), Pos2::new(sight.right(), top + rows.height - 1.0));
        if lane.intersects(sight) {
            painter.rect_filled(lane, 0, fill);
        }
    }
}

/// Lines of bars, beats and, where there is room, sixteenths.
fn draw_grid(painter: &Painter, sight: Rect, clip: &ClipView, plan: &RollPlan, times: &ClipTimes) {
    let meter = ShownMeter::of(&clip.meter);
    let beat = meter.beat();
    let unit = if times.points * beat as f32 >= 56.0 { beat / 4.0 } else { beat };
    let is_on = |at: f64, unit: f64| (at / unit - (at / unit).round()).abs() < 1e-6;
    let first = (plan.from / unit).floor();
    let lines = (0_u32..).map(|at| (first + f64::from(at)) * unit).take_while(|at| *at <= plan.to + 1e-6);
    for at in lines {
        let left = times.x(at).round();
        if !sight.x_range().contains(left) {
            continue;
        }
        let strength = match () {
            () if is_on(at, meter.bar()) => 1.0,
            () if is_on(at, beat) => 0.6,
            () => 0.25,
        };
        painter.vline(left, sight.y_range(), (1.0, LINE.gamma_multiply(strength)));
    }
}

fn draw_notes(ui: &Ui, (clip, notes): (&ClipView, &NoteColumns), map: &Lanes<'_>, origin: Pos2) {
    let (painter, sight, fill) = (ui.painter(), ui.clip_rect(), color(&clip.color));
    let pointer = ui.ctx().pointer_hover_pos().filter(|at| sight.contains(*at));
    let mut pointed = None;
    let lists = notes.pitch.iter().zip(&notes.start_beat).zip(&notes.length_beats);
    let more = notes.velocity.iter().zip(&notes.probability).zip(&notes.is_muted);
    for (((pitch, start), length), ((velocity, probability), is_muted)) in lists.zip(more) {
        let Some(whole) = map.place(*pitch, *start, *length) else { continue };
        let whole = whole.translate(origin.to_vec2());
        // The line of its row and the beginning of the next note stay free.
        let width = (whole.width() - 1.0).max(LEAST_NOTE);
        let note = Rect::from_min_size(whole.min + Vec2::new(0.0, 1.0), Vec2::new(width, whole.height() - 3.0));
        if !note.intersects(sight) {
            continue;
        }
        let strength = if *is_muted { 0.3 } else { 0.35 + 0.65 * (*velocity as f32) / 127.0 };
        let fill = if *is_muted { QUIET } else { fill }.gamma_multiply(strength);
        painter.rect_filled(note, 1, fill);
        draw_edge(painter, note, *probability as f32);
        if *probability < 1.0 && map.row >= NAMED_ROW {
            let look = (SMALL, text_on(CARD.blend(fill)));
            let text = line_of(painter, f32::INFINITY, &chance_text(*probability), look);
            if text.size().x <= note.width() - 8.0 {
                let top = (note.center().y - text.size().y / 2.0).round();
                painter.galley(Pos2::new(note.left() + 4.0, top), text, look.1);
            }
        }
        if pointer.is_some_and(|at| whole.contains(at)) {
            let mut words = vec![map.plan.name(clip, *pitch)];
            let meter = ShownMeter::of(&clip.meter);
            words.extend([meter.position(*start), meter.span(*length), format!("velocity {velocity:.0}")]);
            words.push(format!("chance {}", chance_text(*probability)));
            words.extend(is_muted.then(|| "switched off".to_owned()));
            pointed = Some((whole, words.join(" · ")));
        }
    }
    // The one that was drawn last.
    if let Some((place, words)) = pointed {
        let response = ui.interact(place.intersect(sight), ui.scope_id().with("note"), Sense::hover());
        tip(&response, |ui| drop(ui.label(words)));
    }
}

/// What may happen never reads as if it did not, nor as if it always did.
fn chance_text(chance: f64) -> String {
    let percent = (chance * 100.0).round().max(1.0);
    format!("{:.0} %", if chance < 1.0 { percent.min(99.0) } else { percent })
}

/// As much of a broken edge is there as the note is.
fn draw_edge(painter: &Painter, note: Rect, chance: f32) {
    if chance >= 1.0 {
        painter.rect_stroke(note, 1, Stroke::new(1.0, TEXT.gamma_multiply(0.55)), StrokeKind::Inside);
        return;
    }
    let edge = note.shrink(0.5);
    let corners = [edge.left_top(), edge.right_top(), edge.right_bottom(), edge.left_bottom(), edge.left_top()];
    let (dash, gap) = (1.0 + DASH * chance, 1.0 + DASH * (1.0 - chance));
    painter.extend(Shape::dashed_line(&corners, Stroke::new(1.0, TEXT), dash, gap));
}

/// The names of pads, or of the keys as far as they have room.
fn draw_names(painter: &Painter, place: Rect, clip: &ClipView, rows: &Rows<'_>) {
    painter.rect_filled(place, 0, GROUND);
    for (at, pitch) in rows.plan.rows.iter().enumerate() {
        let top = rows.top(at);
        let line = Rect::from_min_max(Pos2::new(place.left(), top), Pos2::new(place.right(), top + rows.height - 1.0));
        if !line.intersects(place) {
            continue;
        }
        let is_black = is_black_key(*pitch);
        if rows.plan.is_drums {
            line_in(painter, line.shrink2(Vec2::new(6.0, 0.0)), &rows.plan.name(clip, *pitch), (SMALL, TEXT));
            continue;
        }
        let key = Rect::from_min_max(line.min + Vec2::new(2.0, 0.0), line.max - Vec2::new(2.0, 0.0));
        painter.rect_filled(key, 0, if is_black { GROUND } else { CARD });
        let is_played = rows.plan.played.contains(pitch);
        let has_room = pitch % 12 == 0 || (!is_black || is_played) && rows.height >= 18.0;
        if has_room {
            let look: (f32, Color32) = (SMALL, if pitch % 12 == 0 || is_played { TEXT } else { QUIET });
            line_in(painter, key.shrink2(Vec2::new(4.0, 0.0)), &rows.plan.name(clip, *pitch), look);
        }
    }
    painter.vline(place.right() - 0.5, place.y_range(), (1.0, LINE));
}

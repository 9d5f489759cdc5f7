//! The Clip tab: the notes of the selected clip as a piano roll, or its waveform. Edits of others show at once.

mod roll;
mod roll_plan;
mod roll_sight;
mod wave;

use super::acts;
use super::model::{Action, WindowModel};
use super::shown::{ShownSet, color};
use super::style::{NORMAL, QUIET};
use super::times::ShownMeter;
use super::widgets::{card, heading, in_place_of_tab, lamp_label, line_in};
use crate::music::text::counted;
use crate::set_view::ClipView;
use egui::{Align, Align2, Button, Layout, Painter, Pos2, Rect, RichText, Ui, UiBuilder, Vec2};

const HEAD: f32 = 44.0;
/// Above notes and waveform: bars, loop, start.
const RULER: f32 = 22.0;

/// Draws the tab; what the user asked for is among `actions` then.
pub fn draw_clip(ui: &mut Ui, model: &WindowModel, actions: &mut Vec<Action>) {
    let shown = &*model.shown;
    let (Some(set), Some(clip)) = (&shown.set, &shown.clip) else {
        if shown.is_reading_clip {
            in_place_of_tab(ui, "Reading the clip…");
        } else {
            draw_none(ui);
        }
        return;
    };
    let area = ui.available_rect_before_wrap().shrink2(Vec2::new(16.0, 8.0));
    ui.advance_cursor_after_rect(area);
    let head = Rect::from_min_size(area.min, Vec2::new(area.width(), HEAD));
    let mut part = ui.new_child(UiBuilder::new().id_salt("head").max_rect(head));
    draw_head(&mut part, set, clip, actions);
    let place = Rect::from_min_max(area.min + Vec2::new(0.0, HEAD), area.max);
    // Where it plays, if it does.
    let mut playing = shown.playback.iter().flat_map(|playback| &playback.playing);
    let found = playing.find(|(.., id)| *id == clip.id);
    let beat = found.map(|(_, _, position, start, length, _)| match clip.is_in_seconds {
        true => own_time(region(clip), *position, *start, *length),
        false => *position,
    });
    if let Some(notes) = &clip.notes {
        roll::draw_roll(ui, place, clip, notes, beat);
    } else if let Some(wave) = &clip.waveform {
        wave::draw_wave(ui, place, clip, wave, beat);
    }
}

/// Where in its region a clip in seconds plays: its own times are seconds, what plays is told in beats at the tempo.
fn own_time((from, to): (f64, f64), position: f64, start: f64, length: f64) -> f64 {
    if length > 0.0 { from + (position - start) / length * (to - from) } else { from }
}

/// The part that sounds: the loop, or from the start to the end.
fn region(clip: &ClipView) -> (f64, f64) {
    let brace = &clip.loop_brace;
    match brace.is_on {
        true => (brace.start_beat, brace.start_beat + brace.length_beats),
        false => (clip.markers.start_beat, clip.markers.end_beat),
    }
}

fn draw_none(ui: &mut Ui) {
    ui.add_space(16.0);
    ui.horizontal(|ui| {
        ui.add_space(16.0);
        ui.vertical(|ui| {
            ui.set_max_width(ui.available_width().min(560.0));
            card(ui, |ui| {
                heading(ui, "No clip selected");
                let how = "Click a clip's name in the Session or the Arrangement, and its notes are here.";
                ui.label(RichText::new(how).color(QUIET));
            });
        });
    });
}

fn draw_head(ui: &mut Ui, set: &ShownSet, clip: &ClipView, actions: &mut Vec<Action>) {
    ui.horizontal_centered(|ui| {
        let (bar, _) = ui.allocate_exact_size(Vec2::new(5.0, 24.0), egui::Sense::hover());
        ui.painter().rect_filled(bar, 0, color(&clip.color));
        let name = match clip.name.as_str() {
            "" => "unnamed clip",
            name => name,
        };
        let slot = set.slot_of(clip.id.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(slot) = slot {
                if ui.add(Button::new("Stop")).clicked() {
                    actions.push(Action::Call(acts::stop_track(slot.track)));
                }
                if ui.add(Button::new("Launch")).clicked() {
                    actions.push(Action::Call(acts::launch_clip(slot.track, slot.scene)));
                }
            }
            lamp_label(ui, &loop_text(clip), clip.loop_brace.is_on);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let off = if clip.is_muted { " (switched off)" } else { "" };
                ui.add(egui::Label::new(RichText::new(format!("{name}{off}")).heading().strong()).truncate());
                let track = clip.track_id.and_then(|id| set.tracks.iter().find(|track| track.id == id.0));
                let track = track.map_or("", |track| track.view.name.as_str());
                let scene = slot.and_then(|slot| set.scenes.get(slot.scene));
                let place = scene.map_or_else(|| track.to_owned(), |scene| format!("{track}, {}", scene.name));
                let facts = format!("{place} · {}", facts(clip));
                ui.add(egui::Label::new(RichText::new(facts).color(QUIET)).truncate());
            });
        });
    });
}

fn facts(clip: &ClipView) -> String {
    let meter = ShownMeter::of(&clip.meter);
    let holds = match (&clip.notes, &clip.waveform) {
        (Some(notes), _) => counted(notes.pitch.len(), "note"),
        (None, Some(wave)) => wave.file.clone(),
        (None, None) => String::new(),
    };
    let (from, to) = region(clip);
    let length = if clip.is_in_seconds { format!("{:.2} s", to - from) } else { meter.span(clip.length_beats) };
    [holds.as_str(), &length, &clip.meter].join(" · ")
}

/// Whether it is looped, and where.
fn loop_text(clip: &ClipView) -> String {
    let (meter, brace) = (ShownMeter::of(&clip.meter), &clip.loop_brace);
    match (brace.is_on, clip.is_in_seconds) {
        (false, _) => "Loop off".to_owned(),
        (true, true) => "Loop on".to_owned(),
        (true, false) => {
            let to = meter.short_position(brace.start_beat + brace.length_beats);
            format!("Loop {} – {to}", meter.short_position(brace.start_beat))
        }
    }
}

/// Where times of a clip are on the screen.
struct ClipTimes {
    /// The first time, and where it is.
    from: f64,
    left: f32,
    /// Points of a quarter.
    points: f32,
}

impl ClipTimes {
    fn x(&self, beat: f64) -> f32 {
        self.left + (beat - self.from) as f32 * self.points
    }
}

/// The loop or the region as a bar, and the start as a triangle, in the ruler of a place; and beside them a shade.
fn draw_markers(painter: &Painter, place: Rect, clip: &ClipView, times: &ClipTimes) {
    let brace = &clip.loop_brace;
    let (from, to) = region(clip);
    let (left, right) = (times.x(from).max(place.left()), times.x(to).min(place.right()));
    let shade = super::style::GROUND.gamma_multiply(0.6);
    for (from, to) in [(place.left(), left), (right, place.right())] {
        if to > from {
            let beside = Rect::from_min_max(Pos2::new(from, place.top() + RULER), Pos2::new(to, place.bottom()));
            painter.rect_filled(beside, 0, shade);
        }
    }
    let bar =
        Rect::from_min_max(Pos2::new(left, place.top() + RULER - 5.0), Pos2::new(right, place.top() + RULER - 1.0));
    if bar.is_positive() {
        super::widgets::brace(painter, bar, brace.is_on);
    }
    let start = Pos2::new(times.x(clip.markers.start_beat), place.top() + RULER - 13.0);
    if place.x_range().contains(start.x) {
        let corners = vec![start, start + Vec2::new(7.0, 4.5), start + Vec2::new(0.0, 9.0)];
        painter.add(egui::Shape::convex_polygon(corners, super::style::TEXT, egui::Stroke::NONE));
    }
}

/// A sentence in the middle of an empty place.
fn draw_remark(painter: &Painter, place: Rect, text: &str) {
    super::widgets::text_in(painter, place.shrink(16.0), text, (NORMAL, QUIET), Align2::CENTER_CENTER);
}

/// A name at a time in the ruler.
fn draw_mark(painter: &Painter, place: Rect, left: f32, text: &str) {
    let place = Rect::from_min_size(Pos2::new(left + 10.0, place.top()), Vec2::new(60.0, RULER - 4.0));
    line_in(painter, place, text, (super::style::SMALL, QUIET));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_in_seconds_plays_where_its_file_does() {
        // At 120 BPM, from 1.5 to 4 seconds.
        for (beat, seconds) in [(3.0, 1.5), (5.0, 2.5), (8.0, 4.0)] {
            assert_eq!(own_time((1.5, 4.0), beat, 3.0, 5.0), seconds, "{beat}");
        }
        assert_eq!(own_time((1.5, 1.5), 3.0, 3.0, 0.0), 1.5, "an empty region");
    }
}

//! The mixer: a strip below each track, the main track's below the scenes.

use super::cells::Cells;
use super::sight::Sight;
use crate::set::document::TrackKind;
use crate::set::document::default_names::return_letter;
use crate::window::acts::{stop_track, update_track};
use crate::window::levels::{db_text, fader_db, fader_place, meter_place, pan_text, send_db, send_place};
use crate::window::model::Action;
use crate::window::sheet::{Sheet, Supplies};
use crate::window::shown::ShownTrack;
use crate::window::slider::{Desk, Held, Slider};
use crate::window::style::{ARM, CARD, GROUND, LINE, MUTE, PLAY, QUIET, RAISED, ROUND, SMALL, SOLO, TEXT, WELL};
use crate::window::widgets::{Icon, flash};
use egui::{Align2, Color32, Pos2, Rect, Ui, Vec2};
use serde_json::{Value, json};
use std::borrow::Cow;

/// Sends that one line each has room for; more are drawn smaller, beside each other.
const ROOMY_SENDS: usize = 2;
const SENDS_HEIGHT: f32 = 44.0;
/// Room for what a fader and a pan stand at: `-12.5`.
const READING: f32 = 33.0;
/// Of a strip that has room for both.
const ROOMY: f32 = 100.0;

/// What the strips are drawn from, and what the user does with them.
pub struct Strips<'a> {
    pub cells: &'a Cells<'a>,
    pub is_open: bool,
    pub held: &'a mut Held,
    pub actions: &'a mut Vec<Action>,
}

impl Strips<'_> {
    /// Draws those below the columns that are in sight.
    pub fn draw(&mut self, ui: &mut Ui, place: Rect, sight: &Sight, supplies: &mut Supplies) {
        let cells = self.cells;
        let mut sheet = Sheet::begin(ui, supplies);
        for (column, at, track) in cells.in_sight(sight) {
            let min = Pos2::new(sight.left(column), place.top());
            let strip = Rect::from_min_max(min, Pos2::new(min.x + sight.width(), place.bottom() - 6.0));
            if cells.reach.skips(ui, strip) {
                continue;
            }
            let fill = if track.view.kind == TrackKind::Return { CARD.gamma_multiply(0.5) } else { CARD };
            sheet.fill(strip, ROUND, fill);
            let inner = strip.shrink2(Vec2::new(8.0, 6.0));
            self.draw_line(ui, &mut sheet, inner, (at, track));
            self.draw_body(ui, &mut sheet, inner, (at, track));
            flash(ui.painter(), strip, cells.shown.flash(track.id));
        }
        sheet.end();
    }

    /// Draws the main track's, below its buttons.
    pub fn draw_main(&mut self, ui: &mut Ui, place: Rect, supplies: &mut Supplies) {
        let cells = self.cells;
        let mut sheet = Sheet::begin(ui, supplies);
        if let Some((at, track)) = cells.set.main() {
            let inner = Rect::from_min_max(place.min + Vec2::new(0.0, 6.0), place.max - Vec2::new(4.0, 12.0));
            if self.is_open {
                let name = Rect::from_min_size(inner.min + Vec2::new(0.0, 50.0), Vec2::new(inner.width(), 22.0));
                sheet.line(name, &track.view.name, (SMALL, QUIET));
            }
            self.draw_body(ui, &mut sheet, inner, (at, track));
        }
        sheet.end();
    }

    /// What stops the track's clip, and what the track sounds like.
    fn draw_line(&mut self, ui: &mut Ui, sheet: &mut Sheet<'_>, inner: Rect, (at, track): (usize, &ShownTrack)) {
        let name = &track.view.name;
        let mut text = Rect::from_min_size(inner.min, Vec2::new(inner.width(), 22.0));
        if track.view.kind != TrackKind::Return {
            let place = Rect::from_min_size(inner.min, Vec2::new(26.0, 22.0));
            text.min.x += 34.0;
            let id = ui.scope_id().with((track.id, "stop"));
            let touch = self.cells.reach.press(ui, place, id, || format!("Stop {name}"));
            let (is_playing, is_stopping) = (self.cells.is_playing(at), self.cells.is_stopping(at));
            if is_playing || touch.hovered() {
                sheet.fill(place, 4, RAISED);
            }
            let color = match (is_stopping, is_playing) {
                (true, _) if self.cells.is_lit => PLAY,
                (true, _) => PLAY.gamma_multiply(0.2),
                (false, true) => TEXT,
                (false, false) => QUIET,
            };
            sheet.icon(place, Icon::Stop, color);
            touch.ring(ui, place);
            if touch.clicked() {
                self.actions.push(Action::Call(stop_track(at)));
            }
        }
        let sounds = match track.view.kind {
            TrackKind::Return => {
                let place = at.saturating_sub(self.cells.set.regular());
                Some(Cow::from(format!("Return {}", return_letter(place))))
            }
            _ => track.view.sounds.as_deref().map(Cow::from),
        };
        if let Some(sounds) = sounds {
            let (telling, more) = short_sounds(&sounds);
            draw_sounds(sheet, text, telling, more);
            let hover = self.cells.reach.hover(ui, text, ui.scope_id().with((track.id, "sounds")));
            hover.tip(|ui| drop(ui.label(&*sounds)));
        }
    }

    /// Sends, switches, fader and meter, pan.
    fn draw_body(&mut self, ui: &mut Ui, sheet: &mut Sheet<'_>, inner: Rect, (at, track): (usize, &ShownTrack)) {
        let mut top = inner.top() + 28.0;
        if self.is_open {
            let sends = Rect::from_min_size(Pos2::new(inner.left(), top), Vec2::new(inner.width(), SENDS_HEIGHT));
            self.draw_sends(ui, sheet, sends, track);
            top += SENDS_HEIGHT + 6.0;
        }
        self.draw_switches(ui, sheet, Pos2::new(inner.left(), top), track);
        if self.is_open {
            let levels = Rect::from_min_max(
                Pos2::new(inner.left() + 42.0, top),
                Pos2::new(inner.right(), inner.bottom() - 28.0),
            );
            self.draw_levels(ui, sheet, levels, (at, track));
            let ends = Rect::from_min_max(Pos2::new(inner.left(), inner.bottom() - 20.0), inner.max);
            self.draw_ends(ui, sheet, ends, track);
        }
    }

    fn draw_switches(&mut self, ui: &Ui, sheet: &mut Sheet<'_>, from: Pos2, track: &ShownTrack) {
        let view = &track.view;
        let mute = (view.kind != TrackKind::Main).then_some(view.is_muted);
        let switches: [(&str, &str, &str, Option<bool>, Color32); 3] = [
            ("mute", "Mute", "M", mute, MUTE),
            ("solo", "Solo", "S", view.is_soloed, SOLO),
            ("arm", "Arm", "R", view.is_armed, ARM),
        ];
        for (at, (member, word, letter, is_on, color)) in switches.into_iter().enumerate() {
            let Some(is_on) = is_on else { continue };
            let step = if self.is_open { Vec2::new(0.0, 30.0) } else { Vec2::new(36.0, 0.0) };
            let size = if self.is_open { Vec2::new(30.0, 26.0) } else { Vec2::new(32.0, 22.0) };
            let place = Rect::from_min_size(from + step * at as f32, size);
            let id = ui.scope_id().with((track.id, member));
            let touch = self.cells.reach.press_switch(ui, place, id, is_on, || format!("{word} {}", view.name));
            let fill = match (is_on, touch.hovered()) {
                (true, _) => color,
                (false, true) => LINE,
                (false, false) => RAISED,
            };
            sheet.fill(place, 4, fill);
            let look = (SMALL, if is_on { GROUND } else { TEXT });
            sheet.text(place, letter, look, Align2::CENTER_CENTER);
            touch.ring(ui, place);
            if touch.clicked() {
                self.update(track, json!({ member: !is_on }), None);
            }
            touch.tip(|ui| drop(ui.label(word)));
        }
    }

    /// What sliders are drawn with.
    fn desk<'d, 's>(&'d mut self, sheet: &'d mut Sheet<'s>) -> Desk<'d, 's> {
        Desk { reach: self.cells.reach, held: self.held, sheet }
    }

    fn update(&mut self, track: &ShownTrack, change: Value, gesture: Option<u64>) {
        let call = update_track(&track.view.path, change);
        self.actions.push(Action::Call(match gesture {
            Some(gesture) => call.of_gesture(gesture),
            None => call,
        }));
    }

    fn draw_levels(&mut self, ui: &Ui, sheet: &mut Sheet<'_>, place: Rect, (at, track): (usize, &ShownTrack)) {
        let center = place.center().x - 8.0;
        let column = |from: f32, to: f32| {
            Rect::from_min_max(Pos2::new(center + from, place.top()), Pos2::new(center + to, place.bottom()))
        };
        let name = || format!("Volume of {}", track.view.name);
        let slider = Slider {
            name: &name,
            value: fader_place(track.view.volume_db),
            lowest: 0.0,
            highest: 1.0,
            reset: fader_place(Some(0.0)),
            is_vertical: true,
            text: &|place| format!("{} dB", db_text(Some(fader_db(place)))),
        };
        let id = ui.scope_id().with((track.id, "volume"));
        if let Some((place, gesture)) = slider.draw(ui, self.desk(sheet), column(-11.0, 11.0), id) {
            self.update(track, json!({ "gainDb": fader_db(place) }), Some(gesture));
        }
        let peaks = self.cells.shown.playback.as_ref().and_then(|playback| playback.meters.get(at).copied());
        draw_meter(sheet, column(18.0, 30.0), peaks.unwrap_or_default());
    }

    fn draw_ends(&mut self, ui: &Ui, sheet: &mut Sheet<'_>, place: Rect, track: &ShownTrack) {
        // Where there is no room for what the pan stands at, it is told when it is pointed at.
        let readings = if place.width() >= ROOMY { 2.0 } else { 1.0 };
        let pan = Rect::from_min_size(place.min, Vec2::new(place.width() - readings * READING - 2.0, place.height()));
        let name = || format!("Pan of {}", track.view.name);
        let slider = Slider {
            name: &name,
            value: track.view.pan,
            lowest: -1.0,
            highest: 1.0,
            reset: 0.0,
            is_vertical: false,
            text: &pan_text,
        };
        let id = ui.scope_id().with((track.id, "pan"));
        if let Some((pan, gesture)) = slider.draw(ui, self.desk(sheet), pan, id) {
            self.update(track, json!({ "pan": (pan * 50.0).round() / 50.0 }), Some(gesture));
        }
        let mut reading = |right: f32, text: &str| {
            let place = Rect::from_min_max(Pos2::new(right - READING, place.top()), Pos2::new(right, place.bottom()));
            sheet.text(place, text, (SMALL, QUIET), Align2::RIGHT_CENTER);
        };
        if place.width() >= ROOMY {
            reading(place.right() - READING, &pan_text(track.view.pan));
        }
        reading(place.right(), &db_text(track.view.volume_db));
    }

    fn draw_sends(&mut self, ui: &Ui, sheet: &mut Sheet<'_>, place: Rect, track: &ShownTrack) {
        let count = track.view.sends.len();
        let rows = if count <= ROOMY_SENDS { ROOMY_SENDS } else { 3.max(count.div_ceil(3)) };
        let columns = count.div_ceil(rows).max(1);
        let size = Vec2::new(place.width() / columns as f32, place.height() / rows as f32);
        let cells = self.cells;
        for (at, (send, target)) in track.view.sends.iter().zip(cells.set.returns()).enumerate() {
            let min = place.min + size * Vec2::new((at / rows) as f32, (at % rows) as f32);
            let line = Rect::from_min_size(min, size);
            let letter = return_letter(at);
            sheet.line(line, letter.encode_utf8(&mut [0; 4]), (SMALL, QUIET));
            let bar = Rect::from_min_max(Pos2::new(line.left() + 14.0, line.top()), line.max - Vec2::new(2.0, 0.0));
            let name = || format!("Send of {} to {}", track.view.name, target.view.name);
            let slider = Slider {
                name: &name,
                value: send_place(send.gain_db),
                lowest: 0.0,
                highest: 1.0,
                reset: 0.0,
                is_vertical: false,
                text: &|place| format!("{} dB", db_text(Some(send_db(place)))),
            };
            let id = ui.scope_id().with((track.id, target.id));
            if let Some((place, gesture)) = slider.draw(ui, self.desk(sheet), bar, id) {
                let sends = json!([{ "return": target.view.path, "gainDb": send_db(place) }]);
                self.update(track, json!({ "sends": sends }), Some(gesture));
            }
        }
    }
}

/// What a track sounds like in the width of a strip: the word that tells, and what is said more quietly behind it. The
/// whole is told when it is pointed at.
fn short_sounds(sounds: &str) -> (&str, &str) {
    if sounds.starts_with("silent") {
        return ("silent", "");
    }
    let found = ["exact", "approximate", "stand-in"].into_iter().find_map(|word| sounds.strip_prefix(word));
    let Some(rest) = found else { return (sounds, "") };
    let rest = rest.strip_prefix(": ").unwrap_or(rest);
    let what = rest.strip_prefix("plays as ").map_or(rest, |what| what.strip_prefix("the ").unwrap_or(what));
    what.strip_prefix("default ").map_or((what, ""), |what| (what, "default"))
}

fn draw_sounds(sheet: &mut Sheet<'_>, place: Rect, telling: &str, more: &str) {
    sheet.line(place, telling, (SMALL, QUIET));
    let width = sheet.width(telling, SMALL) + 5.0;
    let room = Rect::from_min_max(Pos2::new(place.left() + width, place.top()), place.max);
    // Whole or not at all.
    let wanted = sheet.width(more, SMALL);
    if wanted > 0.0 && wanted <= room.width() {
        sheet.line(room, more, (SMALL, QUIET.gamma_multiply(0.6)));
    }
}

/// Colours of a meter, each from a peak on: -6 dB is loud, above 0 dB it may clip.
const ZONES: [(f64, f64, Color32); 3] = [
    (0.0, 0.5, Color32::from_rgb(0x4F, 0xC3, 0x7A)),
    (0.5, 1.0, Color32::from_rgb(0xE6, 0xC8, 0x4A)),
    (1.0, f64::INFINITY, Color32::from_rgb(0xF0, 0x5A, 0x4F)),
];

/// Two bars, from -60 to +6 dB.
fn draw_meter(sheet: &mut Sheet<'_>, place: Rect, (left, right): (f64, f64)) {
    for (peak, from) in [(left, place.left()), (right, place.left() + 7.0)] {
        let bar = Rect::from_min_max(Pos2::new(from, place.top()), Pos2::new(from + 5.0, place.bottom()));
        sheet.fill(bar, 1, WELL);
        let at = |peak: f64| bar.bottom() - bar.height() * meter_place(peak) as f32;
        for (from, to, color) in ZONES {
            let zone = Rect::from_x_y_ranges(bar.x_range(), at(peak.min(to))..=at(from));
            if peak > from && zone.height() > 0.0 {
                sheet.fill_moving(zone, color);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_tells_comes_first() {
        for (sounds, short) in [
            ("stand-in: plays as the default drum kit", ("drum kit", "default")),
            ("silent: it is a group whose tracks are off", ("silent", "")),
            ("approximate: without its filter", ("without its filter", "")),
            ("exact", ("", "")),
        ] {
            assert_eq!(short_sounds(sounds), short, "{sounds}");
        }
    }
}

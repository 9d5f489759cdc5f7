//! What is always in sight: the transport, the tabs with the device's address, and below everything the last call.

use super::acts;
use super::fields::{FieldStyle, field};
use super::model::{Action, ServerLine, WindowModel};
use super::shown::{Shown, ShownSet};
use super::style::{ACCENT, HUGE, PLAY, QUIET, TEXT, WARN};
use super::tab::Tab;
use super::times::root_name;
use super::widgets::{Icon, dot, icon_button, lamp_button};
use egui::{Align, Event, Key, Label, Layout, Modifiers, RichText, Role, Sense, Ui, Vec2, WidgetInfo};

/// Texts that were typed into the header and not yet taken.
#[derive(Clone, Debug, Default)]
pub struct HeaderDrafts {
    tempo: Option<String>,
    meter: Option<String>,
    refused: Option<String>,
}

const TEMPO_FIELD: FieldStyle = FieldStyle { width: 62.0, hint: "" };
const METER_FIELD: FieldStyle = FieldStyle { width: 44.0, hint: "" };

/// Clips that play and are named.
const MOST_NAMES: usize = 24;

/// With less room than this the address leaves out how it begins.
const WHOLE_ADDRESS: f32 = 160.0;

/// Sizes of everything that can be chosen, in percent.
const SCALES: std::ops::RangeInclusive<i32> = 100..=200;
const SCALE_STEP: i32 = 25;
const SCALE_BY_KEY: i32 = 10;

/// Draws play, stop, where the song is, tempo, meter, loop, undo.
pub fn draw_transport(ui: &mut Ui, shown: &Shown, drafts: &mut HeaderDrafts, actions: &mut Vec<Action>) {
    ui.horizontal_centered(|ui| {
        let playback = shown.playback.as_deref();
        let is_playing = playback.is_some_and(|playback| playback.is_playing);
        if icon_button(ui, "Play", Icon::Play, is_playing.then_some(PLAY)).clicked() {
            actions.push(Action::Call(acts::play()));
        }
        if icon_button(ui, "Stop", Icon::Stop, None).clicked() {
            actions.push(Action::Call(acts::stop()));
        }
        let Some(set) = &shown.set else { return };
        let beat = playback.map_or(set.song.song_time_beats, |playback| playback.beat);
        let position = RichText::new(set.meter.position(beat)).size(HUGE);
        let size = Vec2::new(88.0, 28.0);
        let layout = Layout::left_to_right(Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_size(size);
            ui.add(Label::new(position).selectable(false)).on_hover_text("Position: bar, beat, sixteenth");
        });
        draw_song(ui, shown, set, drafts, actions);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let song = &set.song;
            for (name, can, call, keys) in
                [("Redo", song.can_redo, acts::redo(), "Ctrl+Y"), ("Undo", song.can_undo, acts::undo(), "Ctrl+Z")]
            {
                if ui.add_enabled(can, egui::Button::new(name)).on_hover_text(keys).clicked() {
                    actions.push(Action::Call(call));
                }
            }
            now_playing(ui, shown, set);
        });
    });
}

fn draw_song(ui: &mut Ui, shown: &Shown, set: &ShownSet, drafts: &mut HeaderDrafts, actions: &mut Vec<Action>) {
    let song = &set.song;
    let tempo_bpm = shown.playback.as_ref().map_or(song.tempo_bpm, |playback| playback.tempo_bpm);
    let tempo = format!("{tempo_bpm:.2}");
    let meter = shown.playback.as_ref().map_or(&song.meter, |playback| &playback.meter);
    if song.is_led_by_daw {
        ui.label(format!("{tempo} BPM  {meter}")).on_hover_text("The DAW leads: tempo and meter are its own");
    } else {
        let name = ui.label(RichText::new("Tempo").color(QUIET));
        if let Some(text) = field(ui, TEMPO_FIELD, &mut drafts.tempo, &tempo, &mut drafts.refused, name.id) {
            // What is no number is refused by the tool, in words.
            let call = text.trim().parse().map_or_else(|_| acts::set_tempo(f64::NAN), acts::set_tempo);
            actions.push(Action::Call(call));
        }
        let name = ui.label(RichText::new("Meter").color(QUIET));
        if let Some(text) = field(ui, METER_FIELD, &mut drafts.meter, meter, &mut drafts.refused, name.id) {
            actions.push(Action::Call(acts::set_meter(text.trim())));
        }
    }
    let brace = &song.loop_brace;
    let (from, to) = (brace.start_beat, brace.start_beat + brace.length_beats);
    let text = format!("Loop {} – {}", set.meter.short_position(from), set.meter.short_position(to));
    let (state, next) = if brace.is_on { ("on", "off") } else { ("off", "on") };
    let tip = format!("Loop of the Arrangement: {state}. A click switches it {next}");
    if lamp_button(ui, &text, brace.is_on).on_hover_text(tip).clicked() {
        actions.push(Action::Call(acts::set_loop(!brace.is_on)));
    }
    if icon_button(ui, "Metronome", Icon::Metronome, song.metronome.then_some(ACCENT)).clicked() {
        actions.push(Action::Call(acts::set_metronome(!song.metronome)));
    }
    if song.scale.is_on {
        let scale = format!("{} {}", root_name(song.scale.root_note), song.scale.name);
        ui.label(RichText::new(scale).color(QUIET)).on_hover_text("The Set's scale");
    }
}

/// The clips that play, in words, as far as there is room.
fn now_playing(ui: &mut Ui, shown: &Shown, set: &ShownSet) {
    let Some(playback) = shown.playback.as_deref() else { return };
    let mut names: Vec<&str> = Vec::new();
    for (track, scene, ..) in &playback.playing {
        let track = set.tracks.get(*track).map(|shown| (*track, shown.view.name.as_str()));
        let name = track.and_then(|(at, track)| {
            let clip = set.slot(at, *scene)?;
            // One without a name says the least.
            Some(if clip.is_named { clip.name.as_str() } else { track })
        });
        names.extend(name.filter(|name| names.len() < MOST_NAMES && !names.contains(name)));
    }
    let clips = playback.playing.len();
    let mut text = match (names.is_empty(), playback.is_playing) {
        (false, _) if clips > names.len() => format!("Playing {clips} clips: {}", names.join(", ")),
        (false, _) => format!("Playing {}", names.join(", ")),
        (true, true) => "Playing the Arrangement".to_owned(),
        (true, false) => "Stopped".to_owned(),
    };
    if playback.is_led_by_daw {
        text += ", led by the DAW";
    }
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.add(Label::new(RichText::new(text).color(QUIET)).truncate());
    });
}

/// Draws the tabs, and at their right where the device listens.
pub fn draw_tabs(ui: &mut Ui, model: &WindowModel, tab: &mut Tab, actions: &mut Vec<Action>) {
    ui.horizontal_centered(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for one in Tab::ALL {
            if draw_tab(ui, one, *tab == one).clicked() && *tab != one {
                *tab = one;
                actions.push(Action::Open(one));
            }
        }
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| draw_server(ui, model, actions));
    });
}

fn draw_tab(ui: &mut Ui, tab: Tab, is_open: bool) -> egui::Response {
    let color = if is_open { TEXT } else { QUIET };
    let galley = ui.painter().layout_no_wrap(tab.name().to_owned(), super::style::font(14.0), color);
    let (place, _) = ui.allocate_exact_size(Vec2::new(galley.size().x + 24.0, 34.0), Sense::hover());
    let response = ui.interact(place, ui.scope_id().with(tab.name()), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::Tab, true, is_open, tab.name()));
    let color = if response.hovered() { TEXT } else { color };
    ui.painter().galley_with_override_text_color(place.center() - galley.size() / 2.0, galley, color);
    if is_open {
        let line = egui::Rect::from_min_max(egui::pos2(place.left(), place.bottom() - 2.0), place.max);
        ui.painter().rect_filled(line, 0, ACCENT);
    }
    super::widgets::focus_ring(ui, &response, place);
    response
}

/// Where the device listens, from right to left.
fn draw_server(ui: &mut Ui, model: &WindowModel, actions: &mut Vec<Action>) {
    match &model.server {
        ServerLine::Listening { address } => {
            if ui.button("Open in browser").on_hover_text("The same, larger").clicked() {
                actions.push(Action::OpenPage(address.clone()));
            }
            if ui.button("Copy").on_hover_text("Copy the address").clicked() {
                actions.push(Action::Copy(address.clone()));
            }
            let is_narrow = ui.available_width() < WHOLE_ADDRESS;
            let shown = if is_narrow { address.trim_start_matches("http://") } else { address };
            ui.label(shown).on_hover_text(&model.host.text);
            dot(ui, ACCENT);
        }
        ServerLine::Waiting { .. } => {
            ui.label(RichText::new("Not reachable").color(WARN));
            dot(ui, WARN);
        }
        ServerLine::Off => {
            ui.label(RichText::new("Starts when the host activates the plugin").color(QUIET));
            dot(ui, QUIET);
        }
    }
}

/// Draws the last call, and how large everything is.
pub fn draw_status(ui: &mut Ui, shown: &Shown, tab: &mut Tab, actions: &mut Vec<Action>) {
    ui.horizontal_centered(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let now = (ui.ctx().zoom_factor() * 100.0).round() as i32;
            let next = if now >= *SCALES.end() { *SCALES.start() } else { now + SCALE_STEP };
            let tip = "How large everything is: + and -, Ctrl+0";
            let button = egui::Button::new(RichText::new(format!("{now} %")).color(QUIET)).frame(false);
            if ui.add(button).on_hover_text(tip).clicked() {
                actions.push(Action::Scale(next as f32 / 100.0));
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let Some(call) = shown.calls.first() else {
                    if shown.are_calls_read {
                        ui.label(RichText::new("No call yet. What scripts and agents do appears here.").color(QUIET));
                    }
                    return;
                };
                ui.label(RichText::new(&call.time).color(QUIET)).on_hover_text("UTC");
                ui.label(RichText::new(&call.client).strong());
                ui.label(RichText::new(&call.tool).color(QUIET));
                let color = if call.has_failed { WARN } else { TEXT };
                let line = Label::new(RichText::new(&call.line).color(color)).truncate().sense(Sense::click());
                if ui.add(line).clicked() {
                    *tab = Tab::Activity;
                    actions.push(Action::Open(Tab::Activity));
                }
            });
        });
    });
}

fn scaled(percent: i32) -> Action {
    Action::Scale(percent.clamp(*SCALES.start(), *SCALES.end()) as f32 / 100.0)
}

/// What keys do wherever the keyboard is, unless a text is written.
pub fn take_keys(ui: &Ui, shown: &Shown, tab: &mut Tab, actions: &mut Vec<Action>) {
    let pressed = |modifiers: Modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let now = (ui.ctx().zoom_factor() * 100.0).round() as i32;
    for (keys, next) in [
        (&[Key::Plus, Key::Equals][..], now + SCALE_BY_KEY),
        (&[Key::Minus], now - SCALE_BY_KEY),
        (&[Key::Num0], *SCALES.start()),
    ] {
        if keys.iter().any(|key| pressed(Modifiers::COMMAND, *key)) {
            actions.push(scaled(next));
        }
    }
    let keys = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6];
    for (key, one) in keys.into_iter().zip(Tab::ALL) {
        if pressed(Modifiers::COMMAND, key) && *tab != one {
            *tab = one;
            actions.push(Action::Open(one));
        }
    }
    if ui.ctx().egui_wants_keyboard_input() && ui.ctx().text_edit_focused() {
        return;
    }
    // `egui-baseview` tells of letters, digits and keys with names; a sign comes as the text that it writes, and a
    // letter with Shift not at all.
    for (text, next) in [("+", now + SCALE_BY_KEY), ("-", now - SCALE_BY_KEY)] {
        if ui.input(|input| input.events.iter().any(|event| matches!(event, Event::Text(typed) if typed == text))) {
            actions.push(scaled(next));
        }
    }
    if pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z) || pressed(Modifiers::COMMAND, Key::Y) {
        actions.push(Action::Call(acts::redo()));
    } else if pressed(Modifiers::COMMAND, Key::Z) {
        actions.push(Action::Call(acts::undo()));
    }
    let is_focused = ui.memory(|memory| memory.focused().is_some());
    if !is_focused && pressed(Modifiers::NONE, Key::Space) {
        let is_playing = shown.playback.as_ref().is_some_and(|playback| playback.is_playing);
        actions.push(Action::Call(if is_playing { acts::stop() } else { acts::play() }));
    }
}

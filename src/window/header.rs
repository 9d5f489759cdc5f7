//! What is always in sight: the transport, the tabs with the device's address. Where a window is forced below its least
//! size, what finds no room is left out, so that nothing lies over something else.

use super::acts;
use super::fields::{FieldStyle, field};
use super::kept_part::OneOf;
use super::model::{Action, ServerLine, WindowModel};
use super::playing::{draw_playing, has_way_back, playing_text};
use super::shown::{Shown, ShownSet};
use super::status::SCALES;
use super::style::{ACCENT, HUGE, PLAY, QUIET, TEXT, WARN};
use super::tab::Tab;
use super::times::root_name;
use super::widgets::{ICON_BUTTON, Icon, dot, icon_button, lamp_button, lamp_width, text_width};
use egui::{
    Align, Color32, Event, Key, Label, Layout, Modifiers, Rect, RichText, Role, Sense, Ui, UiBuilder, Vec2, WidgetInfo,
};

/// Texts that were typed into the header and not yet taken.
#[derive(Clone, Debug, Default)]
pub struct HeaderDrafts {
    tempo: Option<String>,
    meter: Option<String>,
    refused: Option<String>,
    /// Where the position has its room.
    position: Option<Rect>,
}

const TEMPO_FIELD: FieldStyle = FieldStyle { width: 62.0, hint: "" };
const METER_FIELD: FieldStyle = FieldStyle { width: 44.0, hint: "" };

const POSITION: Vec2 = Vec2::new(88.0, 28.0);
/// The gap before a field, and its edges.
const FIELD_ROOM: f32 = 20.0;
/// Room for a dot and the gaps beside it.
const DOT_ROOM: f32 = 24.0;

const SCALE_BY_KEY: i32 = 10;

/// All that the transport shows but the position, while nobody writes in it.
#[derive(Clone, PartialEq)]
pub struct TransportKey {
    set: Option<OneOf<ShownSet>>,
    is_playing: bool,
    playing: Option<PlayingKey>,
}

/// What of that goes with what plays.
#[derive(Clone, PartialEq)]
struct PlayingKey {
    tempo_bpm: f64,
    meter: String,
    text: String,
    has_way_back: bool,
}

impl TransportKey {
    pub fn of(shown: &Shown) -> TransportKey {
        let playing = shown.set.as_ref().zip(shown.playback.as_ref()).map(|(set, playback)| PlayingKey {
            tempo_bpm: playback.tempo_bpm,
            meter: playback.meter.clone(),
            text: playing_text(playback, set),
            has_way_back: has_way_back(playback),
        });
        TransportKey { set: shown.set.as_ref().map(OneOf::of), is_playing: shown.is_playing(), playing }
    }
}

/// All that the line of the tabs shows.
#[derive(Clone, PartialEq)]
pub struct TabsKey {
    tab: Tab,
    server: ServerLine,
}

impl TabsKey {
    pub fn of(model: &WindowModel, tab: Tab) -> TabsKey {
        TabsKey { tab, server: model.server.clone() }
    }
}

/// Draws play, stop, room for where the song is, tempo, meter, loop, undo.
pub fn draw_transport(ui: &mut Ui, shown: &Shown, drafts: &mut HeaderDrafts, actions: &mut Vec<Action>) {
    ui.horizontal_centered(|ui| {
        let mut place = ui.available_rect_before_wrap();
        place.max.x -= button_width(ui, "Undo") + button_width(ui, "Redo");
        let layout = Layout::left_to_right(Align::Center);
        let mut part = ui.new_child(UiBuilder::new().id_salt("song").max_rect(place).layout(layout));
        draw_clock(&mut part, shown, drafts, actions);
        ui.advance_cursor_after_rect(part.min_rect());
        let Some(set) = &shown.set else { return };
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let song = &set.song;
            for (name, can, call, keys) in
                [("Redo", song.can_redo, acts::redo(), "Ctrl+Y"), ("Undo", song.can_undo, acts::undo(), "Ctrl+Z")]
            {
                if ui.add_enabled(can, egui::Button::new(name)).on_hover_text(keys).clicked() {
                    actions.push(Action::Call(call));
                }
            }
            if let Some(playback) = shown.playback.as_deref() {
                draw_playing(ui, playback, set, actions);
            }
        });
    });
}

/// Of a button with that word, and the gap beside it.
fn button_width(ui: &Ui, word: &str) -> f32 {
    let spacing = ui.spacing();
    text_width(ui.painter(), word) + 2.0 * spacing.button_padding.x + spacing.item_spacing.x
}

fn draw_clock(ui: &mut Ui, shown: &Shown, drafts: &mut HeaderDrafts, actions: &mut Vec<Action>) {
    if icon_button(ui, "Play", Icon::Play, shown.is_playing().then_some(PLAY)).clicked() {
        actions.push(Action::Call(acts::start_transport()));
    }
    if icon_button(ui, "Stop", Icon::Stop, None).clicked() {
        actions.push(Action::Call(acts::stop_transport()));
    }
    let Some(set) = &shown.set else { return };
    drafts.position = Some(ui.allocate_exact_size(POSITION, Sense::hover()).0);
    draw_tempo_and_meter(ui, shown, set, drafts, actions);
    draw_switches(ui, set, actions);
}

/// Draws where the song is, into the room that the transport leaves for it: it is another text in most frames, in which
/// nothing else of the transport is.
pub fn draw_position(ui: &mut Ui, shown: &Shown, drafts: &HeaderDrafts) {
    let (Some(set), Some(place)) = (&shown.set, drafts.position) else { return };
    let beat = shown.playback.as_ref().map_or(set.song.song_time_beats, |playback| playback.beat);
    let position = RichText::new(set.meter.position(beat)).size(HUGE);
    let layout = Layout::left_to_right(Align::Center);
    let mut part = ui.new_child(UiBuilder::new().id_salt("position").max_rect(place).layout(layout));
    part.add(Label::new(position).selectable(false)).on_hover_text("Position: bar, beat, sixteenth");
}

fn draw_tempo_and_meter(
    ui: &mut Ui,
    shown: &Shown,
    set: &ShownSet,
    drafts: &mut HeaderDrafts,
    actions: &mut Vec<Action>,
) {
    let song = &set.song;
    let tempo_bpm = shown.playback.as_ref().map_or(song.tempo_bpm, |playback| playback.tempo_bpm);
    let tempo = format!("{tempo_bpm:.2}");
    let meter = shown.playback.as_ref().map_or(&song.meter, |playback| &playback.meter);
    if song.is_led_by_daw {
        let text = format!("{tempo} BPM  {meter}");
        if text_width(ui.painter(), &text) <= ui.available_width() {
            ui.label(text).on_hover_text("The DAW leads: tempo and meter are its own");
        }
        return;
    }
    let has_room = |ui: &Ui, word: &str, field: &FieldStyle| {
        text_width(ui.painter(), word) + field.width + FIELD_ROOM <= ui.available_width()
    };
    if !has_room(ui, "Tempo", &TEMPO_FIELD) {
        return;
    }
    let name = ui.label(RichText::new("Tempo").color(QUIET));
    if let Some(text) = field(ui, TEMPO_FIELD, &mut drafts.tempo, &tempo, &mut drafts.refused, name.id) {
        // What is no number is refused by the tool, in words.
        let call = text.trim().parse().map_or_else(|_| acts::set_tempo(f64::NAN), acts::set_tempo);
        actions.push(Action::Call(call));
    }
    if !has_room(ui, "Meter", &METER_FIELD) {
        return;
    }
    let name = ui.label(RichText::new("Meter").color(QUIET));
    if let Some(text) = field(ui, METER_FIELD, &mut drafts.meter, meter, &mut drafts.refused, name.id) {
        actions.push(Action::Call(acts::set_meter(text.trim())));
    }
}

/// Loop and metronome, and the scale, as far as there is room.
fn draw_switches(ui: &mut Ui, set: &ShownSet, actions: &mut Vec<Action>) {
    let song = &set.song;
    let brace = &song.loop_brace;
    let (from, to) = (brace.start_beat, brace.start_beat + brace.length_beats);
    let span = format!("{} – {}", set.meter.short_position(from), set.meter.short_position(to));
    let whole = format!("Loop {span}");
    let fits = |ui: &Ui, text: &str| lamp_width(ui.painter(), text) <= ui.available_width();
    let Some(text) = [whole.as_str(), "Loop"].into_iter().find(|text| fits(ui, text)) else { return };
    let (state, next) = if brace.is_on { ("on", "off") } else { ("off", "on") };
    let tip = format!("Loop of the Arrangement, {span}: {state}. A click switches it {next}");
    if lamp_button(ui, text, brace.is_on).on_hover_text(tip).clicked() {
        actions.push(Action::Call(acts::set_loop(!brace.is_on)));
    }
    if ui.available_width() < ICON_BUTTON.x {
        return;
    }
    if icon_button(ui, "Metronome", Icon::Metronome, song.metronome.then_some(ACCENT)).clicked() {
        actions.push(Action::Call(acts::set_metronome(!song.metronome)));
    }
    let scale = format!("{} {}", root_name(song.scale.root_note), song.scale.name);
    if song.scale.is_on && text_width(ui.painter(), &scale) <= ui.available_width() {
        ui.label(RichText::new(scale).color(QUIET)).on_hover_text("The Set's scale");
    }
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

/// Where the device listens, from right to left, as far as there is room: the address goes first.
fn draw_server(ui: &mut Ui, model: &WindowModel, actions: &mut Vec<Action>) {
    match &model.server {
        ServerLine::Listening { address } => {
            for (name, what, action) in [
                ("Open in browser", "The same, larger", Action::OpenPage(address.clone())),
                ("Copy", "Copy the address", Action::Copy(address.clone())),
            ] {
                if button_width(ui, name) > ui.available_width() {
                    return;
                }
                if ui.button(name).on_hover_text(what).clicked() {
                    actions.push(action);
                }
            }
            let fits = |text: &&str| text_width(ui.painter(), text) + DOT_ROOM <= ui.available_width();
            let Some(shown) = [address.as_str(), address.trim_start_matches("http://")].into_iter().find(fits) else {
                return;
            };
            ui.label(shown).on_hover_text(&model.host.text);
            dot(ui, ACCENT);
        }
        ServerLine::Waiting { .. } => draw_state(ui, "Not reachable", WARN),
        ServerLine::Off => draw_state(ui, "Starts when the host activates the plugin", QUIET),
    }
}

fn draw_state(ui: &mut Ui, text: &str, color: Color32) {
    let room = ui.available_width() - DOT_ROOM;
    let label = Label::new(RichText::new(text).color(color)).truncate();
    // As wide as its words, beside which the dot is.
    let width = text_width(ui.painter(), text).min(room);
    if width > 0.0 {
        ui.add_sized(Vec2::new(width + 1.0, 20.0), label).on_hover_text(text);
    }
    dot(ui, color);
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
    let typed = |sign: char| {
        let in_event = |event: &Event| match event {
            Event::Text(text) => text.chars().filter(|typed| *typed == sign).count(),
            _ => 0,
        };
        ui.input(|input| input.events.iter().map(in_event).sum::<usize>()) as i32
    };
    let steps = typed('+') - typed('-');
    if steps != 0 {
        actions.push(scaled(now + steps * SCALE_BY_KEY));
    }
    if pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z) || pressed(Modifiers::COMMAND, Key::Y) {
        actions.push(Action::Call(acts::redo()));
    } else if pressed(Modifiers::COMMAND, Key::Z) {
        actions.push(Action::Call(acts::undo()));
    }
    let is_focused = ui.memory(|memory| memory.focused().is_some());
    if !is_focused && pressed(Modifiers::NONE, Key::Space) {
        actions.push(Action::Call(acts::play_or_stop(shown.is_playing())));
    }
}

//! What plays, in words, and the way back to the Arrangement for tracks that were taken over by clips or a stop.

use super::acts;
use super::model::Action;
use super::shown::ShownSet;
use super::style::{GROUND, MUTE, NORMAL, QUIET};
use super::widgets::{Icon, icon_button};
use crate::set::document::TrackKind;
use crate::set_view::PlaybackView;
use egui::{Align, Button, Label, Layout, RichText, Ui};

/// Clips that are named.
const MOST_NAMES: usize = 24;
/// From more clips on they are counted too.
const MOST_UNCOUNTED: usize = 2;
/// With less room than this nothing is said.
const LEAST_TEXT: f32 = 24.0;
/// With less room than this the way back is an icon.
const WORDED: f32 = 360.0;

/// Draws both, from right to left, in the room that is left.
pub fn draw_playing(ui: &mut Ui, playback: &PlaybackView, set: &ShownSet, actions: &mut Vec<Action>) {
    if has_way_back(playback) {
        draw_way_back(ui, actions);
    }
    let text = playing_text(playback, set);
    if ui.available_width() < LEAST_TEXT {
        return;
    }
    ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
        ui.add(Label::new(RichText::new(text).color(QUIET)).truncate());
    });
}

/// A track does not follow the Arrangement.
pub fn has_way_back(playback: &PlaybackView) -> bool {
    !playback.playing.is_empty() || !playback.stopped.is_empty()
}

fn draw_way_back(ui: &mut Ui, actions: &mut Vec<Action>) {
    const NAME: &str = "Back to Arrangement";
    let what = "Tracks play launched clips, or were stopped; all of them follow the Arrangement again";
    let room = ui.available_width();
    let response = if room >= WORDED {
        ui.add(Button::new(RichText::new(NAME).size(NORMAL).color(GROUND)).fill(MUTE)).on_hover_text(what)
    } else if room >= ui.spacing().interact_size.x {
        icon_button(ui, NAME, Icon::Back, Some(MUTE)).on_hover_text(what)
    } else {
        return;
    };
    if response.clicked() {
        actions.push(Action::Call(acts::back_to_arrangement()));
    }
}

/// `Playing Beat, Bass`; `Playing 3 clips: Beat, Bass, Keys`; `Playing the Arrangement, 2 tracks stopped`; `Stopped`.
pub fn playing_text(playback: &PlaybackView, set: &ShownSet) -> String {
    let names = clip_names(playback, set);
    let clips = playback.playing.len();
    let named = || names.join(", ");
    // The names may not fit.
    let has_more = clips > names.len().min(MOST_UNCOUNTED);
    let mut text = match (names.is_empty(), playback.is_playing) {
        (false, true) if has_more => format!("Playing {clips} clips: {}", named()),
        (false, true) => format!("Playing {}", named()),
        (false, false) if has_more => format!("Stopped, {clips} clips launched: {}", named()),
        (false, false) => format!("Stopped, launched: {}", named()),
        (true, true) => arrangement_text(playback, set),
        (true, false) => "Stopped".to_owned(),
    };
    if playback.is_led_by_daw {
        text += ", led by the DAW";
    }
    text
}

fn arrangement_text(playback: &PlaybackView, set: &ShownSet) -> String {
    let regular = set.tracks.iter().take(set.regular());
    let tracks = regular.filter(|track| track.view.kind != TrackKind::Group).count();
    match playback.stopped.len() {
        0 => "Playing the Arrangement".to_owned(),
        stopped if stopped >= tracks => "All tracks are stopped".to_owned(),
        1 => "Playing the Arrangement, 1 track stopped".to_owned(),
        stopped => format!("Playing the Arrangement, {stopped} tracks stopped"),
    }
}

/// Each name once.
fn clip_names<'a>(playback: &PlaybackView, set: &'a ShownSet) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for (track, scene, ..) in &playback.playing {
        let name = set.tracks.get(*track).and_then(|shown| {
            let clip = set.slot(*track, *scene)?;
            // One without a name says the least.
            Some(if clip.is_named { clip.name.as_str() } else { shown.view.name.as_str() })
        });
        names.extend(name.filter(|name| names.len() < MOST_NAMES && !names.contains(name)));
    }
    names
}

//! The window by keyboard alone: from key to key, with nothing in hand but Tab, arrows, Space and Enter.

use super::fixture::{full_set, model_of, shown_of_new_set};
use super::{Rig, User, plain};
use crate::window::acts;
use crate::window::model::{Action, WindowModel};
use crate::window::shown::Shown;
use crate::window::tab::Tab;
use egui::{Event, Key, Modifiers};
use serde_json::json;
use std::sync::Arc;

/// Presses of Tab that go through the whole window.
const MOST_PRESSES: usize = 200;

/// Presses Tab until what has that name has the keyboard; never a pointer.
fn tab_to(user: &mut User, model: &WindowModel, name: &str) {
    user.frame(model, Vec::new());
    let mut seen = Vec::new();
    for _ in 0..MOST_PRESSES {
        assert_eq!(user.key(model, Key::Tab, Modifiers::NONE), [], "Tab does nothing but go on");
        user.frame(model, Vec::new());
        if user.focused == name {
            return;
        }
        seen.push(user.focused.clone());
    }
    panic!("{name:?} is not reached: {seen:?}");
}

fn with_a_clip() -> (Rig, WindowModel) {
    let rig = Rig::new();
    rig.call("svc-create-clip", json!({ "path": "t0/s0", "name": "Bass", "notes": "C1 1|1" }));
    let model = model_of(rig.shown());
    (rig, model)
}

#[test]
fn a_clip_is_launched_and_opened_and_a_track_muted() {
    let (_rig, model) = with_a_clip();
    let mut user = User::at(Tab::Session);
    for key in [Key::Enter, Key::Space] {
        tab_to(&mut user, &model, "Launch Bass, 1-MIDI");
        assert_eq!(user.key(&model, key, Modifiers::NONE), [Action::Call(acts::launch_clip(0, 0))], "{key:?}");
        tab_to(&mut user, &model, "Mute 1-MIDI");
        let mute = Action::Call(acts::update_track("t0", json!({ "mute": true })));
        assert_eq!(user.key(&model, key, Modifiers::NONE), [mute], "{key:?}");
    }
    tab_to(&mut user, &model, "1-MIDI, scene 1: Bass");
    let opened = user.key(&model, Key::Enter, Modifiers::NONE);
    assert!(opened.contains(&Action::Open(Tab::Clip)), "{opened:?}");
}

#[test]
fn a_setting_is_changed() {
    let model = plain();
    let mut user = User::at(Tab::Session);
    user.size.y = 1_600.0;
    tab_to(&mut user, &model, "Setup");
    assert_eq!(user.key(&model, Key::Enter, Modifiers::NONE), [Action::Open(Tab::Setup)]);
    for (name, action) in [("JSON output", Action::JsonOutput(true)), ("Sound", Action::Sound(false))] {
        tab_to(&mut user, &model, name);
        assert_eq!(user.key(&model, Key::Space, Modifiers::NONE), [action], "{name}");
    }
    tab_to(&mut user, &model, "Port");
    user.key(&model, Key::A, Modifiers::COMMAND);
    user.frame(&model, vec![Event::Text("4000".to_owned())]);
    assert_eq!(user.key(&model, Key::Enter, Modifiers::NONE), [Action::Port(4000)]);
}

/// The window's framework tells of letters and digits as they are without Shift, and of signs as text alone.
#[test]
fn keys_reach_the_window_as_its_framework_tells_them() {
    let model = plain();
    let mut user = User::at(Tab::Session);
    user.frame(&model, Vec::new());
    let types = |user: &mut User, text: &str| user.frame(&model, vec![Event::Text(text.to_owned())]);
    assert_eq!(types(&mut user, "+"), [Action::Scale(1.1)]);
    assert_eq!(types(&mut user, "-"), [Action::Scale(1.0)], "it is not smaller than that");
    let quick = ["+", "+", "+"].map(|sign| Event::Text(sign.to_owned())).to_vec();
    assert_eq!(user.frame(&model, quick), [Action::Scale(1.3)]);
    assert_eq!(user.key(&model, Key::Y, Modifiers::COMMAND), [Action::Call(acts::redo())]);
    // A sign that is written is written.
    user.write(&model, "Tempo", "98");
    user.click(&model, "Tempo");
    assert_eq!(user.frame(&model, vec![Event::Text("+".to_owned())]), []);
}

#[test]
fn arrows_go_to_the_scenes_that_are_out_of_sight() {
    let set = full_set(16, 32, "Clip");
    let model = model_of(Shown { set: Some(Arc::new(set)), ..shown_of_new_set() });
    let mut user = User::at(Tab::Session);
    (0..3).for_each(|_| drop(user.frame(&model, Vec::new())));
    user.focus(&model, "0 Clip, scene 1: Clip 0");
    for scene in 2..=20 {
        user.key(&model, Key::ArrowDown, Modifiers::NONE);
        (0..20).for_each(|_| drop(user.frame(&model, Vec::new())));
        assert_eq!(user.focused, format!("0 Clip, scene {scene}: Clip {}", scene - 1));
    }
}

/// The key that brings the keyboard to a slider does not move it.
#[test]
fn an_arrow_goes_on_or_moves_a_slider_but_never_both() {
    let model = plain();
    let mut user = User::at(Tab::Session);
    (0..3).for_each(|_| drop(user.frame(&model, Vec::new())));
    user.focus(&model, "Pan of 1-MIDI");
    user.frame(&model, Vec::new());
    assert!(!user.key(&model, Key::ArrowRight, Modifiers::NONE).is_empty(), "it moves");
    let key = |key, pressed| Event::Key { key, physical_key: None, pressed, repeat: false, modifiers: Modifiers::NONE };
    user.focus(&model, "Volume of 1-MIDI");
    user.frame(&model, Vec::new());
    // Along the faders, then along the pans: in each frame a key, before what has the keyboard now has said its own.
    let mut visited = Vec::new();
    for name in [[Key::ArrowRight; 8], [Key::ArrowDown; 8], [Key::ArrowLeft; 8], [Key::ArrowUp; 8]].concat() {
        let before = user.focused.clone();
        let actions = user.frame(&model, vec![key(name, true), key(name, false)]);
        assert!(actions.is_empty() || user.focused == before, "{before} to {}: {actions:?}", user.focused);
        visited.push(before);
    }
    assert!(visited.iter().any(|name| name.starts_with("Volume")), "{visited:?}");
}

#[test]
fn the_song_plays_by_a_key_once_its_start_is_set() {
    let model = plain();
    let mut user = User::at(Tab::Arrangement);
    user.frame(&model, Vec::new());
    user.frame(&model, Vec::new());
    user.focus(&model, "Start of the song, bar 1: a click sets it");
    for key in [Key::Space, Key::Enter] {
        assert_eq!(user.key(&model, key, Modifiers::NONE), [Action::Call(acts::start_transport())]);
    }
}

#[test]
fn the_metronome_is_switched() {
    let (rig, model) = with_a_clip();
    let mut user = User::at(Tab::Session);
    tab_to(&mut user, &model, "Metronome");
    let on = acts::set_metronome(true);
    assert_eq!(user.key(&model, Key::Enter, Modifiers::NONE), [Action::Call(on.clone())]);
    rig.call(on.tool, on.arguments);
    let model = model_of(rig.shown());
    assert_eq!(user.click(&model, "Metronome"), [Action::Call(acts::set_metronome(false))]);
    assert!(user.find("Metronome").is_on);
}

//! Each tab: what it shows, and what a click or a key in it asks for.

use super::{Rig, User, model_of, plain};
use crate::set_view::WaveformView;
use crate::window::acts::{self, ToolCall};
use crate::window::model::{Action, WindowModel};
use crate::window::shown::{Shown, ShownContext};
use crate::window::tab::Tab;
use crate::window::times::ShownMeter;
use egui::{Event, Key, Modifiers};
use serde_json::json;
use std::sync::Arc;

/// A Set with a clip named Bass in the first slot and another in the Arrangement, and a locator.
fn small() -> (Rig, WindowModel) {
    let rig = Rig::new();
    rig.call("svc-create-clip", json!({ "path": "t0/s0", "name": "Bass", "notes": "v100 C1 1|1 v60 D1 1|2 E1 1|3" }));
    rig.call("svc-create-clip", json!({ "path": "t1[5|1]", "name": "Lead", "notes": "C3 1|1" }));
    rig.call(
        "svc-update-live-set",
        json!({
            "locatorOperation": "create", "locatorTime": "9|1", "locatorName": "Drop"
        }),
    );
    let model = model_of(rig.shown());
    (rig, model)
}

fn call(call: ToolCall) -> [Action; 1] {
    [Action::Call(call)]
}

fn without_gesture(actions: Vec<Action>) -> Vec<Action> {
    let plain = |action| match action {
        Action::Call(call) => Action::Call(ToolCall { gesture: None, ..call }),
        other => other,
    };
    actions.into_iter().map(plain).collect()
}

#[test]
fn the_session_launches_selects_and_mixes() {
    let (_rig, model) = small();
    let mut user = User::at(Tab::Session);
    for (name, wanted) in [
        ("Launch Bass, 1-MIDI", acts::launch_clip(0, 0)),
        ("Launch scene 2: Scene 2", acts::launch_scene(1)),
        ("Stop 1-MIDI", acts::stop_track(0)),
        ("Stop clips", acts::stop_all_clips()),
        ("Mute 1-MIDI", acts::update_track("t0", json!({ "mute": true }))),
        ("Solo 1-MIDI", acts::update_track("t0", json!({ "solo": true }))),
        ("Arm 2-MIDI", acts::update_track("t1", json!({ "arm": true }))),
        ("Play", acts::start_transport()),
        ("Stop", acts::stop_transport()),
    ] {
        assert_eq!(user.click(&model, name), call(wanted), "{name}");
    }
    let actions = user.click(&model, "1-MIDI, scene 1: Bass");
    assert!(matches!(actions.as_slice(), [Action::Call(call)] if call.tool == "svc-select"), "{actions:?}");
    assert_eq!(user.drafts.tab, Tab::Session);
}

#[test]
fn faders_move_by_keys_and_go_back_by_a_double_click() {
    let (_rig, model) = small();
    let mut user = User::at(Tab::Session);
    user.click(&model, "Volume of 1-MIDI");
    let quieter = user.key(&model, Key::ArrowDown, Modifiers::NONE);
    assert_eq!(without_gesture(quieter), call(acts::update_track("t0", json!({ "gainDb": -0.8 }))));
    user.click(&model, "Pan of 1-MIDI");
    let right = user.key(&model, Key::ArrowRight, Modifiers::NONE);
    assert_eq!(without_gesture(right), call(acts::update_track("t0", json!({ "pan": 0.04 }))));
    user.click(&model, "Send of 1-MIDI to A-Reverb");
    let more = user.key(&model, Key::ArrowRight, Modifiers::NONE);
    let sends = json!({ "sends": [{ "return": "rt0", "gainDb": -70.0 }] });
    assert!(matches!(&more[..], [Action::Call(call)] if call.tool == "svc-update-track"), "{more:?} {sends}");
}

#[test]
fn each_return_says_which_it_is() {
    let (_rig, model) = small();
    let mut user = User::at(Tab::Session);
    user.frame(&model, Vec::new());
    for (name, said) in [("A-Reverb", "Return A"), ("B-Delay", "Return B")] {
        // The line above the sends.
        let at = user.find(&format!("Mute {name}")).place.center_top() - egui::vec2(0.0, 67.0);
        user.frame(&model, vec![Event::PointerMoved(at)]);
        // Until the pointer has rested there.
        (0..3).for_each(|_| drop(user.frame(&model, Vec::new())));
        assert!(user.sees(said), "{name}: {:?}", user.names());
    }
}

#[test]
fn the_keyboard_reaches_a_clip_and_opens_it() {
    let (_rig, model) = small();
    let mut user = User::at(Tab::Session);
    user.frame(&model, Vec::new());
    user.focus(&model, "Launch Bass, 1-MIDI");
    assert_eq!(user.key(&model, Key::Enter, Modifiers::NONE), call(acts::launch_clip(0, 0)));
    // The arrows go on to its neighbour.
    user.key(&model, Key::ArrowRight, Modifiers::NONE);
    let actions = user.key(&model, Key::Enter, Modifiers::NONE);
    assert!(actions.contains(&Action::Open(Tab::Clip)), "{actions:?}");
    assert_eq!(user.drafts.tab, Tab::Clip);
    user.key(&model, Key::Num1, Modifiers::COMMAND);
    assert_eq!(user.drafts.tab, Tab::Session);
    assert_eq!(user.key(&model, Key::Z, Modifiers::COMMAND), call(acts::undo()));
    user.focus(&model, "Mute 1-MIDI");
    let muted = call(acts::update_track("t0", json!({ "mute": true })));
    assert_eq!(user.key(&model, Key::Space, Modifiers::NONE), muted);
}

#[test]
fn the_arrangement_sets_the_start() {
    let (_rig, model) = small();
    let mut user = User::at(Tab::Arrangement);
    let meter = ShownMeter::of("4/4");
    assert_eq!(user.click(&model, "Start at Drop"), call(acts::set_start(32.0, meter)));
    let ruler = user.find("Start of the song, bar 1: a click sets it").place;
    let at = ruler.left_top() + egui::vec2(8.0 * 5.5, 10.0);
    assert_eq!(user.press(&model, at), call(acts::set_start(5.0, meter)), "to the beat below");
    let actions = user.click(&model, "2-MIDI, bar 5: Lead, 1 bar");
    assert!(matches!(actions.as_slice(), [Action::Call(call)] if call.tool == "svc-select"), "{actions:?}");
}

#[test]
fn a_clip_shows_its_notes() {
    let (rig, model) = small();
    let clip = model.shown.set.as_ref().and_then(|set| Some(set.slots.first()?.id)).unwrap();
    let shown = Shown { clip: rig.clip(clip), ..Shown::clone(&model.shown) };
    let model = model_of(shown);
    let mut user = User::at(Tab::Clip);
    user.frame(&model, Vec::new());
    let roll = "Piano roll of Bass: 3 notes between A0 and Bb1";
    assert!(
        user.tree.iter().any(|found| found.name.starts_with("Piano roll of Bass: 3 notes")),
        "{roll}: {:?}",
        user.names()
    );
    assert_eq!(user.click(&model, "Launch"), call(acts::launch_clip(0, 0)));
    user.frame(&plain(), Vec::new());
    assert!(user.sees("No clip selected"), "{:?}", user.names());
}

#[test]
fn an_unwarped_clip_is_told_in_seconds() {
    let (rig, model) = small();
    let clip = model.shown.set.as_ref().and_then(|set| Some(set.slots.first()?.id)).unwrap();
    let mut clip = Arc::into_inner(rig.clip(clip).unwrap()).unwrap();
    clip.is_in_seconds = true;
    clip.is_audio = true;
    clip.notes = None;
    clip.loop_brace.is_on = false;
    (clip.markers.start_beat, clip.markers.end_beat) = (0.5, 3.0);
    clip.waveform = Some(WaveformView {
        file: "rain.wav".to_owned(),
        seconds: 8.0,
        channels: 1,
        is_warped: false,
        warp_markers: Vec::new(),
        peaks: Arc::default(),
        why: None,
    });
    let model = model_of(Shown { clip: Some(Arc::new(clip)), ..Shown::clone(&model.shown) });
    let mut user = User::at(Tab::Clip);
    user.frame(&model, Vec::new());
    assert!(user.names().iter().any(|name| name.contains("rain.wav · 2.50 s")), "{:?}", user.names());
    assert!(user.sees("Waveform of rain.wav, 8.00 seconds"), "{:?}", user.names());
}

#[test]
fn empty_sets_teach() {
    let rig = Rig::new();
    let model = model_of(rig.shown());
    let mut user = User::at(Tab::Session);
    user.frame(&model, Vec::new());
    assert!(user.sees("No clip yet"), "{:?}", user.names());
    let claude = "claude mcp add --transport http svc http://127.0.0.1:3350/mcp";
    assert_eq!(user.click(&model, "Copy the line for Claude Code"), [Action::Copy(claude.to_owned())]);
    // The line for curl makes what it says.
    let actions = user.click(&model, "Copy the line for curl");
    let [Action::Copy(line)] = actions.as_slice() else { panic!("{actions:?}") };
    let arguments = line.split(" -d '").nth(1).and_then(|rest| rest.strip_suffix('\'')).unwrap();
    rig.call("svc-create-clip", serde_json::from_str(arguments).unwrap());
    let mut shown = rig.shown();
    let mut none = shown.set.take().and_then(Arc::into_inner).unwrap();
    let regular = none.regular();
    none.tracks.drain(..regular);
    none.slots.clear();
    shown.set = Some(Arc::new(none));
    user.frame(&model_of(shown), Vec::new());
    assert!(user.sees("No track yet"), "{:?}", user.names());
}

#[test]
fn the_context_is_read_and_written() {
    let memory = vec![("mix-taste".to_owned(), "when mixing".to_owned())];
    let entry = Some(("mix-taste".to_owned(), "Dry drums.".to_owned()));
    let context = ShownContext { global: Some(Ok("I like dub.".to_owned())), memory, entry };
    let model = model_of(Shown { context: Arc::new(context), ..Shown::clone(&plain().shown) });
    let mut user = User::at(Tab::Context);
    user.size.y = 1_200.0;
    user.click(&model, "This project");
    user.frame(&model, vec![egui::Event::Text("Techno".to_owned())]);
    assert_eq!(user.click(&model, "Save"), call(acts::write_context("project", "Techno")));
    assert_eq!(user.click(&model, "mix-taste"), [Action::ReadMemory("mix-taste".to_owned())]);
    assert_eq!(user.click(&model, "Delete"), call(acts::delete_memory("mix-taste")));
}

/// What others save while somebody writes is neither lost nor taken for what was written.
#[test]
fn a_context_that_others_wrote_meanwhile_is_shown_beside_what_is_written() {
    let told = |global: &str| {
        let context = ShownContext { global: Some(Ok(global.to_owned())), ..ShownContext::default() };
        model_of(Shown { context: Arc::new(context), ..Shown::clone(&plain().shown) })
    };
    let mut user = User::at(Tab::Context);
    user.size.y = 1_200.0;
    let write = |user: &mut User, text: &str| {
        user.click(&told("Dub."), "All projects");
        user.frame(&told("Dub."), vec![egui::Event::Text(text.to_owned())]);
    };
    write(&mut user, "Mine ");
    user.frame(&told("Theirs."), Vec::new());
    assert!(user.sees("Theirs."), "{:?}", user.names());
    assert_eq!(user.press_last(&told("Theirs."), "Save"), [], "first it is chosen");
    user.click(&told("Theirs."), "Keep mine");
    let saved = user.press_last(&told("Theirs."), "Save");
    assert!(format!("{saved:?}").contains("Mine"), "{saved:?}");
    let mut user = User::at(Tab::Context);
    user.size.y = 1_200.0;
    write(&mut user, "Again ");
    user.click(&told("Newer."), "Take theirs");
    user.frame(&told("Newer."), Vec::new());
    assert!(!user.sees("Keep mine"));
    assert_eq!(user.press_last(&told("Newer."), "Save"), [], "nothing is left to be saved");
}

#[test]
fn tempo_and_meter_are_written() {
    let model = plain();
    let mut user = User::at(Tab::Session);
    assert_eq!(user.write(&model, "Tempo", "98.5"), call(acts::set_tempo(98.5)));
    assert_eq!(user.write(&model, "Meter", "6/8"), call(acts::set_meter("6/8")));
    assert_eq!(user.click(&model, "Setup"), [Action::Open(Tab::Setup)]);
    assert_eq!(user.click(&model, "Open in browser"), [Action::OpenPage("http://127.0.0.1:3350".to_owned())]);
    assert_eq!(user.key(&model, Key::Plus, Modifiers::COMMAND), [Action::Scale(1.1)]);
}

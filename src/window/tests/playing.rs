//! What the header says of what plays, and the transport's buttons.

use super::fixture::{full_set, model_of, shown_of_new_set};
use super::{User, plain};
use crate::object_model::ObjectId;
use crate::set_view::{Id, PlaybackView};
use crate::window::acts;
use crate::window::model::{Action, WindowModel};
use crate::window::shown::Shown;
use crate::window::tab::Tab;
use egui::{Key, Modifiers, Vec2};
use std::sync::Arc;

/// Three tracks, with clips of these names of which the first `playing` are launched, and tracks that are stopped.
fn model(names: [&str; 3], playing: usize, stopped: &[usize], is_playing: bool) -> WindowModel {
    let mut set = full_set(3, 1, "Clip");
    set.slots.iter_mut().zip(names).for_each(|(slot, name)| slot.name = name.to_owned());
    let mut playback = PlaybackView::clone(shown_of_new_set().playback.as_ref().unwrap());
    playback.playing = (0..playing).map(|track| (track, 0, 1.0, 0.0, 4.0, Id(ObjectId(3_000_000)))).collect();
    playback.stopped = stopped.to_vec();
    playback.is_playing = is_playing;
    let (set, playback) = (Some(Arc::new(set)), Some(Arc::new(playback)));
    model_of(Shown { set, playback, ..shown_of_new_set() })
}

fn before(model: &WindowModel) -> User {
    let mut user = User::at(Tab::Session);
    user.size = Vec2::new(1_900.0, 1_100.0);
    user.frame(model, Vec::new());
    user
}

/// A scene that is launched often plays clips of one name; a hundred times the same tells nothing. Names may not fit.
#[test]
fn clips_that_play_are_counted_and_named_once() {
    for (names, playing, text) in [
        (["Beat", "Bass", "Keys"], 2, "Playing Beat, Bass"),
        (["Beat", "Bass", "Keys"], 3, "Playing 3 clips: Beat, Bass, Keys"),
        (["Beat", "Beat", "Keys"], 2, "Playing 2 clips: Beat"),
        (["Beat", "Beat", "Keys"], 3, "Playing 3 clips: Beat, Keys"),
    ] {
        let user = before(&model(names, playing, &[], true));
        assert!(user.sees(text), "{:?}", user.names());
    }
}

/// A track that was stopped does not play the Arrangement, and a clip that is launched does not play while the clock
/// stands.
#[test]
fn what_plays_is_told_as_it_is() {
    let names = ["Beat", "Bass", "Keys"];
    for (model, text, is_taken_over) in [
        (model(names, 0, &[], true), "Playing the Arrangement", false),
        (model(names, 0, &[1], true), "Playing the Arrangement, 1 track stopped", true),
        (model(names, 0, &[0, 2], true), "Playing the Arrangement, 2 tracks stopped", true),
        (model(names, 0, &[0, 1, 2], true), "All tracks are stopped", true),
        (model(names, 2, &[2], true), "Playing Beat, Bass", true),
        (model(names, 2, &[], false), "Stopped, launched: Beat, Bass", true),
        (model(names, 0, &[1], false), "Stopped", true),
        (model(names, 0, &[], false), "Stopped", false),
    ] {
        let user = before(&model);
        assert!(user.sees(text), "{text}: {:?}", user.names());
        assert_eq!(user.sees("Back to Arrangement"), is_taken_over, "{text}");
    }
}

#[test]
fn a_clip_that_is_launched_does_not_play_while_the_clock_stands() {
    let names = ["Beat", "Bass", "Keys"];
    for (is_playing, said) in [(true, "playing"), (false, "launched")] {
        let user = before(&model(names, 1, &[], is_playing));
        assert!(user.sees(&format!("0 Clip, scene 1: Beat, {said}")), "{:?}", user.names());
        assert!(user.sees(&format!("Launch scene 1: Clip, partly {said}")), "{:?}", user.names());
    }
}

#[test]
fn the_way_back_to_the_arrangement_is_offered_in_every_size() {
    let model = model(["Beat", "Bass", "Keys"], 1, &[], true);
    let back = [Action::Call(acts::back_to_arrangement())];
    for width in [800.0, 1_040.0, 1_900.0] {
        let mut user = User::at(Tab::Session);
        user.size = Vec2::new(width, 700.0);
        assert_eq!(user.click(&model, "Back to Arrangement"), back, "{width}");
    }
}

/// What was launched stays launched over a stop, and plays again.
#[test]
fn play_and_stop_are_the_transports_own() {
    let (start, stop) = ([Action::Call(acts::start_transport())], [Action::Call(acts::stop_transport())]);
    let mut user = User::at(Tab::Session);
    assert_eq!(user.click(&plain(), "Play"), start);
    assert_eq!(user.click(&plain(), "Stop"), stop);
    let mut user = User::at(Tab::Session);
    user.frame(&plain(), Vec::new());
    assert_eq!(user.key(&plain(), Key::Space, Modifiers::NONE), start);
    let playing = model(["Beat", "Bass", "Keys"], 1, &[], true);
    assert_eq!(user.key(&playing, Key::Space, Modifiers::NONE), stop);
    let actions = [acts::start_transport(), acts::stop_transport()].map(|call| call.arguments.to_string());
    assert_eq!(actions, [r#"{"action":"start-transport"}"#, r#"{"action":"stop-transport"}"#]);
}

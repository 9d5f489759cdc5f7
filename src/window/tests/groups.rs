//! Groups in the Session: they fold here, and show where their tracks have clips.

use super::fixture::model_of;
use super::{Rig, User};
use crate::set::Document;
use crate::set::document::{Track, TrackKind};
use crate::window::acts;
use crate::window::model::{Action, WindowModel};
use crate::window::tab::Tab;
use egui::{Key, Modifiers};
use serde_json::json;
use std::sync::Arc;

/// Of the tracks of a new Set the first is a group with the second in it, which has a clip.
fn grouped() -> (Rig, WindowModel) {
    let mut document = Document::new_set();
    let mut tracks: Vec<Arc<Track>> = document.tracks.iter().cloned().collect();
    let group = tracks[0].serial;
    Arc::make_mut(&mut tracks[0]).kind = TrackKind::Group;
    Arc::make_mut(&mut tracks[1]).group = Some(group);
    document.tracks = tracks.into_iter().collect();
    let rig = Rig::of(document);
    rig.call("svc-update-track", json!({ "path": "t0,t1", "name": "Band,Bass" }));
    rig.call("svc-create-clip", json!({ "path": "t1/s1", "name": "Line", "notes": "C1 1|1" }));
    let model = model_of(rig.shown());
    (rig, model)
}

#[test]
fn a_group_is_folded_by_click_and_by_key() {
    let (_rig, model) = grouped();
    let mut user = User::at(Tab::Session);
    let sees = |user: &User| [user.sees("Select Bass"), user.sees("Launch Line, Bass"), user.sees("Mute Bass")];
    user.frame(&model, Vec::new());
    assert_eq!(sees(&user), [true; 3], "{:?}", user.names());
    let neighbour = user.find("Select 3-Audio").place;
    for time in 0..3 {
        match time {
            0 => drop(user.click(&model, "Tracks of Band")),
            1 => {
                user.focus(&model, "Tracks of Band");
                user.key(&model, Key::Enter, Modifiers::NONE);
            }
            _ => {
                user.focus(&model, "Select Band");
                user.key(&model, Key::F, Modifiers::NONE);
            }
        }
        user.frame(&model, Vec::new());
        let is_open = time == 1;
        assert_eq!(sees(&user), [is_open; 3], "{time}: {:?}", user.names());
        assert_eq!(user.find("Tracks of Band").is_on, is_open, "{time}");
        assert_eq!(user.find("Select 3-Audio").place == neighbour, is_open, "its neighbours move up");
    }
}

#[test]
fn a_group_shows_and_launches_the_clips_below_it() {
    let (rig, model) = grouped();
    let mut user = User::at(Tab::Session);
    user.click(&model, "Tracks of Band");
    user.frame(&model, Vec::new());
    assert!(user.sees("Band, scene 2: clips in the group"), "{:?}", user.names());
    assert!(!user.sees("Band, scene 1: clips in the group"));
    let launch = acts::launch_clip(0, 1);
    assert_eq!(user.click(&model, "Launch scene 2 of Band"), [Action::Call(launch.clone())]);
    rig.call(launch.tool, launch.arguments);
    // The mixer below the columns is that of the tracks in sight.
    let mute = acts::update_track("t2", json!({ "mute": true }));
    assert_eq!(user.click(&model, "Mute 3-Audio"), [Action::Call(mute)]);
}

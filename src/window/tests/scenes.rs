//! What the Session says of scenes, loops and columns.

use super::fixture::{full_set, model_of, shown_of_new_set};
use super::{SIZE, User};
use crate::object_model::ObjectId;
use crate::set_view::{Id, PlaybackView};
use crate::window::model::WindowModel;
use crate::window::shown::{Shown, ShownSet};
use crate::window::tab::Tab;
use egui::Vec2;
use std::sync::Arc;

/// Of three tracks and scenes; each pair is a track and the scene whose clip plays or waits there.
fn session(change: impl Fn(&mut ShownSet), playing: &[(usize, usize)], waiting: &[(usize, i64)]) -> WindowModel {
    let mut set = full_set(3, 3, "Clip");
    change(&mut set);
    set.count_slots();
    let mut playback = PlaybackView::clone(shown_of_new_set().playback.as_ref().unwrap());
    playback.playing =
        playing.iter().map(|(track, scene)| (*track, *scene, 1.0, 0.0, 4.0, Id(ObjectId(3_000_000)))).collect();
    playback.waiting = waiting.to_vec();
    playback.is_playing = true;
    model_of(Shown { set: Some(Arc::new(set)), playback: Some(Arc::new(playback)), ..shown_of_new_set() })
}

#[test]
fn scenes_say_whether_their_clips_play() {
    let off = |set: &mut ShownSet| set.slots.iter_mut().filter(|slot| slot.track == 2).for_each(|s| s.is_muted = true);
    let none = |_: &mut ShownSet| {};
    let all = [(0, 1), (1, 1), (2, 1)];
    for (model, said) in [
        (session(none, &[], &[]), ["", "", ""]),
        (session(none, &all, &[]), ["", ", playing", ""]),
        (session(none, &[(0, 0), (1, 1), (2, 1)], &[]), [", partly playing", ", partly playing", ""]),
        // A scene was launched, and one of its clips plays already; the others wait for the bar.
        (session(none, &all, &[(0, 2), (1, 2), (2, 2)]), ["", ", playing", ", waits to start"]),
        (session(none, &[(0, 2)], &[(1, 2), (2, 2)]), ["", "", ", waits to start"]),
        (session(none, &[], &[(1, 2)]), ["", "", ""]),
        // What stops at the bar plays until then.
        (session(none, &all, &[(0, -1), (1, -1), (2, -1)]), ["", ", playing", ""]),
        // A clip that is switched off is none, unless somebody launched it.
        (session(off, &[(0, 1), (1, 1)], &[]), ["", ", playing", ""]),
        (session(off, &all, &[]), ["", ", playing", ""]),
        (session(off, &[(0, 1), (2, 1)], &[]), ["", ", partly playing", ""]),
    ] {
        let mut user = User::at(Tab::Session);
        user.frame(&model, Vec::new());
        for (scene, said) in said.iter().enumerate() {
            let name = format!("Launch scene {}: Clip{said}", scene + 1);
            assert!(user.sees(&name), "{name}: {:?}", user.names());
        }
    }
}

#[test]
fn a_clip_that_is_not_looped_says_so() {
    let once = |set: &mut ShownSet| set.slots.iter_mut().take(1).for_each(|slot| slot.is_looped = false);
    let model = session(once, &[], &[]);
    let mut user = User::at(Tab::Session);
    user.frame(&model, Vec::new());
    let said: Vec<&str> = user.names().into_iter().filter(|name| name.ends_with(", plays once")).collect();
    assert_eq!(said, ["0 Clip, scene 1: Clip 0, plays once"]);
}

/// The strips of as many tracks as fit when they are narrower end before the scenes; of more, what is in sight is as
/// wide as ever.
#[test]
fn tracks_are_narrower_where_all_of_them_fit_then() {
    let at = |tracks: usize, size: Vec2| {
        let set = full_set(tracks, 8, "Clip");
        let model = model_of(Shown { set: Some(Arc::new(set)), ..shown_of_new_set() });
        let mut user = User::at(Tab::Session);
        user.size = size;
        user.frame(&model, Vec::new());
        user.frame(&model, Vec::new());
        let head = |at: usize| user.find(&format!("Select {at} Clip")).place;
        let scenes = user.find("Launch scene 1: Clip").place.left();
        let last = (0..tracks).rev().find(|at| user.sees(&format!("Select {at} Clip"))).map(head);
        (head(0).width(), last, scenes)
    };
    for (tracks, size, width) in [
        (4, SIZE, 132.0),
        (7, SIZE, 122.0),
        (8, SIZE, 106.0),
        (9, SIZE, 132.0),
        (13, Vec2::new(1_900.0, 1_100.0), 130.0),
    ] {
        let (shown, last, scenes) = at(tracks, size);
        assert_eq!(shown, width, "{tracks} tracks at {size:?}");
        if tracks != 9 {
            let last = last.expect("a head");
            assert!(last.right() <= scenes, "{tracks} tracks at {size:?}: {last:?} beside {scenes}");
        }
    }
}

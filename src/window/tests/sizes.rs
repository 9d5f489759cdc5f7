//! What fits where: long names, large and empty Sets, small and large windows. Only what is in sight is drawn.

use super::fixture::{full_set, model_of, shown_of_new_set};
use super::{User, plain, with_settings};
use crate::object_model::ObjectId;
use crate::service::Settings;
use crate::set_view::Id;
use crate::window::model::{LiveCard, WindowModel};
use crate::window::shown::Shown;
use crate::window::tab::Tab;
use egui::Vec2;
use std::sync::Arc;

const SIZES: [Vec2; 3] = [Vec2::new(800.0, 480.0), Vec2::new(1_040.0, 700.0), Vec2::new(1_900.0, 1_100.0)];

/// Of so many tracks and scenes, each slot full.
fn full(tracks: usize, scenes: usize, name: &str) -> WindowModel {
    model_of(Shown { set: Some(Arc::new(full_set(tracks, scenes, name))), ..shown_of_new_set() })
}

#[test]
fn only_what_is_in_sight_is_drawn() {
    let mut user = User::at(Tab::Session);
    let counts: Vec<usize> = [(16, 32), (200, 200)]
        .into_iter()
        .map(|(tracks, scenes)| {
            let model = full(tracks, scenes, "Clip");
            user.frame(&model, Vec::new());
            user.frame(&model, Vec::new());
            let slots = user.tree.iter().filter(|found| found.name.starts_with("Launch Clip")).count();
            assert!(slots >= 6 * 9, "{slots}");
            slots
        })
        .collect();
    assert!(counts.iter().all(|count| *count <= 9 * 14), "{counts:?}");
    assert_eq!(counts.first(), counts.last(), "as many of a Set that is eighty times as large");
}

#[test]
fn everything_is_inside_the_window() {
    let long = "An exceedingly long name that nobody would give ".repeat(4);
    let folder = format!("/{}", "a-very-long-folder-name/".repeat(12));
    let card = LiveCard {
        state: "running another version".to_owned(),
        install: Some("Update script for Ableton Live"),
        library: folder.clone(),
        told: format!("The script is another one. {}", "What the user does next. ".repeat(3)),
        ..LiveCard::default()
    };
    let settings = Settings { sample_folder: folder.clone(), ..Settings::default() };
    let told = Some(format!("cannot be listed: {folder}"));
    let setup = WindowModel { live: card, samples: told, samples_closed: true, ..with_settings(settings) };
    for size in SIZES {
        for tab in Tab::ALL {
            for model in [&plain(), &full(3, 4, &long), &setup] {
                let mut user = User::at(tab);
                user.size = size;
                user.frame(model, Vec::new());
                user.frame(model, Vec::new());
                for found in user.tree.iter().filter(|found| is_whole(found)) {
                    let fits = found.place.left() >= -0.5 && found.place.right() <= size.x + 0.5;
                    assert!(fits || scrolls(tab, found), "{tab:?} {size:?}: {:?} at {:?}", found.name, found.place);
                }
            }
        }
    }
}

/// It has a name and a place; the letters inside a field are cut at its edge.
fn is_whole(found: &super::Found) -> bool {
    !found.name.is_empty() && found.place.width() > 0.0 && found.role != egui::Role::TextRun
}

/// Of the grid and the timeline, which go beyond the window and are cut at its edge.
fn scrolls(tab: Tab, found: &super::Found) -> bool {
    tab.is_of_set() && found.role != egui::Role::Label && found.place.left() > 0.0
}

#[test]
fn nothing_jumps_when_it_plays() {
    let still = full(4, 8, "Clip");
    let mut playing = Shown::clone(&still.shown);
    let mut playback = crate::set_view::PlaybackView::clone(still.shown.playback.as_ref().unwrap());
    playback.is_playing = true;
    playback.beat = 1_234.25;
    playback.playing = vec![(0, 0, 1.0, 0.0, 4.0, Id(ObjectId(3_000_000)))];
    playback.meters = vec![(1.0, 0.5); 8];
    playing.playback = Some(Arc::new(playback));
    let mut user = User::at(Tab::Session);
    user.frame(&still, Vec::new());
    user.frame(&still, Vec::new());
    let before = user.tree.clone();
    user.frame(&model_of(playing), Vec::new());
    let mut compared = 0;
    for found in before.iter().filter(|found| found.role == egui::Role::Button) {
        for now in user.all(&found.name) {
            assert_eq!(now.place, found.place, "{}", found.name);
            compared += 1;
        }
    }
    // All but the clip that plays, which says so.
    assert!(compared > 40, "{compared}");
}

/// A scene that is launched often plays clips of one name; a hundred times the same tells nothing.
#[test]
fn clips_that_play_are_counted_and_named_once() {
    let shown = |names: [&str; 3]| {
        let mut set = full_set(3, 1, "Clip");
        set.slots.iter_mut().zip(names).for_each(|(slot, name)| slot.name = name.to_owned());
        let mut playback = crate::set_view::PlaybackView::clone(shown_of_new_set().playback.as_ref().unwrap());
        playback.playing = (0..3).map(|track| (track, 0, 1.0, 0.0, 4.0, Id(ObjectId(3_000_000)))).collect();
        let (set, playback) = (Some(Arc::new(set)), Some(Arc::new(playback)));
        model_of(Shown { set, playback, ..shown_of_new_set() })
    };
    for (names, text) in [
        (["Beat", "Bass", "Keys"], "Playing Beat, Bass, Keys"),
        (["Beat", "Beat", "Keys"], "Playing 3 clips: Beat, Keys"),
    ] {
        let mut user = User::at(Tab::Session);
        user.size = Vec2::new(1_900.0, 1_100.0);
        user.frame(&shown(names), Vec::new());
        assert!(user.sees(text), "{:?}", user.names());
    }
}

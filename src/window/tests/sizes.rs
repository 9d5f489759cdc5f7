//! What fits where: long names, large and empty Sets, small and large windows. Only what is in sight is drawn.

use super::fixture::{full_set, model_of, shown_of_new_set};
use super::{User, plain, with_settings};
use crate::object_model::ObjectId;
use crate::service::Settings;
use crate::set_view::Id;
use crate::window::model::{LiveCard, WindowModel};
use crate::window::shown::{Shown, ShownCall};
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

/// A window that was forced below its least size leaves out what has no room.
#[test]
fn nothing_lies_over_something_else_in_a_window_that_is_too_small() {
    let mut playing = Shown::clone(&full(3, 4, "Clip").shown);
    let mut playback = crate::set_view::PlaybackView::clone(playing.playback.as_ref().unwrap());
    playback.stopped = vec![0];
    playing.playback = Some(Arc::new(playback));
    let playing = model_of(playing);
    for width in [480.0, 560.0, 650.0, 720.0, 800.0, 1_040.0] {
        for tab in Tab::ALL {
            for model in [&plain(), &playing] {
                let mut user = User::at(tab);
                user.size = Vec2::new(width, 437.0);
                user.frame(model, Vec::new());
                user.frame(model, Vec::new());
                let bars = |found: &&super::Found| is_whole(found) && found.place.bottom() <= 80.0;
                let seen: Vec<_> = user.tree.iter().filter(bars).collect();
                assert!(seen.iter().any(|found| found.name == "Undo"), "{width}: {:?}", user.names());
                for (at, one) in seen.iter().enumerate() {
                    for other in seen.iter().skip(at + 1) {
                        let common = one.place.intersect(other.place);
                        // A bar, and the text of a label, are named as what is in them.
                        let is_apart = common.width() <= 0.5 || common.height() <= 0.5 || one.name == other.name;
                        assert!(is_apart, "{width}: {} {:?}, {} {:?}", one.name, one.place, other.name, other.place);
                    }
                }
            }
        }
    }
}

/// What an empty Set says leaves in sight the slot that it names, and shows its lines whole.
#[test]
fn what_an_empty_set_says_lies_below_its_slot() {
    for size in SIZES {
        let mut user = User::at(Tab::Session);
        user.size = size;
        user.frame(&plain(), Vec::new());
        user.frame(&plain(), Vec::new());
        let head = user.find("Select 1-MIDI").place;
        let said = user.find("No clip yet").place;
        assert!(said.top() >= head.bottom() + 32.0, "{said:?} below {head:?}");
        let line = user.tree.iter().find(|found| found.name.starts_with("curl -s")).unwrap().place;
        assert!(line.height() > 24.0, "in several lines: {line:?}");
    }
}

/// What could not be done takes the place of the last call, and moves nothing.
#[test]
fn nothing_moves_for_what_could_not_be_done() {
    let model = |message: Option<&str>| {
        let call = Arc::new(ShownCall { line: "made a clip".to_owned(), ..ShownCall::default() });
        let message = message.map(str::to_owned);
        model_of(Shown { calls: Arc::new(vec![call]), message, ..Shown::clone(&full(4, 8, "Clip").shown) })
    };
    for size in SIZES {
        let mut user = User::at(Tab::Session);
        user.size = size;
        user.frame(&model(None), Vec::new());
        user.frame(&model(None), Vec::new());
        assert!(user.sees("made a clip"));
        let before = user.tree.clone();
        let why = "The tempo is from 20 to 999 BPM. ".repeat(20);
        user.frame(&model(Some(&why)), Vec::new());
        user.frame(&model(Some(&why)), Vec::new());
        assert!(!user.sees("made a clip"), "{:?}", user.names());
        assert!(user.find("Dismiss").place.right() <= size.x);
        let mut compared = 0;
        for found in before.iter().filter(|found| found.role == egui::Role::Button) {
            for now in user.all(&found.name) {
                assert_eq!(now.place, found.place, "{}", found.name);
                compared += 1;
            }
        }
        assert!(compared > 40, "{compared}");
    }
}

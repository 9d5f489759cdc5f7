//! The roll of a clip, and the line where it plays.

use super::{Rig, User, model_of};
use crate::set_view::Id;
use crate::window::model::WindowModel;
use crate::window::shown::Shown;
use crate::window::style::TEXT;
use crate::window::tab::Tab;
use egui::{Rect, Shape};
use serde_json::{Value, json};
use std::sync::Arc;

/// A Set with one clip, which is selected.
fn of_clip(arguments: Value) -> WindowModel {
    let rig = Rig::new();
    rig.call("svc-create-clip", arguments);
    let shown = rig.shown();
    let clip = shown.set.as_ref().and_then(|set| Some(set.slots.first()?.id)).unwrap();
    model_of(Shown { clip: rig.clip(clip), ..shown })
}

/// The same while the clip and the song are at their first beat.
fn at_its_first_beat(model: &WindowModel) -> WindowModel {
    let shown = Shown::clone(&model.shown);
    let id = shown.clip.as_ref().unwrap().id;
    let mut playback = Arc::unwrap_or_clone(shown.playback.clone().unwrap());
    playback.playing = vec![(0, 0, 0.0, 0.0, 4.0, Id(id.0))];
    playback.beat = 0.0;
    model_of(Shown { playback: Some(Arc::new(playback)), ..shown })
}

/// The line where it plays, and what of the window shows it.
fn playhead(user: &User) -> (Rect, Rect) {
    let mut lines = user.painted.iter().filter_map(|painted| match &painted.shape {
        Shape::Rect(line) if line.fill == TEXT && line.rect.width() == 2.0 && line.rect.height() > 60.0 => {
            Some((line.rect, painted.clip_rect))
        }
        _ => None,
    });
    lines.next_back().expect("a line")
}

#[test]
fn the_line_where_it_plays_is_whole_at_the_first_beat() {
    let model = at_its_first_beat(&of_clip(json!({ "path": "t0/s0", "name": "Bass", "notes": "C1 1|1" })));
    for (tab, beside) in [(Tab::Clip, 38.0), (Tab::Arrangement, 160.0)] {
        let mut user = User::at(tab);
        user.frame(&model, Vec::new());
        user.frame(&model, Vec::new());
        let (line, sight) = playhead(&user);
        assert!(sight.contains_rect(line), "{tab:?}: {line:?} in {sight:?}");
        assert!(line.left() >= beside, "{tab:?}: {line:?} is beside the names");
    }
}

/// The hints of notes that are out of sight.
fn hints(user: &User) -> Vec<&str> {
    let is_hint = |found: &&super::Found| found.role == egui::accesskit::Role::Button && found.name.contains("note");
    user.tree.iter().filter(is_hint).map(|found| found.name.as_str()).collect()
}

/// A roll that is larger than its place: most notes are in the middle of the keys, in bar 41.
fn large() -> WindowModel {
    let chord = "C2 E2 G2 C3 E3 G3 41|1";
    let notes = format!("{chord} {} G8 41|1 C-2 41|1 C3 1|1 C3 90|1 C3 91|1", "D2 41|2 F2 41|2 A2 41|2");
    of_clip(json!({ "path": "t0/s0", "name": "Wide", "notes": notes, "start": "41|1", "length": "4bar" }))
}

#[test]
fn a_roll_opens_where_its_notes_are_and_says_where_the_others_are() {
    let model = large();
    let mut user = User::at(Tab::Clip);
    user.frame(&model, Vec::new());
    user.frame(&model, Vec::new());
    assert_eq!(hints(&user), ["1 note above", "2 notes further right", "1 note further left", "1 note below"]);
    for (hint, left) in [("1 note above", "below"), ("2 notes further right", "further left")] {
        user.click(&model, hint);
        user.frame(&model, Vec::new());
        assert!(!user.sees(hint), "{hint}: {:?}", hints(&user));
        assert!(hints(&user).iter().any(|other| other.ends_with(left)), "{hint}: {:?}", hints(&user));
    }
    // Another clip opens where its own notes are, with nothing to say where all of them are in sight.
    let small = of_clip(json!({ "path": "t0/s0", "name": "Small", "notes": "C1 1|1 E1 1|2" }));
    user.frame(&small, Vec::new());
    user.frame(&small, Vec::new());
    assert_eq!(hints(&user), [""; 0]);
}

#[test]
fn chances_are_told_apart() {
    let model = of_clip(json!({ "path": "t0/s0", "name": "Dice", "notes": "p0.25 C3 1|1 p0.75 E3 1|2 p1 G3 1|3" }));
    let mut user = User::at(Tab::Clip);
    user.frame(&model, Vec::new());
    user.frame(&model, Vec::new());
    let texts = user.painted.iter().filter_map(|painted| match &painted.shape {
        Shape::Text(text) => Some((text.galley.text(), Rect::from_min_size(text.pos, text.galley.size()))),
        _ => None,
    });
    let chances: Vec<(&str, Rect)> = texts.filter(|(text, _)| text.ends_with(" %") && *text != "100 %").collect();
    assert_eq!(chances.iter().map(|(text, _)| *text).collect::<Vec<_>>(), ["25 %", "75 %"]);
    let at = chances[0].1.center();
    user.frame(&model, vec![egui::Event::PointerMoved(at)]);
    (0..3).for_each(|_| drop(user.frame(&model, Vec::new())));
    assert!(user.sees("C3 · 1.1.1 · 1 beat · velocity 100 · chance 25 %"), "{:?}", user.names());
}

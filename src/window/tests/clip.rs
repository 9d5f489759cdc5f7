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
    let lines = user.painted.iter().filter_map(|painted| match &painted.shape {
        Shape::Rect(line) if line.fill == TEXT && line.rect.width() == 2.0 && line.rect.height() > 60.0 => {
            Some((line.rect, painted.clip_rect))
        }
        _ => None,
    });
    lines.last().expect("a line")
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

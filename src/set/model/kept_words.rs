//! What is said of a Set, a scene, a track and a clip that files brought and Live's object model has no member for.

use crate::music::Beats;
use crate::object_model::ObjectId;
use crate::set::document::ids::Serial;
use crate::set::document::{Clip, Fade, FollowAction, FollowChoice, Track, TrackKind};
use crate::set::model::object_ref::ObjectRef;
use crate::set::model::set_state::SetState;
use std::collections::BTreeSet;

impl SetState {
    /// In one sentence; `None` where there is nothing to say.
    pub(in crate::set::model) fn kept_words(&self, object: ObjectId) -> Option<String> {
        let words = match self.object_ref(object)? {
            ObjectRef::Song => self.of_song(),
            ObjectRef::Scene(serial) => {
                let scene = self.document.scenes.find(serial)?;
                scene.follow_action.iter().map(follow_words).collect()
            }
            ObjectRef::Track(serial) => of_track(self.document.track(serial)?),
            ObjectRef::Clip(serial) => self.of_clip(serial)?,
            _ => return None,
        };
        (!words.is_empty()).then(|| words.join("; "))
    }

    fn of_song(&self) -> Vec<String> {
        let song = &self.document.song;
        let (tempos, meters) = (song.tempo_points.len(), song.meter_changes.len());
        let mut words = Vec::new();
        if tempos > 0 {
            words.push(format!("{tempos} tempos of the Arrangement are kept, and it plays at the Set's"));
        }
        if meters > 0 {
            words.push(format!("{meters} time signatures of the Arrangement are kept, and it plays in the Set's"));
        }
        words
    }

    fn of_clip(&self, serial: Serial) -> Option<Vec<String>> {
        let clip = self.document.clip(serial)?;
        let mut words = Vec::new();
        words.extend(fade_words(clip, self.document.placed(serial).is_some()));
        words.extend(clip.follow_action.iter().map(follow_words));
        let notes: BTreeSet<u32> = clip.expression.iter().map(|of| of.note).collect();
        if !notes.is_empty() {
            let notes = if notes.len() == 1 { "1 note has".to_owned() } else { format!("{} notes have", notes.len()) };
            words.push(format!("{notes} expression of their own (MPE), which is kept and not played"));
        }
        Some(words)
    }
}

/// `track delay -5 ms`.
fn of_track(track: &Track) -> Vec<String> {
    let delay = track.delay.map(|delay| {
        let why = match track.kind {
            TrackKind::Main => " (kept, and not played: nothing is heard beside the main track)",
            _ if !delay.is_played() => " (kept, and not played: Live has none beyond 1,000 ms)",
            _ => "",
        };
        format!("track delay {delay}{why}")
    });
    let frozen = track.is_frozen_in_file().then(|| "frozen in the file; here its devices play".to_owned());
    delay.into_iter().chain(frozen).collect()
}

/// `fades in over 1 beat and out over 2.5 beats`.
fn fade_words(clip: &Clip, is_placed: bool) -> Option<String> {
    let fades = clip.audio()?.fades.filter(|fades| fades.fade_in.length > 0.0 || fades.fade_out.length > 0.0)?;
    let unit = if clip.is_unwarped() { "second" } else { "beat" };
    let over = |way: &str, fade: Fade| (fade.length > 0.0).then(|| format!("{way} over {}", amount(fade.length, unit)));
    let ways: Vec<String> = over("in", fades.fade_in).into_iter().chain(over("out", fades.fade_out)).collect();
    let why = match (fades.on, is_placed) {
        (false, _) => " (switched off)",
        (true, false) => " (in the Arrangement alone)",
        (true, true) if fades.crossfade > 0 => " (a crossfade in the file; here one clip of a track plays at a time)",
        (true, true) => "",
    };
    Some(format!("fades {}{why}", ways.join(" and ")))
}

/// `leads to Next, or to Any by 1 in 4, after 4 beats (kept, and not followed)`.
fn follow_words(action: &FollowAction) -> String {
    let all: u32 = action.choices.iter().map(|choice| choice.chance).sum();
    let named = |choice: &FollowChoice| {
        let name = FollowAction::action_name(choice.action).unwrap_or("an unknown action");
        let to = choice.jump_to.filter(|_| name == "Jump").map(|to| format!(" to {to}")).unwrap_or_default();
        let chance = if choice.chance < all { format!(" ({} in {all})", choice.chance) } else { String::new() };
        (choice.chance > 0).then(|| format!("{name}{to}{chance}"))
    };
    let choices: Vec<String> = action.choices.iter().filter_map(named).collect();
    let after = match action.linked {
        true => format!("{} of its loop", amount(action.passes.into(), "pass")),
        false => amount(action.time, "beat"),
    };
    format!("leads to {} after {after} (kept, and not followed)", choices.join(" or "))
}

/// `1 beat`, `2.5 beats`.
fn amount(number: Beats, unit: &str) -> String {
    let number = (number * 1e4).round() / 1e4;
    let plural = if number == 1.0 {
        ""
    } else if unit.ends_with('s') {
        "es"
    } else {
        "s"
    };
    format!("{number} {unit}{plural}")
}

//! Which tracks are columns of the Session: those that are folded away in a group are none.

use crate::object_model::ObjectId;
use crate::set::document::TrackKind;
use crate::window::shown::{ShownSet, ShownTrack};
use std::collections::{HashMap, HashSet};

/// Groups that were folded or unfolded in this window; others are as the Set has them.
#[derive(Clone, Debug, Default)]
pub struct Folds {
    chosen: HashMap<ObjectId, bool>,
}

impl Folds {
    pub fn is_folded(&self, group: &ShownTrack) -> bool {
        self.chosen.get(&group.id).copied().unwrap_or(group.view.is_folded)
    }

    pub fn toggle(&mut self, group: &ShownTrack) {
        self.chosen.insert(group.id, !self.is_folded(group));
    }

    /// The columns from left to right, as places among the Set's tracks: all but the main track, whose place is below
    /// the scenes, and but what is folded away.
    pub fn columns(&self, set: &ShownSet) -> Vec<usize> {
        let mut closed = HashSet::new();
        let mut columns = Vec::with_capacity(set.tracks.len());
        for (at, track) in set.tracks.iter().enumerate() {
            // A group stands before its tracks, so that what hides them is known by then.
            let is_away = track.view.group_id.is_some_and(|group| closed.contains(&group.0));
            if is_away || track.view.kind == TrackKind::Group && self.is_folded(track) {
                closed.insert(track.id);
            }
            if !is_away && track.view.kind != TrackKind::Main {
                columns.push(at);
            }
        }
        columns
    }
}

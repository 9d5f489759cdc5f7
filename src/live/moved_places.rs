//! What is taken to stand where, once an object is made or deleted that Live has not been told of yet: what stands
//! behind it in its list moves, and what it holds goes with it.

use super::known::{Known, KnownObject};
use super::write_effects::is_of_the_moment;
use crate::object_model::{Class, ObjectId, Value, class};
use serde_json::{Map, Value as Json, json};

/// A place in a list: the path of what holds the list, the list, the position.
struct Place {
    holder: String,
    list: String,
    at: usize,
}

/// What of a Session clip that loops changes nothing but its length.
const LOOP_EDGES: [&str; 4] = ["loop_start", "loop_end", "start_marker", "end_marker"];

impl Place {
    /// `None` of a single child.
    fn of(path: &str) -> Option<Place> {
        let mut words = path.rsplitn(3, ' ');
        let at = words.next()?.parse().ok()?;
        let (list, holder) = (words.next()?.to_owned(), words.next()?.to_owned());
        Some(Place { holder, list, at })
    }
}

impl Known {
    /// The object is about to be deleted.
    pub fn expect_gone(&mut self, id: ObjectId) {
        let Some(path) = self.path_of(id).map(str::to_owned) else { return };
        self.drop_below(&path);
        match Place::of(&path) {
            Some(place) => {
                self.shift(&place, false);
                self.change_list(&place, |ids, _| ids.retain(|one| one.as_u64() != Some(id.0)), false);
                self.forget_neighbours(&place.list);
            }
            None => self.empty_child(&path),
        }
        self.index_paths();
        self.is_gone(id);
    }

    /// An object is about to be made at a place, `None` where that is not known.
    pub fn expect_made(&mut self, id: ObjectId, class: &Class, path: Option<String>, read: Map<String, Json>) {
        let place = path.as_deref().and_then(Place::of);
        if let Some(place) = &place {
            self.shift(place, true);
            self.change_list(place, |ids, at| ids.insert(at.min(ids.len()), json!(id)), true);
            self.forget_neighbours(&place.list);
            self.index_paths();
        } else if let Some(path) = &path {
            self.fill_child(path, id);
        }
        let holder = match (&place, &path) {
            (Some(place), _) => self.at_path(&place.holder),
            (None, Some(path)) => path.rsplit_once(' ').and_then(|(holder, _)| self.at_path(holder)),
            (None, None) => None,
        };
        self.expect_object(id, class, path, read);
        if let (Some(known), Some(holder)) = (self.objects.get_mut(&id), holder) {
            known.children.insert("canonical_parent".to_owned(), json!([holder]));
        }
    }

    /// Whether the member is an edge of a Session clip that loops: such edges are each on their own.
    pub fn is_loop_edge(&self, id: ObjectId, member: &str) -> bool {
        let Some(known) = self.objects.get(&id) else { return false };
        let is = |name: &str, wanted: bool| {
            known.read.get(name).is_some_and(|now| now.as_bool().unwrap_or(now.as_u64() == Some(1)) == wanted)
        };
        LOOP_EDGES.contains(&member) && is("looping", true) && is("is_arrangement_clip", false)
    }

    /// What a copy of the object will read as, as far as that is sure.
    pub fn members_of_copy(&self, source: ObjectId) -> Map<String, Json> {
        let Some(known) = self.objects.get(&source) else { return Map::new() };
        let is_left_out = |name: &str| is_of_the_moment(name) || known.class == "Track" && name == "name";
        known
            .read
            .iter()
            .filter(|(name, _)| !is_left_out(name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// Everything that stands in an object.
    fn drop_below(&mut self, path: &str) {
        for known in self.objects.values_mut() {
            if known.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')) {
                let class = std::mem::take(&mut known.class);
                *known = KnownObject { class, is_placed: true, ..KnownObject::default() };
            }
        }
    }

    /// Moves what stands at the place and behind it, with all that it holds: one back, or one up.
    fn shift(&mut self, place: &Place, is_back: bool) {
        let Place { holder, list, at } = place;
        let prefix = format!("{holder} {list} ");
        let are_scenes = holder == "live_set" && list == "scenes";
        let moved = |index: usize| match is_back {
            true if index >= *at => Some(index + 1),
            false if index > *at => Some(index - 1),
            _ => None,
        };
        for known in self.objects.values_mut() {
            let cut = if known.path.starts_with(&prefix) {
                prefix.len()
            } else if are_scenes && let Some(found) = known.path.find(" clip_slots ") {
                found + " clip_slots ".len()
            } else {
                continue;
            };
            let (front, rest) = known.path.split_at(cut);
            let (index, tail) = rest.split_once(' ').map_or((rest, None), |(index, tail)| (index, Some(tail)));
            let Some(index) = index.parse().ok().and_then(moved) else { continue };
            let tail = tail.map(|tail| format!(" {tail}")).unwrap_or_default();
            // Live numbers the names of tracks that nobody named.
            if known.class == "Track" && tail.is_empty() {
                known.read.remove("name");
            }
            known.path = format!("{front}{index}{tail}");
        }
    }

    fn change_list(&mut self, place: &Place, change: impl FnOnce(&mut Vec<Json>, usize), is_longer: bool) {
        let Some(holder) = self.by_path.get(&place.holder).and_then(|id| self.objects.get_mut(id)) else { return };
        if let Some(Json::Array(ids)) = holder.children.get_mut(&place.list) {
            change(ids, place.at);
        }
        if let Some(count) = holder.counts.get_mut(&place.list) {
            let now = count.as_u64().unwrap_or_default();
            *count = json!(if is_longer { now.saturating_add(1) } else { now.saturating_sub(1) });
        }
    }

    /// A clip of a timeline that does not loop gets other ends: those beside it may be shorter, in two, or gone.
    pub fn forget_lane_of(&mut self, clip: ObjectId) {
        let Some((list, _)) = self.path_of(clip).and_then(|path| path.rsplit_once(' ')) else { return };
        let Some((lane, "arrangement_clips")) = list.rsplit_once(' ') else { return };
        if self.value(clip, "looping", Some(class::ValueKind::Bool)) == Some(Value::Bool(true)) {
            return;
        }
        let (beside, lane) = (format!("{list} "), self.at_path(lane));
        for (id, known) in &mut self.objects {
            if Some(*id) == lane {
                known.counts.remove("arrangement_clips");
                known.children.remove("arrangement_clips");
            } else if *id != clip && known.path.starts_with(&beside) {
                self.by_path.remove(&known.path);
                *known = KnownObject { class: std::mem::take(&mut known.class), ..KnownObject::default() };
            }
        }
    }

    /// What else changes with a list.
    fn forget_neighbours(&mut self, list: &str) {
        let (of_tracks, of_returns, of_scenes) = (list == "tracks", list == "return_tracks", list == "scenes");
        if !(of_tracks || of_returns || of_scenes) {
            return;
        }
        for known in self.objects.values_mut() {
            let (mut values, mut lists): (&[&str], &[&str]) = (&[], &[]);
            match known.class.as_str() {
                "Song" => (values, lists) = (&["can_undo", "can_redo", "last_event_time"], &["visible_tracks"]),
                "Scene" if of_tracks => (values, lists) = (&["is_empty"], &["clip_slots"]),
                "Track" if of_scenes => {
                    (values, lists) = (&["playing_slot_index", "fired_slot_index"], &["clip_slots"])
                }
                "Track" => values = &["muted_via_solo"],
                "MixerDevice" | "ChainMixerDevice" if of_returns => lists = &["sends"],
                "Song.View" | "Track.View" => {
                    known.read.clear();
                    known.children.clear();
                }
                _ => {}
            }
            if known.class == "Track" {
                known.read.retain(|name, _| !name.contains("routing"));
                if of_returns && known.path.starts_with("live_set return_tracks ") {
                    known.read.remove("name");
                }
            }
            for name in values {
                known.read.remove(*name);
            }
            for name in lists {
                known.counts.remove(*name);
                known.children.remove(*name);
            }
        }
    }

    /// The clip of a slot goes.
    fn empty_child(&mut self, path: &str) {
        let Some((slot, name)) = path.rsplit_once(' ') else { return };
        self.change_slot(slot, |known| {
            known.children.insert(name.to_owned(), json!([]));
            known.read.insert("has_clip".to_owned(), json!(false));
        });
    }

    /// The clip of a slot comes.
    fn fill_child(&mut self, path: &str, id: ObjectId) {
        let Some((slot, name)) = path.rsplit_once(' ') else { return };
        self.drop_below(path);
        self.change_slot(slot, |known| {
            known.children.insert(name.to_owned(), json!([id]));
            known.read.insert("has_clip".to_owned(), json!(true));
        });
        self.index_paths();
    }

    fn change_slot(&mut self, slot: &str, change: impl FnOnce(&mut KnownObject)) {
        let scene = slot.rsplit(' ').next().map(|at| format!("live_set scenes {at}")).unwrap_or_default();
        let track = slot.split(" clip_slots ").next().unwrap_or_default().to_owned();
        if let Some(known) = self.by_path.get(slot).and_then(|id| self.objects.get_mut(id)) {
            known.read.clear();
            change(known);
        }
        let mut forget = |path: &str, names: &[&str]| {
            if let Some(known) = self.by_path.get(path).and_then(|id| self.objects.get_mut(id)) {
                names.iter().for_each(|name| drop(known.read.remove(*name)));
            }
        };
        forget(&scene, &["is_empty"]);
        forget(&track, &["playing_slot_index", "fired_slot_index"]);
        forget("live_set", &["can_undo", "can_redo"]);
    }

    fn index_paths(&mut self) {
        let placed = self.objects.iter().filter(|(_, known)| !known.path.is_empty());
        self.by_path = placed.map(|(id, known)| (known.path.clone(), *id)).collect();
    }
}

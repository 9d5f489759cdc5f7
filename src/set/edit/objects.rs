//! The primitive edits of a document. Each keeps the index and the grid right; everything above is built from these.

use crate::object_model::ModelError;
use crate::set::document::ids::{SERIAL_END, Serial};
use crate::set::document::object_index::{self, Location};
use crate::set::document::{Clip, Document, Mixer, Scene, SessionClip, Track};
use std::sync::Arc;

impl Document {
    /// A serial never used before in this Set.
    pub fn fresh_serial(&mut self) -> Result<Serial, ModelError> {
        if self.next_serial >= SERIAL_END {
            return Err(ModelError::refused(
                "this Set has made 33 million objects and has no ids left; save its clips to a new Set",
            ));
        }
        let serial = self.next_serial;
        self.next_serial += 1;
        Ok(serial)
    }

    pub fn track_position(&self, serial: Serial) -> Option<usize> {
        self.tracks.position(serial)
    }

    pub fn return_position(&self, serial: Serial) -> Option<usize> {
        self.returns.position(serial)
    }

    pub fn scene_position(&self, serial: Serial) -> Option<usize> {
        self.scenes.position(serial)
    }

    /// A track of any kind.
    pub fn track(&self, serial: Serial) -> Option<&Arc<Track>> {
        match self.index.get(&serial)? {
            Location::Track => self.tracks.find(serial),
            Location::Return => self.returns.find(serial),
            Location::Main => Some(&self.main),
            _ => None,
        }
    }

    pub fn scene(&self, serial: Serial) -> Option<&Arc<Scene>> {
        self.scenes.find(serial)
    }

    pub fn clip_in(&self, track: Serial, scene: Serial) -> Option<&Arc<Clip>> {
        self.track(track)?.clip_at(scene)
    }

    pub fn clip(&self, serial: Serial) -> Option<&Arc<Clip>> {
        match self.index.get(&serial)? {
            Location::SessionClip { track, scene } => self.clip_in(*track, *scene),
            Location::PlacedClip { .. } => self.placed(serial).map(|placed| &placed.clip),
            _ => None,
        }
    }

    /// Changes a track of any kind; `None` when there is none.
    pub fn edit_track<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Track) -> R) -> Option<R> {
        match self.index.get(&serial)? {
            Location::Track => self.tracks.edit(serial, edit),
            Location::Return => self.returns.edit(serial, edit),
            Location::Main => Some(edit(Arc::make_mut(&mut self.main))),
            _ => None,
        }
    }

    pub fn edit_scene<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Scene) -> R) -> Option<R> {
        self.scenes.edit(serial, edit)
    }

    pub fn edit_clip<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Clip) -> R) -> Option<R> {
        let Location::SessionClip { track, scene } = *self.index.get(&serial)? else {
            return self.edit_placed(serial, |placed| edit(Arc::make_mut(&mut placed.clip)));
        };
        self.edit_track(track, |track| track.session.edit(scene, edit))?
    }

    /// Puts a track among the regular ones.
    pub fn insert_track(&mut self, at: usize, track: Track) {
        self.index.insert(track.serial, Location::Track);
        object_index::add_contents(&mut self.index, &track);
        self.tracks.insert(at, Arc::new(track));
    }

    /// Removes a regular track with its contents.
    pub fn remove_track(&mut self, serial: Serial) -> Option<Arc<Track>> {
        let at = self.track_position(serial)?;
        let track = self.tracks.remove(at)?;
        object_index::remove_track(&mut self.index, &track);
        Some(track)
    }

    /// Appends a return track; every other track but main gains a send to it, turned down.
    pub fn append_return(&mut self, track: Track) {
        self.index.insert(track.serial, Location::Return);
        object_index::add_contents(&mut self.index, &track);
        self.returns.push(Arc::new(track));
        self.each_strip(|mixer| mixer.sends.push(0.0));
    }

    /// Puts a return track, with a send to itself and each other one, among those that are there. Every other strip
    /// gains a send to it, with the level that `level` has for that track.
    pub fn insert_return(&mut self, at: usize, track: Track, level: impl Fn(Serial) -> f64) {
        let own = track.serial;
        self.index.insert(own, Location::Return);
        object_index::add_contents(&mut self.index, &track);
        let add = |track: &mut Track| {
            let sends = &mut track.mixer.sends;
            sends.insert(at.min(sends.len()), level(track.serial));
        };
        self.tracks.edit_all(add);
        self.returns.edit_all(add);
        self.returns.insert(at, Arc::new(track));
    }

    /// Puts another version of a track of any kind in its place, with what it holds.
    pub fn replace_track(&mut self, track: Track) -> Option<()> {
        let serial = track.serial;
        let location = *self.index.get(&serial)?;
        let old = self.track(serial)?.clone();
        object_index::remove_track(&mut self.index, &old);
        object_index::add_contents(&mut self.index, &track);
        self.index.insert(serial, location);
        self.edit_track(serial, |place| *place = track)
    }

    /// Removes a return track and every send to it.
    pub fn remove_return(&mut self, serial: Serial) -> Option<Arc<Track>> {
        let at = self.return_position(serial)?;
        let track = self.returns.remove(at)?;
        object_index::remove_track(&mut self.index, &track);
        self.each_strip(|mixer| {
            if at < mixer.sends.len() {
                mixer.sends.remove(at);
            }
        });
        Some(track)
    }

    /// The strips that have sends: all but main's.
    fn each_strip(&mut self, edit: impl Fn(&mut Mixer)) {
        self.tracks.edit_all(|track| edit(&mut track.mixer));
        // A return's strip has one more entry than it had when it was made: its own.
        self.returns.edit_all(|track| edit(&mut track.mixer));
    }

    pub fn insert_scene(&mut self, at: usize, scene: Scene) {
        self.index.insert(scene.serial, Location::Scene);
        self.scenes.insert(at, Arc::new(scene));
    }

    /// Removes a scene with the clips of its row.
    pub fn remove_scene(&mut self, serial: Serial) -> Option<Arc<Scene>> {
        let at = self.scene_position(serial)?;
        let holders: Vec<Serial> = self.index.row(serial).collect();
        for track in holders {
            self.take_clip(track, serial);
        }
        self.index.remove(&serial);
        self.scenes.remove(at)
    }

    /// Puts a clip into a slot, in place of what was there.
    pub fn put_clip(&mut self, track: Serial, scene: Serial, clip: Clip) -> Option<Arc<Clip>> {
        let serial = clip.serial;
        let old = self.take_clip(track, scene);
        let entry = SessionClip { scene, clip: Arc::new(clip) };
        let put = self.edit_track(track, |track| track.session.insert(entry));
        if put.is_some() {
            self.index.insert(serial, Location::SessionClip { track, scene });
        }
        old
    }

    /// Empties a slot.
    pub fn take_clip(&mut self, track: Serial, scene: Serial) -> Option<Arc<Clip>> {
        self.clip_in(track, scene)?;
        let clip = self.edit_track(track, |track| track.session.remove(scene))??;
        self.index.remove(&clip.serial);
        Some(clip)
    }

    /// The lowest channel no MIDI track uses; when all 16 are taken, the one that the fewest use, and whether it is
    /// shared.
    pub fn free_midi_channel(&self) -> (u8, bool) {
        self.tracks.sum().free_channel()
    }

    /// Whether two documents are the same Set. Looks only at what they do not share.
    pub fn same_as(&self, other: &Document) -> bool {
        fn one<T: PartialEq>(a: &Arc<T>, b: &Arc<T>) -> bool {
            Arc::ptr_eq(a, b) || a == b
        }
        one(&self.song, &other.song)
            && self.scenes == other.scenes
            && self.tracks == other.tracks
            && self.returns == other.returns
            && one(&self.main, &other.main)
            && one(&self.cue_points, &other.cue_points)
            && one(&self.grooves, &other.grooves)
    }
}

impl Track {
    pub fn clip_at(&self, scene: Serial) -> Option<&Arc<Clip>> {
        self.session.get(scene)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::document::TrackKind;
    use crate::set::document::ordered::Summary;
    use crate::set::document::sequence::SequenceItem;
    use crate::set::document::track_counts::TrackCounts;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Operation {
        Track(usize),
        Return,
        Scene(usize),
        DropTrack(usize),
        DropReturn(usize),
        DropScene(usize),
        Put(usize, usize),
        Take(usize, usize),
        Solo(usize, bool),
        Rename(usize, usize),
    }

    fn operations() -> impl Strategy<Value = Vec<Operation>> {
        let at = || 0usize..12;
        let operation = prop_oneof![
            2 => at().prop_map(Operation::Track),
            1 => Just(Operation::Return),
            2 => at().prop_map(Operation::Scene),
            2 => at().prop_map(Operation::DropTrack),
            1 => at().prop_map(Operation::DropReturn),
            2 => at().prop_map(Operation::DropScene),
            6 => (at(), at()).prop_map(|(track, scene)| Operation::Put(track, scene)),
            2 => (at(), at()).prop_map(|(track, scene)| Operation::Take(track, scene)),
            1 => (at(), any::<bool>()).prop_map(|(track, on)| Operation::Solo(track, on)),
            1 => (at(), at()).prop_map(|(track, scene)| Operation::Rename(track, scene)),
        ];
        prop::collection::vec(operation, 0..60)
    }

    fn act(set: &mut Document, operation: &Operation) {
        let track = |set: &Document, at| set.tracks.get(at).map(|t| t.serial);
        let scene = |set: &Document, at| set.scenes.get(at).map(|s| s.serial);
        match *operation {
            Operation::Track(at) => {
                let serial = set.fresh_serial().unwrap();
                let channel = set.free_midi_channel().0;
                let made = Track::new(serial, TrackKind::Midi, 0, set.returns.len());
                set.insert_track(at, Track { midi_channel: Some(channel), ..made });
            }
            Operation::Return => {
                let serial = set.fresh_serial().unwrap();
                set.append_return(Track::new(serial, TrackKind::Return, 0, set.returns.len()));
            }
            Operation::Scene(at) => {
                let serial = set.fresh_serial().unwrap();
                set.insert_scene(at, Scene::new(serial));
            }
            Operation::DropTrack(at) => drop(track(set, at).and_then(|serial| set.remove_track(serial))),
            Operation::DropReturn(at) => {
                drop(set.returns.get(at).map(|t| t.serial).and_then(|serial| set.remove_return(serial)));
            }
            Operation::DropScene(at) => drop(scene(set, at).and_then(|serial| set.remove_scene(serial))),
            Operation::Put(track_at, scene_at) => {
                if let (Some(track), Some(scene)) = (track(set, track_at), scene(set, scene_at)) {
                    let serial = set.fresh_serial().unwrap();
                    set.put_clip(track, scene, Clip::midi(serial, 4.0, 0, set.song.signature));
                }
            }
            Operation::Take(track_at, scene_at) => {
                if let (Some(track), Some(scene)) = (track(set, track_at), scene(set, scene_at)) {
                    set.take_clip(track, scene);
                }
            }
            Operation::Solo(at, on) => drop(track(set, at).and_then(|serial| set.edit_track(serial, |t| t.solo = on))),
            Operation::Rename(track_at, scene_at) => {
                let place = track(set, track_at).zip(scene(set, scene_at));
                if let Some(clip) = place.and_then(|(track, scene)| set.clip_in(track, scene)).map(|clip| clip.serial) {
                    set.edit_clip(clip, |clip| clip.name.push('x')).unwrap();
                }
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_kept_beside_the_lists_is_what_a_walk_finds(operations in operations()) {
            let mut set = Document::new_set();
            for operation in &operations {
                let before = set.clone();
                act(&mut set, operation);
                prop_assert_eq!(&set.index, &set.index_from_contents());
                let mut tally = TrackCounts::default();
                set.tracks.iter().for_each(|track| tally.plus(&track.sum()));
                prop_assert_eq!(set.tracks.sum(), tally);
                for scene in &set.scenes {
                    let mut holders: Vec<Serial> =
                        set.tracks.iter().filter(|t| t.clip_at(scene.serial).is_some()).map(|t| t.serial).collect();
                    holders.sort_unstable();
                    prop_assert_eq!(set.index.row(scene.serial).collect::<Vec<_>>(), holders);
                }
                // Compared through what they share, and by a text that shares nothing.
                let text = |set: &Document| {
                    serde_json::to_string(&(&set.song, &set.scenes, &set.tracks, &set.returns, &set.main)).unwrap()
                };
                prop_assert_eq!(set.same_as(&before), text(&set) == text(&before));
                let gone = |serial: &Serial| set.index.get(serial).is_none();
                let mut want: Vec<Serial> = (1..before.next_serial).filter(|s| before.index.get(s).is_some()).collect();
                want.retain(gone);
                prop_assert_eq!(set.index.gone_since(&before.index).map(|(serial, _)| serial).collect::<Vec<_>>(), want);
            }
        }
    }
}

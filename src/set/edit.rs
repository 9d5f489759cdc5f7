//! The primitive edits of a document. Each keeps the index and the grid right; everything above is built from these.

use super::document::{Clip, Document, Mixer, Scene, SessionClip, Track};
use super::ids::{SERIAL_END, Serial};
use super::index::{self, Home};
use crate::object_model::ModelError;
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

    /// Regular tracks, then returns, then main, each with its kind of home.
    pub fn every_track(&self) -> impl Iterator<Item = (&Arc<Track>, Home)> {
        let tracks = self.tracks.iter().map(|t| (t, Home::Track));
        let returns = self.returns.iter().map(|t| (t, Home::Return));
        tracks.chain(returns).chain(std::iter::once((&self.main, Home::Main)))
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
            Home::Track => self.tracks.find(serial),
            Home::Return => self.returns.find(serial),
            Home::Main => Some(&self.main),
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
            Home::SessionClip { track, scene } => self.clip_in(*track, *scene),
            Home::PlacedClip { .. } => self.placed(serial).map(|placed| &placed.clip),
            _ => None,
        }
    }

    /// Changes a track of any kind; `None` when there is none.
    pub fn edit_track<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Track) -> R) -> Option<R> {
        match self.index.get(&serial)? {
            Home::Track => self.tracks.edit(serial, edit),
            Home::Return => self.returns.edit(serial, edit),
            Home::Main => Some(edit(Arc::make_mut(&mut self.main))),
            _ => None,
        }
    }

    pub fn edit_scene<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Scene) -> R) -> Option<R> {
        self.scenes.edit(serial, edit)
    }

    pub fn edit_clip<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Clip) -> R) -> Option<R> {
        let Home::SessionClip { track, scene } = *self.index.get(&serial)? else {
            return self.edit_placed(serial, |placed| edit(Arc::make_mut(&mut placed.clip)));
        };
        self.edit_track(track, |track| track.session.edit(scene, edit))?
    }

    /// Puts a track among the regular ones.
    pub fn insert_track(&mut self, at: usize, track: Track) {
        self.index.insert(track.serial, Home::Track);
        index::add_contents(&mut self.index, &track);
        self.tracks.insert(at, Arc::new(track));
    }

    /// Removes a regular track with its contents.
    pub fn remove_track(&mut self, serial: Serial) -> Option<Arc<Track>> {
        let at = self.track_position(serial)?;
        let track = self.tracks.remove(at)?;
        index::remove_track(&mut self.index, &track);
        Some(track)
    }

    /// Appends a return track; every other track but main gains a send to it, turned down.
    pub fn append_return(&mut self, track: Track) {
        self.index.insert(track.serial, Home::Return);
        index::add_contents(&mut self.index, &track);
        self.returns.push(Arc::new(track));
        self.each_strip(|mixer| mixer.sends.push(0.0));
    }

    /// Removes a return track and every send to it.
    pub fn remove_return(&mut self, serial: Serial) -> Option<Arc<Track>> {
        let at = self.return_position(serial)?;
        let track = self.returns.remove(at)?;
        index::remove_track(&mut self.index, &track);
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
        self.index.insert(scene.serial, Home::Scene);
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
            self.index.insert(serial, Home::SessionClip { track, scene });
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

    /// The lowest channel no MIDI track uses; when all 16 are taken, the one that the fewest use, and whether it is shared.
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

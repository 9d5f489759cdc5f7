//! The primitive edits of a document. Each keeps the index and the grid right; everything above is built from these.

use super::document::{Clip, Document, Mixer, Scene, SessionClip, Track, TrackKind};
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
        self.tracks.iter().position(|t| t.serial == serial)
    }

    pub fn return_position(&self, serial: Serial) -> Option<usize> {
        self.returns.iter().position(|t| t.serial == serial)
    }

    pub fn scene_position(&self, serial: Serial) -> Option<usize> {
        self.scenes.iter().position(|s| s.serial == serial)
    }

    /// A track of any kind.
    pub fn track(&self, serial: Serial) -> Option<&Arc<Track>> {
        match self.index.get(&serial)? {
            Home::Track => self.tracks.iter().find(|t| t.serial == serial),
            Home::Return => self.returns.iter().find(|t| t.serial == serial),
            Home::Main => Some(&self.main),
            _ => None,
        }
    }

    pub fn scene(&self, serial: Serial) -> Option<&Arc<Scene>> {
        self.scenes.iter().find(|s| s.serial == serial)
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
        let track = match self.index.get(&serial)? {
            Home::Track => {
                let at = self.track_position(serial)?;
                Arc::make_mut(&mut self.tracks).get_mut(at)?
            }
            Home::Return => {
                let at = self.return_position(serial)?;
                Arc::make_mut(&mut self.returns).get_mut(at)?
            }
            Home::Main => &mut self.main,
            _ => return None,
        };
        Some(edit(Arc::make_mut(track)))
    }

    pub fn edit_scene<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Scene) -> R) -> Option<R> {
        let at = self.scene_position(serial)?;
        Some(edit(Arc::make_mut(Arc::make_mut(&mut self.scenes).get_mut(at)?)))
    }

    pub fn edit_clip<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Clip) -> R) -> Option<R> {
        let Home::SessionClip { track, scene } = *self.index.get(&serial)? else {
            return self.edit_placed(serial, |placed| edit(Arc::make_mut(&mut placed.clip)));
        };
        self.edit_track(track, |track| {
            let at = track.session.binary_search_by_key(&scene, |entry| entry.scene).ok()?;
            let entry = track.session.get_mut(at)?;
            Some(edit(Arc::make_mut(&mut entry.clip)))
        })?
    }

    /// Puts a track among the regular ones.
    pub fn insert_track(&mut self, at: usize, track: Track) {
        self.index.insert(track.serial, Home::Track);
        index::add_contents(&mut self.index, &track);
        let tracks = Arc::make_mut(&mut self.tracks);
        tracks.insert(at.min(tracks.len()), Arc::new(track));
    }

    /// Removes a regular track with its contents.
    pub fn remove_track(&mut self, serial: Serial) -> Option<Arc<Track>> {
        let at = self.track_position(serial)?;
        let track = Arc::make_mut(&mut self.tracks).remove(at);
        index::remove_track(&mut self.index, &track);
        Some(track)
    }

    /// Appends a return track; every other track but main gains a send to it, turned down.
    pub fn append_return(&mut self, track: Track) {
        self.index.insert(track.serial, Home::Return);
        index::add_contents(&mut self.index, &track);
        Arc::make_mut(&mut self.returns).push(Arc::new(track));
        self.each_strip(|mixer| mixer.sends.push(0.0));
    }

    /// Removes a return track and every send to it.
    pub fn remove_return(&mut self, serial: Serial) -> Option<Arc<Track>> {
        let at = self.return_position(serial)?;
        let track = Arc::make_mut(&mut self.returns).remove(at);
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
        let tracks = Arc::make_mut(&mut self.tracks).iter_mut();
        for track in tracks.chain(Arc::make_mut(&mut self.returns).iter_mut()) {
            let track = Arc::make_mut(track);
            edit(&mut track.mixer);
            // A return's strip has one more entry than it had when it was made: its own.
            debug_assert!(track.kind != TrackKind::Main);
        }
    }

    pub fn insert_scene(&mut self, at: usize, scene: Scene) {
        self.index.insert(scene.serial, Home::Scene);
        let scenes = Arc::make_mut(&mut self.scenes);
        scenes.insert(at.min(scenes.len()), Arc::new(scene));
    }

    /// Removes a scene with the clips of its row.
    pub fn remove_scene(&mut self, serial: Serial) -> Option<Arc<Scene>> {
        let at = self.scene_position(serial)?;
        let holders: Vec<Serial> =
            self.tracks.iter().filter(|t| t.clip_at(serial).is_some()).map(|t| t.serial).collect();
        for track in holders {
            self.take_clip(track, serial);
        }
        self.index.remove(&serial);
        Some(Arc::make_mut(&mut self.scenes).remove(at))
    }

    /// Puts a clip into a slot, in place of what was there.
    pub fn put_clip(&mut self, track: Serial, scene: Serial, clip: Clip) -> Option<Arc<Clip>> {
        let serial = clip.serial;
        let old = self.take_clip(track, scene);
        let put = self.edit_track(track, |track| {
            let entry = SessionClip { scene, clip: Arc::new(clip) };
            match track.session.binary_search_by_key(&scene, |entry| entry.scene) {
                Ok(at) | Err(at) => track.session.insert(at, entry),
            }
        });
        if put.is_some() {
            self.index.insert(serial, Home::SessionClip { track, scene });
        }
        old
    }

    /// Empties a slot.
    pub fn take_clip(&mut self, track: Serial, scene: Serial) -> Option<Arc<Clip>> {
        self.clip_in(track, scene)?;
        let clip = self.edit_track(track, |track| {
            let at = track.session.binary_search_by_key(&scene, |entry| entry.scene).ok()?;
            Some(track.session.remove(at).clip)
        })??;
        self.index.remove(&clip.serial);
        Some(clip)
    }

    /// The lowest channel no MIDI track uses; when all 16 are taken, the one that the fewest use, and whether it is shared.
    pub fn free_midi_channel(&self) -> (u8, bool) {
        let mut users = [0usize; 16];
        for channel in self.tracks.iter().filter_map(|t| t.midi_channel) {
            if let Some(count) = users.get_mut(usize::from(channel)) {
                *count += 1;
            }
        }
        let (channel, count) = (0u8..).zip(users).min_by_key(|(channel, count)| (*count, *channel)).unwrap_or((0, 0));
        (channel, count > 0)
    }

    /// Whether two documents are the same Set, comparing shared parts by address first.
    pub fn same_as(&self, other: &Document) -> bool {
        fn list<T: PartialEq>(a: &Arc<Vec<Arc<T>>>, b: &Arc<Vec<Arc<T>>>) -> bool {
            Arc::ptr_eq(a, b) || (a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| one(a, b)))
        }
        fn one<T: PartialEq>(a: &Arc<T>, b: &Arc<T>) -> bool {
            Arc::ptr_eq(a, b) || a == b
        }
        one(&self.song, &other.song)
            && list(&self.scenes, &other.scenes)
            && list(&self.tracks, &other.tracks)
            && list(&self.returns, &other.returns)
            && one(&self.main, &other.main)
            && one(&self.cue_points, &other.cue_points)
            && one(&self.grooves, &other.grooves)
    }
}

impl Track {
    pub fn clip_at(&self, scene: Serial) -> Option<&Arc<Clip>> {
        let at = self.session.binary_search_by_key(&scene, |entry| entry.scene).ok()?;
        self.session.get(at).map(|entry| &entry.clip)
    }
}

//! Where every made object is, by serial, and which tracks have a clip in a scene: part of the document value, shared
//! between snapshots like the rest of it.

use super::document::{Document, Track};
use super::ids::Serial;
use imbl::ordmap::DiffItem;
use imbl::{OrdMap, OrdSet};

/// Where an object lives. Positions are looked up when needed, so moving a sibling touches no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    Track,
    Return,
    Main,
    Scene,
    SessionClip { track: Serial, scene: Serial },
    Device { track: Serial },
}

/// See the [module](self).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    homes: OrdMap<Serial, Home>,
    /// Scene and track of each Session clip.
    rows: OrdSet<(Serial, Serial)>,
}

impl Index {
    pub fn new() -> Index {
        Index::default()
    }

    pub fn get(&self, serial: &Serial) -> Option<&Home> {
        self.homes.get(serial)
    }

    pub fn insert(&mut self, serial: Serial, home: Home) {
        if let Home::SessionClip { track, scene } = home {
            self.rows.insert((scene, track));
        }
        self.homes.insert(serial, home);
    }

    pub fn remove(&mut self, serial: &Serial) {
        if let Some(Home::SessionClip { track, scene }) = self.homes.remove(serial) {
            self.rows.remove(&(scene, track));
        }
    }

    /// The tracks that have a clip in a scene, by serial.
    pub fn row(&self, scene: Serial) -> impl Iterator<Item = Serial> {
        self.rows.range((scene, 0)..=(scene, Serial::MAX)).map(|(_, track)| *track)
    }

    /// What was somewhere in `before` and is nowhere now. Looks only at what the two do not share.
    pub fn gone_since<'a>(&'a self, before: &'a Index) -> impl Iterator<Item = (Serial, Home)> {
        before.homes.diff(&self.homes).filter_map(|change| match change {
            DiffItem::Remove(serial, home) => Some((*serial, *home)),
            DiffItem::Add(..) | DiffItem::Update { .. } => None,
        })
    }
}

/// The index of a document, made from nothing; edits keep it up to date from then on.
pub fn build(document: &Document) -> Index {
    let mut index = Index::new();
    for scene in document.scenes.iter() {
        index.insert(scene.serial, Home::Scene);
    }
    for (track, home) in document.every_track() {
        index.insert(track.serial, home);
        add_contents(&mut index, track);
    }
    index
}

/// Adds what a track holds.
pub fn add_contents(index: &mut Index, track: &Track) {
    for entry in &track.session {
        index.insert(entry.clip.serial, Home::SessionClip { track: track.serial, scene: entry.scene });
    }
    for device in &track.devices {
        index.insert(device.serial, Home::Device { track: track.serial });
    }
}

/// Removes a track and what it holds.
pub fn remove_track(index: &mut Index, track: &Track) {
    index.remove(&track.serial);
    for entry in &track.session {
        index.remove(&entry.clip.serial);
    }
    for device in &track.devices {
        index.remove(&device.serial);
    }
}

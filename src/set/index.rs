//! Where every made object is, by serial: part of the document value, shared between snapshots like the rest of it.

use super::document::{Document, Track};
use super::ids::Serial;
use imbl::OrdMap;

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

pub type Index = OrdMap<Serial, Home>;

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

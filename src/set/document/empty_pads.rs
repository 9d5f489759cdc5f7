//! Notes that a Drum Rack has no pad for: nothing plays them.

use super::device_tree::Device;
use super::{Clip, Track, TrackKind};
use crate::music::pitch;
use crate::music::text::counted;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Keys that are named.
const SAID_KEYS: usize = 3;
/// Note effects that leave the keys of notes as they are.
const KEEP_KEYS: [&str; 3] = ["Velocity", "Note Length", "CC Control"];

/// How many notes have no pad, in words: `8 notes on Gb1 where the rack has no pad`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotesWithoutPad {
    by_key: BTreeMap<u8, usize>,
}

impl Track {
    /// The notes of `clips` that the track's Drum Rack has no pad for; `None` where there are none, and where it cannot
    /// be told: the track plays no Drum Rack, one of the rack's chains takes every key, or a note effect in front of it
    /// makes other keys of them.
    pub(super) fn notes_without_pad<'a>(&self, clips: impl Iterator<Item = &'a Arc<Clip>>) -> Option<NotesWithoutPad> {
        let has_pad = pads(self.drum_rack()?)?;
        let mut by_key = BTreeMap::new();
        let notes = clips.filter(|clip| !clip.muted).filter_map(|clip| clip.notes());
        for note in notes.flat_map(|notes| notes.list.iter().map(|stored| &stored.note)).filter(|note| !note.mute) {
            if has_pad.get(usize::from(note.pitch)) == Some(&false) {
                *by_key.entry(note.pitch).or_default() += 1;
            }
        }
        (!by_key.is_empty()).then_some(NotesWithoutPad { by_key })
    }

    /// The Drum Rack that gets the notes of the track as they are.
    pub(super) fn drum_rack(&self) -> Option<&Device> {
        if self.kind != TrackKind::Midi {
            return None;
        }
        let is_on = |device: &&Arc<Device>| device.is_on();
        let mut first = self.devices.iter().filter(is_on);
        let keeps_keys = |device: &Device| KEEP_KEYS.contains(&device.class_display_name());
        first.find(|device| !keeps_keys(device)).map(Arc::as_ref).filter(|device| device.is_drum_rack())
    }
}

/// Which of the 128 keys have a pad; `None`: a chain takes every key, or there is no pad at all.
fn pads(rack: &Device) -> Option<[bool; 128]> {
    let mut has_pad = [false; 128];
    let chains = rack.rack.as_ref().map(|rack| &rack.chains).filter(|chains| !chains.is_empty())?;
    for chain in chains {
        *has_pad.get_mut(usize::from(chain.in_note?))? = true;
    }
    Some(has_pad)
}

impl fmt::Display for NotesWithoutPad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<String> = self.by_key.keys().take(SAID_KEYS).map(|key| pitch::name(*key)).collect();
        let notes = counted(self.by_key.values().sum(), "note");
        write!(f, "{notes} on {}", keys.join(", "))?;
        match self.by_key.len().saturating_sub(SAID_KEYS) {
            0 => {}
            beyond => write!(f, " and {} more {}", beyond, if beyond == 1 { "key" } else { "keys" })?,
        }
        f.write_str(" where the rack has no pad")
    }
}

//! Notes that nobody hears of a Drum Rack: on pads that are muted, turned down or left out by a solo, and where there
//! is none.

use super::device_tree::{Chain, Rack};
use super::{Clip, Track};
use crate::music::text::counted;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Pads that are named.
const SAID_PADS: usize = 3;

/// Why a pad is silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Silent {
    Muted,
    LeftOut,
    TurnedDown,
}

impl Silent {
    fn of(chain: &Chain, rack: &Rack) -> Option<Silent> {
        if chain.mute {
            Some(Silent::Muted)
        } else if !chain.solo && rack.chains.iter().any(|other| other.solo) {
            Some(Silent::LeftOut)
        } else {
            (chain.volume <= 0.0).then_some(Silent::TurnedDown)
        }
    }

    fn words(self, several: bool) -> &'static str {
        match (self, several) {
            (Silent::Muted, false) => "which is muted",
            (Silent::Muted, true) => "which are muted",
            (Silent::LeftOut, _) => "beside a pad that is soloed",
            (Silent::TurnedDown, _) => "with the volume at -inf dB",
        }
    }
}

impl Track {
    /// Whether the Drum Rack of the track has a pad that sounds for any of the notes of `clips`.
    pub fn hears_notes<'a>(&self, clips: impl Iterator<Item = &'a Arc<Clip>>) -> bool {
        let Some(rack) = self.drum_rack().and_then(|device| device.rack.as_ref()) else { return true };
        let sounding: Vec<_> = rack.chains.iter().filter(|chain| Silent::of(chain, rack).is_none()).collect();
        let notes =
            clips.filter(|clip| !clip.muted).filter_map(|clip| clip.notes()).flat_map(|notes| notes.list.iter());
        let plays = |pitch: u8| sounding.iter().any(|chain| chain.in_note.is_none_or(|key| key == pitch));
        notes.filter(|stored| !stored.note.mute).any(|stored| plays(stored.note.pitch))
    }

    /// What of the notes of `clips` is not heard of the track's Drum Rack, in clauses, as far as it can be told: not
    /// where a note effect in front of the rack makes other keys of them.
    pub fn unheard_notes<'a>(&self, clips: impl Iterator<Item = &'a Arc<Clip>>) -> Vec<String> {
        let clips: Vec<&Arc<Clip>> = clips.collect();
        let without_pad = self.notes_without_pad(clips.iter().copied());
        let Some(rack) = self.drum_rack().and_then(|device| device.rack.as_ref()) else { return Vec::new() };
        let mut on_pads = BTreeMap::<Silent, (Vec<&str>, usize)>::new();
        for chain in &rack.chains {
            let Some(silent) = Silent::of(chain, rack) else { continue };
            let of_clip = |clip: &&Arc<Clip>| {
                let notes = clip.notes().filter(|_| !clip.muted).map(|notes| notes.list.as_slice()).unwrap_or_default();
                let plays = |pitch: u8| chain.in_note.is_none_or(|key| key == pitch);
                notes.iter().filter(|stored| !stored.note.mute && plays(stored.note.pitch)).count()
            };
            let count: usize = clips.iter().map(of_clip).sum();
            if count > 0 {
                let (names, notes) = on_pads.entry(silent).or_default();
                names.push(&chain.name);
                *notes += count;
            }
        }
        let told = on_pads.into_iter().map(|(silent, (names, count))| {
            let beyond = names.len().saturating_sub(SAID_PADS);
            let more = (beyond > 0).then(|| counted(beyond, "more pad"));
            let said: Vec<&str> = names.iter().copied().take(SAID_PADS).chain(more.as_deref()).collect();
            let said = match said.as_slice() {
                [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
                all => all.concat(),
            };
            format!("{} on {said}, {}", counted(count, "note"), silent.words(names.len() > 1))
        });
        told.chain(without_pad.map(|notes| notes.to_string())).collect()
    }
}

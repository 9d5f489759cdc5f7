//! Which rows a piano roll has, and over which time it goes. A drum track has a row for each pad that is named or
//! played.

use crate::set_view::{ClipView, NoteColumns};
use crate::window::times::pitch_name;
use std::collections::BTreeSet;

/// Of a larger kit only what is played is shown.
const MOST_PADS: usize = 16;
/// A roll has at least so many keys.
const LEAST_KEYS: u8 = 14;
/// Beyond the highest and the lowest.
const MARGIN: u8 = 1;

pub struct RollPlan {
    /// Pitches from the top row down.
    pub rows: Vec<u8>,
    pub is_drums: bool,
    pub played: BTreeSet<u8>,
    pub from: f64,
    /// Where the loop and the region end: so far fills the width.
    pub fits: f64,
    /// Where the last note does, too.
    pub to: f64,
}

impl RollPlan {
    /// With room for so many rows: keys fill it.
    pub fn of(clip: &ClipView, notes: &NoteColumns, room: u8) -> RollPlan {
        let brace = &clip.loop_brace;
        let first = notes.start_beat.iter().copied().fold(0.0, f64::min);
        let from = brace.start_beat.min(clip.markers.start_beat).min(first);
        let fits = (brace.start_beat + brace.length_beats).max(clip.markers.end_beat).max(from + 1.0);
        let ends = notes.start_beat.iter().zip(&notes.length_beats).map(|(start, length)| start + length);
        let to = ends.fold(fits, f64::max);
        let played: BTreeSet<u8> = notes.pitch.iter().copied().collect();
        let pads: BTreeSet<u8> = clip.pad_names.keys().filter_map(|note| note.parse().ok()).collect();
        let is_drums = !pads.is_empty();
        let rows = if is_drums {
            let pads = pads.len() <= MOST_PADS;
            let named = clip.pad_names.keys().filter_map(|note| note.parse().ok()).filter(|_| pads);
            let shown: BTreeSet<u8> = named.chain(played.iter().copied()).collect();
            shown.into_iter().rev().collect()
        } else {
            keys(&played, room)
        };
        RollPlan { rows, is_drums, played, from, fits, to }
    }

    /// The row of a pitch.
    pub fn row(&self, pitch: u8) -> Option<usize> {
        // From the highest down.
        self.rows.binary_search_by(|row| pitch.cmp(row)).ok()
    }

    pub fn name(&self, clip: &ClipView, pitch: u8) -> String {
        clip.pad_names.get(&pitch.to_string()).cloned().unwrap_or_else(|| pitch_name(pitch))
    }
}

fn keys(played: &BTreeSet<u8>, room: u8) -> Vec<u8> {
    let least = room.min(128).saturating_sub(2 * MARGIN).max(LEAST_KEYS);
    let mut low = played.first().copied().unwrap_or(60);
    let mut high = played.last().copied().unwrap_or(60);
    while high - low < least - 1 {
        low = low.saturating_sub(1);
        high = (high + 1).min(127);
    }
    (low.saturating_sub(MARGIN)..=(high + MARGIN).min(127)).rev().collect()
}

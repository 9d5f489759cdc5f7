//! The engine's own memory of a track, kept in the track's cell between blocks.

use super::launch_grid::{code, from_code};
use super::phase::{ClipPhase, PlayRegion};
use crate::music::Beats;
use crate::set::document::ids::Serial;
use crate::set::runtime::launch_orders::{LaunchQuantum, TrackCell, TrackState};

/// A [`TrackCell`]'s content while the engine works on it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrackMemory {
    pub handled: u64,
    pub playing: Option<Serial>,
    pub ended_by_itself: bool,
    pub position_beats: Beats,
    pub start_beats: Beats,
    pub phase: ClipPhase,
    /// Of the launch that plays; its grid is the one that jumps and starts snap to.
    pub quantum: LaunchQuantum,
    /// The last [`ClipJump`](crate::set::runtime::launch_orders::ClipJump) that acted.
    pub skipped: u64,
    /// The scene in whose slot the playing clip was last found.
    pub slot_hint: u32,
}

impl Default for TrackMemory {
    fn default() -> Self {
        TrackMemory::load(&TrackCell::default())
    }
}

impl TrackMemory {
    pub fn load(cell: &TrackCell) -> TrackMemory {
        let TrackState { handled, playing, ended_by_itself, position_beats, start_beats } = cell.read();
        let [anchor, enter, quantum, region_start, region_end, region_kind, slot_hint, skipped] =
            std::array::from_fn(|at| cell.memory.get(at).map_or(0.0, |word| word.get()));
        TrackMemory {
            handled,
            playing,
            ended_by_itself,
            position_beats,
            start_beats,
            phase: ClipPhase {
                anchor,
                enter,
                region: match region_kind as u32 {
                    0 => PlayRegion::Empty,
                    1 => PlayRegion::Once { end: region_end },
                    2 => PlayRegion::Loop { start: region_start, end: region_end },
                    _ => PlayRegion::PastLoop,
                },
                // Found anew from the clip in each block.
                seconds_per_beat: None,
            },
            quantum: from_code(quantum),
            skipped: skipped as u64,
            slot_hint: slot_hint as u32,
        }
    }

    pub fn store(&self, cell: &TrackCell) {
        let (kind, start, end) = match self.phase.region {
            PlayRegion::Empty => (0.0, 0.0, 0.0),
            PlayRegion::Once { end } => (1.0, 0.0, end),
            PlayRegion::Loop { start, end } => (2.0, start, end),
            PlayRegion::PastLoop => (3.0, 0.0, 0.0),
        };
        let words = [
            self.phase.anchor,
            self.phase.enter,
            code(self.quantum),
            start,
            end,
            kind,
            f64::from(self.slot_hint),
            // Order numbers are below 2^38.
            self.skipped as f64,
        ];
        for (slot, word) in cell.memory.iter().zip(words) {
            slot.set(word);
        }
        cell.write(&TrackState {
            handled: self.handled,
            playing: self.playing,
            ended_by_itself: self.ended_by_itself,
            position_beats: self.position_beats,
            start_beats: self.start_beats,
        });
    }
}

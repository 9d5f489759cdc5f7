//! Where clips of a call are and go: slots, and spans of lanes.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::path::LanePath;
use crate::tools::error::ToolError;
use crate::tools::timeline::place::{self, ClipPlace};
use std::collections::HashMap;

/// A slot, or a span of a lane.
#[derive(Clone, Debug, PartialEq)]
pub enum Area {
    Slot { track: usize, scene: usize },
    Span { lane: LanePath, from: Beats, to: Beats },
}

impl Area {
    pub fn of(place: &ClipPlace, length: Beats) -> Area {
        match *place {
            ClipPlace::Slot { track, scene } => Area::Slot { track, scene },
            ClipPlace::Timeline { lane, at } => Area::Span { lane, from: at, to: at + length },
        }
    }

    /// Where a clip is now.
    pub fn of_clip(session: &dyn Session, clip: ObjectId) -> Result<Area, ToolError> {
        Ok(Area::of(&place::of_clip(session, clip)?, place::clip_length(session, clip)?))
    }

    /// Whether they have a place in common.
    pub fn meets(&self, other: &Area) -> bool {
        match (self, other) {
            (Area::Span { lane, from, to }, Area::Span { lane: there, from: start, to: end }) => {
                lane == there && *from < end - SAME_POSITION_BEATS && *start < to - SAME_POSITION_BEATS
            }
            _ => self == other,
        }
    }

    /// Whether the other lies inside it.
    pub fn covers(&self, other: &Area) -> bool {
        match (self, other) {
            (Area::Span { lane, from, to }, Area::Span { lane: there, from: start, to: end }) => {
                lane == there && *from <= start + SAME_POSITION_BEATS && *end <= to + SAME_POSITION_BEATS
            }
            _ => self == other,
        }
    }
}

/// A move of one clip: what it is made from, and where it goes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipMove {
    pub from: Area,
    /// What it covers where it is before it goes: more than `from` where it is made longer first.
    pub covers_before: Area,
    pub to: Area,
    /// It is a copy: what it is made from stays.
    pub stays: bool,
}

/// Areas by where they are.
#[derive(Default)]
pub struct AreaIndex<'a>(HashMap<AreaKey, Vec<(usize, &'a Area)>>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum AreaKey {
    Slot { track: usize, scene: usize },
    Lane(LanePath),
}

impl<'a> AreaIndex<'a> {
    fn key(area: &Area) -> AreaKey {
        match area {
            Area::Slot { track, scene } => AreaKey::Slot { track: *track, scene: *scene },
            Area::Span { lane, .. } => AreaKey::Lane(*lane),
        }
    }

    pub fn add(&mut self, at: usize, area: &'a Area) {
        self.0.entry(AreaIndex::key(area)).or_default().push((at, area));
    }

    /// All that may meet this one.
    pub fn near(&self, area: &Area) -> impl DoubleEndedIterator<Item = (usize, &'a Area)> {
        self.0.get(&AreaIndex::key(area)).into_iter().flatten().copied()
    }
}

//! Placed clips: the Arrangement's lanes and take lanes. Like the edits of `objects.rs`, each keeps the index right. A
//! lane is in order of time and no clip overlaps the next: whoever lays one makes room first.

use crate::music::Beats;
use crate::set::document::ids::Serial;
use crate::set::document::object_index::{ExactBeats, Location};
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{CuePoint, Document, Groove, PlacedClip, TakeLane};
use std::sync::Arc;

/// Which lane: a track's own, or a take lane of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneRef {
    pub track: Serial,
    pub take_lane: Option<Serial>,
}

impl Document {
    pub fn cue_point(&self, serial: Serial) -> Option<&CuePoint> {
        self.cue_points.iter().find(|cue| cue.serial == serial)
    }

    pub fn groove(&self, serial: Serial) -> Option<&Groove> {
        self.grooves.iter().find(|groove| groove.serial == serial)
    }

    pub fn edit_cue_point<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut CuePoint) -> R) -> Option<R> {
        let at = self.cue_points.iter().position(|cue| cue.serial == serial)?;
        Arc::make_mut(&mut self.cue_points).get_mut(at).map(edit)
    }

    /// Puts a locator where none is.
    pub fn put_cue_point(&mut self, cue: CuePoint) {
        let serial = cue.serial;
        let cues = Arc::make_mut(&mut self.cue_points);
        let at = cues.partition_point(|other| other.time < cue.time);
        cues.insert(at, cue);
        self.index.insert(serial, Location::CuePoint);
    }

    pub fn take_cue_point(&mut self, serial: Serial) -> Option<CuePoint> {
        let at = self.cue_points.iter().position(|cue| cue.serial == serial)?;
        self.index.remove(&serial);
        Some(Arc::make_mut(&mut self.cue_points).remove(at))
    }

    /// Puts a take lane below those that a track has.
    pub fn append_take_lane(&mut self, track: Serial, lane: TakeLane) -> Option<()> {
        let serial = lane.serial;
        self.edit_track(track, |track| track.take_lanes.push(Arc::new(lane)))?;
        self.index.insert(serial, Location::TakeLane { track });
        Some(())
    }

    pub fn edit_groove<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut Groove) -> R) -> Option<R> {
        let at = self.grooves.iter().position(|groove| groove.serial == serial)?;
        Arc::make_mut(&mut self.grooves).get_mut(at).map(edit)
    }

    pub fn edit_take_lane<R>(&mut self, serial: Serial, edit: impl FnOnce(&mut TakeLane) -> R) -> Option<R> {
        let Location::TakeLane { track } = self.location(serial)? else { return None };
        self.edit_track(track, |track| {
            track.take_lanes.iter_mut().find(|l| l.serial == serial).map(|lane| edit(Arc::make_mut(lane)))
        })?
    }

    /// The lane that a placed clip is on.
    pub fn lane_of(&self, clip: Serial) -> Option<LaneRef> {
        match self.location(clip)? {
            Location::PlacedClip { track, lane, .. } => Some(LaneRef { track, take_lane: lane }),
            _ => None,
        }
    }

    pub fn lane(&self, of: LaneRef) -> Option<&Lane> {
        let track = self.track(of.track)?;
        match of.take_lane {
            None => Some(&track.arrangement),
            Some(lane) => track.take_lanes.iter().find(|l| l.serial == lane).map(|l| &l.clips),
        }
    }

    pub fn take_lane(&self, serial: Serial) -> Option<&Arc<TakeLane>> {
        let Location::TakeLane { track } = self.location(serial)? else { return None };
        self.track(track)?.take_lanes.iter().find(|l| l.serial == serial)
    }

    /// The left edge of a placed clip.
    fn start_of(&self, clip: Serial) -> Option<Beats> {
        match self.location(clip)? {
            Location::PlacedClip { start, .. } => Some(start.beats()),
            _ => None,
        }
    }

    pub fn placed(&self, clip: Serial) -> Option<&PlacedClip> {
        self.lane(self.lane_of(clip)?)?.starting_at(self.start_of(clip)?)
    }

    /// The position of a clip in its lane.
    pub fn placed_position(&self, clip: Serial) -> Option<usize> {
        self.lane(self.lane_of(clip)?)?.position_of(self.start_of(clip)?)
    }

    /// Changes a lane; the index and the order are the caller's to keep.
    pub fn edit_lane<R>(&mut self, of: LaneRef, edit: impl FnOnce(&mut Lane) -> R) -> Option<R> {
        self.edit_track(of.track, |track| match of.take_lane {
            None => Some(edit(&mut track.arrangement)),
            Some(lane) => {
                let lane = track.take_lanes.iter_mut().find(|l| l.serial == lane)?;
                Some(edit(&mut Arc::make_mut(lane).clips))
            }
        })?
    }

    /// Changes a placed clip, all but its start: for that there is [`Document::replace_placed`].
    pub fn edit_placed<R>(&mut self, clip: Serial, edit: impl FnOnce(&mut PlacedClip) -> R) -> Option<R> {
        let (lane, start) = (self.lane_of(clip)?, self.start_of(clip)?);
        self.edit_lane(lane, |lane| lane.edit(start, edit))?
    }

    /// Puts a clip where nothing is; `None` if its lane does not exist. Making room is the caller's.
    pub fn put_placed(&mut self, of: LaneRef, placed: PlacedClip) -> Option<()> {
        let (serial, start) = (placed.clip.serial, ExactBeats::new(placed.start));
        self.edit_lane(of, |lane| lane.insert(placed))?;
        self.index.insert(serial, Location::PlacedClip { track: of.track, lane: of.take_lane, start });
        Some(())
    }

    /// Puts another shape of a clip where it is: what it is now neither leaves nor passes its neighbours.
    pub fn replace_placed(&mut self, clip: Serial, placed: PlacedClip) -> Option<()> {
        let of = self.lane_of(clip)?;
        let start = self.start_of(clip)?;
        if placed.start == start {
            return self.edit_placed(clip, |old| *old = placed);
        }
        self.edit_lane(of, |lane| lane.remove(start))?;
        self.put_placed(of, placed)
    }

    /// Takes a clip off the timeline.
    pub fn take_placed(&mut self, clip: Serial) -> Option<PlacedClip> {
        let (lane, start) = (self.lane_of(clip)?, self.start_of(clip)?);
        let placed = self.edit_lane(lane, |lane| lane.remove(start))??;
        self.index.remove(&clip);
        Some(placed)
    }
}

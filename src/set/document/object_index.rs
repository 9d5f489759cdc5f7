//! Where every made object is, by serial, and which tracks have a clip in a scene: part of the document value, shared
//! between snapshots like the rest of it. See D7 in `docs/decisions.md`.

use crate::music::Beats;
use crate::set::document::device_tree::{Chain, Device};
use crate::set::document::ids::Serial;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::track::Track;
use imbl::ordmap::DiffItem;
use imbl::{OrdMap, OrdSet};
use std::mem::discriminant;

/// Where an object lives. Positions are looked up when needed, so moving a sibling touches no entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    Track,
    Return,
    Main,
    Scene,
    SessionClip {
        track: Serial,
        scene: Serial,
    },
    /// On a track's timeline, or on one of its take lanes.
    PlacedClip {
        track: Serial,
        lane: Option<Serial>,
        /// Its left edge, by which it is found in its lane.
        start: ExactBeats,
    },
    TakeLane {
        track: Serial,
    },
    /// On a track or in a chain.
    Device {
        parent: Serial,
    },
    Chain {
        rack: Serial,
    },
    CuePoint,
    Groove,
}

/// A place on the timeline, exactly: a float that can be compared for being the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactBeats(u64);

impl ExactBeats {
    pub fn new(beats: Beats) -> ExactBeats {
        ExactBeats(beats.to_bits())
    }

    pub fn beats(self) -> Beats {
        f64::from_bits(self.0)
    }
}

/// See the [module](self).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Index {
    locations: OrdMap<Serial, Location>,
    /// Scene and track of each Session clip.
    rows: OrdSet<(Serial, Serial)>,
}

impl Index {
    pub fn new() -> Index {
        Index::default()
    }

    pub fn get(&self, serial: &Serial) -> Option<&Location> {
        self.locations.get(serial)
    }

    pub fn insert(&mut self, serial: Serial, location: Location) {
        if let Location::SessionClip { track, scene } = location {
            self.rows.insert((scene, track));
        }
        self.locations.insert(serial, location);
    }

    pub fn remove(&mut self, serial: &Serial) {
        if let Some(Location::SessionClip { track, scene }) = self.locations.remove(serial) {
            self.rows.remove(&(scene, track));
        }
    }

    /// The tracks that have a clip in a scene, by serial.
    pub fn row(&self, scene: Serial) -> impl Iterator<Item = Serial> {
        self.rows.range((scene, 0)..=(scene, Serial::MAX)).map(|(_, track)| *track)
    }

    /// What was somewhere in `before` and is nowhere now, or is something else, as in another Set. Looks only at what
    /// the two do not share.
    pub fn gone_since<'a>(&'a self, before: &'a Index) -> impl Iterator<Item = (Serial, Location)> {
        before.locations.diff(&self.locations).filter_map(|change| match change {
            DiffItem::Remove(serial, location) => Some((*serial, *location)),
            DiffItem::Update { old: (serial, location), new: (_, now) }
                if discriminant(location) != discriminant(now) =>
            {
                Some((*serial, *location))
            }
            DiffItem::Add(..) | DiffItem::Update { .. } => None,
        })
    }
}

/// Adds what a track holds.
pub fn add_contents(index: &mut Index, track: &Track) {
    contents(track, &mut |serial, location| {
        index.insert(serial, location);
    });
}

/// Removes a track and what it holds.
pub fn remove_track(index: &mut Index, track: &Track) {
    index.remove(&track.serial);
    contents(track, &mut |serial, _| {
        index.remove(&serial);
    });
}

/// Adds a device that stands in `parent`, with what it holds.
pub fn add_device(index: &mut Index, parent: Serial, device: &Device) {
    device_contents(parent, device, &mut |serial, location| {
        index.insert(serial, location);
    });
}

/// Removes a device with what it holds.
pub fn remove_device(index: &mut Index, device: &Device) {
    device_contents(0, device, &mut |serial, _| {
        index.remove(&serial);
    });
}

/// Adds a chain of `rack`, with what it holds.
pub fn add_chain(index: &mut Index, rack: Serial, chain: &Chain) {
    chain_contents(rack, chain, &mut |serial, location| {
        index.insert(serial, location);
    });
}

/// Removes a chain with what it holds.
pub fn remove_chain(index: &mut Index, chain: &Chain) {
    chain_contents(0, chain, &mut |serial, _| {
        index.remove(&serial);
    });
}

/// Visits what a track holds.
pub fn contents(track: &Track, visit: &mut impl FnMut(Serial, Location)) {
    for entry in &track.session {
        visit(entry.clip.serial, Location::SessionClip { track: track.serial, scene: entry.scene });
    }
    lane_contents(&track.arrangement, track.serial, None, visit);
    for lane in &track.take_lanes {
        visit(lane.serial, Location::TakeLane { track: track.serial });
        lane_contents(&lane.clips, track.serial, Some(lane.serial), visit);
    }
    for device in &track.devices {
        device_contents(track.serial, device, visit);
    }
}

fn lane_contents(clips: &Lane, track: Serial, lane: Option<Serial>, visit: &mut impl FnMut(Serial, Location)) {
    for placed in clips {
        visit(placed.clip.serial, Location::PlacedClip { track, lane, start: ExactBeats::new(placed.start) });
    }
}

/// Visits a device that stands in `parent`, and what it holds.
pub fn device_contents(parent: Serial, device: &Device, visit: &mut impl FnMut(Serial, Location)) {
    visit(device.serial, Location::Device { parent });
    for chain in device.rack.iter().flat_map(|rack| rack.every_chain()) {
        chain_contents(device.serial, chain, visit);
    }
}

fn chain_contents(rack: Serial, chain: &Chain, visit: &mut impl FnMut(Serial, Location)) {
    visit(chain.serial, Location::Chain { rack });
    for device in &chain.devices {
        device_contents(chain.serial, device, visit);
    }
}

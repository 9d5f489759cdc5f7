//! Where every made object is, by serial, and which tracks have a clip in a scene: part of the document value, shared
//! between snapshots like the rest of it.

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
pub enum Home {
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
        start: Start,
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
pub struct Start(u64);

impl Start {
    pub fn of(beats: Beats) -> Start {
        Start(beats.to_bits())
    }

    pub fn beats(self) -> Beats {
        f64::from_bits(self.0)
    }
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

    /// What was somewhere in `before` and is nowhere now, or is something else, as in another Set. Looks only at what the two
    /// do not share.
    pub fn gone_since<'a>(&'a self, before: &'a Index) -> impl Iterator<Item = (Serial, Home)> {
        before.homes.diff(&self.homes).filter_map(|change| match change {
            DiffItem::Remove(serial, home) => Some((*serial, *home)),
            DiffItem::Update { old: (serial, home), new: (_, now) } if discriminant(home) != discriminant(now) => {
                Some((*serial, *home))
            }
            DiffItem::Add(..) | DiffItem::Update { .. } => None,
        })
    }
}

/// Adds what a track holds.
pub fn add_contents(index: &mut Index, track: &Track) {
    contents(track, &mut |serial, home| {
        index.insert(serial, home);
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
    device_contents(parent, device, &mut |serial, home| {
        index.insert(serial, home);
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
    chain_contents(rack, chain, &mut |serial, home| {
        index.insert(serial, home);
    });
}

/// Removes a chain with what it holds.
pub fn remove_chain(index: &mut Index, chain: &Chain) {
    chain_contents(0, chain, &mut |serial, _| {
        index.remove(&serial);
    });
}

fn contents(track: &Track, visit: &mut impl FnMut(Serial, Home)) {
    for entry in &track.session {
        visit(entry.clip.serial, Home::SessionClip { track: track.serial, scene: entry.scene });
    }
    lane_contents(&track.arrangement, track.serial, None, visit);
    for lane in &track.take_lanes {
        visit(lane.serial, Home::TakeLane { track: track.serial });
        lane_contents(&lane.clips, track.serial, Some(lane.serial), visit);
    }
    for device in &track.devices {
        device_contents(track.serial, device, visit);
    }
}

fn lane_contents(clips: &Lane, track: Serial, lane: Option<Serial>, visit: &mut impl FnMut(Serial, Home)) {
    for placed in clips {
        visit(placed.clip.serial, Home::PlacedClip { track, lane, start: Start::of(placed.start) });
    }
}

fn device_contents(parent: Serial, device: &Device, visit: &mut impl FnMut(Serial, Home)) {
    visit(device.serial, Home::Device { parent });
    for chain in device.rack.iter().flat_map(|rack| rack.every_chain()) {
        chain_contents(device.serial, chain, visit);
    }
}

fn chain_contents(rack: Serial, chain: &Chain, visit: &mut impl FnMut(Serial, Home)) {
    visit(chain.serial, Home::Chain { rack });
    for device in &chain.devices {
        device_contents(chain.serial, device, visit);
    }
}

//! What is different between two documents, told by object.
//!
//! Finding it looks only at what the two do not share, so it costs what was changed in between, whatever the size of
//! the Set. See D72 in `docs/decisions.md`.

mod own_values;
#[cfg(test)]
mod tests;

use crate::object_model::history::{ChangeKind, ChangedClass, Held, NoteChanges, ObjectChange, SetChanges};
use crate::object_model::model::Spend;
use crate::object_model::{ModelError, ObjectId};
use crate::set::document::device_tree::{Chain, Device};
use crate::set::document::ids::{IdParts, SONG, Serial};
use crate::set::document::object_index::Location;
use crate::set::document::sequence::{Sequence, SequenceItem};
use crate::set::document::session_clips::SessionClips;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, CuePoint, Document, Groove, PlacedClip, Scene, TakeLane, Track};
use own_values::OwnValues;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What is different between two documents; of more than `most` objects only the number is told.
///
/// # Errors
///
/// What `spend` gives, which is asked for each object that is looked at.
pub fn between(
    before: &Document,
    after: &Document,
    most: usize,
    spend: &mut Spend<'_>,
) -> Result<SetChanges, ModelError> {
    let mut walk = Walk { before, after, touched: Vec::new(), seen: HashSet::new(), relabelled: HashSet::new() };
    walk.document();
    let Walk { touched, relabelled, .. } = walk;
    let moved = MovedInLists::of(before, after, &relabelled);
    let mut changes = SetChanges::default();
    for serial in touched {
        spend(1)?;
        changes.compared += 1;
        let Some(change) = one(before, after, serial, &moved, spend)? else { continue };
        if changes.objects.len() < most {
            changes.objects.push(change);
        } else {
            changes.more += 1;
        }
    }
    Ok(changes)
}

/// The objects that two documents do not share, by serial.
struct Walk<'a> {
    before: &'a Document,
    after: &'a Document,
    touched: Vec<Serial>,
    seen: HashSet<Serial>,
    /// Tracks and scenes whose place in their list may be another.
    relabelled: HashSet<Serial>,
}

impl<'a> Walk<'a> {
    /// Notes an object; whether it was new.
    fn touch(&mut self, serial: Serial) -> bool {
        let is_new = self.seen.insert(serial);
        if is_new {
            self.touched.push(serial);
        }
        is_new
    }

    fn document(&mut self) {
        let (before, after) = (self.before, self.after);
        if !Arc::ptr_eq(&before.song, &after.song) {
            self.touch(SONG);
        }
        self.list(&before.cue_points, &after.cue_points, |cue: &CuePoint| cue.serial);
        self.list(&before.grooves, &after.grooves, |groove: &Groove| groove.serial);
        self.sequence(&before.scenes, &after.scenes, |_, _, _| ());
        self.sequence(&before.tracks, &after.tracks, Walk::track);
        self.sequence(&before.returns, &after.returns, Walk::track);
        if !Arc::ptr_eq(&before.main, &after.main) {
            self.touch(after.main.serial);
            self.track(&before.main, &after.main);
        }
    }

    fn list<T: PartialEq>(&mut self, before: &Arc<Vec<T>>, after: &Arc<Vec<T>>, serial: fn(&T) -> Serial) {
        if Arc::ptr_eq(before, after) {
            return;
        }
        let old: HashMap<Serial, &T> = before.iter().map(|item| (serial(item), item)).collect();
        let new: HashMap<Serial, &T> = after.iter().map(|item| (serial(item), item)).collect();
        for item in before.iter().chain(after.iter()) {
            if old.get(&serial(item)) != new.get(&serial(item)) {
                self.touch(serial(item));
            }
        }
    }

    fn sequence<T: SequenceItem>(
        &mut self,
        before: &'a Sequence<T>,
        after: &'a Sequence<T>,
        inside: fn(&mut Self, &'a Arc<T>, &'a Arc<T>),
    ) {
        let mut found = Vec::new();
        before.differences(after, |old, new| found.push((old, new)));
        for (old, new) in found {
            for item in [old, new].into_iter().flatten() {
                let serial = item.serial();
                let sides = (before.find(serial), after.find(serial));
                if old.map(|old| old.serial()) != new.map(|new| new.serial()) {
                    self.relabelled.insert(serial);
                }
                if self.touch(serial)
                    && let (Some(old), Some(new)) = sides
                    && !Arc::ptr_eq(old, new)
                {
                    inside(self, old, new);
                }
            }
        }
    }

    /// What a track holds.
    fn track(&mut self, before: &'a Arc<Track>, after: &'a Arc<Track>) {
        self.devices(&before.devices, &after.devices);
        self.slots(&before.session, &after.session);
        self.lane(&before.arrangement, &after.arrangement);
        let lanes = pairs(&before.take_lanes, &after.take_lanes, |lane| lane.serial);
        let nothing = Lane::default();
        for (old, new) in lanes {
            for lane in [old, new].into_iter().flatten() {
                self.touch(lane.serial);
            }
            if let (Some(old), Some(new)) = (old, new) {
                self.lane(&old.clips, &new.clips);
            } else if let Some(new) = new {
                self.lane(&nothing, &new.clips);
            }
        }
    }

    fn slots(&mut self, before: &SessionClips, after: &SessionClips) {
        before.differences(after, |old, new| {
            for entry in [old, new].into_iter().flatten() {
                self.touch(entry.clip.serial);
            }
        });
    }

    fn lane(&mut self, before: &Lane, after: &Lane) {
        before.differences(after, |old, new| {
            for placed in [old, new].into_iter().flatten() {
                self.touch(placed.clip.serial);
            }
        });
    }

    /// The devices of a track or chain. One that stands on one side only may stand elsewhere on the other.
    fn devices(&mut self, before: &'a [Arc<Device>], after: &'a [Arc<Device>]) {
        let orders_differ = before.iter().map(|d| d.serial).ne(after.iter().map(|d| d.serial));
        for (old, new) in pairs(before, after, |device| device.serial) {
            let Some(device) = new.or(old) else { continue };
            let is_same = matches!((old, new), (Some(old), Some(new)) if Arc::ptr_eq(old, new));
            if is_same && !orders_differ {
                continue;
            }
            let sides = (self.before.device(device.serial), self.after.device(device.serial));
            if self.touch(device.serial)
                && !is_same
                && let (Some(old), Some(new)) = sides
            {
                self.chains(old, new);
            }
        }
    }

    fn chains(&mut self, before: &'a Device, after: &'a Device) {
        let list = |device: &'a Device| -> Vec<&'a Arc<Chain>> {
            device.rack.iter().flat_map(|rack| rack.every_chain()).collect()
        };
        let (old, new) = (list(before), list(after));
        let orders_differ = old.iter().map(|c| c.serial).ne(new.iter().map(|c| c.serial));
        for (old, new) in pairs(&old, &new, |chain| chain.serial) {
            let Some(chain) = new.or(old) else { continue };
            let is_same = matches!((old, new), (Some(old), Some(new)) if Arc::ptr_eq(old, new));
            if is_same && !orders_differ || !self.touch(chain.serial) {
                continue;
            }
            match (old, new) {
                (Some(old), Some(new)) if !is_same => self.devices(&old.devices, &new.devices),
                // What moved into a new chain, or out of one that is gone, is no loss.
                (None, Some(new)) => self.strangers(&new.devices, self.before),
                (Some(old), None) => self.strangers(&old.devices, self.after),
                _ => {}
            }
        }
    }

    /// Devices of a chain that only one side has, which the other side has elsewhere.
    fn strangers(&mut self, devices: &'a [Arc<Device>], other: &'a Document) {
        for device in devices {
            if other.device(device.serial).is_some() && self.touch(device.serial) {
                let (old, new) = (self.before.device(device.serial), self.after.device(device.serial));
                if let (Some(old), Some(new)) = (old, new) {
                    self.chains(old, new);
                }
            }
        }
    }
}

/// The items of two lists by serial, in the order of the first and then of the second.
fn pairs<'a, T>(before: &'a [T], after: &'a [T], serial: fn(&T) -> Serial) -> Vec<(Option<&'a T>, Option<&'a T>)> {
    let new: HashMap<Serial, &T> = after.iter().map(|item| (serial(item), item)).collect();
    let old: HashSet<Serial> = before.iter().map(serial).collect();
    let of_old = before.iter().map(|item| (Some(item), new.get(&serial(item)).copied()));
    let of_new = after.iter().filter(|item| !old.contains(&serial(item))).map(|item| (None, Some(item)));
    of_old.chain(of_new).collect()
}

/// Which tracks and scenes stand elsewhere among those that both sides have.
struct MovedInLists(HashSet<Serial>);

impl MovedInLists {
    fn of(before: &Document, after: &Document, candidates: &HashSet<Serial>) -> MovedInLists {
        let mut moved = HashSet::new();
        moved_in(&before.scenes, &after.scenes, candidates, &mut moved);
        moved_in(&before.tracks, &after.tracks, candidates, &mut moved);
        moved_in(&before.returns, &after.returns, candidates, &mut moved);
        MovedInLists(moved)
    }
}

fn moved_in<T: SequenceItem>(
    before: &Sequence<T>,
    after: &Sequence<T>,
    candidates: &HashSet<Serial>,
    moved: &mut HashSet<Serial>,
) {
    // Places of what only one side has; what stands before an item counts against its place.
    let alone = |on: &Sequence<T>, not_on: &Sequence<T>| {
        let gone = candidates.iter().filter(|serial| not_on.find(**serial).is_none());
        let mut places: Vec<usize> = gone.filter_map(|serial| on.position(*serial)).collect();
        places.sort_unstable();
        places
    };
    let (deleted, made) = (alone(before, after), alone(after, before));
    for serial in candidates {
        let (Some(old), Some(new)) = (before.position(*serial), after.position(*serial)) else { continue };
        let rank = |place: usize, others: &[usize]| place - others.partition_point(|other| *other < place);
        if rank(old, &deleted) != rank(new, &made) {
            moved.insert(*serial);
        }
    }
}

/// What stands at a serial.
enum Item<'a> {
    Song,
    Track(&'a Arc<Track>),
    TakeLane(&'a Arc<TakeLane>),
    Scene(&'a Arc<Scene>),
    Slot(&'a Arc<Clip>),
    Placed(&'a PlacedClip),
    Device(&'a Arc<Device>),
    Chain(&'a Arc<Chain>),
    Cue(&'a CuePoint),
    Groove(&'a Groove),
}

fn find(document: &Document, serial: Serial) -> Option<Item<'_>> {
    if serial == SONG {
        return Some(Item::Song);
    }
    Some(match document.location(serial)? {
        Location::Track | Location::Return | Location::Main => Item::Track(document.track(serial)?),
        Location::Scene => Item::Scene(document.scene(serial)?),
        Location::SessionClip { .. } => Item::Slot(document.clip(serial)?),
        Location::PlacedClip { .. } => Item::Placed(document.placed(serial)?),
        Location::TakeLane { .. } => Item::TakeLane(document.take_lane(serial)?),
        Location::Device { .. } => Item::Device(document.device(serial)?),
        Location::Chain { .. } => Item::Chain(document.chain(serial)?),
        Location::CuePoint => Item::Cue(document.cue_point(serial)?),
        Location::Groove => Item::Groove(document.groove(serial)?),
    })
}

impl Item<'_> {
    fn class(&self) -> ChangedClass {
        match self {
            Item::Song => ChangedClass::Set,
            Item::Track(_) => ChangedClass::Track,
            Item::TakeLane(_) => ChangedClass::TakeLane,
            Item::Scene(_) => ChangedClass::Scene,
            Item::Slot(_) | Item::Placed(_) => ChangedClass::Clip,
            Item::Device(_) => ChangedClass::Device,
            Item::Chain(_) => ChangedClass::Chain,
            Item::Cue(_) => ChangedClass::Locator,
            Item::Groove(_) => ChangedClass::Groove,
        }
    }

    fn clip(&self) -> Option<&Arc<Clip>> {
        match self {
            Item::Slot(clip) => Some(clip),
            Item::Placed(placed) => Some(&placed.clip),
            _ => None,
        }
    }

    fn held(&self, document: &Document) -> Held {
        match self {
            Item::Track(track) => Held {
                clips: track.session.len()
                    + track.arrangement.len()
                    + track.take_lanes.iter().map(|lane| lane.clips.len()).sum::<usize>(),
                devices: devices_in(&track.devices),
            },
            Item::TakeLane(lane) => Held { clips: lane.clips.len(), devices: 0 },
            Item::Scene(scene) => Held { clips: document.index.row(scene.serial).count(), devices: 0 },
            Item::Device(device) => Held { clips: 0, devices: devices_in(std::slice::from_ref(device)) - 1 },
            Item::Chain(chain) => Held { clips: 0, devices: devices_in(&chain.devices) },
            _ => Held::default(),
        }
    }
}

/// How many devices these are, with those inside.
fn devices_in(devices: &[Arc<Device>]) -> usize {
    let inside = |device: &Arc<Device>| {
        let chains = device.rack.iter().flat_map(|rack| rack.every_chain());
        chains.map(|chain| devices_in(&chain.devices)).sum::<usize>()
    };
    devices.iter().map(|device| 1 + inside(device)).sum()
}

/// What is different about the object of a serial; `None` where nothing is, or where it came or went with what it was
/// in.
fn one(
    before: &Document,
    after: &Document,
    serial: Serial,
    moved: &MovedInLists,
    spend: &mut Spend<'_>,
) -> Result<Option<ObjectChange>, ModelError> {
    let id: ObjectId = IdParts::Made(serial).id();
    let alone = |item: &Item<'_>, document, kind, came_back| ObjectChange {
        id,
        class: item.class(),
        kind,
        came_back,
        values: Vec::new(),
        parameters: Vec::new(),
        notes: item.clip().and_then(|clip| clip.notes()).map(|notes| match kind {
            ChangeKind::Made => NoteChanges { after: notes.list.len(), ..NoteChanges::default() },
            _ => NoteChanges { before: notes.list.len(), ..NoteChanges::default() },
        }),
        holds: item.held(document),
    };
    Ok(match (find(before, serial), find(after, serial)) {
        (None, None) => None,
        (Some(old), None) if goes_with_its_holder(before, after, serial) && old.clip().is_some() => None,
        (None, Some(new)) if goes_with_its_holder(after, before, serial) && new.clip().is_some() => None,
        (Some(old), None) => Some(alone(&old, before, ChangeKind::Deleted, false)),
        (None, Some(new)) => Some(alone(&new, after, ChangeKind::Made, serial < before.next_serial)),
        (Some(old), Some(new)) => {
            let has_moved = moved.0.contains(&serial) || stands_elsewhere(before, after, serial);
            let OwnValues { values, parameters } = own_values::different(before, after, &old, &new);
            let notes = match (old.clip().and_then(|c| c.notes()), new.clip().and_then(|c| c.notes())) {
                (Some(old), Some(new)) if !Arc::ptr_eq(old, new) => {
                    spend((old.list.len() + new.list.len()) as u64)?;
                    own_values::notes(old, new)
                }
                _ => None,
            };
            let is_different = has_moved || !values.is_empty() || !parameters.is_empty() || notes.is_some();
            is_different.then(|| ObjectChange {
                id,
                class: new.class(),
                kind: if has_moved { ChangeKind::Moved } else { ChangeKind::Changed },
                came_back: false,
                values,
                parameters,
                notes,
                holds: Held::default(),
            })
        }
    })
}

/// Whether a clip that `with` has is in a scene or take lane that `without` has not.
fn goes_with_its_holder(with: &Document, without: &Document, serial: Serial) -> bool {
    let holder = match with.location(serial) {
        Some(Location::SessionClip { scene, .. }) => scene,
        Some(Location::PlacedClip { lane: Some(lane), .. }) => lane,
        _ => return false,
    };
    without.location(holder).is_none()
}

/// Whether an object that both have stands at another place, or in another order among those that both have there.
fn stands_elsewhere(before: &Document, after: &Document, serial: Serial) -> bool {
    let (old, new) = (before.location(serial), after.location(serial));
    if old != new {
        return true;
    }
    match new {
        Some(Location::Device { parent }) => {
            let list = |document: &Document| -> Vec<Serial> {
                document.devices_in(parent).into_iter().flatten().map(|device| device.serial).collect()
            };
            is_out_of_order(&list(before), &list(after), serial)
        }
        Some(Location::Chain { rack }) => {
            let list = |document: &Document| -> Vec<Serial> {
                let rack = document.device(rack).and_then(|device| device.rack.as_ref());
                rack.into_iter().flat_map(|rack| rack.every_chain()).map(|chain| chain.serial).collect()
            };
            is_out_of_order(&list(before), &list(after), serial)
        }
        _ => false,
    }
}

/// Whether an item of both lists is none of the most that kept their order.
fn is_out_of_order(before: &[Serial], after: &[Serial], serial: Serial) -> bool {
    let places: HashMap<Serial, usize> = before.iter().enumerate().map(|(at, serial)| (*serial, at)).collect();
    let both: Vec<(Serial, usize)> =
        after.iter().filter_map(|serial| places.get(serial).map(|at| (*serial, *at))).collect();
    if both.is_sorted_by(|a, b| a.1 < b.1) {
        return false;
    }
    // The longest rising run of places: of each item how long the longest is that ends with it, and the one before.
    let mut best: Vec<(usize, Option<usize>)> = Vec::with_capacity(both.len());
    for (at, (_, place)) in both.iter().enumerate() {
        let lower = |earlier: &usize| both.get(*earlier).is_some_and(|(_, other)| other < place);
        let longest = (0..at).filter(lower).max_by_key(|earlier| best.get(*earlier).map_or(0, |(length, _)| *length));
        let length = longest.and_then(|earlier| best.get(earlier)).map_or(0, |(length, _)| *length);
        best.push((length + 1, longest));
    }
    let mut at = (0..best.len()).max_by_key(|at| best.get(*at).map_or(0, |(length, _)| *length));
    while let Some(kept) = at {
        if both.get(kept).is_some_and(|(kept, _)| *kept == serial) {
            return false;
        }
        at = best.get(kept).and_then(|(_, before)| *before);
    }
    true
}

//! A whole other Set put in place of this one. Everything gets ids of its own, so that a step back finds what was there
//! under the ids that it had.

use crate::object_model::ObjectId;
use crate::set::document::device_tree::{Device, Rack};
use crate::set::document::ids::{FIRST_FREE, IdParts, SERIAL_END, Serial};
use crate::set::document::sequence::Sequence;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, Content, Document, Envelope, PlacedClip, Scene, SessionClip, TakeLane, Track};
use crate::set::model::routing_ids::{of_track, track_of};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What of a document is written anew.
pub struct Remake<'a> {
    /// What becomes of each serial.
    pub serial: &'a dyn Fn(Serial) -> Serial,
    /// What becomes of the path of a sample.
    pub path: &'a dyn Fn(&str) -> String,
}

/// Why a Set has no place in another.
const NO_IDS_LEFT: &str = "the Set that is open has given out nearly all of its ids (33 million); save it to a file, \
                           and open that file in a new device";

impl Document {
    /// That document as the next one of this Set: with ids that were never given out here.
    pub fn in_place_of(&self, other: &Document) -> Result<Document, &'static str> {
        let new = self.new_serials(other)?;
        let mut next = remade(other, &Remake { serial: &|serial| new.of(serial), path: &str::to_owned });
        next.next_serial = new.end();
        next.rebuild_index();
        Ok(next)
    }

    /// Serials for the objects of that document, none of which was given out here. As many as it holds objects: a Set
    /// that is saved and opened again and again stays within its ids.
    pub(super) fn new_serials(&self, other: &Document) -> Result<NewSerials, &'static str> {
        let found = RefCell::new(BTreeSet::new());
        let note = |serial: Serial| {
            found.borrow_mut().insert(serial);
            serial
        };
        remade(other, &Remake { serial: &note, path: &str::to_owned });
        let old: Vec<Serial> = found.into_inner().into_iter().collect();
        let first = self.next_serial.max(FIRST_FREE);
        let end = Serial::try_from(old.len()).ok().and_then(|count| first.checked_add(count));
        match end.filter(|end| *end < SERIAL_END) {
            Some(_) => Ok(NewSerials { old, first }),
            None => Err(NO_IDS_LEFT),
        }
    }
}

/// Maps the serials of a document to new ones, in the same order.
pub(super) struct NewSerials {
    /// In order, the document's next serial being the last.
    old: Vec<Serial>,
    first: Serial,
}

impl NewSerials {
    pub fn of(&self, serial: Serial) -> Serial {
        let (Ok(at) | Err(at)) = self.old.binary_search(&serial);
        self.first.saturating_add(Serial::try_from(at).unwrap_or(SERIAL_END))
    }

    /// Above all of them.
    pub fn end(&self) -> Serial {
        self.first.saturating_add(Serial::try_from(self.old.len()).unwrap_or(SERIAL_END))
    }
}

/// The document with other serials and paths; its index is the caller's to make.
pub fn remade(document: &Document, remake: &Remake) -> Document {
    let mut next = document.clone();
    let tracks = |list: &Sequence<Track>| list.iter().map(|track| Arc::new(remake.track(track))).collect();
    next.tracks = tracks(&document.tracks);
    next.returns = tracks(&document.returns);
    next.main = Arc::new(remake.track(&document.main));
    let scenes = document
        .scenes
        .iter()
        .map(|scene| Arc::new(Scene { serial: remake.serial(scene.serial), ..Scene::clone(scene) }));
    next.scenes = scenes.collect();
    for cue in Arc::make_mut(&mut next.cue_points) {
        cue.serial = remake.serial(cue.serial);
    }
    for groove in Arc::make_mut(&mut next.grooves) {
        groove.serial = remake.serial(groove.serial);
    }
    next.next_serial = remake.serial(document.next_serial);
    next
}

impl Remake<'_> {
    fn serial(&self, serial: Serial) -> Serial {
        (self.serial)(serial)
    }

    fn track(&self, track: &Track) -> Track {
        let mut next = track.clone();
        next.serial = self.serial(track.serial);
        next.group = track.group.map(|group| self.serial(group));
        next.session = Default::default();
        for SessionClip { scene, clip } in track.session.iter() {
            next.session.insert(SessionClip { scene: self.serial(*scene), clip: Arc::new(self.clip(clip)) });
        }
        next.no_stop_button.iter_mut().for_each(|scene| *scene = self.serial(*scene));
        next.no_stop_button.sort_unstable();
        next.devices.iter_mut().for_each(|device| self.device(Arc::make_mut(device)));
        next.arrangement = self.lane(&track.arrangement);
        for lane in &mut next.take_lanes {
            let clips = self.lane(&lane.clips);
            *lane = Arc::new(TakeLane { serial: self.serial(lane.serial), name: lane.name.clone(), clips });
        }
        move_envelopes(&mut next.automation, &|serial| self.serial(serial));
        for member in ["input_routing_type", "output_routing_type"] {
            let track = next.stored.get(member).and_then(serde_json::Value::as_i64).and_then(track_of);
            if let Some(track) = track {
                next.stored.insert(member.to_owned(), of_track(self.serial(track)).into());
            }
        }
        next
    }

    fn lane(&self, lane: &Lane) -> Lane {
        let mut next = Lane::default();
        for placed in lane {
            next.insert(PlacedClip { clip: Arc::new(self.clip(&placed.clip)), ..placed.clone() });
        }
        next
    }

    fn clip(&self, clip: &Clip) -> Clip {
        let mut next = clip.clone();
        next.serial = self.serial(clip.serial);
        next.groove = clip.groove.map(|groove| self.serial(groove));
        move_envelopes(&mut next.envelopes, &|serial| self.serial(serial));
        if let Content::Audio(audio) = &mut next.content {
            let path = (self.path)(&audio.file_path);
            if path != audio.file_path {
                Arc::make_mut(audio).file_path = path;
            }
        }
        next
    }

    fn device(&self, device: &mut Device) {
        device.serial = self.serial(device.serial);
        // What it listens to: another track, by an id above its serial.
        let routes = device.stored.iter_mut().filter(|(member, _)| member.ends_with("routing_type"));
        for (_, route) in routes {
            if let Some(track) = route.as_i64().and_then(track_of) {
                *route = of_track(self.serial(track)).into();
            }
        }
        if let Some(sample) = &mut device.sample {
            let path = (self.path)(&sample.file_path);
            if path != sample.file_path {
                Arc::make_mut(sample).file_path = path;
            }
        }
        for zone in &mut device.sample_zones {
            let path = (self.path)(&zone.sample.file_path);
            if path != zone.sample.file_path {
                Arc::make_mut(zone).sample.file_path = path;
            }
        }
        if let Some(rack) = &mut device.rack {
            let rack: &mut Rack = Arc::make_mut(rack);
            for chain in rack.chains.iter_mut().chain(&mut rack.return_chains) {
                let chain = Arc::make_mut(chain);
                chain.serial = self.serial(chain.serial);
                chain.devices.iter_mut().for_each(|device| self.device(Arc::make_mut(device)));
            }
            rack.mappings.iter_mut().for_each(|mapping| mapping.rename(|serial| self.serial(serial)));
        }
    }
}

/// Has envelopes move the parameters of the same things under other serials.
pub(in crate::set) fn move_envelopes(envelopes: &mut [Arc<Envelope>], serial: &dyn Fn(Serial) -> Serial) {
    for envelope in envelopes {
        let parameter = moved_id(envelope.parameter, serial);
        if parameter != envelope.parameter {
            *envelope = Arc::new(Envelope { parameter, ..Envelope::clone(envelope) });
        }
    }
}

/// The id of what exists because something with a serial does.
fn moved_id(id: u64, serial: &dyn Fn(Serial) -> Serial) -> u64 {
    let moved = match IdParts::from_id(ObjectId(id)) {
        Some(IdParts::Parameter { device, index }) => IdParts::Parameter { device: serial(device), index },
        Some(IdParts::MixerParameter { track, index }) => IdParts::MixerParameter { track: serial(track), index },
        Some(IdParts::Send { track, return_track }) => {
            IdParts::Send { track: serial(track), return_track: serial(return_track) }
        }
        Some(IdParts::ChainMixerParameter { chain, index }) => {
            IdParts::ChainMixerParameter { chain: serial(chain), index }
        }
        Some(IdParts::ChainSend { chain, return_chain }) => {
            IdParts::ChainSend { chain: serial(chain), return_chain: serial(return_chain) }
        }
        _ => return id,
    };
    moved.id().0
}

//! Two Sets that were saved apart, and what in the one is what in the other: a track that was renamed is the same
//! track.

mod pairing;
#[cfg(test)]
mod tests;

use super::put_set::{Remake, remade};
use crate::set::document::device_tree::{Chain, Device};
use crate::set::document::ids::Serial;
use crate::set::document::timeline_lane::Lane;
use crate::set::document::{Clip, Document, Track};
use pairing::{Likeness, pairs};
use std::collections::HashMap;
use std::sync::Arc;

impl Document {
    /// That document with the ids that its objects have in this one, and new ones for those that are not here. Where
    /// `is_one_set` says that both are versions of one Set, objects of the same id are the same.
    pub fn with_ids_of(&self, other: &Document, is_one_set: bool) -> Result<Document, &'static str> {
        let new = self.new_serials(other)?;
        let mut matching = Matching { before: self, after: other, is_one_set, same: HashMap::new() };
        matching.documents();
        let same = matching.same;
        let serial = |serial: Serial| same.get(&serial).copied().unwrap_or_else(|| new.of(serial));
        let mut next = remade(other, &Remake { serial: &serial, path: &str::to_owned });
        next.next_serial = new.end();
        next.rebuild_index();
        Ok(next)
    }
}

struct Matching<'a> {
    before: &'a Document,
    after: &'a Document,
    is_one_set: bool,
    /// The serial before of a serial after.
    same: HashMap<Serial, Serial>,
}

/// An object of a list, with what it is like.
struct Candidate<T> {
    item: T,
    serial: Serial,
    likeness: Likeness,
}

impl<'a> Matching<'a> {
    fn candidate<T>(
        &self,
        item: T,
        serial: Serial,
        sort: impl Into<String>,
        keys: Vec<Option<String>>,
    ) -> Candidate<T> {
        let by_id = self.is_one_set.then(|| serial.to_string());
        let keys = std::iter::once(by_id).chain(keys).collect();
        Candidate { item, serial, likeness: Likeness { sort: sort.into(), keys } }
    }

    /// Notes what is the same of two lists, and gives it.
    fn pair<T: Copy>(&mut self, old: &[Candidate<T>], new: &[Candidate<T>], by_place: bool) -> Vec<(T, T)> {
        let likenesses = |list: &[Candidate<T>]| list.iter().map(|one| one.likeness.clone()).collect::<Vec<_>>();
        let mut same = Vec::new();
        for (old_at, new_at) in pairs(&likenesses(old), &likenesses(new), by_place) {
            if let (Some(old), Some(new)) = (old.get(old_at), new.get(new_at)) {
                self.same.insert(new.serial, old.serial);
                same.push((old.item, new.item));
            }
        }
        same
    }

    fn documents(&mut self) {
        let (before, after) = (self.before, self.after);
        let scenes = |of: &Self, document: &Document| -> Vec<Candidate<()>> {
            let rows = clip_names_of_scenes(document);
            let scenes = document.scenes.iter().map(|scene| {
                let row = rows.get(&scene.serial).map(|names| names.join("\n"));
                of.candidate((), scene.serial, "scene", vec![named(&scene.name), row])
            });
            scenes.collect()
        };
        let (old, new) = (scenes(self, before), scenes(self, after));
        self.pair(&old, &new, true);
        let cues = |of: &Self, document: &Document| -> Vec<Candidate<()>> {
            let cues = document.cue_points.iter().map(|cue| {
                let (place, name) = (cue.time.to_string(), named(&cue.name));
                let both = name.clone().map(|name| format!("{place} {name}"));
                of.candidate((), cue.serial, "locator", vec![both, name, Some(place)])
            });
            cues.collect()
        };
        let (old, new) = (cues(self, before), cues(self, after));
        self.pair(&old, &new, false);
        let grooves = |of: &Self, document: &Document| -> Vec<Candidate<()>> {
            let grooves = document.grooves.iter().map(|groove| {
                let name = groove.stored.get("name").map(|name| name.to_string());
                of.candidate((), groove.serial, "groove", vec![name])
            });
            grooves.collect()
        };
        let (old, new) = (grooves(self, before), grooves(self, after));
        self.pair(&old, &new, true);
        let tracks = |of: &Self, document: &'a Document, list: &mut dyn Iterator<Item = &'a Arc<Track>>| {
            list.map(|track| of.track(document, track)).collect::<Vec<_>>()
        };
        let mut same = Vec::new();
        let (old, new) =
            (tracks(self, before, &mut before.tracks.iter()), tracks(self, after, &mut after.tracks.iter()));
        same.extend(self.pair(&old, &new, true));
        let (old, new) =
            (tracks(self, before, &mut before.returns.iter()), tracks(self, after, &mut after.returns.iter()));
        same.extend(self.pair(&old, &new, true));
        self.same.insert(after.main.serial, before.main.serial);
        same.push((&*before.main, &*after.main));
        same.into_iter().for_each(|(old, new)| self.inside_track(old, new));
    }

    /// By name with what it holds, by name, by what it holds.
    fn track(&self, document: &Document, track: &'a Track) -> Candidate<&'a Track> {
        let holds: Vec<&str> = device_classes(&track.devices)
            .chain(track.session.iter().map(|entry| entry.clip.name.as_str()))
            .chain(track.arrangement.iter().map(|placed| placed.clip.name.as_str()))
            .filter(|name| !name.is_empty())
            .collect();
        let holds = Some(holds.join("\n")).filter(|holds| !holds.is_empty());
        let name = track.name.is_some().then(|| format!("name {}", document.track_name(track)));
        let both = name.clone().zip(holds.clone()).map(|(name, holds)| format!("{name}\n{holds}"));
        // All that a new track has of its own.
        let color = both.is_none().then(|| format!("color {}", track.color));
        self.candidate(track, track.serial, format!("{:?}", track.kind), vec![both, name, holds, color])
    }

    fn inside_track(&mut self, old: &'a Track, new: &'a Track) {
        let slots = |of: &Self, track: &'a Track, is_new: bool| -> Vec<Candidate<()>> {
            let one = |entry: &crate::set::document::SessionClip| {
                let same = of.same.get(&entry.scene).filter(|_| is_new);
                // A scene that is not on the other side has no slot there.
                let scene = if is_new { same.map(Serial::to_string) } else { Some(entry.scene.to_string()) };
                of.clip(&entry.clip, scene)
            };
            track.session.iter().map(one).collect()
        };
        let (was, is) = (slots(self, old, false), slots(self, new, true));
        self.pair(&was, &is, false);
        self.lanes(&old.arrangement, &new.arrangement);
        let lanes = |of: &Self, track: &'a Track| -> Vec<Candidate<&'a Lane>> {
            let lanes = track.take_lanes.iter();
            lanes.map(|lane| of.candidate(&lane.clips, lane.serial, "lane", vec![named(&lane.name)])).collect()
        };
        let (was, is) = (lanes(self, old), lanes(self, new));
        for (was, is) in self.pair(&was, &is, true) {
            self.lanes(was, is);
        }
        self.devices(&old.devices, &new.devices);
    }

    fn lanes(&mut self, old: &'a Lane, new: &'a Lane) {
        let clips = |of: &Self, lane: &'a Lane| -> Vec<Candidate<()>> {
            lane.iter().map(|placed| of.clip(&placed.clip, Some(placed.start.to_string()))).collect()
        };
        let (was, is) = (clips(self, old), clips(self, new));
        self.pair(&was, &is, false);
    }

    /// By its place with its name, by its name with what it holds, by its place.
    fn clip(&self, clip: &Clip, place: Option<String>) -> Candidate<()> {
        let place = place.map(|place| format!("at {place}"));
        let name = named(&clip.name);
        let (start, end) = clip.region();
        let holds = name.clone().map(|name| format!("{name} {} {:?}", end - start, clip.note_count()));
        let both = name.zip(place.clone()).map(|(name, place)| format!("{place} {name}"));
        let sort = if clip.audio().is_some() { "audio" } else { "midi" };
        self.candidate((), clip.serial, sort, vec![both, holds, place])
    }

    fn devices(&mut self, old: &'a [Arc<Device>], new: &'a [Arc<Device>]) {
        let devices = |of: &Self, list: &'a [Arc<Device>]| -> Vec<Candidate<&'a Device>> {
            let one = |device: &'a Arc<Device>| {
                let name = device.name.clone();
                of.candidate(&**device, device.serial, device.class_name.as_str(), vec![name, Some(String::new())])
            };
            list.iter().map(one).collect()
        };
        let (was, is) = (devices(self, old), devices(self, new));
        for (was, is) in self.pair(&was, &is, false) {
            if let (Some(was), Some(is)) = (&was.rack, &is.rack) {
                self.chains(&was.chains, &is.chains);
                self.chains(&was.return_chains, &is.return_chains);
            }
        }
    }

    fn chains(&mut self, old: &'a [Arc<Chain>], new: &'a [Arc<Chain>]) {
        let chains = |of: &Self, list: &'a [Arc<Chain>]| -> Vec<Candidate<&'a Chain>> {
            let one = |chain: &'a Arc<Chain>| {
                let note = chain.in_note.map(|note| format!("note {note}"));
                let name = named(&chain.name);
                let both = name.clone().map(|name| format!("{note:?} {name}"));
                let holds = device_classes(&chain.devices).collect::<Vec<_>>().join("\n");
                let holds = Some(holds).filter(|holds| !holds.is_empty());
                of.candidate(&**chain, chain.serial, "chain", vec![both, name, note, holds])
            };
            list.iter().map(one).collect()
        };
        let (was, is) = (chains(self, old), chains(self, new));
        for (was, is) in self.pair(&was, &is, true) {
            self.devices(&was.devices, &is.devices);
        }
    }
}

fn named(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}

fn device_classes(devices: &[Arc<Device>]) -> impl Iterator<Item = &str> {
    devices.iter().map(|device| device.class_name.as_str())
}

/// The names of the clips of each scene that has any.
fn clip_names_of_scenes(document: &Document) -> HashMap<Serial, Vec<String>> {
    let mut rows: HashMap<Serial, Vec<String>> = HashMap::new();
    for track in document.tracks.iter() {
        for entry in track.session.iter().filter(|entry| !entry.clip.name.is_empty()) {
            rows.entry(entry.scene).or_default().push(entry.clip.name.clone());
        }
    }
    rows
}

//! Random operations against a small model of tracks, scenes, clips and devices that shares no code with the product:
//! after each, counts, order, ids and paths agree, dead ids are dead, and no id is ever given out twice.

use crate::set_files::comes_back;
use crate::support::Api;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

type Id = u64;

/// What the Set should be.
#[derive(Clone, Debug, PartialEq)]
struct Model {
    tracks: Vec<Track>,
    returns: Vec<Id>,
    scenes: Vec<Id>,
}

#[derive(Clone, Debug, PartialEq)]
struct Track {
    id: Id,
    midi: bool,
    /// By scene.
    clips: BTreeMap<Id, Id>,
    devices: Vec<Id>,
}

#[derive(Clone, Debug)]
enum Act {
    CreateTrack {
        midi: bool,
        at: i64,
    },
    DeleteTrack {
        at: usize,
    },
    DuplicateTrack {
        at: usize,
    },
    CreateReturn,
    DeleteReturn {
        at: usize,
    },
    CreateScene {
        at: i64,
    },
    DeleteScene {
        at: usize,
    },
    DuplicateScene {
        at: usize,
    },
    CreateClip {
        track: usize,
        scene: usize,
    },
    /// `clip` and `device` pick one of all there are, or a place where none is.
    DeleteClip {
        clip: usize,
    },
    CopyClip {
        clip: usize,
        to: (usize, usize),
    },
    InsertDevice {
        track: usize,
        name: &'static str,
    },
    DeleteDevice {
        device: usize,
    },
    MoveDevice {
        device: usize,
        to: usize,
        place: i64,
    },
    Undo,
    Redo,
}

fn act() -> impl Strategy<Value = Act> {
    let (track, scene) = (0usize..6, 0usize..10);
    let slot = (0usize..3, 0usize..8);
    prop_oneof![
        1 => (any::<bool>(), -2i64..7).prop_map(|(midi, at)| Act::CreateTrack { midi, at }),
        1 => track.clone().prop_map(|at| Act::DeleteTrack { at }),
        1 => track.clone().prop_map(|at| Act::DuplicateTrack { at }),
        1 => Just(Act::CreateReturn),
        1 => (0usize..4).prop_map(|at| Act::DeleteReturn { at }),
        1 => (-2i64..11).prop_map(|at| Act::CreateScene { at }),
        1 => scene.clone().prop_map(|at| Act::DeleteScene { at }),
        1 => scene.prop_map(|at| Act::DuplicateScene { at }),
        3 => slot.clone().prop_map(|(track, scene)| Act::CreateClip { track, scene }),
        1 => any::<usize>().prop_map(|clip| Act::DeleteClip { clip }),
        2 => (any::<usize>(), slot).prop_map(|(clip, to)| Act::CopyClip { clip, to }),
        3 => (1usize..6, prop_oneof![3 => Just("Reverb"), 3 => Just("Utility"), 1 => Just("Nonsense")])
            .prop_map(|(track, name)| Act::InsertDevice { track, name }),
        1 => any::<usize>().prop_map(|device| Act::DeleteDevice { device }),
        2 => (any::<usize>(), track, -1i64..4).prop_map(|(device, to, place)| Act::MoveDevice { device, to, place }),
        2 => Just(Act::Undo),
        1 => Just(Act::Redo),
    ]
}

impl Model {
    /// Track and row of a clip; every so often of an empty slot.
    fn clip(&self, pick: usize) -> (usize, usize) {
        let slots = (0..self.tracks.len()).flat_map(|track| (0..self.scenes.len()).map(move |row| (track, row)));
        let (full, empty): (Vec<_>, Vec<_>) =
            slots.partition(|(track, row)| self.tracks[*track].clips.contains_key(&self.scenes[*row]));
        let spare = empty.get(pick % empty.len().max(1)).or(full.first());
        *full.get(pick % (full.len() + 1)).or(spare).expect("a Set has slots")
    }

    /// Track and position of a device; every so often of none.
    fn device(&self, pick: usize) -> (usize, usize) {
        let tracks = self.tracks.iter().enumerate();
        let all: Vec<_> = tracks.flat_map(|(track, t)| (0..t.devices.len()).map(move |at| (track, at))).collect();
        let none = self.tracks.len() - 1;
        *all.get(pick % (all.len() + 1)).unwrap_or(&(none, self.tracks[none].devices.len()))
    }
}

/// The Set, its model, and what was ever there.
struct World<'a> {
    api: &'a Api,
    now: Model,
    undo: Vec<Model>,
    redo: Vec<Model>,
    /// Every id that any object ever had.
    known: BTreeSet<Id>,
}

fn number(id: &Value) -> Id {
    id.as_str().and_then(|text| text.strip_prefix("id ")?.parse().ok()).expect("an id")
}

impl World<'_> {
    fn ids(&self, path: &str, list: &str) -> Vec<Id> {
        let gave = self.api.raw(path, json!([{"type": "getChildIds", "property": list}])).remove(0);
        gave.as_array().expect("a list").iter().map(number).collect()
    }

    /// A call's answer: `None` where it was refused.
    fn call(&self, path: &str, function: &str, args: Value) -> Option<Value> {
        let answer = self.api.raw(path, json!([{"type": "call", "method": function, "args": args}])).remove(0);
        (answer != json!(1)).then_some(answer)
    }

    fn fresh(&mut self, id: Id) -> Id {
        assert!(id > 0 && self.known.insert(id), "the id {id} was given out before");
        id
    }

    /// The id that a call says it made.
    fn made(&mut self, answer: &Value) -> Id {
        assert_eq!(answer[0], "id", "{answer}");
        self.fresh(answer[1].as_u64().expect("a number"))
    }

    fn slot_id(&self, track: usize, scene: usize) -> Id {
        self.api.id(&format!("live_set tracks {track} clip_slots {scene}")).parse().expect("a number")
    }

    /// What lives in copied objects is not told by the call: it is read, and must be new.
    fn read_clip(&mut self, track: usize, scene: usize) -> Id {
        let path = format!("live_set tracks {track} clip_slots {scene} clip");
        let id = self.api.id(&path).parse().expect("a number");
        self.fresh(id)
    }

    /// Does one thing to both, and gives its name and whether it was to be accepted.
    fn act(&mut self, act: &Act) -> (&'static str, bool) {
        let before = self.now.clone();
        let mut now = before.clone();
        let (tracks, scenes) = (now.tracks.len(), now.scenes.len());
        let fits = |at: i64, len: usize| (-1..=len as i64).contains(&at);
        let place = |at: i64, len: usize| usize::try_from(at).unwrap_or(len);
        let (name, wanted, done) = match *act {
            Act::CreateTrack { midi, at } => {
                let function = if midi { "create_midi_track" } else { "create_audio_track" };
                let made = self.call("live_set", function, json!([at]));
                if let Some(made) = &made {
                    let id = self.made(made);
                    let track = Track { id, midi, clips: BTreeMap::new(), devices: Vec::new() };
                    now.tracks.insert(place(at, tracks), track);
                }
                ("create track", fits(at, tracks), made.is_some())
            }
            Act::DeleteTrack { at } => {
                let done = self.call("live_set", "delete_track", json!([at])).is_some();
                let wanted = at < tracks && tracks > 1;
                if wanted {
                    now.tracks.remove(at);
                }
                ("delete track", wanted, done)
            }
            Act::DuplicateTrack { at } => {
                let done = self.call("live_set", "duplicate_track", json!([at])).is_some();
                if at < tracks {
                    let source = now.tracks[at].clone();
                    let copy = self.ids("live_set", "tracks")[at + 1];
                    let id = self.fresh(copy);
                    let devices = self.ids(&format!("id {id}"), "devices");
                    let devices = devices.into_iter().map(|device| self.fresh(device)).collect::<Vec<_>>();
                    assert_eq!(devices.len(), source.devices.len());
                    let rows = source.clips.keys().map(|scene| now.scenes.iter().position(|s| s == scene).unwrap());
                    let clips = source.clips.keys().copied().zip(rows.collect::<Vec<_>>());
                    let clips = clips.map(|(scene, row)| (scene, self.read_clip(at + 1, row))).collect();
                    now.tracks.insert(at + 1, Track { id, midi: source.midi, clips, devices });
                }
                ("duplicate track", at < tracks, done)
            }
            Act::CreateReturn => {
                let made = self.call("live_set", "create_return_track", json!([]));
                if let Some(made) = &made {
                    let id = self.made(made);
                    now.returns.push(id);
                }
                ("create return", before.returns.len() < 12, made.is_some())
            }
            Act::DeleteReturn { at } => {
                let done = self.call("live_set", "delete_return_track", json!([at])).is_some();
                let wanted = at < now.returns.len();
                if wanted {
                    now.returns.remove(at);
                }
                ("delete return", wanted, done)
            }
            Act::CreateScene { at } => {
                let made = self.call("live_set", "create_scene", json!([at]));
                if let Some(made) = &made {
                    let id = self.made(made);
                    now.scenes.insert(place(at, scenes), id);
                }
                ("create scene", fits(at, scenes), made.is_some())
            }
            Act::DeleteScene { at } => {
                let done = self.call("live_set", "delete_scene", json!([at])).is_some();
                let wanted = at < scenes && scenes > 1;
                if wanted {
                    let scene = now.scenes.remove(at);
                    for track in &mut now.tracks {
                        track.clips.remove(&scene);
                    }
                }
                ("delete scene", wanted, done)
            }
            Act::DuplicateScene { at } => {
                let done = self.call("live_set", "duplicate_scene", json!([at])).is_some();
                if at < scenes {
                    let copy = self.ids("live_set", "scenes")[at + 1];
                    let (source, id) = (now.scenes[at], self.fresh(copy));
                    now.scenes.insert(at + 1, id);
                    for track in 0..tracks {
                        if now.tracks[track].clips.contains_key(&source) {
                            let clip = self.read_clip(track, at + 1);
                            now.tracks[track].clips.insert(id, clip);
                        }
                    }
                }
                ("duplicate scene", at < scenes, done)
            }
            Act::CreateClip { track, scene } => {
                let made = self.call(&format!("live_set tracks {track} clip_slots {scene}"), "create_clip", json!([4]));
                let row = before.scenes.get(scene);
                let wanted = row.is_some_and(|scene| {
                    before.tracks.get(track).is_some_and(|t| t.midi && !t.clips.contains_key(scene))
                });
                if wanted {
                    let clip = self.read_clip(track, scene);
                    now.tracks[track].clips.insert(before.scenes[scene], clip);
                }
                ("create clip", wanted, made.is_some())
            }
            Act::DeleteClip { clip } => {
                let (track, scene) = before.clip(clip);
                let done = self.call(&format!("live_set tracks {track} clip_slots {scene}"), "delete_clip", json!([]));
                let taken = before.scenes.get(scene).and_then(|row| now.tracks.get_mut(track)?.clips.remove(row));
                ("delete clip", taken.is_some(), done.is_some())
            }
            Act::CopyClip { clip, to } => {
                let from = before.clip(clip);
                let there = |(track, scene): (usize, usize)| track < tracks && scene < scenes;
                if from == to || !there(from) || !there(to) {
                    return ("copy clip", false);
                }
                let target = json!([["id", self.slot_id(to.0, to.1)]]);
                let path = format!("live_set tracks {} clip_slots {}", from.0, from.1);
                let done = self.call(&path, "duplicate_clip_to", target).is_some();
                let has = before.tracks[from.0].clips.contains_key(&before.scenes[from.1]);
                let wanted = has && before.tracks[to.0].midi;
                if wanted {
                    let clip = self.read_clip(to.0, to.1);
                    now.tracks[to.0].clips.insert(before.scenes[to.1], clip);
                }
                ("copy clip", wanted, done)
            }
            Act::InsertDevice { track, name } => {
                let made = self.call(&format!("live_set tracks {track}"), "insert_device", json!([name]));
                let wanted = name != "Nonsense" && before.tracks.get(track).is_some();
                if let Some(made) = &made {
                    let id = self.made(made);
                    now.tracks[track].devices.push(id);
                }
                ("insert device", wanted, made.is_some())
            }
            Act::DeleteDevice { device } => {
                let (track, at) = before.device(device);
                let done = self.call(&format!("live_set tracks {track}"), "delete_device", json!([at])).is_some();
                let wanted = before.tracks.get(track).is_some_and(|t| at < t.devices.len());
                if wanted {
                    now.tracks[track].devices.remove(at);
                }
                ("delete device", wanted, done)
            }
            Act::MoveDevice { device, to, place } => {
                let (from, at) = before.device(device);
                let device = before.tracks[from].devices.get(at).copied();
                let (Some(device), Some(target)) = (device, before.tracks.get(to)) else {
                    return ("move device", false);
                };
                let args = json!([["id", device], ["id", target.id], place]);
                let done = self.call("live_set", "move_device", args).is_some();
                // All devices here are audio effects, which any track takes; the nearest legal place is taken.
                now.tracks[from].devices.remove(at);
                let devices = &mut now.tracks[to].devices;
                devices.insert(usize::try_from(place.max(0)).unwrap().min(devices.len()), device);
                ("move device", true, done)
            }
            Act::Undo | Act::Redo => return self.travel(matches!(act, Act::Undo)),
        };
        assert_eq!(done, wanted, "{name}: {act:?} in {before:?}");
        if now != before {
            self.undo.push(before);
            self.redo.clear();
            self.now = now;
        }
        (name, wanted)
    }

    fn travel(&mut self, back: bool) -> (&'static str, bool) {
        let name = if back { "undo" } else { "redo" };
        let can = self.api.get("live_set", &format!("can_{name}"));
        let other = if back { self.undo.pop() } else { self.redo.pop() };
        assert_eq!(can, json!([u8::from(other.is_some())]), "can_{name}");
        self.call("live_set", name, json!([]));
        let wanted = other.is_some();
        if let Some(other) = other {
            let was = std::mem::replace(&mut self.now, other);
            if back { self.redo.push(was) } else { self.undo.push(was) }
        }
        (name, wanted)
    }

    /// The whole model is there, and nothing else is.
    fn agree(&self) {
        let now = &self.now;
        assert_eq!(self.ids("live_set", "tracks"), now.tracks.iter().map(|t| t.id).collect::<Vec<_>>());
        assert_eq!(self.ids("live_set", "return_tracks"), now.returns);
        assert_eq!(self.ids("live_set", "scenes"), now.scenes);
        let mut alive = BTreeMap::new();
        let mut counts = Vec::new();
        for (at, scene) in now.scenes.iter().enumerate() {
            alive.insert(*scene, format!("live_set scenes {at}"));
            counts.push((format!("live_set scenes {at}"), "clip_slots", now.tracks.len()));
        }
        for (at, id) in now.returns.iter().enumerate() {
            alive.insert(*id, format!("live_set return_tracks {at}"));
            counts.push((format!("live_set return_tracks {at}"), "clip_slots", 0));
        }
        for (at, track) in now.tracks.iter().enumerate() {
            let path = format!("live_set tracks {at}");
            counts.push((path.clone(), "clip_slots", now.scenes.len()));
            counts.push((path.clone(), "devices", track.devices.len()));
            counts.push((format!("{path} mixer_device"), "sends", now.returns.len()));
            for (device, id) in track.devices.iter().enumerate() {
                alive.insert(*id, format!("{path} devices {device}"));
            }
            for (row, scene) in now.scenes.iter().enumerate() {
                let has = track.clips.get(scene);
                counts.push((format!("{path} clip_slots {row}"), "clip", usize::from(has.is_some())));
                if let Some(clip) = has {
                    alive.insert(*clip, format!("{path} clip_slots {row} clip"));
                }
            }
            alive.insert(track.id, path);
        }
        for chunk in counts.chunks(25) {
            let asked = chunk.iter().flat_map(|(path, list, _)| {
                [json!({"type": "set_path", "value": path}), json!({"type": "getcount", "property": list})]
            });
            let gave = self.api.raw("live_set", asked.collect());
            for ((path, list, count), got) in chunk.iter().zip(gave.iter().skip(1).step_by(2)) {
                assert_eq!(got, &json!(count), "{path} {list}");
            }
        }
        // Every id leads to its own path and back, and a dead one nowhere.
        for chunk in self.known.iter().collect::<Vec<_>>().chunks(25) {
            let asked = chunk.iter().flat_map(|id| {
                [
                    json!({"type": "set_path", "value": format!("id {id}")}),
                    json!({"type": "get_property", "property": "path"}),
                ]
            });
            let gave = self.api.raw("live_set", asked.collect());
            for (id, path) in chunk.iter().zip(gave.iter().skip(1).step_by(2)) {
                assert_eq!(path, alive.get(id).map_or("", String::as_str), "id {id}");
            }
        }
    }
}

#[test]
fn the_set_and_a_model_of_it_agree() {
    let counts: Mutex<BTreeMap<&'static str, (u32, u32)>> = Mutex::new(BTreeMap::new());
    let api = Api::raw_enabled();
    let fresh = api.saved();
    let law = |acts: Vec<Act>| {
        api.device.load_state(&fresh);
        let track = |id: Id, midi| Track { id, midi, clips: BTreeMap::new(), devices: Vec::new() };
        let mut world = World {
            api: &api,
            now: Model { tracks: Vec::new(), returns: Vec::new(), scenes: Vec::new() },
            undo: Vec::new(),
            redo: Vec::new(),
            known: BTreeSet::new(),
        };
        world.now.returns = world.ids("live_set", "return_tracks");
        world.now.scenes = world.ids("live_set", "scenes");
        let tracks = world.ids("live_set", "tracks");
        world.now.tracks = tracks.into_iter().zip([true, true, false, false]).map(|(id, m)| track(id, m)).collect();
        let there = [world.now.returns.clone(), world.now.scenes.clone()].concat();
        world.known.extend(there.into_iter().chain(world.now.tracks.iter().map(|t| t.id)));
        for act in &acts {
            let (name, accepted) = world.act(act);
            let mut counts = counts.lock().expect("no panic while counting");
            let entry = counts.entry(name).or_default();
            entry.0 += 1;
            entry.1 += u32::from(accepted);
            drop(counts);
            world.agree();
        }
        comes_back(&world.api.device.set.committed().document);
        Ok(())
    };
    let config = ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    if let Err(error) = runner.run(&proptest::collection::vec(act(), 1..40), law) {
        panic!("{error}");
    }
    let counts = counts.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (sent, accepted) = counts.values().fold((0, 0), |sum, n| (sum.0 + n.0, sum.1 + n.1));
    println!("{accepted} of {sent} operations were accepted: {counts:?}");
    assert!(accepted * 10 >= sent * 3, "{accepted} of {sent}");
    assert!(counts.len() == 16 && counts.values().all(|n| n.1 > 0), "{counts:?}");
}

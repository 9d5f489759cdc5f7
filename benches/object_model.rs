//! What the embedded Set's object model takes for a path, a read, a write, a call, an insert and its undo, in a Set and
//! in one of ten times the tracks, scenes and clips: medians, and the large Set's worst. The last column is how much
//! longer the large Set takes; memory that does not fit the processor's caches is part of it.

#[path = "support/samples.rs"]
mod samples;
#[path = "support/sets.rs"]
mod sets;
mod support;

use samples::{Samples, spoken};
use std::sync::Arc;
use support::{Table, rounds};
use svc_device::object_model::check::Asker;
use svc_device::object_model::history::Moment;
use svc_device::object_model::{HostFacts, ObjectId, ObjectModel, Value};
use svc_device::playback::{Publisher, Snapshot, channel};
use svc_device::set::SetState;
use svc_device::set::document::{Clip, PlacedClip};
use svc_device::set::edit::lane_edits::LaneRef;

/// Tracks, scenes, clips.
const SIZES: [(usize, usize, usize); 2] = [(50, 100, 2_000), (500, 1_000, 20_000)];

fn main() {
    let [small, large] = SIZES.map(measure);
    let head = |(tracks, scenes, clips): (usize, usize, usize)| format!("{tracks} x {scenes}, {clips} clips");
    let mut table = Table::new(&["", &head(SIZES[0]), &head(SIZES[1]), "p99", "max", "ratio"]);
    for ((name, small), (_, large)) in small.iter().zip(&large) {
        let ratio = large.at(0.5).as_secs_f64() / small.at(0.5).as_secs_f64();
        let [p50, p99, max] = large.cells();
        table.row(name, [spoken(small.at(0.5)), p50, p99, max, format!("{ratio:.2}")]);
    }
    table.print();
    println!("* touches every object of the list");
}

type Rows = Vec<(&'static str, Samples)>;

/// A Set being measured, with places all over it to look at.
struct Bench {
    set: SetState,
    tracks: usize,
    scenes: usize,
    /// Track and scene of each clip.
    clips: Vec<(usize, usize)>,
    rows: Rows,
    round: usize,
}

fn measure((tracks, scenes, clips): (usize, usize, usize)) -> Rows {
    let (document, clips) = sets::large(tracks, scenes, clips, 16);
    let mut set = SetState::alone();
    set.replace_document(document);
    let mut bench = Bench { set, tracks, scenes, clips, rows: Vec::new(), round: 0 };
    bench.paths();
    bench.reads();
    bench.writes();
    bench.calls();
    bench.edits();
    bench.steps();
    bench.history();
    bench.publish();
    bench.whole_lists();
    bench.rows
}

impl Bench {
    /// Another clip each time, far from the last one.
    fn place(&mut self) -> (usize, usize) {
        self.round += 7919;
        self.clips[self.round % self.clips.len()]
    }

    fn song(&self) -> ObjectId {
        self.set.resolve("live_set").unwrap().expect("the song")
    }

    fn object(&self, path: &str) -> ObjectId {
        self.set.resolve(path).unwrap().unwrap_or_else(|| panic!("nothing at {path}"))
    }

    fn clip(&mut self) -> ObjectId {
        let (track, scene) = self.place();
        self.object(&format!("live_set tracks {track} clip_slots {scene} clip"))
    }

    /// Times `act` on what `make` gives, on the Set as it is; whatever `act` does stays.
    fn time<I, T>(
        &mut self,
        name: &'static str,
        mut make: impl FnMut(&mut Bench) -> I,
        mut act: impl FnMut(&mut SetState, I) -> T,
    ) {
        let mut samples = Samples::default();
        for _ in 0..rounds(4_000) {
            let input = make(self);
            samples.time(|| act(&mut self.set, input));
        }
        self.rows.push((name, samples));
    }

    fn paths(&mut self) {
        self.time(
            "resolve tracks N clip_slots N clip",
            |b| {
                let (track, scene) = b.place();
                format!("live_set tracks {track} clip_slots {scene} clip")
            },
            |set, path| set.resolve(&path).unwrap().expect("a clip"),
        );
        self.time(
            "resolve scenes N",
            |b| format!("live_set scenes {}", b.place().1),
            |set, path| set.resolve(&path).unwrap().expect("a scene"),
        );
        self.time(
            "resolve tracks N devices 0 parameters 1",
            |b| format!("live_set tracks {} devices 0 parameters 1", b.place().0),
            |set, path| set.resolve(&path).unwrap().expect("a parameter"),
        );
        self.time(
            "resolve id N",
            |b| format!("id {}", b.clip().0),
            |set, path| set.resolve(&path).unwrap().expect("a clip"),
        );
        let same = self.clip();
        self.time(
            "resolve id N, always the same",
            |_| format!("id {}", same.0),
            |set, path| set.resolve(&path).unwrap().expect("a clip"),
        );
        self.time("path of a clip", Bench::clip, |set, clip| set.path_of(clip).unwrap().expect("a path"));
    }

    fn reads(&mut self) {
        let track = |b: &mut Bench| {
            let at = b.place().0;
            b.object(&format!("live_set tracks {at}"))
        };
        let scene = |b: &mut Bench| {
            let at = b.place().1;
            b.object(&format!("live_set scenes {at}"))
        };
        self.time("get a clip's name", Bench::clip, |set, id| set.get(id, "name").expect("a name"));
        self.time("get a track's name", track, |set, id| set.get(id, "name").expect("a name"));
        self.time("get a track's muted_via_solo", track, |set, id| set.get(id, "muted_via_solo").expect("a flag"));
        self.time("get a track's input_routing_type", track, |set, id| {
            set.get(id, "input_routing_type").expect("an entry")
        });
        self.time("get a scene's is_empty", scene, |set, id| set.get(id, "is_empty").expect("a flag"));
    }

    fn writes(&mut self) {
        self.time("set a clip's name", Bench::clip, |set, id| set.set(id, "name", "Verse".into()).expect("a write"));
        self.time(
            "set a track's mute",
            |b| {
                let at = b.place().0;
                (b.object(&format!("live_set tracks {at}")), b.round % 2 == 0)
            },
            |set, (id, on)| set.set(id, "mute", on.into()).expect("a write"),
        );
        self.time(
            "set a device parameter's value",
            |b| {
                let at = b.place().0;
                (b.object(&format!("live_set tracks {at} devices 0 parameters 0")), b.round % 2 == 0)
            },
            |set, (id, on)| set.set(id, "value", f64::from(u8::from(on)).into()).expect("a write"),
        );
    }

    fn calls(&mut self) {
        let slot = |b: &mut Bench| {
            let (track, scene) = b.place();
            b.object(&format!("live_set tracks {track} clip_slots {scene}"))
        };
        self.time("call ClipSlot.fire", slot, |set, id| set.call(id, "fire", &[]).expect("fired"));
        self.time(
            "call Clip.add_new_notes, one note",
            |b| {
                let text = format!(r#"{{"notes":[{{"pitch":{},"start_time":1,"duration":0.5}}]}}"#, 36 + b.round % 60);
                (b.clip(), Value::Text(text))
            },
            |set, (id, notes)| set.call(id, "add_new_notes", &[notes]).expect("added"),
        );
        self.time("call that is refused", slot, |set, id| {
            assert!(set.call(id, "create_clip", &[Value::Float(4.0)]).is_err());
        });
    }

    /// What changes the Set's shape, each in a step of its own, with its undo. The Set stays as large as it is.
    fn edits(&mut self) {
        let song = self.song();
        let at_front = [Value::Int(0)];
        let cases: [(&str, &'static str, &'static str); 4] = [
            ("create_midi_track", "insert a track in front", "undo that"),
            ("create_scene", "insert a scene in front", "undo that "),
            ("delete_track", "delete the first track", "undo that  "),
            ("delete_scene", "delete the first scene", "undo that   "),
        ];
        for (function, name, undo) in cases {
            let (mut edits, mut undos) = (Samples::default(), Samples::default());
            for _ in 0..rounds(2_000) {
                self.set.begin_step("bench");
                edits.time(|| self.set.call(song, function, &at_front).expect("an edit"));
                assert!(self.set.end_step());
                self.set.begin_step("undo");
                undos.time(|| self.set.call(song, "undo", &[]).expect("an undo"));
                self.set.end_step();
            }
            self.rows.extend([(name, edits), (undo, undos)]);
        }
        assert_eq!((self.set.document.tracks.len(), self.set.document.scenes.len()), (self.tracks, self.scenes));
    }

    /// What steps changed, found by comparing the Set before and after them.
    fn history(&mut self) {
        let most = usize::MAX;
        let (mut one, mut hundred) = (Samples::default(), Samples::default());
        for _ in 0..rounds(200) {
            let first = self.set.history().expect("steps").now();
            for _ in 0..100 {
                let (clip, name) = (self.clip(), format!("Part {}", self.round));
                self.set.begin_step("bench");
                self.set.set_as(Asker::Raw, clip, "name", name.into()).expect("a write");
                assert!(self.set.end_step());
            }
            let steps = self.set.history().expect("steps");
            let different = |from| {
                let found = steps.changes(from, Moment::Now, most, &mut |_| Ok(())).expect("within bounds");
                found.expect("both are kept").objects.len()
            };
            assert_eq!(one.time(|| different(Moment::Before(first + 100))), 1);
            assert_eq!(hundred.time(|| different(Moment::After(first))), 100);
        }
        self.rows
            .extend([("what a step changed, a clip", one), ("what a hundred steps changed, as many clips", hundred)]);
    }

    /// What a call of a tool does around its writes.
    fn steps(&mut self) {
        self.time(
            "one raw call: copy, begin_step, set, end_step",
            |b| (b.clip(), format!("Chorus {}", b.round)),
            |set, (id, name)| {
                let mut working = set.clone();
                working.begin_step("bench");
                working.set_as(Asker::Raw, id, "name", name.into()).expect("a write");
                assert!(working.end_step());
                *set = working;
            },
        );
        self.time(
            "begin_step and end_step, nothing changed",
            |_| (),
            |set, ()| {
                set.begin_step("bench");
                set.end_step()
            },
        );
    }

    /// What a commit hands to playback, with as many tracks launched as were fired above.
    fn publish(&mut self) {
        let (mut publisher, _engine): (Publisher, _) = channel();
        let launched = self.set.runtime.launches.len();
        let name = "publish, every track launched";
        assert!(launched > self.tracks / 2, "{launched} tracks launched");
        self.time(
            name,
            |_| (),
            |set, ()| {
                publisher.publish(Snapshot {
                    document: set.document.clone(),
                    launches: set.runtime.launches.iter().cloned().collect(),
                    transport: set.runtime.transport,
                    own_clock: true,
                });
            },
        );
        // The same tracks with clips in the Arrangement besides, of which the first publish learns and later ones know.
        let mut arranged = self.set.document.clone();
        for track in arranged.tracks.iter().map(|track| track.serial).collect::<Vec<_>>() {
            let serial = arranged.fresh_serial().expect("a serial");
            let clip = Arc::new(Clip::midi(serial, 16.0, 1, arranged.song.signature));
            let placed = PlacedClip { start: 0.0, end: 16.0, clip };
            arranged.put_placed(LaneRef { track, take_lane: None }, placed).expect("a track");
        }
        let all: Vec<u32> = arranged.tracks.iter().map(|track| track.serial).collect();
        self.time(
            "publish, every track in the Arrangement, one clip edited *",
            |b| {
                b.round += 1;
                all[b.round % all.len()]
            },
            |set, track| {
                arranged.edit_track(track, |track| track.color ^= 1).expect("a track");
                publisher.publish(Snapshot {
                    document: arranged.clone(),
                    launches: Vec::new(),
                    transport: set.runtime.transport,
                    own_clock: true,
                });
            },
        );
        let one = self.set.runtime.launches.iter().next().cloned();
        self.time(
            "publish, one track launched",
            |_| (),
            |set, ()| {
                publisher.publish(Snapshot {
                    document: set.document.clone(),
                    launches: one.iter().cloned().collect(),
                    transport: set.runtime.transport,
                    own_clock: true,
                });
            },
        );
    }

    /// These touch every object, and grow with the Set.
    fn whole_lists(&mut self) {
        let song = self.song();
        self.time("get the list of all scenes *", |_| (), |set, ()| set.get(song, "scenes").expect("a list"));
        self.time("get the list of all tracks *", |_| (), |set, ()| set.get(song, "tracks").expect("a list"));
    }
}

//! How often a call asks a host whose objects are in another program: each question to it is an exchange, a snapshot is
//! one.
//!
//! The host here answers from an embedded Set. Its snapshots know what their scope says and no more: what a reader asks
//! beside that is read on, and counted.

use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use svc_device::music::pitch::Spelling;
use svc_device::music::{Beats, Meter, Note};
use svc_device::notation::Notation;
use svc_device::object_model::audio::AudioFiles;
use svc_device::object_model::check::Asker;
use svc_device::object_model::clip_facts::ClipFacts;
use svc_device::object_model::host_values::Clock;
use svc_device::object_model::path::Root;
use svc_device::object_model::routing_choices::{RoutedTracks, RoutingChoice, RoutingChoices};
use svc_device::object_model::scope::{Origin, Shape};
use svc_device::object_model::{
    Capability, Class, EnvelopePoint, HostEdits, HostFacts, MacroTarget, MidiOutput, ModelError, ObjectId, ObjectModel,
    Readout, Scope, Session, Value,
};
use svc_device::set::model::SetState;
use svc_device::tools::call::{CallContext, apply};
use svc_device::tools::error::{ErrorKind, ToolError};
use svc_device::tools::registry;
use svc_device::tools::request::{CommittedSet, DeviceFacts, RequestContext};

/// An embedded Set as a host that is far away.
struct FarHost {
    set: SetState,
    exchanges: Arc<AtomicUsize>,
    /// What a snapshot was filled with; `None` is the host itself, which knows nothing.
    known: Option<Known>,
    /// The link breaks when so many exchanges were made.
    breaks_after: usize,
    /// Says which clips a track or scene has without being walked.
    knows_clips: bool,
}

#[derive(Default)]
struct Known {
    objects: BTreeMap<ObjectId, KnownObject>,
    /// Which object stands at each step of the paths of those objects.
    steps: BTreeSet<(ObjectId, String, usize)>,
    /// Those of them that are no lists.
    singles: BTreeSet<(ObjectId, String)>,
}

#[derive(Default)]
struct KnownObject {
    members: BTreeSet<&'static str>,
    all_properties: bool,
    notes: bool,
    display: bool,
}

impl FarHost {
    fn new(set: SetState) -> FarHost {
        FarHost { set, exchanges: Arc::default(), known: None, breaks_after: usize::MAX, knows_clips: false }
    }

    fn exchange(&self) -> Result<(), ModelError> {
        if self.exchanges.fetch_add(1, Ordering::Relaxed) >= self.breaks_after {
            return Err(ModelError::Unreachable("Live does not answer; open the Set again".to_owned()));
        }
        Ok(())
    }

    /// An exchange, unless the snapshot knows it.
    fn ask(&self, knows: impl FnOnce(&Known) -> bool) -> Result<(), ModelError> {
        if self.known.as_ref().is_some_and(knows) { Ok(()) } else { self.exchange() }
    }
}

impl Known {
    fn has(&self, id: ObjectId, what: impl FnOnce(&KnownObject) -> bool) -> bool {
        self.objects.get(&id).is_some_and(what)
    }

    /// The object, what it is, and the way to it.
    fn learn(&mut self, set: &SetState, id: ObjectId) {
        let path = set.path_of(id).unwrap().unwrap_or_default();
        let mut words = path.split(' ').peekable();
        let mut at = match words.next() {
            Some("live_set") => set.root(Root::LiveSet).unwrap(),
            _ => None,
        };
        while let Some(parent) = at {
            self.objects.entry(parent).or_default();
            let Some(name) = words.next() else { break };
            let index = words.next_if(|word| word.bytes().all(|b| b.is_ascii_digit()));
            if index.is_none() {
                self.singles.insert((parent, name.to_owned()));
            }
            let index = index.and_then(|word| word.parse().ok()).unwrap_or(0);
            self.steps.insert((parent, name.to_owned(), index));
            at = set.child_at(parent, name, index).unwrap();
        }
        self.objects.entry(id).or_default();
    }

    fn fill(&mut self, set: &SetState, id: ObjectId, shape: &Shape) {
        self.learn(set, id);
        let object = self.objects.entry(id).or_default();
        object.members.extend(&shape.properties);
        object.members.extend(&shape.counts);
        object.members.extend(shape.children.iter().map(|(name, _)| *name));
        object.all_properties |= shape.all_properties;
        object.notes |= shape.notes;
        object.display |= shape.display;
        for (name, below) in &shape.children {
            let children = match set.get(id, name) {
                Ok(Value::Objects(ids)) => ids,
                Ok(Value::Object(id)) => id.into_iter().collect(),
                _ => Vec::new(),
            };
            for child in children {
                self.fill(set, child, below);
            }
        }
    }
}

impl ObjectModel for FarHost {
    fn root(&self, root: Root) -> Result<Option<ObjectId>, ModelError> {
        self.ask(|_| true)?;
        self.set.root(root)
    }

    fn class_of(&self, id: ObjectId) -> Result<Option<&'static Class>, ModelError> {
        self.ask(|known| known.has(id, |_| true))?;
        self.set.class_of(id)
    }

    fn path_of(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        self.ask(|known| known.has(id, |_| true))?;
        self.set.path_of(id)
    }

    fn child_count(&self, id: ObjectId, name: &str) -> Result<usize, ModelError> {
        self.ask(|known| known.has(id, |object| object.members.contains(name)))?;
        self.set.child_count(id, name)
    }

    fn child_at(&self, id: ObjectId, name: &str, index: usize) -> Result<Option<ObjectId>, ModelError> {
        self.ask(|known| {
            known.has(id, |object| object.members.contains(name)) || known.steps.contains(&(id, name.to_owned(), index))
        })?;
        self.set.child_at(id, name, index)
    }

    fn get_as(&self, asker: Asker, id: ObjectId, member: &str) -> Result<Value, ModelError> {
        self.ask(|known| {
            known.has(id, |object| object.all_properties || object.members.contains(member))
                || known.singles.contains(&(id, member.to_owned()))
        })?;
        self.set.get_as(asker, id, member)
    }

    fn set_as(&mut self, asker: Asker, id: ObjectId, member: &str, value: Value) -> Result<(), ModelError> {
        self.exchange()?;
        self.set.set_as(asker, id, member, value)
    }

    fn call_as(&mut self, asker: Asker, id: ObjectId, function: &str, args: &[Value]) -> Result<Value, ModelError> {
        self.exchange()?;
        self.set.call_as(asker, id, function, args)
    }

    fn notes(&self, clip: ObjectId) -> Result<Vec<Note>, ModelError> {
        self.ask(|known| known.has(clip, |object| object.notes))?;
        self.set.notes(clip)
    }

    fn replace_notes(&mut self, clip: ObjectId, notes: Vec<Note>) -> Result<(), ModelError> {
        self.exchange()?;
        self.set.replace_notes(clip, notes)
    }

    /// What a host in another program cannot do.
    fn capability(&self, capability: Capability) -> Result<(), ModelError> {
        let why = match capability {
            Capability::History => "this far host tells nothing of its steps",
            Capability::Restore => "this far host brings nothing back alone",
            Capability::DryRun => "this far host has no dry runs",
            other => return self.set.capability(other),
        };
        Err(ModelError::Unable(why.to_owned()))
    }

    fn resolve(&self, path: &str) -> Result<Option<ObjectId>, ModelError> {
        let found = self.set.resolve(path)?;
        self.ask(|known| found.is_some_and(|id| known.has(id, |_| true)))?;
        Ok(found)
    }
}

impl HostFacts for FarHost {
    fn kind(&self) -> &'static str {
        "live"
    }

    fn live_version(&self) -> &str {
        self.set.live_version()
    }

    fn set_name(&self) -> Result<String, ModelError> {
        self.ask(|_| true)?;
        self.set.set_name()
    }

    fn clock(&self) -> Result<Clock, ModelError> {
        self.ask(|_| true)?;
        self.set.clock()
    }

    fn spelling(&self) -> Spelling {
        self.set.spelling()
    }

    // A running Live has none; here answers are compared, so it costs nothing.
    fn remark(&self, id: ObjectId) -> Result<Option<String>, ModelError> {
        self.set.remark(id)
    }

    fn kept_words(&self, object: ObjectId) -> Result<Option<String>, ModelError> {
        self.set.kept_words(object)
    }

    fn readout(&self, parameter: ObjectId) -> Result<Option<Readout>, ModelError> {
        self.ask(|known| known.has(parameter, |object| object.display))?;
        self.set.readout(parameter)
    }

    fn label_of(&self, parameter: ObjectId, raw: f64) -> Result<Option<String>, ModelError> {
        self.ask(|known| known.has(parameter, |object| object.display))?;
        self.set.label_of(parameter, raw)
    }

    fn shown_number(&self, parameter: ObjectId, raw: f64) -> Result<Option<f64>, ModelError> {
        self.ask(|known| known.has(parameter, |object| object.display))?;
        self.set.shown_number(parameter, raw)
    }

    fn raw_of(&self, parameter: ObjectId, number: f64) -> Result<Option<f64>, ModelError> {
        self.ask(|known| known.has(parameter, |object| object.display))?;
        self.set.raw_of(parameter, number)
    }

    /// A host that maps macros knows them beside the rack.
    fn macro_mappings(&self, rack: ObjectId) -> Result<Option<Vec<MacroTarget>>, ModelError> {
        self.set.macro_mappings(rack)
    }

    fn midi_output(&self, track: ObjectId) -> Result<Option<MidiOutput>, ModelError> {
        self.ask(|known| known.has(track, |_| true))?;
        self.set.midi_output(track)
    }

    // A running Live tells nothing of it; here answers are compared, so it costs nothing.
    fn sounds(&self, object: ObjectId) -> Result<Option<String>, ModelError> {
        self.set.sounds(object)
    }

    fn modulation(&self, device: ObjectId, row: usize, source: usize) -> Result<Option<f64>, ModelError> {
        self.exchange()?;
        self.set.modulation(device, row, source)
    }

    fn routed_track(&self, identifier: &str) -> Result<Option<ObjectId>, ModelError> {
        self.exchange()?;
        self.set.routed_track(identifier)
    }

    fn session_clips(&self, of: ObjectId) -> Result<Option<Vec<ObjectId>>, ModelError> {
        if !self.knows_clips {
            return Ok(None);
        }
        self.exchange()?;
        self.set.session_clips(of)
    }

    fn clip_facts(&self, clip: ObjectId) -> Result<Option<ClipFacts>, ModelError> {
        if !self.knows_clips {
            return Ok(None);
        }
        self.exchange()?;
        self.set.clip_facts(clip)
    }

    fn routing_choices(&self, track: ObjectId, list: &str) -> Result<Option<RoutingChoices>, ModelError> {
        if !self.knows_clips {
            return Ok(None);
        }
        self.exchange()?;
        self.set.routing_choices(track, list)
    }

    fn tracks_to_route(&self, of: RoutedTracks) -> Result<Vec<(ObjectId, RoutingChoice)>, ModelError> {
        self.exchange()?;
        self.set.tracks_to_route(of)
    }

    fn session_clip_count(&self, of: ObjectId) -> Result<Option<usize>, ModelError> {
        if !self.knows_clips {
            return Ok(None);
        }
        self.exchange()?;
        self.set.session_clip_count(of)
    }

    fn snapshot(&self, scope: &Scope<'_>) -> Result<Option<Box<dyn Session + Send>>, ModelError> {
        if self.known.is_some() {
            return Ok(None);
        }
        let parts = scope.parts()?;
        self.exchange()?;
        let mut known = Known::default();
        for part in parts {
            let id = match part.of {
                Origin::Id(id) => self.set.class_of(id)?.map(|_| id),
                Origin::Path(path) => self.set.resolve(&path)?,
            };
            if let Some(id) = id {
                known.fill(&self.set, id, &part.shape);
            }
        }
        Ok(Some(Box::new(FarHost {
            set: self.set.clone(),
            exchanges: self.exchanges.clone(),
            known: Some(known),
            breaks_after: self.breaks_after,
            knows_clips: self.knows_clips,
        })))
    }
}

impl HostEdits for FarHost {
    fn know_files(&mut self, files: AudioFiles) {
        self.set.know_files(files);
    }

    fn create_locator(&mut self, at: Beats) -> Result<ObjectId, ModelError> {
        self.exchange()?;
        self.set.create_locator(at)
    }

    fn set_clip_end(&mut self, clip: ObjectId, at: Beats) -> Result<(), ModelError> {
        self.exchange()?;
        self.set.set_clip_end(clip, at)
    }

    fn rebuild_clip(&mut self, clip: ObjectId, onto: ObjectId, at: Beats) -> Result<ObjectId, ModelError> {
        self.exchange()?;
        self.set.rebuild_clip(clip, onto, at)
    }

    fn draw_envelope(
        &mut self,
        clip: ObjectId,
        parameter: ObjectId,
        points: Vec<EnvelopePoint>,
    ) -> Result<(), ModelError> {
        self.exchange()?;
        self.set.draw_envelope(clip, parameter, points)
    }
}

fn request() -> RequestContext {
    RequestContext {
        notation: Notation::default(),
        small_model_mode: false,
        tools: registry::all().iter().map(|tool| tool.name).collect(),
        device: Arc::new(DeviceFacts::default()),
        json: true,
        as_text: false,
        may_last: false,
        song_meter: Meter::COMMON,
        at_rest: CommittedSet(Arc::new(|| Box::new(SetState::alone()))),
        chosen_file: None,
        budget: Default::default(),
    }
}

/// Makes a call the way the service does.
fn call(session: &mut dyn Session, tool: &str, arguments: &Json) -> Result<Json, ToolError> {
    let tool = registry::all().iter().find(|one| one.name == tool).unwrap();
    let mut call = CallContext::default();
    let mut prepared = tool.prepare(arguments.as_object().unwrap().clone(), &request())?;
    apply(&mut *prepared, session, &mut call)?;
    session.settle()?;
    Ok(prepared.finish(&mut call)?.result.into_value())
}

/// Fifty tracks, two returns, a hundred clips on the first, a rack, a Drum Rack, and an instrument.
fn stage() -> SetState {
    let mut set = SetState::alone();
    let mut ok =
        |tool: &str, arguments: Json| call(&mut set, tool, &arguments).unwrap_or_else(|e| panic!("{tool}: {e}"));
    ok("svc-create-track", json!({"path": vec!["t+"; 46].join(",")}));
    ok("svc-create-track", json!({"path": "rt+"}));
    for first in [0, 50] {
        let places: Vec<String> = (first..first + 50).map(|bar| format!("t0[{}|1]", bar * 2 + 1)).collect();
        ok("svc-create-clip", json!({"path": places.join(","), "length": "1bar", "notes": "C3 1|1"}));
    }
    ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t1/s0", "length": "1bar", "notes": "C3 1|1"}));
    ok("svc-create-device", json!({"path": "t1", "device": "Drum Rack"}));
    ok("svc-create-device", json!({"path": "t1/d0/pC1/c0", "device": "Simpler"}));
    ok("svc-create-device", json!({"path": "t0", "device": "Operator"}));
    ok("svc-create-device", json!({"path": "t0", "device": "Audio Effect Rack"}));
    ok("svc-create-device", json!({"path": "t0/d1/c1/d+", "device": "Reverb"}));
    ok("svc-update-live-set", json!({"locatorOperation": "create", "locatorTime": "5|1", "locatorName": "Verse"}));
    set
}

/// A call, and how many exchanges it has at most.
const MOST: [(&str, &str, usize); 32] = [
    ("svc-connect", "{}", 1),
    ("svc-read-live-set", "{}", 1),
    ("svc-read-live-set", r#"{"include": ["*"]}"#, 1),
    ("svc-read-track", r#"{"path": "t0"}"#, 1),
    ("svc-read-track", r#"{"path": "t0", "include": ["*"]}"#, 1),
    ("svc-read-track", r#"{"path": "t1", "include": ["*"]}"#, 1),
    ("svc-read-track", r#"{"path": "rt0,mt", "include": ["*"]}"#, 1),
    ("svc-read-track", r#"{"path": "t0,t1,t2,t3,t4,t5,t6,t7,t8,t9", "include": ["mixer"]}"#, 1),
    ("svc-read-track", r#"{"path": "t99"}"#, 3),
    ("svc-read-scene", r#"{"path": "s0"}"#, 1),
    ("svc-read-scene", r#"{"path": "s0,s1", "include": ["*"]}"#, 1),
    ("svc-read-clip", r#"{"path": "t0/s0"}"#, 1),
    ("svc-read-clip", r#"{"path": "t0/s0,t1/s0", "include": ["*"]}"#, 1),
    ("svc-read-clip", r#"{"path": "t0[5|1]", "include": ["*"]}"#, 2),
    ("svc-read-clip", r#"{"path": "t0[loc:Verse]"}"#, 2),
    ("svc-read-device", r#"{"path": "t0/d0"}"#, 1),
    ("svc-read-device", r#"{"path": "t0/d0", "include": ["*"]}"#, 1),
    ("svc-read-device", r#"{"path": "t0/d1", "include": ["*"], "maxDepth": 2}"#, 1),
    ("svc-read-device", r#"{"path": "t0/d1/c1"}"#, 1),
    ("svc-read-device", r#"{"path": "t1/d0", "include": ["*"], "maxDepth": 2}"#, 1),
    ("svc-update-track", r#"{"path": "t0,t1", "name": "A,B"}"#, 14),
    ("svc-duplicate", r#"{"type": "scene", "path": "s0"}"#, 13),
    ("svc-duplicate", r#"{"type": "scene", "path": "s0", "toPath": "[300|1]"}"#, 101),
    ("svc-duplicate", r#"{"type": "track", "path": "t0"}"#, 24),
    ("svc-duplicate", r#"{"type": "clip", "path": "t0[9|1]", "toPath": "t0[400|1]"}"#, 92),
    ("svc-update-clip", r#"{"path": "t0[9|1]", "arrangementLength": "3bar"}"#, 170),
    ("svc-update-clip", r#"{"path": "t0[9|1]", "toPath": "t0[400|1]"}"#, 114),
    ("svc-create-clip", r#"{"path": "t0[500|1]", "length": "1bar", "notes": "C3 1|1"}"#, 63),
    ("svc-create-device", r#"{"path": "t3", "device": "Reverb"}"#, 26),
    ("svc-update-device", r#"{"path": "t0/d0", "params": [{"name": "Volume", "value": "-6 dB"}]}"#, 20),
    ("svc-delete", r#"{"type": "track", "path": "t5,t6,t7"}"#, 46),
    ("svc-delete", r#"{"type": "chain", "path": "t1/d0/pC1/c0"}"#, 47),
];

/// A host that keeps no list of its steps steps back one by one, and says why it can do no more.
#[test]
fn a_host_without_a_history_says_so() {
    let mut set = stage();
    assert!(set.end_step(), "all that was made is one step");
    let mut far = FarHost::new(set);
    for (tool, arguments, why) in [
        ("svc-read-history", json!({}), "this far host tells nothing of its steps"),
        ("svc-manage", json!({"action": "restore", "path": "t0"}), "this far host brings nothing back alone"),
        ("svc-manage", json!({"action": "undo", "step": 0}), "this far host tells nothing of its steps"),
    ] {
        let error = call(&mut far, tool, &arguments).expect_err(tool);
        assert_eq!(error.kind, ErrorKind::Unable, "{tool} {arguments}: {error}");
        assert_eq!(error.text, why);
    }
    let undone = call(&mut far, "svc-manage", &json!({"action": "undo"})).expect("a step back");
    let detail = "the host does not say what was undone: read the Set";
    assert_eq!(undone, json!({"undone": 1, "detail": detail, "canUndo": false, "canRedo": true}));
}

#[test]
fn a_call_has_few_exchanges() {
    let set = stage();
    let mut wrong = Vec::new();
    for (tool, arguments, most) in MOST {
        let arguments: Json = serde_json::from_str(arguments).unwrap();
        let mut near = set.clone();
        let mut far = FarHost::new(set.clone());
        let (here, there) = (call(&mut near, tool, &arguments), call(&mut far, tool, &arguments));
        let exchanges = far.exchanges.load(Ordering::Relaxed);
        if tool != "svc-connect" {
            assert_eq!(here, there, "{tool} {arguments}: another answer from afar");
        }
        if exchanges > most {
            wrong.push(format!("{tool} {arguments}: {exchanges} exchanges, not {most}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Wherever the link breaks, a read says that it broke, and no answer comes of what was not read.
#[test]
fn a_host_out_of_reach_is_no_empty_set() {
    let set = stage();
    let reads = MOST.iter().filter(|(tool, ..)| tool.starts_with("svc-read"));
    let mut broken = 0;
    for (tool, arguments, _) in reads {
        let arguments: Json = serde_json::from_str(arguments).unwrap();
        for breaks_after in 0..70 {
            let mut far = FarHost { breaks_after, ..FarHost::new(set.clone()) };
            let answer = call(&mut far, tool, &arguments);
            if far.exchanges.load(Ordering::Relaxed) <= breaks_after {
                break;
            }
            let error = answer.expect_err("a read of a broken link");
            assert_eq!(error.kind, ErrorKind::Unreachable, "{tool} {arguments} after {breaks_after}: {error}");
            assert!(error.text.contains("open the Set again"), "{error}");
            broken += 1;
        }
    }
    assert!(broken > 20, "{broken}");
}

/// So many tracks and scenes, a clip in every slot of the first track and of the first scene.
fn grid(size: usize) -> SetState {
    let mut set = SetState::alone();
    let mut ok =
        |tool: &str, arguments: Json| call(&mut set, tool, &arguments).unwrap_or_else(|e| panic!("{tool}: {e}"));
    ok("svc-create-track", json!({"path": vec!["t+"; size - 4].join(",")}));
    ok("svc-create-scene", json!({"path": format!("s{}", size - 1)}));
    let slots: Vec<String> =
        (0..size).map(|at| format!("t0/s{at}")).chain((1..size).map(|at| format!("t{at}/s0"))).collect();
    let midi = |path: &String| path != "t2/s0" && path != "t3/s0";
    let slots: Vec<String> = slots.into_iter().filter(midi).collect();
    ok("svc-create-clip", json!({"path": slots.join(","), "length": "1bar"}));
    set
}

/// What a host knows of its clips is the same as a walk finds, in the same order.
#[test]
fn what_a_host_knows_of_clips_is_what_a_walk_finds() {
    let set = grid(12);
    for (tool, path, include) in [
        ("svc-read-live-set", "", json!(["*"])),
        ("svc-read-track", "t0,t1,t2,rt0,mt", json!([])),
        ("svc-read-track", "t0,t1,t2,rt0,mt", json!(["session-clips"])),
        ("svc-read-track", "t0,t1,t2,t3,rt0,mt", json!(["*"])),
        ("svc-read-clip", "t0/s0,t0/s3,t4/s0", json!(["*"])),
        ("svc-read-scene", "s0,s1,s11", json!([])),
        ("svc-read-scene", "s0,s1,s11", json!(["clips"])),
        ("svc-read-scene", "s0,s1,s11", json!(["*"])),
    ] {
        let mut arguments = json!({ "include": include });
        if !path.is_empty() {
            arguments["path"] = path.into();
        }
        let answer = |knows_clips| {
            let mut host = FarHost { knows_clips, known: Some(Known::default()), ..FarHost::new(set.clone()) };
            call(&mut host, tool, &arguments).unwrap_or_else(|e| panic!("{tool} {arguments}: {e}"))
        };
        assert_eq!(answer(true), answer(false), "{tool} {arguments}");
    }
}

/// The overview names tracks and scenes, so it may ask as often as there are of those, and not once for each slot.
#[test]
fn an_overview_looks_at_no_slot() {
    let questions = |size: usize| {
        let mut host = FarHost { knows_clips: true, known: Some(Known::default()), ..FarHost::new(grid(size)) };
        call(&mut host, "svc-read-live-set", &json!({"include": ["*"]})).unwrap();
        host.exchanges.load(Ordering::Relaxed)
    };
    let (small, large) = (questions(10), questions(40));
    assert!(large < small * 4, "four times the tracks and scenes: {large} questions after {small}");
}

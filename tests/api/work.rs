//! Work is counted: what a call costs grows with its length, and no faster.

use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use svc_device::music::{Meter, Note};
use svc_device::notation::Notation;
use svc_device::object_model::ObjectModel;
use svc_device::set::SetState;
use svc_device::tools;
use svc_device::tools::budget::{Budget, MAX_OBJECTS, MAX_STEPS, TimeLimit, UsedUp};
use svc_device::tools::call::{CallContext, PreparedCall, apply, finish, prepared, prepared_read};
use svc_device::tools::metered_session::MeteredSession;
use svc_device::tools::request::{CommittedSet, RequestContext};

/// The longest list of targets.
const LONGEST: usize = 1_000;

/// Tools whose longest request has no list in it, or one that another kind of test bounds.
const WITHOUT_LISTS: [&str; 11] = [
    "svc-connect",
    "svc-context",
    "svc-manage",
    "svc-read-live-set",
    "svc-select",
    "svc-library",
    "svc-render",
    "svc-read-history",
    "svc-read-job",
    "svc-batch",
    "svc-test",
];

/// A thousand scenes with a clip of three notes each, a thousand audio effects, two hundred tracks.
fn stage() -> SetState {
    let mut set = SetState::alone();
    let object = |set: &SetState, path: &str| set.resolve(path).unwrap().unwrap();
    let song = object(&set, "live_set");
    for _ in set.child_count(song, "scenes").unwrap()..LONGEST {
        set.call(song, "create_scene", &[(-1).into()]).unwrap();
    }
    for _ in 0..20 {
        set.call(song, "create_midi_track", &[(-1).into()]).unwrap();
    }
    for at in 0..LONGEST {
        let slot = object(&set, &format!("live_set tracks 0 clip_slots {at}"));
        set.call(slot, "create_clip", &[4.0.into()]).unwrap();
        let clip = set.child_at(slot, "clip", 0).unwrap().unwrap();
        set.replace_notes(clip, (0u8..3).map(|beat| Note::new(60 + beat, f64::from(beat), 1.0)).collect()).unwrap();
    }
    let main = object(&set, "live_set master_track");
    for _ in 0..LONGEST {
        set.call(main, "insert_device", &["Utility".into()]).unwrap();
    }
    set
}

/// What a call on a copy of the Set answers.
fn answer(set: &SetState, tool: &str, arguments: &Value, budget: &Budget) -> Result<Value, String> {
    let tool = tools::registry::all().iter().find(|one| one.name == tool).expect("a tool");
    let (at_rest, at_rest_budget) = (set.clone(), budget.clone());
    let view = RequestContext {
        notation: Notation::Barbeat,
        small_model_mode: false,
        tools: Arc::new([]),
        device: Arc::default(),
        json: true,
        as_text: false,
        song_meter: Meter::default(),
        at_rest: CommittedSet(Arc::new(move || {
            Box::new(MeteredSession::new(Box::new(at_rest.clone()), at_rest_budget.clone()))
        })),
        chosen_file: None,
        may_last: false,
        budget: budget.clone(),
    };
    let mut set = set.clone();
    let mut call = CallContext::new(budget.clone());
    let arguments = arguments.as_object().expect("an object").clone();
    let run = || {
        let mut job = tool.prepare(arguments, &view)?;
        apply(&mut *job, &mut set, &mut call)?;
        Ok(finish(job, &mut call)?.result.into_value())
    };
    run().map_err(|error: tools::error::ToolError| error.to_string())
}

/// So many things, spelled by a function of their number, as a comma list.
fn list(count: usize, spell: impl Fn(usize) -> String) -> String {
    (0..count).map(spell).collect::<Vec<_>>().join(",")
}

/// The longest request of each tool that takes a list, of `count` things.
fn requests(count: usize) -> Vec<(&'static str, Value)> {
    let clips = || list(count, |at| format!("t0/s{at}"));
    let scenes = || list(count, |at| format!("s{at}"));
    let devices = || list(count, |at| format!("mt/d{at}"));
    let places = |track: usize| list(count, |at| format!("t{track}/s{at}"));
    let params = (0..count)
        .map(|at| json!({"name": if at == 0 { "Balance".to_owned() } else { format!("x{at}") }, "value": "1"}));
    let params: Vec<Value> = params.collect();
    let sends: Vec<Value> = (0..count).map(|_| json!({"return": "A", "gainDb": -6})).collect();
    let operations: Vec<Value> = (0..count / 20).map(|_| json!({"type": "get", "property": "tempo"})).collect();
    let all = json!(["*"]);
    vec![
        ("svc-read-clip", json!({"path": clips(), "include": all})),
        ("svc-read-clip", json!({"path": list(count, |_| "t0/s0".to_owned()), "include": all})),
        ("svc-read-scene", json!({"path": scenes(), "include": all})),
        ("svc-read-track", json!({"path": list(count / 50, |at| format!("t{at}")), "include": ["mixer", "routings"]})),
        ("svc-read-device", json!({"path": devices(), "include": all})),
        (
            "svc-update-clip",
            json!({"path": clips(), "name": "X", "notes": "v80 C4 1|4", "transforms": "velocity += 1"}),
        ),
        ("svc-update-clip", json!({"path": list(count, |_| "t0/s0".to_owned()), "name": "X"})),
        ("svc-update-clip", json!({"path": clips(), "toPath": places(1)})),
        (
            "svc-update-clip",
            json!({"path": clips(), "toPath": list(count - 1, |at| format!("t0/s{}", at + 1)) + ",t1/s0"}),
        ),
        ("svc-update-clip", json!({"path": clips(), "toPath": list(count, |at| format!("t1[{}|1]", at * 2 + 1))})),
        ("svc-update-track", json!({"path": list(count, |at| format!("t{}", at % 20)), "gainDb": -3, "arm": true})),
        ("svc-update-track", json!({"path": list(count, |_| "t0".to_owned()), "name": "X", "mute": true})),
        ("svc-update-track", json!({"path": "t0", "sends": sends})),
        ("svc-update-scene", json!({"path": scenes(), "name": "X", "color": "#FF0000", "tempo": 99})),
        ("svc-update-device", json!({"path": devices(), "name": "X", "params": [{"name": "Balance", "value": "10"}]})),
        ("svc-update-device", json!({"path": "mt/d0", "params": params})),
        ("svc-create-clip", json!({"path": places(5), "notes": "C3 1|1,2,3,4"})),
        (
            "svc-create-clip",
            json!({"path": list(count, |at| format!("t5[{}|1]", at + 1)), "notes": "C3 1|1", "length": "1bar"}),
        ),
        ("svc-create-scene", json!({"path": list(count / 2, |_| "s+".to_owned()), "name": "X"})),
        ("svc-create-track", json!({"path": list(count / 10, |_| "t+".to_owned())})),
        ("svc-create-device", json!({"path": list(count, |_| "mt".to_owned()), "device": "Utility"})),
        ("svc-delete", json!({"type": "clip", "path": clips()})),
        ("svc-delete", json!({"type": "device", "path": devices()})),
        ("svc-duplicate", json!({"type": "clip", "path": clips(), "toPath": places(6)})),
        ("svc-duplicate", json!({"type": "clip", "path": "t0/s0", "toPath": places(6)})),
        ("svc-playback", json!({"action": "play-session-clips", "path": clips()})),
        (
            "svc-update-live-set",
            json!({"locatorOperation": "create", "locatorTime": list(count, |at| format!("{}|1", at + 1))}),
        ),
        ("svc-live-api", json!({"path": "live_set", "operations": operations})),
    ]
}

#[test]
fn no_request_costs_more_than_its_length() {
    let (set, fresh) = (stage(), SetState::alone());
    let began = std::time::Instant::now();
    let requests: Vec<_> = requests(LONGEST / 2).into_iter().zip(requests(LONGEST)).collect();
    for tool in tools::registry::all() {
        let has_case = requests.iter().any(|((name, _), _)| *name == tool.name);
        assert!(has_case != WITHOUT_LISTS.contains(&tool.name), "{}", tool.name);
    }
    for ((tool, half), (_, whole)) in requests {
        let steps = |arguments: &Value| {
            // A full Set takes no more scenes.
            let set = if tool == "svc-create-scene" { &fresh } else { &set };
            let budget = Budget::default();
            let answer = answer(set, tool, arguments, &budget).unwrap_or_else(|why| panic!("{tool}: {why}"));
            let shown: String = answer.to_string().chars().take(300).collect();
            if let Some(failed) = answer.as_array().and_then(|list| list.iter().find(|entry| entry["ok"] == false)) {
                panic!("{tool}: {failed}");
            }
            (budget.steps(), shown)
        };
        let ((half_steps, _), (whole_steps, shown)) = (steps(&half), steps(&whole));
        let said: String = whole.to_string().chars().take(120).collect();
        println!("{tool} {half_steps} {whole_steps} {:?}", began.elapsed());
        assert!(
            whole_steps < half_steps * 22 / 10,
            "{tool} {said}: {half_steps} steps, doubled {whole_steps}: {shown}"
        );
    }
}

/// One clip of many notes, named again and again: it is read once.
#[test]
fn what_is_named_again_is_not_read_again() {
    let set = stage();
    let clips = |count: usize| json!({"path": list(count, |_| "t0/s0".to_owned()), "include": ["notes"]});
    let steps = |count: usize| {
        let budget = Budget::default();
        answer(&set, "svc-read-clip", &clips(count), &budget).expect("an answer");
        budget.steps()
    };
    let (one, ten) = (steps(1), steps(10));
    // What finds each target, and what plans the read, is done for each.
    assert!(ten < one * 4, "{one} steps for one, {ten} for ten");
}

type Spend = dyn Fn(&Budget) -> Result<(), UsedUp>;

/// Whatever the tool makes of it.
#[test]
fn what_is_used_up_ends_a_call() {
    let set = stage();
    let arguments = json!({"path": list(LONGEST, |at| format!("t0/s{at}")), "name": "X"});
    let used: [(&Spend, UsedUp); 3] = [
        (&|budget| (10..MAX_OBJECTS).try_for_each(|_| budget.spend_object()), UsedUp::Objects),
        (&|budget| budget.spend(MAX_STEPS - 10), UsedUp::Steps),
        (
            &|budget| {
                budget.abandon();
                Ok(())
            },
            UsedUp::Abandoned,
        ),
    ];
    for (spend, why) in used {
        let budget = Budget::default();
        spend(&budget).expect("within the budget");
        assert_eq!(answer(&set, "svc-update-clip", &arguments, &budget), Err(why.to_string()));
        assert_eq!(budget.used_up(), Some(why));
    }
}

/// The rest of the answer is there.
#[test]
fn a_picture_that_would_come_too_late_is_left_out() {
    let set = stage();
    let late = Instant::now().checked_sub(Duration::from_secs(90)).expect("this machine runs for longer");
    let budget = Budget::new(TimeLimit { started: late, timeout: Duration::from_secs(100) });
    assert!(budget.is_late() && budget.check().is_ok());
    let read = |budget: &Budget| answer(&set, "svc-read-clip", &json!({"path": "t0/s0", "include": ["image"]}), budget);
    assert!(read(&Budget::default()).expect("an answer")["image"].is_string());
    let entry = read(&budget).expect("an answer");
    assert_eq!((entry.get("image"), &entry["noteCount"]), (None, &json!(3)));
    assert!(entry["detail"].as_str().is_some_and(|detail| detail.contains("before the time ran out")), "{entry}");
}

/// Of what may have changed the Set the entries stay; a read is refused.
#[test]
fn an_answer_that_is_too_long_is_cut_down_or_refused() {
    let entries = |count: usize| -> Value {
        (0..count).map(|at| json!({"id": at.to_string(), "path": "t0", "notes": "x".repeat(1 << 20)})).collect()
    };
    let answer_of = |mut job: Box<dyn PreparedCall>| {
        let mut call = CallContext::default();
        apply(&mut *job, &mut SetState::alone(), &mut call).expect("it is applied");
        let answer = finish(job, &mut call);
        (answer.map(|answer| answer.result.into_value()), call.warnings)
    };
    let (answer, warnings) = answer_of(prepared(move |_, _| Ok(entries(17))));
    let answer = answer.expect("an answer");
    assert_eq!((answer.as_array().map(Vec::len), &answer[16]), (Some(17), &json!({"id": "16", "path": "t0"})));
    assert_eq!(answer[14], entries(15)[14], "what fits stays whole");
    assert!(
        matches!(warnings.as_slice(), [one] if one.contains("16 MB") && one.contains("last 2 entries")),
        "{warnings:?}"
    );
    let (answer, _) = answer_of(prepared_read(|_, _| Ok(()), move |(), _| Ok(entries(17).into()), |()| false));
    assert_eq!(answer, Err(UsedUp::AnswerBytes.into()));
    let (answer, warnings) = answer_of(prepared(move |_, _| Ok(entries(15))));
    assert_eq!((answer, warnings), (Ok(entries(15)), Vec::new()));
}

//! Reads are written as text at once where nobody looks into them: that text is the one that their value has.

use serde_json::{Value, json};
use std::sync::Arc;
use svc_device::music::Meter;
use svc_device::notation::Notation;
use svc_device::set::SetState;
use svc_device::tools;
use svc_device::tools::answer_text::{AnswerResult, Format, text_of};
use svc_device::tools::call::{CallContext, apply, finish};
use svc_device::tools::request::{CommittedSet, RequestContext};

struct Written {
    notation: Notation,
    json: bool,
    as_text: bool,
}

fn call(set: &mut SetState, tool: &str, args: &Value, written: &Written) -> AnswerResult {
    let view = RequestContext {
        notation: written.notation,
        small_model_mode: false,
        tools: Arc::new([]),
        device: Arc::default(),
        json: written.json,
        as_text: written.as_text,
        may_last: false,
        song_meter: Meter::default(),
        at_rest: CommittedSet(Arc::new(|| Box::new(SetState::alone()))),
        chosen_file: None,
        budget: Default::default(),
    };
    let name = tool;
    let tool = tools::registry::all().iter().find(|tool| tool.name == name).expect("a tool");
    let args = args.as_object().cloned().expect("arguments are an object");
    let mut context = CallContext::default();
    let mut job = tool.prepare(args, &view).unwrap_or_else(|why| panic!("{name}: {why}"));
    apply(&mut *job, set, &mut context).unwrap_or_else(|why| panic!("{name}: {why}"));
    finish(job, &mut context).unwrap_or_else(|why| panic!("{name}: {why}")).result
}

/// Clips of all kinds, on tracks of all kinds.
fn song() -> SetState {
    let mut set = SetState::alone();
    let plain = Written { notation: Notation::Barbeat, json: true, as_text: false };
    let mut ok = |tool: &str, args: Value| {
        call(&mut set, tool, &args, &plain);
    };
    ok("svc-create-track", json!({"path": "t+,t+"}));
    ok("svc-update-track", json!({"path": "t0", "name": "a \"quoted\" # name é", "pan": -0.25, "gainDb": -12.5}));
    ok("svc-create-device", json!({"path": "t0,t1,t1,mt", "device": "Drum Rack,Operator,Reverb,Limiter"}));
    let notes = "v90 n/8 C3 1|1,2,3,4\nv60-70 p0.5 n/16 D3 1|1x4@n/4\nG3 2|1";
    ok("svc-create-clip", json!({"path": "t0/s0,t0/s1,t1/s0", "notes": notes, "name": "loop"}));
    ok("svc-create-clip", json!({"path": "t1[1|1],t1[9|1]", "notes": "C3 1|1.333", "length": "2bar"}));
    set
}

#[test]
fn a_read_is_written_as_its_value_is() {
    let mut set = song();
    let tracks = "t0,t1,t2,t3,t4,rt0,rt1,mt,t0,t99,t99";
    let clips = "t0/s0,t0/s1,t0/s0,t1/s0,t1[1|1],t2/s7";
    let mut compared = 0;
    for (tool, path, words) in [
        ("svc-read-live-set", "", &["tracks", "scenes", "routings", "mixer", "color", "locators", "*"][..]),
        (
            "svc-read-track",
            tracks,
            &["session-clips", "notes", "devices", "drum-map", "available-routings", "mixer", "*"],
        ),
        ("svc-read-track", "t1", &["arrangement-clips", "timing", "*"]),
        ("svc-read-scene", "s0,s1,s0,s99", &["clips", "notes", "*"]),
        ("svc-read-clip", clips, &["notes", "timing", "color", "image", "*"]),
        (
            "svc-read-device",
            "t0/d0,t1/d0,t1/d1,t1/d0",
            &["params", "param-values", "chains", "options", "actions", "*"],
        ),
    ] {
        for include in words.iter().map(|word| json!([word])).chain([json!([]), json!(["notes", "session-clips"])]) {
            let mut args = json!({"include": include});
            if !path.is_empty() {
                args["path"] = path.into();
            }
            for (notation, json) in Notation::ALL.into_iter().flat_map(|notation| [(notation, true), (notation, false)])
            {
                let mut read = |as_text| call(&mut set, tool, &args, &Written { notation, json, as_text });
                let format = if json { Format::Json } else { Format::Compact };
                let AnswerResult::Value(value) = read(false) else { panic!("a value was asked for") };
                let text = read(true);
                // Pictures are taken out of a value.
                let is_text = matches!(text, AnswerResult::Text(_));
                assert_eq!(is_text, args["include"] != json!(["image"]), "{tool} {args}");
                assert_eq!(text.text(format), text_of(&value, format), "{tool} {args} in {notation:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

//! Tools applied to a Set without a server: what a deadline, a failing host or a property test needs to see.

use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use svc_device::music::Meter;
use svc_device::notation::Notation;
use svc_device::object_model::{ObjectId, ObjectModel};
use svc_device::set::SetState;
use svc_device::set::edit::validate::validate;
use svc_device::tools;
use svc_device::tools::address::model_read::{self, count, number};
use svc_device::tools::budget::{Budget, TimeLimit};
use svc_device::tools::call::CallContext;
use svc_device::tools::request::{CommittedSet, RequestContext};
use svc_device::tools::timeline::lane;
use svc_device::tools::timeline::lane_changes::LaneChanges;
use svc_device::tools::timeline::length::{WantedLength, set_length};

fn call() -> CallContext {
    CallContext::default()
}

/// A call in whose time nothing is to be begun any more.
fn late_call() -> CallContext {
    let limit = TimeLimit { started: Instant::now(), timeout: Duration::from_millis(50) };
    CallContext::new(Budget::new(limit))
}

/// Prepares a call and applies it to `set` itself, not to a copy: what a refusal leaves behind is seen.
fn apply(set: &mut SetState, tool: &str, args: Value, call: &mut CallContext) -> Result<Value, String> {
    let view = RequestContext {
        notation: Notation::Barbeat,
        small_model_mode: false,
        tools: Arc::new([]),
        device: Arc::default(),
        json: true,
        as_text: false,
        song_meter: Meter::default(),
        at_rest: CommittedSet(Arc::new(|| Box::new(SetState::alone()))),
        chosen_file: None,
        may_last: false,
        budget: Default::default(),
    };
    let Value::Object(args) = args else { panic!("arguments are an object") };
    let tool = tools::registry::all().iter().find(|t| t.name == tool).unwrap();
    let mut job = tool.prepare(args, &view).map_err(|error| error.to_string())?;
    job.apply(set, call).map_err(|error| error.to_string())?;
    job.finish(call).map(|answer| answer.result.into_value()).map_err(|error| error.to_string())
}

/// What is not begun in time is a skip that says to send it again.
#[test]
fn a_call_out_of_time_makes_nothing() {
    let mut set = SetState::alone();
    let args = json!({"path": "mt,rt0", "device": "Reverb,Delay"});
    let answer = apply(&mut set, "svc-create-device", args, &mut late_call()).unwrap();
    let late = json!({"path": "mt", "ok": false, "detail": tools::report::target_result::NOT_REACHED});
    assert_eq!(answer[0], late);
    let main = set.resolve("live_set master_track").unwrap().unwrap();
    assert_eq!(set.child_count(main, "devices"), Ok(0));
}

fn devices(set: &SetState, path: &str) -> Vec<String> {
    let holder = set.resolve(path).unwrap().unwrap();
    let all =
        (0..count(set, holder, "devices").unwrap()).map(|at| set.child_at(holder, "devices", at).unwrap().unwrap());
    all.map(|device| model_read::text(set, device, "name").unwrap()).collect()
}

fn insert(set: &mut SetState, onto: ObjectId, names: &[&str]) {
    for name in names {
        set.call(onto, "insert_device", &[(*name).into()]).unwrap();
    }
}

/// The server drops the copy of the Set that a refused call worked on; a host without copies keeps what the tool left.
#[test]
fn a_wrap_that_fails_puts_back_what_it_moved() {
    let names = ["Arpeggiator", "Pitch", "Operator", "Reverb", "Delay", "Echo"];
    let mut set = SetState::alone();
    let track = set.resolve("live_set tracks 0").unwrap().unwrap();
    insert(&mut set, track, &names);
    let made = set.document.next_serial;
    let args = json!({"path": "t0/d5,t0/d2,t0/d0,t0/d3", "wrapInRack": true, "toPath": "t2/d+"});
    let error = apply(&mut set, "svc-update-device", args, &mut call()).unwrap_err();
    assert!(error.contains("audio effects only") && error.ends_with("it was undone"), "{error}");
    assert!(set.document.next_serial > made + 2, "a track, a rack and a chain were made");
    assert_eq!(devices(&set, "live_set tracks 0"), names);
    let song = set.resolve("live_set").unwrap().unwrap();
    assert_eq!(count(&set, song, "tracks"), Ok(4));
}

/// The new rack stands among the devices that stayed when the second of its own does not fit into it.
#[test]
fn a_rack_that_was_filled_half_is_emptied_again() {
    let mut set = SetState::alone();
    let track = set.resolve("live_set tracks 2").unwrap().unwrap();
    let names = ["Reverb", "Delay", "Audio Effect Rack", "Redux"];
    insert(&mut set, track, &names);
    // As deep as racks go: one more around it is too many.
    let mut rack = set.child_at(track, "devices", 2).unwrap().unwrap();
    for _ in 1..svc_device::set::document::device_tree::MAX_RACK_DEPTH {
        let chain = set.call(rack, "insert_chain", &[]).unwrap().as_object().unwrap();
        rack = set.call(chain, "insert_device", &["Audio Effect Rack".into()]).unwrap().as_object().unwrap();
    }
    let made = set.document.next_serial;
    let args = json!({"path": "t2/d0,t2/d2", "wrapInRack": true});
    let error = apply(&mut set, "svc-update-device", args, &mut call()).unwrap_err();
    assert!(error.contains("deep in one another") && error.ends_with("it was undone"), "{error}");
    assert_eq!(set.document.next_serial, made + 2, "a rack and its chain were made");
    assert_eq!(devices(&set, "live_set tracks 2"), names);
}

/// Where in its content a looped clip is, so many whole beats after it began.
fn content(start_marker: f64, (from, to): (f64, f64), beats: u32) -> f64 {
    let mut at = start_marker;
    for _ in 0..beats {
        let inside = at < to;
        at += 1.0;
        if inside && at >= to {
            at = from + (at - to);
        }
    }
    at
}

proptest! {
    /// However it is tiled, what is heard is the loop going on, without a gap, and nothing is left beside it.
    #[test]
    fn a_lengthened_loop_sounds_as_if_it_had_always_been_long(
        start in 0u32..6, loop_from in 0u32..4, turn in 1u32..7, marker in 0u32..10, length in 1u32..12, wanted in 1u32..40,
    ) {
        let mut set = SetState::alone();
        let track = set.resolve("live_set tracks 0").unwrap().unwrap();
        let place = [f64::from(start).into(), f64::from(length).into()];
        let clip = set.call(track, "create_midi_clip", &place).unwrap().as_object().unwrap();
        let region = (f64::from(loop_from), f64::from(loop_from + turn));
        set.set(clip, "looping", true.into()).unwrap();
        // The end first: the loop is never inside out.
        set.set(clip, "loop_end", (region.1 + 40.0).into()).unwrap();
        set.set(clip, "loop_start", region.0.into()).unwrap();
        set.set(clip, "loop_end", region.1.into()).unwrap();
        set.set(clip, "end_marker", 60.0.into()).unwrap();
        set.set(clip, "start_marker", f64::from(marker).into()).unwrap();
        let wanted_length = WantedLength { length: f64::from(wanted), repeats_region: false };
        let done = set_length(&mut set, &call(), clip, wanted_length, &mut LaneChanges::default()).unwrap();
        prop_assert!(done.landed && done.details.is_empty(), "{:?}", done);
        let lane = lane::within(&set, track, 0.0, 1e6).unwrap();
        prop_assert_eq!(lane.len(), done.tiles.len() + 1);
        prop_assert!(done.tiles.len() <= usize::try_from(wanted / turn.max(length)).unwrap() + 1, "no splinters");
        for beat in 0..wanted {
            let moment = f64::from(start + beat);
            let here = lane.iter().find(|clip| clip.start <= moment && moment < clip.end);
            let here = here.expect("no gap");
            let member = |name| number(&set, here.id, name).unwrap();
            let since = (moment - here.start) as u32;
            let heard = content(member("start_marker"), (member("loop_start"), member("loop_end")), since);
            prop_assert_eq!(heard, content(f64::from(marker), region, beat), "beat {}", beat);
        }
        prop_assert_eq!(lane.last().map(|clip| clip.end), Some(f64::from(start + wanted)));
        prop_assert_eq!(validate(&set.document), Ok(()));
    }
}

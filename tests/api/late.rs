//! Values that land at the end of a call, as a running Live shows them a tick later.

use crate::support::Api;
use serde_json::{Value, json};

fn set(property: &str, value: Value) -> Value {
    json!({"type": "set", "property": property, "value": value})
}

fn get(property: &str) -> Value {
    json!({"type": "get", "property": property})
}

fn call(method: &str) -> Value {
    json!({"type": "call", "method": method})
}

#[test]
fn the_transport_and_the_loop_land_at_the_end_of_the_call() {
    let api = Api::raw_enabled();
    let song = "live_set";
    let results =
        api.raw(song, json!([set("loop", json!(1)), get("loop"), set("loop_start", json!(4)), get("loop_start")]));
    assert_eq!((&results[1], &results[3]), (&json!([0]), &json!([4])), "loop is late, loop_start is not");
    assert_eq!(api.get(song, "loop"), json!([1]));
    let results = api.raw(
        song,
        json!([set("current_song_time", json!(6)), get("current_song_time"), call("get_current_beats_song_time")]),
    );
    assert_eq!((&results[1], &results[2]), (&json!([0]), &json!(["001.01.01.000"])));
    api.wait_for(song, "current_song_time", json!([6]));
    assert_eq!(api.call(song, "get_current_beats_song_time", json!([])), json!(["002.03.01.000"]));
    let results = api.raw(song, json!([set("is_playing", json!(1)), get("is_playing")]));
    assert_eq!(results[1], json!([0]));
    assert_eq!(api.get(song, "is_playing"), json!([1]));
    let results = api.raw(song, json!([call("stop_playing"), get("is_playing")]));
    assert_eq!(results[1], json!([1]), "what a function did to the transport is seen a tick later, too");
    api.wait_for(song, "is_playing", json!([0]));
    // Wrong values never wait.
    api.raw(song, json!([set("loop", json!("on")), set("current_song_time", json!(-1))]));
    assert_eq!(api.get(song, "loop"), json!([1]));
}

#[test]
fn a_late_write_belongs_to_its_step() {
    let api = Api::raw_enabled();
    let song = "live_set";
    api.raw(song, json!([set("loop", json!(1)), set("tempo", json!(99))]));
    assert_eq!((api.get(song, "loop"), api.get(song, "tempo")), (json!([1]), json!([99])));
    api.call(song, "undo", json!([]));
    assert_eq!((api.get(song, "loop"), api.get(song, "tempo")), (json!([0]), json!([120])));
    assert_eq!(api.get(song, "can_undo"), json!([0]));
    // An undo in the same call first closes the step with what waits.
    let results = api.raw(song, json!([set("loop", json!(1)), call("undo"), get("loop"), call("redo"), get("loop")]));
    assert_eq!((&results[2], &results[4]), (&json!([0]), &json!([1])));
    assert_eq!(api.get(song, "loop"), json!([1]));
}

#[test]
fn two_stops_in_a_row_go_back_to_the_start() {
    let api = Api::raw_enabled();
    let song = "live_set";
    api.set(song, "start_time", json!(8));
    api.call(song, "start_playing", json!([]));
    api.wait_for(song, "is_playing", json!([1]));
    assert!(api.get(song, "current_song_time")[0].as_f64().is_some_and(|at| at >= 8.0), "it starts at start_time");
    // The start marker moves; the playhead does not.
    api.set(song, "start_time", json!(100));
    assert!(api.get(song, "current_song_time")[0].as_f64().is_some_and(|at| at < 100.0));
    api.call(song, "start_playing", json!([]));
    assert!(api.get(song, "current_song_time")[0].as_f64().is_some_and(|at| at >= 100.0), "also while it plays");
    api.call(song, "stop_playing", json!([]));
    api.wait_for(song, "is_playing", json!([0]));
    let stood = api.get(song, "current_song_time");
    assert_eq!((api.get(song, "start_time"), stood != json!([0])), (json!([100]), true));
    // Continues where it stood.
    api.call(song, "continue_playing", json!([]));
    assert!(api.get(song, "current_song_time")[0].as_f64() >= stood[0].as_f64());
    api.raw(song, json!([call("stop_playing"), call("stop_playing")]));
    api.wait_for(song, "current_song_time", json!([0]));
    assert_eq!((api.get(song, "start_time"), api.get(song, "is_playing")), (json!([0]), json!([0])));
}

#[test]
fn orders_of_one_call_do_not_eat_each_other() {
    let api = Api::raw_enabled();
    let song = "live_set";
    api.raw(song, json!([set("current_song_time", json!(16)), call("start_playing")]));
    api.wait_for(song, "is_playing", json!([1]));
    assert!(api.get(song, "current_song_time")[0].as_f64().is_some_and(|at| at >= 16.0));
    api.raw(song, json!([call("stop_playing"), set("current_song_time", json!(2))]));
    api.wait_for(song, "current_song_time", json!([2]));
    assert_eq!(api.get(song, "is_playing"), json!([0]));
    api.raw(song, json!([call("continue_playing"), set("current_song_time", json!(32))]));
    api.wait_for(song, "is_playing", json!([1]));
    assert!(api.get(song, "current_song_time")[0].as_f64().is_some_and(|at| at >= 32.0));
}

/// Switches that are pressed are no part of the Set and make no step; one switch with two names is one.
#[test]
fn switches_of_the_transport() {
    let api = Api::raw_enabled();
    for member in ["nudge_up", "nudge_down", "record_mode", "session_record"] {
        assert_eq!(api.set("live_set", member, json!(1)), json!([1]), "{member}");
    }
    assert_eq!(api.get("live_set", "session_record_status"), json!([1]));
    assert_eq!(api.get("live_set", "can_undo"), json!([0]));
    assert_eq!(api.set("live_set", "overdub", json!(1)), json!([1]));
    assert_eq!(api.get("live_set", "arrangement_overdub"), json!([1]));
    api.set("live_set", "arrangement_overdub", json!(0));
    assert_eq!(api.get("live_set", "overdub"), json!([0]));
}

/// What only Python reaches in Live is unknown to the raw tool and open to the others.
#[test]
fn members_of_pythons_are_for_the_tools() {
    use svc_device::object_model::{ObjectModel, Value as Model};
    use svc_device::set::model::SetState;
    let mut set = SetState::alone();
    let object = |set: &SetState, path: &str| set.resolve(path).unwrap().expect("it is there");
    let (song, track, app) = (object(&set, "live_set"), object(&set, "live_set tracks 0"), object(&set, "live_app"));
    for id in [song, track] {
        let entry = [Model::from("key"), Model::Ints(vec![1, 2])];
        assert_eq!(set.call(id, "get_data", &["key".into(), 7.into()]), Ok(Model::Int(7)), "the default");
        assert_eq!(set.call(id, "set_data", &entry), Ok(Model::Nothing));
        assert_eq!(set.call(id, "get_data", &["key".into(), 7.into()]), Ok(Model::Ints(vec![1, 2])));
        assert_eq!(set.call(id, "get_data", &["other".into(), 7.into()]), Ok(Model::Int(7)));
    }
    assert_eq!(set.call(app, "get_variant", &[]), Ok("Suite".into()));
    assert_eq!(set.call(app, "has_option", &["x".into()]), Ok(false.into()));
    assert_eq!(set.get(app, "unavailable_features"), Ok(Model::Texts(Vec::new())));
    assert!(set.get(app, "browser").is_err_and(|e| e.to_string().contains("running Live")));
    assert!(set.call(app, "show_message", &["x".into()]).is_err());
    // Steps of their own inside one call.
    set.begin_step("test");
    for tempo in [90.0, 100.0] {
        set.call(song, "begin_undo_step", &[]).expect("it begins");
        set.set(song, "tempo", tempo.into()).expect("a tempo");
        set.call(song, "end_undo_step", &[]).expect("it ends");
    }
    // Tools see at once what they wrote.
    set.set(song, "loop", true.into()).expect("a switch");
    assert_eq!(set.get(song, "loop"), Ok(true.into()));
    set.end_step();
    for tempo in [100.0, 90.0] {
        assert_eq!(set.get(song, "tempo"), Ok(tempo.into()));
        assert!(set.undo());
        if tempo == 100.0 {
            assert_eq!(set.get(song, "loop"), Ok(false.into()));
            assert!(set.undo());
        }
    }
}

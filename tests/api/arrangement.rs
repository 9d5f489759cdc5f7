//! The Arrangement through the raw tool: what covers what, what changes a clip's length, locators, audio clips and
//! warping, and undo of each.

use crate::support::Api;
use serde_json::{Value, json};

const TRACK: &str = "live_set tracks 0";
const AUDIO: &str = "live_set tracks 2";
const CLIP: &str = "live_set tracks 0 arrangement_clips 0";
const SOUND: &str = "live_set tracks 2 arrangement_clips 0";

fn file(name: &str) -> String {
    format!("{}/tests/fixtures/audio/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Start and end of each clip of a lane.
fn spans(api: &Api, lane: &str) -> Vec<(f64, f64)> {
    let count =
        api.raw(lane, json!([{"type": "getcount", "property": "arrangement_clips"}]))[0].as_u64().expect("a count");
    let number =
        |at: u64, name: &str| api.get(&format!("{lane} arrangement_clips {at}"), name)[0].as_f64().expect("a number");
    (0..count).map(|at| (number(at, "start_time"), number(at, "end_time"))).collect()
}

fn new_id(answer: &Value) -> String {
    assert_eq!(answer[0], "id", "{answer}");
    format!("id {}", answer[1])
}

/// Does something, undoes and redoes it: the Set is as before, and as after.
fn undone(api: &Api, path: &str, operation: Value) -> Value {
    let before = api.kept();
    let answer = api.raw(path, json!([operation])).remove(0);
    let after = api.kept();
    assert!(!after.same_as(&before), "{path} {operation} changes something");
    api.call("live_set", "undo", json!([]));
    assert!(api.kept().same_as(&before), "{path} {operation} undone");
    api.call("live_set", "redo", json!([]));
    assert!(api.kept().same_as(&after), "{path} {operation} redone");
    answer
}

#[test]
fn a_clip_laid_into_another_splits_it_and_ids_stay() {
    let api = Api::raw_enabled();
    let long = new_id(&api.call(TRACK, "create_midi_clip", json!([0, 16])));
    api.call(CLIP, "add_new_notes", json!([{"notes": [{"pitch": 60, "start_time": 9, "duration": 1}]}]));
    let short = new_id(&api.call(TRACK, "create_midi_clip", json!([4, 4])));
    assert_eq!(spans(&api, TRACK), [(0.0, 4.0), (4.0, 8.0), (8.0, 16.0)]);
    assert_eq!(api.raw_call(&long, json!([{"type": "exists"}]))["path"], CLIP);
    assert_eq!(api.raw_call(&short, json!([{"type": "exists"}]))["path"], "live_set tracks 0 arrangement_clips 1");
    let tail = format!("id {}", api.id("live_set tracks 0 arrangement_clips 2"));
    assert!(tail != long && tail != short);
    // It goes on where the whole clip would have been.
    assert_eq!(api.get(&tail, "start_marker"), json!([8]));
    let notes = api.call(&tail, "get_all_notes_extended", json!([]));
    assert!(notes[0].as_str().expect("JSON").contains("\"start_time\":9"), "{notes}");
    // Covering the tail alone: it is gone, and its id with it.
    api.call(TRACK, "create_midi_clip", json!([8, 10]));
    assert_eq!(spans(&api, TRACK), [(0.0, 4.0), (4.0, 8.0), (8.0, 18.0)]);
    assert_eq!(api.raw(&tail, json!([{"type": "exists"}])), [json!(false)]);
    // A clip laid over itself.
    let copy = new_id(&api.call(TRACK, "duplicate_clip_to_arrangement", json!([long, 2])));
    assert_eq!(spans(&api, TRACK), [(0.0, 2.0), (2.0, 6.0), (6.0, 8.0), (8.0, 18.0)]);
    assert_eq!(api.raw_call(&copy, json!([{"type": "exists"}]))["path"], "live_set tracks 0 arrangement_clips 1");
    // Nothing of this touched a take lane, nor does a take lane touch the track.
    api.call(TRACK, "create_take_lane", json!([]));
    let lane = "live_set tracks 0 take_lanes 0";
    assert_eq!(api.get(lane, "name"), json!(["Take Lane 1"]));
    let in_lane = new_id(&api.call(lane, "create_midi_clip", json!([1, 4])));
    api.call(lane, "create_midi_clip", json!([3, 4]));
    assert_eq!(spans(&api, lane), [(1.0, 3.0), (3.0, 7.0)]);
    assert_eq!(spans(&api, TRACK).len(), 4);
    assert_eq!(
        api.raw_call(&in_lane, json!([{"type": "exists"}]))["path"],
        "live_set tracks 0 take_lanes 0 arrangement_clips 0"
    );
    assert_eq!(api.get(&in_lane, "canonical_parent"), json!(["id", api.id(lane).parse::<u64>().expect("digits")]));
}

#[test]
fn what_changes_a_clips_length_on_the_timeline() {
    let api = Api::raw_enabled();
    api.call(TRACK, "create_midi_clip", json!([4, 8]));
    api.call(TRACK, "create_midi_clip", json!([20, 4]));
    // Looped: nothing does.
    for (member, value) in
        [("loop_end", 4.0), ("loop_start", 1.0), ("position", 2.0), ("start_marker", 1.0), ("end_marker", 20.0)]
    {
        api.set(CLIP, member, json!(value));
        assert_eq!(spans(&api, TRACK)[0], (4.0, 12.0), "{member}");
    }
    // Unlooped, the region is what is on the timeline.
    api.set(CLIP, "looping", json!(0));
    assert_eq!(spans(&api, TRACK)[0], (4.0, 12.0));
    assert_eq!((api.get(CLIP, "loop_start"), api.get(CLIP, "loop_end")), (json!([1]), json!([9])));
    api.set(CLIP, "loop_end", json!(5));
    assert_eq!(spans(&api, TRACK)[0], (4.0, 8.0));
    api.set(CLIP, "loop_start", json!(3));
    assert_eq!((api.get(CLIP, "loop_end"), spans(&api, TRACK)[0]), (json!([7]), (4.0, 8.0)), "it slips");
    assert_eq!(api.set(CLIP, "loop_start", json!(7)), json!([3]), "not past the end");
    // Growing, it goes over what follows.
    api.set(CLIP, "loop_end", json!(21));
    assert_eq!(spans(&api, TRACK), [(4.0, 22.0), (22.0, 24.0)]);
    assert_eq!(api.get("live_set tracks 0 arrangement_clips 1", "start_marker"), json!([2]));
    // The doubled loop is longer too.
    api.set(CLIP, "loop_end", json!(5));
    api.call(CLIP, "duplicate_loop", json!([]));
    assert_eq!(spans(&api, TRACK)[0], (4.0, 8.0));
    // Looping on again: the brace as it was.
    api.set(CLIP, "looping", json!(1));
    assert_eq!((api.get(CLIP, "loop_start"), api.get(CLIP, "loop_end")), (json!([2]), json!([5])));
    assert_eq!(spans(&api, TRACK)[0], (4.0, 8.0));
}

#[test]
fn audio_clips_are_as_long_as_their_files() {
    let api = Api::raw_enabled();
    api.set("live_set", "tempo", json!(60));
    for (name, frames, rate) in [("half.wav", 11_025, 22_050), ("half.flac", 4_000, 8_000), ("half.ogg", 4_000, 8_000)]
    {
        let clip = new_id(&api.call(AUDIO, "create_audio_clip", json!([file(name), 4])));
        let read = |member: &str| api.get(&clip, member)[0].clone();
        assert_eq!((read("sample_length"), read("sample_rate")), (json!(frames), json!(rate)), "{name}");
        assert_eq!((read("start_time"), read("end_time")), (json!(4), json!(4.5)), "{name}: half a second");
        assert_eq!((read("name"), read("file_path")), (json!("half"), json!(file(name))));
        assert_eq!(read("gain_display_string"), "0.00 dB");
    }
    assert_eq!(spans(&api, AUDIO), [(4.0, 4.5)], "each took the place of the one before");
    for (gain, shown) in [(1.0, "24.00 dB"), (0.0, "-inf dB"), (0.5, "4.00 dB")] {
        api.set(SOUND, "gain", json!(gain));
        assert_eq!(api.get(SOUND, "gain_display_string"), json!([shown]));
    }
    assert_eq!(api.set(SOUND, "warp_mode", json!(5)), json!([0]), "REX cannot be chosen");
    // Through the wrapper's own call, as another spelling of the same.
    let answer = api.raw(
        AUDIO,
        json!([{"type": "call_method", "method": "call", "args": ["create_audio_clip", file("half.aiff"), 8]}]),
    );
    assert_eq!(answer[0][0], "id", "{answer:?}");
    // Into a slot, and from there onto the timeline.
    let slot = new_id(&api.call("live_set tracks 2 clip_slots 3", "create_audio_clip", json!([file("half.wav")])));
    assert_eq!(api.get(&slot, "end_time"), json!([0.5]));
    let copy = new_id(&api.call(AUDIO, "duplicate_clip_to_arrangement", json!([slot, 100])));
    assert_eq!(api.get(&copy, "end_time"), json!([100.5]));
}

#[test]
fn warping_lands_with_the_end_of_the_call_and_turns_the_clips_times() {
    let api = Api::raw_enabled();
    api.call(AUDIO, "create_audio_clip", json!([file("half.wav"), 0]));
    let markers = |at: usize| {
        let text = api.get(SOUND, "warp_markers")[0].as_str().expect("JSON").to_owned();
        let all: Value = serde_json::from_str(&text).expect("JSON");
        let marker = &all["warp_markers"][at];
        (marker["beat_time"].as_f64(), marker["sample_time"].as_f64())
    };
    assert_eq!(
        (markers(0), markers(1), markers(2)),
        ((Some(0.0), Some(0.0)), (Some(0.03125), Some(0.015625)), (None, None))
    );
    // The file's end at beat 2: it goes half as fast.
    api.call(SOUND, "add_warp_marker", json!([{"beat_time": 2, "sample_time": 0.5}]));
    assert_eq!(markers(1), (Some(2.0), Some(0.5)));
    api.set(SOUND, "loop_end", json!(2));
    assert_eq!(spans(&api, AUDIO), [(0.0, 2.0)]);
    api.set(SOUND, "warping", json!(0));
    let read = |member: &str| api.get(SOUND, member)[0].clone();
    assert_eq!((read("warping"), read("looping")), (json!(0), json!(0)));
    assert_eq!((read("loop_start"), read("loop_end"), read("end_marker")), (json!(0), json!(0.5), json!(2)));
    assert_eq!(spans(&api, AUDIO), [(0.0, 1.0)], "half a second is a beat");
    assert_eq!(api.set(SOUND, "loop_end", json!(0.6)), json!([0.5]), "the file has no more");
    api.set(SOUND, "loop_end", json!(0.25));
    assert_eq!((spans(&api, AUDIO), read("length")), (vec![(0.0, 0.5)], json!(0.25)));
    assert_eq!(api.call(SOUND, "add_warp_marker", json!([{"beat_time": 1}])), json!(1), "it is not warped");
    api.set(SOUND, "looping", json!(1));
    assert_eq!((read("warping"), read("looping")), (json!(1), json!(1)), "looping turns warping on");
    assert_eq!((read("loop_start"), read("loop_end")), (json!(0), json!(1)), "in beats again");
    api.call(SOUND, "move_warp_marker", json!([2, -1]));
    assert_eq!(markers(1).0, Some(1.0));
    api.call(SOUND, "remove_warp_marker", json!([1]));
    assert_eq!(markers(1), (Some(0.03125), Some(0.015625)), "at the tempo of the last");
}

#[test]
fn locators_are_set_found_and_taken_away() {
    let api = Api::raw_enabled();
    let song = "live_set";
    let go = |to: Value| {
        api.set(song, "current_song_time", to.clone());
        api.wait_for(song, "current_song_time", json!([to]));
    };
    let cues = || -> Vec<(Value, Value)> {
        let count =
            api.raw(song, json!([{"type": "getcount", "property": "cue_points"}]))[0].as_u64().expect("a count");
        let path = |at: u64| format!("live_set cue_points {at}");
        (0..count).map(|at| (api.get(&path(at), "time")[0].clone(), api.get(&path(at), "name")[0].clone())).collect()
    };
    let can = || (api.get(song, "can_jump_to_prev_cue")[0].clone(), api.get(song, "can_jump_to_next_cue")[0].clone());
    for at in [16, 4, 8] {
        go(json!(at));
        undone(&api, song, json!({"type": "call", "method": "set_or_delete_cue"}));
        assert_eq!(api.call(song, "is_cue_point_selected", json!([])), json!([1]));
    }
    assert_eq!(cues(), [(json!(4), json!(2)), (json!(8), json!(3)), (json!(16), json!(1))], "in order of time");
    assert_eq!(can(), (json!(1), json!(1)));
    api.call(song, "jump_to_next_cue", json!([]));
    api.wait_for(song, "current_song_time", json!([16]));
    assert_eq!(can(), (json!(1), json!(0)));
    api.call(song, "jump_to_next_cue", json!([]));
    assert_eq!(api.get(song, "current_song_time"), json!([16]), "there is none");
    api.call(song, "jump_to_prev_cue", json!([]));
    api.wait_for(song, "current_song_time", json!([8]));
    let middle = format!("id {}", api.id("live_set cue_points 1"));
    undone(&api, &middle, json!({"type": "set", "property": "name", "value": "Drop"}));
    go(json!(0.5));
    assert_eq!(api.call(song, "is_cue_point_selected", json!([])), json!([0]));
    assert_eq!(can(), (json!(0), json!(1)));
    api.call(&middle, "jump", json!([]));
    api.wait_for(song, "current_song_time", json!([8]));
    undone(&api, song, json!({"type": "call", "method": "set_or_delete_cue"}));
    assert_eq!(cues(), [(json!(4), json!(2)), (json!(16), json!(1))]);
    assert_eq!(api.raw(&middle, json!([{"type": "exists"}])), [json!(false)]);
    // The number that became free is the next one's.
    api.call(song, "set_or_delete_cue", json!([]));
    assert_eq!(cues()[1], (json!(8), json!(3)));
    api.call(song, "jump_by", json!([3.5]));
    api.wait_for(song, "current_song_time", json!([11.5]));
    api.call(song, "scrub_by", json!([-100]));
    api.wait_for(song, "current_song_time", json!([0]));
}

#[test]
fn every_change_of_the_timeline_is_undone_exactly() {
    let api = Api::raw_enabled();
    let call = |method: &str, args: Value| json!({"type": "call", "method": method, "args": args});
    let set = |property: &str, value: Value| json!({"type": "set", "property": property, "value": value});
    undone(&api, TRACK, call("create_midi_clip", json!([0, 16])));
    undone(&api, TRACK, call("create_midi_clip", json!([4, 4])));
    undone(&api, CLIP, set("looping", json!(0)));
    undone(&api, CLIP, set("loop_end", json!(10)));
    undone(&api, CLIP, call("add_new_notes", json!([{"notes": [{"pitch": 60, "start_time": 0, "duration": 1}]}])));
    undone(&api, CLIP, call("duplicate_loop", json!([])));
    undone(&api, CLIP, call("crop", json!([])));
    undone(&api, TRACK, call("create_take_lane", json!([])));
    undone(&api, "live_set tracks 0 take_lanes 0", call("create_midi_clip", json!([0, 4])));
    undone(&api, "live_set tracks 0 take_lanes 0", set("name", json!("Solo")));
    let clip = format!("id {}", api.id(CLIP));
    undone(&api, TRACK, call("duplicate_clip_to_arrangement", json!([clip, 6])));
    undone(&api, TRACK, call("delete_clip", json!([clip])));
    undone(&api, "live_set", call("duplicate_track", json!([0])));
    undone(&api, "live_set", call("delete_track", json!([1])));
    undone(&api, AUDIO, call("create_audio_clip", json!([file("half.wav"), 0])));
    undone(&api, SOUND, set("warping", json!(0)));
    undone(&api, SOUND, set("looping", json!(1)));
    undone(&api, SOUND, call("add_warp_marker", json!([{"beat_time": 0.5}])));
    undone(&api, SOUND, set("pitch_fine", json!(-50)));
    undone(&api, "live_set tracks 2 clip_slots 0", call("create_audio_clip", json!([file("half.mp3")])));
    let sound = format!("id {}", api.id("live_set tracks 2 clip_slots 0 clip"));
    undone(&api, AUDIO, call("duplicate_clip_to_arrangement", json!([sound, 8])));
    // What was saved is a Set that loads.
    let saved = api.saved();
    api.device.load_state(&saved);
    assert_eq!(api.saved(), saved);
}

#[test]
fn a_note_without_velocity_is_not_kept() {
    let api = Api::raw_enabled();
    api.call(TRACK, "create_midi_clip", json!([0, 16]));
    let notes = json!([{"notes": [
        {"pitch": 60, "start_time": 0, "duration": 1, "velocity": 0},
        {"pitch": 61, "start_time": 0, "duration": 1, "velocity": 1},
    ]}]);
    assert_eq!(api.call(CLIP, "add_new_notes", notes).as_array().map(Vec::len), Some(1));
    let id =
        api.call(CLIP, "add_new_notes", json!([{"notes": [{"pitch": 62, "start_time": 0, "duration": 1}]}]))[0].clone();
    api.call(CLIP, "apply_note_modifications", json!([{"notes": [{"note_id": id, "velocity": 0}]}]));
    let notes = api.call(CLIP, "get_notes", json!([0, 0, 16, 128]));
    assert_eq!(notes[1], "1", "{notes}");
}

#[test]
fn nothing_is_made_of_a_file_that_cannot_be_read() {
    let api = Api::raw_enabled();
    for path in ["/no/such.wav".to_owned(), "half.wav".to_owned(), file("../../../Cargo.toml"), file("")] {
        assert_eq!(api.call(AUDIO, "create_audio_clip", json!([path, 0])), json!(1), "{path}");
        assert_eq!(api.call("live_set tracks 2 clip_slots 0", "create_audio_clip", json!([path])), json!(1), "{path}");
    }
    assert_eq!(spans(&api, AUDIO), []);
}

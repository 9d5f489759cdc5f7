//! The class table, walked: every property of every object of a Set reads with its shape and its starting value, and
//! every writable one reads back what was written.
//!
//! The expectations below are written by hand from what Live documents, not taken from the product's own table. A line is
//! `name shape start [write [back]]`: shapes are b (0 or 1), i (whole number), n (number), t (text, which arrives as a
//! number when it is all digits), d (JSON text of a dictionary), I and T (lists of numbers and texts), - (this object has
//! no such member); `?` is any value of the shape. `back` is what reads after the write where that is not what was
//! written: each such line says why.

use crate::support::Api;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SONG: &str = "
arrangement_overdub b 0 1
back_to_arranger b 0 1 0        # only 0 acts
can_capture_midi b 0
can_jump_to_next_cue b 0
can_jump_to_prev_cue b 0
can_redo b 0
can_undo b 1
clip_trigger_quantization i 4 0
count_in_duration i 0
current_song_time n 0 8 ?       # lands with the next block of audio
exclusive_arm b ?
exclusive_solo b ?
file_path t \"\"
groove_amount n 1 0.5
is_ableton_link_enabled b 0 1
is_ableton_link_start_stop_sync_enabled b 0 1
is_counting_in b 0
is_playing b 0 1 ?              # lands with the next block of audio
last_event_time n ?
loop b 0 1
loop_length n 16 4
loop_start n 8 2.5
metronome b 0 1
midi_recording_quantization i 0 8
name t \"\"
nudge_down b 0 1
nudge_up b 0 1
tempo_follower_enabled b 0 1
overdub b 0 1
punch_in b 0 1
punch_out b 0 1
re_enable_automation_enabled b 0
record_mode b 0 1
root_note i 0 11
scale_intervals I ?
scale_mode b 0 1
scale_name t \"Major\" \"Minor\"
select_on_launch b ?
session_automation_record b 0 1
session_record b 0 1
session_record_status i 0
signature_denominator i 4 16
signature_numerator i 4 99
song_length n ?
start_time n 0 4
swing_amount n 0 0.25
tempo n 120 96.5
cue_points I []
nonsense - 1
begin_undo_step - 1
";

const SONG_VIEW: &str = "
draw_mode b 0 1
follow_song b ? 1
";

const APPLICATION: &str = "
current_dialog_button_count i 0
current_dialog_message t \"\"
open_dialog_count i 0
average_process_usage n ?
peak_process_usage n ?
browser - 1
unavailable_features - 1
";

/// What every track has; a kind's own lines come first and win.
const TRACK: &str = "
arm b 0 1
available_input_routing_channels d ?
available_input_routing_types d ?
available_output_routing_channels d ?
available_output_routing_types d ?
back_to_arranger b 0 1 0        # only 0 acts
can_be_armed b 1
can_be_frozen b ?
can_show_chains b 0
color i ? 15029152
color_index i ? 3
fired_slot_index i -1
fold_state - 1
has_audio_input b ?
has_audio_output b ?
has_midi_input b ?
has_midi_output b ?
implicit_arm b 0 1
input_meter_left n 0
input_meter_level n 0
input_meter_right n 0
is_foldable b 0
is_frozen b 0
is_grouped b 0
is_part_of_selection b ?
is_showing_chains b 0 1
is_visible b 1
mute b 0 1
muted_via_solo b 0
name t ? \"Keys\"
output_meter_left n 0
output_meter_level n 0
output_meter_right n 0
performance_impact n ?
input_routing_channel d ?
input_routing_type d ?
output_routing_channel d ?
output_routing_type d ?
playing_slot_index i -1
solo b 0 1
current_monitoring_state i 1 2
current_input_routing t ?
current_input_sub_routing t ?
current_output_routing t ?
current_output_sub_routing t ?
input_routings T ?
input_sub_routings T ?
output_routings T ?
output_sub_routings T ?
";

const MIDI_TRACK: &str = "
has_midi_input b 1
has_midi_output b 1
has_audio_input b 0
has_audio_output b 0
name t \"1-MIDI\" \"Keys\"
";

const AUDIO_TRACK: &str = "
has_midi_input b 0
has_midi_output b 0
has_audio_input b 1
has_audio_output b 1
name t \"3-Audio\" \"Keys\"
";

const RETURN_TRACK: &str = "
arm - 1
implicit_arm - 1
can_be_armed b 0
current_monitoring_state - 1
available_input_routing_channels - 1
available_input_routing_types - 1
input_routing_channel - 1
input_routing_type - 1
playing_slot_index - 1
fired_slot_index - 1
has_midi_input b 0
current_input_routing - 1
current_input_sub_routing - 1
input_routings - 1
input_sub_routings - 1
name t \"A-Reverb\" \"Room\"
";

const MAIN_TRACK: &str = "
arm - 1
implicit_arm - 1
can_be_armed b 0
current_monitoring_state - 1
available_input_routing_channels - 1
available_input_routing_types - 1
available_output_routing_channels - 1
available_output_routing_types - 1
input_routing_channel - 1
input_routing_type - 1
output_routing_channel - 1
output_routing_type - 1
playing_slot_index - 1
fired_slot_index - 1
mute - 1
muted_via_solo - 1
solo - 1
current_input_routing - 1
current_input_sub_routing - 1
input_routings - 1
input_sub_routings - 1
current_output_routing - 1
current_output_sub_routing - 1
output_routings - 1
output_sub_routings - 1
name t \"Main\" \"Out\"
";

const TRACK_VIEW: &str = "
device_insert_mode i 0 2
is_collapsed b 0 1
";

const MIXER: &str = "
crossfade_assign i 1 0
panning_mode i 0 1
";

const MAIN_MIXER: &str = "
crossfade_assign - 1
panning_mode i 0 1
";

const SLOT: &str = "
color - 1
color_index - 1
controls_other_clips b 0
has_clip b 1
has_stop_button b 1 0
is_group_slot b 0
is_playing b 0
is_recording b 0
is_triggered b 0
playing_status i 0
will_record_on_start b 0
";

const CLIP: &str = "
available_warp_modes - 1
color i ? 15029152
color_index i ? 3
end_marker n 8 7
end_time n 8
gain - 1
gain_display_string - 1
file_path - 1
has_envelopes b 0
has_groove b 0
is_session_clip - 1
is_arrangement_clip b 0
is_take_lane_clip - 1
is_audio_clip b 0
is_midi_clip b 1
is_overdubbing b 0
is_playing b 0 1 ?              # lands with the next block of audio
is_recording b 0
is_triggered b 0
launch_mode i 0 3
launch_quantization i 0 14
legato b 0 1
length n 8
loop_end n 8 6
loop_jump - 1
loop_start n 0 2
looping b 1 0
muted b 0 1
name t \"Beat\" \"Other\"
notes - 1
warp_markers - 1
pitch_coarse - 1
pitch_fine - 1
playing_position n 0
playing_status - 1
position n 0 1
ram_mode - 1
sample_length - 1
sample_rate - 1
signature_denominator i 4 8
signature_numerator i 4 3
start_marker n 0 1
start_time n 0
velocity_amount n ? 0.5
warp_mode - 1
warping - 1
will_record_on_start b 0
automation_envelopes - 1
";

const CLIP_VIEW: &str = "
grid_is_triplet b 0 1
grid_quantization i ? 5
";

const SCENE: &str = "
color - 1 15029152 15029152     # a scene without colour takes one
color_index - 1 3 3             # the same
is_empty b 0
is_triggered b 0
name t \"\" \"Intro\"
tempo n -1 90
tempo_enabled b 0 1
time_signature_numerator i -1 7
time_signature_denominator i -1 8
time_signature_enabled b 0 1
";

const DEVICE: &str = "
can_have_chains b 0
can_have_drum_pads b 0
class_display_name t \"Reverb\"
class_name t \"Reverb\"
is_active b 1
name t \"Reverb\" \"Room\"
type i 2
latency_in_samples i 0
latency_in_ms n 0
can_compare_ab b 1
is_using_compare_preset_b b 0 1
";

const DEVICE_VIEW: &str = "
is_collapsed b 0 1
";

const CONTINUOUS: &str = "
automation_state i 0
default_value n ?
is_enabled b 1
is_quantized b 0
max n ?
min n ?
name t ?
original_name t ?
state i 0
value n ? 0.5
display_value n ?
value_items - 1
short_value_items - 1
";

const SWITCH: &str = "
automation_state i 0
default_value - 1
is_enabled b 1
is_quantized b 1
max n 1
min n 0
name t ?
original_name t ?
state i 0
value n 1 0
display_value n ?
value_items T ?
short_value_items - 1
";

/// Path, class as `type` says it, the object's own lines, lines for the rest of its class.
const OBJECTS: &[(&str, &str, &str, &str)] = &[
    ("live_set", "Song", SONG, ""),
    ("live_set view", "View", SONG_VIEW, ""),
    ("live_app", "Application", APPLICATION, ""),
    ("live_set tracks 0", "Track", MIDI_TRACK, TRACK),
    ("live_set tracks 2", "Track", AUDIO_TRACK, TRACK),
    ("live_set return_tracks 0", "Track", RETURN_TRACK, TRACK),
    ("live_set master_track", "Track", MAIN_TRACK, TRACK),
    ("live_set tracks 0 view", "View", TRACK_VIEW, ""),
    ("live_set tracks 0 mixer_device", "MixerDevice", MIXER, ""),
    ("live_set return_tracks 1 mixer_device", "MixerDevice", MIXER, ""),
    ("live_set master_track mixer_device", "MixerDevice", MAIN_MIXER, ""),
    ("live_set tracks 0 clip_slots 0", "ClipSlot", SLOT, ""),
    ("live_set tracks 0 clip_slots 0 clip", "Clip", CLIP, ""),
    ("live_set tracks 0 clip_slots 0 clip view", "View", CLIP_VIEW, ""),
    ("live_set scenes 0", "Scene", SCENE, ""),
    ("live_set return_tracks 0 devices 0", "Device", DEVICE, ""),
    ("live_set return_tracks 0 devices 0 view", "View", DEVICE_VIEW, ""),
    ("live_set tracks 0 mixer_device volume", "DeviceParameter", CONTINUOUS, ""),
    ("live_set tracks 0 mixer_device panning", "DeviceParameter", CONTINUOUS, ""),
    ("live_set tracks 0 mixer_device left_split_stereo", "DeviceParameter", CONTINUOUS, ""),
    ("live_set tracks 0 mixer_device right_split_stereo", "DeviceParameter", CONTINUOUS, ""),
    ("live_set tracks 0 mixer_device sends 1", "DeviceParameter", CONTINUOUS, ""),
    ("live_set tracks 0 mixer_device track_activator", "DeviceParameter", SWITCH, ""),
    ("live_set return_tracks 1 mixer_device sends 0", "DeviceParameter", CONTINUOUS, ""),
    ("live_set master_track mixer_device crossfader", "DeviceParameter", CONTINUOUS, ""),
    ("live_set master_track mixer_device cue_volume", "DeviceParameter", CONTINUOUS, ""),
    ("live_set return_tracks 0 devices 0 parameters 0", "DeviceParameter", SWITCH, ""),
];

fn new_set() -> Api {
    let api = Api::raw_enabled();
    api.ok("svc-create-clip", json!({"path": "t0/s0", "name": "Beat", "length": "2bar"}));
    api
}

struct Line {
    name: &'static str,
    shape: &'static str,
    start: Option<Value>,
    write: Option<Value>,
    /// `None`: not looked at.
    back: Option<Value>,
}

fn lines(own: &'static str, rest: &'static str) -> Vec<Line> {
    let mut seen = BTreeSet::new();
    let all = own.lines().chain(rest.lines()).map(|line| line.split('#').next().unwrap_or_default());
    all.filter_map(|line| {
        let mut words = line.split_whitespace();
        let (name, shape) = (words.next()?, words.next().expect("a shape"));
        let mut value =
            || words.next().map(|word| if word == "?" { None } else { Some(serde_json::from_str(word).expect(word)) });
        let (start, write, back) = (value().expect("a start"), value().flatten(), value());
        seen.insert(name).then(|| Line { name, shape, start, back: back.unwrap_or_else(|| write.clone()), write })
    })
    .collect()
}

/// `get` answers a list for everything that is there; this unwraps it and checks it against the shape.
fn fits(shape: &str, answer: &Value) -> Result<Value, String> {
    let list = answer.as_array();
    let one = || list.filter(|l| l.len() == 1).and_then(|l| l.first());
    let fine = match shape {
        "-" => return if *answer == 1 { Ok(json!(1)) } else { Err(format!("{answer} is an answer")) },
        "b" => one().is_some_and(|v| *v == 0 || *v == 1),
        "i" => one().is_some_and(Value::is_i64),
        "n" => one().is_some_and(Value::is_number),
        "t" => one().is_some_and(|v| v.is_string() || v.is_u64()),
        "d" => one()
            .and_then(Value::as_str)
            .and_then(|t| serde_json::from_str::<Value>(t).ok())
            .is_some_and(|v| v.is_object()),
        "I" => list.is_some_and(|l| l.iter().all(Value::is_number)),
        "T" => list.is_some_and(|l| l.iter().all(Value::is_string)),
        other => panic!("{other} is no shape"),
    };
    match (fine, shape) {
        (false, _) => Err(format!("{answer} is no {shape}")),
        (true, "I" | "T") => Ok(answer.clone()),
        (true, _) => Ok(answer[0].clone()),
    }
}

#[test]
fn every_property_reads_with_its_shape_and_start() {
    let api = new_set();
    let mut wrong = Vec::new();
    for (path, class, own, rest) in OBJECTS {
        let kind = api.raw(path, json!([{"type": "get_property", "property": "type"}])).remove(0);
        assert_eq!(kind, *class, "{path}");
        for line in lines(own, rest) {
            match (fits(line.shape, &api.get(path, line.name)), &line.start) {
                (Err(why), _) => wrong.push(format!("{path} {}: {why}", line.name)),
                (Ok(got), Some(start)) if got != *start => {
                    wrong.push(format!("{path} {}: {got}, not {start}", line.name))
                }
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_writable_property_reads_back() {
    let mut wrong = Vec::new();
    for (path, _, own, rest) in OBJECTS {
        for line in lines(own, rest) {
            let Some(value) = line.write else { continue };
            // A Set of its own for each, so that no write hides behind another.
            let api = new_set();
            let got = api.set(path, line.name, value.clone());
            if line.back.as_ref().is_some_and(|back| got != json!([back])) {
                wrong.push(format!("{path} {} = {value}: reads {got}", line.name));
            }
            // Saved and loaded, it is still there.
            let saved = api.saved();
            api.device.load_state(&saved);
            if line.back.is_some() && line.name != "start_time" && !path.ends_with("view") {
                let after = api.get(path, line.name);
                if after != got {
                    wrong.push(format!("{path} {} = {value}: {after} after loading", line.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_not_writable_is_not_written() {
    let api = new_set();
    let before = api.saved();
    let mut wrong = Vec::new();
    for (path, _, own, rest) in OBJECTS {
        for line in lines(own, rest).into_iter().filter(|line| line.write.is_none()) {
            // Of the right type, where the type takes it.
            for value in [json!(1), json!("x"), json!([1, 2])] {
                let writable_elsewhere = ["routing", "value", "display_value"].iter().any(|w| line.name.contains(w));
                if !writable_elsewhere {
                    api.set(path, line.name, value.clone());
                    if api.saved() != before {
                        wrong.push(format!("{path} {} = {value}", line.name));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Walks down from the Set and the application through every child that `info` lists, and reads all there is.
#[test]
fn every_live_object_reads_whole() {
    let api = new_set();
    let before = api.saved();
    let mut queue = vec!["live_set".to_owned(), "live_app".to_owned()];
    let mut seen = BTreeSet::new();
    let mut properties_read = 0;
    while let Some(path) = queue.pop() {
        let id = api.id(&path);
        if !seen.insert(id.clone()) {
            continue;
        }
        // The default devices have dozens of parameters each, all of one make.
        if seen.len() > 40 && path.contains("parameters") {
            continue;
        }
        let info = api.raw(&path, json!([{"type": "info"}])).remove(0);
        let info = info.as_str().expect("a text").to_owned();
        let named: Vec<(String, String)> = info
            .lines()
            .filter_map(|line| line.split_once(' '))
            .map(|(section, rest)| (section.to_owned(), rest.split(' ').next().unwrap_or_default().to_owned()))
            .collect();
        let properties: Vec<&String> = named.iter().filter(|(s, _)| s == "property").map(|(_, n)| n).collect();
        for chunk in properties.chunks(50) {
            let operations: Vec<Value> = chunk.iter().map(|name| json!({"type": "get", "property": name})).collect();
            for (name, got) in chunk.iter().zip(api.raw(&path, json!(operations))) {
                assert!(got.is_array(), "{path} {name}: {got}");
                properties_read += 1;
            }
        }
        for (section, child) in named.iter().filter(|(s, _)| s.starts_with("child")) {
            let ids = api.raw(
                &path,
                json!([{"type": "getChildIds", "property": child}, {"type": "getcount", "property": child}]),
            );
            let list = ids[0].as_array().expect("a list");
            assert_eq!(json!(list.len()), ids[1], "{path} {section} {child}");
            for id in list {
                let id = id.as_str().expect("an id");
                let found = api.raw_call(id, json!([{"type": "exists"}]));
                assert_eq!(found["results"][0]["result"], true, "{path} {child} {id}");
                let own = found["path"].as_str().expect("a path");
                assert_eq!(format!("id {}", api.id(own)), id, "{own} leads back to it");
                queue.push(own.to_owned());
            }
        }
    }
    assert!(seen.len() > 100 && properties_read > 1000, "{} objects, {properties_read} properties", seen.len());
    assert_eq!(api.saved(), before, "reading changes nothing");
}

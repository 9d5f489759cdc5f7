//! Simpler, A/B compare, modulation, routing into devices, and members that only Python reaches.

use super::Bench;
use crate::object_model::audio::{AudioFacts, AudioFiles};
use crate::object_model::{HostEdits, ObjectModel, Value};
use crate::set::document::Document;
use serde_json::json;

const DEVICE: &str = "live_set tracks 0 devices 0";
const SAMPLE: &str = "live_set tracks 0 devices 0 sample";

fn with(device: &str) -> Bench {
    let mut bench = Bench::new();
    bench.made("live_set tracks 0", "insert_device", &[device.into()]);
    bench
}

/// Two seconds of sound.
fn loaded() -> Bench {
    let mut bench = with("Simpler");
    assert!(bench.0.resolve(SAMPLE).unwrap().is_none());
    let unseen = bench.call(DEVICE, "replace_sample", &["/a.wav".into()]);
    assert!(unseen.unwrap_err().contains("nobody looked"));
    let facts = AudioFacts { frames: 88_200, sample_rate_hz: 44_100.0, channels: 2, tempo_bpm: None };
    let files = [("/a.wav".to_owned(), Ok(facts)), ("/b.wav".to_owned(), Err("there is no such file".to_owned()))];
    bench.0.know_files(AudioFiles::from_iter(files));
    assert!(bench.call(DEVICE, "replace_sample", &["/b.wav".into()]).unwrap_err().contains("no such file"));
    bench.call(DEVICE, "replace_sample", &["/a.wav".into()]).unwrap();
    bench
}

#[test]
fn a_sample_is_warped_by_its_region() {
    let mut bench = loaded();
    assert_eq!(bench.call(DEVICE, "guess_playback_length", &[]), Ok(4.0.into()));
    bench.call(DEVICE, "warp_as", &[8.into()]).unwrap();
    assert_eq!(bench.get(SAMPLE, "warping"), true.into());
    let near = |bench: &mut Bench, function: &str, from: i64, to: f64| {
        let got = bench.call(SAMPLE, function, &[from.into()]).unwrap().as_f64().unwrap();
        assert!((got - to).abs() < 1e-6, "{function} {from}: {got}");
    };
    near(&mut bench, "sample_to_beat_time", 44_100, 4.0);
    bench.call(DEVICE, "warp_double", &[]).unwrap();
    near(&mut bench, "beat_to_sample_time", 4, 88_200.0);
    bench.call(DEVICE, "warp_half", &[]).unwrap();
    near(&mut bench, "beat_to_sample_time", 4, 44_100.0);
    for function in ["crop", "reverse"] {
        assert!(bench.call(DEVICE, function, &[]).unwrap_err().contains("running Live"), "{function}");
    }
    bench.set(SAMPLE, "gain", 0.5).unwrap();
    assert_eq!(bench.call(SAMPLE, "gain_display_string", &[]), Ok("4.00 dB".into()));
}

#[test]
fn slices_follow_their_style_and_the_view_points_at_one() {
    let mut bench = loaded();
    bench.set(SAMPLE, "slicing_style", 2).unwrap();
    bench.set(SAMPLE, "slicing_region_count", 4).unwrap();
    assert_eq!(bench.get(SAMPLE, "slices"), Value::Ints(vec![0, 22_050, 44_100, 66_150]));
    assert_eq!(bench.call(SAMPLE, "move_slice", &[22_050.into(), 30_000.into()]), Ok(30_000.into()));
    assert_eq!(bench.get(SAMPLE, "slices"), Value::Ints(vec![0, 30_000, 44_100, 66_150]));
    let view = format!("{DEVICE} view");
    bench.set(&view, "selected_slice", 30_000).unwrap();
    assert!(bench.set(&view, "selected_slice", 22_050).is_err());
    assert_eq!(bench.get(&view, "selected_slice"), 30_000.into());
    bench.call(SAMPLE, "reset_slices", &[]).unwrap();
    assert_eq!(bench.get(&view, "selected_slice"), 0.into(), "that slice is gone");
    bench.set(SAMPLE, "end_marker", 44_100).unwrap();
    assert_eq!(bench.get(SAMPLE, "slices"), Value::Ints(vec![0, 11_025, 22_050, 33_075]));
    assert_eq!(bench.get(&view, "sample_end"), 44_100.into());
    assert_eq!(bench.get(&view, "sample_loop_start"), 0.into());
}

#[test]
fn the_two_presets_of_a_device_swap() {
    let mut bench = loaded();
    let volume =
        bench.0.document.tracks.get(0).unwrap().devices[0].specs().iter().position(|s| s.name == "Volume").unwrap();
    let volume = format!("{DEVICE} parameters {volume}");
    let b = |bench: &mut Bench, on: bool| bench.set(DEVICE, "is_using_compare_preset_b", on).unwrap();
    bench.set(&volume, "value", -6.0).unwrap();
    b(&mut bench, true);
    assert_eq!(bench.get(&volume, "value"), (-6.0).into(), "they were the same");
    bench.set(&volume, "value", 3.0).unwrap();
    bench.set(DEVICE, "playback_mode", 2).unwrap();
    bench.set(SAMPLE, "gain", 1.0).unwrap();
    b(&mut bench, false);
    let state =
        |bench: &Bench| (bench.get(&volume, "value"), bench.get(DEVICE, "playback_mode"), bench.get(SAMPLE, "gain"));
    assert_eq!(state(&bench), ((-6.0).into(), 0.into(), 0.4.into()));
    b(&mut bench, true);
    assert_eq!(state(&bench), (3.0.into(), 2.into(), 1.0.into()));
    bench.call(DEVICE, "save_preset_to_compare_ab_slot", &[]).unwrap();
    b(&mut bench, false);
    assert_eq!(state(&bench), (3.0.into(), 2.into(), 1.0.into()), "both are B now");
    let text = crate::set::edit::saved_set::save(&bench.0.document);
    assert_eq!(crate::set::edit::saved_set::load(&text).unwrap().document, bench.0.document);
}

#[test]
fn the_modulation_matrix_grows_by_parameters_of_the_device() {
    let mut bench = with("Wavetable");
    let parameter = |b: &Bench, at: usize| Value::from(b.at(&format!("{DEVICE} parameters {at}")));
    let (on, pos, gain) = (parameter(&bench, 0), parameter(&bench, 4), parameter(&bench, 8));
    assert_eq!(bench.call(DEVICE, "is_parameter_modulatable", std::slice::from_ref(&on)), Ok(false.into()));
    assert_eq!(bench.call(DEVICE, "is_parameter_modulatable", std::slice::from_ref(&pos)), Ok(true.into()));
    assert!(bench.call(DEVICE, "add_parameter_to_modulation_matrix", &[on]).is_err());
    let foreign = Value::from(bench.at("live_set return_tracks 0 devices 0 parameters 4"));
    assert!(bench.call(DEVICE, "add_parameter_to_modulation_matrix", &[foreign]).is_err());
    for (parameter, row) in [(&pos, 0), (&gain, 1), (&pos, 0)] {
        let got = bench.call(DEVICE, "add_parameter_to_modulation_matrix", std::slice::from_ref(parameter));
        assert_eq!(got, Ok(row.into()));
    }
    bench.call(DEVICE, "set_modulation_value", &[1.into(), 12.into(), (-0.25).into()]).unwrap();
    assert_eq!(bench.call(DEVICE, "get_modulation_value", &[1.into(), 12.into()]), Ok((-0.25).into()));
    assert_eq!(bench.call(DEVICE, "get_modulation_value", &[0.into(), 12.into()]), Ok(0.0.into()));
    assert_eq!(bench.call(DEVICE, "get_modulation_target_parameter_name", &[1.into()]), Ok("Osc 1 Gain".into()));
    let names = bench.get(DEVICE, "visible_modulation_target_names");
    assert_eq!(names, Value::Texts(vec!["Osc 1 Pos".to_owned(), "Osc 1 Gain".to_owned()]));
}

#[test]
fn a_side_chain_listens_to_tracks_that_sound() {
    let mut bench = Bench::new();
    let id = bench.made("live_set tracks 2", "insert_device", &["Compressor".into()]);
    let path = bench.path(id);
    let list = |b: &Bench, member: &str| {
        let Value::Struct(json) = b.get(&path, member) else { panic!("{member}") };
        let names = json[member].as_array().unwrap().iter().map(|e| e["display_name"].as_str().unwrap().to_owned());
        names.collect::<Vec<_>>().join(", ")
    };
    let types = "available_input_routing_types";
    assert_eq!(list(&bench, types), "No Input, Ext. In, 3-Audio, 4-Audio, A-Reverb, B-Delay");
    bench.made("live_set tracks 0", "insert_device", &["Operator".into()]);
    assert_eq!(list(&bench, types), "No Input, Ext. In, 1-MIDI, 3-Audio, 4-Audio, A-Reverb, B-Delay");
    let Value::Struct(json) = bench.get(&path, types) else { panic!() };
    let entry = json[types][2].clone();
    bench.set(&path, "input_routing_type", Value::Struct(json!({"input_routing_type": entry}))).unwrap();
    assert_eq!(list(&bench, "available_input_routing_channels"), "Pre FX, Post FX, Post Mixer");
    bench.set(&path, "input_routing_channel", Value::Struct(json!({"identifier": 2}))).unwrap();
    let now = bench.get(&path, "input_routing_channel");
    assert_eq!(now, Value::Struct(json!({"input_routing_channel": {"display_name": "Post Mixer", "identifier": 2}})));
    assert!(bench.set(&path, "input_routing_channel", Value::Struct(json!({"identifier": 3}))).is_err());
    assert!(bench.set(&path, "input_routing_type", Value::Struct(json!({"identifier": 77}))).is_err());
    // Without its instrument the track is no source to choose, and a source that was chosen stays.
    bench.call("live_set tracks 0", "delete_device", &[0.into()]).unwrap();
    let now = bench.get(&path, "input_routing_type");
    let Value::Struct(now) = now else { panic!() };
    assert_eq!(now["input_routing_type"]["display_name"], "1-MIDI");
    assert_eq!(list(&bench, types), "No Input, Ext. In, 1-MIDI, 3-Audio, 4-Audio, A-Reverb, B-Delay");
}

/// Members that only Python reaches are there for tools.
#[test]
fn tools_reach_what_python_reaches() {
    let mut bench = with("CC Control");
    let Value::Texts(targets) = bench.get(DEVICE, "custom_float_target_11_list") else { panic!() };
    bench.set(DEVICE, "custom_float_target_11", i64::try_from(targets.len()).unwrap() - 1).unwrap();
    assert!(bench.set(DEVICE, "custom_float_target_11", i64::try_from(targets.len()).unwrap()).is_err());
    assert_eq!(bench.call(DEVICE, "resend", &[]), Ok(Value::Nothing));
    let mut bench = with("Simpler");
    assert_eq!(bench.get(DEVICE, "pitch_bend_range"), 5.into());
    bench.set(DEVICE, "note_pitch_bend_range", 24).unwrap();
    assert!(bench.set(DEVICE, "note_pitch_bend_range", 49).is_err());
    let mut bench = Bench::new();
    for device in ["Shifter", "Spectral Resonator"] {
        bench.made("live_set tracks 2", "insert_device", &[device.into()]);
    }
    let texts = |list: &[&str]| Value::Texts(list.iter().map(|t| (*t).to_owned()).collect());
    assert_eq!(bench.get("live_set tracks 2 devices 0", "pitch_mode_list"), texts(&["internal", "MIDI"]));
    assert_eq!(
        bench.get("live_set tracks 2 devices 1", "mod_mode_list"),
        texts(&["none", "chorus", "wander", "granular"])
    );
}

#[test]
fn plug_ins_of_a_document_tell_what_it_says_of_them() {
    let mut bench = with("Operator");
    bench.0.document.edit_track(bench.0.document.tracks.get(0).unwrap().serial, |track| {
        let device = std::sync::Arc::make_mut(&mut track.devices[0]);
        device.class_name = "PluginDevice".to_owned();
        device.values.clear();
        device.stored.insert("parameter_names".to_owned(), json!(["A", "B", "C"]));
    });
    let names = |b: &mut Bench, args: &[Value]| b.call(DEVICE, "get_parameter_names", args).unwrap();
    let texts = |list: &[&str]| Value::Texts(list.iter().map(|t| (*t).to_owned()).collect());
    assert_eq!(names(&mut bench, &[]), texts(&["A", "B", "C"]));
    assert_eq!(names(&mut bench, &[1.into(), 2.into()]), texts(&["B"]));
    assert_eq!(names(&mut bench, &[5.into(), 2.into()]), texts(&[]));
    bench.set(DEVICE, "is_editor_open", true).unwrap();
    assert_eq!(bench.get(DEVICE, "is_editor_open"), true.into());
    let before: Document = bench.0.document.clone();
    assert!(bench.call(DEVICE, "save_preset_to_compare_ab_slot", &[]).is_err());
    assert!(before.same_as(&bench.0.document));
}

//! That each element is read into its place, and that none is passed over without a word.

use super::*;
use crate::object_model::EnvelopePoint;
use crate::set::document::Track;
use crate::set::document::ids::IdParts;
use serde_json::{Value as Json, json};
use std::path::Path;

/// Places in the document as it is saved, and what stands there: of the Set, its tracks and scenes.
fn of_the_set() -> Vec<(String, Json)> {
    let table = [
        ("/song/tempo_bpm", json!(133.5)),
        ("/song/signature", json!({"numerator": 7, "denominator": 8})),
        ("/song/tempo_points", json!([{"time": 0.0, "bpm": 133.5}, {"time": 16.0, "bpm": 140.0}])),
        (
            "/song/meter_changes",
            json!([
                {"time": 0.0, "signature": {"numerator": 7, "denominator": 8}},
                {"time": 32.0, "signature": {"numerator": 4, "denominator": 4}}
            ]),
        ),
        ("/tracks/1/stored/frozen_in_file", json!(true)),
        (
            "/scenes/0/follow_action",
            json!({"time": 16.0, "passes": 1, "choices": [{"action": 4, "chance": 100}, {"action": 0, "chance": 0}]}),
        ),
        ("/grooves/0/notes/list/0/start", json!(0.3)),
        ("/song/launch_quantization", json!(7)),
        ("/song/root_note", json!(9)),
        ("/song/scale_name", json!("Dorian")),
        ("/song/scale_mode", json!(true)),
        ("/song/loop_on", json!(true)),
        ("/song/loop_start", json!(12.0)),
        ("/song/loop_length", json!(20.0)),
        ("/tracks/0/kind", json!("group")),
        ("/tracks/0/name", json!("Band & Co")),
        ("/tracks/0/color", json!(12)),
        ("/tracks/0/stored/fold_state", json!(1)),
        ("/tracks/0/mute", json!(true)),
        ("/tracks/0/solo", json!(true)),
        ("/tracks/0/mixer/sends", json!([0.85, 0.0])),
        ("/tracks/0/mixer/volume", json!(0.85)),
        ("/tracks/1/kind", json!("midi")),
        ("/tracks/1/name", json!("#-Operator")),
        ("/tracks/1/color", json!(33)),
        ("/tracks/1/arm", json!(true)),
        ("/tracks/1/midi_channel", json!(0)),
        ("/tracks/1/delay", json!({"samples": -441})),
        ("/tracks/1/stored/current_monitoring_state", json!(2)),
        ("/tracks/1/mixer/volume", json!(0.625)),
        ("/tracks/1/mixer/panning", json!(-0.25)),
        ("/tracks/1/mixer/split_stereo", json!(true)),
        ("/tracks/1/mixer/left_split", json!(-0.5)),
        ("/tracks/1/mixer/right_split", json!(0.75)),
        ("/tracks/1/mixer/crossfade_assign", json!(2)),
        ("/tracks/2/kind", json!("audio")),
        ("/tracks/2/name", json!("Take")),
        ("/tracks/2/color", json!(69)),
        ("/tracks/2/delay", json!({"milliseconds": 5.25})),
        ("/returns/0/name", json!("Plate")),
        ("/returns/0/color", json!(21)),
        ("/returns/1/name", json!("Echo")),
        ("/main/color", json!(44)),
        ("/main/mixer/volume", json!(1.0)),
        ("/main/mixer/crossfader", json!(-0.5)),
        ("/main/mixer/cue_volume", json!(0.55)),
        ("/scenes/0/name", json!("Intro")),
        ("/scenes/0/color", json!(3)),
        ("/scenes/0/tempo_bpm", json!(90.5)),
        ("/scenes/0/signature", json!({"numerator": 5, "denominator": 4})),
        ("/scenes/1/name", json!("Verse")),
        ("/song/stored/groove_amount", json!(0.5)),
        ("/grooves/0/stored/name", json!("Swing 16-71")),
        ("/grooves/0/stored/base", json!(3)),
        ("/grooves/0/stored/quantization_amount", json!(20.0)),
        ("/grooves/0/stored/timing_amount", json!(90.0)),
        ("/grooves/0/stored/random_amount", json!(5.0)),
        ("/grooves/0/stored/velocity_amount", json!(-40.0)),
        ("/tracks/1/stored/input_routing_type", json!(4)),
        ("/tracks/1/take_lanes/0/name", json!("Second try")),
        ("/tracks/1/take_lanes/0/clips/0/start", json!(40.0)),
        ("/tracks/1/take_lanes/0/clips/0/end", json!(42.0)),
        ("/tracks/2/stored/input_routing_type", json!(4)),
        ("/tracks/2/take_lanes/0/name", json!("First try")),
        ("/tracks/2/take_lanes/0/clips/0/start", json!(48.0)),
        ("/tracks/2/take_lanes/0/clips/0/end", json!(49.0)),
        ("/tracks/2/take_lanes/0/clips/0/clip/loop_end", json!(0.5)),
        ("/cue_points/0/name", json!("Verse")),
        ("/cue_points/0/time", json!(8.0)),
        ("/cue_points/1/name", json!("Chorus")),
        ("/cue_points/1/time", json!(32.0)),
    ];
    table.into_iter().map(|(place, value)| (place.to_owned(), value)).collect()
}

/// The same of each clip, below the place of the clip.
fn of_clips() -> Vec<(String, Json)> {
    let (riff, phrase) = ("/tracks/1/session/0/clip", "/tracks/1/arrangement/0");
    let (take, shot) = ("/tracks/2/session/0/clip/content/audio", "/tracks/2/arrangement/0");
    let table = [
        (riff, "/name", json!("Riff")),
        (riff, "/color", json!(5)),
        (riff, "/signature", json!({"numerator": 7, "denominator": 8})),
        (riff, "/looping", json!(true)),
        (riff, "/loop_start", json!(2.0)),
        (riff, "/loop_end", json!(6.0)),
        (riff, "/start_marker", json!(1.0)),
        (riff, "/end_marker", json!(7.0)),
        (riff, "/muted", json!(true)),
        (riff, "/launch_mode", json!(2)),
        (riff, "/launch_quantization", json!(6)),
        (riff, "/legato", json!(true)),
        (riff, "/stored/velocity_amount", json!(0.25)),
        (
            riff,
            "/follow_action",
            json!({"time": 8.0, "linked": true, "passes": 2,
                "choices": [{"action": 4, "chance": 3}, {"action": 9, "chance": 1, "jump_to": 5}]}),
        ),
        (
            riff,
            "/expression",
            // Of the note at 3.25.
            json!([{"note": 3, "controller": -2, "points": [
                {"offset": 0.25, "value": 170.5, "bend": [0.25, 0.75, 0.5, 0.5]},
                {"offset": 0.5, "value": 0.0},
            ]}]),
        ),
        (riff, "/content/midi/list/2/id", json!(3)),
        (riff, "/content/midi/list/0/pitch", json!(61)),
        (riff, "/content/midi/list/0/start", json!(2.0)),
        (riff, "/content/midi/list/0/duration", json!(0.5)),
        (riff, "/content/midi/list/0/velocity", json!(96.5)),
        (riff, "/content/midi/list/0/velocity_deviation", json!(-12.0)),
        (riff, "/content/midi/list/0/probability", json!(0.75)),
        (riff, "/content/midi/list/0/mute", json!(true)),
        (riff, "/content/midi/list/0/release_velocity", json!(30.0)),
        (riff, "/content/midi/list/1/pitch", json!(127)),
        (riff, "/content/midi/list/1/velocity", json!(1.0)),
        (riff, "/content/midi/list/2/start", json!(3.25)),
        (phrase, "/start", json!(16.0)),
        (phrase, "/end", json!(19.0)),
        (phrase, "/clip/looping", json!(false)),
        (phrase, "/clip/loop_start", json!(2.0)),
        (phrase, "/clip/loop_end", json!(3.0)),
        (phrase, "/clip/start_marker", json!(1.0)),
        (phrase, "/clip/end_marker", json!(4.0)),
        (phrase, "/clip/content/midi/list/0/pitch", json!(0)),
        (take, "/file_path", json!("/nowhere/Gone.wav")),
        (take, "/sample_length", json!(96_000)),
        (take, "/sample_rate_hz", json!(48_000.0)),
        (take, "/gain", json!(0.5)),
        (take, "/pitch_coarse", json!(-7)),
        (take, "/pitch_fine", json!(12.5)),
        (take, "/warping", json!(true)),
        (take, "/warp_mode", json!(4)),
        (take, "/ram_mode", json!(true)),
        (
            take,
            "/fades",
            json!({
                "on": true,
                "fade_in": {"length": 1.5, "skew": -0.5, "slope": 0.25},
                "fade_out": {"length": 0.5, "skew": 0.5, "slope": -0.25},
                "crossfade": 1,
            }),
        ),
        (take, "/warp_markers/0", json!({"beat_time": 0.0, "sample_time_seconds": 0.5})),
        (take, "/warp_markers/1", json!({"beat_time": 4.0, "sample_time_seconds": 2.5})),
        (shot, "/start", json!(4.5)),
        (shot, "/end", json!(6.5)),
        (shot, "/clip/loop_start", json!(0.25)),
        (shot, "/clip/loop_end", json!(1.25)),
        (shot, "/clip/start_marker", json!(0.375)),
        (shot, "/clip/content/audio/warping", json!(false)),
        (shot, "/clip/content/audio/gain", json!(0.4)),
        (shot, "/clip/content/audio/sample_length", json!(11_025)),
        (shot, "/clip/content/audio/sample_rate_hz", json!(22_050.0)),
    ];
    table.into_iter().map(|(clip, place, value)| (format!("{clip}{place}"), value)).collect()
}

/// The same of devices, below the device.
fn of_devices() -> Vec<(String, Json)> {
    let device = |at: usize, place: &str| format!("/tracks/1/devices/{at}{place}");
    let (chain, simpler, wet) = ("/rack/chains/0", "/rack/chains/0/devices/0", "/rack/chains/0/devices/1");
    let range = |low: u8, high: u8, fade_low: u8, fade_high: u8| json!({"low": low, "high": high, "fade_low": fade_low, "fade_high": fade_high});
    let mut variation = vec![json!(0.0); 16];
    (variation[0], variation[1], variation[2]) = (json!(69.5), json!(127.0), json!(64.0));
    let table = [
        (0, "", "/class_name", json!("MidiPitcher")),
        (0, "", "/name", json!("Down")),
        (0, "", "/values/0", json!(0.0)),
        (0, "", "/values/1", json!(-12.0)),
        (1, "", "/class_name", json!("DrumGroupDevice")),
        (1, "", "/values/3", json!(64.0)),
        (1, "", "/rack/visible_macros", json!(4)),
        (1, "", "/rack/macro_names", json!({"2": "Level"})),
        (1, "", "/rack/mappings/0/macro_index", json!(2)),
        (1, "", "/rack/mappings/0/parameter", json!(20)),
        (1, "", "/rack/mappings/0/at_0", json!(-24.0)),
        (1, "", "/rack/mappings/0/at_127", json!(12.0)),
        (1, "", "/rack/mappings/0/excluded_from_chance", json!(true)),
        (1, "", "/rack/return_chains/0/name", json!("Room")),
        (1, chain, "/name", json!("Kick")),
        (1, chain, "/color", json!(7)),
        (1, chain, "/auto_colored", json!(true)),
        (1, chain, "/mute", json!(true)),
        (1, chain, "/solo", json!(true)),
        (1, chain, "/volume", json!(0.7)),
        (1, chain, "/panning", json!(-0.5)),
        (1, chain, "/sends", json!([1.0])),
        (1, chain, "/in_note", json!(36)),
        (1, chain, "/out_note", json!(61)),
        (1, chain, "/choke_group", json!(3)),
        (1, chain, "/zones/selector", range(0, 9, 0, 9)),
        (1, "", "/rack/variations", json!([variation])),
        (1, simpler, "/class_name", json!("OriginalSimpler")),
        (1, simpler, "/values/20", json!(-6.0)),
        (1, simpler, "/stored", json!({"playback_mode": 1, "retrigger": true})),
        (1, simpler, "/sample/sample_rate_hz", json!(22_050.0)),
        (1, simpler, "/sample/start_marker", json!(100)),
        (1, simpler, "/sample/end_marker", json!(9000)),
        (1, simpler, "/sample/gain", json!(0.5)),
        (1, simpler, "/sample/warping", json!(true)),
        (1, simpler, "/sample/warp_mode", json!(6)),
        (1, simpler, "/sample/warp_markers/1", json!({"beat_time": 2.0, "sample_time_seconds": 0.5})),
        (1, simpler, "/sample/slices", json!([2205])),
        (
            1,
            simpler,
            "/sample/stored",
            json!({"slicing_style": 2, "slicing_region_count": 16, "slicing_beat_division": 6}),
        ),
        (2, "", "/class_name", json!("Echo")),
        (2, "", "/values/1", json!(0.0)),
        (2, "", "/values/16", json!(0.5)),
        (2, "", "/values/20", json!(0.25)),
        (3, "", "/class_name", json!("PluginDevice")),
        (3, "", "/name", json!("Surge XT")),
        (4, "", "/class_name", json!("MxDeviceAudioEffect")),
        (4, "", "/name", json!("Wobble")),
        (5, "", "/class_name", json!("FrequencyShifter")),
        (5, "", "/name", json!("Ring")),
        (5, "", "/is_opaque", json!(true)),
        (6, "", "/class_name", json!("InstrumentGroupDevice")),
        (6, "", "/values/17", json!(9.0)),
        (6, chain, "/name", json!("Low")),
        (
            6,
            chain,
            "/zones",
            json!({"keys": range(12, 71, 12, 71), "velocities": range(11, 99, 11, 99),
                "selector": range(5, 40, 8, 33)}),
        ),
        (6, simpler, "/class_name", json!("MultiSampler")),
        (6, simpler, "/sample_zones/0/name", json!("Half")),
        (
            6,
            simpler,
            "/sample_zones/0/zones",
            json!({"keys": range(24, 59, 30, 50), "velocities": range(20, 90, 20, 90),
                "selector": range(3, 12, 3, 12)}),
        ),
        (6, simpler, "/sample_zones/0/root_key", json!(41)),
        (6, simpler, "/sample_zones/0/detune_cents", json!(-7.5)),
        (6, simpler, "/sample_zones/0/panning", json!(0.25)),
        (6, simpler, "/sample_zones/0/sample/gain", json!(0.5)),
        (6, simpler, "/sample_zones/0/sample/start_marker", json!(50)),
        (6, simpler, "/sample_zones/0/sample/end_marker", json!(8000)),
        (
            6,
            simpler,
            "/sample_zones/0/sustain_loop",
            json!({"start": 200, "end": 7000, "mode": 1, "crossfade": 25.0, "detune_cents": 3.0}),
        ),
        (
            6,
            simpler,
            "/sample_zones/0/release_loop",
            json!({"start": 60, "end": 7900, "mode": 3, "crossfade": 0.0, "detune_cents": 0.0}),
        ),
        (6, simpler, "/sample_zones/1/sample/file_path", json!("/nowhere/High.wav")),
        (6, simpler, "/sample_zones/1/sample/length", json!(4000)),
        (6, simpler, "/sample_zones/1/root_key", json!(60)),
        (6, wet, "/class_name", json!("AudioEffectGroupDevice")),
        (6, wet, "/rack/chains/0/name", json!("Wet")),
        (6, wet, "/rack/chains/0/devices/0/class_name", json!("StereoGain")),
        (6, wet, "/rack/chains/0/devices/0/name", json!("Trim")),
        (7, "", "/class_name", json!("DrumCell")),
        (7, "", "/sample_zones/0/sample/sample_rate_hz", json!(22_050.0)),
        (8, "", "/class_name", json!("AuPluginDevice")),
        (8, "", "/name", json!("AUDelay")),
        (9, "", "/name", json!("Dexed")),
        (10, "", "/class_name", json!("MxDeviceMidiEffect")),
        (10, "", "/name", json!("Chance")),
        (11, "", "/class_name", json!("InstrumentImpulse")),
        (11, "", "/name", json!("Clicks")),
        (11, "", "/sample_zones/0/zones/keys", range(62, 62, 62, 62)),
        (11, "", "/sample_zones/0/root_key", json!(62)),
        (11, "", "/sample_zones/1/zones/keys", range(71, 71, 71, 71)),
        (11, "", "/sample_zones/1/sample/sample_rate_hz", json!(22_050.0)),
    ];
    table.into_iter().map(|(at, inner, place, value)| (device(at, &format!("{inner}{place}")), value)).collect()
}

#[test]
fn each_value_is_in_its_place() {
    let file = read(ONE_OF_EACH).unwrap();
    let document = serde_json::to_value(&file.document).unwrap();
    for (place, want) in of_the_set().into_iter().chain(of_clips()).chain(of_devices()) {
        assert_eq!(document.pointer(&place), Some(&want), "{place}");
    }
    assert_eq!(file.creator, "Ableton Live 12.3.6");
    let group = file.document.tracks[0].serial;
    let groups: Vec<_> = file.document.tracks.iter().map(|track| track.group).collect();
    assert_eq!(groups, [None, Some(group), None]);
    let names: Vec<String> = file.document.every_track().map(|(track, _)| file.document.track_name(track)).collect();
    assert_eq!(names, ["Band & Co", "2-Operator", "Take", "A-Plate", "B-Echo", "Main"]);
    let (riff, take) = (&file.document.tracks[1], &file.document.tracks[2]);
    assert_eq!(riff.no_stop_button, [file.document.scenes[0].serial]);
    assert!(riff.clip_at(file.document.scenes[1].serial).is_some());
    assert!(take.clip_at(file.document.scenes[0].serial).is_some());
    assert_eq!(take.serial + 1000, u32::try_from(riff.stored["output_routing_type"].as_u64().unwrap()).unwrap());
    let clip = riff.clip_at(file.document.scenes[1].serial).unwrap();
    assert_eq!(clip.groove, Some(file.document.grooves[0].serial));
    let drawn: Vec<_> = clip.envelopes.iter().map(|drawn| (drawn.parameter, drawn.points.as_slice())).collect();
    let point = |time, value| EnvelopePoint { time, value, curve: 0.0 };
    let feedback = IdParts::Parameter { device: riff.devices[2].serial, index: 16 }.id().0;
    let volume = IdParts::MixerParameter { track: riff.serial, index: 0 }.id().0;
    assert_eq!(drawn, [(feedback, &[point(0.0, 0.5), point(3.0, 1.0)][..]), (volume, &[point(1.0, 0.7)])]);
    let moved = |track: &Track| -> Vec<(u64, Vec<EnvelopePoint>)> {
        track.automation.iter().map(|envelope| (envelope.parameter, envelope.points.clone())).collect()
    };
    let (group, plate) = (&file.document.tracks[0], &file.document.returns[0]);
    let send = IdParts::Send { track: group.serial, return_track: plate.serial }.id().0;
    assert_eq!(moved(group), [(send, vec![point(7.0, 0.85)])]);
    let left = IdParts::MixerParameter { track: riff.serial, index: 3 }.id().0;
    assert_eq!(moved(riff), [(volume, vec![point(0.0, 0.85), point(14.0, 0.7)]), (left, vec![point(2.0, 0.25)])]);
    let found = take.arrangement.get(0).and_then(|placed| placed.clip.audio().cloned()).unwrap();
    assert!(Path::new(&found.file_path).ends_with("tests/fixtures/audio/half.wav"), "{}", found.file_path);
}

#[test]
fn what_did_not_come_along_is_told_by_kind() {
    let report = read(ONE_OF_EACH).unwrap().report;
    let counts = serde_json::to_value(&report).unwrap();
    assert_eq!(
        counts,
        json!({
            "read": {"tracks": 6, "scenes": 2, "MIDI clips": 3, "audio clips": 3, "notes": 4, "warp markers": 9,
                "locators": 2, "devices": 16, "chains": 4, "samples of devices": 6, "clip envelopes": 2, "grooves": 1,
                "take lanes": 2, "macro variations": 1, "automation of the Arrangement": 3,
                "track delays": 2, "fades of audio clips": 1},
            "kept": {
                "follow actions of clips": 1,
                "follow actions of scenes": 1,
                "frozen tracks, whose devices play": 1,
                "grooves with notes, which clips do not follow": 1,
                "notes with expression of their own (MPE)": 1,
            },
            "leftOut": {
                "automation of the Arrangement of parameters that are not read": 1,
                "bank and program changes": 1,
                "changes of the tempo after the first": 1,
                "changes of the time signature after the first": 1,
                "bends of the automation of the Arrangement": 1,
                "bends of clip envelopes": 1,
                "clip envelopes of parameters that are not read": 1,
                "clips that lead the tempo": 1,
                "groups of notes with one chance": 1,
                "info texts": 2,
                "key and MIDI mappings": 1,
                "levels of sends that are switched off, read as turned down": 1,
                "links between tracks": 1,
                "lists of parameters of plug-ins and Max devices": 1,
                "macros that a variation leaves alone, read as they stand": 1,
                "names of macro variations": 1,
                "routings": 1,
                "scales of clips": 1,
                "settings of Echo": 1,
                "starts of the song at a locator": 1,
                "states of plug-ins and Max devices": 5,
                "tuning systems": 1,
            },
            "unknown": {"LiveSet/Hologram": 1, "device/FrequencyShifter": 1},
            "missingSamples": ["/nowhere/High.wav", "/nowhere/Gone.wav"],
            "moreMissingSamples": 0,
        })
    );
    assert!(report.objects_read() >= 50, "{}", report.objects_read());
    let lines = report.lines();
    assert_eq!(lines[0], "67 objects read, 27 left out, 2 of unknown kinds");
    assert!(lines[1].starts_with("will sound different: 5 states of plug-ins and Max devices, "), "{}", lines[1]);
    assert!(lines[1].ends_with(" more: svc-device info FILE --json has all"), "{}", lines[1]);
    assert!(lines[2].starts_with("kept and not heard: 1 follow actions of clips, "), "{}", lines[2]);
    assert_eq!(lines[3], "missing samples: /nowhere/High.wav, /nowhere/Gone.wav");
    assert!(lines[5].starts_with("left out and not heard: 2 info texts, "), "{}", lines[5]);
    assert_eq!(lines.last().unwrap(), "unknown: 1 LiveSet/Hologram");
}

/// Where each element begins and ends, with its name.
pub fn elements(xml: &str) -> Vec<(usize, usize, String)> {
    let (mut found, mut open, mut at) = (Vec::new(), Vec::new(), 0);
    while let Some(from) = xml[at..].find('<').map(|from| at + from) {
        let to = from + xml[from..].find('>').unwrap() + 1;
        let tag = &xml[from + 1..to - 1];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default().to_owned();
        if tag.starts_with('/') {
            let (start, name): (usize, String) = open.pop().unwrap();
            found.push((start, to, name));
        } else if tag.ends_with('/') {
            found.push((from, to, name));
        } else if !tag.starts_with('?') {
            open.push((from, name));
        }
        at = to;
    }
    assert!(open.is_empty());
    found
}

#[test]
fn no_element_can_be_missing_unseen() {
    let whole = read(ONE_OF_EACH).unwrap();
    let elements = elements(ONE_OF_EACH);
    assert!(elements.len() > 200, "{}", elements.len());
    let mut unseen = Vec::new();
    for (from, to, name) in elements {
        let without = format!("{}{}", &ONE_OF_EACH[..from], &ONE_OF_EACH[to..]);
        if let Ok(read) = read(&without)
            && read.document == whole.document
            && read.report == whole.report
        {
            unseen.push(format!("line {}: {name}", ONE_OF_EACH[..from].lines().count()));
        }
    }
    assert_eq!(unseen, Vec::<String>::new());
}

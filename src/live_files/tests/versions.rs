//! The same small Set as each version of Live writes it.

use super::*;
use crate::object_model::EnvelopePoint;
use crate::set::document::ids::IdParts;
use serde_json::{Value as Json, json};

pub const SETS: [(u8, &str); 5] = [
    (8, include_str!("live_8.xml")),
    (9, include_str!("live_9.xml")),
    (10, include_str!("live_10.xml")),
    (11, include_str!("live_11.xml")),
    (12, include_str!("live_12.xml")),
];

/// Places in the document and what every version says there; the MIDI track is `t`, the audio track `u`.
fn table() -> Vec<(&'static str, Json)> {
    vec![
        ("/song/tempo_bpm", json!(100.0)),
        ("/song/signature", json!({"numerator": 3, "denominator": 4})),
        ("/song/loop_on", json!(true)),
        ("/song/loop_start", json!(8.0)),
        ("t/name", json!("Keys")),
        ("t/color", json!(7)),
        ("t/mixer/volume", json!(0.7)),
        ("t/mixer/sends", json!([1.0])),
        ("t/devices/0/class_name", json!("MidiPitcher")),
        ("t/devices/0/values/1", json!(-12.0)),
        ("t/session/0/clip/name", json!("Riff")),
        ("t/session/0/clip/color", json!(5)),
        ("t/session/0/clip/loop_end", json!(4.0)),
        ("t/session/0/clip/signature", json!({"numerator": 3, "denominator": 4})),
        ("t/session/0/clip/content/midi/list/0/pitch", json!(60)),
        ("t/session/0/clip/content/midi/list/1/start", json!(2.5)),
        ("t/session/0/clip/content/midi/list/1/mute", json!(true)),
        ("t/arrangement/0/start", json!(16.0)),
        ("t/arrangement/0/end", json!(24.0)),
        ("u/color", json!(12)),
        ("u/mixer/panning", json!(-0.5)),
        ("u/session/0/clip/content/audio/sample_length", json!(88_200)),
        ("u/session/0/clip/content/audio/pitch_coarse", json!(-5)),
        ("u/session/0/clip/content/audio/warp_markers/1", json!({"beat_time": 4.0, "sample_time_seconds": 2.0})),
        ("/returns/0/name", json!("Room")),
        ("/returns/0/color", json!(20)),
        ("/main/color", json!(44)),
        ("/main/mixer/cue_volume", json!(0.7)),
        ("/scenes/0/name", json!("")),
        ("/scenes/1/name", json!("Verse 96 BPM 3/4")),
        ("/scenes/1/color", json!(12)),
        ("/scenes/1/tempo_bpm", json!(96.0)),
        ("/scenes/1/signature", json!({"numerator": 3, "denominator": 4})),
        ("/cue_points/0/name", json!("Chorus")),
        ("/cue_points/0/time", json!(16.0)),
    ]
}

#[test]
fn each_version_says_the_same() {
    for (version, xml) in SETS {
        let read = read(xml).unwrap_or_else(|why| panic!("Live {version}: {why}"));
        let document = serde_json::to_value(&read.document).unwrap();
        // Live 8 has no groups that were saved as tracks here.
        let first = usize::from(version > 8);
        let at = |place: &str| match place.split_at(1) {
            ("t", rest) => format!("/tracks/{first}{rest}"),
            ("u", rest) => format!("/tracks/{}{rest}", first + 1),
            _ => place.to_owned(),
        };
        for (place, want) in table() {
            assert_eq!(document.pointer(&at(place)), Some(&want), "Live {version}: {place}");
        }
        assert_eq!(read.document.scenes[0].color, None, "Live {version}");
        assert!(read.creator.starts_with(&format!("Ableton Live {version}.")), "{}", read.creator);
        let keys = &read.document.tracks[first];
        assert_eq!(keys.group, read.document.tracks.first().filter(|_| version > 8).map(|group| group.serial));
        let volume = IdParts::MixerParameter { track: keys.serial, index: 0 }.id().0;
        let point = |time, value| EnvelopePoint { time, value, curve: 0.0 };
        let moved: Vec<_> = keys.automation.iter().map(|it| (it.parameter, it.points.as_slice())).collect();
        assert_eq!(moved, [(volume, &[point(0.0, 0.7), point(8.0, 0.85)][..])], "Live {version}");
        if version > 8 {
            assert_eq!((read.document.song.root_note, read.document.song.scale_name.as_str()), (9, "Minor"));
        }
    }
}

#[test]
fn no_version_has_unknown_elements() {
    for (version, xml) in SETS {
        let report = read(xml).unwrap().report;
        assert!(report.unknown.is_empty(), "Live {version}: {:?}", report.unknown);
        let left_out: Vec<(&str, u64)> = report.left_out.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
        let changes =
            [("changes of the tempo after the first", 1), ("changes of the time signature after the first", 1)];
        assert_eq!(left_out, changes, "Live {version}");
        assert!(report.kept.is_empty(), "Live {version}: {:?}", report.kept);
    }
}

#[test]
fn empty_scale_names_are_none() {
    let scale = "<Ableton><LiveSet><Tracks/><MasterTrack/><Scenes/><ScaleInformation><RootNote Value=\"0\"/>\
                 <Name Value=\"NAME\"/></ScaleInformation></LiveSet></Ableton>";
    let unknown = |name: &str| {
        let report = read(&scale.replace("NAME", name)).unwrap().report;
        report.left_out.get("scales that are not known").copied()
    };
    assert_eq!((unknown(""), unknown("Hologram")), (None, Some(1)));
}

#[test]
fn old_colours_are_palette_positions() {
    let set = |color: i64| {
        format!(
            "<Ableton><LiveSet><Tracks><MidiTrack Id=\"1\"><ColorIndex Value=\"{color}\"/></MidiTrack></Tracks>\
             <MasterTrack/><SceneNames><Scene Value=\" 1\"><ColorIndex Value=\"{color}\"/></Scene></SceneNames>\
             </LiveSet></Ableton>"
        )
    };
    for (written, track, scene) in
        [(0, 0, None), (147, 7, Some(7)), (140, 0, None), (209, 69, Some(69)), (281, 1, Some(1)), (-1, 0, None)]
    {
        let read = read(&set(written)).unwrap();
        assert_eq!((read.document.tracks[0].color, read.document.scenes[0].color), (track, scene), "{written}");
        assert_eq!(read.report.left_out.get("colours outside of the palette"), None, "{written}");
    }
    let read = read(&set(100)).unwrap();
    assert_eq!(read.report.left_out.get("colours outside of the palette"), Some(&2));
}

/// Automation of Live 8 has no number that a parameter is known by; a value alone is none.
#[test]
fn values_kept_with_automation_are_read() {
    let old = |points: &str| {
        format!(
            "<Ableton><LiveSet><Tracks><AudioTrack Id=\"1\"><DeviceChain><Mixer><Pan><ArrangerAutomation><Events>\
             {points}</Events></ArrangerAutomation></Pan></Mixer></DeviceChain></AudioTrack></Tracks></LiveSet>\
             </Ableton>"
        )
    };
    let first = "<FloatEvent Time=\"-63072000\" Value=\"-0.5\"/>";
    let alone = read(&old(first)).unwrap();
    assert_eq!((alone.document.tracks[0].mixer.panning, alone.document.tracks[0].automation.len()), (-0.5, 0));
    let moved = read(&old(&format!("{first}<FloatEvent Time=\"4\" Value=\"0.25\"/>"))).unwrap();
    assert_eq!((moved.document.tracks[0].mixer.panning, moved.document.tracks[0].automation.len()), (-0.5, 1));
    assert_eq!(moved.report.left_out.get("automation of the Arrangement of parameters that are not read"), None);
}

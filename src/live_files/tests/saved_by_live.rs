//! Sets that a real Live saved. They are not part of the project: the folder that holds them is named by
//! `SVC_ALS_FIXTURES`, and without it nothing is looked at.

use super::super::read_file;
use crate::music::Note;
use crate::object_model::faders::volume_db;
use crate::object_model::parameter_curves::number_or_end;
use crate::paths::AllowedFolders;
use crate::set::document::device_tree::{Chain, Device};
use crate::set::document::{Clip, Document};
use std::path::PathBuf;
use std::sync::Arc;

/// A note as the tables below have it: pitch, start, duration.
type Tone = (u8, f64, f64);

/// Tracks as they were read from the XML by other means: name, colour, raw volume (0.7 is -6 dB).
const TRACKS: [(&str, u8, f64); 7] = [
    ("Drums", 58, 0.7),
    ("Bass", 56, 0.7),
    ("Chords", 61, 0.625),
    ("Lead", 23, 0.7),
    ("5-MIDI", 20, 0.85),
    ("A-Delay", 57, 0.85),
    ("B-Reverb", 66, 0.85),
];

/// Every device of both Sets, with what stands in it: made from their XML by `tests/live_files/list_devices.py`.
const DEVICES: &str = include_str!("../../../tests/live_files/devices.txt");

/// Parameters that stand for all, as that list has them.
const SHOWN: [(&str, &[&str]); 14] = [
    ("ChannelEq", &["Mid Freq", "Low Gain"]),
    ("Compressor2", &["Threshold", "Ratio", "Attack"]),
    ("DrumBuss", &["Damping Freq", "Drive", "Output"]),
    ("Echo", &["Dry Wet", "LP Freq"]),
    ("Eq8", &["1 Frequency A", "2 Gain A"]),
    ("FilterEQ3", &["GainLo", "FreqHi"]),
    ("Hybrid", &["Decay", "Predelay"]),
    ("Limiter", &["Input Gain", "Release"]),
    ("MidiNoteLength", &["Time Length"]),
    ("MidiPitcher", &["Pitch"]),
    ("MidiVelocity", &["Out Hi", "Random"]),
    ("OriginalSimpler", &["Volume", "Filter Freq"]),
    ("Reverb", &["Decay Time", "Dry/Wet", "Diffuse Level"]),
    ("StereoGain", &["Output", "Bass Freq"]),
];

/// The devices of a Set in the form of that list.
fn devices_of(set: &Document) -> String {
    let mut lines = Vec::new();
    for track in set.tracks.iter().chain(set.returns.iter()).chain([&set.main]) {
        lines.push(format!("track {}", set.track_name(track)));
        list_devices(&track.devices, 1, &mut lines);
    }
    lines.join("\n") + "\n"
}

fn list_devices(devices: &[Arc<Device>], depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    for device in devices {
        let on = if device.values.first().is_none_or(|on| *on >= 0.5) { "on" } else { "off" };
        let name = device.name.as_deref().filter(|_| !device.class_name.starts_with("MxDevice")).unwrap_or("-");
        lines.push(format!("{indent}device {} {name} {on}", device.class_name));
        let named = SHOWN.iter().filter(|(class, _)| *class == device.class_name).flat_map(|(_, names)| *names);
        for name in named {
            let at = device.specs().iter().position(|spec| spec.name == *name).unwrap();
            let shown = number_or_end(&device.specs()[at], device.values[at]).unwrap();
            lines.push(format!("{indent}{name}: {shown:.2e}"));
        }
        if let Some(rack) = &device.rack {
            let macros: Vec<String> = device.values[1..=16].iter().map(|value| format!("{value:.1}")).collect();
            lines.push(format!("{indent}macros {}", macros.join(" ")));
            rack.every_chain().for_each(|chain| list_chain(chain, depth + 1, lines));
        }
        if let Some(sample) = &device.sample {
            let name = sample.file_path.rsplit('/').next().unwrap();
            let (start, end, length) = (sample.start_marker, sample.end_marker, sample.length);
            lines.push(format!("{indent}sample {name} {start}..{end} of {length}"));
        }
    }
}

fn list_chain(chain: &Chain, depth: usize, lines: &mut Vec<String>) {
    let pad = chain
        .in_note
        .map_or_else(String::new, |note| format!(" note {note} plays {} choke {}", chain.out_note, chain.choke_group));
    let level = volume_db(chain.volume).map_or_else(|| "-inf".to_owned(), |db| format!("{db:+.1}"));
    lines.push(format!("{}chain {}{pad} {level} dB pan {:.2}", "  ".repeat(depth), chain.name, chain.panning));
    list_devices(&chain.devices, depth + 1, lines);
}

fn file(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SVC_ALS_FIXTURES")?;
    Some(PathBuf::from(folder).join(name)).filter(|file| file.is_file())
}

fn tones(clip: &Clip) -> Vec<Tone> {
    let notes = clip.notes().unwrap();
    assert!(notes.list.iter().all(|stored| {
        let Note { velocity, velocity_deviation, probability, mute, release_velocity, .. } = stored.note;
        (velocity, velocity_deviation, probability, mute, release_velocity) == (100.0, 0.0, 1.0, false, 64.0)
    }));
    notes.list.iter().map(|stored| (stored.note.pitch, stored.note.start, stored.note.duration)).collect()
}

fn sorted(mut tones: Vec<Tone>) -> Vec<Tone> {
    tones.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
    tones
}

#[test]
fn sets_of_live_12_are_read_in_full() {
    for (name, creator, clips, notes) in [
        ("basic-midi-4-track.als", "Ableton Live 12.3.2", 0, 0),
        ("basic-with-drum-and-lead-clips.als", "Ableton Live 12.3.6", 2, 44),
    ] {
        let Some(path) = file(name) else { return };
        let read = read_file(&path, &AllowedFolders::default()).unwrap();
        let set = &read.document;
        assert_eq!(read.creator, creator);
        assert_eq!((set.song.tempo_bpm, set.song.signature.numerator, set.song.signature.denominator), (120.0, 4, 4));
        assert_eq!((set.song.root_note, set.song.scale_name.as_str(), set.song.scale_mode), (9, "Minor", true));
        assert_eq!((set.song.loop_on, set.song.loop_start, set.song.loop_length), (false, 8.0, 16.0));
        assert_eq!(set.song.launch_quantization, 4);
        assert_eq!(set.scenes.len(), 8);
        assert!(set.scenes.iter().all(|scene| scene.name.is_empty() && scene.color.is_none()));
        let tracks: Vec<(String, u8, f64)> = set
            .tracks
            .iter()
            .chain(set.returns.iter())
            .map(|track| (set.track_name(track), track.color, track.mixer.volume))
            .collect();
        assert_eq!(tracks, TRACKS.map(|(name, color, volume)| (name.to_owned(), color, volume)));
        assert!(set.tracks.iter().all(|track| track.mixer.sends == [0.0, 0.0] && track.mixer.panning == 0.0));
        assert!(set.tracks.iter().all(|track| !track.arm && !track.mute && !track.solo && track.group.is_none()));
        assert_eq!((set.main.color, set.main.mixer.volume, set.main.mixer.cue_volume), (69, 0.85, 0.85));
        let session: usize = set.tracks.iter().map(|track| track.session.len()).sum();
        assert_eq!((session, set.note_count()), (clips, notes));
        let unknown: Vec<_> = read.report.unknown.iter().map(|(kind, count)| (kind.as_str(), *count)).collect();
        assert_eq!(unknown, [("device/AutoFilter", 1), ("device/FrequencyShifter", 1)]);
        // The samples of Live's own packs are on no other machine.
        assert_eq!(read.report.missing_samples.len(), 20, "{:?}", read.report.missing_samples);
        assert_eq!(devices_of(set), DEVICES);
    }
}

#[test]
fn clips_of_live_12_are_read_note_by_note() {
    let Some(path) = file("basic-with-drum-and-lead-clips.als") else { return };
    let set = read_file(&path, &AllowedFolders::default()).unwrap().document;
    let first = set.scenes[0].serial;
    let drums = set.tracks[0].clip_at(first).unwrap();
    let mut want: Vec<Tone> = (0..8).map(|beat| (36, f64::from(beat), 0.25)).collect();
    want.extend([1.0, 3.0, 5.0, 7.0].map(|beat| (40, beat, 0.25)));
    want.extend((0..12).map(|step| (44, f64::from(step) / 2.0, 0.5)));
    want.extend((0..8).map(|step| (44, 6.0 + f64::from(step) / 4.0, 0.25)));
    assert_eq!(tones(drums), sorted(want));
    assert_eq!((drums.looping, drums.loop_start, drums.loop_end), (true, 0.0, 8.0));
    assert_eq!((drums.start_marker, drums.end_marker, drums.color), (0.0, 8.0, 58));
    let lead = set.tracks[3].clip_at(first).unwrap();
    assert_eq!(tones(lead), sorted(LEAD.to_vec()));
    assert_eq!((lead.color, lead.looping), (23, true));
}

const LEAD: [Tone; 12] = [
    (55, 7.5, 0.5),
    (57, 0.0, 1.0),
    (59, 7.0, 0.5),
    (60, 1.0, 1.0),
    (60, 5.5, 0.5),
    (60, 6.5, 0.5),
    (62, 2.0, 1.0),
    (62, 4.5, 0.5),
    (62, 6.0, 0.5),
    (64, 3.0, 1.0),
    (64, 5.0, 0.5),
    (65, 4.0, 0.5),
];

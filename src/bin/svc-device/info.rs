//! `svc-device info`: what a file with a Set holds, and of one of Ableton Live's what would not come along.

use crate::arguments::Options;
use crate::console::print;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::process::ExitCode;
use svc_device::device::set_files::{SetFile, read_damaged_file};
use svc_device::live_files::{PresetFile, ReadError, read_preset_file_through};
use svc_device::music::shown_text::shown_line;
use svc_device::paths::AllowedFolders;
use svc_device::set::Document;
use svc_device::set::document::device_tree::Device;
use svc_device::set::document::{Track, TrackKind};
use svc_device::set::tables::palette;

/// Reads the file and prints what it holds.
pub fn run(file: &Path, options: &Options) -> Result<ExitCode, String> {
    let folders = AllowedFolders::by_hand();
    let lines = match (read_damaged_file(file, &folders, options.damage), options.json) {
        (Ok(read), true) => vec![as_json(file, &read).to_string()],
        (Ok(read), false) => as_text(file, &read),
        (Err(why), json) => match read_preset(file, &folders) {
            Ok(preset) if json => vec![preset_as_json(file, &preset).to_string()],
            Ok(preset) => preset_as_text(file, &preset),
            Err(_) => return Err(shown_line(&format!("{}: {why}", file.display())).into_owned()),
        },
    };
    lines.iter().for_each(|line| print(&shown_line(line)));
    Ok(ExitCode::SUCCESS)
}

fn read_preset(file: &Path, folders: &AllowedFolders) -> Result<PresetFile, ReadError> {
    let real = file.canonicalize();
    read_preset_file_through(real.as_deref().unwrap_or(file), folders, |file| Box::new(file))
}

/// A device with its name, where it has one, and the devices of its chains below it.
fn preset_lines(device: &Device, depth: usize, lines: &mut Vec<String>) {
    let class = device.class_display_name();
    let name = device.name.as_deref().filter(|name| *name != class);
    let name = name.map_or_else(String::new, |name| format!(" {name:?}"));
    lines.push(format!("{}{class}{name}", "  ".repeat(depth)));
    for chain in device.rack.iter().flat_map(|rack| rack.every_chain()) {
        lines.push(format!("{}chain {:?}", "  ".repeat(depth + 1), chain.name));
        chain.devices.iter().for_each(|inner| preset_lines(inner, depth + 2, lines));
    }
}

fn preset_as_text(file: &Path, preset: &PresetFile) -> Vec<String> {
    let mut lines = vec![format!("{}: a preset; svc-create-device makes the device", file.display()), String::new()];
    preset_lines(&preset.device, 0, &mut lines);
    lines.push(String::new());
    lines.extend(preset.report.lines());
    lines
}

fn preset_as_json(file: &Path, preset: &PresetFile) -> Json {
    json!({"file": file.display().to_string(), "preset": as_json_device(&preset.device), "report": preset.report})
}

fn as_json_device(device: &Device) -> Json {
    let chains = device.rack.iter().flat_map(|rack| rack.every_chain()).map(|chain| {
        let devices = chain.devices.iter().map(|inner| as_json_device(inner));
        json!({"name": chain.name, "devices": devices.collect::<Vec<_>>()})
    });
    json!({
        "class": device.class_name,
        "device": device.class_display_name(),
        "name": device.name,
        "chains": chains.collect::<Vec<_>>(),
    })
}

fn kind(track: &Track) -> &'static str {
    match track.kind {
        TrackKind::Midi => "midi",
        TrackKind::Audio => "audio",
        TrackKind::Group => "group",
        TrackKind::Return => "return",
        TrackKind::Main => "main",
    }
}

fn group_name(document: &Document, track: &Track) -> Option<String> {
    let group = document.tracks.find(track.group?)?;
    Some(document.track_name(group))
}

fn notes(track: &Track) -> u64 {
    track.session.note_count().0 + track.arrangement.note_count().0
}

fn color(index: u8) -> String {
    format!("#{:06X}", palette::rgb(index))
}

fn meter(document: &Document) -> String {
    let signature = document.song.signature;
    format!("{}/{}", signature.numerator, signature.denominator)
}

fn scale(document: &Document) -> String {
    let root = svc_device::music::pitch::class_name(document.song.root_note);
    format!("{root} {}", document.song.scale_name)
}

fn as_json(file: &Path, read: &SetFile) -> Json {
    let (document, report, creator) = (read.document(), read.report(), read.creator());
    let tracks = document.every_track().map(|(track, _)| {
        json!({
            "name": document.track_name(track),
            "kind": kind(track),
            "color": color(track.color),
            "group": group_name(document, track),
            "sessionClips": track.session.len(),
            "arrangementClips": track.arrangement.len(),
            "notes": notes(track),
        })
    });
    let scenes = document.scenes.iter().map(|scene| {
        json!({
            "name": scene.name,
            "color": scene.color.map(color),
            "tempo": scene.tempo_bpm,
            "timeSignature": scene.signature.map(|s| format!("{}/{}", s.numerator, s.denominator)),
        })
    });
    let locators = document.cue_points.iter().map(|cue| json!({"name": cue.name, "beat": cue.time}));
    json!({
        "file": file.display().to_string(),
        "creator": creator,
        "tempo": document.song.tempo_bpm,
        "timeSignature": meter(document),
        "scale": scale(document),
        "scaleMode": document.song.scale_mode,
        "tracks": tracks.collect::<Vec<_>>(),
        "scenes": scenes.collect::<Vec<_>>(),
        "locators": locators.collect::<Vec<_>>(),
        "report": report,
    })
}

fn as_text(file: &Path, read: &SetFile) -> Vec<String> {
    let (document, creator) = (read.document(), read.creator());
    let tempo = document.song.tempo_bpm;
    let mut lines = vec![
        format!("{}: saved by {}", shown_line(&file.display().to_string()), shown_line(creator)),
        format!("{tempo} BPM, {}, {}", meter(document), shown_line(&scale(document))),
        String::new(),
    ];
    for (track, _) in document.every_track() {
        let inside =
            group_name(document, track).map_or_else(String::new, |group| format!(" in {}", shown_line(&group)));
        let (session, arrangement) = (track.session.len(), track.arrangement.len());
        let holds = match session + arrangement {
            0 => String::new(),
            _ => format!(": {session} Session and {arrangement} Arrangement clips, {} notes", notes(track)),
        };
        lines.push(format!("{:<6} {}{inside}{holds}", kind(track), shown_line(&document.track_name(track))));
    }
    lines.push(format!("{} scenes, {} locators", document.scenes.len(), document.cue_points.len()));
    if let Some(report) = read.report() {
        lines.push(String::new());
        lines.extend(report.lines().iter().map(|line| shown_line(line).into_owned()));
    }
    lines
}

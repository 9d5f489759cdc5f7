//! `svc-device info`: what a file with a Set holds, and of one of Ableton Live's what would not come along.

use crate::console::print;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::process::ExitCode;
use svc_device::device::set_files::{SetFile, read_set_file};
use svc_device::music::shown_text::shown_line;
use svc_device::paths::AllowedFolders;
use svc_device::set::Document;
use svc_device::set::document::{Track, TrackKind};
use svc_device::set::tables::palette;

/// Reads the file and prints what it holds.
pub fn run(file: &Path, json: bool) -> Result<ExitCode, String> {
    let read = read_set_file(file, &AllowedFolders::default()).map_err(|why| format!("{}: {why}", file.display()))?;
    let text = if json { as_json(file, &read).to_string() } else { as_text(file, &read) };
    print(&text);
    Ok(ExitCode::SUCCESS)
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

fn as_text(file: &Path, read: &SetFile) -> String {
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
    lines.join("\n")
}

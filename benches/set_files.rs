//! How fast Sets are opened from files: a Live Set of 10 MB of XML, one of 200 tracks with 20,000 clips, and the same
//! as our own files; and how much memory the process held at most. Reads `/proc`, so the memory is Linux's.
//!
//! With `SVC_ALS_FIXTURES` the Sets in that folder are opened too.

mod support;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::time::Instant;
use support::{Table, rounds};
use svc_device::device::packed_state;
use svc_device::device::state::StateParts;
use svc_device::live_files::{SampleSearch, read_file, read_set};
use svc_device::paths::AllowedFolders;
use svc_device::service::Settings;
use svc_device::set::Document;

fn main() {
    let mut table = Table::new(&["opened", "XML", "time", "memory at the peak"]);
    for (name, xml) in [("10 MB of devices", devices(10_000_000)), ("200 tracks, 20,000 clips", clips(200, 100))] {
        let file = packed(xml.as_bytes());
        let read = || read_set(file.as_slice(), SampleSearch::nowhere()).expect("it is a Set");
        row(&mut table, name, xml.len(), || drop(read()));
        let state = as_state(&read().document);
        let name = format!("the same as .svcset ({} kB)", state.len() / 1000);
        row(&mut table, &name, 0, || drop(packed_state::read(state.as_slice()).expect("it is a state")));
    }
    let folder = std::env::var_os("SVC_ALS_FIXTURES");
    for entry in folder.iter().flat_map(|folder| std::fs::read_dir(Path::new(folder))).flatten().flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "als") {
            let name = entry.file_name().to_string_lossy().into_owned();
            row(&mut table, &name, 0, || {
                drop(read_file(&entry.path(), &AllowedFolders::default()).expect("it is a Set"))
            });
        }
    }
    table.print();
}

/// The shortest of some runs.
fn row(table: &mut Table, name: &str, xml: usize, work: impl Fn()) {
    let once = || {
        let begun = Instant::now();
        work();
        begun.elapsed()
    };
    let time = (0..rounds(5).max(1)).map(|_| once()).min().unwrap_or_default();
    let time = format!("{:.0} ms", time.as_secs_f64() * 1e3);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default().trim().to_owned();
    table.row(name, [format!("{:.1} MB", xml as f64 / 1e6), time, peak]);
}

fn packed(xml: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(xml).expect("memory takes it");
    packer.finish().expect("memory takes it")
}

fn as_state(document: &Document) -> Vec<u8> {
    let parts = StateParts { settings: &Settings::default(), document, id: "", revision: 0, log: None };
    let mut bytes = Vec::new();
    packed_state::write(&mut bytes, |to| parts.write(to)).expect("memory takes it");
    bytes
}

fn set(tracks: &str, scenes: usize) -> String {
    let scenes = "<Scene/>".repeat(scenes);
    format!("<Ableton><LiveSet><Tracks>{tracks}</Tracks><MainTrack/><Scenes>{scenes}</Scenes></LiveSet></Ableton>")
}

/// Tracks full of devices, as most of a Live Set is.
fn devices(bytes: usize) -> String {
    let mut device = String::from("<Echo Id=\"0\">");
    for setting in ["Feedback", "DryWet", "StereoWidth", "Delay_OffsetL", "Reverb_Level", "Wobble_Amount"] {
        let _ = write!(
            device,
            "<{setting}><LomId Value=\"0\"/><Manual Value=\"0.5\"/><MidiControllerRange><Min Value=\"0\"/><Max \
             Value=\"1\"/></MidiControllerRange><AutomationTarget Id=\"0\"><LockEnvelope Value=\"0\"/>\
             </AutomationTarget></{setting}>"
        );
    }
    device.push_str("</Echo>");
    let devices = device.repeat(100);
    let track = format!(
        "<MidiTrack Id=\"1\"><DeviceChain><DeviceChain><Devices>{devices}</Devices></DeviceChain></DeviceChain></MidiTrack>"
    );
    set(&track.repeat(bytes / track.len()), 8)
}

/// Tracks with a clip of eight notes in each scene.
fn clips(tracks: usize, scenes: usize) -> String {
    let notes: String = (0..8)
        .map(|at| format!("<MidiNoteEvent Time=\"{}\" Duration=\"0.25\" Velocity=\"100\"/>", f64::from(at) / 2.0))
        .collect();
    let clip = format!(
        "<ClipSlot Id=\"0\"><ClipSlot><Value><MidiClip Id=\"0\" Time=\"0\"><Loop><LoopStart Value=\"0\"/><LoopEnd \
         Value=\"4\"/><LoopOn Value=\"true\"/></Loop><Notes><KeyTracks><KeyTrack Id=\"0\"><Notes>{notes}</Notes><MidiKey \
         Value=\"60\"/></KeyTrack></KeyTracks></Notes></MidiClip></Value></ClipSlot></ClipSlot>"
    );
    let slots = clip.repeat(scenes);
    let track = format!(
        "<MidiTrack Id=\"1\"><DeviceChain><MainSequencer><ClipSlotList>{slots}</ClipSlotList></MainSequencer></DeviceChain>\
         </MidiTrack>"
    );
    set(&track.repeat(tracks), scenes)
}

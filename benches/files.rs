//! Files as large and as many as real folders have them, beside what others read them with: Live Sets of 48 and 100 MB
//! of XML beside Python's `xml.etree`, and 1,000 audio files beside `ffprobe`. Each reader is a process of its own, so
//! that its time and its peak of memory are its own; of ours they are read in `/proc`, which is Linux's. What is not
//! installed is left out, and said.

mod support;

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use support::{Table, rounds};
use svc_device::files::audio::probe;
use svc_device::files::read_budget::{ReadBudget, ReadLimits};
use svc_device::live_files::read_file;
use svc_device::paths::AllowedFolders;

/// This program, started once more to read what follows.
const READ: &str = "--read";
const SIZES_MB: [usize; 2] = [48, 100];
const AUDIO_FILES: usize = 1_000;
const RATE_HZ: u32 = 44_100;

/// Prints seconds and kilobytes of a parse of the whole tree.
const ELEMENT_TREE: &str = "
import gzip, resource, sys, time, xml.etree.ElementTree as tree
begun = time.perf_counter()
root = tree.parse(gzip.open(sys.argv[1])).getroot()
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
";

/// Prints seconds for all files, one program each, and kilobytes of the largest.
const FFPROBE: &str = "
import os, resource, subprocess, sys, time
folder = sys.argv[1]
begun = time.perf_counter()
for name in sorted(os.listdir(folder)):
    words = ['ffprobe', '-v', 'error', '-show_entries', 'stream=duration_ts', '-of', 'csv=p=0']
    subprocess.run(words + [os.path.join(folder, name)], check=True, stdout=subprocess.DEVNULL)
print(time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(path) = words.iter().position(|word| word == READ).and_then(|at| words.get(at + 1)) {
        return read(Path::new(path));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = Table::new(&["read", "size", "time", "memory at the peak"]);
    for megabytes in SIZES_MB {
        let (file, bytes) = live_set(folder.path(), megabytes);
        let size = format!("{:.1} MB of XML", bytes as f64 / 1e6);
        row(&mut table, &format!("a Live Set of {megabytes} MB, svc-device"), &size, ours(&file));
        row(
            &mut table,
            &format!("a Live Set of {megabytes} MB, xml.etree"),
            &size,
            python(ELEMENT_TREE, &file, "python3"),
        );
    }
    let count = rounds(AUDIO_FILES);
    let (files, bytes) = audio_files(folder.path(), count);
    let size = format!("{:.1} MB", bytes as f64 / 1e6);
    row(&mut table, &format!("{count} audio files, svc-device"), &size, ours(&files));
    row(&mut table, &format!("{count} audio files, ffprobe"), &size, python(FFPROBE, &files, "ffprobe"));
    table.print();
}

/// Seconds and kilobytes, or why there are none.
type Cost = Result<(f64, u64), String>;

fn row(table: &mut Table, name: &str, size: &str, cost: Cost) {
    let (time, peak) = match cost {
        Ok((seconds, kilobytes)) => (format!("{:.0} ms", seconds * 1e3), format!("{} MB", kilobytes / 1_000)),
        Err(why) => (why, String::new()),
    };
    table.row(name, [size.to_owned(), time, peak]);
}

/// In a process of its own: reads a Live Set, or every audio file of a folder.
fn read(path: &Path) {
    let begun = Instant::now();
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder").flatten() {
            let budget = ReadBudget::new(ReadLimits::CALL);
            probe(&entry.path().to_string_lossy(), &budget).expect("an audio file");
        }
    } else {
        drop(read_file(path, &AllowedFolders::default()).expect("a Live Set"));
    }
    let seconds = begun.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    println!("{seconds} {}", peak.trim().trim_end_matches(" kB"));
}

fn ours(path: &Path) -> Cost {
    let program = std::env::current_exe().map_err(|why| why.to_string())?;
    cost(Command::new(program).arg(READ).arg(path))
}

fn python(script: &str, path: &Path, needs: &str) -> Cost {
    if Command::new(needs).arg("-version").output().is_err() {
        return Err(format!("left out: {needs} is not installed"));
    }
    cost(Command::new("python3").args(["-c", script]).arg(path))
}

fn cost(command: &mut Command) -> Cost {
    let output = command.output().map_err(|why| format!("left out: {why}"))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut words = text.split_whitespace();
    let seconds = words.next().and_then(|word| word.parse().ok());
    let kilobytes = words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
    seconds.map(|seconds| (seconds, kilobytes)).ok_or_else(|| "left out: it failed".to_owned())
}

/// A Set of devices with automation targets and of clips with notes, as much of each.
fn live_set(folder: &Path, megabytes: usize) -> (PathBuf, usize) {
    let (devices, clips) = (track_of_devices(), track_of_clips(50));
    let wanted = megabytes * 1_000_000;
    let mut tracks = String::with_capacity(wanted);
    while tracks.len() + devices.len() + clips.len() < wanted {
        tracks.push_str(&devices);
        // Devices are many times larger than clips.
        (0..devices.len() / clips.len()).for_each(|_| tracks.push_str(&clips));
    }
    let scenes = "<Scene/>".repeat(50);
    let xml =
        format!("<Ableton><LiveSet><Tracks>{tracks}</Tracks><MainTrack/><Scenes>{scenes}</Scenes></LiveSet></Ableton>");
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(xml.as_bytes()).expect("memory takes it");
    let path = folder.join(format!("{megabytes}.als"));
    std::fs::write(&path, packer.finish().expect("memory takes it")).expect("the disk takes it");
    (path, xml.len())
}

fn track_of_devices() -> String {
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
    let devices = device.repeat(200);
    format!(
        "<MidiTrack Id=\"1\"><DeviceChain><DeviceChain><Devices>{devices}</Devices></DeviceChain></DeviceChain></MidiTrack>"
    )
}

fn track_of_clips(scenes: usize) -> String {
    let notes: String = (0..8)
        .map(|at| format!("<MidiNoteEvent Time=\"{}\" Duration=\"0.25\" Velocity=\"100\"/>", f64::from(at) / 2.0))
        .collect();
    let clip = format!(
        "<ClipSlot Id=\"0\"><ClipSlot><Value><MidiClip Id=\"0\" Time=\"0\"><Loop><LoopStart Value=\"0\"/><LoopEnd \
         Value=\"4\"/><LoopOn Value=\"true\"/></Loop><Notes><KeyTracks><KeyTrack Id=\"0\"><Notes>{notes}</Notes><MidiKey \
         Value=\"60\"/></KeyTrack></KeyTracks></Notes></MidiClip></Value></ClipSlot></ClipSlot>"
    );
    let slots = clip.repeat(scenes);
    format!(
        "<MidiTrack Id=\"1\"><DeviceChain><MainSequencer><ClipSlotList>{slots}</ClipSlotList></MainSequencer></DeviceChain>\
         </MidiTrack>"
    )
}

/// WAV files of a tenth of a second to two seconds, 16 bits, one channel or two.
fn audio_files(folder: &Path, count: usize) -> (PathBuf, usize) {
    let folder = folder.join("audio");
    std::fs::create_dir(&folder).expect("a folder");
    let mut all = 0;
    for at in 0..count {
        let channels = 1 + at % 2;
        let frames = RATE_HZ as usize / 10 * (1 + at % 20);
        let file = wav(channels, frames);
        all += file.len();
        std::fs::write(folder.join(format!("{at:04}.wav")), file).expect("the disk takes it");
    }
    (folder, all)
}

fn wav(channels: usize, frames: usize) -> Vec<u8> {
    let data = frames * channels * 2;
    let mut file = Vec::with_capacity(data + 44);
    let word = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes();
    file.extend_from_slice(b"RIFF");
    file.extend_from_slice(&word(data + 36));
    file.extend_from_slice(b"WAVEfmt \x10\0\0\0\x01\0");
    file.extend_from_slice(&[channels as u8, 0]);
    file.extend_from_slice(&RATE_HZ.to_le_bytes());
    file.extend_from_slice(&word(RATE_HZ as usize * channels * 2));
    file.extend_from_slice(&[channels as u8 * 2, 0, 16, 0]);
    file.extend_from_slice(b"data");
    file.extend_from_slice(&word(data));
    file.extend((0..data / 2).flat_map(|at| ((at % 200) as i16 * 100 - 10_000).to_le_bytes()));
    file
}

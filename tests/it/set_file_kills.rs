//! Somebody kills the device while it opens a Set, or just after it said that it has: what lies on the disk is whole,
//! as before or as after.

use crate::support::child::{Device, PATIENCE, Start, wait_until};
use crate::support::http::{Client, once};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use svc_device::device::set_files::read_set_file;
use svc_device::paths::AllowedFolders;

const TRACKS: usize = 60;
const SCENES: usize = 50;

/// A Live Set that takes a while to read and to write: a clip of eight notes in each slot.
fn large_live_set(folder: &Path) -> PathBuf {
    let notes: String = (0..8)
        .map(|at| format!("<MidiNoteEvent Time=\"{}\" Duration=\"0.25\" Velocity=\"100\"/>", f64::from(at) / 2.0))
        .collect();
    let slot = format!(
        "<ClipSlot><ClipSlot><Value><MidiClip Time=\"0\"><Loop><LoopStart Value=\"0\"/><LoopEnd Value=\"4\"/><LoopOn \
         Value=\"true\"/></Loop><Notes><KeyTracks><KeyTrack><Notes>{notes}</Notes><MidiKey Value=\"60\"/></KeyTrack>\
         </KeyTracks></Notes></MidiClip></Value></ClipSlot></ClipSlot>"
    );
    let track = format!(
        "<MidiTrack Id=\"1\"><DeviceChain><MainSequencer><ClipSlotList>{}</ClipSlotList></MainSequencer></DeviceChain>\
         </MidiTrack>",
        slot.repeat(SCENES)
    );
    let (tracks, scenes) = (track.repeat(TRACKS), "<Scene/>".repeat(SCENES));
    let xml =
        format!("<Ableton><LiveSet><Tracks>{tracks}</Tracks><MainTrack/><Scenes>{scenes}</Scenes></LiveSet></Ableton>");
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(xml.as_bytes()).expect("packed");
    let path = folder.join("large.als");
    fs::write(&path, packer.finish().expect("packed")).expect("written");
    path
}

/// Tracks, and the clips in their slots, of what lies in a file with its log.
fn counts(file: &Path) -> (usize, usize) {
    let read = read_set_file(file, &AllowedFolders::default()).expect("the file is whole");
    let tracks = &read.document().tracks;
    (tracks.len(), tracks.iter().map(|track| track.session.iter().count()).sum())
}

/// Whether the process has the file open.
fn has_open(process: u32, file: &Path) -> bool {
    let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    open.into_iter().any(|entry| fs::read_link(entry.path()).is_ok_and(|to| to == file))
}

/// Bytes of the logs and half-written states beside a file.
fn bytes_beside(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let is_beside = |name: &str| name.ends_with(".log") || name.ends_with(".new");
    let beside = entries.filter(|entry| is_beside(&entry.file_name().to_string_lossy()));
    beside.filter_map(|entry| entry.metadata().ok()).map(|about| about.len()).sum()
}

/// When the device is killed, told by what can be seen of it.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// It has begun to read the file.
    Reading,
    /// What was opened is on its way to the disk.
    Writing,
    /// The call was answered.
    Answered,
}

/// Sends the call and kills the device at that moment; the warnings, where it was answered.
fn killed_at(moment: Moment, mut device: Device, live_set: &Path, folder: &Path) -> Option<Value> {
    let body = json!({ "action": "open", "file": live_set }).to_string();
    let head = format!(
        "POST /api/tools/svc-manage HTTP/1.1\r\nHost: localhost:{}\r\nContent-Type: application/json\r\nContent-Length: \
         {}\r\n\r\n",
        device.addr().port(),
        body.len()
    );
    let before = bytes_beside(folder);
    let mut client = Client::connect(device.addr());
    assert!(client.send((head + &body).as_bytes()));
    let is_time = || match moment {
        Moment::Reading => has_open(device.process(), live_set),
        Moment::Writing => bytes_beside(folder) > before,
        Moment::Answered => true,
    };
    let answer = matches!(moment, Moment::Answered).then(|| ended(&device, client.reply().expect("an answer").json()));
    wait_until(PATIENCE, || is_time().then_some(())).unwrap_or_else(|| panic!("{moment:?} never comes"));
    device.kill();
    answer
}

/// The answer that says that it is done: the call's own, or the job's.
fn ended(device: &Device, answer: Value) -> Value {
    let id = answer["result"]["job"]["id"].clone();
    if id.is_null() {
        return answer;
    }
    let asked = json!({ "id": id }).to_string();
    let look = || {
        let answer = once(device.addr(), "POST", "/api/tools/svc-read-job", "", &asked).json();
        (answer["result"]["state"] == "done").then_some(answer)
    };
    wait_until(PATIENCE, look).expect("the job ends")
}

#[test]
fn what_was_opened_is_there_whole_or_not_at_all() {
    let new = (TRACKS, TRACKS * SCENES);
    for moment in [Moment::Reading, Moment::Writing, Moment::Answered] {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = folder.path().canonicalize().expect("a folder");
        let (live_set, own) = (large_live_set(&inside), inside.join("mine.svcset"));
        let bytes = fs::read(&live_set).expect("a file");
        let data = inside.join("data");
        let start = || Start::new().data_dir(&data).args(["--open".as_ref(), own.as_os_str()]).start();
        let mut device = start();
        device.change_config(json!({ "allowedFolders": [inside] }));
        device.call("svc-create-clip", json!({ "path": "t1/s2", "notes": "C3 1|1" }));
        // An end in order, so that all of that is in the file.
        device.signal("TERM");
        device.ended(PATIENCE).expect("it ends");
        let (tracks, clips) = counts(&own);
        assert!((tracks, clips) != new && clips == 1);

        let answer = killed_at(moment, start(), &live_set, &inside);
        let found = counts(&own);
        assert!(found == new || found == (tracks, clips), "{moment:?}: {found:?}");
        match (moment, &answer) {
            (Moment::Reading, _) => assert_eq!(found, (tracks, clips), "nothing was put in place yet"),
            // An answer that does not say otherwise speaks of what is on the disk.
            (_, Some(told)) if !told["warnings"].to_string().contains("saved: false") => {
                assert_eq!((&told["isError"], found), (&json!(false), new), "{told}");
            }
            _ => {}
        }
        // It goes on with what was found, and nothing of the killed one stays.
        let device = start();
        assert_eq!(device.config()["heldState"], Value::Null, "{moment:?}");
        let read = device.call("svc-read-live-set", json!({ "include": ["tracks"] }));
        assert_eq!(read["tracks"].as_array().map(Vec::len), Some(found.0), "{moment:?}");
        let names = fs::read_dir(&inside).expect("a folder").flatten().map(|entry| entry.file_name());
        let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        assert!(!names.iter().any(|name| name.ends_with(".damaged")), "{moment:?}: {names:?}");
        assert_eq!(fs::read(&live_set).expect("a file"), bytes);
    }
}

/// The file beside a Live Set is made whole: a kill in the middle leaves none, and the next start makes it.
#[test]
fn a_kill_while_the_file_beside_a_live_set_is_made_leaves_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let (live_set, own) = (large_live_set(folder.path()), folder.path().join("large.svcset"));
    let start = || Start::new().args(["--open".as_ref(), live_set.as_os_str()]);
    start().killed_when(|| bytes_beside(folder.path()) > 0 || own.exists());
    let litter = fs::read_dir(folder.path()).expect("a folder").flatten();
    let litter = litter.filter(|entry| entry.file_name().to_string_lossy().ends_with(".new")).count();
    assert!(own.exists() != (litter == 1), "either it is there, or it is being written");
    let device = if own.exists() {
        // It was faster.
        assert_eq!(counts(&own), (TRACKS, TRACKS * SCENES));
        Start::new().args(["--open".as_ref(), own.as_os_str()]).start()
    } else {
        start().start()
    };
    let read = device.call("svc-read-live-set", json!({ "include": ["tracks"] }));
    assert_eq!(read["tracks"].as_array().map(Vec::len), Some(TRACKS));
    assert_eq!(counts(&own), (TRACKS, TRACKS * SCENES));
    let left = fs::read_dir(folder.path()).expect("a folder").flatten();
    assert!(!left.into_iter().any(|entry| entry.file_name().to_string_lossy().ends_with(".new")));
}

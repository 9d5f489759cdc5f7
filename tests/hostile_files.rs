//! Files that were made to hurt: a few kilobytes that would be gigabytes, names without end, a million clips, racks and
//! groups in circles. Each is refused with what is too much or wrong, in bounded memory.
//!
//! A file of its own, because the allocator counts for a whole binary.

#[path = "laws/audio_files.rs"]
mod audio_laws;
#[path = "support/peak_allocator.rs"]
mod peak_allocator;

use flate2::Compression;
use flate2::write::GzEncoder;
use peak_allocator::peak_of;
use std::io::Write;
use svc_device::device::packed_state;
use svc_device::live_files::{SampleSearch, read_preset, read_set};

const MB: u64 = 1_000_000;

/// A file: what stands before and behind a piece that is repeated so often.
struct Hostile {
    what: &'static str,
    head: String,
    piece: String,
    times: usize,
    tail: String,
    why: &'static str,
    most: u64,
}

impl Hostile {
    fn new(what: &'static str, [head, piece, tail]: [&str; 3], times: usize, why: &'static str, most: u64) -> Hostile {
        let [head, piece, tail] = [head, piece, tail].map(str::to_owned);
        Hostile { what, head, piece, times, tail, why, most }
    }

    /// Compressed as it is made: the text itself is never in memory.
    fn packed(&self) -> Vec<u8> {
        let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
        packer.write_all(self.head.as_bytes()).expect("packed");
        // In large pieces, because this is not what is looked at.
        let (at_once, mut left) = (self.piece.repeat(1_000), self.times);
        while left > 0 {
            let count = left.min(1_000);
            packer.write_all(&at_once.as_bytes()[..count * self.piece.len()]).expect("packed");
            left -= count;
        }
        packer.write_all(self.tail.as_bytes()).expect("packed");
        packer.finish().expect("packed")
    }

    /// Has it read; the refusal tells what is wrong, and memory was bounded.
    fn is_refused(&self, read: impl Fn(&[u8]) -> Result<(), String>) {
        let file = self.packed();
        let (read, peak) = peak_of(|| read(&file));
        let refusal = read.expect_err(self.what);
        assert!(refusal.contains(self.why), "{}: {refusal:.400}", self.what);
        assert!(refusal.len() < 4_000, "{}: a refusal of {} bytes", self.what, refusal.len());
        assert!(peak <= self.most, "{}: {peak} bytes of memory, {} at most", self.what, self.most);
    }
}

/// Of a Live Set, inside its `LiveSet`, and of a preset.
fn live(inside: &str) -> String {
    format!("<Ableton><LiveSet>{inside}")
}

fn as_set(file: &[u8]) -> Result<(), String> {
    read_set(file, SampleSearch::nowhere()).map(drop).map_err(|error| error.to_string())
}

fn as_preset(file: &[u8]) -> Result<(), String> {
    read_preset(file, SampleSearch::nowhere()).map(drop).map_err(|error| error.to_string())
}

fn as_state(file: &[u8]) -> Result<(), String> {
    packed_state::read(file).map(drop).map_err(|error| error.to_string())
}

const CLIP: &str = "<ClipSlot><ClipSlot><Value><MidiClip Time=\"0\"><Loop><LoopStart Value=\"0\"/><LoopEnd Value=\"4\"/>\
                    </Loop></MidiClip></Value></ClipSlot></ClipSlot>";

#[test]
fn live_sets_are_refused_in_bounded_memory() {
    let slots = live("<Tracks><MidiTrack Id=\"1\"><DeviceChain><MainSequencer><ClipSlotList>");
    let (name, deep) = (live("<Tracks><MidiTrack Id=\"1\"><Name><UserName Value=\""), live(""));
    for hostile in [
        Hostile::new("a text of 40 MB", [&live("<A>"), "x", ""], 40_000_000, "33554432 bytes in one piece", 110 * MB),
        Hostile::new("a name of 10 MB", [&name, "n", "\"/></Name>"], 10_000_000, "a tag of 10000", 50 * MB),
        Hostile::new(
            "an element's name of 10 MB",
            [&format!("{deep}<"), "N", "/>"],
            10_000_000,
            "with a name of 10000",
            50 * MB,
        ),
        Hostile::new(
            "an attribute's name of 10 MB",
            [&format!("{deep}<A "), "N", "=\"\"/>"],
            10_000_000,
            "a tag of 10000",
            50 * MB,
        ),
        Hostile::new("a million elements deep", [&deep, "<A>", ""], 1_000_000, "512 deep", 4 * MB),
        Hostile::new("a million clips", [&slots, CLIP, ""], 1_000_000, "more than 200000 clips", 400 * MB),
        Hostile::new(
            "a million tracks",
            [&live("<Tracks>"), "<MidiTrack Id=\"1\"/>", ""],
            1_000_000,
            "more than 2000 tracks",
            20 * MB,
        ),
        Hostile::new(
            "a million scenes",
            [&live("<Scenes>"), "<Scene/>", ""],
            1_000_000,
            "more than 10000 scenes",
            20 * MB,
        ),
        Hostile::new(
            "entities in entities",
            ["<!DOCTYPE a [<!ENTITY b \"", "&b;", "\">]><Ableton/>"],
            1_000,
            "a document type",
            MB,
        ),
    ] {
        hostile.is_refused(as_set);
    }
}

#[test]
fn presets_are_refused_in_bounded_memory() {
    let rack = "<Ableton><GroupDevicePreset><Device><InstrumentGroupDevice/></Device><BranchPresets>";
    let branch = "<InstrumentBranchPreset><DevicePresets/></InstrumentBranchPreset>";
    for hostile in [
        Hostile::new("a text of 40 MB", ["<Ableton><A>", "x", ""], 40_000_000, "33554432 bytes in one piece", 110 * MB),
        Hostile::new("a million chains", [rack, branch, ""], 1_000_000, "more than 200000 chains", 400 * MB),
        Hostile::new("a million elements deep", ["<Ableton>", "<A>", ""], 1_000_000, "512 deep", 4 * MB),
    ] {
        hostile.is_refused(as_preset);
    }
}

#[test]
fn states_are_refused_in_bounded_memory() {
    let set = "{\"format\":4,\"set\":";
    for hostile in [
        Hostile::new(
            "a name of 40 MB",
            [&format!("{set}{{\"song\":{{\"name\":\""), "n", "\""],
            40_000_000,
            "a text of more than",
            100 * MB,
        ),
        Hostile::new(
            "a member of 40 MB",
            [&format!("{set}{{\""), "n", "\":1}"],
            40_000_000,
            "a text of more than",
            100 * MB,
        ),
        Hostile::new("a million lists deep", [set, "[", ""], 1_000_000, "damaged", 20 * MB),
        Hostile::new("a million objects deep", [set, "{\"song\":", ""], 1_000_000, "damaged", 20 * MB),
    ] {
        hostile.is_refused(as_state);
    }
}

/// Groups in themselves and in one another, and tracks that are their own outputs.
#[test]
fn what_goes_in_circles_is_cut() {
    let set = |tracks: &str| {
        format!("<Ableton><LiveSet><Tracks>{tracks}</Tracks><MainTrack/><Scenes><Scene/></Scenes></LiveSet></Ableton>")
    };
    let group =
        |id: u32, within: u32| format!("<GroupTrack Id=\"{id}\"><TrackGroupId Value=\"{within}\"/></GroupTrack>");
    let packed = |xml: String| Hostile::new("", [&xml, "", ""], 0, "", 0).packed();
    for tracks in [group(1, 1), group(1, 2) + &group(2, 1)] {
        assert_eq!(as_set(&packed(set(&tracks))), Ok(()), "{tracks}");
    }
    let routed = |id: u32, to: u32| {
        format!(
            "<AudioTrack Id=\"{id}\"><DeviceChain><AudioInputRouting><Target Value=\"AudioIn/Track.{to}/TrackOut\"/>\
             </AudioInputRouting><AudioOutputRouting><Target Value=\"AudioOut/Track.{to}/TrackIn\"/></AudioOutputRouting>\
             </DeviceChain></AudioTrack>"
        )
    };
    for tracks in [routed(1, 1), routed(1, 2) + &routed(2, 1)] {
        assert_eq!(as_set(&packed(set(&tracks))), Ok(()), "{tracks}");
    }
}

/// The seeds of the fuzzer, each cut at many places and with bytes turned.
#[test]
fn audio_files_end_in_bounded_memory() {
    let seeds =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/fuzz/corpus/audio")).expect("the seeds are there");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("any");
    let mut count = 0;
    for seed in seeds {
        let path = seed.expect("a seed").path();
        let whole = std::fs::read(&path).expect("a seed");
        count += 1;
        for slip in 0..120 {
            let mut bytes = whole.clone();
            // Any order does, as long as it is the same each time.
            let place = (slip * 7_919 + 13) % bytes.len().min(400);
            match slip % 3 {
                0 => bytes.truncate(place.max(4)),
                1 => bytes[place] ^= 1 << (slip % 8),
                _ => bytes[place..].iter_mut().take(4).for_each(|byte| *byte = if slip % 2 == 0 { 0xFF } else { 0 }),
            }
            let ((), peak) = peak_of(|| audio_laws::audio(&bytes, &file));
            assert!(peak <= 24 * MB, "{}: {peak} bytes of memory", path.display());
        }
    }
    assert!(count >= 14, "{count} seeds");
}

/// A head of a few bytes claims what it likes: nothing is taken of memory for what is not there.
#[test]
fn heads_that_claim_much_take_no_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("any");
    let long = |head: &[u8], body: &[u8]| [head, &[0xFF; 64], body].concat();
    for bytes in [
        long(b"RIFF\xFF\xFF\xFF\xFFWAVEfmt ", b"data"),
        long(b"FORM\xFF\xFF\xFF\xFFAIFCCOMM", b"SSND"),
        long(b"fLaC\x80\xFF\xFF\xFF", b""),
        long(b"OggS\0\x02", b""),
        long(b"ID3\x04\0\0\x7F\x7F\x7F\x7F", b""),
        b"RIFF\0\0\0\0WAVE".iter().copied().chain(b"junk\0\0\0\0".repeat(200_000)).collect(),
    ] {
        let ((), peak) = peak_of(|| audio_laws::audio(&bytes, &file));
        assert!(peak <= 24 * MB, "{peak} bytes of memory");
    }
}

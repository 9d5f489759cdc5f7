//! What is small stays cheap: a thousand files that somebody made to be expensive, and the memory that this process
//! needed for them at most.
#![cfg(target_os = "linux")]

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use svc_device::device::set_files::read_set_file;
use svc_device::paths::AllowedFolders;
use svc_device::set::Document;
use svc_device::set::edit::saved_set;

const MOST_MB: u64 = 700;
const INPUTS: usize = 1_000;
/// Of each kind one is large: so many pieces.
const LARGE: usize = 1_000_000;
const SMALL: usize = 200;

fn highest_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find(|line| line.starts_with("VmHWM")).expect("the highest memory");
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<u64>().ok()).expect("a number") / 1024
}

/// A beginning, a piece that comes again and again, and an end.
fn kinds(set: &str) -> Vec<(String, &'static str, String)> {
    let track = r#"{"set":{"song":{},"tracks":["#;
    let of = |head: &str, piece: &'static str, tail: &str| (head.to_owned(), piece, tail.to_owned());
    let rest = set.strip_prefix('{').unwrap_or_default();
    vec![
        of(r#"{"x":["#, r#"{"a":0},"#, &format!("0],{rest}")),
        of(r#"{"x":["#, "[],", &format!("0],{rest}")),
        of(r#"{"x":{"#, r#""a":{"b":[]},"#, &format!("\"z\":0}},{rest}")),
        of(r#"{"x":""#, "nnnnnnnn", &format!("\",{rest}")),
        of(r#"{"format":5,"settings":{"disabledTools":["#, r#"{"a":0},"#, "0]}}"),
        of(r#"{"format":5,"settings":{"allowedFolders":["#, r#""/a","#, "\"/b\"]}}"),
        of(r#"{"format":5,"settings":{"projectContext":""#, "nnnnnnnn", "\"}}"),
        of(r#"{"format":5,"id":["#, "[[]],", "0]}"),
        of(r#"{"format":5,"set":{"scenes":["#, "{},", "{}]}}"),
        of(r#"{"format":5,"set":{"scenes":["#, r#"{"serial":1,"name":""},"#, "{}]}}"),
        of(r#"{"format":5,"set":{"cue_points":["#, r#"{"serial":1,"time":0,"name":""},"#, "{}]}}"),
        of(r#"{"format":5,"set":{"grooves":["#, "{},", "{}]}}"),
        of(r#"{"format":5,"set":{"song":{"stored":{"#, r#""a":[{}],"#, "\"z\":0}}}"),
        of(r#"{"format":5,"set":{"song":{"stored":{"a":["#, r#"{"a":0},"#, "0]}}}}"),
        of(r#"{"format":5,"set":"#, "[", "]"),
        of(r#"{"format":5,"set":{"tracks":["#, r#"{"serial":1,"devices":[{}]},"#, "{}]}}"),
        of(track, "{},", "{}]}}"),
        of("[", "{},", "{}]"),
        of(
            r#"<?xml version="1.0"?><Ableton><LiveSet><Tracks>"#,
            r#"<MidiTrack Id="1"/>"#,
            "</Tracks></LiveSet></Ableton>",
        ),
        of(
            r#"<?xml version="1.0"?><Ableton><LiveSet><Scenes>"#,
            "<Scene><Name/></Scene>",
            "</Scenes></LiveSet></Ableton>",
        ),
        of(r#"<?xml version="1.0"?><Ableton>"#, "<a>", "</Ableton>"),
        of(r#"<?xml version="1.0"?><Ableton><a b=""#, "nnnnnnnn", "\"/></Ableton>"),
    ]
}

#[test]
fn hostile_files_take_little_memory() {
    let folder = tempfile::tempdir().expect("a folder");
    let set = saved_set::save(&Document::new_set());
    let kinds = kinds(&set);
    for number in 0..INPUTS {
        let Some((head, piece, tail)) = kinds.get(number % kinds.len()) else { continue };
        let round = number / kinds.len();
        let count = if round == 0 { LARGE } else { SMALL * round };
        let is_packed = head.starts_with('<') || round.is_multiple_of(2);
        let file = folder.path().join(if head.starts_with('<') { "x.als" } else { "x.svcset" });
        let out = std::fs::File::create(&file).expect("a file");
        let block = piece.repeat(1_000);
        let write = |to: &mut dyn Write| -> std::io::Result<()> {
            to.write_all(head.as_bytes())?;
            (0..count.div_ceil(1_000)).try_for_each(|_| to.write_all(block.as_bytes()))?;
            to.write_all(tail.as_bytes())
        };
        if is_packed {
            let mut gzip = GzEncoder::new(out, Compression::fast());
            write(&mut gzip).and_then(|()| gzip.finish().map(drop)).expect("written");
        } else {
            write(&mut std::io::BufWriter::new(out)).expect("written");
        }
        let read = read_set_file(&file, &AllowedFolders::default());
        let highest = highest_mb();
        assert!(highest < MOST_MB, "{highest} MB after {number}, {head} {piece}: {:?}", read.err());
    }
}

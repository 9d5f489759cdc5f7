//! Files that are no Sets, or would cost too much: refused with what is wrong, and where.

use super::super::limits::{Countable, MAX_DEPTH, MAX_NAME_BYTES, MAX_PIECE_BYTES, MAX_XML_BYTES};
use super::*;
use proptest::prelude::*;

const TEMPO: &str = r#"<Tempo><Manual Value="101"/><AutomationTarget Id="41"/></Tempo>"#;

fn refusal(xml: &str) -> String {
    read(xml).unwrap_err().to_string()
}

/// The Set with one text replaced, which has to be there.
fn spoilt(from: &str, to: &str) -> String {
    assert!(ONE_OF_EACH.contains(from), "{from}");
    ONE_OF_EACH.replacen(from, to, 1)
}

#[test]
fn what_is_no_set_is_told_from_what_is_a_damaged_one() {
    let set = |inside: &str| format!("<Ableton><LiveSet>{inside}</LiveSet></Ableton>");
    for (xml, why) in [
        (String::new(), "packed by gzip, it is empty"),
        ("plain words".to_owned(), "packed by gzip, it does not hold XML"),
        ("{\"format\":4}".to_owned(), "packed by gzip, it is JSON text"),
        ("<Bitwig/>".to_owned(), "its root is Bitwig, not Ableton"),
        ("<Ableton><GroupDevicePreset/></Ableton>".to_owned(), "it is a preset of a device or a rack"),
        ("<Ableton/>".to_owned(), "it holds no LiveSet"),
        ("<Ableton><LiveSet/></Ableton><Ableton/>".to_owned(), "a second root element"),
        ("<Ableton><LiveSet>".to_owned(), "it ends here, with elements that are open"),
        ("<Ableton><LiveSet></Ableton>".to_owned(), "damaged at /Ableton/LiveSet"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><Ableton/>".to_owned(), "a document type"),
        (set("<Tracks>&b;</Tracks>"), "the entity &b;"),
        (set(""), "it holds no tracks, no scenes and no main track"),
    ] {
        let got = refusal(&xml);
        assert!(got.contains(why), "{xml:.60}: {got}");
    }
    let raw = |bytes: &[u8]| read_set(bytes, SampleSearch::default()).unwrap_err().to_string();
    assert_eq!(raw(b""), "the file is no Live Set: it is empty");
    assert!(raw(b"\xAB\x1E\x56\x78\0\0").contains("saved by Live 7 or before"));
    let mut latin = compressed(b"<Ableton><LiveSet Name=\"\xFF\"/></Ableton>");
    assert!(raw(&latin).contains("damaged"), "{}", raw(&latin));
    // The checksum stands at the end.
    latin = compressed(ONE_OF_EACH.as_bytes());
    let at = latin.len() - 8;
    latin[at] ^= 1;
    assert!(raw(&latin).contains("cannot be inflated"), "{}", raw(&latin));
}

#[test]
fn plain_xml_opens() {
    let packed = read(ONE_OF_EACH).unwrap().document;
    let plain = read_set(ONE_OF_EACH.as_bytes(), SampleSearch::nowhere()).unwrap().document;
    assert_eq!((packed.tracks.len(), packed.song.tempo_bpm), (plain.tracks.len(), plain.song.tempo_bpm));
}

#[test]
fn presets_and_sets_are_told_apart() {
    let as_preset = |xml: &str| read_preset(compressed(xml.as_bytes()).as_slice(), SampleSearch::nowhere());
    let why = as_preset(ONE_OF_EACH).unwrap_err().to_string();
    assert!(why.starts_with("the file is no preset of Live's: it is a Live Set"), "{why}");
    let why = as_preset("<Ableton><Limiter>").unwrap_err().to_string();
    assert!(why.starts_with("the preset is damaged at /Ableton/Limiter"), "{why}");
}

/// Where a file does not say what every Set has, the report does.
#[test]
fn what_is_not_said_is_told() {
    for (from, kind) in [
        (TEMPO, "tempo, which the file does not say: 120 BPM"),
        (
            r#"<TimeSignature><Manual Value="202"/><AutomationTarget Id="42"/></TimeSignature>"#,
            "time signature, which the file does not say: 4/4",
        ),
    ] {
        let read = read(&spoilt(from, "")).unwrap();
        assert_eq!(read.report.left_out.get(kind), Some(&1), "{:?}", read.report);
    }
    // A macro that a variation does not have, whatever stands beside it.
    let without = r#"<MacroHasValue.1 Value="false"/><MacroValues.1 Value="127"/>"#;
    let read = read(&spoilt(r#"<MacroValues.1 Value="127"/>"#, without)).unwrap();
    let document = serde_json::to_value(&read.document).unwrap();
    assert_eq!(document.pointer("/tracks/1/devices/1/rack/variations/0/1"), Some(&serde_json::json!(0.0)));
}

#[test]
fn bombs_are_refused_before_they_are_large() {
    let set = |inside: &str| format!("<Ableton><LiveSet>{inside}</LiveSet></Ableton>");
    let deep = "<A>".repeat(MAX_DEPTH + 1);
    let name = "N".repeat(MAX_NAME_BYTES + 1);
    for (xml, why) in [
        (set(&deep), "deep in one another".to_owned()),
        (set(&format!("<{name}/>")), format!("with a name of {}", MAX_NAME_BYTES + 1)),
        (set(&format!("<A B=\"{}\"/>", "x".repeat(2 << 20))), "a tag of".to_owned()),
        (
            set(&format!("<Scenes>{}</Scenes>", "<Scene/>".repeat(10_001))),
            format!("more than {} scenes", Countable::Scenes.limit()),
        ),
    ] {
        assert!(refusal(&xml).contains(&why), "{why}: {}", refusal(&xml));
    }
    // Of one piece, and of many.
    let endless = |piece: &[u8], times: u64| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(b"<Ableton><LiveSet><A>").unwrap();
        for _ in 0..times {
            encoder.write_all(piece).unwrap();
        }
        read_set(encoder.finish().unwrap().as_slice(), SampleSearch::default()).unwrap_err()
    };
    let mebibyte = vec![b'x'; 1 << 20];
    assert_eq!(
        endless(&mebibyte, (MAX_PIECE_BYTES >> 20) + 1),
        ReadError::TooLarge { what: "bytes in one piece of XML", limit: MAX_PIECE_BYTES }
    );
    let mut comment = mebibyte;
    comment[..4].copy_from_slice(b"<!--");
    let end = comment.len() - 3;
    comment[end..].copy_from_slice(b"-->");
    assert_eq!(
        endless(&comment, (MAX_XML_BYTES >> 20) + 1),
        ReadError::TooLarge { what: "bytes of XML", limit: MAX_XML_BYTES }
    );
}

#[test]
fn racks_are_read_as_deep_as_a_set_may_have_them() {
    const DEEP: usize = 20;
    let rack = "<AudioEffectGroupDevice><Branches><AudioEffectBranch><DeviceChain><AudioToAudioDeviceChain><Devices>";
    let end =
        "</Devices></AudioToAudioDeviceChain></DeviceChain></AudioEffectBranch></Branches></AudioEffectGroupDevice>";
    let devices = format!("{}<Limiter/>{}", rack.repeat(DEEP), end.repeat(DEEP));
    let set = format!(
        "<Ableton><LiveSet><Tracks><AudioTrack><DeviceChain><DeviceChain><Devices>{devices}</Devices></DeviceChain>\
         </DeviceChain></AudioTrack></Tracks><MainTrack/><Scenes><Scene/></Scenes></LiveSet></Ableton>"
    );
    let read = read(&set).unwrap();
    assert_eq!(read.report.read["chains"], 16);
    assert_eq!(read.report.left_out["racks more than 16 deep in one another"], 1);
}

#[test]
fn a_file_that_was_cut_off_is_refused_wherever() {
    let whole = compressed(ONE_OF_EACH.as_bytes());
    for length in 0..whole.len() {
        let cut = whole.get(..length).unwrap();
        assert!(read_set(cut, SampleSearch::default()).is_err(), "{length} of {} bytes", whole.len());
    }
    let text = ONE_OF_EACH.trim_end();
    for length in (0..text.len()).step_by(7) {
        assert!(read(&text[..length]).is_err(), "{length} of {} characters", text.len());
    }
}

proptest! {
    /// Whatever stands there: a document that passes its check, or a refusal.
    #[test]
    fn nothing_brings_it_down(
        at in 0usize..ONE_OF_EACH.len(), length in 0usize..40, put in "[<>/=\"&;A-Za-z0-9. -]{0,12}",
    ) {
        let mut xml = ONE_OF_EACH.as_bytes().to_vec();
        xml.splice(at..(at + length).min(xml.len()), put.bytes());
        if let Ok(file) = read_set(compressed(&xml).as_slice(), SampleSearch::default()) {
            prop_assert!(crate::set::edit::validate::validate(&file.document).is_ok());
        }
    }
}

#[test]
fn all_members_of_gzip_are_read() {
    let (head, tail) = ONE_OF_EACH.as_bytes().split_at(ONE_OF_EACH.len() / 2);
    let mut file = [compressed(head), compressed(tail)].concat();
    assert_eq!(read_set(file.as_slice(), SampleSearch::nowhere()).unwrap().document.tracks.len(), 3);
    file.extend(b"behind it");
    assert!(read_set(file.as_slice(), SampleSearch::nowhere()).is_ok(), "what lies behind the members is no fault");
}

#[test]
fn grooves_and_themes_are_named() {
    for (root, named) in [("Groove", "it is a groove (.agr)"), ("Theme", "it is a theme (.ask)")] {
        let xml = format!("<Ableton><{root}><Name Value=\"x\"/></{root}></Ableton>");
        let why = read_set(xml.as_bytes(), SampleSearch::nowhere()).unwrap_err().to_string();
        assert!(why.contains(named), "{why}");
    }
}

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
fn bad_values_are_named_with_their_place() {
    let riff =
        "/Ableton/LiveSet/Tracks/MidiTrack/DeviceChain/MainSequencer/ClipSlotList/ClipSlot/ClipSlot/Value/MidiClip";
    let note = format!("{riff}/Notes/KeyTracks/KeyTrack/Notes/MidiNoteEvent");
    for (from, to, place, why) in [
        (r#"Velocity="96.5""#, r#"Velocity="128""#, note.as_str(), r#"Velocity is a number from 1 to 127, not "128""#),
        (r#"Velocity="96.5""#, r#"Velocity="NaN""#, &note, "not \"NaN\""),
        (r#"Duration="0.5""#, r#"Duration="0""#, &note, "no duration"),
        (r#"Time="2" Duration="0.5""#, r#"Duration="0.5""#, &note, "MidiNoteEvent has no Time"),
        (r#"Time="3.25""#, r#"Time="1e300""#, &note, "Time is a number"),
        (r#"Probability="0.75""#, r#"Probability="1.5""#, &note, "Probability is a number from 0 to 1"),
        (r#"IsEnabled="false""#, r#"IsEnabled="no""#, &note, "IsEnabled is true or false, not \"no\""),
        (r#"<MidiKey Value="61"/>"#, r#"<MidiKey Value="128"/>"#, riff, "MidiKey is a whole number from 0 to 127"),
        (r#"<MidiKey Value="61"/>"#, "", riff, "KeyTrack has no MidiKey"),
        (r#"<LaunchMode Value="2"/>"#, r#"<LaunchMode Value="4"/>"#, riff, "LaunchMode is a whole number from 0 to 3"),
        (r#"<LoopEnd Value="6"/>"#, r#"<LoopEnd Value="2"/>"#, riff, "ends at 2 and starts at 2"),
        (r#"<LoopEnd Value="6"/>"#, r#"<LoopEnd/>"#, riff, "LoopEnd has no Value"),
        (r#"<Denominator Value="8"/>"#, r#"<Denominator Value="7"/>"#, riff, "no time signature"),
        (r#"<CurrentEnd Value="19"/>"#, r#"<CurrentEnd Value="16"/>"#, "/Ableton", "ends at 16 and starts at 16"),
    ] {
        let got = refusal(&spoilt(from, to));
        assert!(got.contains(place) && got.contains(why), "{to}: {got}");
    }
}

#[test]
fn what_is_no_set_is_told_from_what_is_a_damaged_one() {
    let set = |inside: &str| format!("<Ableton><LiveSet>{inside}</LiveSet></Ableton>");
    for (xml, why) in [
        (String::new(), "it holds no XML"),
        ("plain words".to_owned(), "it holds no XML"),
        ("<Bitwig/>".to_owned(), "its root is Bitwig, not Ableton"),
        ("<Ableton><GroupDevicePreset/></Ableton>".to_owned(), "holds no LiveSet"),
        ("<Ableton><LiveSet/><LiveSet/></Ableton>".to_owned(), "a second LiveSet"),
        ("<Ableton><LiveSet/></Ableton><Ableton/>".to_owned(), "a second root element"),
        ("<Ableton><LiveSet>".to_owned(), "it ends here, with elements that are open"),
        ("<Ableton><LiveSet></Ableton>".to_owned(), "damaged at /Ableton/LiveSet"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><Ableton/>".to_owned(), "a document type"),
        (set("<Tracks>&b;</Tracks>"), "the entity &b;"),
        (set("<GlobalQuantisation Value=\"&b;\"/>"), "Value of GlobalQuantisation"),
        (set(""), "it has no main track"),
        (set("<MainTrack/>"), "it has no tracks"),
        (set("<MainTrack/><Tracks><MidiTrack Id=\"1\"/></Tracks>"), "it has no scenes"),
        (spoilt(r#"TrackGroupId Value="7""#, r#"TrackGroupId Value="8""#), "in the group 8, which does not stand"),
        (spoilt(r#"Value="133.5""#, r#"Value="1""#), "Tempo is a number from 20 to 999"),
        (spoilt(r#"Value="133.5""#, r#"Value="NaN""#), "not \"NaN\""),
        (spoilt(TEMPO, r#"<Tempo><Manual Value="NaN"/></Tempo>"#), "Tempo is a number from 20 to 999, not \"NaN\""),
        (spoilt(TEMPO, r#"<Tempo><Manual Value="0"/></Tempo>"#), "Tempo is a number from 20 to 999, not \"0\""),
        // Whatever an envelope says of it.
        (spoilt(r#"<Manual Value="101"/>"#, r#"<Manual Value="1e308"/>"#), "not \"1e308\""),
        (spoilt(r#"<Manual Value="202"/>"#, r#"<Manual Value="999"/>"#), "TimeSignature is a whole number"),
        (spoilt("<MidiClip Id=\"0\"", "<AudioClip Id=\"0\"").replace("</MidiClip>", "</AudioClip>"), "damaged"),
    ] {
        let got = refusal(&xml);
        assert!(got.contains(why), "{xml:.60}: {got}");
    }
    let raw = |bytes: &[u8]| read_set(bytes, SampleSearch::default()).unwrap_err().to_string();
    assert_eq!(raw(b""), "the file is no Live Set: it is empty");
    assert_eq!(raw(ONE_OF_EACH.as_bytes()), "the file is no Live Set: it is not gzip-compressed");
    let mut latin = compressed(b"<Ableton><LiveSet Name=\"\xFF\"/></Ableton>");
    assert!(raw(&latin).contains("damaged"), "{}", raw(&latin));
    // The checksum stands at the end.
    latin = compressed(ONE_OF_EACH.as_bytes());
    let at = latin.len() - 8;
    latin[at] ^= 1;
    assert!(raw(&latin).contains("cannot be inflated"), "{}", raw(&latin));
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
        (set(&format!("<Annotation Value=\"{}\"/>", "x".repeat(1 << 17))), "a text of".to_owned()),
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

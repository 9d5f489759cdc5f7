//! Presets written by hand, as Live 12 spells them.

use super::super::{PresetFile, read_preset};
use super::every_part::elements;
use super::*;
use serde_json::{Value as Json, json};

const DRUM_RACK: &str = include_str!("drum_rack.xml");

fn read_device(xml: &str) -> Result<PresetFile, ReadError> {
    let project = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/kit.adg"));
    read_preset(compressed(xml.as_bytes()).as_slice(), SampleSearch::around(&project, &AllowedFolders::default()))
}

#[test]
fn a_rack_is_read_with_what_it_holds() {
    let read = read_device(DRUM_RACK).unwrap();
    let device = serde_json::to_value(&read.device).unwrap();
    let (chain, inner) = ("/rack/chains/0", "/rack/chains/0/devices/1/rack/chains/0");
    for (place, want) in [
        ("/class_name".to_owned(), json!("DrumGroupDevice")),
        ("/values/0".to_owned(), json!(0.0)),
        ("/values/4".to_owned(), json!(12.5)),
        ("/rack/visible_macros".to_owned(), json!(6)),
        ("/rack/macro_names/3".to_owned(), json!("Snap")),
        ("/rack/mappings/0/macro_index".to_owned(), json!(3)),
        ("/rack/mappings/0/at_0".to_owned(), json!(-20.0)),
        ("/rack/mappings/0/device".to_owned(), device.pointer("/rack/chains/0/devices/0/serial").unwrap().clone()),
        ("/rack/return_chains/0/name".to_owned(), json!("Room")),
        (format!("{chain}/name"), json!("Snare")),
        (format!("{chain}/solo"), json!(true)),
        (format!("{chain}/auto_colored"), json!(true)),
        (format!("{chain}/color"), json!(11)),
        (format!("{chain}/volume"), json!(0.7)),
        (format!("{chain}/sends"), json!([1.0])),
        (format!("{chain}/in_note"), json!(38)),
        (format!("{chain}/out_note"), json!(48)),
        (format!("{chain}/choke_group"), json!(2)),
        (format!("{chain}/devices/0/name"), json!("Crack")),
        (format!("{chain}/devices/0/values/20"), json!(-9.0)),
        (format!("{chain}/devices/0/sample/sample_rate_hz"), json!(22_050.0)),
        (format!("{chain}/devices/1/name"), json!("Glue")),
        (format!("{inner}/name"), json!("Dry")),
        (format!("{inner}/zones/selector/high"), json!(7)),
        (format!("{inner}/devices/0/name"), json!("Trim")),
    ] {
        assert_eq!(device.pointer(&place), Some(&want), "{place}");
    }
    let remark = read.report.remark().unwrap();
    assert!(remark.contains("unknown: 1 GroupDevicePreset/Hologram"), "{remark}");
}

#[test]
fn a_device_alone_is_read() {
    let device = |inside: &str| read_device(&format!("<Ableton>{inside}</Ableton>"));
    let read = device(r#"<MidiPitcher><Pitch><Manual Value="-12"/></Pitch></MidiPitcher>"#).unwrap();
    assert_eq!((read.device.class_name.as_str(), read.device.values[1]), ("MidiPitcher", -12.0));
    let table: [(&str, Json); 3] = [
        ("", json!("the file is no preset of Live's: it holds no device")),
        ("<GroupDevicePreset/>", json!("the file is no preset of Live's: it holds no device")),
        ("<MidiPitcher>", json!(null)),
    ];
    for (inside, why) in table {
        let got = device(inside).unwrap_err().to_string();
        assert!(why.as_str().is_none_or(|why| got == why), "{inside}: {got}");
    }
    assert!(super::read(DRUM_RACK).unwrap_err().to_string().contains("svc-create-device makes the device"));
}

#[test]
fn no_element_of_a_preset_can_be_missing_unseen() {
    let whole = read_device(DRUM_RACK).unwrap();
    let mut unseen = Vec::new();
    for (from, to, name) in elements(DRUM_RACK) {
        let without = format!("{}{}", &DRUM_RACK[..from], &DRUM_RACK[to..]);
        if let Ok(read) = read_device(&without)
            && read.device == whole.device
            && read.report == whole.report
        {
            unseen.push(name);
        }
    }
    // What says nothing of the sound.
    assert_eq!(unseen, ["OverwriteProtectionNumber"]);
}

//! What an opened Live Set brings and no call makes, as it is heard: zones of chains, and the samples of samplers.

use crate::heard::sine;
use crate::offline_mix::{first_scene, frequency, is_near, level};
use crate::support::Api;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use std::io::Write;
use svc_device::service::Settings;
use tempfile::TempDir;

/// A range as Live writes it.
fn range(name: &str, (low, high): (u8, u8)) -> String {
    format!(
        r#"<{name}><Min Value="{low}"/><Max Value="{high}"/><CrossfadeMin Value="{low}"/><CrossfadeMax Value="{high}"/></{name}>"#
    )
}

/// A sample with its keys, velocities and root.
fn part(file: &str, keys: (u8, u8), velocities: (u8, u8), root: u8) -> String {
    let (keys, velocities) = (range("KeyRange", keys), range("VelocityRange", velocities));
    let selector = range("SelectorRange", (0, 127));
    format!(
        r#"<MultiSamplePart Id="0"><Name Value="a"/>{keys}{velocities}{selector}<RootKey Value="{root}"/><Detune Value="0"/>
        <Panorama Value="0"/><Volume Value="1"/><SampleStart Value="0"/><SampleEnd Value="88199"/>
        <SampleRef><FileRef><Path Value="{file}"/></FileRef><DefaultDuration Value="88200"/>
        <DefaultSampleRate Value="44100"/></SampleRef></MultiSamplePart>"#
    )
}

/// A device with these samples.
fn sampler(class: &str, parts: &str) -> String {
    format!(
        r#"<{class} Id="0"><On><Manual Value="true"/></On><Player><MultiSampleMap><SampleParts>{parts}</SampleParts>
        </MultiSampleMap></Player></{class}>"#
    )
}

/// A chain of an instrument rack.
fn branch(id: u32, zones: &str, device: &str) -> String {
    format!(
        r#"<InstrumentBranch Id="{id}"><DeviceChain><MidiToAudioDeviceChain Id="0"><Devices>{device}</Devices>
        </MidiToAudioDeviceChain></DeviceChain><ZoneSettings>{zones}</ZoneSettings></InstrumentBranch>"#
    )
}

/// An Api that opened a Set of one MIDI track with a device, and whose clip plays a note.
fn opened(folder: &TempDir, device: &str) -> Api {
    let xml = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><Ableton MajorVersion="5" MinorVersion="12.0_12203" Creator="Ableton Live 12.2">
        <LiveSet><Tracks><MidiTrack Id="1"><Name><EffectiveName Value="Keys"/><UserName Value="Keys"/></Name>
        <DeviceChain><DeviceChain><Devices>{device}</Devices></DeviceChain></DeviceChain></MidiTrack>
        <ReturnTrack Id="2"><Name><EffectiveName Value="A"/></Name></ReturnTrack>
        <ReturnTrack Id="3"><Name><EffectiveName Value="B"/></Name></ReturnTrack></Tracks>
        <MainTrack Id="9"></MainTrack><SendsPre><SendPreBool Id="0" Value="true"/><SendPreBool Id="1" Value="false"/></SendsPre>
        <Scenes><Scene Id="0"/></Scenes></LiveSet></Ableton>"#
    );
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(xml.as_bytes()).unwrap();
    let file = folder.path().join("song.als");
    std::fs::write(&file, packer.finish().unwrap()).unwrap();
    let allowed_folders = vec![folder.path().to_str().unwrap().to_owned()];
    let api = Api::with(Settings { allowed_folders, live_api_enabled: true, ..Settings::default() });
    api.ok("svc-manage", json!({"action": "open", "file": file}));
    api
}

/// What is heard of one note: its frequency, or nothing.
fn note(api: &Api, note: &str) -> Option<f64> {
    api.envelope("svc-create-clip", "", &json!({"path": "t0/s0", "notes": format!("n/2 {note} 1|1")}));
    let made = first_scene(api, 1.0);
    let signal = &made.track(0).left;
    signal.iter().any(|x| *x != 0.0).then(|| frequency(signal, 0.1, 0.7))
}

fn hears(api: &Api, table: &[(&str, Option<f64>)]) {
    for (played, hz) in table {
        match (note(api, played), hz) {
            (Some(found), Some(hz)) => is_near(found, *hz, 0.003 * hz, played),
            (found, meant) => assert_eq!(found, *meant, "{played}"),
        }
    }
}

#[test]
fn sends_are_taken_where_the_set_says() {
    let folder = TempDir::new().unwrap();
    let file = sine(&folder, 441.0);
    let api = opened(&folder, &sampler("MultiSampler", &part(&file, (0, 127), (1, 127), 60)));
    api.ok("svc-create-clip", json!({"path": "t0/s0", "notes": "n/2 C3 1|1"}));
    api.ok("svc-update-track", json!({"path": "t0", "sendReturn": "A", "sendGainDb": 0}));
    api.ok("svc-update-track", json!({"path": "t0", "sendReturn": "B", "sendGainDb": 0}));
    let sent = || [0, 1].map(|at| level(&first_scene(&api, 0.8).return_track(at).left, 0.1, 0.7));
    let [before, behind] = sent();
    is_near(before, behind, 0.1, "at 0 dB both are the same");
    api.ok("svc-update-track", json!({"path": "t0", "gainDb": -20}));
    let [pre, post] = sent();
    is_near(pre, before, 0.1, "in front of the fader");
    is_near(post, before - 20.0, 0.1, "behind the fader");
}

fn sounds(api: &Api, path: &str) -> Value {
    api.ok("svc-read-device", json!({"path": path}))["sounds"].clone()
}

#[test]
fn a_sampler_plays_its_samples_in_their_zones() {
    let folder = TempDir::new().unwrap();
    let (low, high) = (sine(&folder, 441.0), sine(&folder, 1000.0));
    let parts =
        [part(&low, (0, 59), (1, 127), 48), part(&high, (60, 127), (1, 64), 60), part(&low, (60, 127), (65, 127), 60)];
    let api = opened(&folder, &sampler("MultiSampler", &parts.concat()));
    hears(
        &api,
        &[
            ("C2", Some(441.0)),
            ("G2", Some(441.0 * 2f64.powf(7.0 / 12.0))),
            ("v40 C3", Some(1000.0)),
            ("v100 C3", Some(441.0)),
            ("v100 C4", Some(882.0)),
        ],
    );
    let told = sounds(&api, "t0/d0");
    assert!(told.as_str().unwrap().starts_with("approximate: filters in one circuit"), "{told}");
    std::fs::remove_file(&high).unwrap();
    first_scene(&api, 0.1);
    let told = sounds(&api, "t0/d0");
    assert!(told.as_str().unwrap().starts_with("approximate: 1 of 3 samples are silent: "), "{told}");
}

#[test]
fn a_sample_that_a_live_set_misses_is_named_by_the_first_read() {
    let folder = TempDir::new().unwrap();
    let (there, gone) = (sine(&folder, 441.0), folder.path().join("Gone.wav").to_str().unwrap().to_owned());
    let part = |file: &str| part(file, (0, 127), (1, 127), 60);
    for (parts, meant) in [
        (part(&gone), "silent: Gone.wav: there is no such file"),
        (part(&there) + &part(&gone), "approximate: 1 of 2 samples are silent: Gone.wav: there is no such file"),
    ] {
        let api = opened(&folder, &sampler("MultiSampler", &parts));
        assert_eq!(sounds(&api, "t0/d0"), meant);
    }
}

#[test]
fn a_drum_sampler_plays_its_sample() {
    let folder = TempDir::new().unwrap();
    let file = sine(&folder, 441.0);
    let api = opened(&folder, &sampler("DrumCell", &part(&file, (0, 127), (1, 127), 60)));
    hears(&api, &[("C3", Some(441.0)), ("C4", Some(882.0))]);
    assert_eq!(sounds(&api, "t0/d0"), "approximate: a parameter acts once it is written");
    // One octave up, once it is said.
    api.ok("svc-update-device", json!({"path": "t0/d0", "params": [{"name": "Transpose", "value": "12 st"}]}));
    hears(&api, &[("C3", Some(882.0))]);
    // One that is made here has none.
    api.ok("svc-create-track", json!({"path": "t+", "type": "midi"}));
    let made = api.ok("svc-create-device", json!({"device": "Drum Sampler", "path": "t1"}));
    assert_eq!(made["sounds"], "stand-in: plays as the default drum kit");
}

#[test]
fn an_impulse_plays_the_samples_of_its_slots() {
    let folder = TempDir::new().unwrap();
    let (low, high) = (sine(&folder, 441.0), sine(&folder, 1000.0));
    let slot = |id: u8, file: &str| {
        format!(r#"<Pad Id="{id}"><SampleRef><FileRef><Path Value="{file}"/></FileRef></SampleRef></Pad>"#)
    };
    let slots = slot(0, &low) + &slot(3, "") + &slot(7, &high);
    let api = opened(
        &folder,
        &format!(
            r#"<InstrumentImpulse Id="0"><On><Manual Value="true"/></On><Pads>{slots}</Pads></InstrumentImpulse>"#
        ),
    );
    hears(&api, &[("C3", Some(441.0)), ("C4", Some(1000.0)), ("F3", None), ("D3", None), ("C2", None)]);
    let told = sounds(&api, "t0/d0");
    assert!(told.as_str().unwrap().starts_with("approximate: how far stretch"), "{told}");
    let detail = api.ok("svc-read-device", json!({"path": "t0/d0"}))["detail"].as_str().unwrap_or_default().to_owned();
    assert!(detail.contains(".wav (slot 1, C3), ") && detail.ends_with(".wav (slot 8, C4)"), "{detail}");
    // A parameter of one slot, and one of all.
    let write = |name: &str, value: &str| {
        api.ok("svc-update-device", json!({"path": "t0/d0", "params": [{"name": name, "value": value}]}));
    };
    write("1 Transpose", "12 st");
    hears(&api, &[("C3", Some(882.0)), ("C4", Some(1000.0))]);
    write("Global Transpose", "-12 st");
    hears(&api, &[("C3", Some(441.0)), ("C4", Some(500.0))]);
    // Its samples are collected with the others; one that is gone is said.
    let exported = api.ok("svc-manage", json!({"action": "export", "file": folder.path().join("out.svcset")}));
    assert_eq!(exported["samples"], 2, "{exported}");
    std::fs::remove_file(&high).unwrap();
    first_scene(&api, 0.1);
    let told = sounds(&api, "t0/d0");
    assert!(told.as_str().unwrap().starts_with("approximate: 1 of 2 samples are silent: "), "{told}");
    // One that is made here has none.
    api.ok("svc-create-track", json!({"path": "t+", "type": "midi"}));
    let made = api.ok("svc-create-device", json!({"device": "Impulse", "path": "t1"}));
    assert_eq!(made["sounds"], "stand-in: plays as the default drum kit");
}

#[test]
fn chains_of_racks_play_in_their_zones() {
    let folder = TempDir::new().unwrap();
    let (low, high) = (sine(&folder, 441.0), sine(&folder, 1000.0));
    let whole = |file: &str| sampler("MultiSampler", &part(file, (0, 127), (1, 127), 60));
    let zones = |keys, velocities, selector| {
        range("KeyRange", keys) + &range("VelocityRange", velocities) + &range("BranchSelectorRange", selector)
    };
    let branches = [
        branch(1, &zones((0, 60), (1, 80), (0, 10)), &whole(&low)),
        branch(2, &zones((60, 127), (81, 127), (0, 20)), &whole(&high)),
    ];
    let rack = format!(
        r#"<InstrumentGroupDevice Id="0"><On><Manual Value="true"/></On><Branches>{}</Branches></InstrumentGroupDevice>"#,
        branches.concat()
    );
    let api = opened(&folder, &rack);
    let both = [("v40 C3", Some(441.0)), ("v100 C3", Some(1000.0)), ("v40 C#3", None), ("v100 B2", None)];
    hears(&api, &both);
    let select = |at: u8| {
        api.ok("svc-update-device", json!({"path": "t0/d0", "params": [{"name": "Chain Selector", "value": at}]}));
    };
    select(15);
    hears(&api, &[("v40 C3", None), ("v100 C3", Some(1000.0))]);
    select(21);
    hears(&api, &[("v40 C3", None), ("v100 C3", None)]);
    assert_eq!(sounds(&api, "t0/d0"), "silent: its chain selector stands outside the zones of all its chains");
}

//! Every device, every parameter.

use super::Bench;
use crate::object_model::native_devices::{DeviceCategory, table};
use crate::object_model::{ObjectModel, Value};
use proptest::prelude::*;

/// A device on a track that takes it.
fn with(device: &str, category: DeviceCategory) -> (Bench, String) {
    let mut bench = Bench::new();
    let track = if category == DeviceCategory::AudioEffect { "live_set tracks 2" } else { "live_set tracks 0" };
    let id = bench.made(track, "insert_device", &[device.into()]);
    let path = bench.path(id);
    (bench, path)
}

#[test]
fn every_device_stands_and_every_parameter_reads() {
    let mut parameters = 0;
    for (name, class) in &table().devices {
        let (mut bench, path) = with(name, class.category);
        assert_eq!(bench.get(&path, "class_display_name"), name.as_str().into());
        assert_eq!(bench.get(&path, "class_name"), class.class_name.as_str().into());
        assert_eq!(bench.get(&path, "type"), class.category.number().into());
        for (at, spec) in class.parameters.iter().enumerate() {
            let path = format!("{path} parameters {at}");
            let number = |bench: &Bench, member: &str| bench.get(&path, member).as_f64().expect(member);
            let (min, max, value) = (number(&bench, "min"), number(&bench, "max"), number(&bench, "value"));
            assert!((min..=max).contains(&value), "{name} {}", spec.name);
            assert_eq!(bench.get(&path, "name"), spec.name.as_str().into());
            let id = bench.at(&path);
            let quantized = bench.get(&path, "is_quantized") == true.into();
            let readable = |member: &str| bench.0.get(id, member).is_ok();
            let exclusive = (readable("default_value"), readable("value_items"), readable("short_value_items"));
            assert_eq!(exclusive, (!quantized, quantized, quantized), "{name} {}", spec.name);
            if quantized {
                let Value::Texts(items) = bench.get(&path, "value_items") else { panic!("{name} {}", spec.name) };
                assert_eq!((min, max), (0.0, items.len() as f64 - 1.0), "{name} {}", spec.name);
            }
            let label = bench.call(&path, "str_for_value", &[value.into()]);
            assert_eq!(bench.call(&path, "__str__", &[]), label);
            if let (Some(default), Some(want)) = (spec.default, &spec.default_display) {
                let got = bench.call(&path, "str_for_value", &[default.into()]);
                assert_eq!(got, Ok(want.as_str().into()), "{name} {}", spec.name);
            }
            // What is shown can be written.
            let shown = bench.get(&path, "display_value");
            assert_eq!(bench.set(&path, "display_value", shown.clone()), Ok(()), "{name} {}", spec.name);
            let (shown, back) = (shown.as_f64().unwrap(), number(&bench, "display_value"));
            assert!((shown - back).abs() <= 1e-9 * shown.abs().max(1.0), "{name} {}: {shown}, {back}", spec.name);
            parameters += 1;
        }
    }
    assert_eq!(parameters, 2468);
}

proptest! {
    #[test]
    fn a_written_display_value_reads_back(device in 0usize..65, parameter in 0usize..200, t in 0.0f64..=1.0) {
        let (name, class) = table().devices.get_index(device).unwrap();
        let at = parameter % class.parameters.len();
        let spec = &class.parameters[at];
        let (mut bench, path) = with(name, class.category);
        let path = format!("{path} parameters {at}");
        let raw = spec.min + (spec.max - spec.min) * t;
        bench.set(&path, "value", raw).unwrap();
        let shown = bench.get(&path, "display_value").as_f64().unwrap();
        bench.set(&path, "value", spec.min).unwrap();
        bench.set(&path, "display_value", shown).unwrap();
        let back = bench.get(&path, "display_value").as_f64().unwrap();
        let wanted = if spec.has_steps() { shown.round() } else { shown };
        prop_assert!((back - wanted).abs() <= 1e-9 * shown.abs().max(1.0), "{name} {}: {shown} reads {back}", spec.name);
    }
}

#[test]
fn strips_are_written_as_they_are_shown() {
    let mut bench = Bench::new();
    for (path, shown, raw, label) in [
        ("live_set tracks 0 mixer_device volume", -6.0, 0.7, "-6.0 dB"),
        ("live_set tracks 0 mixer_device volume", -100.0, 0.0, "-inf dB"),
        ("live_set tracks 0 mixer_device volume", 99.0, 1.0, "6.0 dB"),
        ("live_set tracks 0 mixer_device sends 1", -6.0, 0.85, "-6.0 dB"),
        ("live_set tracks 0 mixer_device panning", -25.0, -0.5, "25L"),
        ("live_set tracks 0 mixer_device track_activator", 0.0, 0.0, "Off"),
        ("live_set master_track mixer_device song_tempo", 90.5, 90.5, "90.50 BPM"),
        ("live_set master_track mixer_device crossfader", 50.0, 1.0, "50R"),
    ] {
        bench.set(path, "display_value", shown).unwrap();
        let got = bench.get(path, "value").as_f64().unwrap();
        assert!((got - raw).abs() < 1e-9, "{path} {shown}: {got}");
        assert_eq!(bench.call(path, "__str__", &[]), Ok(label.into()), "{path}");
    }
    assert_eq!(bench.get("live_set tracks 0", "mute"), true.into());
}

#[test]
fn a_parameter_is_automated_while_a_clip_that_plays_has_an_envelope_for_it() {
    let mut bench = Bench::new();
    let (slot, volume) = ("live_set tracks 0 clip_slots 0", "live_set tracks 0 mixer_device volume");
    bench.call(slot, "create_clip", &[4.into()]).unwrap();
    let parameter = bench.at(volume).into();
    bench.call(&format!("{slot} clip"), "create_automation_envelope", &[parameter]).unwrap();
    assert_eq!(bench.get(volume, "automation_state"), 0.into());
    bench.call(slot, "fire", &[]).unwrap();
    assert_eq!(bench.get(volume, "automation_state"), 1.into());
    assert_eq!(bench.get("live_set tracks 0 mixer_device panning", "automation_state"), 0.into());
    bench.call(&format!("{slot} clip"), "clear_all_envelopes", &[]).unwrap();
    assert_eq!(bench.get(volume, "automation_state"), 0.into());
}

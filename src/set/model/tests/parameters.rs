//! Every device, every parameter.

use super::Bench;
use crate::object_model::native_devices::{DeviceCategory, ParameterSpec, table};
use crate::object_model::{ObjectModel, Value};
use crate::set::tables::parameter_curves::curve_is_known;
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
            // What is shown can be written where the curve is known, and is refused where it is not.
            let shown = bench.get(&path, "display_value");
            let steps = spec.items.is_some() || spec.ladder.is_some() || spec.step_labels.is_some();
            let written = bench.set(&path, "display_value", shown.clone());
            assert_eq!(written.is_ok(), steps || curve_is_known(spec), "{name} {}: {written:?}", spec.name);
            let (shown, back) = (shown.as_f64().unwrap(), number(&bench, "display_value"));
            assert!((shown - back).abs() <= 1e-9 * shown.abs().max(1.0), "{name} {}: {shown}, {back}", spec.name);
            parameters += 1;
        }
    }
    assert_eq!(parameters, 2468);
}

/// `docs/display-curves.md` tells which parameters are written raw; run with `WRITE_DOCS=1` to write it again.
#[test]
fn the_parameters_without_a_known_curve_are_listed() {
    let (mut count, mut list) = (0, String::new());
    for (name, class) in &table().devices {
        let steps = |spec: &ParameterSpec| spec.items.is_some() || spec.ladder.is_some() || spec.step_labels.is_some();
        let unknown = class.parameters.iter().filter(|spec| !steps(spec) && !curve_is_known(spec));
        let names: Vec<&str> = unknown.map(|spec| spec.name.trim()).collect();
        if !names.is_empty() {
            count += names.len();
            list += &format!("\n## {name} ({})\n\n{}\n", names.len(), names.join(" · "));
        }
    }
    let text = format!(
        "# Parameters that are shown by a curve nobody has measured\n\n\
         {count} of 2,468. Their `display_value` reads the raw value and refuses to be written; their labels are the measured ones \
         at the default\nand at ends that are known, and the raw number elsewhere. Write `value`, from `min` to `max`.\n{list}"
    );
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/display-curves.md");
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap_or_default() == text,
        "docs/display-curves.md is out of date: {count}"
    );
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
        if bench.set(&path, "display_value", shown).is_ok() {
            let back = bench.get(&path, "display_value").as_f64().unwrap();
            let steps = spec.ladder.is_some() || spec.step_labels.is_some();
            let wanted = if steps { shown.round() } else { shown };
            prop_assert!((back - wanted).abs() <= 1e-9 * shown.abs().max(1.0), "{name} {}: {shown} reads {back}", spec.name);
        }
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
    let unknown = "live_set return_tracks 0 devices 0";
    let count = bench.0.document.returns.get(0).unwrap().devices[0].values.len();
    let refused =
        (0..count).find_map(|at| bench.set(&format!("{unknown} parameters {at}"), "display_value", 5.0).err());
    let told = refused.unwrap_or_default();
    assert!(told.is_empty() || told.contains("write value"), "{told}");
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

//! Which parameters of native devices envelopes move, tried out: the table that reads speak by.

use super::devices::own_movements;
use crate::object_model::audio::AudioFacts;
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::moving_parameters::TABLE;
use crate::object_model::native_devices::{DeviceCategory, ParameterSpec, table};
use crate::paths::AllowedFolders;
use crate::set::document::Document;
use crate::set::document::device_tree::Device;
use crate::set::document::simpler_sample::Sample;
use crate::set::document::sound_zones::{IMPULSE_KEYS, SampleZone};
use crate::sound::devices::{Place, current_scale, engine_devices};
use crate::sound::samples::SampleCache;
use std::collections::BTreeSet;
use std::sync::Arc;

const IMPULSE: &str = "InstrumentImpulse";
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/audio/half.wav");

/// A new device, with a sample where it plays one.
fn device(name: &str) -> Device {
    let mut device = Device::native(1, name).unwrap();
    let facts = AudioFacts { frames: 4000, sample_rate_hz: 8000.0, channels: 1, tempo_bpm: None };
    let sample = Sample::loaded(FILE, facts);
    match name {
        "Simpler" => device.sample = Some(Arc::new(sample)),
        "Sampler" | "Drum Sampler" => {
            device.sample_zones = vec![Arc::new(SampleZone::of(sample))];
        }
        "Impulse" => {
            // The first slot stands for the others, which are read by the same words.
            device.sample_zones = SampleZone::of(sample).in_slot(0).map(Arc::new).into_iter().collect();
        }
        _ => {}
    }
    device
}

fn is_choice(spec: &ParameterSpec) -> bool {
    spec.quantized || spec.has_steps()
}

/// Whether a parameter is that of a slot of Impulse behind the first.
fn is_of_later_slot(spec: &ParameterSpec) -> bool {
    let slot = spec.name.split(' ').next().and_then(|word| word.parse::<usize>().ok());
    slot.is_some_and(|slot| (2..=IMPULSE_KEYS.len()).contains(&slot))
}

/// A device as it is new, with all switches on, all off, and its sides apart; and each with each choice at each step.
fn states(new: &Device) -> Vec<Device> {
    let with = |device: &Device, changes: &[(usize, f64)]| {
        let mut changed = device.clone();
        for (at, raw) in changes {
            changed.values[*at] = *raw;
        }
        changed
    };
    let specs = new.specs();
    let switches = |spec: &ParameterSpec| is_choice(spec) && spec.max - spec.min == 1.0;
    let on: Vec<(usize, f64)> =
        specs.iter().enumerate().filter(|(_, spec)| switches(spec)).map(|(at, spec)| (at, spec.max)).collect();
    let all_on = with(new, &on);
    let off: Vec<(usize, f64)> = on.iter().map(|(at, _)| (*at, 0.0)).collect();
    let linked = specs.iter().position(|spec| spec.name == "Link");
    let unlinked = with(new, &linked.map(|at| (at, 0.0)).into_iter().collect::<Vec<_>>());
    let bases = [new.clone(), all_on, with(new, &off), unlinked];
    let mut states = bases.to_vec();
    let tried = |spec: &ParameterSpec| is_choice(spec) && !(new.class_name == IMPULSE && is_of_later_slot(spec));
    for (at, spec) in specs.iter().enumerate().skip(1).filter(|(_, spec)| tried(spec)) {
        for step in 0..=((spec.max - spec.min).min(8.0) as u32) {
            states.extend(bases.iter().map(|base| with(base, &[(at, spec.min + f64::from(step))])));
        }
    }
    states
}

fn moved(name: &str, place: &Place) -> BTreeSet<usize> {
    let new = device(name);
    let mut moved = BTreeSet::new();
    for state in states(&new) {
        for (at, spec) in new.specs().iter().enumerate().skip(1) {
            let ends = (spec.min, spec.max);
            let is_left = new.class_name != IMPULSE || !is_of_later_slot(spec);
            if is_left && !moved.contains(&at) && !own_movements(&state, at, ends, &|raw| raw, place).is_empty() {
                moved.insert(at);
            }
        }
    }
    moved
}

/// Run with `WRITE_DOCS=1` to write the table anew.
#[test]
fn the_table_says_what_envelopes_move() {
    let samples = SampleCache::default();
    let mut document = Document::new_set();
    let track = document.tracks[0].serial;
    let holder = Arc::new(device("Simpler"));
    document.tracks.edit(track, |track| track.devices.push(holder)).unwrap();
    let nowhere = AllowedFolders::default();
    for wanted in samples.wanted(&document, &nowhere) {
        samples.load(&wanted, &nowhere, &|| false);
    }
    let scale = current_scale(&document.song);
    let place = Place { samples: &samples, usual: DefaultSound::Keys, scale, is_moved: true };
    let mut found = String::new();
    for (name, class) in &table().devices {
        let new = device(name);
        let has_code = class.category != DeviceCategory::Instrument
            || new.has_sample()
            || matches!(name.as_str(), "Drift" | "Operator");
        if !has_code || engine_devices(&new, &place).is_empty() {
            continue;
        }
        let moved = moved(name, &place);
        let of_slots = |slot: usize| {
            let own = moved.iter().filter_map(|at| new.specs()[*at].name.strip_prefix("1 "));
            own.map(move |name| format!("{slot} {name}")).collect::<Vec<String>>()
        };
        let mut names: Vec<String> = moved.iter().map(|at| new.specs()[*at].name.clone()).collect();
        if new.class_name == IMPULSE {
            names.extend((2..=IMPULSE_KEYS.len()).flat_map(of_slots));
        }
        assert!(names.iter().all(|name| !name.contains(", ")), "{name}");
        if !names.is_empty() {
            found += &format!("{name} | {}\n", names.join(", "));
        }
    }
    if std::env::var_os("WRITE_DOCS").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/object_model/data/moving_parameters.txt");
        std::fs::write(path, found).unwrap();
    } else {
        assert_eq!(found, TABLE, "what envelopes move is another table");
    }
}

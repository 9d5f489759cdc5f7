use super::effect::effect;
use super::notes::note_effect;
use crate::object_model::device_sounds::{Heard, of_class};
use crate::object_model::native_devices::{DeviceCategory, table};
use crate::set::document::device_tree::Device;
use svc_sound::note_effects::PitchSet;

const C_MAJOR: Option<PitchSet> = Some(PitchSet { root: 0, semitones: 0b1010_1011_0101 });

/// What an effect is to the engine, as text.
fn coded(device: &Device) -> Option<String> {
    match device.category() {
        Some(DeviceCategory::MidiEffect) => note_effect(device, C_MAJOR).map(|of| format!("{of:?}")),
        _ => effect(device).map(|of| format!("{of:?}")),
    }
}

#[test]
fn effects_have_code_where_the_table_says_so() {
    for (name, class) in table().devices.iter().filter(|(_, class)| class.category != DeviceCategory::Instrument) {
        let device = Device::native(1, name).unwrap();
        let heard = of_class(&class.class_name).unwrap().heard;
        // What changes nothing needs no code.
        let has_code = matches!(heard, Heard::Exact | Heard::Approximate) && !["Spectrum", "Tuner"].contains(&&**name);
        assert_eq!(coded(&device).is_some(), has_code, "{name}");
    }
}

/// At both ends of every parameter, settings are numbers, and every parameter that is asked for is there.
#[test]
fn every_value_is_a_setting() {
    let mut changed = 0;
    for (name, class) in &table().devices {
        let fresh = Device::native(1, name).unwrap();
        let Some(before) = coded(&fresh).filter(|_| class.category != DeviceCategory::Instrument) else { continue };
        for (at, spec) in class.parameters.iter().enumerate().skip(1) {
            for raw in [spec.min, spec.max] {
                let mut device = fresh.clone();
                device.values[at] = raw;
                // Some types of Auto Filter have no code.
                let Some(now) = coded(&device) else { continue };
                assert!(!now.contains("NaN"), "{name} {} {raw}: {now}", spec.name);
                changed += usize::from(now != before);
            }
        }
    }
    assert!(changed > 150, "{changed} ends of parameters are heard");
}

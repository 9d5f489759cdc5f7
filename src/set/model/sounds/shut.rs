//! Devices that let nothing through.

use super::words::Nearness;
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::native_devices::DeviceCategory;
use crate::object_model::parameter_curves::word_at;
use crate::set::document::Track;
use crate::set::document::device_tree::Device;
use crate::set::model::set_state::SetState;

/// Parameters that shut a device where they show -inf dB: its class, the parameter, and what it is called.
const LEVELS: [(&str, &str, &str); 2] = [("StereoGain", "Output", "gain"), ("Operator", "Volume", "volume")];

impl SetState {
    /// The first device of a track that lets nothing through, and why: `Utility: it is muted`.
    pub fn shut_by_device(&self, track: &Track) -> Option<String> {
        track.devices.iter().find_map(|device| {
            let why = self.shut(device)?;
            Some(naming(device.class_display_name(), &why))
        })
    }

    fn shut(&self, device: &Device) -> Option<String> {
        let value = |name: &str| {
            let at = device.specs().iter().position(|spec| spec.name == name)?;
            device.specs().get(at).zip(device.values.get(at).copied())
        };
        if device.values.first().is_some_and(|on| *on < 0.5) {
            return None;
        }
        if device.class_name == "StereoGain" && value("Mute").is_some_and(|(_, raw)| raw >= 0.5) {
            return Some("it is set to Mute".to_owned());
        }
        let is_down = |(spec, raw)| word_at(spec, raw) == Some("-inf");
        let level = LEVELS.iter().find(|(class, ..)| *class == device.class_name);
        if let Some((.., called)) = level.filter(|(_, name, _)| value(name).is_some_and(is_down)) {
            return Some(format!("its {called} is at -inf dB"));
        }
        // Chains side by side, none of which sounds.
        let is_effect = device.category() == Some(DeviceCategory::AudioEffect);
        device.rack.as_ref().filter(|_| is_effect)?;
        let sounds = self.device_sounds(device, DefaultSound::Keys);
        (sounds.nearness == Nearness::Silent).then_some(sounds.why)
    }
}

/// Says of a device what `why` says of it: `Operator is switched off`.
pub(super) fn naming(name: &str, why: &str) -> String {
    match (why.strip_prefix("it is "), why.strip_prefix("its ")) {
        (Some(rest), _) if !name.is_empty() => format!("{name} is {rest}"),
        (_, Some(rest)) if !name.is_empty() && rest.ends_with("-inf dB") => format!("the {name}'s {rest}"),
        _ => why.to_owned(),
    }
}

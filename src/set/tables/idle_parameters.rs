//! Which parameters have no effect as a device stands: of a free rate and a synced one, the one that is not in use.

use crate::object_model::native_devices::ParameterSpec;
use crate::set::document::device_tree::Device;

/// What a switch is called after what it switches, and what the two rates are.
const SWITCH: [&str; 2] = [" Sync", " Sync On"];
const FREE: [&str; 5] = [" Rate", " Rate Hz", " Time", " Freq", " Speed"];
const SYNCED: [&str; 5] = [" Sync Rate", " S. Rate", " Synced", " SyncRate", " SncRate"];

/// Devices with one sync switch name its two sides in words of their own.
const WHOLE: [(&str, &str, &str); 2] =
    [("Sync On", "Free Rate", "Synced Rate"), ("Sync On", "Time Length", "Synced Length")];

impl Device {
    /// Whether the parameter at that position has no effect because its other kind of rate is switched on. Told for
    /// devices whose switch has two positions and is named after the rates; elsewhere every parameter counts as active.
    pub fn is_idle(&self, index: usize) -> bool {
        let specs = self.specs();
        let Some(spec) = specs.get(index) else { return false };
        let switched_on = |name: &str| {
            let at = specs.iter().position(|s| s.name == name && s.items.as_ref().is_some_and(|i| i.len() == 2))?;
            self.values.get(at).map(|on| *on >= 0.5)
        };
        if let Some((switch, free, _)) = WHOLE.iter().find(|(_, free, synced)| [*free, *synced].contains(&&*spec.name))
        {
            return switched_on(switch) == Some(spec.name == *free);
        }
        let Some((stem, synced)) = rate(spec) else { return false };
        let on = SWITCH.iter().find_map(|suffix| switched_on(&format!("{stem}{suffix}")));
        on.is_some_and(|on| on != synced)
    }
}

/// What a rate belongs to, and whether it is the synced one.
fn rate(spec: &ParameterSpec) -> Option<(&str, bool)> {
    let stem = |suffixes: &[&str]| suffixes.iter().find_map(|suffix| spec.name.strip_suffix(suffix));
    let steps = spec.ladder.is_some() || spec.step_labels.is_some();
    stem(&SYNCED).map(|stem| (stem, true)).or_else(|| stem(&FREE).map(|stem| (stem, steps)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_rates_one_is_idle() {
        for (name, switch, free, synced) in [
            ("Simpler", "L Sync", "L Rate", "L Sync Rate"),
            ("Wavetable", "LFO 2 Sync", "LFO 2 Rate", "LFO 2 S. Rate"),
            ("Shifter", "Lfo Sync", "Lfo Rate Hz", "Lfo S. Rate"),
            ("Echo", "Mod Sync", "Mod Freq", "Mod Rate"),
            ("Arpeggiator", "Sync On", "Free Rate", "Synced Rate"),
            ("Note Length", "Sync On", "Time Length", "Synced Length"),
        ] {
            let mut device = Device::native(1, name).unwrap();
            let at = |wanted: &str| device.specs().iter().position(|s| s.name == wanted).expect(wanted);
            let (switch, free, synced) = (at(switch), at(free), at(synced));
            for on in [0.0, 1.0] {
                device.values[switch] = on;
                let idle = (device.is_idle(free), device.is_idle(synced), device.is_idle(switch));
                assert_eq!(idle, (on == 1.0, on == 0.0, false), "{name} {on}");
            }
        }
    }
}

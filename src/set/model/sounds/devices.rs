//! How devices are heard: alone, and several together.

use super::shut::naming;
use super::words::{Nearness, SAID_NAMES, Sounds};
use crate::object_model::audio::AudioFacts;
use crate::object_model::default_sound::DefaultSound;
use crate::object_model::device_sounds::{Heard, of_class};
use crate::object_model::native_devices::DeviceCategory;
use crate::set::document::device_tree::{Chain, Device, Rack};
use crate::set::document::object_index::Location;
use crate::set::document::simpler_sample::Sample;
use crate::set::model::set_state::SetState;
use std::collections::BTreeSet;
use std::sync::Arc;

impl SetState {
    /// What plays for an instrument without code at a device's place: on a pad the kit, else the track's default sound.
    pub(super) fn usual_sound(&self, device: &Device) -> DefaultSound {
        let racks: Vec<_> = self.document.racks_around(device.serial).collect();
        if racks.iter().any(|rack| rack.is_drum_rack()) {
            return DefaultSound::Drums;
        }
        let outermost = racks.last().map_or(device.serial, |rack| rack.serial);
        let track = match self.document.location(outermost) {
            Some(Location::Device { parent }) => self.document.track(parent),
            _ => None,
        };
        track.and_then(|track| self.default_sound(track)).unwrap_or(DefaultSound::Keys)
    }

    pub(super) fn device_sounds(&self, device: &Device, usual: DefaultSound) -> Sounds {
        let is_instrument = device.category() == Some(DeviceCategory::Instrument);
        if device.values.first().is_some_and(|on| *on < 0.5) {
            return if is_instrument { Sounds::silent("it is switched off") } else { Sounds::EXACT };
        }
        let line = of_class(&device.class_name);
        match (line.map(|line| line.heard), &device.rack) {
            (Some(Heard::Chains), Some(rack)) => self.rack_sounds(device, rack, usual),
            (Some(Heard::Exact), _) => Sounds::EXACT,
            (Some(Heard::Approximate), _)
                if device.class_name == "OriginalSimpler" && device.sample_zones.is_empty() =>
            {
                self.simpler_sounds(device)
            }
            (Some(Heard::Approximate), _) if !device.sample_zones.is_empty() => self.zones_sounds(device),
            (Some(Heard::Approximate), _) => match untold_type(device) {
                Some(of_type) => Sounds::bypassed(&format!("{of_type} has no code here")),
                None => Sounds::new(Nearness::Approximate, line.map_or("", |line| line.otherwise)),
            },
            (Some(Heard::Samples(_)), _) if !device.sample_zones.is_empty() => self.zones_sounds(device),
            (Some(Heard::StandIn(sound) | Heard::Samples(sound)), _) => Sounds::stand_in(sound.unwrap_or(usual)),
            _ if is_instrument => Sounds::stand_in(usual),
            _ => Sounds::bypassed("it has no code here"),
        }
    }

    /// Why a sample of a device cannot be played, behind its file's name.
    fn sample_fault(&self, sample: &Sample) -> Option<String> {
        let shape = AudioFacts::new(sample.length, sample.sample_rate_hz, sample.channels);
        let path = &sample.file_path;
        self.runtime.sample_faults.why(path).or_else(|| shape.why_not_played(path))
    }

    fn simpler_sounds(&self, device: &Device) -> Sounds {
        let Some(sample) = &device.sample else { return Sounds::silent("it has no sample") };
        if let Some(why) = self.sample_fault(sample) {
            return Sounds::silent(why);
        }
        let otherwise = of_class(&device.class_name).map_or("", |line| line.otherwise);
        Sounds::new(Nearness::Approximate, otherwise)
    }

    /// A sampler with samples.
    fn zones_sounds(&self, device: &Device) -> Sounds {
        let zones = &device.sample_zones;
        let faults: Vec<String> = zones.iter().filter_map(|zone| self.sample_fault(&zone.sample)).collect();
        let otherwise = of_class(&device.class_name).map_or("", |line| line.otherwise);
        match faults.first() {
            Some(first) if faults.len() == zones.len() => Sounds::silent(first),
            Some(first) => Sounds::new(
                Nearness::Approximate,
                format!("{of} of {all} samples are silent: {first}", of = faults.len(), all = zones.len()),
            ),
            None => Sounds::new(Nearness::Approximate, otherwise),
        }
    }

    /// As what stands in its chains.
    fn rack_sounds(&self, device: &Device, rack: &Rack, usual: DefaultSound) -> Sounds {
        let usual = if device.is_drum_rack() { DefaultSound::Drums } else { usual };
        let plays = device.category() == Some(DeviceCategory::Instrument);
        let inside = || rack.chains.iter().flat_map(|chain| &chain.devices);
        let instruments = || inside().filter(|device| device.category() == Some(DeviceCategory::Instrument));
        if plays && instruments().next().is_none() {
            return Sounds::silent("none of its chains holds an instrument");
        }
        let soloed = rack.chains.iter().any(|chain| chain.solo);
        let is_left_out = |chain: &Chain| chain.mute || soloed && !chain.solo;
        if !rack.chains.is_empty() && rack.chains.iter().all(|chain| is_left_out(chain) || chain.volume <= 0.0) {
            let rest = if soloed { ", or beside a soloed one" } else { "" };
            let left_out = rack.chains.iter().filter(|chain| is_left_out(chain)).count();
            return Sounds::silent(match left_out {
                0 => "all its chains are at -inf dB".to_owned(),
                _ if left_out == rack.chains.len() => format!("all its chains are muted{rest}"),
                _ => format!("all its chains are muted{rest}, or at -inf dB"),
            });
        }
        if !rack.chains.is_empty() && !rack.chains.iter().any(|chain| is_selected(device, chain)) {
            let why = "its chain selector stands outside the zones of all its chains";
            return Sounds::silent(why);
        }
        if plays && let Some(why) = self.why_all_are_silent(instruments(), usual) {
            return Sounds::silent(format!("no instrument in its chains sounds: {why}"));
        }
        self.together(inside(), usual, Vec::new())
    }

    /// The reasons of devices that are all silent, each once.
    fn why_all_are_silent<'a>(
        &self,
        mut devices: impl Iterator<Item = &'a Arc<Device>>,
        usual: DefaultSound,
    ) -> Option<String> {
        let mut reasons = BTreeSet::new();
        let all = devices.all(|device| {
            let Sounds { nearness, why } = self.device_sounds(device, usual);
            reasons.insert(naming(device.class_display_name(), &why));
            nearness == Nearness::Silent
        });
        all.then(|| first_of(reasons).join(", "))
    }

    /// A device that sounds, with the samples inside it that cannot be played.
    fn named_with_faults(&self, device: &Device) -> String {
        let mut faults = BTreeSet::new();
        self.add_faults(device, &mut faults);
        match faults.is_empty() {
            true => device.class_display_name().to_owned(),
            false => format!("{} (partly silent: {})", device.class_display_name(), first_of(faults).join(", ")),
        }
    }

    fn add_faults(&self, device: &Device, faults: &mut BTreeSet<String>) {
        if device.category() != Some(DeviceCategory::Instrument) {
            return;
        }
        let of_zones = device.sample_zones.iter().map(|zone| &zone.sample);
        let samples = device.sample.iter().map(Arc::as_ref).chain(of_zones);
        faults.extend(samples.filter_map(|sample| self.sample_fault(sample)));
        for device in device.rack.iter().flat_map(|rack| &rack.chains).flat_map(|chain| &chain.devices) {
            self.add_faults(device, faults);
        }
    }

    /// What several devices come to: as far off as the farthest, which is named; `more` are reasons beside them.
    pub(super) fn together<'a>(
        &self,
        devices: impl Iterator<Item = &'a Arc<Device>>,
        usual: DefaultSound,
        more: Vec<String>,
    ) -> Sounds {
        let mut farthest = if more.is_empty() { Nearness::Exact } else { Nearness::Approximate };
        let mut names: BTreeSet<String> = BTreeSet::new();
        for device in devices {
            let sounds = self.device_sounds(device, usual);
            // A part that is silent or passed by leaves the rest as it is.
            let counts = match sounds.nearness {
                Nearness::StandIn if device.category() != Some(DeviceCategory::Instrument) => Nearness::Approximate,
                Nearness::Silent => Nearness::Approximate,
                nearness => nearness,
            };
            farthest = farthest.max(counts);
            names.extend(match sounds.nearness {
                Nearness::Exact => None,
                Nearness::Silent => Some(format!("{} (silent: {})", device.class_display_name(), sounds.why)),
                Nearness::StandIn if counts == Nearness::Approximate => {
                    Some(format!("{} (bypassed)", device.class_display_name()))
                }
                _ => Some(self.named_with_faults(device)),
            });
        }
        Sounds::new(farthest, [first_of(names), more].concat().join(", "))
    }
}

/// As many as an answer lists, and how many there are beside them.
fn first_of(all: BTreeSet<String>) -> Vec<String> {
    let beyond = all.len().saturating_sub(SAID_NAMES);
    let more = (beyond > 0).then(|| format!("{beyond} more"));
    all.into_iter().take(SAID_NAMES).chain(more).collect()
}

/// Whether the selector of its rack lets a chain sound. Drum Racks have none.
fn is_selected(rack: &Device, chain: &Chain) -> bool {
    let at = rack.specs().iter().position(|spec| spec.name == "Chain Selector");
    let zone = chain.zones.selector;
    let holds = |at: &f64| (f64::from(zone.low)..=f64::from(zone.high)).contains(at);
    at.and_then(|at| rack.values.get(at)).is_none_or(holds)
}

/// The type of an Auto Filter that has no code, by its label.
fn untold_type(device: &Device) -> Option<&'static str> {
    const CODED: usize = 5;
    if device.class_name != "AutoFilter2" {
        return None;
    }
    let at = device.specs().iter().position(|spec| spec.name == "Filter Type")?;
    let step = device.values.get(at)?.round().max(0.0) as usize;
    device.specs().get(at)?.items.as_ref()?.get(step).filter(|_| step >= CODED).map(String::as_str)
}

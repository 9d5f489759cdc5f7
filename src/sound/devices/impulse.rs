//! Impulse: its slots side by side, each a chain on its key.

use super::place::Place;
use crate::object_model::faders::clip_gain_db;
use crate::set::document::device_tree::Device;
use crate::set::document::sound_zones::{IMPULSE_KEYS, SampleZone};
use crate::sound::device_values::DeviceValues;
use crate::sound::ids::{zone_chain, zone_instrument};
use crate::sound::tracks::decibels;
use svc_sound::effects::Response;
use svc_sound::instruments::{HitAmounts, ImpulseFilter, ImpulseSettings, InstrumentSettings};
use svc_sound::plan::settings::{self, ChainSettings, DeviceSettings};
use svc_sound::sample::Sample;

/// Where the parameters of the first slot begin, and how many each slot has.
const FIRST: usize = 4;
const OF_EACH: usize = 20;

/// What full amounts are worth. Live tells none of them.
const FULL_SEMITONES: f32 = 48.0;
const FULL_OCTAVES: f32 = 5.0;
/// Octaves of length by which 100 % stretch.
const FULL_STRETCH: f32 = 1.0;
/// Seconds of the grains of modes A (for low sounds) and B.
const GRAINS: [f32; 2] = [0.08, 0.03];

/// The slots whose sample is loaded.
pub fn chains(device: &Device, place: &Place) -> Vec<ChainSettings> {
    let slots = device.sample_zones.iter().filter_map(|zone| {
        let slot = zone.slot()?;
        let key = *IMPULSE_KEYS.get(slot)?;
        let sample = place.samples.get(&zone.sample.file_path)?;
        let played = Slot::of(device, slot).settings(zone, sample);
        let instrument = DeviceSettings {
            id: zone_instrument(device.serial, slot),
            on: true,
            device: settings::Device::Instrument(InstrumentSettings::Impulse(Box::new(played))),
        };
        Some(ChainSettings {
            id: zone_chain(device.serial, slot),
            keys: (key, key),
            devices: vec![instrument],
            ..ChainSettings::default()
        })
    });
    slots.collect()
}

/// The parameters of one slot, and of all.
struct Slot<'a> {
    number: usize,
    own: DeviceValues<'a>,
    of_all: DeviceValues<'a>,
}

impl<'a> Slot<'a> {
    fn of(device: &'a Device, slot: usize) -> Slot<'a> {
        let values = DeviceValues::of(device);
        let first = FIRST + OF_EACH * slot;
        Slot { number: slot + 1, own: values.within(first..first + OF_EACH), of_all: values.within(0..FIRST) }
    }

    fn read<T>(&self, name: &str, read: impl Fn(&DeviceValues<'a>, &str) -> T) -> T {
        read(&self.own, &format!("{} {name}", self.number))
    }

    fn part(&self, name: &str) -> f32 {
        self.read(name, DeviceValues::part)
    }

    fn number(&self, name: &str) -> f32 {
        self.read(name, DeviceValues::number)
    }

    /// `sample` is the decoded file of `zone`.
    fn settings(&self, zone: &SampleZone, sample: Sample) -> ImpulseSettings {
        let frame = |frame: u64| u32::try_from(frame).unwrap_or(u32::MAX);
        let time = FULL_STRETCH * self.of_all.part("Global Time");
        let gain_db = self.number("Volume") + self.of_all.number("Global Volume");
        ImpulseSettings {
            region: (frame(zone.sample.start_marker), frame(zone.sample.end_marker)),
            start: self.read("Start", DeviceValues::seconds),
            semitones: self.number("Transpose")
                + self.of_all.number("Global Transpose")
                + 0.01 * zone.detune_cents as f32,
            semitones_by: HitAmounts {
                velocity: FULL_SEMITONES * self.part("Transpose <- Vel"),
                random: FULL_SEMITONES * self.part("Transpose <- Random"),
            },
            stretch: FULL_STRETCH * self.part("Stretch Factor") + time,
            stretch_by: HitAmounts { velocity: FULL_STRETCH * self.part("Stretch <- Vel"), random: 0.0 },
            grain: GRAINS.get(self.read("Stretch Mode", DeviceValues::step)).copied().unwrap_or(GRAINS[0]),
            drive_db: self.number("Saturator Drive"),
            filter: self.filter(),
            decay: self.read("Envelope Decay", DeviceValues::seconds) * time.exp2(),
            gate: self.read("Envelope Type", DeviceValues::is_on),
            pan: (self.read("Pan", DeviceValues::pan) + zone.panning as f32).clamp(-1.0, 1.0),
            pan_by: HitAmounts { velocity: self.part("Pan <- Vel"), random: self.part("Pan <- Random") },
            gain_db: gain_db + decibels(clip_gain_db(zone.sample.gain)),
            velocity_to_level: self.part("Volume <- Vel"),
            ..ImpulseSettings::of(sample)
        }
    }

    fn filter(&self) -> ImpulseFilter {
        // In pairs of a flat and a steep one.
        let kinds = [Response::Lowpass, Response::Bandpass, Response::Highpass, Response::Notch];
        let at = self.read("Filter Type", DeviceValues::step);
        ImpulseFilter {
            response: kinds.get(at / 2).copied().unwrap_or_default(),
            steep: at % 2 == 1,
            hz: self.number("Filter Freq"),
            q: self.number("Filter Res"),
            octaves: HitAmounts {
                velocity: FULL_OCTAVES * self.part("Filter <- Vel"),
                random: FULL_OCTAVES * self.part("Filter <- Random"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::audio::AudioFacts;
    use crate::set::document::simpler_sample;

    fn settings(device: &Device, slot: usize) -> ImpulseSettings {
        let facts = AudioFacts { frames: 4_000, sample_rate_hz: 8_000.0, channels: 1, tempo_bpm: None };
        let mut of_file = simpler_sample::Sample::loaded("/a.wav", facts);
        of_file.start_marker = 10;
        let zone = SampleZone::of(of_file).in_slot(slot).unwrap();
        let sample = Sample::new(vec![0.0; 4_000].into(), 1, 8_000.0).unwrap();
        Slot::of(device, slot).settings(&zone, sample)
    }

    fn with(changes: &[(&str, f64)]) -> Device {
        let mut device = Device::native(1, "Impulse").unwrap();
        for (name, raw) in changes {
            let at = device.specs().iter().position(|spec| spec.name == *name).unwrap();
            device.values[at] = *raw;
        }
        device
    }

    #[test]
    fn a_new_slot_plays_its_sample_as_it_is() {
        for slot in 0..IMPULSE_KEYS.len() {
            let new = settings(&with(&[]), slot);
            let plain = ImpulseSettings { region: (10, 4_000), ..ImpulseSettings::of(new.sample.clone()) };
            assert!((new.decay - 2.0).abs() < 0.01 && (new.filter.hz - 18_500.0).abs() < 1.0);
            assert!((new.filter.q - 0.7).abs() < 0.01 && new.gain_db.abs() < 1e-3);
            let filter = ImpulseFilter { hz: plain.filter.hz, q: plain.filter.q, ..new.filter };
            let same = ImpulseSettings { decay: plain.decay, gain_db: 0.0, grain: plain.grain, filter, ..new };
            assert_eq!(same, plain, "slot {slot}");
        }
    }

    /// Each parameter of a slot is heard in that slot and in no other, those of all in each.
    #[test]
    fn every_parameter_is_heard_where_it_belongs() {
        let specs = with(&[]).specs();
        assert_eq!(specs.len(), FIRST + OF_EACH * IMPULSE_KEYS.len());
        for (at, spec) in specs.iter().enumerate().skip(1) {
            let raw = if spec.default == Some(spec.max) { spec.min } else { spec.max };
            let changed = with(&[(&spec.name, raw)]);
            let heard: Vec<usize> = (0..IMPULSE_KEYS.len())
                .filter(|slot| settings(&changed, *slot) != settings(&with(&[]), *slot))
                .collect();
            let meant: Vec<usize> = match at.checked_sub(FIRST) {
                Some(at) => vec![at / OF_EACH],
                None => (0..IMPULSE_KEYS.len()).collect(),
            };
            assert_eq!(heard, meant, "{}", spec.name);
        }
    }

    #[test]
    fn values_are_in_the_units_of_the_world() {
        let device = with(&[
            ("3 Start", 50.0),
            ("3 Transpose", -12.0),
            ("Global Transpose", 0.625),
            ("3 Stretch Factor", 0.5),
            ("Global Time", 0.75),
            ("3 Filter Type", 3.0),
            ("3 Pan <- Random", 0.5),
            ("3 Volume", -6.0),
            ("Global Volume", 0.75),
            ("3 Transpose <- Vel", 0.25),
        ]);
        let is = settings(&device, 2);
        let near = |is: f32, meant: f32| assert!((is - meant).abs() < 1e-3, "{is} is not {meant}");
        near(is.start, 0.05);
        near(is.semitones, 0.0);
        near(is.stretch, 1.0);
        near(is.decay, 2.0 * 0.5f32.exp2());
        near(is.pan_by.random, 0.5);
        near(is.gain_db, 12.0);
        near(is.semitones_by.velocity, 12.0);
        assert!(is.filter.steep && is.filter.response == Response::Bandpass);
    }
}

//! Sampler, and a Simpler of several samples: its samples side by side, each a chain with the zones of its sample.

use super::place::Place;
use super::simpler::{self, amplitude, filter, glide};
use super::zones::{ends, fades, selector};
use crate::object_model::faders::clip_gain_db;
use crate::set::document::device_tree::Device;
use crate::set::document::simpler_sample as kept;
use crate::set::document::sound_zones::{SampleZone, ZoneRange};
use crate::sound::device_values::DeviceValues;
use crate::sound::ids::{MOST_ZONES, zone_chain, zone_instrument};
use crate::sound::tracks::decibels;
use svc_sound::instruments::{InstrumentSettings, MOST_VOICES, SamplerSettings};
use svc_sound::plan::settings::{self, ChainSettings, DeviceSettings};
use svc_sound::sample::Sample;

/// The samples that are loaded.
pub fn chains(device: &Device, place: &Place) -> Vec<ChainSettings> {
    let values = &DeviceValues::of(device);
    let shift = values.number("Key Zone Shift").round() as i16;
    let at_selector = values.raw("Sample Selector");
    let zones = (0..MOST_ZONES).zip(&device.sample_zones).filter_map(|(at, zone)| {
        let played = match &device.sample {
            // The first of a Simpler's is what its other members show and change.
            Some(own) => {
                let of = if at == 0 { own } else { &zone.sample };
                zone_of_simpler(device, zone, of, place.samples.get(&of.file_path)?, place.is_moved)
            }
            None => instrument(device, zone, place.samples.get(&zone.sample.file_path)?, place.is_moved),
        };
        let instrument = DeviceSettings {
            id: zone_instrument(device.serial, at),
            on: true,
            device: settings::Device::Instrument(InstrumentSettings::Sampler(Box::new(played))),
        };
        Some(ChainSettings {
            id: zone_chain(device.serial, at),
            keys: shifted(zone.zones.keys, shift)?,
            key_fades: fades(zone.zones.keys),
            velocities: ends(zone.zones.velocities),
            velocity_fades: fades(zone.zones.velocities),
            selector: selector(&zone.zones, at_selector, place.is_moved),
            devices: vec![instrument],
            ..ChainSettings::default()
        })
    });
    zones.collect()
}

/// Keys so many semitones up; `None`: no key is left.
fn shifted(keys: ZoneRange, by: i16) -> Option<(u8, u8)> {
    let (low, high) = (i16::from(keys.low) + by, i16::from(keys.high) + by);
    let end = |key: i16| u8::try_from(key.clamp(0, 127)).unwrap_or_default();
    (high >= 0 && low <= 127).then(|| (end(low), end(high)))
}

fn zone_of_simpler(
    device: &Device,
    zone: &SampleZone,
    of: &kept::Sample,
    sample: Sample,
    is_moved: bool,
) -> SamplerSettings {
    let settings = simpler::settings(device, of, sample, is_moved);
    SamplerSettings {
        root: zone.root_key,
        semitones: settings.semitones + 0.01 * zone.detune_cents as f32,
        pan: (settings.pan + zone.panning as f32).clamp(-1.0, 1.0),
        ..settings
    }
}

fn instrument(device: &Device, zone: &SampleZone, sample: Sample, is_moved: bool) -> SamplerSettings {
    let values = &DeviceValues::of(device);
    let frame = |frame: u64| u32::try_from(frame).unwrap_or(u32::MAX);
    let part = &zone.sample;
    let held = zone.sustain_loop;
    // Back and forth is played forth alone.
    let repeats = held.mode != 0 && held.start < held.end;
    SamplerSettings {
        start: frame(part.start_marker),
        end: frame(part.end_marker),
        repeats: repeats.then(|| (frame(held.start), frame(held.end))),
        crossfade: held.crossfade.round().clamp(0.0, f64::from(u32::MAX)) as u32,
        root: zone.root_key,
        semitones: values.number("Transpose") + 0.01 * (values.number("Detune") + zone.detune_cents as f32),
        gain_db: values.number("Volume") + decibels(clip_gain_db(zone.sample.gain)),
        pan: (values.pan("Pan") + zone.panning as f32).clamp(-1.0, 1.0),
        velocity_to_level: values.part("Vol < Vel"),
        envelope: amplitude(device, values),
        filter: filter(values, values.part("Filter Res"), is_moved),
        voices: MOST_VOICES as u8,
        glide: glide(values),
        spread: values.part("Spread"),
        pan_random: values.part("Pan < Rnd"),
        ..SamplerSettings::of(sample)
    }
}

//! Drum Sampler: the sample that it brought from a file. Of a parameter that nobody has said yet nothing is known, not
//! even where it stands in a new device: it does nothing then.

use crate::object_model::faders::clip_gain_db;
use crate::set::document::device_tree::Device;
use crate::set::document::sound_zones::SampleZone;
use crate::sound::device_values::DeviceValues;
use crate::sound::tracks::decibels;
use svc_sound::instruments::{DrumFilter, DrumFilterType, DrumSamplerEffect, DrumSamplerSettings, DrumVelocityTarget};
use svc_sound::sample::Sample;

/// Semitones that the pitch envelope of 100 % begins away.
const PITCH_SEMITONES: f32 = 48.0;

/// The values of a device, as far as they are known.
struct KnownValues<'a> {
    device: &'a Device,
    values: DeviceValues<'a>,
}

impl<'a> KnownValues<'a> {
    /// What `read` makes of a parameter; `None` where it is not known.
    fn get<T>(&self, name: &str, read: impl Fn(&DeviceValues<'a>, &str) -> T) -> Option<T> {
        let at = self.device.specs().iter().position(|spec| spec.name == name)?;
        let is_unread = self.device.unread.iter().any(|unread| usize::from(*unread) == at);
        (!is_unread).then(|| read(&self.values, name))
    }

    fn number(&self, name: &str) -> f32 {
        self.get(name, DeviceValues::number).unwrap_or_default()
    }

    fn part(&self, name: &str) -> f32 {
        0.01 * self.number(name)
    }

    fn is_on(&self, name: &str) -> bool {
        self.get(name, DeviceValues::is_on).unwrap_or_default()
    }
}

/// `sample` is the decoded file of `zone`.
pub fn settings(device: &Device, zone: &SampleZone, sample: Sample) -> DrumSamplerSettings {
    let known = &KnownValues { device, values: DeviceValues::of(device) };
    let frames = sample.frames().max(1) as f32;
    let (first, last) = (zone.sample.start_marker as f32 / frames, zone.sample.end_marker as f32 / frames);
    let start = first + (last - first) * known.part("Start");
    let length = known.get("Length", DeviceValues::part).unwrap_or(1.0);
    let otherwise = DrumSamplerSettings::of(sample);
    DrumSamplerSettings {
        start,
        length: (last - start) * length,
        root: zone.root_key,
        semitones: known.number("Transpose") + 0.01 * (known.number("Detune") + zone.detune_cents as f32),
        gain_db: known.number("Volume") + decibels(clip_gain_db(zone.sample.gain)),
        pan: (known.get("Pan", DeviceValues::pan).unwrap_or_default() + zone.panning as f32).clamp(-1.0, 1.0),
        velocity_to_level: known.get("Vel > Vol", DeviceValues::part).unwrap_or(otherwise.velocity_to_level),
        velocity_to: velocity_to(known),
        filter: known.is_on("Flt On").then(|| filter(known)),
        attack: known.get("Attack", DeviceValues::seconds).unwrap_or(otherwise.attack),
        hold: known.get("Hold", DeviceValues::seconds).unwrap_or(otherwise.hold),
        decay: known.get("Decay", DeviceValues::seconds).unwrap_or(otherwise.decay),
        gate: known.is_on("Env Mode"),
        effect: if known.is_on("FX On") { effect(known) } else { None },
        ..otherwise
    }
}

fn filter(known: &KnownValues) -> DrumFilter {
    let types =
        [DrumFilterType::Lowpass12, DrumFilterType::Lowpass24, DrumFilterType::Highpass24, DrumFilterType::Peak];
    DrumFilter {
        filter_type: known
            .get("Flt Type", DeviceValues::step)
            .and_then(|at| types.get(at))
            .copied()
            .unwrap_or_default(),
        hz: known.get("Flt Freq", DeviceValues::number).unwrap_or(20_000.0),
        resonance: known.part("Flt Reso"),
        gain_db: known.number("Flt Gain"),
    }
}

/// Slide is not played.
fn velocity_to(known: &KnownValues) -> Option<(DrumVelocityTarget, f32)> {
    let targets = [
        DrumVelocityTarget::Filter,
        DrumVelocityTarget::Attack,
        DrumVelocityTarget::Hold,
        DrumVelocityTarget::Decay,
        DrumVelocityTarget::Effect1,
        DrumVelocityTarget::Effect2,
    ];
    let target = known.get("Mod Dest", DeviceValues::step).and_then(|at| targets.get(at)).copied();
    target.filter(|_| !known.is_on("Mod Src")).map(|target| (target, known.part("Mod Amt")))
}

fn effect(known: &KnownValues) -> Option<DrumSamplerEffect> {
    let seconds = |name: &str| known.get(name, DeviceValues::seconds).unwrap_or(0.1);
    let hz = |name: &str| known.get(name, DeviceValues::number).unwrap_or(100.0);
    Some(match known.get("FX Type", DeviceValues::step)? {
        0 => {
            DrumSamplerEffect::Stretch { factor: known.number("Stretch Factor").max(1.0), grain: seconds("Grain Size") }
        }
        1 => DrumSamplerEffect::Loop { offset: known.part("Loop Offset"), length: seconds("Loop Length") },
        2 => DrumSamplerEffect::PitchEnvelope {
            semitones: PITCH_SEMITONES * known.part("Pitch Env Amt"),
            decay: seconds("Pitch Env Decay"),
        },
        3 => DrumSamplerEffect::Punch { amount: known.part("Punch Amt"), release: seconds("Punch Release") },
        4 => DrumSamplerEffect::EightBit { hz: hz("8-Bit Rate"), filter_decay: seconds("8-Bit Flt Decay") },
        5 => DrumSamplerEffect::FrequencyModulation { amount: known.part("FM Amt"), hz: hz("FM Freq") },
        6 => DrumSamplerEffect::RingModulation { amount: known.part("RM Amt"), hz: hz("RM Freq") },
        7 => DrumSamplerEffect::SubOscillator { amount: known.part("Sub Amt"), hz: hz("Sub Freq") },
        _ => DrumSamplerEffect::Noise { amount: known.part("Noise Amt"), color: 0.5 + 0.5 * known.part("Noise Color") },
    })
}

//! Simpler: its sample with what its parameters make of it.

use super::rates::beats_of_ladder;
use crate::object_model::faders::clip_gain_db;
use crate::set::document::device_tree::Device;
use crate::set::document::simpler_sample::{PartParameters, Sample};
use crate::sound::clips::{clip_warp, markers};
use crate::sound::device_values::DeviceValues;
use crate::sound::tracks::decibels;
use svc_sound::dsp::envelope::EnvelopeTimes;
use svc_sound::dsp::math::{exp2, gain_of_db};
use svc_sound::dsp::svf::Response;
use svc_sound::effects::{LfoRate, LfoWave};
use svc_sound::instruments::{
    MOST_VOICES, PitchEnvelope, SamplerFilter, SamplerGlide, SamplerLfo, SamplerMode, SamplerSettings, SamplerWarp,
};
use svc_sound::mixer::Warp;
use svc_sound::sample;

/// The key that plays the sample as it is: C3.
const ROOT: u8 = 60;
/// The key of the first slice: C1.
const FIRST_SLICE: u8 = 36;
/// Voices of a Simpler where none are stored.
const USUAL_VOICES: u64 = 6;
/// From here up a lowpass takes nothing that is heard.
const OPEN_HZ: f32 = 20_000.0;
/// What half of the velocity's range does to the filter at 100 %, in octaves.
const VELOCITY_OCTAVES: f32 = 4.0;

/// `sample` is the decoded file of `of`.
/// `is_moved`: clips move parameters of it.
pub fn settings(device: &Device, of: &Sample, sample: sample::Sample, is_moved: bool) -> SamplerSettings {
    let values = DeviceValues::of(device);
    let part = of.played_part(PartParameters {
        start: values.raw("S Start"),
        length: values.raw("S Length"),
        loop_length: values.raw("S Loop Length"),
        loop_fade: values.raw("S Loop Fade"),
    });
    let repeats = values.is_on("S Loop On").then(|| (frame(part.loop_start), frame(part.end)));
    SamplerSettings {
        mode: mode(device, of, &values),
        start: frame(part.start),
        end: frame(part.end),
        repeats,
        crossfade: frame(part.loop_fade),
        root: ROOT,
        semitones: values.number("Transpose") + 0.01 * values.number("Detune"),
        gain_db: values.number("Volume") + decibels(clip_gain_db(of.gain)),
        pan: values.pan("Pan"),
        velocity_to_level: values.part("Vol < Vel"),
        envelope: amplitude(device, &values),
        filter: filter(&values, values.number("Filter Res"), is_moved),
        fade_in: values.seconds("Fade In"),
        fade_out: values.seconds("Fade Out"),
        voices: voices(device),
        pitch_envelope: pitch_envelope(&values),
        lfo: lfo(&values),
        glide: glide(&values),
        spread: values.part("Spread"),
        pan_random: values.part("Pan < Rnd"),
        warp: warp(of),
        ..SamplerSettings::of(sample)
    }
}

pub(super) fn glide(values: &DeviceValues) -> SamplerGlide {
    match values.step("Glide Mode") {
        1 => SamplerGlide::Portamento(values.seconds("Glide Time")),
        2 => SamplerGlide::Glide(values.seconds("Glide Time")),
        _ => SamplerGlide::Off,
    }
}

fn mode(device: &Device, of: &Sample, values: &DeviceValues) -> SamplerMode {
    let gate = values.is_on("Trigger Mode");
    match stored_number(device, "playback_mode", 0) {
        1 => SamplerMode::OneShot { gate },
        2 => SamplerMode::Slice {
            starts: of.slice_times().into_iter().map(|at| u32::try_from(at).unwrap_or(u32::MAX)).collect(),
            first_pitch: FIRST_SLICE,
            gate,
        },
        _ => SamplerMode::Classic,
    }
}

fn voices(device: &Device) -> u8 {
    let of_slices = stored_number(device, "playback_mode", 0) == 2;
    // Slices one at a time, or as many as there are voices.
    if of_slices && stored_number(device, "slicing_playback_mode", 0) == 0 {
        return 1;
    }
    u8::try_from(stored_number(device, "voices", USUAL_VOICES)).unwrap_or(1).clamp(1, MOST_VOICES as u8)
}

fn stored_number(device: &Device, member: &str, otherwise: u64) -> u64 {
    device.stored.get(member).and_then(serde_json::Value::as_u64).unwrap_or(otherwise)
}

/// Only Classic has an envelope; the others have fades.
pub(super) fn amplitude(device: &Device, values: &DeviceValues) -> EnvelopeTimes {
    if stored_number(device, "playback_mode", 0) != 0 {
        return EnvelopeTimes { release: values.seconds("Fade Out"), ..EnvelopeTimes::GATE };
    }
    EnvelopeTimes {
        attack: values.seconds("Ve Attack"),
        decay: values.seconds("Ve Decay"),
        sustain: gain_of_db(values.finite_db("Ve Sustain")),
        release: values.seconds("Ve Release"),
    }
}

/// Of a `resonance` from 0 up. `None`: it takes nothing that is heard, and nothing moves it.
pub(super) fn filter(values: &DeviceValues, resonance: f32, is_moved: bool) -> Option<SamplerFilter> {
    let response = match values.step("Filter Type") {
        1 => Response::Highpass,
        2 => Response::Bandpass,
        3 => Response::Notch,
        _ => Response::Lowpass,
    };
    let envelope_octaves = if values.is_on("Fe On") { values.number("Fe < Env") / 12.0 } else { 0.0 };
    let hz = values.number("Filter Freq");
    let is_open =
        !is_moved && response == Response::Lowpass && hz >= OPEN_HZ && resonance == 0.0 && envelope_octaves >= 0.0;
    (values.is_on("F On") && !is_open).then(|| SamplerFilter {
        response,
        hz,
        q: 0.707 * exp2(3.2 * resonance),
        steep: values.is_on("Filter Slope"),
        key_tracking: values.part("Filt < Key"),
        velocity_octaves: values.part("Filt < Vel") * VELOCITY_OCTAVES,
        envelope_octaves,
        envelope: EnvelopeTimes {
            attack: values.seconds("Fe Attack"),
            decay: values.seconds("Fe Decay"),
            sustain: values.part("Fe Sustain"),
            release: values.seconds("Fe Release"),
        },
    })
}

fn pitch_envelope(values: &DeviceValues) -> Option<PitchEnvelope> {
    let semitones = values.number("Pe < Env");
    (values.is_on("Pe On") && semitones != 0.0).then(|| PitchEnvelope {
        semitones,
        envelope: EnvelopeTimes {
            attack: values.seconds("Pe Attack"),
            decay: values.seconds("Pe Decay"),
            sustain: values.part("Pe Sustain"),
            release: values.seconds("Pe Release"),
        },
    })
}

/// Semitones that an LFO of 100 % moves a note to each side.
const LFO_SEMITONES: f32 = 24.0;

fn lfo(values: &DeviceValues) -> Option<SamplerLfo> {
    let waves =
        [LfoWave::Sine, LfoWave::Square, LfoWave::Triangle, LfoWave::SawDown, LfoWave::SawUp, LfoWave::SampleAndHold];
    values.is_on("L On").then(|| SamplerLfo {
        wave: waves.get(values.step("L Wave")).copied().unwrap_or_default(),
        rate: free_or_synced_reversed(values),
        key_tracking: values.part("L R < Key"),
        attack: values.seconds("L Attack"),
        retrigger: values.is_on("L Retrig"),
        offset: values.number("L Offset") / 360.0,
        semitones: values.part("Pitch < LFO") * LFO_SEMITONES,
        level: values.part("Vol < LFO"),
        pan: values.part("Pan < LFO"),
        filter_octaves: values.number("Filt < LFO") / 12.0,
    })
}

/// Simpler's steps of beats run the other way round.
fn free_or_synced_reversed(values: &DeviceValues) -> LfoRate {
    match values.is_on("L Sync") {
        true => LfoRate::PerBeat(1.0 / beats_of_ladder(LAST_STEP.saturating_sub(values.step("L Sync Rate")))),
        false => LfoRate::Hz(values.number("L Rate")),
    }
}

/// The last step of the ladder of beats.
const LAST_STEP: usize = 21;

/// How its sample follows the tempo, if it does.
fn warp(of: &Sample) -> Option<SamplerWarp> {
    let grains = match clip_warp(of.warping, of.warp_mode) {
        Warp::Off => return None,
        Warp::Repitch => None,
        Warp::Grains(grains) => Some(grains),
    };
    Some(SamplerWarp { grains, markers: markers(&of.warp_markers).into() })
}

fn frame(frame: f64) -> u32 {
    frame.round().clamp(0.0, f64::from(u32::MAX)) as u32
}

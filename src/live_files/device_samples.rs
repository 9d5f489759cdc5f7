//! The samples of samplers.

use super::audio::{read_markers, read_sample};
use super::error::ReadError;
use super::limits::Countable;
use super::sample_search::SampleReference;
use super::walk::{Walk, gain_db};
use super::xml_reader::Element;
use super::zones::read_zones;
use crate::object_model::audio::AudioFacts;
use crate::object_model::faders::clip_gain_raw;
use crate::set::document::simpler_sample::Sample;
use crate::set::document::sound_zones::{SampleLoop, SampleZone, Zones};
use crate::set::document::{WarpMarker, warp_markers};

/// Channels of a sample that is not there.
const USUAL_CHANNELS: u16 = 2;
/// C3, where nothing says another.
const USUAL_ROOT_KEY: u8 = 60;
/// A gain of 24 dB, and a little for how it is rounded.
const MOST_GAIN: f64 = 15.9;
/// Frames of a sample.
const MOST_FRAMES: i64 = 1 << 40;

/// A sample that is being read.
#[derive(Default)]
struct SampleParts {
    reference: SampleReference,
    start: u64,
    end: Option<u64>,
    gain: Option<f64>,
    warping: bool,
    warp_mode: u8,
    markers: Vec<WarpMarker>,
    slices_seconds: Vec<f64>,
    slicing: Vec<(&'static str, u8)>,
    name: String,
    zones: Option<Zones>,
    root_key: Option<u8>,
    detune_cents: f64,
    panning: f64,
    sustain_loop: SampleLoop,
    release_loop: SampleLoop,
}

/// Reads the samples that a sampler has, in order.
pub fn read_samples(walk: &mut Walk, element: &Element) -> Result<Vec<SampleZone>, ReadError> {
    let mut samples = Vec::new();
    while let Some(part) = walk.next_child(element)? {
        samples.extend(read_one(walk, &part)?);
    }
    Ok(samples)
}

/// Reads one sample; `None` where nothing says how long it is.
pub fn read_one(walk: &mut Walk, element: &Element) -> Result<Option<SampleZone>, ReadError> {
    walk.stay_within(Countable::Samples)?;
    let mut parts = SampleParts::default();
    while let Some(child) = walk.next_child(element)? {
        read_part(walk, &child, &mut parts)?;
    }
    Ok(finish(walk, parts))
}

/// A sample of which no more is said than its file; `None` where that says none, or not how long it is.
pub fn read_referenced(walk: &mut Walk, element: &Element) -> Result<Option<SampleZone>, ReadError> {
    walk.stay_within(Countable::Samples)?;
    let parts = SampleParts { reference: read_sample(walk, element)?, ..SampleParts::default() };
    let is_named = !parts.reference.path.is_empty() || !parts.reference.relative_path.is_empty();
    Ok(if is_named { finish(walk, parts) } else { None })
}

fn read_part(walk: &mut Walk, child: &Element, parts: &mut SampleParts) -> Result<(), ReadError> {
    let frames = |walk: &Walk, child: &Element| -> Result<u64, ReadError> {
        Ok(u64::try_from(walk.whole(child, 0..=MOST_FRAMES)?).unwrap_or_default())
    };
    match child.name() {
        "SampleRef" => parts.reference = read_sample(walk, child)?,
        "SampleStart" => parts.start = frames(walk, child)?,
        "SampleEnd" => parts.end = Some(frames(walk, child)?),
        "Volume" => parts.gain = Some(walk.number(child, 0.0..=MOST_GAIN)?),
        "SlicingStyle" => parts.slicing.push(("slicing_style", walk.small(child, 3)?)),
        "SlicingRegions" => parts.slicing.push(("slicing_region_count", walk.small(child, 64)?.max(2))),
        "SlicingBeatGrid" => parts.slicing.push(("slicing_beat_division", walk.small(child, 10)?)),
        "ManualSlicePoints" => {
            while let Some(slice) = walk.next_child(child)? {
                parts.slices_seconds.push(walk.attribute_number(&slice, "TimeInSeconds", 0.0..=1e6)?);
            }
        }
        "SampleWarpProperties" => {
            while let Some(warp) = walk.next_child(child)? {
                match warp.name() {
                    "WarpMarkers" => parts.markers = read_markers(walk, &warp)?,
                    "WarpMode" => parts.warp_mode = walk.small(&warp, 6)?,
                    "IsWarped" => parts.warping = walk.boolean(&warp)?,
                    _ => {}
                }
            }
        }
        "Name" => parts.name = walk.text(child)?,
        "RootKey" => parts.root_key = Some(walk.small(child, 127)?),
        "Detune" => parts.detune_cents = walk.number(child, -100.0..=100.0)?,
        "Panorama" => parts.panning = walk.number(child, -1.0..=1.0)?,
        "SustainLoop" => parts.sustain_loop = read_loop(walk, child)?,
        "ReleaseLoop" => parts.release_loop = read_loop(walk, child)?,
        _ => {
            let mut zones = parts.zones.unwrap_or(Zones::OF_SAMPLES);
            if read_zones(walk, child, &mut zones)? {
                parts.zones = Some(zones);
            }
        }
    }
    Ok(())
}

fn read_loop(walk: &mut Walk, element: &Element) -> Result<SampleLoop, ReadError> {
    let mut found = SampleLoop::default();
    let frames = |walk: &Walk, child: &Element| -> Result<u64, ReadError> {
        Ok(u64::try_from(walk.whole(child, 0..=MOST_FRAMES)?).unwrap_or_default())
    };
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Start" => found.start = frames(walk, &child)?,
            "End" => found.end = frames(walk, &child)?,
            "Mode" => found.mode = walk.small(&child, 15)?,
            "Crossfade" => found.crossfade = walk.number(&child, 0.0..=MOST_FRAMES as f64)?,
            "Detune" => found.detune_cents = walk.number(&child, -100.0..=100.0)?,
            name => walk.report.count_unknown(element.name(), name),
        }
    }
    Ok(found)
}

/// The whole; `None` where nothing says how long the sample is, which is counted.
fn finish(walk: &mut Walk, parts: SampleParts) -> Option<SampleZone> {
    let found = walk.samples.find(&parts.reference);
    walk.report.note_sample(&found);
    let facts = found.facts.unwrap_or(AudioFacts {
        frames: parts.reference.frames,
        sample_rate_hz: parts.reference.sample_rate_hz,
        channels: USUAL_CHANNELS,
        tempo_bpm: None,
    });
    if facts.frames == 0 || facts.sample_rate_hz <= 0.0 {
        walk.report.count_left_out("samples of devices, of no known length", 1);
        return None;
    }
    let mut sample = Sample::loaded(&found.path, facts);
    let end = parts.end.unwrap_or(sample.length).min(sample.length);
    if parts.start < end {
        (sample.start_marker, sample.end_marker) = (parts.start, end);
    }
    sample.gain = parts.gain.map_or(sample.gain, |gain| clip_gain_raw(gain_db(gain)).clamp(0.0, 1.0));
    (sample.warping, sample.warp_mode) = (parts.warping, parts.warp_mode);
    if warp_markers::are_sound(&parts.markers) {
        sample.warp_markers = parts.markers;
    }
    let length = sample.length;
    let frames = parts.slices_seconds.iter().map(|seconds| (seconds * sample.sample_rate_hz).round() as u64);
    sample.slices = frames.filter(|frame| *frame < length).collect();
    sample.slices.sort_unstable();
    sample.slices.dedup();
    for (member, value) in parts.slicing {
        // What is stored is what differs from a new sample.
        let usual = if member == "slicing_region_count" { 8 } else { 0 };
        if value != usual {
            sample.stored.insert(member.to_owned(), value.into());
        }
    }
    walk.report.count_read("samples of devices");
    Some(SampleZone {
        name: parts.name,
        sample,
        zones: parts.zones.unwrap_or(Zones::OF_SAMPLES),
        root_key: parts.root_key.unwrap_or(USUAL_ROOT_KEY),
        detune_cents: parts.detune_cents,
        panning: parts.panning,
        sustain_loop: parts.sustain_loop,
        release_loop: parts.release_loop,
    })
}

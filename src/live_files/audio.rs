//! An audio clip's sample, and how it is played.

use super::error::ReadError;
use super::fades::{finish_fades, read_fades};
use super::limits::Countable;
use super::sample_search::SampleReference;
use super::walk::{Walk, gain_db};
use super::xml_reader::Element;
use crate::music::LONGEST_CLIP_BEATS;
use crate::object_model::faders::clip_gain_raw;
use crate::set::document::{AudioContent, Fades, WarpMarker, warp_markers};

/// Channels of a sample that is not there.
const USUAL_CHANNELS: u16 = 2;
/// A gain of 24 dB, and a little for how it is rounded.
const MOST_GAIN: f64 = 15.9;
/// BPM of a sample whose markers cannot be.
const USUAL_BPM: f64 = 120.0;

/// What an audio clip's own elements say.
pub struct AudioParts {
    sample: SampleReference,
    gain: f64,
    pitch_coarse: i64,
    pitch_fine: f64,
    warp_mode: u8,
    pub warping: bool,
    pub ram_mode: bool,
    markers: Vec<WarpMarker>,
    fades: Fades,
}

impl Default for AudioParts {
    fn default() -> AudioParts {
        AudioParts {
            sample: SampleReference::default(),
            gain: 1.0,
            pitch_coarse: 0,
            pitch_fine: 0.0,
            warp_mode: 0,
            warping: false,
            ram_mode: false,
            markers: Vec::new(),
            fades: Fades::default(),
        }
    }
}

/// How a sample is stretched in detail: no place in the document.
const STRETCHING: [&str; 13] = [
    "Onsets",
    "GranularityTones",
    "GranularityTexture",
    "FluctuationTexture",
    "ComplexProFormants",
    "ComplexProEnvelope",
    "TransientResolution",
    "TransientLoopMode",
    "TransientEnvelope",
    "SavedWarpMarkersForStretched",
    "MarkersGenerated",
    "Sync",
    "HiQ",
];

impl AudioParts {
    /// Reads a child of an audio clip; `false` for one that is none of these.
    pub fn read(&mut self, walk: &mut Walk, child: &Element) -> Result<bool, ReadError> {
        match child.name() {
            "SampleRef" => self.sample = read_sample(walk, child)?,
            "SampleVolume" => self.gain = walk.number(child, 0.0..=MOST_GAIN)?,
            "PitchCoarse" => self.pitch_coarse = walk.whole(child, -48..=48)?,
            "PitchFine" => self.pitch_fine = walk.number(child, -50.0..=50.0)?,
            "WarpMode" => self.warp_mode = walk.small(child, 6)?,
            "WarpMarkers" => self.markers = read_markers(walk, child)?,
            "Fade" => self.fades.on = walk.boolean(child)?,
            "Fades" => read_fades(walk, child, &mut self.fades)?,
            "IsSongTempoMaster" | "IsSongTempoLeader" if walk.boolean(child)? => {
                walk.report.count_left_out("clips that lead the tempo", 1);
            }
            "IsSongTempoMaster" | "IsSongTempoLeader" => {}
            name => return Ok(STRETCHING.contains(&name)),
        }
        Ok(true)
    }

    /// The whole; `None` where nothing says how long the sample is.
    pub fn finish(mut self, walk: &mut Walk) -> Option<AudioContent> {
        let found = walk.samples.find(&self.sample);
        walk.report.note_sample(&found);
        let (frames, rate, channels) = match found.facts {
            Some(facts) => (facts.frames, facts.sample_rate_hz, facts.channels),
            None => (self.sample.frames, self.sample.sample_rate_hz, USUAL_CHANNELS),
        };
        if frames == 0 || rate <= 0.0 {
            return None;
        }
        if !warp_markers::are_sound(&self.markers) {
            walk.report.count_left_out("warp markers of clips where they are out of order", 1);
            self.markers = warp_markers::straight(USUAL_BPM);
        }
        // Half a semitone up is half a semitone down from the next one.
        let up = self.pitch_fine > 49.0 && self.pitch_coarse < 48;
        let (coarse, fine) = match (up, self.pitch_fine) {
            (true, fine) => (self.pitch_coarse + 1, fine - 100.0),
            (false, fine) => (self.pitch_coarse, fine),
        };
        Some(AudioContent {
            file_path: found.path,
            sample_length: frames,
            sample_rate_hz: rate,
            channels,
            gain: clip_gain_raw(gain_db(self.gain)).clamp(0.0, 1.0),
            pitch_coarse: i8::try_from(coarse).unwrap_or_default(),
            pitch_fine: fine.clamp(-50.0, 49.0),
            warping: self.warping,
            warp_mode: self.warp_mode,
            ram_mode: self.ram_mode,
            warp_markers: self.markers,
            fades: finish_fades(walk, self.fades),
        })
    }
}

pub fn read_markers(walk: &mut Walk, element: &Element) -> Result<Vec<WarpMarker>, ReadError> {
    let far = 2.0 * LONGEST_CLIP_BEATS;
    let mut markers = Vec::new();
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "WarpMarker" => {
                walk.count(Countable::WarpMarkers)?;
                markers.push(WarpMarker {
                    beat_time: walk.attribute_number(&child, "BeatTime", -far..=far)?,
                    sample_time_seconds: walk.attribute_number(&child, "SecTime", -far..=far)?,
                });
            }
            name => walk.report.count_unknown("WarpMarkers", name),
        }
    }
    Ok(markers)
}

pub fn read_sample(walk: &mut Walk, element: &Element) -> Result<SampleReference, ReadError> {
    let mut sample = SampleReference::default();
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "FileRef" => read_file(walk, &child, &mut sample)?,
            "DefaultDuration" => {
                sample.frames = u64::try_from(walk.whole(&child, 0..=i64::from(u32::MAX) << 8)?).unwrap_or_default();
            }
            "DefaultSampleRate" => sample.sample_rate_hz = walk.number(&child, 0.0..=10_000_000.0)?,
            _ => walk.pass_over(
                "SampleRef",
                &child,
                &["LastModDate", "SourceContext", "SampleUsageHint", "SamplesToAutoWarp"],
            )?,
        }
    }
    Ok(sample)
}

const OF_FILES: [&str; 13] = [
    "RelativePathType",
    "HasRelativePath",
    "Type",
    "LivePackName",
    "LivePackId",
    "OriginalFileSize",
    "OriginalCrc",
    "SourceHint",
    "Data",
    "SearchHint",
    "RefersToFolder",
    "PathHint",
    "ImmutableUid",
];

/// From Live 11 on paths are texts; before, the relative one is a list of folders, and the file's name stands beside.
fn read_file(walk: &mut Walk, element: &Element, sample: &mut SampleReference) -> Result<(), ReadError> {
    let (mut folders, mut name) = (Vec::new(), None);
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Path" => sample.path = walk.text(&child)?,
            "Name" => name = Some(walk.text(&child)?),
            "RelativePath" => {
                sample.relative_path = walk.attribute(&child, "Value")?.unwrap_or_default();
                while let Some(part) = walk.next_child(&child)? {
                    match part.name() {
                        "RelativePathElement" => {
                            let folder = walk.attribute(&part, "Dir")?.unwrap_or_default();
                            folders.push(if folder.is_empty() { "..".to_owned() } else { folder });
                        }
                        other => walk.report.count_unknown("RelativePath", other),
                    }
                }
            }
            _ => walk.pass_over("FileRef", &child, &OF_FILES)?,
        }
    }
    if let Some(name) = name.filter(|_| sample.relative_path.is_empty()) {
        folders.push(name);
        sample.relative_path = folders.join("/");
    }
    Ok(())
}

//! The sample of a Simpler: its warping and its slices.
//!
//! Slices come from the slicing style (regions of equal length, a grid of beats); those that a person added or took
//! away are kept apart from them, so that a reset brings the style's own back. Slices at transients would need the
//! sound itself, which the Set never reads: that style has the first slice and those set by hand.

use crate::music::Beats;
use crate::object_model::audio::AudioFacts;
use crate::set::document::attributes::{StoredMembers, is_false};
use crate::set::document::warp_markers::{self, WarpMarker};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The sample of a Simpler. Times are frames of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    pub file_path: String,
    pub length: u64,
    pub sample_rate_hz: f64,
    pub channels: u16,
    pub start_marker: u64,
    pub end_marker: u64,
    /// Raw 0..=1; 0.4 is 0 dB.
    pub gain: f64,
    #[serde(default, skip_serializing_if = "is_false")]
    pub warping: bool,
    pub warp_mode: u8,
    pub warp_markers: Vec<WarpMarker>,
    /// Slices set by hand, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slices: Vec<u64>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stored: StoredMembers,
}

/// The parameters of a Simpler that cut its sample, 0 to 1 each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartParameters {
    pub start: f64,
    pub length: f64,
    pub loop_length: f64,
    pub loop_fade: f64,
}

/// What is played of a sample, frames. The loop ends where the part does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayedPart {
    pub start: f64,
    pub end: f64,
    pub loop_start: f64,
    pub loop_fade: f64,
}

/// Live shows no more slices than Simpler has notes to play them with.
const MAX_SLICES: usize = 128;

const REMOVED: &str = "removed_slices";

/// Quarter beats of each division of the beat grid, in the order of `slicing_beat_division`.
const DIVISIONS: [Beats; 11] = [0.25, 0.5 / 3.0, 0.5, 1.0 / 3.0, 1.0, 2.0 / 3.0, 2.0, 4.0 / 3.0, 4.0, 8.0, 16.0];

impl Sample {
    /// A sample as it is when it has just been loaded: whole, unwarped, at 120 BPM.
    pub fn loaded(file_path: &str, facts: AudioFacts) -> Sample {
        let mut sample = Sample {
            file_path: file_path.to_owned(),
            length: facts.frames,
            sample_rate_hz: facts.sample_rate_hz,
            channels: facts.channels,
            start_marker: 0,
            end_marker: facts.frames,
            gain: 0.4,
            warping: false,
            warp_mode: 0,
            warp_markers: Vec::new(),
            slices: Vec::new(),
            stored: BTreeMap::new(),
        };
        sample.warp_region(sample.region_seconds() * 2.0);
        sample
    }

    /// Whether its values are possible: a document may bring any.
    pub fn is_sound(&self) -> bool {
        self.length > 0
            && self.length < 1 << 53
            && self.sample_rate_hz.is_finite()
            && self.sample_rate_hz > 0.0
            && self.start_marker < self.end_marker
            && self.end_marker <= self.length
            && (0.0..=1.0).contains(&self.gain)
            && warp_markers::are_sound(&self.warp_markers)
            && self.slices.is_sorted()
            && self.slices.last().is_none_or(|last| *last < self.length)
    }

    /// What a Simpler plays of it: where its parameters, 0 to 1 each, begin and end it inside the markers, and the loop
    /// at its end.
    pub fn played_part(&self, parameters: PartParameters) -> PlayedPart {
        let PartParameters { start, length, loop_length, loop_fade } = parameters;
        let (first, last) = (self.start_marker as f64, self.end_marker as f64);
        let start = first + (last - first) * start;
        let end = start + (last - start) * length;
        let loop_start = end - (end - start) * loop_length;
        PlayedPart { start, end, loop_start, loop_fade: (end - loop_start) * loop_fade }
    }

    fn seconds(&self, frame: u64) -> f64 {
        frame as f64 / self.sample_rate_hz
    }

    /// What plays, in seconds.
    pub fn region_seconds(&self) -> f64 {
        self.seconds(self.end_marker.saturating_sub(self.start_marker))
    }

    /// Makes the region `beats` long: one tempo from its start on.
    pub fn warp_region(&mut self, beats: Beats) {
        let first = WarpMarker { beat_time: 0.0, sample_time_seconds: self.seconds(self.start_marker) };
        self.warp_markers = vec![first, warp_markers::helper(first, self.region_seconds() / beats)];
    }

    /// Whether the region's tempo at that many beats is one that a sample can have.
    pub fn can_be_beats(&self, beats: Beats) -> bool {
        beats > 0.0 && warp_markers::SEGMENT_BPM.contains(&(beats * 60.0 / self.region_seconds()))
    }

    /// Quarter beats that the region lasts by its warp markers.
    pub fn region_beats(&self) -> Beats {
        self.beat_at(self.end_marker as f64) - self.beat_at(self.start_marker as f64)
    }

    /// The beat of a frame; before the first and after the last marker the nearest stretch's tempo goes on.
    pub fn beat_at(&self, frame: f64) -> Beats {
        warp_markers::beat_at(&self.warp_markers, frame / self.sample_rate_hz)
    }

    /// The frame of a beat.
    pub fn frame_at(&self, beat: Beats) -> f64 {
        warp_markers::seconds_at(&self.warp_markers, beat) * self.sample_rate_hz
    }

    fn stored_number(&self, member: &str, otherwise: u64) -> u64 {
        self.stored.get(member).and_then(serde_json::Value::as_u64).unwrap_or(otherwise)
    }

    /// Frames where slices begin, in order: the style's own and those added, without those taken away.
    pub fn slice_times(&self) -> Vec<u64> {
        let removed = self.removed();
        let own = self.style_slices();
        let all: BTreeSet<u64> = own.into_iter().chain(self.slices.iter().copied()).collect();
        let inside = |frame: &u64| (self.start_marker..self.end_marker).contains(frame) && !removed.contains(frame);
        all.into_iter().filter(inside).take(MAX_SLICES).collect()
    }

    /// The slices that the style makes by itself.
    fn style_slices(&self) -> Vec<u64> {
        let (start, end) = (self.start_marker, self.end_marker);
        match self.stored_number("slicing_style", 0) {
            1 => {
                let division = self.stored_number("slicing_beat_division", 0);
                let step = usize::try_from(division).ok().and_then(|at| DIVISIONS.get(at)).copied().unwrap_or(1.0);
                let first = self.beat_at(start as f64);
                let frames = (0..MAX_SLICES).map(|n| self.frame_at(first + step * n as f64).round());
                frames.take_while(|frame| *frame < end as f64).map(|frame| frame.max(0.0) as u64).collect()
            }
            2 => {
                let count = self.stored_number("slicing_region_count", 8).clamp(1, 64);
                (0..count).map(|n| start + (end - start) * n / count).collect()
            }
            3 => Vec::new(),
            _ => vec![start],
        }
    }

    fn removed(&self) -> BTreeSet<u64> {
        let list = self.stored.get(REMOVED).and_then(serde_json::Value::as_array);
        list.into_iter().flatten().filter_map(serde_json::Value::as_u64).collect()
    }

    fn keep_removed(&mut self, removed: &BTreeSet<u64>) {
        if removed.is_empty() {
            self.stored.remove(REMOVED);
        } else {
            self.stored.insert(REMOVED.to_owned(), removed.iter().copied().collect());
        }
    }

    /// `false`: a slice begins there already, the place is outside the region, or there are as many as there can be.
    pub fn insert_slice(&mut self, frame: u64) -> bool {
        let now = self.slice_times();
        if !(self.start_marker..self.end_marker).contains(&frame) || now.contains(&frame) || now.len() >= MAX_SLICES {
            return false;
        }
        let mut removed = self.removed();
        removed.remove(&frame);
        self.keep_removed(&removed);
        if let Err(at) = self.slices.binary_search(&frame) {
            self.slices.insert(at, frame);
        }
        true
    }

    /// `false`: no slice begins there.
    pub fn remove_slice(&mut self, frame: u64) -> bool {
        if !self.slice_times().contains(&frame) {
            return false;
        }
        self.slices.retain(|slice| *slice != frame);
        if self.style_slices().contains(&frame) {
            let mut removed = self.removed();
            removed.insert(frame);
            self.keep_removed(&removed);
        }
        true
    }

    /// Takes away what was added by hand.
    pub fn clear_slices(&mut self) {
        self.slices.clear();
    }

    /// Takes back every edit of the slices.
    pub fn reset_slices(&mut self) {
        self.slices.clear();
        self.stored.remove(REMOVED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn two_seconds() -> Sample {
        Sample::loaded("/a.wav", AudioFacts { frames: 88_200, sample_rate_hz: 44_100.0, channels: 2, tempo_bpm: None })
    }

    #[test]
    fn a_loaded_sample_lasts_its_seconds_at_120() {
        let sample = two_seconds();
        assert!(sample.is_sound());
        let found = [sample.region_beats(), sample.beat_at(22_050.0), sample.frame_at(3.0) / 66_150.0];
        assert!(found.iter().zip([4.0, 1.0, 1.0]).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn slices_follow_the_style_and_edits_are_kept_apart() {
        let mut sample = two_seconds();
        assert_eq!(sample.slice_times(), [0]);
        let style = |sample: &mut Sample, style: i64| sample.stored.insert("slicing_style".into(), style.into());
        sample.stored.insert("slicing_region_count".into(), 4.into());
        style(&mut sample, 2);
        assert_eq!(sample.slice_times(), [0, 22_050, 44_100, 66_150]);
        assert!(sample.insert_slice(100) && !sample.insert_slice(100) && !sample.insert_slice(88_200));
        assert!(sample.remove_slice(44_100) && !sample.remove_slice(44_100));
        assert_eq!(sample.slice_times(), [0, 100, 22_050, 66_150]);
        sample.clear_slices();
        assert_eq!(sample.slice_times(), [0, 22_050, 66_150]);
        sample.reset_slices();
        assert_eq!(sample.slice_times(), [0, 22_050, 44_100, 66_150]);
        style(&mut sample, 1);
        sample.stored.insert("slicing_beat_division".into(), 4.into());
        assert_eq!(sample.slice_times(), [0, 22_050, 44_100, 66_150], "quarter notes at 120");
        style(&mut sample, 3);
        assert!(sample.slice_times().is_empty() && sample.insert_slice(7) && sample.slice_times() == [7]);
    }

    proptest! {
        #[test]
        fn beats_and_frames_lead_back(frame in -1e5f64..1e6, beats in 0.5f64..64.0) {
            let mut sample = two_seconds();
            sample.warp_region(beats);
            let back = sample.frame_at(sample.beat_at(frame));
            prop_assert!((back - frame).abs() < 1e-6 * frame.abs().max(1.0), "{frame}: {back}");
        }
    }
}

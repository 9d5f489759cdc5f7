//! Warp markers: where the moments of a sample sit in beats, and the way between the two.
//!
//! At least two markers, sorted by both times. The last is a helper that nobody set: it says at what tempo the sample
//! goes on after the marker before it, and stands a 1/32 beat behind that one.

use crate::music::{Beats, SAME_POSITION_BEATS};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// How far behind the last real marker the helper stands.
const HELPER_BEATS: Beats = 1.0 / 32.0;

/// Where a moment of the sample sits in the clip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarpMarker {
    pub beat_time: Beats,
    pub sample_time_seconds: f64,
}

/// The tempo a sample may be taken to have between two markers, in BPM.
pub const SEGMENT_BPM: RangeInclusive<f64> = 5.0..=999.0;

/// Why markers were left as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WarpError {
    #[error("a warp marker is there already")]
    Taken,
    #[error("there is no warp marker at that beat")]
    Missing,
    #[error("warp markers keep their order, and between two of them a sample goes at 5 to 999 BPM")]
    Order,
    #[error("the only warp marker stays")]
    Only,
}

/// The markers of a sample that is taken to go at one tempo from its first frame on.
pub fn straight(tempo_bpm: f64) -> Vec<WarpMarker> {
    let first = WarpMarker { beat_time: 0.0, sample_time_seconds: 0.0 };
    vec![first, helper(first, 60.0 / tempo_bpm)]
}

/// The tempo at which the sample goes at first.
pub fn first_tempo_bpm(markers: &[WarpMarker]) -> Option<f64> {
    let [a, b, ..] = markers else { return None };
    Some((b.beat_time - a.beat_time) / (b.sample_time_seconds - a.sample_time_seconds) * 60.0)
}

/// The helper behind the last marker that somebody set.
pub fn helper(last: WarpMarker, seconds_per_beat: f64) -> WarpMarker {
    WarpMarker {
        beat_time: last.beat_time + HELPER_BEATS,
        sample_time_seconds: last.sample_time_seconds + HELPER_BEATS * seconds_per_beat,
    }
}

/// The stretch between markers in which a time lies, or the nearest one.
fn segment(markers: &[WarpMarker], time: f64, of: fn(&WarpMarker) -> f64) -> Option<(WarpMarker, WarpMarker)> {
    let after = markers.partition_point(|marker| of(marker) <= time).clamp(1, markers.len().checked_sub(1)?.max(1));
    Some((*markers.get(after - 1)?, *markers.get(after)?))
}

/// Where in the sample a beat is.
pub fn seconds_at(markers: &[WarpMarker], beat: Beats) -> f64 {
    match segment(markers, beat, |m| m.beat_time) {
        Some((a, b)) => {
            let part = (beat - a.beat_time) / (b.beat_time - a.beat_time);
            a.sample_time_seconds + part * (b.sample_time_seconds - a.sample_time_seconds)
        }
        None => 0.0,
    }
}

/// At which beat a moment of the sample is.
pub fn beat_at(markers: &[WarpMarker], seconds: f64) -> Beats {
    match segment(markers, seconds, |m| m.sample_time_seconds) {
        Some((a, b)) => {
            let part = (seconds - a.sample_time_seconds) / (b.sample_time_seconds - a.sample_time_seconds);
            a.beat_time + part * (b.beat_time - a.beat_time)
        }
        None => 0.0,
    }
}

/// Whether these may be the markers of a clip.
pub fn are_sound(markers: &[WarpMarker]) -> bool {
    let finite = |m: &WarpMarker| m.beat_time.is_finite() && m.sample_time_seconds.is_finite();
    markers.len() >= 2
        && markers.iter().all(finite)
        && markers.windows(2).all(|pair| matches!(pair, [a, b] if goes_well(*a, *b)))
}

fn goes_well(a: WarpMarker, b: WarpMarker) -> bool {
    let (beats, seconds) = (b.beat_time - a.beat_time, b.sample_time_seconds - a.sample_time_seconds);
    // A helper's tempo is worked out from a short stretch: the ends of the range are not exact.
    let bpm = beats / seconds * 60.0;
    beats > 0.0 && seconds > 0.0 && (SEGMENT_BPM.start() * 0.999..=SEGMENT_BPM.end() * 1.001).contains(&bpm)
}

/// The markers that somebody set, and the seconds a beat takes after the last of them.
fn taken_apart(markers: &[WarpMarker]) -> Option<(Vec<WarpMarker>, f64)> {
    let (last, set) = markers.split_last()?;
    let before = set.last()?;
    let rate = (last.sample_time_seconds - before.sample_time_seconds) / (last.beat_time - before.beat_time);
    Some((set.to_vec(), rate))
}

fn put_together(mut set: Vec<WarpMarker>, seconds_per_beat: f64) -> Result<Vec<WarpMarker>, WarpError> {
    let last = set.last().copied().ok_or(WarpError::Only)?;
    set.push(helper(last, seconds_per_beat));
    are_sound(&set).then_some(set).ok_or(WarpError::Order)
}

fn position(set: &[WarpMarker], beat: Beats) -> Option<usize> {
    set.iter().position(|marker| (marker.beat_time - beat).abs() < SAME_POSITION_BEATS)
}

/// Adds a marker; without a moment of the sample it holds the one that is there now.
pub fn add(markers: &[WarpMarker], beat: Beats, seconds: Option<f64>) -> Result<Vec<WarpMarker>, WarpError> {
    let (mut set, rate) = taken_apart(markers).ok_or(WarpError::Missing)?;
    if position(&set, beat).is_some() {
        return Err(WarpError::Taken);
    }
    let sample_time_seconds = seconds.unwrap_or_else(|| seconds_at(markers, beat));
    let at = set.partition_point(|marker| marker.beat_time < beat);
    set.insert(at, WarpMarker { beat_time: beat, sample_time_seconds });
    put_together(set, rate)
}

/// Moves the marker at a beat; it keeps its moment of the sample.
pub fn shift(markers: &[WarpMarker], beat: Beats, by: Beats) -> Result<Vec<WarpMarker>, WarpError> {
    let (mut set, rate) = taken_apart(markers).ok_or(WarpError::Missing)?;
    let at = position(&set, beat).ok_or(WarpError::Missing)?;
    if let Some(marker) = set.get_mut(at) {
        marker.beat_time += by;
    }
    put_together(set, rate)
}

/// Removes the marker at a beat.
pub fn remove(markers: &[WarpMarker], beat: Beats) -> Result<Vec<WarpMarker>, WarpError> {
    let (mut set, rate) = taken_apart(markers).ok_or(WarpError::Missing)?;
    let at = position(&set, beat).ok_or(WarpError::Missing)?;
    set.remove(at);
    put_together(set, rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn markers(list: &[(f64, f64)]) -> Vec<WarpMarker> {
        list.iter().map(|(beat_time, s)| WarpMarker { beat_time: *beat_time, sample_time_seconds: *s }).collect()
    }

    fn shape(list: &[WarpMarker]) -> Vec<(f64, f64)> {
        list.iter().map(|m| (m.beat_time, m.sample_time_seconds)).collect()
    }

    #[test]
    fn times_follow_the_markers() {
        let warped = markers(&[(0.0, 0.5), (4.0, 2.5), (6.0, 4.5)]);
        for (beat, seconds) in [(-2.0, -0.5), (0.0, 0.5), (2.0, 1.5), (4.0, 2.5), (5.0, 3.5), (8.0, 6.5)] {
            assert_eq!(seconds_at(&warped, beat), seconds, "{beat}");
            assert_eq!(beat_at(&warped, seconds), beat, "{seconds}");
        }
    }

    #[test]
    fn markers_are_added_moved_and_removed() {
        let new = straight(120.0);
        assert_eq!(shape(&new), [(0.0, 0.0), (0.03125, 0.015625)]);
        let two = add(&new, 4.0, None).unwrap();
        assert_eq!(shape(&two), [(0.0, 0.0), (4.0, 2.0), (4.03125, 2.015625)]);
        let moved = shift(&two, 4.0, 1.0).unwrap();
        assert_eq!(shape(&moved), [(0.0, 0.0), (5.0, 2.0), (5.03125, 2.015625)]);
        assert_eq!(shape(&remove(&moved, 0.0).unwrap()), [(5.0, 2.0), (5.03125, 2.015625)]);
        assert_eq!(shape(&add(&moved, 2.5, Some(0.5)).unwrap())[1], (2.5, 0.5));
        for (got, why) in [
            (add(&two, 4.0, None), WarpError::Taken),
            (add(&two, 2.0, Some(3.0)), WarpError::Order),
            (add(&two, 2.0, Some(0.001)), WarpError::Order),
            (shift(&two, 2.0, 1.0), WarpError::Missing),
            (shift(&two, 4.0, -4.5), WarpError::Order),
            (remove(&two, 4.03125), WarpError::Missing),
            (remove(&new, 0.0), WarpError::Only),
        ] {
            assert_eq!(got, Err(why));
        }
    }

    proptest! {
        #[test]
        fn beats_and_seconds_are_each_others_inverse(
            steps in prop::collection::vec((1u32..16, 10.0f64..900.0), 1..8), beat in -50.0f64..200.0,
        ) {
            let mut list = vec![WarpMarker { beat_time: 0.0, sample_time_seconds: 0.0 }];
            for (beats, bpm) in steps {
                let last = *list.last().unwrap();
                let beats = f64::from(beats);
                list.push(WarpMarker {
                    beat_time: last.beat_time + beats,
                    sample_time_seconds: last.sample_time_seconds + beats * 60.0 / bpm,
                });
            }
            prop_assert!(are_sound(&list));
            prop_assert!((beat_at(&list, seconds_at(&list, beat)) - beat).abs() < 1e-6);
        }
    }
}

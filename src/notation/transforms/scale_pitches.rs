//! The pitches that `snap` and `step` go to.

use crate::music::round_half_up;

/// The pitches of a scale; all of them where there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct ScalePitches {
    /// In rising order; empty for no scale.
    pitches: Vec<f64>,
}

impl ScalePitches {
    pub fn new(scale: Option<crate::music::scale::Scale>) -> ScalePitches {
        let Some(scale) = scale else { return ScalePitches::default() };
        let is_in = |pitch: &u8| {
            let above = (i32::from(*pitch) - i32::from(scale.root)).rem_euclid(12);
            scale.kind.intervals.iter().any(|interval| i32::from(*interval) == above)
        };
        ScalePitches { pitches: (0..=127).filter(is_in).map(f64::from).collect() }
    }

    /// The nearest pitch of the scale, the higher one of two.
    fn nearest(&self, pitch: f64) -> Option<usize> {
        let pitch = round_half_up(pitch);
        let above = self.pitches.partition_point(|p| *p < pitch);
        let below = above.checked_sub(1).and_then(|below| self.pitches.get(below).map(|p| (below, pitch - p)));
        match (below, self.pitches.get(above)) {
            (Some((below, distance)), Some(upper)) => Some(if distance < upper - pitch { below } else { above }),
            (Some((below, _)), None) => Some(below),
            (None, Some(_)) => Some(above),
            (None, None) => None,
        }
    }

    pub fn snap(&self, pitch: f64) -> f64 {
        self.nearest(pitch).and_then(|index| self.pitches.get(index)).copied().unwrap_or(pitch)
    }

    /// So many degrees of the scale from the pitch: beyond 0 and 127 where it leads there.
    pub fn step(&self, pitch: f64, steps: f64) -> f64 {
        let (Some(index), Some(lowest)) = (self.nearest(pitch), self.pitches.first()) else { return pitch + steps };
        // The scale repeats itself every octave, from its lowest pitch on.
        let per_octave = self.pitches.partition_point(|p| *p < lowest + 12.0) as f64;
        let target = index as f64 + round_half_up(steps);
        let (octaves, degree) = ((target / per_octave).floor(), target.rem_euclid(per_octave));
        self.pitches.get(degree as usize).map_or(pitch, |p| p + octaves * 12.0)
    }
}

//! How a clip comes in at its left edge in the song and goes out at its right.

/// Fades of a clip that lies in the song. Past its edges it is silent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipFades {
    /// Where the clip lies, in quarter beats of the song.
    pub start: f64,
    pub end: f64,
    pub fade_in: Fade,
    pub fade_out: Fade,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fade {
    /// Beats; seconds where the clip is not warped.
    pub length: f64,
    /// Where the curve's handle is, -1..=1: beside the middle in the direction of time, and above it. At 0 and 0 it is
    /// a line.
    pub skew: f64,
    pub slope: f64,
}

impl ClipFades {
    /// The gain at a place of the song; lengths count in units of so many beats.
    #[inline]
    pub(super) fn gain(&self, beats: f64, beats_per_unit: f64) -> f32 {
        let fade_in = self.fade_in.gain(beats - self.start, beats_per_unit, self.fade_in.skew);
        // A fade-out is looked at from its end, where time goes the other way.
        let fade_out = self.fade_out.gain(self.end - beats, beats_per_unit, -self.fade_out.skew);
        (fade_in * fade_out) as f32
    }
}

impl Fade {
    fn gain(&self, beats: f64, beats_per_unit: f64, skew: f64) -> f64 {
        let length = self.length * beats_per_unit;
        // Written so that what is no number fades nothing.
        if !(length > 0.0 && beats < length) {
            return 1.0;
        }
        let part = (beats / length).max(0.0);
        if skew == 0.0 && self.slope == 0.0 {
            return part;
        }
        // A quadratic Bezier from silence to full, with its handle in between: never outside of both, and never back.
        let (x, y) = (0.5 + 0.5 * skew.clamp(-1.0, 1.0), 0.5 + 0.5 * self.slope.clamp(-1.0, 1.0));
        let under = x + (x * x + (1.0 - 2.0 * x) * part).max(0.0).sqrt();
        let along = if under > 0.0 { part / under } else { 0.0 };
        2.0 * along * (1.0 - along) * y + along * along
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gain(skew: f64, slope: f64, part: f64) -> f64 {
        Fade { length: 2.0, skew, slope }.gain(2.0 * part, 1.0, skew)
    }

    #[test]
    fn curves_rise_from_silence_to_full() {
        for skew in [-1.0, -0.3, 0.0, 0.6, 1.0] {
            for slope in [-1.0, -0.9, 0.0, 0.4, 1.0] {
                let mut before = gain(skew, slope, 0.0);
                assert_eq!(before, 0.0);
                for step in 1..=100 {
                    let now = gain(skew, slope, f64::from(step) / 100.0);
                    assert!(now >= before - 1e-12 && now <= 1.0 + 1e-12, "{skew} {slope} {step}: {before}, {now}");
                    before = now;
                }
                assert!((before - 1.0).abs() < 1e-9);
            }
        }
        assert_eq!(gain(0.0, 0.0, 0.25), 0.25);
        assert!(gain(-1.0, 0.9, 0.25) > 0.6 && gain(1.0, -0.9, 0.75) < 0.4);
    }

    #[test]
    fn lengths_count_in_the_clips_unit() {
        let fades = ClipFades {
            start: 4.0,
            end: 12.0,
            fade_in: Fade { length: 1.0, ..Fade::default() },
            fade_out: Fade { length: 2.0, ..Fade::default() },
        };
        for (beats, per_unit, meant) in
            [(4.5, 1.0, 0.5), (5.0, 2.0, 0.5), (8.0, 1.0, 1.0), (11.0, 1.0, 0.5), (10.0, 2.0, 0.5), (13.0, 1.0, 0.0)]
        {
            assert_eq!(fades.gain(beats, per_unit), meant, "at {beats}");
        }
    }
}

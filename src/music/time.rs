//! Times in quarter beats, and numbers without float noise.

/// A time or length in quarter-note beats, whatever the meter. 1.0 is a quarter note.
pub type Beats = f64;

/// Two positions closer than this (in quarter beats) are the same position.
pub const SAME_POSITION_BEATS: Beats = 0.001;

/// The longest that a clip may be, and the furthest from its start that anything in it may lie.
pub const LONGEST_CLIP_BEATS: Beats = 1_000_000.0;

/// A quarter beat in parts that every usual note value and tuplet is a whole number of.
const GRID_PARTS: f64 = 80_640.0;

/// The time itself, without the float noise of sums: one within 1e-9 of a whole number of grid parts is put there, and
/// any other is taken [`number_without_noise`]. So the same moment, reached by different sums, is the same number, and
/// notes of a chord sort as one. Never -0, which sorts below 0. See D2 in `docs/decisions.md`.
#[inline]
pub fn time_without_noise(beats: Beats) -> Beats {
    let parts = beats * GRID_PARTS;
    let whole = parts.round();
    // Adding 0 makes 0 of -0 and changes nothing else.
    if (parts - whole).abs() < 1e-9 * GRID_PARTS { whole / GRID_PARTS + 0.0 } else { number_without_noise(beats) }
}

/// The number with nine decimals that a value is but for float noise, so that 1.333 - 1 is 0.333; any other value as it
/// is.
#[inline]
pub fn number_without_noise(value: f64) -> f64 {
    let short = (value * 1e9).round() / 1e9;
    if (short - value).abs() <= 1e-14 * value.abs().max(1.0) { short } else { value }
}

/// [`f64::round`], a zero's sign aside, without the call of the C library that it is on processors of all ages: a long
/// text takes half a million of them.
#[inline]
pub fn nearest_whole(value: f64) -> f64 {
    /// Above this every number is whole.
    const ALL_WHOLE: f64 = 4_503_599_627_370_496.0;
    if value.abs() < ALL_WHOLE {
        let whole = value as i64 as f64;
        if (value - whole).abs() < 0.5 { whole } else { whole + 1.0_f64.copysign(value) }
    } else {
        value
    }
}

/// To the nearest whole number, halves up.
#[inline]
pub fn round_half_up(value: f64) -> f64 {
    (value + 0.5).floor()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_whole_number_is_what_rounding_gives() {
        let steps = (-40_000..40_000).map(|n| f64::from(n) / 16.0);
        let odd = [0.499_999_999_999_999_94, 4_503_599_627_370_495.5, 4_503_599_627_370_497.0, 1e300, f64::INFINITY];
        for value in steps.chain(odd).chain(odd.map(|value| -value)) {
            assert_eq!(nearest_whole(value), value.round(), "{value}");
        }
        assert!(nearest_whole(f64::NAN).is_nan());
    }

    #[test]
    fn noise_of_sums_goes_and_values_stay() {
        for (noisy, clean) in [
            (1.333 - 1.0, 0.333),
            (0.1 + 0.2, 0.3),
            (5.7 - 1.0 + 8.0, 12.7),
            (-0.1 - 0.2, -0.3),
            (1.0 / 3.0, 1.0 / 3.0),
            (1.0 / 11.0, 1.0 / 11.0),
            (0.123_456_789_123, 0.123_456_789_123),
            (1e9, 1e9),
            (0.0, 0.0),
        ] {
            assert_eq!((number_without_noise(noisy), time_without_noise(noisy)), (clean, clean), "{noisy}");
        }
        assert!(time_without_noise(-0.0).is_sign_positive());
        assert_eq!(time_without_noise(1.0 / 3.0 + 1.0 / 3.0 + 1.0 / 3.0 - 1.0 / 3.0), 2.0 / 3.0);
        assert!(number_without_noise(f64::INFINITY).is_infinite() && number_without_noise(f64::NAN).is_nan());
    }
}

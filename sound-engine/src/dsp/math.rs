//! Functions for loops: polynomials that give the same bits on every platform, and are fast without a library.

use super::four::Four;
use wide::{CmpGt, CmpLt, u32x4};

/// The largest whole number that is not above `x`, for |x| below 2^31.
#[inline]
pub fn floor(x: f32) -> f32 {
    let cut = x as i32 as f32;
    if cut > x { cut - 1.0 } else { cut }
}

/// Added to a number below 2^22, it leaves only what is whole of it, in the lowest bits.
const TO_WHOLE: f32 = 12_582_912.0;

/// [`floor`] for |x| below 2^22: without a conversion, which would have to look after numbers that fit no integer.
#[inline]
fn floor_of_small(x: f32) -> f32 {
    let nearest = (x + TO_WHOLE) - TO_WHOLE;
    if nearest > x { nearest - 1.0 } else { nearest }
}

/// [`floor`] of four, for |x| below 2^22.
#[inline(always)]
pub fn floors(x: Four) -> Four {
    let nearest = (x + Four::splat(TO_WHOLE)) - Four::splat(TO_WHOLE);
    nearest - (nearest.cmp_gt(x) & Four::ONE)
}

/// The sine of `turns` full turns; within 1e-6 for |turns| below 16.
#[inline]
pub fn sin_turns(turns: f32) -> f32 {
    sin_of_half(turns - floor_of_small(turns + 0.5))
}

/// [`sin_turns`] for -0.5 to 0.5 turns.
#[inline]
pub fn sin_of_half(t: f32) -> f32 {
    // The outer quarters mirror the inner ones.
    let t = if t.abs() > 0.25 { 0.5f32.copysign(t) - t } else { t };
    let u = t * t;
    // The first six terms of the series.
    t * (6.283_185_5 + u * (-41.341_7 + u * (81.605_25 + u * (-76.705_86 + u * (42.058_693 + u * -15.094_643)))))
}

/// [`sin_of_half`] of four.
#[inline(always)]
pub fn sines_of_half(t: Four) -> Four {
    let mirrored = (t & Four::splat(-0.0) | Four::splat(0.5)) - t;
    let t = t.abs().cmp_gt(Four::splat(0.25)).blend(mirrored, t);
    let u = t * t;
    let series = [-76.705_86, 81.605_25, -41.341_7, 6.283_185_5];
    t * series
        .into_iter()
        .fold(Four::splat(42.058_693) + u * Four::splat(-15.094_643), |sum, term| Four::splat(term) + u * sum)
}

/// [`sin_turns`] of four.
#[inline(always)]
pub fn sines(turns: Four) -> Four {
    sines_of_half(turns - floors(turns + Four::splat(0.5)))
}

/// [`tan_half_turns`] of four.
#[inline(always)]
pub fn tans_half_turns(x: Four) -> Four {
    let x = clamped(x, -0.49, 0.49) * Four::splat(0.5);
    sines(x) / sines(x + Four::splat(0.25))
}

/// [`exp2`] of four.
#[inline(always)]
pub fn exps2(x: Four) -> Four {
    let x = clamped(x, -126.0, 126.0);
    let whole = floors(x + Four::splat(0.5));
    let f = x - whole;
    let of = |term: f32| Four::splat(term);
    let tail = of(0.009_618_129) + f * (of(0.001_333_355_8) + f * of(0.000_154_035_3));
    let series =
        Four::ONE + f * (of(std::f32::consts::LN_2) + f * (of(0.240_226_5) + f * (of(0.055_504_11) + f * tail)));
    let exponents = bits(whole + of(TO_WHOLE)) - u32x4::splat(TO_WHOLE.to_bits()) + u32x4::splat(127);
    series * of_bits(exponents << 23u32)
}

/// Each, or `least` where that is larger, or where it is no number.
#[inline(always)]
pub fn larger(x: Four, least: f32) -> Four {
    x.cmp_gt(Four::splat(least)).blend(x, Four::splat(least))
}

/// Each, or `most` where that is smaller, or where it is no number.
#[inline(always)]
pub fn smaller(x: Four, most: f32) -> Four {
    x.cmp_lt(Four::splat(most)).blend(x, Four::splat(most))
}

/// `f32::clamp` of four.
#[inline(always)]
pub fn clamped(x: Four, least: f32, most: f32) -> Four {
    let (least, most) = (Four::splat(least), Four::splat(most));
    let x = x.cmp_lt(least).blend(least, x);
    x.cmp_gt(most).blend(most, x)
}

#[inline(always)]
fn bits(x: Four) -> u32x4 {
    u32x4::new(x.to_array().map(f32::to_bits))
}

#[inline(always)]
fn of_bits(bits: u32x4) -> Four {
    Four::new(bits.to_array().map(f32::from_bits))
}

#[inline]
pub fn cos_turns(turns: f32) -> f32 {
    sin_turns(turns + 0.25)
}

/// tan(pi * x) for x within -0.49..=0.49: what a filter at `x` times the sample rate needs.
#[inline]
pub fn tan_half_turns(x: f32) -> f32 {
    let x = x.clamp(-0.49, 0.49) * 0.5;
    sin_turns(x) / cos_turns(x)
}

/// Two to the power of `x`, within 2e-7 of the value; `x` is brought into -126..=126.
#[inline]
pub fn exp2(x: f32) -> f32 {
    let x = x.clamp(-126.0, 126.0);
    let whole = floor_of_small(x + 0.5);
    let f = x - whole;
    let tail = 0.009_618_129 + f * (0.001_333_355_8 + f * 0.000_154_035_3);
    let series = 1.0 + f * (std::f32::consts::LN_2 + f * (0.240_226_5 + f * (0.055_504_11 + f * tail)));
    let exponent = (whole + TO_WHOLE).to_bits().wrapping_sub(TO_WHOLE.to_bits());
    series * f32::from_bits(exponent.wrapping_add(127) << 23)
}

/// The logarithm to base two of a positive normal number, within 1e-6; anything else counts as the smallest one.
#[inline]
pub fn log2(x: f32) -> f32 {
    let bits = x.max(f32::MIN_POSITIVE).to_bits();
    let (mut exponent, mut mantissa) = ((bits >> 23) as i32 - 127, f32::from_bits((bits & 0x007f_ffff) | 0x3f80_0000));
    if mantissa > std::f32::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let u = s * s;
    exponent as f32 + s * (2.885_39 + u * (0.961_796_7 + u * (0.577_078 + u * (0.412_198_6 + u * 0.320_598_9))))
}

#[inline]
pub fn tanh(x: f32) -> f32 {
    // e^(2x) = 2^(2x / ln 2); beyond 9 the result is 1 in an f32.
    let e = exp2(x.clamp(-9.0, 9.0) * 2.885_39);
    (e - 1.0) / (e + 1.0)
}

/// The factor that `db` decibels are.
#[inline]
pub fn gain_of_db(db: f32) -> f32 {
    exp2(db * 0.166_096_4)
}

/// [`gain_of_db`] of what is asked again and again, and seldom changes.
#[derive(Clone, Copy, Debug)]
pub struct GainOfDb {
    db: f32,
    gain: f32,
}

impl GainOfDb {
    #[inline]
    pub fn of(&mut self, db: f32) -> f32 {
        if db != self.db {
            *self = GainOfDb { db, gain: gain_of_db(db) };
        }
        self.gain
    }
}

impl Default for GainOfDb {
    fn default() -> GainOfDb {
        GainOfDb { db: f32::NAN, gain: 1.0 }
    }
}

/// The decibels of a factor; silence is -758.
#[inline]
pub fn db_of_gain(gain: f32) -> f32 {
    log2(gain) * 6.020_6
}

/// The frequency of a MIDI pitch, which may lie between two keys.
#[inline]
pub fn hz_of_pitch(pitch: f32) -> f32 {
    440.0 * exp2((pitch - 69.0) * (1.0 / 12.0))
}

/// [`approach`] for loops: within 2e-7 of it.
#[inline]
pub fn approach_in_loop(steps: f32) -> f32 {
    1.0 - exp2(-std::f32::consts::LOG2_E / steps)
}

/// The part of the way to its target that an exponential movement goes in one step, with `steps` of them to e^-1.
pub fn approach(steps: f32) -> f32 {
    if steps > 0.0 { 1.0 - libm::expf(-1.0 / steps) } else { 1.0 }
}

/// The modified Bessel function of order zero, where things are set up.
pub fn bessel(x: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for k in 1..40 {
        term *= (x / 2.0 / f64::from(k)) * (x / 2.0 / f64::from(k));
        if sum + term == sum {
            break;
        }
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_get_the_bits_that_each_gets_alone() {
        for step in -4_000..4_000 {
            let x = [step, step + 1, 3 * step, 40_000 * step].map(|step| step as f32 / 517.0);
            let small = x.map(|x| (x * 0.08).clamp(-0.5, 0.5));
            let bits = |fours: Four| fours.to_array().map(f32::to_bits);
            assert_eq!(bits(sines(Four::new(x))), x.map(|x| sin_turns(x).to_bits()), "{x:?}");
            assert_eq!(bits(exps2(Four::new(x))), x.map(|x| exp2(x).to_bits()), "{x:?}");
            assert_eq!(bits(tans_half_turns(Four::new(x))), x.map(|x| tan_half_turns(x).to_bits()), "{x:?}");
            assert_eq!(bits(sines_of_half(Four::new(small))), small.map(|x| sin_of_half(x).to_bits()), "{x:?}");
        }
    }

    #[test]
    fn polynomials_agree_with_the_functions_they_stand_for() {
        for step in -4_000..4_000 {
            let x = step as f32 / 500.0;
            let wide = f64::from(x);
            let cases = [
                ("sin", f64::from(sin_turns(x)), libm::sin(wide * std::f64::consts::TAU), 2e-6),
                ("exp2", f64::from(exp2(x)) / libm::exp2(wide), 1.0, 3e-7),
                ("tanh", f64::from(tanh(x)), libm::tanh(wide), 5e-7),
                ("log2", f64::from(log2(exp2(x))), wide, 2e-6),
                ("floor", f64::from(floor(x)), libm::floor(wide), 0.0),
            ];
            for (name, is, meant, within) in cases {
                assert!((is - meant).abs() <= within, "{name}({x}) is {is}, not {meant}");
            }
        }
        for step in 1..490 {
            let x = step as f32 / 1000.0;
            let meant = libm::tan(f64::from(x) * std::f64::consts::PI);
            assert!((f64::from(tan_half_turns(x)) / meant - 1.0).abs() < 1e-4, "tan at {x}");
        }
    }
}

//! Comparing fingerprints, many with one: the one is widened and shifted once, so that each of the many is only read through,
//! in rows that vector instructions take whole.

use super::{BANDS, Print, SEMITONES_APART, STEPS};

/// Rows and the zeros behind them.
const WIDE: usize = 112;
const WIDE_STEPS: usize = 32;

const _: () = assert!(BANDS < WIDE && STEPS <= WIDE_STEPS && SEMITONES_APART == 1);

/// A fingerprint that is compared with others.
#[derive(Clone, Debug)]
pub struct Measured {
    whole: Row<WIDE>,
    beginning: Row<WIDE>,
    rest: Row<WIDE>,
    level: Row<WIDE_STEPS>,
}

/// A row, zeros behind it, and its squared length.
#[derive(Clone, Debug)]
struct Row<const N: usize> {
    values: [i8; N],
    /// One by its length, without its first value, whole, and without its last.
    inverse: [f32; 3],
}

/// One that many are compared with.
pub struct Wide {
    whole: Shifted,
    beginning: Shifted,
    rest: Shifted,
    level: [i16; WIDE_STEPS],
    level_inverse: f32,
}

/// A row at each shift: a semitone down, as it is, a semitone up.
struct Shifted([([i16; WIDE], f32); 3]);

impl Measured {
    pub fn new(print: &Print) -> Measured {
        Measured {
            whole: Row::new(&print.whole),
            beginning: Row::new(&print.beginning),
            rest: Row::new(&print.rest),
            level: Row::new(&print.level),
        }
    }
}

impl<const N: usize> Row<N> {
    fn new(row: &[i8]) -> Row<N> {
        let mut values = [0; N];
        values.iter_mut().zip(row).for_each(|(wide, value)| *wide = *value);
        let whole: i32 = values.iter().map(|value| square(*value)).sum();
        let inverse = [row[0], 0, row[row.len() - 1]].map(|lost| inverse(whole - square(lost)));
        Row { values, inverse }
    }
}

impl Wide {
    pub fn new(print: &Print) -> Wide {
        let level = Row::<WIDE_STEPS>::new(&print.level);
        Wide {
            whole: Shifted::new(&print.whole),
            beginning: Shifted::new(&print.beginning),
            rest: Shifted::new(&print.rest),
            level: level.values.map(i16::from),
            level_inverse: level.inverse[1],
        }
    }

    /// As [`Print::similarity`], or `None` as soon as it is known to be less than `floor`.
    #[inline]
    pub fn similarity(&self, other: &Measured, floor: f32) -> Option<f32> {
        let level = dot(&self.level, &other.level.values) * (self.level_inverse * other.level.inverse[1]);
        // The most that it can come to with the rest like nothing else. Sums of floating-point numbers depend on their order.
        let within_reach = |whole: f32| together(whole, 1.0, 1.0, level) + 1e-5 >= floor;
        if !within_reach(1.0) {
            return None;
        }
        let whole = |shift| (self.whole.cosine(&other.whole, shift), shift);
        let whole = [whole(-SEMITONES_APART), whole(0), whole(SEMITONES_APART)].into_iter();
        // At the same pitch if it is as good as any other.
        let key = |(cosine, shift): &(f32, i32)| cosine - 0.01 * shift.abs() as f32;
        let (whole, shift) = whole.max_by(|a, b| key(a).total_cmp(&key(b))).unwrap_or((0.0, 0));
        if !within_reach(whole) {
            return None;
        }
        let beginning = self.beginning.cosine(&other.beginning, shift);
        let rest = self.rest.cosine(&other.rest, shift);
        Some(together(whole, beginning, rest, level))
    }
}

/// What is best kept counts most: cutting off one end changes the others.
#[inline]
fn together(whole: f32, beginning: f32, rest: f32, level: f32) -> f32 {
    let best = whole.max(beginning).max(rest);
    0.1 * (whole + beginning + rest) + 0.4 * best + 0.3 * level
}

impl Shifted {
    fn new(row: &[i8; BANDS]) -> Shifted {
        let at = |shift: isize| {
            let mut values = [0; WIDE];
            let (bands, _) = values.split_at_mut(BANDS);
            for (band, value) in row.iter().enumerate() {
                if let Some(wide) = band.checked_add_signed(-shift).and_then(|band| bands.get_mut(band)) {
                    *wide = i16::from(*value);
                }
            }
            let squared = values.iter().map(|value| i32::from(*value) * i32::from(*value)).sum();
            (values, inverse(squared))
        };
        Shifted([at(-1), at(0), at(1)])
    }

    /// The cosine of the angle between two rows, the other one shifted up by `shift` places (-1 to 1). What is shifted out of
    /// reach counts for neither.
    #[inline]
    fn cosine(&self, other: &Row<WIDE>, shift: i32) -> f32 {
        let [down, same, up] = &self.0;
        let [without_first, whole, without_last] = &other.inverse;
        let ((values, inverse), other_inverse) = match shift {
            0 => (same, whole),
            1.. => (up, without_last),
            _ => (down, without_first),
        };
        dot(values, &other.values) * (inverse * other_inverse)
    }
}

/// One by the length of a row; 0 for a row of zeros, which is like nothing.
fn inverse(squared: i32) -> f32 {
    if squared == 0 { 0.0 } else { 1.0 / (squared as f32).sqrt() }
}

#[inline]
fn dot<const N: usize>(a: &[i16; N], b: &[i8; N]) -> f32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum::<i32>() as f32
}

fn square(value: i8) -> i32 {
    i32::from(value) * i32::from(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The angle between two rows, worked out from nothing.
    fn plain(a: &[i8], b: &[i8], shift: i32) -> f32 {
        let by = shift.unsigned_abs() as usize;
        let (a, b) = if shift >= 0 { (&a[by..], b) } else { (a, &b[by..]) };
        let sum = |f: fn(i32, i32) -> i32| a.iter().zip(b).map(|(a, b)| f((*a).into(), (*b).into())).sum::<i32>();
        let (ab, aa, bb) = (sum(|a, b| a * b), sum(|a, _| a * a), sum(|_, b| b * b));
        if aa == 0 || bb == 0 { 0.0 } else { ab as f32 / (aa as f32 * bb as f32).sqrt() }
    }

    fn plain_similarity(a: &Print, b: &Print) -> f32 {
        let whole = (-1..=1).map(|shift| (plain(&a.whole, &b.whole, shift), shift));
        let key = |(cosine, shift): &(f32, i32)| cosine - 0.01 * shift.abs() as f32;
        let (whole, shift) = whole.max_by(|a, b| key(a).total_cmp(&key(b))).unwrap();
        let (beginning, rest) = (plain(&a.beginning, &b.beginning, shift), plain(&a.rest, &b.rest, shift));
        let best = whole.max(beginning).max(rest);
        0.1 * (whole + beginning + rest) + 0.4 * best + 0.3 * plain(&a.level, &b.level, 0)
    }

    /// Whether rounding may settle which shift is taken.
    fn near_tie(a: &Print, b: &Print) -> bool {
        let mut keys = [-1_i32, 0, 1].map(|shift| plain(&a.whole, &b.whole, shift) - 0.01 * shift.abs() as f32);
        keys.sort_by(f32::total_cmp);
        keys[2] - keys[1] < 1e-5
    }

    fn print() -> impl Strategy<Value = Print> {
        let bytes = proptest::collection::vec(any::<i8>().prop_map(|value| value.max(-127)), super::super::PRINT_BYTES);
        let sparse = (0..super::super::PRINT_BYTES).prop_map(|one| {
            (0..super::super::PRINT_BYTES).map(|at| if at == one || at == 107 { 9 } else { 0 }).collect()
        });
        prop_oneof![3 => bytes, 1 => sparse]
            .prop_map(|values: Vec<i8>| Print::from_bytes(std::array::from_fn(|at| values[at].cast_unsigned())))
    }

    proptest! {
        #[test]
        fn it_is_the_plain_angle(a in print(), b in print(), up: bool) {
            // One a semitone above the other, too.
            let mut bytes = a.to_bytes();
            if up { bytes.rotate_right(1) } else { bytes.rotate_left(1) }
            for b in [b, Print::from_bytes(bytes), a.clone()] {
                let (fast, plain) = (a.similarity(&b), plain_similarity(&a, &b));
                prop_assert!((fast - plain).abs() < 1e-5 || near_tie(&a, &b), "{fast} {plain}");
                for floor in [fast - 0.1, fast, fast + 0.1] {
                    let found = Wide::new(&a).similarity(&Measured::new(&b), floor);
                    prop_assert!(found == Some(fast) || (found.is_none() && floor > fast), "{found:?} {floor} {fast}");
                }
            }
        }
    }
}

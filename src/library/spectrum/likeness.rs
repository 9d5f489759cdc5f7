//! Comparing fingerprints, many with one: what each comparison needs of a fingerprint is worked out before, and rows are
//! widened once, to sizes that vector instructions take whole.

use super::{BANDS, Print, SEMITONES_APART, STEPS};

/// Room for a row and the zeros behind it, which stand in for what a shift moves out of reach.
const WIDE: usize = 120;
/// How much of it is compared.
const COMPARED: usize = 112;
const WIDE_STEPS: usize = 32;

const _: () = assert!(BANDS < COMPARED && COMPARED < WIDE && STEPS <= WIDE_STEPS && SEMITONES_APART == 1);

/// A fingerprint with the squared lengths of its rows.
#[derive(Clone, Debug)]
pub struct Measured {
    print: Print,
    whole: i32,
    beginning: i32,
    rest: i32,
    level: i32,
}

/// One that many are compared with.
pub struct Wide {
    whole: Row<WIDE>,
    beginning: Row<WIDE>,
    rest: Row<WIDE>,
    level: Row<WIDE_STEPS>,
}

/// A row, zeros behind it, and its squared length.
struct Row<const N: usize> {
    values: [i16; N],
    squared: i32,
}

impl Measured {
    pub fn new(print: Print) -> Measured {
        let squared = |row: &[i8]| row.iter().map(|value| square(i16::from(*value))).sum();
        Measured {
            whole: squared(&print.whole),
            beginning: squared(&print.beginning),
            rest: squared(&print.rest),
            level: squared(&print.level),
            print,
        }
    }

    #[inline]
    pub fn wide(&self) -> Wide {
        let Measured { print, .. } = self;
        Wide {
            whole: Row::new(&print.whole, self.whole),
            beginning: Row::new(&print.beginning, self.beginning),
            rest: Row::new(&print.rest, self.rest),
            level: Row::new(&print.level, self.level),
        }
    }
}

impl Wide {
    /// As [`Print::similarity`], or `None` as soon as it is known to be less than `floor`.
    #[inline]
    pub fn similarity(&self, other: &Measured, floor: f32) -> Option<f32> {
        let level_row = Row::<WIDE_STEPS>::new(&other.print.level, other.level);
        let level = angle(dot(&self.level.values, &level_row.values), self.level.squared, level_row.squared);
        // The most that it can come to with the rest like nothing else. Sums of floating-point numbers depend on their order.
        let within_reach = |whole: f32| together(whole, 1.0, 1.0, level) + 1e-5 >= floor;
        if !within_reach(1.0) {
            return None;
        }
        let row = Row::new(&other.print.whole, other.whole);
        let whole = |shift| (cosine(&self.whole, &row, shift), shift);
        let whole = [whole(-SEMITONES_APART), whole(0), whole(SEMITONES_APART)].into_iter();
        // At the same pitch if it is as good as any other.
        let key = |(cosine, shift): &(f32, i32)| cosine - 0.01 * shift.abs() as f32;
        let (whole, shift) = whole.max_by(|a, b| key(a).total_cmp(&key(b))).unwrap_or((0.0, 0));
        if !within_reach(whole) {
            return None;
        }
        let beginning = cosine(&self.beginning, &Row::new(&other.print.beginning, other.beginning), shift);
        let rest = cosine(&self.rest, &Row::new(&other.print.rest, other.rest), shift);
        Some(together(whole, beginning, rest, level))
    }
}

/// What is best kept counts most: cutting off one end changes the others.
#[inline]
fn together(whole: f32, beginning: f32, rest: f32, level: f32) -> f32 {
    let best = whole.max(beginning).max(rest);
    0.1 * (whole + beginning + rest) + 0.4 * best + 0.3 * level
}

impl<const N: usize> Row<N> {
    #[inline]
    fn new<const M: usize>(row: &[i8; M], squared: i32) -> Row<N> {
        let mut values = [0; N];
        for (wide, value) in values.iter_mut().zip(row) {
            *wide = i16::from(*value);
        }
        Row { values, squared }
    }
}

/// The cosine of the angle between two rows, the other one shifted up by `shift` places (-1 to 1). What is shifted out of
/// reach counts for neither.
#[inline]
fn cosine(a: &Row<WIDE>, b: &Row<WIDE>, shift: i32) -> f32 {
    let first = |row: &Row<WIDE>| row.squared - square(row.values[0]);
    let last = |row: &Row<WIDE>| row.squared - square(row.values[BANDS - 1]);
    match shift {
        0 => angle(dot(&a.values[..COMPARED], &b.values[..COMPARED]), a.squared, b.squared),
        1.. => angle(dot(&a.values[1..=COMPARED], &b.values[..COMPARED]), first(a), last(b)),
        _ => angle(dot(&a.values[..COMPARED], &b.values[1..=COMPARED]), last(a), first(b)),
    }
}

#[inline]
fn angle(ab: i32, aa: i32, bb: i32) -> f32 {
    if aa == 0 || bb == 0 { 0.0 } else { ab as f32 / (aa as f32 * bb as f32).sqrt() }
}

#[inline]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

fn square(value: i16) -> i32 {
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
        angle(sum(|a, b| a * b), sum(|a, _| a * a), sum(|_, b| b * b))
    }

    fn plain_similarity(a: &Print, b: &Print) -> f32 {
        let whole = (-1..=1).map(|shift| (plain(&a.whole, &b.whole, shift), shift));
        let key = |(cosine, shift): &(f32, i32)| cosine - 0.01 * shift.abs() as f32;
        let (whole, shift) = whole.max_by(|a, b| key(a).total_cmp(&key(b))).unwrap();
        let (beginning, rest) = (plain(&a.beginning, &b.beginning, shift), plain(&a.rest, &b.rest, shift));
        let best = whole.max(beginning).max(rest);
        0.1 * (whole + beginning + rest) + 0.4 * best + 0.3 * plain(&a.level, &b.level, 0)
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
                prop_assert_eq!(a.similarity(&b), plain_similarity(&a, &b));
            }
        }
    }
}

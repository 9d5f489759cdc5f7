//! Comparing one fingerprint (the reference) with many (the candidates). The reference is padded and shifted once, so
//! that each candidate is only read through, in vectors of a length that suits vector instructions.

use super::{BANDS, Fingerprint, LEVEL_STEPS};

const SEMITONES_APART: i32 = 1;

/// Lengths of the vectors, the zeros behind them included.
const PADDED_BANDS: usize = 112;
const PADDED_STEPS: usize = 32;

const _: () = assert!(BANDS < PADDED_BANDS && LEVEL_STEPS <= PADDED_STEPS && SEMITONES_APART == 1);

/// One of the fingerprints that a reference is compared with.
#[derive(Clone, Debug)]
pub struct CandidateFingerprint {
    whole: PaddedVector<PADDED_BANDS>,
    beginning: PaddedVector<PADDED_BANDS>,
    rest: PaddedVector<PADDED_BANDS>,
    level: PaddedVector<PADDED_STEPS>,
}

/// A vector with zeros behind it, and its lengths.
#[derive(Clone, Debug)]
struct PaddedVector<const N: usize> {
    values: [i8; N],
    /// 1 / length: without its first value, whole, and without its last value.
    inverse: [f32; 3],
}

/// The fingerprint that many are compared with.
pub struct ReferenceFingerprint {
    whole: ShiftedVectors,
    beginning: ShiftedVectors,
    rest: ShiftedVectors,
    level: [i16; PADDED_STEPS],
    level_inverse: f32,
}

/// A vector and 1 / its length at each shift: a semitone down, as it is, a semitone up.
struct ShiftedVectors([([i16; PADDED_BANDS], f32); 3]);

impl Fingerprint {
    /// How similar two sounds are: 1 for the same, about 0 for unrelated ones, -1 for opposites.
    pub fn similarity(&self, other: &Fingerprint) -> f32 {
        ReferenceFingerprint::new(self).similarity(&CandidateFingerprint::new(other), f32::MIN).unwrap_or(-1.0)
    }
}

impl CandidateFingerprint {
    pub fn new(fingerprint: &Fingerprint) -> CandidateFingerprint {
        CandidateFingerprint {
            whole: PaddedVector::new(&fingerprint.whole),
            beginning: PaddedVector::new(&fingerprint.beginning),
            rest: PaddedVector::new(&fingerprint.rest),
            level: PaddedVector::new(&fingerprint.level),
        }
    }
}

impl<const N: usize> PaddedVector<N> {
    fn new(vector: &[i8]) -> PaddedVector<N> {
        let mut values = [0; N];
        values.iter_mut().zip(vector).for_each(|(wide, value)| *wide = *value);
        let whole: i32 = values.iter().map(|value| square(*value)).sum();
        let inverse = [vector[0], 0, vector[vector.len() - 1]].map(|lost| inverse_length(whole - square(lost)));
        PaddedVector { values, inverse }
    }
}

impl ReferenceFingerprint {
    pub fn new(fingerprint: &Fingerprint) -> ReferenceFingerprint {
        let level = PaddedVector::<PADDED_STEPS>::new(&fingerprint.level);
        ReferenceFingerprint {
            whole: ShiftedVectors::new(&fingerprint.whole),
            beginning: ShiftedVectors::new(&fingerprint.beginning),
            rest: ShiftedVectors::new(&fingerprint.rest),
            level: level.values.map(i16::from),
            level_inverse: level.inverse[1],
        }
    }

    /// As [`Fingerprint::similarity`], or `None` as soon as it is known to be less than `floor`.
    #[inline]
    pub fn similarity(&self, other: &CandidateFingerprint, floor: f32) -> Option<f32> {
        let level = dot(&self.level, &other.level.values) * (self.level_inverse * other.level.inverse[1]);
        // The most that the similarity can still become. Sums of floating-point numbers depend on their order, hence
        // the margin.
        let within_reach = |whole: f32| weighted_similarity(whole, 1.0, 1.0, level) + 1e-5 >= floor;
        if !within_reach(1.0) {
            return None;
        }
        let whole = |shift| (self.whole.cosine(&other.whole, shift), shift);
        let whole = [whole(-SEMITONES_APART), whole(0), whole(SEMITONES_APART)].into_iter();
        // The same pitch is preferred where it is as good as any other.
        let key = |(cosine, shift): &(f32, i32)| cosine - 0.01 * shift.abs() as f32;
        let (whole, shift) = whole.max_by(|a, b| key(a).total_cmp(&key(b))).unwrap_or((0.0, 0));
        if !within_reach(whole) {
            return None;
        }
        let beginning = self.beginning.cosine(&other.beginning, shift);
        let rest = self.rest.cosine(&other.rest, shift);
        Some(weighted_similarity(whole, beginning, rest, level))
    }
}

/// The part that is kept best counts most: cutting off one end of a sound changes the other parts.
#[inline]
fn weighted_similarity(whole: f32, beginning: f32, rest: f32, level: f32) -> f32 {
    let best = whole.max(beginning).max(rest);
    0.1 * (whole + beginning + rest) + 0.4 * best + 0.3 * level
}

impl ShiftedVectors {
    fn new(vector: &[i8; BANDS]) -> ShiftedVectors {
        let at = |shift: isize| {
            let mut values = [0; PADDED_BANDS];
            let (bands, _) = values.split_at_mut(BANDS);
            for (band, value) in vector.iter().enumerate() {
                if let Some(wide) = band.checked_add_signed(-shift).and_then(|band| bands.get_mut(band)) {
                    *wide = i16::from(*value);
                }
            }
            let squared = values.iter().map(|value| i32::from(*value) * i32::from(*value)).sum();
            (values, inverse_length(squared))
        };
        ShiftedVectors([at(-1), at(0), at(1)])
    }

    /// The cosine of the angle between two vectors, the other one shifted up by `shift` places (-1 to 1). Values that
    /// are shifted out count for neither.
    #[inline]
    fn cosine(&self, other: &PaddedVector<PADDED_BANDS>, shift: i32) -> f32 {
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

/// 1 / the length of a vector; 0 for a vector of zeros, which is similar to nothing.
fn inverse_length(squared: i32) -> f32 {
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

    /// The cosine of the angle between two vectors, the direct way.
    fn plain(a: &[i8], b: &[i8], shift: i32) -> f32 {
        let by = shift.unsigned_abs() as usize;
        let (a, b) = if shift >= 0 { (&a[by..], b) } else { (a, &b[by..]) };
        let sum = |f: fn(i32, i32) -> i32| a.iter().zip(b).map(|(a, b)| f((*a).into(), (*b).into())).sum::<i32>();
        let (ab, aa, bb) = (sum(|a, b| a * b), sum(|a, _| a * a), sum(|_, b| b * b));
        if aa == 0 || bb == 0 { 0.0 } else { ab as f32 / (aa as f32 * bb as f32).sqrt() }
    }

    fn plain_similarity(a: &Fingerprint, b: &Fingerprint) -> f32 {
        let whole = (-1..=1).map(|shift| (plain(&a.whole, &b.whole, shift), shift));
        let key = |(cosine, shift): &(f32, i32)| cosine - 0.01 * shift.abs() as f32;
        let (whole, shift) = whole.max_by(|a, b| key(a).total_cmp(&key(b))).unwrap();
        let (beginning, rest) = (plain(&a.beginning, &b.beginning, shift), plain(&a.rest, &b.rest, shift));
        let best = whole.max(beginning).max(rest);
        0.1 * (whole + beginning + rest) + 0.4 * best + 0.3 * plain(&a.level, &b.level, 0)
    }

    /// Whether rounding may decide which shift is taken.
    fn near_tie(a: &Fingerprint, b: &Fingerprint) -> bool {
        let mut keys = [-1_i32, 0, 1].map(|shift| plain(&a.whole, &b.whole, shift) - 0.01 * shift.abs() as f32);
        keys.sort_by(f32::total_cmp);
        keys[2] - keys[1] < 1e-5
    }

    fn print() -> impl Strategy<Value = Fingerprint> {
        let bytes =
            proptest::collection::vec(any::<i8>().prop_map(|value| value.max(-127)), super::super::FINGERPRINT_BYTES);
        let sparse = (0..super::super::FINGERPRINT_BYTES).prop_map(|one| {
            (0..super::super::FINGERPRINT_BYTES).map(|at| if at == one || at == 107 { 9 } else { 0 }).collect()
        });
        prop_oneof![3 => bytes, 1 => sparse]
            .prop_map(|values: Vec<i8>| Fingerprint::from_bytes(std::array::from_fn(|at| values[at].cast_unsigned())))
    }

    proptest! {
        #[test]
        fn it_is_the_plain_angle(a in print(), b in print(), up: bool) {
            // One a semitone above the other, too.
            let mut bytes = a.to_bytes();
            if up { bytes.rotate_right(1) } else { bytes.rotate_left(1) }
            for b in [b, Fingerprint::from_bytes(bytes), a.clone()] {
                let (fast, plain) = (a.similarity(&b), plain_similarity(&a, &b));
                prop_assert!((fast - plain).abs() < 1e-5 || near_tie(&a, &b), "{fast} {plain}");
                for floor in [fast - 0.1, fast, fast + 0.1] {
                    let found = ReferenceFingerprint::new(&a).similarity(&CandidateFingerprint::new(&b), floor);
                    prop_assert!(found == Some(fast) || (found.is_none() && floor > fast), "{found:?} {floor} {fast}");
                }
            }
        }
    }
}

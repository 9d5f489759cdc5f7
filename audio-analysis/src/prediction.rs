//! What of a sound the samples before lead to, by linear prediction.

/// Samples that a prediction looks back at.
pub const ORDER: usize = 24;

/// What the samples before do not lead to; 0 where there are too few of them.
pub fn unexplained(block: &[f64], coefficients: &[f64; ORDER]) -> Vec<f64> {
    let mut expected = vec![0.0; block.len()];
    // One coefficient after the other, so that many samples are worked on at once.
    for (before, coefficient) in coefficients.iter().enumerate() {
        let past = block.get(ORDER - 1 - before..).unwrap_or_default();
        let sums = expected.get_mut(ORDER..).unwrap_or_default();
        sums.iter_mut().zip(past).for_each(|(sum, past)| *sum += past * coefficient);
    }
    let mut unexplained: Vec<f64> = block.iter().zip(expected).map(|(sample, expected)| sample - expected).collect();
    unexplained.iter_mut().take(ORDER).for_each(|e| *e = 0.0);
    unexplained
}

/// How alike the block is to itself, by how much later.
fn likeness(block: &[f64]) -> [f64; ORDER + 1] {
    let mut sums = [0.0; ORDER + 1];
    for (at, sample) in block.iter().enumerate() {
        // As many as there are, most often all: then many at once.
        let later = block.get(at..).unwrap_or_default();
        match later.first_chunk::<{ ORDER + 1 }>() {
            Some(later) => sums.iter_mut().zip(later).for_each(|(sum, later)| *sum += sample * later),
            None => sums.iter_mut().zip(later).for_each(|(sum, later)| *sum += sample * later),
        }
    }
    sums
}

/// Coefficients that predict a sample from those before it, the nearest first (Levinson and Durbin). `None` for
/// silence.
pub fn prediction(block: &[f64]) -> Option<[f64; ORDER]> {
    let r = likeness(block);
    let whole = *r.first()?;
    if whole <= 0.0 {
        return None;
    }
    let mut a = [0.0; ORDER];
    // A little noise, so that a pure tone has a prediction too.
    let mut error = whole * (1.0 + 1e-9);
    for i in 0..ORDER {
        let reach: f64 = (0..i).filter_map(|j| Some(a.get(j)? * r.get(i - j)?)).sum();
        let k = (r.get(i + 1)? - reach) / error;
        let before = a;
        for (j, value) in a.iter_mut().enumerate().take(i) {
            *value -= k * before.get(i - 1 - j)?;
        }
        *a.get_mut(i)? = k;
        error *= 1.0 - k * k;
        if error <= 0.0 {
            break;
        }
    }
    Some(a)
}

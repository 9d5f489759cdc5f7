//! A parameter's curve as a table: what the engine gets for a raw value of the document.

/// Places of a table between the ends of a parameter: between two of them the curve is straight.
const PLACES: usize = 129;
/// Steps that have a place each.
const MOST_STEPS: f64 = 1024.0;

/// Raw values of a parameter in the engine's unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    low: f64,
    high: f64,
    values: Vec<f32>,
    /// What lies between two places is the nearest of them.
    has_steps: bool,
}

impl Curve {
    /// The curve of a raw value from `low` to `high`; of steps the whole numbers count.
    pub fn of((low, high): (f64, f64), has_steps: bool, value: impl Fn(f64) -> f32) -> Curve {
        let values = raws((low, high), has_steps).into_iter().map(value).collect();
        Curve { low, high, values, has_steps }
    }

    /// From values that were found at [`raws`].
    pub fn from_values((low, high): (f64, f64), has_steps: bool, values: Vec<f32>) -> Curve {
        Curve { low, high, values, has_steps }
    }

    /// Whatever the raw value is.
    pub fn flat(value: f32) -> Curve {
        Curve { low: 0.0, high: 1.0, values: vec![value], has_steps: true }
    }

    /// What the engine gets for a raw value.
    pub fn value(&self, raw: f64) -> f32 {
        let last = self.values.len().saturating_sub(1);
        let part = if self.high > self.low { ((raw - self.low) / (self.high - self.low)).clamp(0.0, 1.0) } else { 0.0 };
        let place = part * last as f64;
        // A cast sends what is no number to 0.
        let at = (if self.has_steps { place.round() } else { place.floor() } as usize).min(last);
        let rest = if self.has_steps { 0.0 } else { (place - at as f64) as f32 };
        let from = self.values.get(at).copied().unwrap_or_default();
        match self.values.get(at + 1) {
            Some(to) if rest > 0.0 && from.is_finite() && to.is_finite() => from + (to - from) * rest,
            // Next to silence there is the quietest sound.
            Some(to) if rest > 0.0 => *to,
            _ => from,
        }
    }

    pub fn is_flat(&self) -> bool {
        self.values.windows(2).all(|pair| matches!(pair, [a, b] if a == b))
    }
}

/// The raw values that a curve has a place for.
pub fn raws((low, high): (f64, f64), has_steps: bool) -> Vec<f64> {
    if has_steps && (0.0..=MOST_STEPS).contains(&(high - low)) {
        return (0..=(high - low).round() as u32).map(|step| low + f64::from(step)).collect();
    }
    (0..PLACES).map(|at| low + (high - low) * at as f64 / (PLACES - 1) as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_is_near_at_every_raw_value() {
        let hz = |raw: f64| (30.0 * (22_000.0f64 / 30.0).powf(raw)) as f32;
        let curve = Curve::of((0.0, 1.0), false, hz);
        for n in 0..1000 {
            let raw = f64::from(n) / 999.0;
            let cents = 1200.0 * (curve.value(raw) / hz(raw)).log2();
            assert!(cents.abs() < 1.0, "{raw}: {cents}");
        }
        assert_eq!([curve.value(-1.0), curve.value(2.0)], [hz(0.0), hz(1.0)]);
        let steps = Curve::of((-2.0, 2.0), true, |raw| raw as f32);
        assert_eq!([-2.0, -1.4, 0.6, 2.0].map(|raw| steps.value(raw)), [-2.0, -1.0, 1.0, 2.0]);
        let silent = Curve::of((0.0, 1.0), false, |raw| if raw == 0.0 { f32::NEG_INFINITY } else { raw as f32 });
        assert_eq!(silent.value(0.0), f32::NEG_INFINITY);
        assert!(silent.value(0.001) > 0.0 && !curve.is_flat() && Curve::flat(3.0).is_flat());
    }
}

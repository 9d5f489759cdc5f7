//! Which second of a recording lies at which beat.

/// A moment of the file that lies at a beat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpMarker {
    pub beats: f64,
    pub seconds: f64,
}

/// The second of the file at a beat, and how many seconds pass for each. Markers ascend by both; beyond the outer ones
/// the nearest two go on. Fewer than two: a second for each beat.
#[inline]
pub fn seconds_at(markers: &[WarpMarker], beats: f64) -> (f64, f64) {
    between(
        markers,
        markers.partition_point(|marker| marker.beats <= beats),
        |marker| (marker.beats, marker.seconds),
        beats,
    )
}

/// The beat at a second of the file, and how many beats pass for each.
#[inline]
pub fn beats_at(markers: &[WarpMarker], seconds: f64) -> (f64, f64) {
    let after = markers.partition_point(|marker| marker.seconds <= seconds);
    between(markers, after, |marker| (marker.seconds, marker.beats), seconds)
}

#[inline]
fn between(markers: &[WarpMarker], after: usize, of: impl Fn(&WarpMarker) -> (f64, f64), at: f64) -> (f64, f64) {
    let first = after.saturating_sub(1).min(markers.len().saturating_sub(2));
    if let Some([a, b]) = markers.get(first..first + 2) {
        let ((from, to), (next_from, next_to)) = (of(a), of(b));
        if next_from > from {
            let slope = (next_to - to) / (next_from - from);
            return (to + (at - from) * slope, slope);
        }
    }
    (at, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back_is_where_it_began() {
        let marker = |beats, seconds| WarpMarker { beats, seconds };
        let markers = [marker(0.0, 0.1), marker(4.0, 2.0), marker(6.0, 2.5)];
        assert_eq!(seconds_at(&markers, 5.0), (2.25, 0.25));
        for beats in [-3.0, 0.0, 1.7, 4.0, 5.5, 9.0] {
            let (seconds, slope) = seconds_at(&markers, beats);
            let (back, inverse) = beats_at(&markers, seconds);
            assert!((back - beats).abs() < 1e-9 && (slope * inverse - 1.0).abs() < 1e-9);
        }
        assert_eq!(seconds_at(&[], 3.0), (3.0, 1.0));
    }
}

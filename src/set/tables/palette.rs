//! Live's palette of 70 colours.

use crate::object_model::class::table;
use crate::set::document::ColorIndex;

/// 0xRRGGBB of a palette position.
pub fn rgb(index: ColorIndex) -> i64 {
    table().palette.get(usize::from(index)).copied().map_or(0, i64::from)
}

/// The palette position nearest to a colour (by distance in RGB), which is what a write of any other colour lands on.
pub fn nearest(rgb: i64) -> ColorIndex {
    let parts = |c: i64| [c >> 16 & 0xFF, c >> 8 & 0xFF, c & 0xFF];
    let want = parts(rgb);
    let distance = |c: i64| parts(c).iter().zip(want).map(|(a, b)| (a - b) * (a - b)).sum::<i64>();
    (0u8..).zip(&table().palette).min_by_key(|(_, c)| distance(i64::from(**c))).map_or(0, |(index, _)| index)
}

/// The colour a new track gets: new tracks step through the palette's first two rows.
pub fn next_for(count: usize) -> ColorIndex {
    u8::try_from(count % 28).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_palette_colour_is_its_own_nearest() {
        for index in 0..70 {
            assert_eq!(rgb(nearest(rgb(index))), rgb(index));
        }
        assert_eq!(rgb(nearest(0xFF94A7)), 0xFF94A6);
    }
}

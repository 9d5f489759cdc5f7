//! Live's palette of 70 colours.

use crate::object_model::palette;
use crate::set::document::ColorIndex;

/// 0xRRGGBB of a palette position.
pub fn rgb(index: ColorIndex) -> i64 {
    palette::rgb(usize::from(index))
}

/// The palette position nearest to a colour.
pub fn nearest(rgb: i64) -> ColorIndex {
    u8::try_from(palette::nearest(rgb)).unwrap_or_default()
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

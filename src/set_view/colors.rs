//! Colours as pages write them.

use crate::object_model::palette;

/// How many colours the palette has.
const COLORS: usize = 70;

/// `#RRGGBB` of a palette position.
pub fn hex(index: u8) -> String {
    format!("#{:06X}", palette::rgb(usize::from(index)))
}

/// The whole palette.
pub fn palette() -> Vec<String> {
    (0..COLORS).filter_map(|index| u8::try_from(index).ok()).map(hex).collect()
}

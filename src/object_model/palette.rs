//! Live's palette of 70 colours, by which every colour that is written is read.

use super::class::table;

/// 0xRRGGBB of a palette position; 0 of what is none.
pub fn rgb(index: usize) -> i64 {
    table().palette.get(index).copied().map_or(0, i64::from)
}

/// The palette position nearest to a colour (by distance in RGB), which is what a write of any other colour lands on.
pub fn nearest(rgb: i64) -> usize {
    let parts = |c: i64| [c >> 16 & 0xFF, c >> 8 & 0xFF, c & 0xFF];
    let want = parts(rgb);
    let distance = |c: i64| parts(c).iter().zip(want).map(|(a, b)| (a - b) * (a - b)).sum::<i64>();
    let all = table().palette.iter().enumerate();
    all.min_by_key(|(_, c)| distance(i64::from(**c))).map_or(0, |(index, _)| index)
}

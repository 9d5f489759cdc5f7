//! How much one text may hold.

/// A text longer than this is refused.
pub const MAX_TEXT_BYTES: usize = 1024 * 1024;
/// A text that writes more notes than this is refused.
pub const MAX_NOTES: usize = 100_000;
/// A text of transforms with more statements than this is refused.
pub const MAX_TRANSFORM_LINES: usize = 10_000;

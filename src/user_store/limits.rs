//! Limits on what is stored in the user's folder.

/// Longest document and memory body, in characters.
pub const MAX_CONTENT_CHARS: usize = 10_000;
/// Longest name of a memory entry, in characters.
pub const MAX_NAME_CHARS: usize = 200;
/// Longest description of a memory entry, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 500;
/// Entries that the memory holds at most.
pub const MAX_ENTRIES: usize = 1000;

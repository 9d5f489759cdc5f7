//! What no function of Live does, in the words of its refusals.

/// Why the end of a looped clip stays where it is.
pub const LOOPED_GROWTH: &str =
    "no function of Live makes a looped Arrangement clip longer; copies are laid behind it instead";
/// Why presets of this product are none of Live's.
pub const NO_PRESETS: &str =
    "Live's object model neither saves devices nor loads saved ones; use the presets in Live's browser";
/// Why warp markers stay where they are.
pub const NO_WARP_MARKERS: &str =
    "Live's functions for warp markers report success and move nothing; set the tempo of the clip in Live";
/// Why a clip with envelopes shows none.
pub const NO_MODULATION: &str = "they modulate, or move the clip's own gain, pitch or MIDI controllers, which Live's \
     functions do not reach";

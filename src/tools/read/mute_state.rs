//! Whether a track, chain or pad sounds, in one word.

use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read::flag_if_any;

/// Why a track or chain does not sound, if it does not.
pub fn state(session: &dyn Session, track: ObjectId) -> Result<Option<&'static str>, ModelError> {
    let (muted, soloed) = (flag_if_any(session, track, "mute")?, flag_if_any(session, track, "solo")?);
    Ok(state_word(muted, soloed, flag_if_any(session, track, "muted_via_solo")?))
}

/// The word for what is muted, soloed, or silent because another is soloed.
pub fn state_word(muted: bool, soloed: bool, via_solo: bool) -> Option<&'static str> {
    match (muted, soloed, via_solo) {
        (true, true, _) => Some("muted-and-soloed"),
        (true, _, true) => Some("muted-also-via-solo"),
        (true, ..) => Some("muted"),
        (_, true, _) => Some("soloed"),
        (_, _, true) => Some("muted-via-solo"),
        _ => None,
    }
}

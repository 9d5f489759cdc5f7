//! Cutting a clip of the timeline at several moments.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::call::CallContext;
use crate::tools::error::ToolError;
use crate::tools::timeline::lane::{self, ClipSpan};

/// Most moments that one call cuts at.
pub const MAX_CUTS: usize = 32;

/// What came of cutting one clip.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cut {
    /// What follows the clip itself, which is the first piece.
    pub pieces: Vec<ObjectId>,
    pub detail: Option<String>,
}

/// Why a clip cannot be cut at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uncuttable {
    #[error("a session clip cannot be cut")]
    SessionClip,
    #[error("a clip of a take lane cannot be cut")]
    OnTakeLane,
}

/// Why a clip cannot be cut, if it cannot.
pub fn refusal(session: &dyn Session, clip: ObjectId) -> Result<Option<Uncuttable>, ModelError> {
    let Some(on) = lane::of_clip(session, clip)? else { return Ok(Some(Uncuttable::SessionClip)) };
    Ok(match model_read::class(session, on)? {
        None => Some(Uncuttable::SessionClip),
        Some("TakeLane") => Some(Uncuttable::OnTakeLane),
        Some(_) => None,
    })
}

/// Of these moments, the ones inside the clip.
pub fn inside(session: &dyn Session, clip: ObjectId, at: &[Beats]) -> Result<Vec<Beats>, ToolError> {
    let ClipSpan { start, end, .. } = ClipSpan::read(session, clip)?;
    let is_inside = |at: &Beats| *at - start > SAME_POSITION_BEATS && end - *at > SAME_POSITION_BEATS;
    let mut inside: Vec<Beats> = at.iter().copied().filter(is_inside).collect();
    inside.sort_by(f64::total_cmp);
    inside.dedup_by(|a, b| (*a - *b).abs() <= SAME_POSITION_BEATS);
    Ok(inside)
}

/// Cuts a clip at moments [inside](inside) it.
pub fn cut(session: &mut dyn Session, call: &CallContext, clip: ObjectId, moments: &[Beats]) -> Result<Cut, ToolError> {
    let mut cut = Cut::default();
    let mut rest = clip;
    for at in moments {
        if call.is_late() {
            let at = lane::position_text(session, *at)?;
            cut.detail = Some(format!("the time ran out before the cut at {at}; send the rest of the positions again"));
            break;
        }
        rest = session.split_clip(rest, *at)?;
        cut.pieces.push(rest);
    }
    Ok(cut)
}

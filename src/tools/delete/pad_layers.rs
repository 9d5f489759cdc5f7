//! Layers of drum pads: taking one away, which hosts only do to a whole pad.

use crate::object_model::{ObjectId, Session, Value};
use crate::tools::address::model_read::{child, children, count};
use crate::tools::address::path_format::drum_note;
use crate::tools::address::path_format::path_and_id;
use crate::tools::error::ToolError;

/// Notes that pads answer.
const NOTES: usize = 128;

/// The Drum Rack around a chain, with its pads as objects; `Err` says why there is none.
pub fn rack_with_pads(session: &dyn Session, chain: ObjectId) -> Result<ObjectId, ToolError> {
    let rack = child(session, chain, "canonical_parent")?;
    let (Some(rack), Some(_)) = (rack, drum_note(session, chain)?) else {
        return Err(ToolError::new("only layers of a drum pad can be deleted; the chains of other racks cannot"));
    };
    if count(session, rack, "drum_pads")? == 0 {
        return Err(ToolError::new(format!(
            "{} stands inside another rack, and only pads of an outermost Drum Rack can be cleared",
            path_and_id(session, rack)?
        )));
    }
    Ok(rack)
}

/// The note of each layer of a Drum Rack; `None` where it answers all.
fn layers(session: &dyn Session, rack: ObjectId) -> Result<Vec<Option<usize>>, ToolError> {
    let mut notes = Vec::new();
    for chain in children(session, rack, "chains")? {
        notes.push(drum_note(session, chain)?.and_then(|note| usize::try_from(note).ok()));
    }
    Ok(notes)
}

/// Deletes one layer: a host clears whole pads only, so the layer is put alone on a pad first.
pub fn delete(session: &mut dyn Session, chain: ObjectId) -> Result<(), ToolError> {
    let rack = rack_with_pads(session, chain)?;
    let note = drum_note(session, chain)?.and_then(|note| usize::try_from(note).ok());
    let layers = layers(session, rack)?;
    let on = |note: usize| layers.iter().filter(|layer| **layer == Some(note)).count();
    let alone = match note.filter(|note| on(*note) == 1) {
        Some(note) => note,
        None => {
            let empty = (0..NOTES).find(|note| on(*note) == 0);
            let empty =
                empty.ok_or_else(|| ToolError::new("every pad is taken, so one layer alone cannot be cleared"))?;
            session.set(chain, "in_note", Value::Int(i64::try_from(empty).unwrap_or_default()))?;
            empty
        }
    };
    let pad = session.child_at(rack, "drum_pads", alone)?.ok_or_else(|| ToolError::new("the pad is gone"))?;
    session.call(pad, "delete_all_chains", &[])?;
    Ok(())
}

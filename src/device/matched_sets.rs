//! Two documents that were saved apart, compared as two states of one Set.

use crate::set::edit::set_changes;
use crate::set::{Document, SetState};
use crate::tools::request::ComparedSets;
use std::sync::Arc;

/// Compares two documents; `is_one_set` where both are versions of one, in which ids say what is what.
pub(super) fn compare(
    before: &Document,
    after: &Document,
    is_one_set: bool,
    most: usize,
) -> Result<ComparedSets, String> {
    let mut after = before.with_ids_of(after, is_one_set)?;
    // A Set that was opened is called as its file is.
    Arc::make_mut(&mut after.song).name.clone_from(&before.song.name);
    let changes = set_changes::between(before, &after, most, &mut |_| Ok(())).map_err(|why| why.to_string())?;
    let session = |document: Document| Box::new(SetState::from_document(document));
    Ok(ComparedSets { before: session(before.clone()), after: session(after), changes })
}

//! Two Sets that were saved apart, side by side: what is different, in the words in which steps are told.

use super::matched_sets::compare;
use super::set_files::{SetFile, read_set_file, with_samples_beside};
use crate::paths::AllowedFolders;
use crate::tools::history::step_list::Difference;
use crate::tools::history::told_changes::ToldChange;
use serde_json::Value;
use std::path::Path;

/// What is different between two files.
pub struct ComparedFiles {
    /// A sentence for each object.
    pub sentences: Vec<String>,
    /// The same as entries of an answer.
    pub changes: Value,
    /// Further objects that are different.
    pub more: usize,
}

/// Objects that are told of two files; clips that went elsewhere are looked for among all of them.
const MOST_TOLD: usize = 5_000;

/// Reads two files, whoever saved them, and compares what is in them. An error begins with the file's name.
pub fn compare_files(before: &Path, after: &Path) -> Result<ComparedFiles, String> {
    let read = |file: &Path| {
        let read =
            read_set_file(file, &AllowedFolders::default()).map_err(|why| format!("{}: {why}", file.display()))?;
        Ok::<_, String>((with_samples_beside(file, read.document()), set_id(&read)))
    };
    let ((before, one), (after, other)) = (read(before)?, read(after)?);
    let is_one_set = one.is_some() && one == other;
    let found = compare(&before, &after, is_one_set, MOST_TOLD)?;
    let told = Difference::tell(&*found.before, &*found.after, &found.changes).map_err(|why| why.to_string())?;
    let shown = told.changes.iter().filter(|change| !change.is_told_elsewhere());
    let sentences = shown.map(ToldChange::sentence).collect();
    let changes = told.changes.into_iter().map(ToldChange::into_json).collect();
    Ok(ComparedFiles { sentences, changes, more: told.more })
}

/// The id of a Set of our own, under which its objects keep theirs.
fn set_id(file: &SetFile) -> Option<String> {
    match file {
        SetFile::Own(state) => Some(state.id.clone()).filter(|id| !id.is_empty()),
        SetFile::Live(_) => None,
    }
}

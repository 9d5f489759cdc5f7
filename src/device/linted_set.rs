//! What in a file with a Set is missing, of no use, or not heard.

use super::set_files::{SetFile, read_set_file, with_samples_beside};
use crate::object_model::ObjectId;
use crate::paths::AllowedFolders;
use crate::set::SetState;
use crate::sound::samples::{SampleCache, SampleFault};
use crate::tools::address::path_format::tool_path;
use serde::Serialize;
use std::path::Path;

/// How a report calls frozen tracks.
const FROZEN: &str = "frozen";

/// Something that was found in a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundInFile {
    pub kind: &'static str,
    /// Where it is, as calls of tools name it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// What it is called; of a sample its file.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    pub why: String,
}

/// Reads a file, whoever saved it, and looks through what is in it. The error begins with the file's name.
pub fn lint_file(file: &Path) -> Result<Vec<FoundInFile>, String> {
    let named = |why: String| format!("{}: {why}", file.display());
    let read = read_set_file(file, &AllowedFolders::by_hand()).map_err(named)?;
    let document = with_samples_beside(file, read.document());
    let of_sample = |SampleFault { path: name, why, is_missing }: SampleFault| {
        let kind = if is_missing { "missing-sample" } else { "unplayable-sample" };
        FoundInFile { kind, path: None, name, why }
    };
    let mut faults = SampleCache::default().find_faults(&document, &AllowedFolders::by_hand());
    // The document has no samples of unknown length; the report has.
    let unread = read.report().into_iter().flat_map(|report| &report.unplayable_samples);
    let unread = unread.map(|(path, why)| SampleFault { path: path.clone(), why: why.clone(), is_missing: false });
    faults.extend(unread);
    faults.sort_by(|a, b| a.path.cmp(&b.path));
    faults.dedup_by(|a, b| a.path == b.path);
    let mut found: Vec<FoundInFile> = faults.into_iter().map(of_sample).collect();
    let set = SetState::from_document(document);
    for finding in set.findings() {
        found.push(FoundInFile {
            kind: finding.kind.name(),
            path: path_of(&set, finding.object).map_err(named)?,
            name: finding.name,
            why: finding.why,
        });
    }
    found.extend(frozen(&read));
    Ok(found)
}

fn path_of(set: &SetState, object: ObjectId) -> Result<Option<String>, String> {
    tool_path(set, object).map_err(|why| why.to_string())
}

/// Of frozen tracks the report has the number.
fn frozen(read: &SetFile) -> Option<FoundInFile> {
    let counts = read.report()?.kept.iter().filter(|(kind, _)| kind.starts_with(FROZEN));
    let count: u64 = counts.map(|(_, count)| count).sum();
    let why = format!("{count} frozen, read as unfrozen: their devices sound otherwise than what was frozen");
    (count > 0).then(|| FoundInFile { kind: "frozen-tracks", path: None, name: String::new(), why })
}

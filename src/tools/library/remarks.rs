//! What an answer says beside its results.

use super::search_request::SearchRequest;
use crate::library::Library;
use crate::library::kind::ContentKind;
use crate::music::excerpt::long_excerpt;

pub const NO_FOLDER: &str = "no folder is indexed: name the folder of your samples in the device's window (Setup, Sample \
     folder) or with POST /config {\"sampleFolder\": \"/…\"}";

/// What to say of the index: how far it is, and, where nothing was found (`empty`), why. `unsure`: there may be files
/// that the index does not know yet.
pub fn index_remarks(library: &Library, empty: bool, unsure: bool) -> Vec<String> {
    let progress = library.progress();
    let mut remarks = Vec::new();
    if let Some(description) = progress.description() {
        remarks.push(format!("the index is not complete yet ({description}); ask again for the rest"));
    }
    if empty && unsure && progress.is_complete() {
        remarks.push("a fresh look for files is under way; ask again in a moment".to_owned());
    }
    if progress.truncated {
        remarks.push(format!("the folders hold more than the {} files that are indexed", progress.found));
    }
    if empty {
        let folders = library.folders();
        if folders.is_empty() {
            remarks.push(NO_FOLDER.to_owned());
        } else if folders.iter().all(|folder| progress.unlistable_folders.contains(&folder.path)) {
            remarks.push(
                "the sample folder cannot be listed; is it there? (settings sampleFolder and allowedFolders)"
                    .to_owned(),
            );
        } else if progress.is_complete() {
            let unreadable = match progress.unreadable {
                0 => String::new(),
                1 => "; 1 audio file that cannot be read is left out".to_owned(),
                count => format!("; {count} audio files that cannot be read are left out"),
            };
            remarks.push(format!("nothing fits among {} files and folders{unreadable}", progress.found));
        }
    }
    remarks
}

/// Says that the folder to search in does not exist. The disk is asked only about folders that the index does not know.
pub fn missing_folder_remark(library: &Library, search: &SearchRequest) -> Option<String> {
    let folder = search.filter.in_folder.as_ref()?;
    let known = library
        .with_searcher(|searcher| searcher.record(folder).is_some_and(|record| record.kind == ContentKind::Folder));
    (!known && !folder.is_dir()).then(|| format!("there is no folder {}", long_excerpt(&folder.to_string_lossy())))
}

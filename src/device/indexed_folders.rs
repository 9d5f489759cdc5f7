//! Which folders of the settings are indexed.

use crate::disk::leads_to_root;
use crate::library::{IndexedFolder, kind::FileSource, normalized_path};
use crate::service::Settings;

/// The sample folder, then the folders that the user allowed beside it.
pub(super) fn indexed_folders(settings: &Settings) -> Vec<IndexedFolder> {
    let root = |path: &str, source| IndexedFolder { path: normalized_path(path), source };
    let sample = Some(settings.sample_folder()).filter(|folder| !folder.is_empty());
    let sample = sample.map(|folder| root(folder, FileSource::SampleFolder));
    let others = settings.allowed_folders().iter().filter(|folder| !folder.is_empty());
    let all = sample.into_iter().chain(others.map(|folder| root(folder, FileSource::User)));
    // One that leads to the root of a disk is all of it. One that is not there may come back.
    all.filter(|folder| !leads_to_root(&folder.path)).collect()
}

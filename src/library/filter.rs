//! What a search asks for.

use super::kind::{ContentKind, FileSource, SampleType};
use std::path::PathBuf;

/// What is searched for. Everything that is set must hold.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Part of a name; `*` stands for anything. Names with other words for the same tags fit too, after those.
    pub query: String,
    /// All of them, in any case; other words for a tag stand for it.
    pub tags: Vec<String>,
    pub kind: ContentKind,
    pub sample_type: Option<SampleType>,
    pub source: Option<FileSource>,
    /// Only what lies right in this folder.
    pub in_folder: Option<PathBuf>,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            query: String::new(),
            tags: Vec::new(),
            kind: ContentKind::Audio,
            sample_type: None,
            source: None,
            in_folder: None,
        }
    }
}

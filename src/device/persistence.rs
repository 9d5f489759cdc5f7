//! Where a device's changes are kept outside a DAW's project.

use super::recovery::JournalFolder;
use super::state_file::StateFile;
use std::path::Path;

/// Where changes go that no plugin host saves.
#[derive(Clone, Debug)]
pub enum Persistence {
    Nowhere,
    /// A state file of the device's own.
    File(StateFile),
    /// A journal beside the plugin host's project.
    Journal(JournalFolder),
}

impl Persistence {
    /// The folder of the project, where it is known: no plugin format tells a plugin.
    pub fn project_folder(&self) -> Option<&Path> {
        match self {
            Persistence::File(file) => file.project_folder(),
            Persistence::Nowhere | Persistence::Journal(_) => None,
        }
    }

    /// Whether the state is the user's own, not a project's that may come from somebody else.
    pub fn is_own(&self) -> bool {
        match self {
            Persistence::File(file) => file.project_folder().is_none(),
            Persistence::Nowhere | Persistence::Journal(_) => false,
        }
    }

    /// The folder of what belongs to the user across Sets.
    pub fn user_folder(&self) -> Option<&Path> {
        match self {
            Persistence::Nowhere => None,
            Persistence::File(file) => Some(file.user_folder()),
            Persistence::Journal(journals) => journals.user_folder(),
        }
    }
}

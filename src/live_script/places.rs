//! Where a user's files are on each system.

use std::env;
use std::path::PathBuf;

/// Which places of a system are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    MacOs,
    Windows,
    /// Live does not run here.
    Other,
}

/// Where this user's files are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    pub platform: Platform,
    pub home: Option<PathBuf>,
    /// `%APPDATA%` of Windows.
    pub app_data: Option<PathBuf>,
    /// `%OneDrive%`, which may hold the user's documents.
    pub one_drive: Option<PathBuf>,
}

impl Places {
    pub fn of_this_machine() -> Places {
        let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let platform = if cfg!(target_os = "macos") {
            Platform::MacOs
        } else if cfg!(windows) {
            Platform::Windows
        } else {
            Platform::Other
        };
        let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
        Places { platform, home, app_data: variable("APPDATA"), one_drive: variable("OneDrive") }
    }

    /// Where Live makes the User Library when nobody asks it for another place.
    pub(super) fn defaults(&self) -> Vec<PathBuf> {
        let below = |root: &Option<PathBuf>, documents: &str| {
            root.as_ref().map(|root| root.join(documents).join("Ableton").join("User Library"))
        };
        match self.platform {
            Platform::MacOs => below(&self.home, "Music").into_iter().collect(),
            Platform::Windows => {
                below(&self.home, "Documents").into_iter().chain(below(&self.one_drive, "Documents")).collect()
            }
            Platform::Other => Vec::new(),
        }
    }
}

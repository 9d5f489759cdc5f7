//! The script that a running Ableton Live loads: its files, the folder where Live looks for it, what lies there now,
//! and how it is put there and taken away.
//!
//! Invariants: a folder is whole or not there, also when a step fails in the middle; what is not ours is never removed,
//! and what takes its place is told; no folder is guessed where there are several. Everything here waits for a disk:
//! never call it on a host's thread.

mod bundled;
mod folder_state;
mod install;
mod live_preferences;
mod places;
mod swap;
#[cfg(test)]
mod tests;
mod user_library;

pub use bundled::{SCRIPT_FILES, SCRIPT_NAME, ScriptFile, bundled_hash, bundled_version};
pub use folder_state::{Difference, RunningScript, SWITCH_ON, ScriptFolder, ScriptState, ScriptStatus};
pub use install::{Change, InstallProblem, Installed, Removed, install, remove};
pub use places::{Places, Platform};
pub use user_library::{LibraryProblem, LibrarySource, NamedFolder, UserLibrary, check_named, find_user_library};

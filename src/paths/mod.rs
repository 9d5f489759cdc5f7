//! What paths mean, as text: names that Windows keeps for itself, places outside this machine, folders that hold
//! others. Nothing here asks a disk.

mod allowed_folders;
mod windows_names;

pub use allowed_folders::{AllowedFolders, NOT_TOLD};
pub use windows_names::{document_name_fault, is_reserved_by_windows, plain_path};

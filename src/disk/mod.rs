//! The one way in which files are opened, made and put in place: nothing but plain files is opened, no link is followed
//! that nobody looked at, and nobody can guess the name of what is in the making. See D260 in `docs/decisions.md`.

mod folder;
mod place;
mod plain_file;
mod real_folder;
mod staged_file;

pub use folder::Folder;
pub use place::{Access, folder_of, make_folder, private_file};
pub use plain_file::{open_plain, open_real};
pub use real_folder::{folder_fault, is_in_real_folder, leads_into, leads_to_root, real_folder};
pub use staged_file::{InPlace, Replacing, StagedFile, staged_target};

#[cfg(windows)]
pub use place::is_briefly_refused;

#[cfg(all(test, unix))]
fn make_pipe(path: &std::path::Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

//! Which files a call may name: those in the folders that the user has opened and in those that files come and leave
//! through, and one that the user chose by hand.

use crate::disk::{is_in_real_folder, real_folder};
use crate::music::excerpt::excerpt;
use crate::tools::error::ToolError;
use crate::tools::request::RequestContext;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Something about a file that a parameter names.
pub fn about(parameter: &str, file: &str, why: &str) -> ToolError {
    ToolError::about(parameter, format!("{}: {why}", excerpt(file)))
}

/// A file that is there, without links. Of what lies elsewhere than allowed nothing is told, not even whether it is
/// there; `what` is what may be named: `Sets are read and written`.
pub fn existing(parameter: &str, file: &str, what: &str, view: &RequestContext) -> Result<PathBuf, ToolError> {
    let own = &view.device.transfer_folders;
    resolved(parameter, file, what, view, [&own.sets, &own.downloads], |path| path.canonicalize())
}

/// The same of one that may not be there yet, in a folder that is.
pub fn to_write(parameter: &str, file: &str, what: &str, view: &RequestContext) -> Result<PathBuf, ToolError> {
    let own = &view.device.transfer_folders;
    let sets = own.sets.as_deref();
    if view.chosen_file.is_none() && is_in_real_folder(sets, Path::new(file)) {
        let why = "what lies there came from a browser, and goes again when more comes; write it into a folder that \
                   allowedFolders or sampleFolder names";
        return Err(about(parameter, file, why));
    }
    resolved(parameter, file, what, view, [&None, &own.downloads], in_real_folder)
}

fn in_real_folder(path: &Path) -> std::io::Result<PathBuf> {
    let folder = path.parent().unwrap_or(path).canonicalize()?;
    let file = folder.join(path.file_name().unwrap_or_default());
    // A link that lies there leads elsewhere.
    if file.symlink_metadata().is_ok() { file.canonicalize() } else { Ok(file) }
}

fn resolved(
    parameter: &str,
    file: &str,
    what: &str,
    view: &RequestContext,
    own: [&Option<PathBuf>; 2],
    resolve: fn(&Path) -> std::io::Result<PathBuf>,
) -> Result<PathBuf, ToolError> {
    let about = |why: &str| about(parameter, file, why);
    let path = Path::new(file);
    if !path.is_absolute() || path.components().any(|part| part == Component::ParentDir) {
        return Err(about("name it by its absolute path, without .."));
    }
    let outside = || about(&format!("{what} only in the folders that allowedFolders and sampleFolder name"));
    let is_chosen = view.chosen_file.as_deref() == Some(path);
    let named = view.device.project.folders().into_iter().map(PathBuf::from);
    // As they are spelled, and where they lead: what leads nowhere, or to the root of a disk, opens nothing.
    let folders: Vec<PathBuf> = named.chain(own.into_iter().flatten().cloned()).collect();
    let opened: Vec<(PathBuf, PathBuf)> =
        folders.into_iter().filter_map(|folder| real_folder(&folder).map(|real| (folder, real))).collect();
    let is_spelled_inside = opened.iter().any(|(folder, real)| path.starts_with(folder) || path.starts_with(real));
    if !is_chosen && !is_spelled_inside {
        return Err(outside());
    }
    match resolve(path) {
        Ok(real) if is_chosen || opened.iter().any(|(_, folder)| real.starts_with(folder)) => Ok(real),
        Ok(_) => Err(outside()),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(about("there is no such file or folder")),
        Err(error) => Err(about(&format!("it cannot be reached: {error}"))),
    }
}

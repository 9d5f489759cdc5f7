//! Which files a call may name: those in the folders that the user has opened and in those that files come and leave
//! through, and one that the user chose by hand.

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
    resolved(parameter, file, what, view, |path| path.canonicalize())
}

/// The same of one that may not be there yet, in a folder that is.
pub fn to_write(parameter: &str, file: &str, what: &str, view: &RequestContext) -> Result<PathBuf, ToolError> {
    resolved(parameter, file, what, view, in_real_folder)
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
    resolve: fn(&Path) -> std::io::Result<PathBuf>,
) -> Result<PathBuf, ToolError> {
    let about = |why: &str| about(parameter, file, why);
    let path = Path::new(file);
    if !path.is_absolute() || path.components().any(|part| part == Component::ParentDir) {
        return Err(about("name it by its absolute path, without .."));
    }
    let outside = || about(&format!("{what} only in the folders that allowedFolders and sampleFolder name"));
    let is_chosen = view.chosen_file.as_deref() == Some(path);
    let folders: Vec<PathBuf> = view.device.project.folders().into_iter().map(PathBuf::from).collect();
    let own = &view.device.transfer_folders;
    let inside = |path: &Path| {
        is_chosen
            || folders.iter().chain(own.iter()).any(|folder| {
                let real = folder.canonicalize();
                path.starts_with(folder) || real.is_ok_and(|real| path.starts_with(real))
            })
    };
    if !inside(path) {
        return Err(outside());
    }
    match resolve(path) {
        Ok(real) if inside(&real) => Ok(real),
        Ok(_) => Err(outside()),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(about("there is no such file or folder")),
        Err(error) => Err(about(&format!("it cannot be reached: {error}"))),
    }
}

//! The system's own dialogs for files.

use crate::device::file_desk::FileTask;
use crate::device::packed_state::ENDING;
use rfd::{AsyncFileDialog, FileHandle};
use std::path::PathBuf;
use std::pin::Pin;

/// Shows the dialog for a task; the future is the file that the user chooses, or `None`. To be called on the window's
/// thread, as macOS asks; it does not wait.
pub fn chosen(task: FileTask) -> impl Future<Output = Option<PathBuf>> + Send + 'static {
    let (title, is_written) = match task {
        FileTask::Open => ("Open a Set in place of this one", false),
        FileTask::Import => ("Import the tracks of a Set", false),
        FileTask::Save => ("Save this Set", true),
        FileTask::Export => ("Export this Set with its samples", true),
    };
    let dialog = AsyncFileDialog::new().set_title(title);
    let picked: Pin<Box<dyn Future<Output = Option<FileHandle>> + Send>> = if is_written {
        Box::pin(dialog.add_filter("Sets", &[ENDING]).set_file_name(format!("Set.{ENDING}")).save_file())
    } else {
        Box::pin(dialog.add_filter("Sets", &["als", "alc", ENDING, "json"]).pick_file())
    };
    async move { picked.await.map(|file| file.path().to_owned()) }
}

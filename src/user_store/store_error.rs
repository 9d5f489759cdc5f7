//! Why a document or a memory entry was not read or not written.

use super::atomic_files::FileProblem;
use super::limits::MAX_ENTRIES;
use super::overwrite_guard::LostLines;
use std::io;

/// Why something was not read or not written. The text is for the caller and names no folder of the user's disk.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There is no user's folder to write to.
    #[error("there is no folder to keep it in: no home folder was found")]
    NoFolder,
    /// There is a file, and it cannot be read as what it should be.
    #[error("{file} in the user's folder {why}; it stays as it is. Repair it or move it away")]
    Unreadable { file: String, why: FileProblem },
    /// The new text keeps no line of the old one, and `force` was not sent.
    #[error(
        "nothing was written: the new text keeps {}. Send the whole document, what is there included; to replace it on purpose \
         add force: true",
        describe_lost_lines(.0)
    )]
    WouldLose(LostLines),
    /// No file may be called so: the name, and why.
    #[error("\"{0}\" cannot name a memory entry: {1}")]
    Name(String, &'static str),
    /// The memory has as many entries as it takes.
    #[error("there are {MAX_ENTRIES} memory entries already; delete one first")]
    Full,
    /// The disk refused, or another process kept the folder locked.
    #[error("{file} could not be written: {}", write_error_text(*.kind))]
    NotWritten { file: String, kind: io::ErrorKind },
}

pub fn unreadable(file: &str, why: FileProblem) -> StoreError {
    StoreError::Unreadable { file: file.to_owned(), why }
}

pub fn not_written(file: &str, error: &io::Error) -> StoreError {
    StoreError::NotWritten { file: file.to_owned(), kind: error.kind() }
}

/// Why a file was not written, in a sentence.
pub fn write_error_text(kind: io::ErrorKind) -> String {
    match kind {
        io::ErrorKind::WouldBlock => "another device is writing there; try again".to_owned(),
        kind => kind.to_string(),
    }
}

fn describe_lost_lines(lost: &LostLines) -> String {
    const OTHERS: &str = "headings and shorter ones do not count";
    match (lost.count, lost.is_all) {
        (1, true) => format!("nothing of the 1 line that is there, \"{}\"", lost.first),
        (1, false) => format!("nothing of the 1 line that says something ({OTHERS}), \"{}\"", lost.first),
        (lines, true) => format!("none of the {lines} lines that are there, such as \"{}\"", lost.first),
        (lines, false) => {
            format!("none of the {lines} lines that say something ({OTHERS}), such as \"{}\"", lost.first)
        }
    }
}

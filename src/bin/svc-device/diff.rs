//! `svc-device diff`: what is different between two files with a Set. Exit codes are those of `diff`: 0 nothing, 1
//! something, 2 a file cannot be read.

use crate::console::{log, print};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;
use svc_device::device::compared_sets::compare_files;
use svc_device::music::shown_text::shown_line;

const DIFFERENT: u8 = 1;
const UNREADABLE: u8 = 2;

/// Reads both files and prints what is different.
pub fn run(before: &Path, after: &Path, json: bool) -> ExitCode {
    let found = match compare_files(before, after) {
        Ok(found) => found,
        Err(why) => {
            log(&shown_line(&why));
            return ExitCode::from(UNREADABLE);
        }
    };
    let (from, to) = (before.display().to_string(), after.display().to_string());
    let count = found.sentences.len() + found.more;
    if json {
        print(&json!({ "from": from, "to": to, "changes": found.changes, "more": found.more }).to_string());
    } else if count == 0 {
        print(&shown_line(&format!("{from} and {to} hold the same")));
    } else {
        let objects = if count == 1 { "object differs" } else { "objects differ" };
        print(&shown_line(&format!("{from} -> {to}: {count} {objects}")));
        found.sentences.iter().for_each(|sentence| print(&shown_line(sentence)));
        if found.more > 0 {
            print(&format!("and {} more", found.more));
        }
    }
    if count == 0 { ExitCode::SUCCESS } else { ExitCode::from(DIFFERENT) }
}

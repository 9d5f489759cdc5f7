//! A file that somebody else has open: a scanner, a backup.

use std::fs::File;
use std::io::Write;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;

/// Opens a file so that nobody may replace or remove it, says `held`, and closes it at the end of a line on stdin.
pub fn hold(file: &Path) {
    const FILE_SHARE_READ: u32 = 1;
    let held = File::options().read(true).share_mode(FILE_SHARE_READ).open(file).expect("the file opens");
    println!("held");
    std::io::stdout().flush().expect("stdout takes it");
    std::io::stdin().read_line(&mut String::new()).expect("a line on stdin");
    drop(held);
}

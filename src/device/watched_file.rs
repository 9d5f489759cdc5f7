//! A file that is read from its beginning to its end, while somebody follows how far that is and may end it.

use crate::tools::request::FileWork;
use std::fs::File;
use std::io::{self, Read};

/// See the [module](self).
pub struct WatchedFile<'a> {
    file: File,
    work: &'a dyn FileWork,
    done: u64,
    total: u64,
    told_percent: Option<u64>,
}

impl<'a> WatchedFile<'a> {
    pub fn new(file: File, work: &'a dyn FileWork) -> WatchedFile<'a> {
        let total = file.metadata().map_or(0, |about| about.len());
        WatchedFile { file, work, done: 0, total, told_percent: None }
    }
}

impl Read for WatchedFile<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.work.is_cancelled() {
            return Err(io::Error::other("the job was cancelled"));
        }
        let count = self.file.read(out)?;
        self.done = self.done.saturating_add(count as u64);
        // One that grows meanwhile is read to its end.
        self.total = self.total.max(self.done);
        let percent = self.done.saturating_mul(100).checked_div(self.total);
        if percent != self.told_percent {
            self.told_percent = percent;
            self.work.report(self.done, self.total);
        }
        Ok(count)
    }
}

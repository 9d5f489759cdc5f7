//! A file that is read or written from its beginning to its end, while somebody follows how far that is and may end it.

use crate::tools::request::FileWork;
use std::fs::File;
use std::io::{self, Read, Write};

/// Bytes that are written before it is told, and looked whether to go on.
const TOLD_EVERY: u64 = 1 << 20;

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
        go_on(self.work)?;
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

/// What is written to a file, before it is compressed.
pub struct WatchedWriter<'a> {
    to: &'a mut dyn Write,
    work: &'a dyn FileWork,
    done: u64,
    told: u64,
}

impl<'a> WatchedWriter<'a> {
    pub fn new(to: &'a mut dyn Write, work: &'a dyn FileWork) -> WatchedWriter<'a> {
        WatchedWriter { to, work, done: 0, told: 0 }
    }

    /// All is written: tells of the last bytes.
    pub fn finish(self) {
        self.work.wrote(self.done);
    }
}

impl Write for WatchedWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.done = self.done.saturating_add(count as u64);
        // Not for each of many small pieces.
        if self.done - self.told >= TOLD_EVERY {
            go_on(self.work)?;
            self.told = self.done;
            self.work.wrote(self.done);
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn go_on(work: &dyn FileWork) -> io::Result<()> {
    if work.is_cancelled() { Err(io::Error::other("the job was cancelled")) } else { Ok(()) }
}

//! A file as its readers see it: a place in it, the bytes from there on, and where it ends.

use super::read_budget::BoundedFile;
use std::io::{ErrorKind, Read, Result, Seek, SeekFrom};

/// Read at a time.
const PIECE_BYTES: usize = 16 * 1024;

/// Bytes of a file from any place on, within its reader's budget.
pub struct Source<'a> {
    file: BoundedFile<'a>,
    bytes: u64,
    /// Where `window` begins in the file.
    start: u64,
    window: Vec<u8>,
    /// The place in `window` that is looked at.
    at: usize,
}

impl<'a> Source<'a> {
    /// `bytes` is the size of the file.
    pub fn new(file: BoundedFile<'a>, bytes: u64) -> Source<'a> {
        Source { file, bytes, start: 0, window: Vec::new(), at: 0 }
    }

    /// The size of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub fn position(&self) -> u64 {
        self.start.saturating_add(self.at as u64)
    }

    /// Bytes from here to the end.
    pub fn left(&self) -> u64 {
        self.bytes.saturating_sub(self.position())
    }

    pub fn seek(&mut self, to: u64) {
        match to.checked_sub(self.start).and_then(|ahead| usize::try_from(ahead).ok()) {
            Some(ahead) if ahead <= self.window.len() => self.at = ahead,
            _ => {
                self.window.clear();
                (self.start, self.at) = (to, 0);
            }
        }
    }

    pub fn skip(&mut self, bytes: u64) {
        self.seek(self.position().saturating_add(bytes));
    }

    /// The next `count` bytes, fewer at the end of the file. The place stays.
    pub fn peek(&mut self, count: usize) -> Result<&[u8]> {
        if self.window.len() - self.at < count {
            self.window.drain(..self.at);
            self.start = self.start.saturating_add(self.at as u64);
            self.at = 0;
            self.fill(count)?;
        }
        let end = self.window.len().min(self.at.saturating_add(count));
        Ok(self.window.get(self.at..end).unwrap_or_default())
    }

    /// Reads until the window has `count` bytes or the file ends.
    fn fill(&mut self, count: usize) -> Result<()> {
        // A head may point anywhere.
        if self.start >= self.bytes {
            return Ok(());
        }
        let mut known = self.window.len();
        self.file.seek(SeekFrom::Start(self.start.saturating_add(known as u64)))?;
        self.window.resize(count.max(known.saturating_add(PIECE_BYTES)), 0);
        let read = loop {
            let room = self.window.get_mut(known..).unwrap_or_default();
            match self.file.read(room) {
                Ok(0) => break Ok(()),
                Ok(read) => known += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
            if known >= count {
                break Ok(());
            }
        };
        self.window.truncate(known);
        read
    }

    /// The next bytes, if there are so many.
    pub fn peek_array<const N: usize>(&mut self) -> Result<Option<[u8; N]>> {
        Ok(self.peek(N)?.first_chunk::<N>().copied())
    }
}

//! How much of audio files is read: bytes, packets and time. A small file can claim to be long, and a sparse one can be
//! long without taking any room, so whatever reads one counts.
//!
//! Everything a decoder looks at comes through [`BoundedFile`], also while a format is guessed or a lost place in the
//! stream is looked for: no loop of a decoder runs longer than its bytes.

use parking_lot::Mutex;
use std::fs::File;
use std::io::{Error, Read, Result, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use symphonia::core::io::MediaSource;

/// What reading may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    pub bytes: u64,
    /// Bytes that are read in search of the next packet, pictures in the head included.
    pub bytes_without_packet: u64,
    pub packets: u64,
    pub time: Duration,
}

impl ReadLimits {
    /// For all the files that one call names together. Most are read no further than their heads.
    pub const CALL: ReadLimits = ReadLimits {
        bytes: 2 * GIGABYTE,
        bytes_without_packet: 32 * MEGABYTE,
        packets: 4_000_000,
        time: Duration::from_secs(10),
    };

    /// For one file that is indexed: nobody waits for it, but the files behind it do.
    pub const INDEXED_FILE: ReadLimits =
        ReadLimits { bytes: 4 * GIGABYTE, time: Duration::from_secs(120), ..ReadLimits::CALL };
}

const MEGABYTE: u64 = 1_000_000;
const GIGABYTE: u64 = 1_000_000_000;

/// Which limit was reached. The text says what of the file is too much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitReached {
    #[error("it has {}, and at most {} are read", size(*bytes), size(*most))]
    FileSize { bytes: u64, most: u64 },
    #[error("at most {} are read", size(*.0))]
    Bytes(u64),
    #[error("there is no sound in {} of it", size(*.0))]
    BytesWithoutPacket(u64),
    #[error("at most {0} packets of sound are read")]
    Packets(u64),
    #[error("{} s were not enough", .0.as_secs_f64())]
    Time(Duration),
}

impl LimitReached {
    /// Whether another try may go better.
    pub fn is_of_time(self) -> bool {
        matches!(self, LimitReached::Time(_))
    }
}

/// A size for people: `300 GB`, `2.5 MB`.
fn size(bytes: u64) -> String {
    let (unit, name) = if bytes >= GIGABYTE { (GIGABYTE, "GB") } else { (MEGABYTE, "MB") };
    let tenths = bytes / (unit / 10);
    if tenths.is_multiple_of(10) {
        format!("{} {name}", tenths / 10)
    } else {
        format!("{}.{} {name}", tenths / 10, tenths % 10)
    }
}

/// What is left of the limits, for one file or several one after the other.
pub struct ReadBudget<'a> {
    limits: ReadLimits,
    end: Instant,
    bytes: AtomicU64,
    /// Of the files before this one.
    bytes_before: AtomicU64,
    /// The size of this one.
    file_bytes: AtomicU64,
    bytes_without_packet: AtomicU64,
    packets: AtomicU64,
    reached: Mutex<Option<LimitReached>>,
    /// Says that nobody wants to know any more.
    stopped: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl<'a> ReadBudget<'a> {
    /// The time begins now.
    pub fn new(limits: ReadLimits) -> ReadBudget<'a> {
        ReadBudget {
            limits,
            end: Instant::now() + limits.time,
            bytes: AtomicU64::new(0),
            bytes_before: AtomicU64::new(0),
            file_bytes: AtomicU64::new(0),
            bytes_without_packet: AtomicU64::new(0),
            packets: AtomicU64::new(0),
            reached: Mutex::default(),
            stopped: None,
        }
    }

    /// Reading also ends when `stopped` says so.
    pub fn until(self, stopped: &'a (dyn Fn() -> bool + Sync)) -> ReadBudget<'a> {
        ReadBudget { stopped: Some(stopped), ..self }
    }

    /// Bytes read so far.
    pub fn bytes_read(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The limit that ended the reading, if one did.
    pub fn reached(&self) -> Option<LimitReached> {
        *self.reached.lock()
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some_and(|stopped| stopped())
    }

    /// Refuses the present file, of which all has to be read, when it has more bytes than are left.
    pub fn check_file(&self) -> std::result::Result<(), LimitReached> {
        self.check_size(self.file_bytes.load(Ordering::Relaxed))
    }

    /// Refuses a file of which all has to be read when it has more bytes than are left.
    pub fn check_size(&self, file_bytes: u64) -> std::result::Result<(), LimitReached> {
        // Its head was read already.
        let left = self.limits.bytes.saturating_sub(self.bytes_before.load(Ordering::Relaxed));
        if file_bytes <= left {
            return Ok(());
        }
        Err(self.reach(LimitReached::FileSize { bytes: file_bytes, most: left }))
    }

    /// Counts a packet; false when reading ends here.
    pub fn count_packet(&self) -> bool {
        self.bytes_without_packet.store(0, Ordering::Relaxed);
        let packets = self.packets.fetch_add(1, Ordering::Relaxed);
        if packets >= self.limits.packets {
            self.reach(LimitReached::Packets(self.limits.packets));
        } else if Instant::now() >= self.end {
            self.reach(LimitReached::Time(self.limits.time));
        }
        self.reached().is_none() && !self.is_stopped()
    }

    /// Whether more may be read.
    fn check(&self) -> bool {
        let ReadLimits { bytes, bytes_without_packet, time, .. } = self.limits;
        if self.bytes_read() >= bytes {
            self.reach(LimitReached::Bytes(bytes));
        } else if self.bytes_without_packet.load(Ordering::Relaxed) >= bytes_without_packet {
            self.reach(LimitReached::BytesWithoutPacket(bytes_without_packet));
        } else if Instant::now() >= self.end {
            self.reach(LimitReached::Time(time));
        }
        self.reached().is_none() && !self.is_stopped()
    }

    /// The first limit that was reached is the reason.
    fn reach(&self, limit: LimitReached) -> LimitReached {
        *self.reached.lock().get_or_insert(limit)
    }

    /// Another file begins: what one of them lacks does not count against the next.
    fn begin_file(&self, bytes: u64) {
        self.file_bytes.store(bytes, Ordering::Relaxed);
        self.bytes_before.store(self.bytes_read(), Ordering::Relaxed);
        self.bytes_without_packet.store(0, Ordering::Relaxed);
        let mut reached = self.reached.lock();
        if matches!(*reached, Some(LimitReached::FileSize { .. } | LimitReached::BytesWithoutPacket(_))) {
            *reached = None;
        }
    }
}

/// A file that is read within a budget.
pub struct BoundedFile<'a> {
    file: File,
    bytes: u64,
    budget: &'a ReadBudget<'a>,
}

impl<'a> BoundedFile<'a> {
    /// `bytes` is the size of the file.
    pub fn new(file: File, bytes: u64, budget: &'a ReadBudget<'a>) -> BoundedFile<'a> {
        budget.begin_file(bytes);
        BoundedFile { file, bytes, budget }
    }
}

impl Read for BoundedFile<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        if !self.budget.check() {
            return Err(Error::other("enough of the file was read"));
        }
        let count = self.file.read(buffer)?;
        self.budget.bytes.fetch_add(count as u64, Ordering::Relaxed);
        self.budget.bytes_without_packet.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Seek for BoundedFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        self.file.seek(to)
    }
}

impl MediaSource for BoundedFile<'_> {
    fn is_seekable(&self) -> bool {
        true
    }

    fn byte_len(&self) -> Option<u64> {
        Some(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_for_people() {
        for (limit, text) in [
            (
                LimitReached::FileSize { bytes: 300 * GIGABYTE, most: 2 * GIGABYTE },
                "it has 300 GB, and at most 2 GB are read",
            ),
            (LimitReached::Bytes(2_560_000_000), "at most 2.5 GB are read"),
            (LimitReached::BytesWithoutPacket(32 * MEGABYTE), "there is no sound in 32 MB of it"),
            (LimitReached::Packets(4_000_000), "at most 4000000 packets of sound are read"),
            (LimitReached::Time(Duration::from_secs(10)), "10 s were not enough"),
        ] {
            assert_eq!(limit.to_string(), text);
        }
    }
}

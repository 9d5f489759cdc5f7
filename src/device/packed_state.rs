//! A state as it lies in a file: plain JSON, or the same compressed (`.svcset`). Which of the two a file is, its first
//! bytes say; which of the two is written, its name.

use super::json_meter::{JsonLimits, JsonMeter};
use super::state::{self, LoadedState};
use crate::set::edit::saved_set::LoadError;
use flate2::Compression;
use flate2::bufread::GzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::Path;

/// How the names of compressed states end.
pub const ENDING: &str = "svcset";

const GZIP: [u8; 2] = [0x1F, 0x8B];
const BUFFER: usize = 64 << 10;
/// Bytes that any file may have when it is inflated, and how many for each of its own beyond: Sets are deflated to a
/// tenth, of which the most regular are to a fiftieth.
const FREE_BYTES: u64 = 64 << 20;
const MOST_TIMES: u64 = 100;

/// Whether a state of that name is compressed.
pub fn is_packed_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING))
}

/// Whether a file of those first bytes is compressed.
pub fn is_packed(head: &[u8]) -> bool {
    head.starts_with(&GZIP)
}

/// Reads a state, compressed or not.
pub fn read(mut file: impl BufRead) -> Result<LoadedState, LoadError> {
    let head = file.fill_buf().map_err(|error| LoadError::Disk(error.to_string()))?;
    if !is_packed(head) {
        return state::read(file);
    }
    read_packed(file, JsonLimits::STATE)
}

fn read_packed(file: impl BufRead, limits: JsonLimits) -> Result<LoadedState, LoadError> {
    let packed = Packed { file, bytes: 0 };
    let mut inflated = Inflated { gzip: GzDecoder::new(packed), meter: JsonMeter::new(limits), bytes: 0, fault: None };
    let read = state::read(BufReader::with_capacity(BUFFER, &mut inflated));
    // What cannot be inflated is damaged, whatever the JSON in it came to; the disk itself did not fail.
    match inflated.fault {
        Some(fault) => Err(LoadError::Damaged(fault)),
        None => read,
    }
}

/// Writes what `fill` writes, compressed. The same is always written as the same bytes. What would not be read again is
/// refused.
pub fn write(to: &mut dyn Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write_within(to, JsonLimits::STATE, fill)
}

fn write_within(
    to: &mut dyn Write,
    limits: JsonLimits,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let gzip = GzEncoder::new(Written { to, bytes: 0 }, Compression::fast());
    let mut writer = BufWriter::with_capacity(BUFFER, Deflated { gzip, meter: JsonMeter::new(limits), bytes: 0 });
    fill(&mut writer)?;
    let deflated = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    let inflated = deflated.bytes;
    let packed = deflated.gzip.finish()?.bytes;
    match is_blown_up(inflated, packed) {
        Some(why) => Err(io::Error::other(format!("{why}, which is too much for a .{ENDING}; a .json has no limit"))),
        None => Ok(()),
    }
}

/// Deflates up to a limit.
struct Deflated<W: Write> {
    gzip: GzEncoder<W>,
    meter: JsonMeter,
    bytes: u64,
}

/// Counts what was written compressed.
struct Written<'a> {
    to: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Written<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.to.write(bytes)?;
        self.bytes = self.bytes.saturating_add(count as u64);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Why so many bytes cannot come out of so few.
fn is_blown_up(inflated: u64, packed: u64) -> Option<String> {
    let most = packed.saturating_mul(MOST_TIMES).saturating_add(FREE_BYTES);
    (inflated > most).then(|| format!("it is more than {MOST_TIMES} times its size when it is inflated"))
}

impl<W: Write> Write for Deflated<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.gzip.write(bytes)?;
        let written = bytes.get(..count).unwrap_or_default();
        self.bytes = self.bytes.saturating_add(count as u64);
        let too_much =
            |why| io::Error::other(format!("{why}, which is too much for a .{ENDING}; a .json has no limit"));
        self.meter.take(written).map_err(too_much)?;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.gzip.flush()
    }
}

/// Counts what was read of a compressed file.
struct Packed<R> {
    file: R,
    bytes: u64,
}

impl<R: BufRead> Read for Packed<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(out)?;
        self.bytes = self.bytes.saturating_add(count as u64);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Packed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.file.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.bytes = self.bytes.saturating_add(count as u64);
        self.file.consume(count);
    }
}

/// Inflates up to a limit, and keeps why it could not.
struct Inflated<R> {
    gzip: GzDecoder<Packed<R>>,
    meter: JsonMeter,
    bytes: u64,
    fault: Option<String>,
}

impl<R: BufRead> Read for Inflated<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.gzip.read(out);
        let fault = match &read {
            Ok(count) => {
                self.bytes = self.bytes.saturating_add(*count as u64);
                let fault = self.meter.take(out.get(..*count).unwrap_or_default()).err();
                fault.or_else(|| is_blown_up(self.bytes, self.gzip.get_ref().bytes))
            }
            Err(error) => match error.kind() {
                ErrorKind::UnexpectedEof => Some("it was cut off".to_owned()),
                ErrorKind::InvalidInput | ErrorKind::InvalidData => Some(format!("it cannot be inflated: {error}")),
                _ => None,
            },
        };
        match fault {
            Some(fault) => {
                self.fault = Some(fault.clone());
                Err(io::Error::other(fault))
            }
            None => read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::StateParts;
    use super::*;
    use crate::service::Settings;
    use crate::set::Document;

    fn packed(document: &Document) -> Vec<u8> {
        let settings = Settings { port: 4001, ..Settings::default() };
        let parts = StateParts { settings: &settings, document, id: "a", revision: 7, log: None };
        let mut bytes = Vec::new();
        write(&mut bytes, |to| parts.write(to)).unwrap();
        bytes
    }

    #[test]
    fn what_was_packed_is_read_as_it_was() {
        let document = Document::new_set();
        let bytes = packed(&document);
        let loaded = read(bytes.as_slice()).unwrap();
        assert_eq!((&loaded.document, loaded.settings.port), (&document, 4001));
        assert_eq!((loaded.id.as_str(), loaded.revision), ("a", 7));
        assert_eq!(packed(&loaded.document), bytes);
        let plain = state::save(&loaded.settings, &document, "a", 7);
        assert_eq!(read(plain.as_bytes()).unwrap(), loaded);
        assert!(bytes.len() * 2 < plain.len(), "{} of {}", bytes.len(), plain.len());
    }

    /// A few kilobytes that would be gigabytes are refused before they are; so is writing them.
    #[test]
    fn what_is_too_much_is_neither_read_nor_written() {
        let limits = JsonLimits { bytes: 1 << 20, values: 10_000, text_bytes: 1 << 10 };
        let fill = |to: &mut dyn Write, head: &str, piece: &str| {
            to.write_all(head.as_bytes())?;
            (0..200_000).try_for_each(|_| to.write_all(piece.as_bytes()))
        };
        for (head, piece, what) in [
            ("{\"format\":4,", "          ", "1048576 bytes"),
            ("{\"format\":4,\"settings\":[", "0,", "10000 values"),
            ("{\"format\":4,\"set\":{\"tracks\":[{\"stored\":{\"data\":[", "[],", "10000 values"),
            ("{\"format\":4,\"set\":{\"song\":{\"name\":\"", "nnnn", "a text of more than 1024 bytes"),
        ] {
            let mut bytes = Vec::new();
            // By the limits of a Set, which are far above.
            write(&mut bytes, |to| fill(to, head, piece)).unwrap();
            let error = read_packed(bytes.as_slice(), limits).unwrap_err();
            assert!(matches!(&error, LoadError::Damaged(why) if why.contains(what)), "{what}: {error}");
            let mut none = Vec::new();
            let refused = write_within(&mut none, limits, |to| fill(to, head, piece)).unwrap_err().to_string();
            assert!(refused.contains(what) && refused.contains("a .json has no limit"), "{refused}");
        }
    }

    #[test]
    fn what_is_damaged_is_said_wherever() {
        let bytes = packed(&Document::new_set());
        for length in 2..bytes.len() {
            let error = read(&bytes[..length]).unwrap_err();
            assert!(matches!(error, LoadError::Damaged(_)), "{length}: {error}");
        }
        for at in 10..bytes.len() {
            let mut spoilt = bytes.clone();
            spoilt[at] ^= 0x40;
            // A few bits between the blocks mean nothing.
            if let Ok(loaded) = read(spoilt.as_slice()) {
                assert_eq!(loaded.document, Document::new_set(), "at {at}");
            }
        }
    }
}

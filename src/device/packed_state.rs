//! A state as it lies in a file: plain JSON, or the same compressed (`.svcset`). Which of the two a file is, its first
//! bytes say; which of the two is written, its name.

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
/// Bytes of JSON that are taken out of a compressed state: far more than a Set with as many notes as there can be.
const MAX_INFLATED_BYTES: u64 = 2 << 30;

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
    let mut inflated = Inflated { gzip: GzDecoder::new(file), left: MAX_INFLATED_BYTES, fault: None };
    let read = state::read(BufReader::with_capacity(BUFFER, &mut inflated));
    // What cannot be inflated is damaged, whatever the JSON in it came to; the disk itself did not fail.
    match inflated.fault {
        Some(fault) => Err(LoadError::Damaged(fault)),
        None => read,
    }
}

/// Writes what `fill` writes, compressed. The same is always written as the same bytes.
pub fn write(to: &mut dyn Write, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(BUFFER, GzEncoder::new(to, Compression::fast()));
    fill(&mut writer)?;
    writer.into_inner().map_err(io::IntoInnerError::into_error)?.finish().map(drop)
}

/// Inflates up to a limit, and keeps why it could not.
struct Inflated<R> {
    gzip: GzDecoder<R>,
    left: u64,
    fault: Option<String>,
}

impl<R: BufRead> Read for Inflated<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.gzip.read(out);
        let fault = match &read {
            Ok(count) => {
                let count = *count as u64;
                let over = count > self.left;
                self.left = self.left.saturating_sub(count);
                over.then(|| format!("it holds more than {MAX_INFLATED_BYTES} bytes"))
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

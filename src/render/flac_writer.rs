//! Writes FLAC, and tells what did not reach the disk.

use flac_codec::encode::{FlacSampleWriter, Options};
use parking_lot::Mutex;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::sync::Arc;

/// See the [module](self).
pub struct FlacWriter {
    encoder: FlacSampleWriter<SharedFile>,
    file: SharedFile,
    block: Vec<i32>,
}

impl FlacWriter {
    /// Of two channels with 16 or 24 bits. Errors are clauses without the file's name.
    pub fn new(file: File, rate_hz: u32, bits: u16) -> Result<FlacWriter, String> {
        let file = SharedFile(Arc::new(Mutex::new(BufWriter::new(file))));
        // Its length is not known before its tail has faded; the seek table then goes where there is padding.
        let encoder = FlacSampleWriter::new(file.clone(), Options::default(), rate_hz, bits.into(), 2, None);
        Ok(FlacWriter { encoder: encoder.map_err(failed)?, file, block: Vec::new() })
    }

    /// Left, right, left, right: whole frames.
    pub fn write(&mut self, samples: impl Iterator<Item = i32>) -> Result<(), String> {
        self.block.clear();
        self.block.extend(samples);
        self.encoder.write(&self.block).map_err(failed)
    }

    /// Writes the last frame, and the beginning anew with length and checksum.
    pub fn close(self) -> Result<(), String> {
        self.encoder.finalize().map_err(failed)?;
        // The encoder drops what it writes to without a word.
        self.file.0.lock().flush().map_err(|why| why.to_string())
    }
}

fn failed(error: flac_codec::Error) -> String {
    error.to_string()
}

/// A file that the encoder and its owner have: the encoder keeps its own to itself.
#[derive(Clone)]
struct SharedFile(Arc<Mutex<BufWriter<File>>>);

impl Write for SharedFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.lock().flush()
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.0.lock().seek(to)
    }
}

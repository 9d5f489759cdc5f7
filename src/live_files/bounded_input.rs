//! The bytes of a file, inflated where they are packed, up to a limit: in all, and for each piece that the XML reader
//! keeps whole.

use super::error::ReadError;
use super::first_bytes::{Content, GZIP, content_of};
use super::limits::{MAX_PIECE_BYTES, MAX_XML_BYTES};
use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, BufReader, Read};

/// Bytes that are inflated at a time.
const CHUNK: usize = 64 << 10;

/// See the [module](self).
pub struct BoundedInput<'a> {
    inflated: Box<dyn BufRead + 'a>,
    left: u64,
    left_of_piece: u64,
    exceeded: Option<ReadError>,
}

/// The content of all members of a gzip file, one after the other. Bytes behind them that begin no member are left.
struct Inflated<R: BufRead> {
    /// `None` at the end.
    member: Option<GzDecoder<R>>,
}

impl<R: BufRead> Read for Inflated<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.member {
            let count = member.read(to)?;
            if count > 0 || to.is_empty() {
                return Ok(count);
            }
            let is_followed = member.get_mut().fill_buf()?.starts_with(GZIP);
            let rest = self.member.take().map(GzDecoder::into_inner);
            self.member = rest.filter(|_| is_followed).map(GzDecoder::new);
        }
        Ok(0)
    }
}

impl<'a> BoundedInput<'a> {
    /// Refuses what is neither gzip nor XML by what it is.
    pub fn new(file: impl Read + 'a) -> Result<BoundedInput<'a>, ReadError> {
        let mut file: Box<dyn BufRead + 'a> = Box::new(BufReader::with_capacity(CHUNK, file));
        let head = file.fill_buf().map_err(|error| ReadError::Disk(error.to_string()))?;
        let inflated: Box<dyn BufRead + 'a> = match content_of(head) {
            Content::Xml => file,
            Content::Packed => {
                let mut inflated = BufReader::with_capacity(CHUNK, Inflated { member: Some(GzDecoder::new(file)) });
                // What cannot be inflated is said where it is read.
                match inflated.fill_buf().map(content_of) {
                    Ok(Content::Other(what)) => return Err(ReadError::NotASet(format!("packed by gzip, {what}"))),
                    Ok(Content::Packed) => return Err(ReadError::NotASet("it is packed by gzip twice".to_owned())),
                    Ok(Content::Xml) | Err(_) => Box::new(inflated),
                }
            }
            Content::Other(what) => return Err(ReadError::NotASet(what)),
        };
        Ok(BoundedInput { inflated, left: MAX_XML_BYTES, left_of_piece: MAX_PIECE_BYTES, exceeded: None })
    }

    pub fn begin_piece(&mut self) {
        self.left_of_piece = MAX_PIECE_BYTES;
    }

    /// The limit that ended the reading.
    pub fn exceeded(&self) -> Option<&ReadError> {
        self.exceeded.as_ref()
    }
}

impl BufRead for BoundedInput<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let over = match (self.left, self.left_of_piece) {
            (0, _) => Some(("bytes of XML", MAX_XML_BYTES)),
            (_, 0) => Some(("bytes in one piece of XML", MAX_PIECE_BYTES)),
            _ => None,
        };
        if let Some((what, limit)) = over {
            self.exceeded = Some(ReadError::TooLarge { what, limit });
            return Err(io::Error::other(what));
        }
        let most = usize::try_from(self.left.min(self.left_of_piece)).unwrap_or(usize::MAX);
        let bytes = self.inflated.fill_buf()?;
        Ok(bytes.get(..most).unwrap_or(bytes))
    }

    fn consume(&mut self, count: usize) {
        self.inflated.consume(count);
        self.left = self.left.saturating_sub(count as u64);
        self.left_of_piece = self.left_of_piece.saturating_sub(count as u64);
    }
}

impl Read for BoundedInput<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

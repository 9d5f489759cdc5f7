//! Chooses the reader of an audio file by its first bytes, not by its name.

use super::aiff;
use super::flac::FlacReader;
use super::flac_frame::AnyFrameHead;
use super::foreign;
use super::id3::id3_bytes;
use super::mpeg::MpegReader;
use super::ogg::OggReader;
use super::pcm::PcmReader;
use super::probe_error::ProbeError;
use super::riff;
use super::sound::{SoundReader, StatedTempo};
use super::source::Source;
use super::wave64;

/// Tags at the front of a file, of a program that puts them before whatever there is.
const MOST_TAGS: usize = 16;

/// Bytes of anything that a FLAC is looked for behind.
const MOST_JUNK: usize = 64 * 1024;

/// Steps to a FLAC behind other bytes; `false` where there is none.
fn junk_before_flac(source: &mut Source<'_>) -> Result<bool, ProbeError> {
    let bytes = source.peek(MOST_JUNK)?;
    // Its first block is the head of the stream, of 34 bytes.
    let is_head = |at: &usize| matches!(bytes.get(at + 4..at + 8), Some([0 | 0x80, 0, 0, 34]));
    let found = memchr::memmem::find_iter(bytes, b"fLaC").find(is_head);
    source.skip(found.unwrap_or(0) as u64);
    Ok(found.is_some())
}

/// The reader of a file, and the tempo that its chunks state.
pub fn open(mut source: Source<'_>) -> Result<(Box<dyn SoundReader + '_>, StatedTempo), ProbeError> {
    for _ in 0..MOST_TAGS {
        match id3_bytes(source.peek(10)?) {
            Some(bytes) => source.skip(bytes),
            None => break,
        }
    }
    let head = source.peek(16)?.to_vec();
    let (sound, tempo) = match head.as_slice() {
        [b'R', b'I', b'F', b'F' | b'X', _, _, _, _, b'W', b'A', b'V', b'E', ..] => riff::find_sound(&mut source)?,
        [b'R', b'F', b'6', b'4', _, _, _, _, b'W', b'A', b'V', b'E', ..]
        | [b'B', b'W', b'6', b'4', _, _, _, _, b'W', b'A', b'V', b'E', ..] => riff::find_sound(&mut source)?,
        [b'F', b'O', b'R', b'M', _, _, _, _, b'A', b'I', b'F', b'F' | b'C', ..] => aiff::find_sound(&mut source)?,
        head if wave64::is_head(head) => (wave64::find_sound(&mut source)?, StatedTempo::Missing),
        [b'f', b'L', b'a', b'C', ..] => return Ok((Box::new(FlacReader::open(source)?), StatedTempo::Missing)),
        [b'O', b'g', b'g', b'S', ..] => return Ok((Box::new(OggReader::open(source)?), StatedTempo::Missing)),
        [0xFF, 0xF8 | 0xF9, ..] if AnyFrameHead::read(&head).is_some() => {
            return Ok((Box::new(FlacReader::open_headless(source)?), StatedTempo::Missing));
        }
        // Other formats hold FLAC too, and so may what follows an MP3.
        head if !is_of_another_kind(head) && junk_before_flac(&mut source)? => {
            return Ok((Box::new(FlacReader::open(source)?), StatedTempo::Missing));
        }
        head => match foreign::name_of(head) {
            Some(name) => return Err(ProbeError::Packed(name.into())),
            None => return Ok((Box::new(MpegReader::open(source)?), StatedTempo::Missing)),
        },
    };
    Ok((Box::new(PcmReader::new(source, sound)), tempo))
}

/// Whether a file that begins so is no FLAC behind junk: a kind that is known by name, or MPEG audio.
fn is_of_another_kind(head: &[u8]) -> bool {
    foreign::name_of(head).is_some() || matches!(head, [0xFF, second, ..] if second & 0xE0 == 0xE0)
}

//! What every reader of sound does, and which one reads a file: its first bytes say so, not its name.

use super::aiff;
use super::audio::ProbeError;
use super::decode::SampleFormat;
use super::flac::FlacReader;
use super::foreign;
use super::mpeg::MpegReader;
use super::ogg::OggReader;
use super::pcm::PcmReader;
use super::riff;
use super::source::Source;
use super::wave64;

/// Sound that is read from front to back.
pub trait SoundReader {
    fn format(&self) -> SampleFormat;

    /// The frames that reading all of it gives, where the head says so for certain.
    fn known_frames(&mut self) -> Result<Option<u64>, ProbeError>;

    /// Adds the next frames to `out`, interleaved, and gives their number; 0 at the end.
    fn read(&mut self, out: &mut Vec<f32>) -> Result<u64, ProbeError>;

    /// Gives the number of frames that [`SoundReader::read`] would, and passes them over.
    fn skim(&mut self) -> Result<u64, ProbeError>;
}

/// Tags at the front of a file, of a program that puts them before whatever there is.
const MOST_TAGS: usize = 16;

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
        head => match foreign::name_of(head) {
            Some(name) => return Err(ProbeError::Packed(name.into())),
            None => return Ok((Box::new(MpegReader::open(source)?), StatedTempo::Missing)),
        },
    };
    Ok((Box::new(PcmReader::new(source, sound)), tempo))
}

/// The tempo that a file's chunks state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StatedTempo {
    Missing,
    OneShot,
    Bpm(f64),
    /// So many beats in all of it.
    Beats(u32),
}

/// The length of an ID3v2 tag that begins so.
pub fn id3_bytes(head: &[u8]) -> Option<u64> {
    match head {
        [b'I', b'D', b'3', major, minor, flags, a, b, c, d, ..] if *major < 0xFF && *minor < 0xFF => {
            let size = [a, b, c, d]
                .into_iter()
                .try_fold(0u64, |size, byte| (*byte < 0x80).then(|| size << 7 | u64::from(*byte)))?;
            let footer = if flags & 0x10 == 0 { 0 } else { 10 };
            Some(10 + size + footer)
        }
        _ => None,
    }
}

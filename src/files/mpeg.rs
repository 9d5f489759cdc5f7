//! MPEG audio (MP3, and layers 1 and 2): frame behind frame, with no head that has to be there. Its length is that of
//! all frames, without what the encoder says that it added.

use super::id3::id3_bytes;
use super::mpeg_frame::{FrameHead, HEAD_BYTES, MOST_BYTES, Trim, read_info};
use super::packets::{Decoder, keep};
use super::probe_error::ProbeError;
use super::sound::SampleFormat;
use super::sound::SoundReader;
use super::source::Source;
use symphonia::core::codecs::audio::AudioCodecParameters;
use symphonia::core::codecs::audio::well_known::{CODEC_ID_MP1, CODEC_ID_MP2, CODEC_ID_MP3};

/// Bytes in front of the first frame, beside tags.
const MOST_BYTES_BEFORE: u64 = 1 << 20;
/// Frames that have to follow each other where nothing else says that they are frames.
const CERTAIN_FRAMES: usize = 3;
/// Silence in the place of one damaged part, in seconds; more is not sound that was lost but another thing in the file.
const MOST_LOST_SECONDS: u64 = 60;

/// See the [module](self).
pub struct MpegReader<'a> {
    source: Source<'a>,
    first: FrameHead,
    trim: Trim,
    /// Frames of samples so far, what is trimmed included.
    position: u64,
    /// The frame before this one.
    before: Option<FrameHead>,
    decoder: Option<(Decoder, u16)>,
    frame: Vec<u8>,
}

/// What comes next.
enum Next {
    /// It is in `frame`.
    Frame(FrameHead),
    /// So many frames of samples are damaged.
    Lost(u64),
}

impl<'a> MpegReader<'a> {
    /// Opens what the source stands at.
    pub fn open(mut source: Source<'a>) -> Result<MpegReader<'a>, ProbeError> {
        let found = find_frame(&mut source, None, MOST_BYTES_BEFORE)?;
        let first = found.ok_or(ProbeError::NotAudio)?;
        let info = read_info(&first, source.peek(first.bytes)?);
        if info.is_some() {
            source.skip(first.bytes as u64);
        }
        let trim = info.unwrap_or_default();
        let mut reader =
            MpegReader { source, first, trim, position: 0, before: None, decoder: None, frame: Vec::new() };
        reader.check_layer()?;
        Ok(reader)
    }

    /// Layers 1 and 2 have bit rates that not every decoder takes with every number of channels.
    fn check_layer(&mut self) -> Result<(), ProbeError> {
        let FrameHead { layer, bytes, .. } = self.first;
        let frame = self.source.peek(bytes)?;
        if layer < 3 && frame.len() == bytes && !decoder_of(layer)?.decodes(frame) {
            return Err(ProbeError::Packed(
                format!("MPEG audio of layer {layer} at a bit rate that it has not").into(),
            ));
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Next>, ProbeError> {
        let mut passed = 0;
        loop {
            let head = FrameHead::read(self.source.peek(HEAD_BYTES)?).filter(|head| head.fits(&self.first));
            if let Some(head) = head {
                let lost = self.lost_frames(passed, &head);
                if lost > 0 {
                    return Ok(Some(Next::Lost(lost)));
                }
                let bytes = self.source.peek(head.bytes)?;
                self.frame.clear();
                self.frame.extend_from_slice(bytes);
                // The last frame of a file that was cut off lasts as long as the others.
                self.frame.resize(head.bytes, 0);
                self.source.skip(head.bytes as u64);
                self.before = Some(head);
                return Ok(Some(Next::Frame(head)));
            }
            if self.source.left() < HEAD_BYTES as u64 {
                return Ok(None);
            }
            if let Some(tag) = tag_bytes(self.source.peek(128)?) {
                self.source.skip(tag);
                continue;
            }
            let from = self.source.position();
            let Some(next) = find_frame(&mut self.source, Some(&self.first), u64::MAX)? else { return Ok(None) };
            if !next.fits(&self.first) {
                return Err(ProbeError::Changes);
            }
            passed = self.source.position() - from;
        }
    }

    /// Frames of samples that were in so many bytes, by the length of the frame before or behind them.
    fn lost_frames(&self, bytes: u64, next: &FrameHead) -> u64 {
        let like = self.before.unwrap_or(*next);
        let count = (bytes + like.bytes as u64 / 2) / (like.bytes as u64).max(1);
        let frames = count.saturating_mul(like.frames.into());
        if self.before.is_none() || frames > MOST_LOST_SECONDS * u64::from(like.sample_rate_hz) { 0 } else { frames }
    }

    /// Decodes `frame` to the channels that the first one has.
    fn decode(&mut self, head: &FrameHead, out: &mut Vec<f32>) -> Result<(), ProbeError> {
        if self.decoder.as_ref().is_none_or(|(_, channels)| *channels != head.channels) {
            self.decoder = Some((decoder_of(head.layer)?, head.channels));
        }
        let Some((decoder, _)) = &mut self.decoder else { return Ok(()) };
        let samples = decoder.decode(&self.frame, head.frames, head.channels);
        match (head.channels, self.first.channels) {
            (2, 1) => out.extend(samples.as_chunks::<2>().0.iter().map(|[left, right]| (left + right) / 2.0)),
            (1, 2) => out.extend(samples.iter().flat_map(|sample| [*sample, *sample])),
            _ => out.extend_from_slice(samples),
        }
        Ok(())
    }
}

impl SoundReader for MpegReader<'_> {
    fn format(&self) -> SampleFormat {
        SampleFormat { sample_rate_hz: self.first.sample_rate_hz, channels: self.first.channels }
    }

    fn known_frames(&mut self) -> Result<Option<u64>, ProbeError> {
        Ok(None)
    }

    fn read(&mut self, out: &mut Vec<f32>) -> Result<u64, ProbeError> {
        let channels = usize::from(self.first.channels);
        while let Some(next) = self.next()? {
            let from = out.len();
            let frames = match next {
                Next::Frame(head) => {
                    self.decode(&head, out)?;
                    u64::from(head.frames)
                }
                Next::Lost(frames) => {
                    out.resize(from + frames as usize * channels, 0.0);
                    frames
                }
            };
            let kept = keep(out, from, channels, self.position, &self.trim);
            self.position += frames;
            if kept > 0 {
                return Ok(kept);
            }
        }
        Ok(0)
    }

    fn skim(&mut self) -> Result<u64, ProbeError> {
        while let Some(next) = self.next()? {
            let frames = match next {
                Next::Frame(head) => u64::from(head.frames),
                Next::Lost(frames) => frames,
            };
            let kept = self.trim.kept(self.position, frames).map(|part| part.end - part.start).iter().sum();
            self.position += frames;
            if kept > 0 {
                return Ok(kept);
            }
        }
        Ok(0)
    }
}

fn decoder_of(layer: u8) -> Result<Decoder, ProbeError> {
    let mut params = AudioCodecParameters::new();
    params.for_codec(match layer {
        1 => CODEC_ID_MP1,
        2 => CODEC_ID_MP2,
        _ => CODEC_ID_MP3,
    });
    Decoder::new(&params)
}

/// Steps to the next frame within `most` bytes: one that fits `like` and has another behind it, or several of any kind.
fn find_frame(source: &mut Source, like: Option<&FrameHead>, most: u64) -> Result<Option<FrameHead>, ProbeError> {
    let end = source.position().saturating_add(most);
    while source.position() < end {
        let piece = source.peek(8_192)?;
        if piece.len() < HEAD_BYTES {
            return Ok(None);
        }
        let last = piece.len() - (HEAD_BYTES - 1);
        let candidate = memchr::memchr_iter(0xFF, piece.get(..last).unwrap_or_default()).find_map(|at| {
            let head = FrameHead::read(piece.get(at..)?)?;
            Some((at, head))
        });
        let Some((at, head)) = candidate else {
            source.skip(last as u64);
            continue;
        };
        source.skip(at as u64);
        let fits = like.is_some_and(|like| like.fits(&head));
        let enough = if fits { 2 } else { CERTAIN_FRAMES };
        if is_chain(source, 0, enough, Some(&head))? {
            return Ok(Some(head));
        }
        source.skip(1);
    }
    Ok(None)
}

/// Whether so many frames of one kind follow each other from `at` on, or as many as there are up to the end.
fn is_chain(source: &mut Source, at: usize, count: usize, like: Option<&FrameHead>) -> Result<bool, ProbeError> {
    let left = source.left();
    let here = source.peek(at + 128)?.get(at..).unwrap_or_default();
    if at > 0 && (left == at as u64 || tag_bytes(here).is_some()) {
        return Ok(true);
    }
    // The last frame was cut off.
    if left < at as u64 {
        return Ok(count == 1);
    }
    let Some(head) = FrameHead::read(here).filter(|head| like.is_none_or(|like| like.fits(head))) else {
        return Ok(false);
    };
    match count {
        1 => Ok(true),
        // Not deep: frames are short, and few are asked for.
        _ if at > MOST_BYTES * CERTAIN_FRAMES => Ok(false),
        _ => is_chain(source, at + head.bytes, count - 1, Some(&head)),
    }
}

/// The length of a tag that begins so: ID3v1, ID3v2 or APE.
fn tag_bytes(head: &[u8]) -> Option<u64> {
    match head {
        [b'T', b'A', b'G', ..] if head.len() >= 128 => Some(128),
        [b'A', b'P', b'E', b'T', b'A', b'G', b'E', b'X', _, _, _, _, size @ ..] => {
            size.first_chunk::<4>().map(|size| 32 + u64::from(u32::from_le_bytes(*size)))
        }
        head => id3_bytes(head),
    }
}

//! FLAC: frame behind frame, each with its place in the stream, so that what is damaged keeps its time.

use super::flac_frame::{AnyFrameHead, FrameHead, MOST_HEAD_BYTES, StreamInfo, is_whole};
use super::packets::Decoder;
use super::probe_error::ProbeError;
use super::sound::SampleFormat;
use super::sound::SoundReader;
use super::source::Source;
use symphonia::core::codecs::audio::AudioCodecParameters;
use symphonia::core::codecs::audio::well_known::CODEC_ID_FLAC;

/// Silence in the place of one damaged part, in seconds.
const MOST_LOST_SECONDS: u64 = 600;
/// What is looked through for the last frame where no frame's length is told.
const LAST_BYTES: u64 = 64 * 1024;

/// See the [module](self).
pub struct FlacReader<'a> {
    source: Source<'a>,
    info: StreamInfo,
    decoder: Decoder,
    /// The place of the first frame of samples in the stream.
    first: u64,
    /// The frame that the source stands at.
    head: Option<FrameHead>,
    /// Frames of samples that are missing before it.
    lost: u64,
    frame: Vec<u8>,
}

/// The decoder of a stream with that head. It takes blocks of any length, whatever the head says of them.
pub fn decoder_of(info: &StreamInfo) -> Result<Decoder, ProbeError> {
    let mut bytes = info.bytes;
    bytes[..4].copy_from_slice(&[0, 16, 0xFF, 0xFF]);
    let mut params = AudioCodecParameters::new();
    params.for_codec(CODEC_ID_FLAC).with_extra_data(Box::from(bytes));
    Decoder::new(&params)
}

impl<'a> FlacReader<'a> {
    /// Opens what the source stands at.
    pub fn open(mut source: Source<'a>) -> Result<FlacReader<'a>, ProbeError> {
        source.skip(4);
        let mut info = None;
        while let Some([kind, a, b, c]) = source.peek_array::<4>()? {
            source.skip(4);
            if kind & 0x7F == 0 && info.is_none() {
                info = StreamInfo::read(source.peek(34)?);
            }
            source.skip(u32::from_be_bytes([0, a, b, c]).into());
            if kind & 0x80 != 0 {
                break;
            }
        }
        let mut info = info.ok_or(ProbeError::NotAudio)?;
        // The frames are right where the head of the stream names another format.
        if let Some(first) = AnyFrameHead::read(source.peek(MOST_HEAD_BYTES)?) {
            info = info.with_format_of(&first);
        }
        FlacReader::of_frames(source, info)
    }

    /// Opens a stream without a head; the source stands at its first frame.
    pub fn open_headless(mut source: Source<'a>) -> Result<FlacReader<'a>, ProbeError> {
        let first = AnyFrameHead::read(source.peek(MOST_HEAD_BYTES)?);
        let info = first.and_then(|first| StreamInfo::of_frame(&first)).ok_or(ProbeError::NotAudio)?;
        FlacReader::of_frames(source, info)
    }

    fn of_frames(source: Source<'a>, info: StreamInfo) -> Result<FlacReader<'a>, ProbeError> {
        if !info.is_decoded() {
            return Err(ProbeError::Packed("FLAC of 32 bits in stereo".into()));
        }
        let decoder = decoder_of(&info)?;
        let mut reader = FlacReader { source, info, decoder, first: 0, head: None, lost: 0, frame: Vec::new() };
        let from = reader.source.position();
        reader.head = reader.find_head()?;
        reader.first = reader.head.map_or(0, |head| head.start);
        // What stands before the first whole frame was one.
        let far = MOST_LOST_SECONDS * u64::from(reader.info.sample_rate_hz);
        if reader.source.position() > from && reader.first <= far {
            reader.lost = std::mem::take(&mut reader.first);
        }
        Ok(reader)
    }

    /// Steps to the next head.
    fn find_head(&mut self) -> Result<Option<FrameHead>, ProbeError> {
        loop {
            let piece = self.source.peek(8_192)?;
            for at in memchr::memchr_iter(0xFF, piece) {
                if let Some(head) = FrameHead::read(piece.get(at..).unwrap_or_default(), &self.info) {
                    self.source.skip(at as u64);
                    return Ok(Some(head));
                }
            }
            let passed = piece.len();
            if passed <= MOST_HEAD_BYTES {
                return Ok(None);
            }
            self.source.skip((passed - MOST_HEAD_BYTES) as u64);
        }
    }

    /// Puts the frame that the source stands at into `frame` and steps to the next one. `false`: it is damaged. `None`:
    /// it was cut off, or there is none.
    fn next(&mut self) -> Result<Option<(FrameHead, bool)>, ProbeError> {
        let Some(head) = self.head else { return Ok(None) };
        let most = self.info.most_bytes(head.frames).max(self.info.longest);
        let (mut looked, mut next, mut changes) = (MOST_HEAD_BYTES / 2, None, false);
        let far = head.end().saturating_add(MOST_LOST_SECONDS * u64::from(self.info.sample_rate_hz));
        let total = if self.info.total == 0 { u64::MAX } else { self.info.total };
        let is_in_time = |found: &FrameHead| found.start > head.end() && found.start <= far.min(total);
        while next.is_none() && looked < most {
            let want = (looked + 4_096).min(most) + MOST_HEAD_BYTES;
            let bytes = self.source.peek(want)?;
            let is_end = bytes.len() < want;
            let end = if is_end { bytes.len() } else { want - MOST_HEAD_BYTES };
            next = memchr::memchr_iter(0xFF, bytes.get(looked..end).unwrap_or_default()).find_map(|at| {
                let at = looked + at;
                let any = AnyFrameHead::read(bytes.get(at..)?)?;
                let Some(found) = any.within(&self.info) else {
                    changes |= any.start(&self.info) == head.end() && is_whole(bytes.get(..at)?);
                    return None;
                };
                let follows = found.start == head.end() || is_whole(bytes.get(..at)?) || is_in_time(&found);
                follows.then_some((at, found))
            });
            looked = end;
            if changes {
                return Err(ProbeError::Changes);
            }
            if is_end {
                break;
            }
        }
        let length = next.map_or(looked, |(at, _)| at);
        self.frame.clear();
        self.frame.extend_from_slice(self.source.peek(length)?);
        let (is_sound, next) = match next {
            Some((at, found)) => {
                self.source.skip(at as u64);
                let is_next = found.start == head.end();
                (!is_next || is_whole(&self.frame), Some(found))
            }
            // Behind the last frame may be tags, or something else.
            None => {
                let is_sound = self.decoder.decodes(&self.frame);
                self.source.skip(1);
                let next = self.find_head()?.filter(|found| found.start == head.end() || is_in_time(found));
                if !is_sound && next.is_none() {
                    self.head = None;
                    return Ok(None);
                }
                (is_sound, next)
            }
        };
        let gap = next.map_or(0, |found| found.start.saturating_sub(head.end()));
        self.lost = gap.min(MOST_LOST_SECONDS * u64::from(self.info.sample_rate_hz));
        self.head = next;
        Ok(Some((head, is_sound)))
    }

    /// Whether the file ends with the frame that the head of the stream says is the last one.
    fn ends_as_stated(&mut self) -> Result<bool, ProbeError> {
        let most = (self.info.longest as u64).max(LAST_BYTES) + LAST_BYTES;
        let from = self.source.bytes().saturating_sub(most).max(self.source.position());
        self.source.seek(from);
        let bytes = self.source.peek(usize::try_from(most).unwrap_or(usize::MAX))?;
        let last = memchr::memchr_iter(0xFF, bytes).find_map(|at| {
            let rest = bytes.get(at..)?;
            FrameHead::read(rest, &self.info).filter(|head| head.end() == self.info.total).map(|_| rest)
        });
        Ok(last.is_some_and(|last| self.decoder.decodes(last)))
    }
}

impl SoundReader for FlacReader<'_> {
    fn format(&self) -> SampleFormat {
        SampleFormat { sample_rate_hz: self.info.sample_rate_hz, channels: self.info.channels }
    }

    fn known_frames(&mut self) -> Result<Option<u64>, ProbeError> {
        let from = self.source.position();
        let is_known = self.info.total > self.first && self.ends_as_stated()?;
        self.source.seek(from);
        Ok(is_known.then(|| self.info.total - self.first))
    }

    fn read(&mut self, out: &mut Vec<f32>) -> Result<u64, ProbeError> {
        let lost = std::mem::take(&mut self.lost);
        if lost > 0 {
            // In pieces, so that memory stays small.
            let piece = lost.min(65_536);
            self.lost = lost - piece;
            out.resize(out.len() + piece as usize * usize::from(self.info.channels), 0.0);
            return Ok(piece);
        }
        let Some((head, is_sound)) = self.next()? else { return Ok(0) };
        let packet = if is_sound { self.frame.as_slice() } else { &[] };
        out.extend_from_slice(self.decoder.decode(packet, head.frames, self.info.channels));
        Ok(head.frames.into())
    }

    fn skim(&mut self) -> Result<u64, ProbeError> {
        let lost = std::mem::take(&mut self.lost);
        if lost > 0 {
            return Ok(lost);
        }
        Ok(self.next()?.map_or(0, |(head, _)| head.frames.into()))
    }
}

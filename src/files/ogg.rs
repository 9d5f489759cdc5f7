//! Ogg, with Vorbis or FLAC in it. Pages tell the time, so that what is missing keeps it.

use super::flac::decoder_of;
use super::flac_frame::{FrameHead, StreamInfo};
use super::ogg_page::{Packets, Page, next_page};
use super::packets::Decoder;
use super::probe_error::ProbeError;
use super::sound::SampleFormat;
use super::sound::SoundReader;
use super::source::Source;
use super::vorbis::VorbisBlocks;
use std::collections::VecDeque;
use symphonia::core::codecs::audio::AudioCodecParameters;
use symphonia::core::codecs::audio::well_known::CODEC_ID_VORBIS;

/// Silence in the place of pages that are missing, in seconds.
const MOST_LOST_SECONDS: u64 = 600;

/// See the [module](self).
pub struct OggReader<'a> {
    source: Source<'a>,
    stream: Stream,
    next: VecDeque<Next>,
}

/// One of the streams of a file, the first that is sound.
struct Stream {
    number: u32,
    codec: Codec,
    packets: Packets,
    decoder: Option<Decoder>,
    /// The first head, which the decoder of Vorbis wants together with the last.
    ident: Vec<u8>,
    /// The codec's time; `None` before the first page with sound.
    time: Option<i64>,
    /// The length of the block before.
    block: Option<u32>,
}

enum Codec {
    Vorbis(VorbisBlocks),
    Flac(StreamInfo),
}

enum Next {
    /// So many frames that are missing.
    Silence(u64),
    /// A packet, the frames that it decodes to, and which of them are sound.
    Packet { bytes: Vec<u8>, frames: u32, skip: u32, keep: u32 },
}

impl Codec {
    fn format(&self) -> SampleFormat {
        let (sample_rate_hz, channels) = match self {
            Codec::Vorbis(blocks) => (blocks.sample_rate_hz, blocks.channels),
            Codec::Flac(info) => (info.sample_rate_hz, info.channels),
        };
        SampleFormat { sample_rate_hz, channels }
    }
}

/// The codec that a first packet begins; the name of one that is not read here.
fn codec_of(packet: &[u8]) -> Result<Option<Codec>, &'static str> {
    match packet {
        [1, b'v', b'o', b'r', b'b', b'i', b's', ..] => Ok(VorbisBlocks::read(packet).map(Codec::Vorbis)),
        [0x7F, b'F', b'L', b'A', b'C', ..] => Ok(packet.get(17..).and_then(StreamInfo::read).map(Codec::Flac)),
        packet if packet.starts_with(b"OpusHead") => Err("Opus in an Ogg"),
        packet if packet.starts_with(b"Speex") => Err("Speex in an Ogg"),
        packet if packet.starts_with(b"PCM     ") => Err("an Ogg of samples that are not packed"),
        packet if packet.starts_with(b"CELT") => Err("CELT in an Ogg"),
        _ => Ok(None),
    }
}

impl<'a> OggReader<'a> {
    /// Opens what the source stands at.
    pub fn open(mut source: Source<'a>) -> Result<OggReader<'a>, ProbeError> {
        let first = next_page(&mut source)?.ok_or(ProbeError::NotAudio)?;
        let (stream, next) = Stream::begin(&mut source, first)?;
        Ok(OggReader { source, stream, next })
    }

    fn next(&mut self) -> Result<Option<Next>, ProbeError> {
        while self.next.is_empty() {
            let Some(page) = next_page(&mut self.source)? else { return Ok(None) };
            if page.is_first {
                // Streams may follow each other in one file.
                let format = self.stream.codec.format();
                (self.stream, self.next) = Stream::begin(&mut self.source, page)?;
                if self.stream.codec.format() != format {
                    return Err(ProbeError::Changes);
                }
            } else {
                self.next = self.stream.take(&page);
            }
        }
        Ok(self.next.pop_front())
    }
}

impl Stream {
    /// Reads the heads of the streams that begin with `page`; gives the first that is sound, and what comes next of it.
    fn begin(source: &mut Source, page: Page) -> Result<(Stream, VecDeque<Next>), ProbeError> {
        let (mut page, mut begun, mut foreign) = (page, None, None);
        while page.is_first {
            let mut packets = Packets::default();
            let first = packets.of(&page).0.into_iter().next().unwrap_or_default();
            match codec_of(&first) {
                Ok(Some(codec)) if begun.is_none() => {
                    let number = page.stream;
                    begun =
                        Some(Stream { number, codec, packets, decoder: None, ident: first, time: None, block: None });
                }
                Ok(_) => {}
                Err(name) => foreign = foreign.or(Some(name)),
            }
            match next_page(source)? {
                Some(next) => page = next,
                None => break,
            }
        }
        let refusal = || foreign.map_or(ProbeError::NotAudio, |name| ProbeError::Packed(name.into()));
        let mut stream = begun.ok_or_else(refusal)?;
        loop {
            let next = stream.take(&page);
            if stream.decoder.is_some() {
                return Ok((stream, next));
            }
            page = next_page(source)?.ok_or(ProbeError::NotAudio)?;
        }
    }

    /// What a page adds.
    fn take(&mut self, page: &Page) -> VecDeque<Next> {
        if page.stream != self.number {
            return VecDeque::new();
        }
        let (packets, follows) = self.packets.of(page);
        if !follows {
            self.block = None;
            if let Some(decoder) = &mut self.decoder {
                decoder.reset();
            }
        }
        let mut sound = VecDeque::new();
        for mut bytes in packets {
            if let Some(frames) = self.frames_of(&bytes) {
                if !page.is_whole {
                    bytes.clear();
                }
                sound.push_back(Next::Packet { bytes, frames, skip: 0, keep: frames });
            }
        }
        if !sound.is_empty() {
            self.set_time(page, follows, &mut sound);
        }
        sound
    }

    /// Frames that a packet decodes to; `None` of a head.
    fn frames_of(&mut self, packet: &[u8]) -> Option<u32> {
        match &mut self.codec {
            Codec::Vorbis(blocks) => {
                if packet.starts_with(b"\x05vorbis") && self.decoder.is_none() && blocks.read_modes(packet).is_some() {
                    let mut params = AudioCodecParameters::new();
                    let heads = [self.ident.as_slice(), packet].concat();
                    params.for_codec(CODEC_ID_VORBIS).with_extra_data(heads.into_boxed_slice());
                    self.decoder = Decoder::new(&params).ok();
                }
                let block = blocks.block(packet).filter(|_| self.decoder.is_some())?;
                // Each block sounds from the middle of the one before to its own.
                Some(self.block.replace(block).map_or(0, |before| (before + block) / 4))
            }
            Codec::Flac(info) => {
                if self.decoder.is_none() {
                    self.decoder = decoder_of(info).ok();
                }
                FrameHead::read(packet, info).map(|head| head.frames)
            }
        }
    }

    /// Puts the packets of a page where its time says that they end.
    fn set_time(&mut self, page: &Page, follows: bool, sound: &mut VecDeque<Next>) {
        let frames = |next: &Next| match next {
            Next::Packet { frames, .. } => i64::from(*frames),
            Next::Silence(_) => 0,
        };
        let all: i64 = sound.iter().map(frames).sum();
        let Some(stated) = Some(page.time).filter(|time| *time >= 0) else {
            self.time = self.time.map(|time| time.saturating_add(all));
            return;
        };
        let begin = match self.time {
            Some(time) => time,
            // The only page may end early, another first one may begin late: what comes before 0 is no sound.
            None if page.is_last => 0,
            None => stated.saturating_sub(all),
        };
        if begin < 0 && self.time.is_none() {
            cut(sound.iter_mut(), begin.unsigned_abs(), |skip, keep, less| {
                *skip += less;
                *keep -= less;
            });
        }
        let end = begin.saturating_add(all);
        if page.is_last && stated < end {
            cut(sound.iter_mut().rev(), end.abs_diff(stated), |_, keep, less| *keep -= less);
        }
        if (!follows || !page.is_whole) && self.time.is_some() && stated > end {
            let most = MOST_LOST_SECONDS * u64::from(self.codec.format().sample_rate_hz);
            sound.push_front(Next::Silence(stated.abs_diff(end).min(most)));
        }
        self.time = Some(stated);
    }
}

/// Takes so many frames away from packets, from the first on.
fn cut<'a>(packets: impl Iterator<Item = &'a mut Next>, frames: u64, mut take: impl FnMut(&mut u32, &mut u32, u32)) {
    let mut left = frames;
    for packet in packets {
        if let Next::Packet { skip, keep, .. } = packet {
            let less = u32::try_from(left).unwrap_or(u32::MAX).min(*keep);
            take(skip, keep, less);
            left -= u64::from(less);
        }
    }
}

impl SoundReader for OggReader<'_> {
    fn format(&self) -> SampleFormat {
        self.stream.codec.format()
    }

    fn known_frames(&mut self) -> Result<Option<u64>, ProbeError> {
        Ok(None)
    }

    fn read(&mut self, out: &mut Vec<f32>) -> Result<u64, ProbeError> {
        let channels = self.format().channels;
        while let Some(next) = self.next()? {
            let kept = match next {
                Next::Silence(frames) => {
                    // In pieces, so that memory stays small.
                    let piece = frames.min(65_536);
                    if frames > piece {
                        self.next.push_front(Next::Silence(frames - piece));
                    }
                    out.resize(out.len() + piece as usize * usize::from(channels), 0.0);
                    piece
                }
                Next::Packet { bytes, frames, skip, keep } => {
                    let Some(decoder) = &mut self.stream.decoder else { return Ok(0) };
                    let samples = decoder.decode(&bytes, frames, channels);
                    let place = |frame: u32| frame as usize * usize::from(channels);
                    out.extend_from_slice(samples.get(place(skip)..place(skip + keep)).unwrap_or_default());
                    keep.into()
                }
            };
            if kept > 0 {
                return Ok(kept);
            }
        }
        Ok(0)
    }

    fn skim(&mut self) -> Result<u64, ProbeError> {
        while let Some(next) = self.next()? {
            let kept = match next {
                Next::Silence(frames) => frames,
                Next::Packet { keep, .. } => keep.into(),
            };
            if kept > 0 {
                return Ok(kept);
            }
        }
        Ok(0)
    }
}

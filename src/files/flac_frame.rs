//! FLAC's heads: of the stream, and of each frame.

/// What the head of the stream says.
#[derive(Clone, Debug)]
pub struct StreamInfo {
    /// All of it, as the decoder wants it.
    pub bytes: [u8; 34],
    pub sample_rate_hz: u32,
    pub channels: u16,
    bits: u8,
    /// Frames of samples in a block of a stream whose blocks are of one length; 0: they are of many, and each frame
    /// counts samples, as encoders of before 2007 mark it here alone.
    block: u64,
    /// Bytes of the longest frame; 0: it is not told.
    pub longest: usize,
    /// Frames of samples in all; 0: it is not told.
    pub total: u64,
}

impl StreamInfo {
    pub fn read(bytes: &[u8]) -> Option<StreamInfo> {
        let bytes: [u8; 34] = *bytes.first_chunk()?;
        let [least_high, least_low, block_high, block_low, _, _, _, long_a, long_b, long_c, rest @ ..] = bytes;
        let is_of_one_length = [least_high, least_low] == [block_high, block_low];
        let packed = u64::from_be_bytes(*rest.first_chunk()?);
        let info = StreamInfo {
            bytes,
            sample_rate_hz: (packed >> 44) as u32,
            channels: (packed >> 41 & 7) as u16 + 1,
            bits: (packed >> 36 & 31) as u8 + 1,
            block: if is_of_one_length { u16::from_be_bytes([block_high, block_low]).into() } else { 0 },
            longest: u32::from_be_bytes([0, long_a, long_b, long_c]) as usize,
            total: packed & 0xF_FFFF_FFFF,
        };
        (info.sample_rate_hz > 0).then_some(info)
    }

    /// Reads the facts of a stream without a head from its first frame.
    pub fn of_frame(head: &AnyFrameHead) -> Option<StreamInfo> {
        let mut bytes = [0; 34];
        let block = u16::try_from(head.frames).ok()?.to_be_bytes();
        bytes[..2].copy_from_slice(&block);
        bytes[2..4].copy_from_slice(&block);
        let packed = u64::from(head.sample_rate_hz?) << 44
            | u64::from(head.channels.checked_sub(1)?) << 41
            | u64::from(head.bits?.checked_sub(1)?) << 36;
        bytes[10..18].copy_from_slice(&packed.to_be_bytes());
        StreamInfo::read(&bytes)
    }

    /// The same stream in the format of a frame.
    pub fn with_format_of(self, head: &AnyFrameHead) -> StreamInfo {
        let head = AnyFrameHead {
            sample_rate_hz: head.sample_rate_hz.or(Some(self.sample_rate_hz)),
            bits: head.bits.or(Some(self.bits)),
            ..*head
        };
        match StreamInfo::of_frame(&head) {
            Some(format) => {
                let mut bytes = self.bytes;
                // All but the highest bits of the number of frames, which share a byte with the bits.
                bytes[10..14].copy_from_slice(&format.bytes[10..14]);
                bytes[13] |= self.bytes[13] & 0x0F;
                StreamInfo::read(&bytes).unwrap_or(self)
            }
            None => self,
        }
    }

    /// Channels of 32 bits that are written as a sum and a difference, of 33 bits, are more than the decoder takes.
    pub fn is_decoded(&self) -> bool {
        self.bits < 32 || self.channels != 2
    }

    /// Bytes that a frame of so many frames of samples cannot be longer than.
    pub fn most_bytes(&self, frames: u32) -> usize {
        frames as usize * usize::from(self.channels) * (usize::from(self.bits) + 1).div_ceil(8) + 256
    }
}

/// What the head of a frame says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHead {
    /// The first frame of samples in it.
    pub start: u64,
    pub frames: u32,
}

/// A head of a frame of whatever stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyFrameHead {
    pub frames: u32,
    pub channels: u16,
    /// `None`: as the head of the stream says.
    pub sample_rate_hz: Option<u32>,
    /// The same.
    pub bits: Option<u8>,
    number: u64,
    counts_samples: bool,
}

/// No head of a frame is longer.
pub const MOST_HEAD_BYTES: usize = 16;

impl AnyFrameHead {
    /// Reads a head; `None` for what is none.
    pub fn read(bytes: &[u8]) -> Option<AnyFrameHead> {
        let [0xFF, second @ (0xF8 | 0xF9), third, fourth, ..] = *bytes else { return None };
        let (number, mut at) = read_number(bytes.get(4..)?)?;
        at += 4;
        let mut take = |count: usize| {
            let taken = bytes.get(at..at + count)?;
            at += count;
            Some(taken.iter().fold(0u32, |all, byte| all << 8 | u32::from(*byte)))
        };
        let frames = match third >> 4 {
            0 => return None,
            1 => 192,
            code @ 2..=5 => 576 << (code - 2),
            6 => take(1)? + 1,
            7 => take(2)? + 1,
            code => 256 << (code - 8),
        };
        let sample_rate_hz = match third & 15 {
            0 => None,
            12 => Some(take(1)? * 1_000),
            13 => Some(take(2)?),
            14 => Some(take(2)? * 10),
            code => {
                let rates = [88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
                Some(*rates.get(usize::from(code) - 1)?)
            }
        };
        let channels = match fourth >> 4 {
            code @ 0..=7 => u16::from(code) + 1,
            8..=10 => 2,
            _ => return None,
        };
        let bits = match fourth >> 1 & 7 {
            0 => None,
            3 => return None,
            code => Some(*[8, 12, 0, 16, 20, 24, 32].get(usize::from(code) - 1)?),
        };
        if fourth & 1 != 0 || crc_8(bytes.get(..at)?) != *bytes.get(at)? {
            return None;
        }
        Some(AnyFrameHead { frames, channels, sample_rate_hz, bits, number, counts_samples: second == 0xF9 })
    }

    /// The head as one of the stream; `None` where its sound is of another format.
    pub fn within(&self, info: &StreamInfo) -> Option<FrameHead> {
        let fits = self.sample_rate_hz.is_none_or(|rate| rate == info.sample_rate_hz)
            && self.bits.is_none_or(|bits| bits == info.bits)
            && self.channels == info.channels;
        fits.then(|| FrameHead { start: self.start(info), frames: self.frames })
    }

    /// The first frame of samples in it.
    pub fn start(&self, info: &StreamInfo) -> u64 {
        let counts_samples = self.counts_samples || info.block == 0;
        if counts_samples { self.number } else { self.number.saturating_mul(info.block) }
    }
}

impl FrameHead {
    pub fn end(&self) -> u64 {
        self.start.saturating_add(self.frames.into())
    }

    /// Reads a head that fits the stream; `None` for what is none.
    pub fn read(bytes: &[u8], info: &StreamInfo) -> Option<FrameHead> {
        AnyFrameHead::read(bytes)?.within(info)
    }
}

/// A number written as UTF-8 writes characters, up to 36 bits of it, and the bytes that it takes.
fn read_number(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let ones = first.leading_ones() as usize;
    match ones {
        0 => Some((first.into(), 1)),
        1 | 8 => None,
        length => {
            let high = u64::from(first) & (0x7F >> ones);
            let rest = bytes.get(1..length)?;
            let number = rest
                .iter()
                .try_fold(high, |number, byte| (byte >> 6 == 2).then(|| number << 6 | u64::from(byte & 0x3F)))?;
            Some((number, length))
        }
    }
}

fn crc_8(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ byte, |crc: u8, _| if crc & 0x80 == 0 { crc << 1 } else { crc << 1 ^ 0x07 })
    })
}

/// Whether the last two bytes are the sum of all before them.
pub fn is_whole(frame: &[u8]) -> bool {
    let Some((body, sum)) = frame.split_last_chunk::<2>() else { return false };
    let crc = body.iter().fold(0u16, |crc, byte| {
        let at = usize::from((crc >> 8) as u8 ^ byte);
        crc << 8 ^ CRC_16.get(at).copied().unwrap_or_default()
    });
    crc == u16::from_be_bytes(*sum)
}

const CRC_16: [u16; 256] = {
    let mut table = [0u16; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = (at as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x8005 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
};

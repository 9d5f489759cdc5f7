//! FLAC's heads: of the stream, and of each frame.

/// What the head of the stream says.
#[derive(Clone, Debug)]
pub struct StreamInfo {
    /// All of it, as the decoder wants it.
    pub bytes: [u8; 34],
    pub sample_rate_hz: u32,
    pub channels: u16,
    bits: u8,
    /// Frames of samples in a block of a stream whose blocks are of one length.
    block: u64,
    /// Bytes of the longest frame; 0: it is not told.
    pub longest: usize,
    /// Frames of samples in all; 0: it is not told.
    pub total: u64,
}

impl StreamInfo {
    pub fn read(bytes: &[u8]) -> Option<StreamInfo> {
        let bytes: [u8; 34] = *bytes.first_chunk()?;
        let [_, _, block_high, block_low, _, _, _, long_a, long_b, long_c, rest @ ..] = bytes;
        let packed = u64::from_be_bytes(*rest.first_chunk()?);
        let info = StreamInfo {
            bytes,
            sample_rate_hz: (packed >> 44) as u32,
            channels: (packed >> 41 & 7) as u16 + 1,
            bits: (packed >> 36 & 31) as u8 + 1,
            block: u16::from_be_bytes([block_high, block_low]).into(),
            longest: u32::from_be_bytes([0, long_a, long_b, long_c]) as usize,
            total: packed & 0xF_FFFF_FFFF,
        };
        (info.sample_rate_hz > 0).then_some(info)
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

/// No head of a frame is longer.
pub const MOST_HEAD_BYTES: usize = 16;

impl FrameHead {
    pub fn end(&self) -> u64 {
        self.start.saturating_add(self.frames.into())
    }

    /// Reads a head that fits the stream; `None` for what is none.
    pub fn read(bytes: &[u8], info: &StreamInfo) -> Option<FrameHead> {
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
        let rate = match third & 15 {
            0 => info.sample_rate_hz,
            12 => take(1)? * 1_000,
            13 => take(2)?,
            14 => take(2)? * 10,
            code => {
                let rates = [88_200, 176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];
                *rates.get(usize::from(code) - 1)?
            }
        };
        let channels = match fourth >> 4 {
            code @ 0..=7 => u16::from(code) + 1,
            8..=10 => 2,
            _ => return None,
        };
        let bits = match fourth >> 1 & 7 {
            0 => info.bits,
            3 => return None,
            code => *[8, 12, 0, 16, 20, 24, 32].get(usize::from(code) - 1)?,
        };
        let fits = rate == info.sample_rate_hz && channels == info.channels && bits == info.bits && fourth & 1 == 0;
        if !fits || crc_8(bytes.get(..at)?) != *bytes.get(at)? {
            return None;
        }
        let start = if second == 0xF9 { number } else { number.saturating_mul(info.block.max(1)) };
        Some(FrameHead { start, frames })
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

//! Frames of MPEG audio: their heads, and what the first one may say of all the others.

use std::ops::Range;

/// The head of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameHead {
    /// 1, 2, or 3 for the unofficial version 2.5.
    pub version: u8,
    /// 1, 2 or 3.
    pub layer: u8,
    pub sample_rate_hz: u32,
    pub channels: u16,
    /// Of all of it, the head included.
    pub bytes: usize,
    /// Sound that it holds, in frames of samples.
    pub frames: u32,
}

pub const HEAD_BYTES: usize = 4;
/// No frame is longer: layer 2 at 384 kbit/s and 32 kHz, and layer 1 at 448 kbit/s and 32 kHz.
pub const MOST_BYTES: usize = 2_881;

/// kbit/s of version 1 in layers 1, 2 and 3, then of the other versions in layer 1, and in 2 and 3.
const KBITS: [[u16; 14]; 5] = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];

impl FrameHead {
    /// Reads a head; `None` for what is none, and for the free format, which states no length.
    pub fn read(bytes: &[u8]) -> Option<FrameHead> {
        let [0xFF, second, third, fourth, ..] = *bytes else { return None };
        if second & 0xE0 != 0xE0 {
            return None;
        }
        let version = match second >> 3 & 3 {
            0 => 3,
            2 => 2,
            3 => 1,
            _ => return None,
        };
        let layer = 4 - (second >> 1 & 3);
        let rates = [44_100, 48_000, 32_000];
        let rate: u32 = *rates.get(usize::from(third >> 2 & 3))?;
        let sample_rate_hz = rate >> (version - 1);
        let table = match (version, layer) {
            (_, 4) => return None,
            (1, layer) => usize::from(layer) - 1,
            (_, 1) => 3,
            _ => 4,
        };
        let place = usize::from(third >> 4).checked_sub(1)?;
        let bits = u32::from(*KBITS.get(table)?.get(place)?) * 1_000;
        let padding = u32::from(third >> 1 & 1);
        let (frames, bytes) = match layer {
            1 => (384, (12 * bits / sample_rate_hz + padding) * 4),
            3 if version > 1 => (576, 72 * bits / sample_rate_hz + padding),
            _ => (1_152, 144 * bits / sample_rate_hz + padding),
        };
        let channels = if fourth >> 6 == 3 { 1 } else { 2 };
        Some(FrameHead { version, layer, sample_rate_hz, channels, bytes: bytes as usize, frames })
    }

    /// Whether both may be of one stream.
    pub fn fits(&self, other: &FrameHead) -> bool {
        (self.version, self.layer, self.sample_rate_hz) == (other.version, other.layer, other.sample_rate_hz)
    }
}

/// Sound that encoders add, in frames of samples from the first frame of sound on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trim {
    /// At the front: the delay of the encoder, and of every decoder.
    pub front: u64,
    /// At the end of the frames that the head counts.
    pub end: Range<u64>,
}

/// Samples by which a decoder is late.
const DECODER_DELAY: u64 = 528 + 1;

/// What the first frame says where it holds no sound but a head of its own (`Xing`, `Info` or `VBRI`).
pub fn read_info(head: &FrameHead, frame: &[u8]) -> Option<Trim> {
    let long = |at: usize| frame.get(at..).and_then(<[u8]>::first_chunk::<4>).map(|b| u32::from_be_bytes(*b));
    let side_bytes = match (head.version, head.channels) {
        (1, 1) | (2.., 2) => 17,
        (1, _) => 32,
        _ => 9,
    };
    let at = HEAD_BYTES + side_bytes;
    match (frame.get(at..at + 4), frame.get(36..40)) {
        _ if head.layer != 3 => None,
        (Some(b"Xing" | b"Info"), _) => {
            let flags = long(at + 4)?;
            let field = |bit: u32| if flags & bit == 0 { 0 } else { 4 };
            let frames = if flags & 1 == 0 { 0 } else { long(at + 8)? };
            let bytes = if flags & 2 == 0 { 0 } else { long(at + 8 + field(1))? };
            if frames == 0 && bytes == 0 {
                return None;
            }
            let table = if flags & 4 == 0 { 0 } else { 100 };
            Some(read_delays(frame.get(at + 8 + field(1) + field(2) + table + field(8)..)?, frames, head.frames))
        }
        (_, Some(b"VBRI")) => Some(Trim::default()),
        _ => None,
    }
}

/// The encoder's name, 12 bytes of other things, and two numbers of 12 bits: its delay, and what it added at the end.
/// Encoders that write both.
fn read_delays(lame: &[u8], frames: u32, frame_length: u32) -> Trim {
    let (Some(b"LAME" | b"Lavf" | b"Lavc"), Some([a, b, c])) = (lame.get(..4), lame.get(21..24)) else {
        return Trim::default();
    };
    let both = u64::from(u32::from_be_bytes([0, *a, *b, *c]));
    let (delay, padding) = (both >> 12, both & 0xFFF);
    let all = u64::from(frames) * u64::from(frame_length);
    let end = if frames == 0 { 0..0 } else { (all + DECODER_DELAY).saturating_sub(padding)..all };
    Trim { front: delay + DECODER_DELAY, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_state_length_and_rate() {
        for (bytes, version, layer, rate, channels, length, frames) in [
            ([0xFF, 0xFB, 0x90, 0x00], 1, 3, 44_100, 2, 417, 1_152),
            ([0xFF, 0xFB, 0x92, 0xC0], 1, 3, 44_100, 1, 418, 1_152),
            ([0xFF, 0xF3, 0x84, 0xC0], 2, 3, 24_000, 1, 192, 576),
            ([0xFF, 0xE3, 0x18, 0xC0], 3, 3, 8_000, 1, 72, 576),
            ([0xFF, 0xFD, 0xA4, 0x00], 1, 2, 48_000, 2, 576, 1_152),
            ([0xFF, 0xFF, 0x90, 0x00], 1, 1, 44_100, 2, 312, 384),
        ] {
            let head = FrameHead::read(&bytes).unwrap();
            let told = (head.version, head.layer, head.sample_rate_hz, head.channels, head.bytes, head.frames);
            assert_eq!(told, (version, layer, rate, channels, length, frames), "{bytes:x?}");
        }
        for none in [[0xFF, 0xFB, 0x00, 0], [0xFF, 0xFB, 0xF0, 0], [0xFF, 0xFB, 0x9C, 0], [0xFF, 0xEB, 0x90, 0], [0; 4]]
        {
            assert_eq!(FrameHead::read(&none), None, "{none:x?}");
        }
    }

    #[test]
    fn delays_of_the_encoder_are_trimmed() {
        let head = FrameHead::read(&[0xFF, 0xFB, 0x90, 0xC0]).unwrap();
        let mut frame = vec![0u8; 417];
        frame[21..25].copy_from_slice(b"Info");
        frame[25..33].copy_from_slice(&[0, 0, 0, 15, 0, 0, 0, 10]);
        frame[141..145].copy_from_slice(b"LAME");
        frame[162..165].copy_from_slice(&[0x24, 0x02, 0x58]);
        assert_eq!(read_info(&head, &frame), Some(Trim { front: 576 + 529, end: 11_520 + 529 - 600..11_520 }));
        frame[141..145].copy_from_slice(b"none");
        assert_eq!(read_info(&head, &frame), Some(Trim::default()));
        frame[25..29].fill(0);
        assert_eq!(read_info(&head, &frame), None, "it is sound where it counts nothing");
    }
}

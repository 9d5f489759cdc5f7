//! Sound that is not packed: how a sample is written, and the frames that lie one behind the other.

use super::probe_error::ProbeError;
use super::sound::SampleFormat;
use super::sound::SoundReader;
use super::source::Source;

/// Frames that are read at a time.
const PIECE_FRAMES: u64 = 4_096;

/// How one sample is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleKind {
    /// Silence is in the middle of the range.
    Unsigned8,
    /// So many bytes, the sound in the highest bits.
    Signed(u8),
    Float(u8),
    ALaw,
    MuLaw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleCoding {
    pub kind: SampleKind,
    pub is_big_endian: bool,
}

impl SampleCoding {
    pub fn bytes(self) -> u8 {
        match self.kind {
            SampleKind::Unsigned8 | SampleKind::ALaw | SampleKind::MuLaw => 1,
            SampleKind::Signed(bytes) | SampleKind::Float(bytes) => bytes,
        }
    }

    /// Whole numbers of so many bytes; `None` for widths that no program writes.
    pub fn signed(bytes: u16, is_big_endian: bool) -> Option<SampleCoding> {
        let bytes = u8::try_from(bytes).ok().filter(|bytes| matches!(bytes, 1..=4 | 8))?;
        Some(SampleCoding { kind: SampleKind::Signed(bytes), is_big_endian })
    }

    /// Floats of 32 or 64 bits.
    pub fn float(bits: u16, is_big_endian: bool) -> Option<SampleCoding> {
        let bytes = [(32, 4), (64, 8)].into_iter().find(|(known, _)| *known == bits)?.1;
        Some(SampleCoding { kind: SampleKind::Float(bytes), is_big_endian })
    }

    /// Adds the samples of whole pieces of [`SampleCoding::bytes`]; full scale is ±1.
    fn decode(self, bytes: &[u8], out: &mut Vec<f32>) {
        let be = self.is_big_endian;
        match self.kind {
            SampleKind::Unsigned8 => each(bytes, out, |[b]: [u8; 1]| (f32::from(b) - 128.0) / 128.0),
            SampleKind::ALaw => each(bytes, out, |[b]: [u8; 1]| f32::from(of_a_law(b)) / 32_768.0),
            SampleKind::MuLaw => each(bytes, out, |[b]: [u8; 1]| f32::from(of_mu_law(b)) / 32_768.0),
            SampleKind::Signed(1) => each(bytes, out, |b: [u8; 1]| f32::from(i8::from_ne_bytes(b)) / 128.0),
            SampleKind::Signed(2) => each(bytes, out, |b: [u8; 2]| {
                f32::from(if be { i16::from_be_bytes(b) } else { i16::from_le_bytes(b) }) / 32_768.0
            }),
            SampleKind::Signed(3) => each(bytes, out, |[a, b, c]: [u8; 3]| {
                let high = if be { i32::from_be_bytes([a, b, c, 0]) } else { i32::from_le_bytes([0, a, b, c]) };
                (high >> 8) as f32 / 8_388_608.0
            }),
            SampleKind::Signed(4) => each(bytes, out, |b: [u8; 4]| {
                let whole = if be { i32::from_be_bytes(b) } else { i32::from_le_bytes(b) };
                (f64::from(whole) / 2_147_483_648.0) as f32
            }),
            SampleKind::Signed(_) => each(bytes, out, |b: [u8; 8]| {
                let whole = if be { i64::from_be_bytes(b) } else { i64::from_le_bytes(b) };
                (whole as f64 / 9_223_372_036_854_775_808.0) as f32
            }),
            SampleKind::Float(4) => {
                each(bytes, out, |b: [u8; 4]| if be { f32::from_be_bytes(b) } else { f32::from_le_bytes(b) })
            }
            SampleKind::Float(_) => {
                each(bytes, out, |b: [u8; 8]| (if be { f64::from_be_bytes(b) } else { f64::from_le_bytes(b) }) as f32)
            }
        }
    }
}

fn each<const N: usize>(bytes: &[u8], out: &mut Vec<f32>, sample: impl Fn([u8; N]) -> f32) {
    out.extend(bytes.as_chunks::<N>().0.iter().map(|bytes| sample(*bytes)));
}

/// ITU-T G.711: sign, three bits of exponent, four of mantissa, every second bit turned.
fn of_a_law(byte: u8) -> i16 {
    let byte = byte ^ 0x55;
    let (exponent, mantissa) = (i16::from(byte >> 4 & 7), i16::from(byte & 15) << 4);
    let size = if exponent == 0 { mantissa + 8 } else { (mantissa + 0x108) << (exponent - 1) };
    if byte & 0x80 == 0 { -size } else { size }
}

/// ITU-T G.711: all bits turned; sign, exponent, mantissa, above a bias of 132.
fn of_mu_law(byte: u8) -> i16 {
    let byte = !byte;
    let size = ((i16::from(byte & 15) << 3) + 132) << (byte >> 4 & 7);
    if byte & 0x80 == 0 { size - 132 } else { 132 - size }
}

/// Where a file keeps its sound, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PcmSound {
    pub format: SampleFormat,
    pub coding: SampleCoding,
    pub start: u64,
    pub bytes: u64,
}

impl PcmSound {
    fn frame_bytes(&self) -> u64 {
        u64::from(self.coding.bytes()).saturating_mul(u64::from(self.format.channels)).max(1)
    }

    /// Part of a frame at the end is none.
    fn frames(&self) -> u64 {
        self.bytes / self.frame_bytes()
    }
}

/// Reads such sound.
pub struct PcmReader<'a> {
    source: Source<'a>,
    sound: PcmSound,
    left: u64,
}

impl<'a> PcmReader<'a> {
    pub fn new(mut source: Source<'a>, sound: PcmSound) -> PcmReader<'a> {
        source.seek(sound.start);
        PcmReader { source, left: sound.frames(), sound }
    }
}

impl SoundReader for PcmReader<'_> {
    fn format(&self) -> SampleFormat {
        self.sound.format
    }

    fn known_frames(&mut self) -> Result<Option<u64>, ProbeError> {
        Ok(Some(self.sound.frames()))
    }

    fn read(&mut self, out: &mut Vec<f32>) -> Result<u64, ProbeError> {
        let frame_bytes = self.sound.frame_bytes();
        // A frame of many channels is long; the window stays small.
        let frames = self.left.min(PIECE_FRAMES.min((1 << 18) / frame_bytes).max(1));
        let count = usize::try_from(frames.saturating_mul(frame_bytes)).unwrap_or(usize::MAX);
        let bytes = self.source.peek(count)?;
        let whole = bytes.len() as u64 / frame_bytes;
        let taken = whole.saturating_mul(frame_bytes);
        self.sound.coding.decode(bytes.get(..taken as usize).unwrap_or_default(), out);
        self.source.skip(taken);
        self.left = if whole < frames { 0 } else { self.left - whole };
        Ok(whole)
    }

    fn skim(&mut self) -> Result<u64, ProbeError> {
        Ok(std::mem::take(&mut self.left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(kind: SampleKind, is_big_endian: bool, bytes: &[u8]) -> Vec<f32> {
        let mut out = Vec::new();
        SampleCoding { kind, is_big_endian }.decode(bytes, &mut out);
        out
    }

    #[test]
    fn samples_of_each_width() {
        use SampleKind::{Float, Signed, Unsigned8};
        for (kind, little, value) in [
            (Unsigned8, vec![0xC0], 0.5),
            (Signed(1), vec![0x40], 0.5),
            (Signed(2), vec![0, 0xC0], -0.5),
            (Signed(3), vec![0, 0, 0x40], 0.5),
            (Signed(4), vec![0, 0, 0, 0x80], -1.0),
            (Signed(8), vec![0, 0, 0, 0, 0, 0, 0, 0x20], 0.25),
            (Float(4), 1.25f32.to_le_bytes().to_vec(), 1.25),
            (Float(8), (-2.5f64).to_le_bytes().to_vec(), -2.5),
        ] {
            assert_eq!(decoded(kind, false, &little), [value], "{kind:?}");
            let big: Vec<u8> = little.into_iter().rev().collect();
            assert_eq!(decoded(kind, true, &big), [value], "{kind:?} the other way round");
        }
    }

    /// Ends and middle of the scales of ITU-T G.711, as 16-bit numbers.
    #[test]
    fn laws_of_telephony_unfold() {
        let whole =
            |kind, bytes: &[u8]| decoded(kind, false, bytes).into_iter().map(|v| (v * 32_768.0) as i32).collect();
        let a: Vec<i32> = whole(SampleKind::ALaw, &[0xD5, 0x55, 0xAA, 0x2A, 0x80]);
        assert_eq!(a, [8, -8, 32_256, -32_256, 5_504]);
        let mu: Vec<i32> = whole(SampleKind::MuLaw, &[0xFF, 0x7F, 0x80, 0x00, 0xF0]);
        assert_eq!(mu, [0, 0, 32_124, -32_124, 120]);
    }
}

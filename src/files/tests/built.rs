//! Files made of bytes, and reading them.

use crate::files::audio::{ProbeError, probe};
use crate::files::decode::decode;
use crate::files::read_budget::{ReadBudget, ReadLimits};
use std::ops::ControlFlow;

/// A sound of 16 bits, one channel.
pub const SAMPLES: [i16; 5] = [0, 16_384, -8_192, 32_767, -32_768];

/// A chunk with its pad byte.
pub fn chunk(name: &[u8; 4], body: &[u8], is_big: bool) -> Vec<u8> {
    let size = u32::try_from(body.len()).unwrap();
    let size = if is_big { size.to_be_bytes() } else { size.to_le_bytes() };
    let pad: &[u8] = if body.len() % 2 == 1 { &[0] } else { &[] };
    [&name[..], &size, body, pad].concat()
}

/// The body of a `fmt ` chunk.
pub fn fmt(tag: u16, channels: u16, bits: u16, container: u16) -> Vec<u8> {
    let block = channels * container;
    let mut fmt = Vec::new();
    fmt.extend(tag.to_le_bytes());
    fmt.extend(channels.to_le_bytes());
    fmt.extend(44_100u32.to_le_bytes());
    fmt.extend((44_100 * u32::from(block)).to_le_bytes());
    fmt.extend(block.to_le_bytes());
    fmt.extend(bits.to_le_bytes());
    fmt
}

pub fn wav(chunks: &[Vec<u8>]) -> Vec<u8> {
    let body = chunks.concat();
    let size = u32::try_from(body.len() + 4).unwrap();
    [b"RIFF", &size.to_le_bytes()[..], b"WAVE", &body].concat()
}

/// A WAV of [`SAMPLES`].
pub fn plain_wav() -> Vec<u8> {
    wav(&[chunk(b"fmt ", &fmt(1, 1, 16, 2), false), chunk(b"data", &little(), false)])
}

pub fn little() -> Vec<u8> {
    SAMPLES.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

pub fn big() -> Vec<u8> {
    SAMPLES.iter().flat_map(|sample| sample.to_be_bytes()).collect()
}

/// An AIFF, or an AIFC where a coding is named.
pub fn aiff(coding: Option<&[u8; 4]>, bits: u16, frames: u32, sound: &[u8]) -> Vec<u8> {
    let mut comm = [&1u16.to_be_bytes()[..], &frames.to_be_bytes(), &bits.to_be_bytes()].concat();
    // 44,100 as a float of 80 bits.
    comm.extend([0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]);
    comm.extend(coding.map_or(Vec::new(), |coding| [&coding[..], &[0, 0]].concat()));
    let sound = [&[0u8; 8][..], sound].concat();
    let body = [chunk(b"COMM", &comm, true), chunk(b"SSND", &sound, true)].concat();
    let kind = if coding.is_some() { b"AIFC" } else { b"AIFF" };
    [b"FORM", &u32::try_from(body.len() + 4).unwrap().to_be_bytes()[..], kind, &body].concat()
}

pub fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/audio/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The samples of a file with these bytes; probing it tells the same number of frames.
pub fn read(bytes: &[u8]) -> Result<Vec<f32>, ProbeError> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    let mut samples = Vec::new();
    let decoded = decode(file.path(), &ReadBudget::new(ReadLimits::CALL), |more, _| {
        samples.extend_from_slice(more);
        ControlFlow::Continue(())
    });
    let probed = probe(file.path().to_str().unwrap(), &ReadBudget::new(ReadLimits::CALL));
    let (told, found) = (probed.map(|facts| (facts.frames, facts.channels)), decoded.clone());
    assert_eq!(told, found.map(|(frames, format)| (frames, format.channels)), "probing and decoding agree");
    let (frames, format) = decoded?;
    assert_eq!(samples.len() as u64, frames * u64::from(format.channels));
    Ok(samples)
}

/// As 16-bit numbers.
pub fn whole(samples: &[f32]) -> Vec<i32> {
    samples.iter().map(|sample| (sample * 32_768.0).round() as i32).collect()
}

pub fn is_plain(read: Result<Vec<f32>, ProbeError>) -> bool {
    whole(&read.unwrap()) == SAMPLES.map(i32::from)
}

//! FLAC streams of constant blocks: heads that are wrong, missing, or behind other bytes.

use super::built::read;
use crate::files::audio::ProbeError;

const BLOCK: u64 = 192;
const RATE_44_100: u8 = 9;
const RATE_48_000: u8 = 10;

fn crc(bytes: &[u8], bits: u32, polynomial: u32) -> u32 {
    let top = 1 << (bits - 1);
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte) << (bits - 8), |crc: u32, _| {
            let next = crc << 1;
            (if crc & top == 0 { next } else { next ^ polynomial }) & ((1 << bits) - 1)
        })
    })
}

/// A block of 192 frames of samples that are all 4,096, with the number that it has in the stream.
fn block(number: u64, rate: u8, channels: u8) -> Vec<u8> {
    let mut bytes = vec![0xFF, 0xF8, 0x10 | rate, (channels - 1) << 4 | 4 << 1];
    match u8::try_from(number).ok().filter(|number| *number < 0x80) {
        Some(number) => bytes.push(number),
        None => bytes.extend([0xC0 | (number >> 6) as u8, 0x80 | (number & 0x3F) as u8]),
    }
    bytes.push(crc(&bytes, 8, 0x07) as u8);
    (0..channels).for_each(|_| bytes.extend([0x00, 0x10, 0x00]));
    let sum = crc(&bytes, 16, 0x8005) as u16;
    bytes.extend(sum.to_be_bytes());
    bytes
}

fn head(blocks: [u16; 2], channels: u64, bits: u64) -> Vec<u8> {
    let packed = 44_100 << 44 | (channels - 1) << 41 | (bits - 1) << 36;
    let [least, most] = blocks.map(u16::to_be_bytes);
    [b"fLaC\x80\0\0\x22", &least[..], &most, &[0; 6], &u64::to_be_bytes(packed), &[0; 16]].concat()
}

fn blocks(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| block(*number, RATE_44_100, 1)).collect()
}

fn sound() -> Vec<f32> {
    vec![0.125; 3 * BLOCK as usize]
}

#[test]
fn flac_heads_of_every_kind_open() {
    let frames = blocks(&[0, 1, 2]);
    let good = head([192, 192], 1, 16);
    for (name, file) in [
        ("plain", [&good[..], &frames].concat()),
        ("no head", frames.clone()),
        ("junk in front", [&[7; 1_000][..], &good, &frames].concat()),
        ("other channels in the head", [&head([192, 192], 2, 16)[..], &frames].concat()),
        ("other bits in the head", [&head([192, 192], 1, 24)[..], &frames].concat()),
        ("blocks of many lengths", [&head([16, 192], 1, 16)[..], &blocks(&[0, BLOCK, 2 * BLOCK])].concat()),
        ("too short blocks in the head", [&head([16, 16], 1, 16)[..], &block(0, RATE_44_100, 1)].concat()),
    ] {
        let expected = if name.starts_with("too short") { sound()[..BLOCK as usize].to_vec() } else { sound() };
        assert_eq!(read(&file), Ok(expected), "{name}");
    }
}

#[test]
fn flac_that_changes_is_refused() {
    let start = [&head([192, 192], 1, 16)[..], &blocks(&[0, 1])].concat();
    for (rate, channels) in [(RATE_48_000, 1), (RATE_44_100, 2)] {
        let file = [&start[..], &block(2, rate, channels), &block(3, rate, channels)].concat();
        assert_eq!(read(&file), Err(ProbeError::Changes), "{rate} {channels}");
    }
    let wide = [&head([192, 192], 2, 32)[..], &blocks(&[0])].concat();
    assert!(read(&wide).is_ok(), "the frames say 16 bits");
}

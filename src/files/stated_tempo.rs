//! The tempo that an audio file states of itself: in the `acid` chunk of a WAV, the `basc` chunk of an AIFF, or a tag.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::RangeInclusive;
use std::path::Path;
use symphonia::core::formats::FormatReader;
use symphonia::core::meta::StandardTag;

/// Tempos that a file may state, in BPM. Many programs write 0, and some nonsense.
const PLAUSIBLE_BPM: RangeInclusive<f64> = 20.0..=999.0;
/// Chunks whose heads are looked at, of 8 bytes each; what is behind more is not found.
const MOST_CHUNKS: usize = 256;
/// What is read of the chunk that is looked for.
const CHUNK_BYTES: usize = 24;

/// The tempo of a file that is `seconds` long; none of a one-shot. `reader` has read its head.
pub fn stated_tempo(path: &Path, reader: &mut dyn FormatReader, seconds: f64) -> Option<f64> {
    let bpm = match chunk_tempo(path, seconds) {
        Chunk::Tempo(bpm) => Some(bpm),
        Chunk::OneShot => None,
        Chunk::Missing => tag_tempo(reader),
    };
    bpm.filter(|bpm| PLAUSIBLE_BPM.contains(bpm))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Chunk {
    Missing,
    OneShot,
    Tempo(f64),
}

fn tag_tempo(reader: &mut dyn FormatReader) -> Option<f64> {
    let mut metadata = reader.metadata();
    let revision = metadata.skip_to_latest()?;
    revision.media.tags.iter().find_map(|tag| match tag.std {
        Some(StandardTag::Bpm(bpm)) => Some(bpm as f64),
        _ => None,
    })
}

fn chunk_tempo(path: &Path, seconds: f64) -> Chunk {
    let Ok(mut file) = File::open(path) else { return Chunk::Missing };
    let mut head = [0u8; 12];
    if file.read_exact(&mut head).is_err() {
        return Chunk::Missing;
    }
    match (head.first_chunk::<4>(), head.last_chunk::<4>()) {
        (Some(b"RIFF"), Some(b"WAVE")) => {
            find_chunk(&mut file, b"acid", u32::from_le_bytes).map_or(Chunk::Missing, |acid| of_acid(&acid, seconds))
        }
        (Some(b"FORM"), Some(b"AIFF" | b"AIFC")) => {
            find_chunk(&mut file, b"basc", u32::from_be_bytes).map_or(Chunk::Missing, |basc| of_basc(&basc, seconds))
        }
        _ => Chunk::Missing,
    }
}

/// The first bytes of the chunk of that name.
fn find_chunk(file: &mut File, wanted: &[u8; 4], number: fn([u8; 4]) -> u32) -> Option<[u8; CHUNK_BYTES]> {
    for _ in 0..MOST_CHUNKS {
        let mut head = [0u8; 8];
        file.read_exact(&mut head).ok()?;
        let (name, length) = (head.first_chunk::<4>()?, number(*head.last_chunk::<4>()?));
        if name == wanted {
            let mut bytes = [0u8; CHUNK_BYTES];
            file.read_exact(&mut bytes).ok()?;
            return (length as usize >= CHUNK_BYTES).then_some(bytes);
        }
        // Chunks begin at even places.
        file.seek(SeekFrom::Current(i64::from(length) + i64::from(length % 2))).ok()?;
    }
    None
}

/// Flags (1: a one-shot), root note, two unknown, beats, meter, tempo.
fn of_acid(acid: &[u8; CHUNK_BYTES], seconds: f64) -> Chunk {
    let at = |place: usize| acid.get(place..place + 4).and_then(<[u8]>::first_chunk::<4>).copied().unwrap_or_default();
    let (flags, beats) = (u32::from_le_bytes(at(0)), u32::from_le_bytes(at(12)));
    let bpm = f64::from(f32::from_le_bytes(at(20)));
    match flags & 1 {
        1 => Chunk::OneShot,
        _ if PLAUSIBLE_BPM.contains(&bpm) => Chunk::Tempo(rounded(bpm)),
        _ => of_beats(beats, seconds),
    }
}

/// Version, beats, root note, scale, meter, kind (1: a one-shot).
fn of_basc(basc: &[u8; CHUNK_BYTES], seconds: f64) -> Chunk {
    let at = |place: usize| basc.get(place..place + 4).and_then(<[u8]>::first_chunk::<4>).copied().unwrap_or_default();
    let kind = u32::from_be_bytes(at(16)) >> 16;
    if kind == 1 { Chunk::OneShot } else { of_beats(u32::from_be_bytes(at(4)), seconds) }
}

fn of_beats(beats: u32, seconds: f64) -> Chunk {
    if beats == 0 { Chunk::Missing } else { Chunk::Tempo(rounded(f64::from(beats) * 60.0 / seconds)) }
}

/// To a thousandth: the file keeps seven digits of it.
fn rounded(bpm: f64) -> f64 {
    (bpm * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An `acid` chunk.
    fn acid(flags: u32, beats: u32, bpm: f32) -> [u8; CHUNK_BYTES] {
        let mut bytes = [0u8; CHUNK_BYTES];
        bytes[0..4].copy_from_slice(&flags.to_le_bytes());
        bytes[12..16].copy_from_slice(&beats.to_le_bytes());
        bytes[20..24].copy_from_slice(&bpm.to_le_bytes());
        bytes
    }

    #[test]
    fn what_chunks_state() {
        for (flags, beats, bpm, told) in [
            (0, 16, 174.0, Chunk::Tempo(174.0)),
            (0, 16, 0.0, Chunk::Tempo(120.0)),
            (0, 0, f32::NAN, Chunk::Missing),
            (1, 16, 174.0, Chunk::OneShot),
        ] {
            assert_eq!(of_acid(&acid(flags, beats, bpm), 8.0), told, "{flags} {beats} {bpm}");
        }
        let mut basc = [0u8; CHUNK_BYTES];
        basc[4..8].copy_from_slice(&8u32.to_be_bytes());
        assert_eq!(of_basc(&basc, 4.0), Chunk::Tempo(120.0));
        basc[16..18].copy_from_slice(&1u16.to_be_bytes());
        assert_eq!(of_basc(&basc, 4.0), Chunk::OneShot);
    }
}

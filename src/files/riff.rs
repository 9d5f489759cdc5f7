//! WAV: RIFF, its big-endian twin RIFX, and RF64 and BW64, which are longer than 4 GB.
//!
//! Sizes are often wrong: of a recorder that was cut off, of a program that wrote to a pipe, of one that counted its
//! own head wrongly. So no size is asked but the chunk's own, and sound ends where the file does.

use super::chunk::{Chunk, next_chunk};
use super::pcm::{PcmSound, SampleCoding, SampleKind};
use super::probe_error::ProbeError;
use super::sound::SampleFormat;
use super::sound::StatedTempo;
use super::source::Source;

/// Chunks that programs put into WAV files, in the order of how often they are met.
const KNOWN: &[&[u8; 4]] = &[
    b"fmt ", b"data", b"LIST", b"fact", b"id3 ", b"ID3 ", b"smpl", b"cue ", b"bext", b"junk", b"JUNK", b"PAD ",
    b"acid", b"inst", b"iXML", b"PEAK", b"FLLR", b"minf", b"elm1", b"regn", b"umid", b"plst", b"cart", b"axml",
    b"chna", b"_PMX", b"ds64", b"strc", b"afsp", b"DISP", b"LGWV", b"ResU", b"levl", b"CSET", b"muma", b"cust",
    b"wavl", b"slnt",
];
/// Chunks behind the sound that are looked at for a tempo.
const MOST_CHUNKS_BEHIND: usize = 64;
/// What is read of a `fmt ` chunk; longer ones hold what other codings need.
const FMT_BYTES: usize = 40;

/// Finds the sound of a WAV whose head the source stands at.
pub fn find_sound(source: &mut Source) -> Result<(PcmSound, StatedTempo), ProbeError> {
    let is_big = source.peek(4)? == b"RIFX";
    source.skip(12);
    let (mut layout, mut long_data, mut data, mut tempo) = (None, None, None, StatedTempo::Missing);
    let mut behind = 0;
    while let Some(chunk) = next_chunk(source, is_big)? {
        match &chunk.name {
            b"fmt " if layout.is_none() => layout = Some(read_layout(source.peek(body(&chunk, FMT_BYTES))?, is_big)?),
            b"ds64" => long_data = source.peek(16)?.last_chunk::<8>().map(|size| u64::from_le_bytes(*size)),
            b"data" if data.is_none() => data = Some(extent(source, &chunk, long_data)?),
            b"acid" => tempo = acid_tempo(source.peek(body(&chunk, 24))?),
            _ => {}
        }
        behind += usize::from(data.is_some() && layout.is_some());
        if behind > MOST_CHUNKS_BEHIND {
            break;
        }
        let long =
            Chunk { bytes: data.filter(|_| &chunk.name == b"data").map_or(chunk.bytes, |(_, bytes)| bytes), ..chunk };
        long.pass(source, KNOWN)?;
    }
    let (Some((format, coding)), Some((start, bytes))) = (layout, data) else { return Err(ProbeError::NotAudio) };
    Ok((PcmSound { format, coding, start, bytes }, tempo))
}

fn body(chunk: &Chunk, most: usize) -> usize {
    usize::try_from(chunk.bytes).unwrap_or(most).min(most)
}

/// Where the sound lies that the source stands at: so many bytes as the chunk says, or as there are.
fn extent(source: &mut Source, chunk: &Chunk, long: Option<u64>) -> Result<(u64, u64), ProbeError> {
    let (start, left) = (source.position(), source.left());
    let stated = match chunk.bytes {
        0xFFFF_FFFF => long.filter(|bytes| *bytes > 0).unwrap_or(left),
        // Nothing was filled in when the recording ended; but a sound of no length may have other chunks behind it.
        0 if source.peek(4)?.first_chunk::<4>().is_some_and(|name| KNOWN.contains(&name)) => 0,
        0 => left,
        bytes => bytes,
    };
    Ok((start, stated.min(left)))
}

/// What a `fmt ` chunk says: coding, channels, rate, and the bytes of a frame.
pub fn read_layout(fmt: &[u8], is_big: bool) -> Result<(SampleFormat, SampleCoding), ProbeError> {
    let short = |at: usize| {
        let bytes = fmt.get(at..).and_then(<[u8]>::first_chunk::<2>).copied();
        bytes.map(|bytes| if is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let long = |at: usize| {
        let bytes = fmt.get(at..).and_then(<[u8]>::first_chunk::<4>).copied();
        bytes.map(|bytes| if is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    };
    let (Some(tag), Some(channels), Some(rate)) = (short(0), short(2), long(4)) else {
        return Err(ProbeError::NotAudio);
    };
    if channels == 0 || rate == 0 {
        return Err(ProbeError::NotAudio);
    }
    let frame_bytes = short(12).unwrap_or(0);
    let container = if frame_bytes % channels == 0 { frame_bytes / channels } else { 0 };
    let bits = short(14).filter(|bits| *bits > 0).unwrap_or(container.saturating_mul(8));
    // The extensible kind has the true tag at the front of its subformat.
    let tag = if tag == 0xFFFE { short(24).unwrap_or(1) } else { tag };
    let plain = |kind| Some(SampleCoding { kind, is_big_endian: is_big });
    let coding = match tag {
        1 if bits <= 8 => plain(SampleKind::Unsigned8),
        // Samples of 17 to 24 bits may lie in four bytes each.
        1 if (17..=24).contains(&bits) && container == 4 => SampleCoding::signed(4, is_big),
        1 => SampleCoding::signed(bits.div_ceil(8), is_big),
        3 => SampleCoding::float(bits, is_big),
        6 => plain(SampleKind::ALaw),
        7 => plain(SampleKind::MuLaw),
        tag => return Err(ProbeError::Packed(packing(tag).into())),
    };
    let width = || ProbeError::Packed(format!("samples of {bits} bits").into());
    Ok((SampleFormat { sample_rate_hz: rate, channels }, coding.ok_or_else(width)?))
}

/// The name of a way to pack sound into a WAV.
fn packing(tag: u16) -> String {
    let name = match tag {
        0x0002 => "Microsoft ADPCM",
        0x0011 => "IMA ADPCM",
        0x0020 | 0x0200 | 0x0202 => "ADPCM",
        0x0031 => "GSM 6.10",
        0x0014 | 0x0040 | 0x0045 | 0x0064 => "G.721 or G.726 ADPCM",
        0x0022 => "TrueSpeech",
        0x0050 => "MPEG audio (layer 1 or 2)",
        0x0055 => "MP3",
        0x00FF | 0x1600 | 0x1602 | 0xA106 | 0x706D => "AAC",
        0x0092 | 0x2000 | 0x2001 => "AC-3 or DTS",
        0x0160..=0x0163 => "Windows Media Audio",
        0x0270 => "ATRAC3",
        0x566F | 0x674F..=0x6751 | 0x676F..=0x6771 => "Vorbis",
        0xF1AC => "FLAC",
        0x704F => "Opus",
        tag => return format!("kind 0x{tag:04X} of WAV"),
    };
    format!("{name} in a WAV")
}

/// Flags (1: a one-shot), root note, two unknown, beats, meter, tempo.
fn acid_tempo(acid: &[u8]) -> StatedTempo {
    let at = |place: usize| acid.get(place..).and_then(<[u8]>::first_chunk::<4>).copied();
    let (Some(flags), Some(beats), Some(bpm)) = (at(0), at(12), at(20)) else { return StatedTempo::Missing };
    let bpm = f64::from(f32::from_le_bytes(bpm));
    match (u32::from_le_bytes(flags) & 1, u32::from_le_bytes(beats)) {
        (1, _) => StatedTempo::OneShot,
        _ if super::stated_tempo::is_plausible(bpm) => StatedTempo::Bpm(bpm),
        (_, 0) => StatedTempo::Missing,
        (_, beats) => StatedTempo::Beats(beats),
    }
}

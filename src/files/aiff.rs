//! AIFF and AIFC. As in a WAV, no size is believed beyond the end of the file.

use super::chunk::{Chunk, next_chunk};
use super::pcm::{PcmSound, SampleCoding, SampleKind};
use super::probe_error::ProbeError;
use super::sound::SampleFormat;
use super::sound::StatedTempo;
use super::source::Source;

/// Chunks that programs put into AIFF files.
const KNOWN: &[&[u8; 4]] = &[
    b"COMM", b"SSND", b"MARK", b"INST", b"COMT", b"FVER", b"NAME", b"AUTH", b"(c) ", b"ANNO", b"MIDI", b"APPL",
    b"ID3 ", b"id3 ", b"AESD", b"SAXL", b"basc", b"trns", b"cate", b"CHAN", b"FLLR", b"PEAK", b"LGWV", b"bstp",
    b"ResU", b"able",
];
/// Chunks behind the sound that are looked at for a tempo.
const MOST_CHUNKS_BEHIND: usize = 64;

/// Finds the sound of an AIFF whose head the source stands at.
pub fn find_sound(source: &mut Source) -> Result<(PcmSound, StatedTempo), ProbeError> {
    source.skip(12);
    let (mut layout, mut data, mut tempo, mut behind) = (None, None, StatedTempo::Missing, 0);
    while let Some(chunk) = next_chunk(source, true)? {
        match &chunk.name {
            b"COMM" if layout.is_none() => {
                let bytes = usize::try_from(chunk.bytes).unwrap_or(22).min(22);
                layout = Some(read_layout(source.peek(bytes)?)?);
            }
            b"SSND" if data.is_none() => data = Some(extent(source, &chunk)?),
            b"basc" => tempo = basc_tempo(source.peek(24)?),
            _ => {}
        }
        behind += usize::from(data.is_some() && layout.is_some());
        if behind > MOST_CHUNKS_BEHIND {
            break;
        }
        match data.filter(|_| &chunk.name == b"SSND") {
            Some((start, bytes)) => Chunk { start, bytes, ..chunk }.pass(source, KNOWN)?,
            None => chunk.pass(source, KNOWN)?,
        }
    }
    let (Some((format, coding)), Some((start, bytes))) = (layout, data) else { return Err(ProbeError::NotAudio) };
    Ok((PcmSound { format, coding, start, bytes }, tempo))
}

/// Where the sound of an `SSND` chunk lies: behind its own head of 8 bytes and the offset that stands there.
fn extent(source: &mut Source, chunk: &Chunk) -> Result<(u64, u64), ProbeError> {
    let Some(offset) = source.peek_array::<4>()?.map(u32::from_be_bytes) else { return Ok((source.bytes(), 0)) };
    let head = 8 + u64::from(offset);
    let start = source.position().saturating_add(head).min(source.bytes());
    let left = source.bytes().saturating_sub(start);
    let stated = if chunk.bytes == 0 { left } else { chunk.bytes.saturating_sub(head) };
    Ok((start, stated.min(left)))
}

/// What a `COMM` chunk says: channels, frames, bits, the rate as a float of 80 bits, and in an AIFC the coding.
fn read_layout(comm: &[u8]) -> Result<(SampleFormat, SampleCoding), ProbeError> {
    let short = |at: usize| comm.get(at..).and_then(<[u8]>::first_chunk::<2>).map(|b| u16::from_be_bytes(*b));
    let (Some(channels), Some(bits)) = (short(0), short(6)) else { return Err(ProbeError::NotAudio) };
    let rate = comm.get(8..).and_then(<[u8]>::first_chunk::<10>).and_then(whole_rate);
    let Some(sample_rate_hz) = rate.filter(|_| channels > 0) else { return Err(ProbeError::NotAudio) };
    let kind = comm.get(18..).and_then(<[u8]>::first_chunk::<4>).unwrap_or(b"NONE");
    let plain = |kind| Some(SampleCoding { kind, is_big_endian: true });
    let coding = match kind {
        b"NONE" | b"none" | b"twos" | b"in16" => SampleCoding::signed(bits.div_ceil(8), true),
        b"sowt" => SampleCoding::signed(bits.div_ceil(8), false),
        b"raw " if bits <= 8 => plain(SampleKind::Unsigned8),
        b"in24" => SampleCoding::signed(3, true),
        b"in32" => SampleCoding::signed(4, true),
        b"42ni" | b"ni24" => SampleCoding::signed(3, false),
        b"23ni" | b"ni32" => SampleCoding::signed(4, false),
        b"fl32" | b"FL32" => SampleCoding::float(32, true),
        b"fl64" | b"FL64" => SampleCoding::float(64, true),
        b"alaw" | b"ALAW" => plain(SampleKind::ALaw),
        b"ulaw" | b"ULAW" => plain(SampleKind::MuLaw),
        kind => return Err(ProbeError::Packed(packing(kind).into())),
    };
    let width = || ProbeError::Packed(format!("samples of {bits} bits").into());
    Ok((SampleFormat { sample_rate_hz, channels }, coding.ok_or_else(width)?))
}

/// The name of a way to pack sound into an AIFC.
fn packing(kind: &[u8; 4]) -> String {
    let name = match kind {
        b"able" => "Ableton's own compression of its packs",
        b"ima4" => "IMA ADPCM",
        b"MAC3" | b"MAC6" => "MACE",
        b"QDMC" | b"QDM2" => "QDesign Music",
        b"Qclp" | b"QCLP" => "Qualcomm PureVoice",
        b"GSM " | b"agsm" => "GSM 6.10",
        b"G722" | b"G726" | b"G728" => "a compression of telephony",
        b".mp3" | b"ms\0U" => "MP3",
        b"ms\0\x02" => "Microsoft ADPCM",
        b"ms\0\x11" => "IMA ADPCM",
        kind => return format!("kind `{}` of AIFC", kind.escape_ascii()),
    };
    format!("{name} in an AIFC")
}

/// Sign and exponent in two bytes, then a mantissa of 64 bits.
fn whole_rate(extended: &[u8; 10]) -> Option<u32> {
    let [a, b, mantissa @ ..] = *extended;
    let power = i32::from(u16::from_be_bytes([a, b]) & 0x7FFF) - 16_383 - 63;
    let rate = (u64::from_be_bytes(mantissa) as f64) * 2f64.powi(power);
    (0.5..4e9).contains(&rate).then(|| rate.round() as u32)
}

/// Version, beats, root note, scale, meter, kind (1: a one-shot).
fn basc_tempo(basc: &[u8]) -> StatedTempo {
    let at = |place: usize| basc.get(place..).and_then(<[u8]>::first_chunk::<4>).map(|b| u32::from_be_bytes(*b));
    match (at(4), at(16).map(|kind| kind >> 16)) {
        (_, Some(1)) => StatedTempo::OneShot,
        (Some(beats), Some(_)) if beats > 0 => StatedTempo::Beats(beats),
        _ => StatedTempo::Missing,
    }
}

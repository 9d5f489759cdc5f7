//! Sony's Wave64: a WAV whose names are of 16 bytes and whose sizes are of 8, heads included.

use super::pcm::PcmSound;
use super::probe_error::ProbeError;
use super::riff::read_layout;
use super::source::Source;

/// The name of the whole and, with another front, of its chunks.
const RIFF: &[u8; 16] = b"riff\x2E\x91\xCF\x11\xA5\xD6\x28\xDB\x04\xC1\x00\x00";
const HEAD_BYTES: u64 = 24;

pub fn is_head(head: &[u8]) -> bool {
    head.starts_with(RIFF)
}

/// Finds the sound of a Wave64 whose head the source stands at.
pub fn find_sound(source: &mut Source) -> Result<PcmSound, ProbeError> {
    let front = source.position();
    source.skip(HEAD_BYTES + 16);
    let mut layout = None;
    while let Some(head) = source.peek_array::<24>()? {
        let start = source.position().saturating_add(HEAD_BYTES);
        let stated = head.last_chunk::<8>().map_or(0, |size| u64::from_le_bytes(*size));
        let bytes = stated.saturating_sub(HEAD_BYTES);
        source.seek(start);
        match head.first_chunk::<4>() {
            Some(b"fmt ") => layout = Some(read_layout(source.peek(40)?, false)?),
            Some(b"data") => {
                let Some((format, coding)) = layout else { break };
                let left = source.left();
                let bytes = if bytes == 0 { left } else { bytes.min(left) };
                return Ok(PcmSound { format, coding, start, bytes });
            }
            _ => {}
        }
        // Chunks begin at places that are multiples of 8.
        let end = start.saturating_add(bytes).saturating_sub(front);
        source.seek(front.saturating_add(end.div_ceil(8).saturating_mul(8)));
    }
    Err(ProbeError::NotAudio)
}

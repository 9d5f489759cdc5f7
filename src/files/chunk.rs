//! Chunks, of which WAV and AIFF are made: a name, a size, so many bytes, and a byte more where that is odd.

use super::source::Source;
use std::io::Result;

#[derive(Clone, Copy, Debug)]
pub struct Chunk {
    pub name: [u8; 4],
    /// As the file states it, without the pad byte.
    pub bytes: u64,
    /// Where what is in it begins.
    pub start: u64,
}

/// Reads the head of the next chunk and steps to what is in it; `None` at the end of the file.
pub fn next_chunk(source: &mut Source, is_big_endian: bool) -> Result<Option<Chunk>> {
    let Some([a, b, c, d, size @ ..]) = source.peek_array::<8>()? else { return Ok(None) };
    let bytes = if is_big_endian { u32::from_be_bytes(size) } else { u32::from_le_bytes(size) };
    source.skip(8);
    Ok(Some(Chunk { name: [a, b, c, d], bytes: bytes.into(), start: source.position() }))
}

impl Chunk {
    /// Steps behind it. Some programs leave the pad byte out: the next chunk begins where a name stands that is one of
    /// `known`, or that at least is a text.
    pub fn pass(&self, source: &mut Source, known: &[&[u8; 4]]) -> Result<()> {
        let end = self.start.saturating_add(self.bytes);
        source.seek(end);
        if self.bytes.is_multiple_of(2) {
            return Ok(());
        }
        let next = source.peek(5)?;
        let (plain, padded) = (next.first_chunk::<4>(), next.get(1..).and_then(<[u8]>::first_chunk::<4>));
        let is_known = |name: Option<&[u8; 4]>| name.is_some_and(|name| known.contains(&name));
        let is_text = |name: Option<&[u8; 4]>| name.is_some_and(|name| name.iter().all(|c| matches!(c, b' '..=b'~')));
        let is_padded = is_known(padded) || !(is_known(plain) || is_text(plain) && !is_text(padded));
        source.seek(end.saturating_add(u64::from(is_padded)));
        Ok(())
    }
}

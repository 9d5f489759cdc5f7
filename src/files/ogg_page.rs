//! Pages of an Ogg file, and the packets that lie in them.

use super::source::Source;
use std::io::Result;

const HEAD_BYTES: usize = 27;
/// No page is longer: 255 pieces of 255 bytes each, and their lengths.
const MOST_BYTES: usize = HEAD_BYTES + 255 + 255 * 255;
/// Longer packets are left out.
const MOST_PACKET_BYTES: usize = 16 << 20;

/// A page, with what of its packets ends on it.
#[derive(Clone, Debug, Default)]
pub struct Page {
    pub stream: u32,
    pub is_first: bool,
    pub is_last: bool,
    /// Its sum is right. Where it is not, its packets are there and worth nothing.
    pub is_whole: bool,
    /// The codec's time at the end of the last packet that ends here; -1: none does.
    pub time: i64,
    number: u32,
    continues: bool,
    /// Lengths of the pieces, and the bytes of all.
    pieces: Vec<u8>,
    body: Vec<u8>,
}

/// Steps behind the next page that is whole, and gives it; `None` at the end of the file.
pub fn next_page(source: &mut Source) -> Result<Option<Page>> {
    loop {
        let piece = source.peek(MOST_BYTES)?;
        let Some(at) = memchr::memmem::find(piece, b"OggS") else {
            let passed = piece.len();
            if passed < 4 {
                return Ok(None);
            }
            source.skip(passed as u64 - 3);
            if source.left() < HEAD_BYTES as u64 {
                return Ok(None);
            }
            continue;
        };
        source.skip(at as u64);
        match read_page(source.peek(MOST_BYTES + 4)?) {
            Some((page, length)) => {
                source.skip(length as u64);
                return Ok(Some(page));
            }
            None => source.skip(4),
        }
    }
}

fn read_page(bytes: &[u8]) -> Option<(Page, usize)> {
    let head = bytes.get(..HEAD_BYTES)?;
    let long = |at: usize| head.get(at..).and_then(<[u8]>::first_chunk::<4>).map(|b| u32::from_le_bytes(*b));
    let time = head.get(6..).and_then(<[u8]>::first_chunk::<8>).map(|b| i64::from_le_bytes(*b))?;
    let flags = *head.get(5)?;
    let pieces = bytes.get(HEAD_BYTES..HEAD_BYTES + usize::from(*head.get(26)?))?;
    let start = HEAD_BYTES + pieces.len();
    let end = start + pieces.iter().map(|piece| usize::from(*piece)).sum::<usize>();
    let body = bytes.get(start..end)?;
    let sum = [head.get(..22)?, &[0; 4], head.get(26..)?, pieces, body].into_iter().fold(0, crc_32);
    let is_whole = Some(sum) == long(22);
    // A damaged page counts where the next one, or the end of the file, is where it says.
    let next = bytes.get(end..).unwrap_or_default();
    let is_in_place = next.starts_with(b"OggS") || next.is_empty() && bytes.len() < MOST_BYTES;
    let page = Page {
        is_whole,
        stream: long(14)?,
        is_first: flags & 2 != 0,
        is_last: flags & 4 != 0,
        time,
        number: long(18)?,
        continues: flags & 1 != 0,
        pieces: pieces.to_vec(),
        body: body.to_vec(),
    };
    (is_whole || is_in_place && bytes.get(4) == Some(&0) && flags < 8).then_some((page, end))
}

/// Puts packets together that go over several pages.
#[derive(Default)]
pub struct Packets {
    part: Vec<u8>,
    /// The number of the page before.
    before: Option<u32>,
}

impl Packets {
    /// The packets that end on a page; `false` with them where pages are missing before it.
    pub fn of(&mut self, page: &Page) -> (Vec<Vec<u8>>, bool) {
        let follows = self.before.is_none_or(|before| before.wrapping_add(1) == page.number);
        self.before = Some(page.number);
        // Without its beginning, the end of a packet is worth nothing.
        let mut is_lost = page.continues && (!follows || self.part.is_empty());
        if !follows || !page.continues {
            self.part.clear();
        }
        let (mut packets, mut rest) = (Vec::new(), page.body.as_slice());
        for length in &page.pieces {
            let Some((piece, behind)) = rest.split_at_checked(usize::from(*length)) else { break };
            rest = behind;
            if self.part.len() < MOST_PACKET_BYTES {
                self.part.extend_from_slice(piece);
            }
            if *length < 255 {
                let packet = std::mem::take(&mut self.part);
                if !std::mem::take(&mut is_lost) {
                    packets.push(packet);
                }
            }
        }
        if is_lost {
            self.part.clear();
        }
        (packets, follows)
    }
}

fn crc_32(crc: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(crc, |crc, byte| {
        let at = usize::from((crc >> 24) as u8 ^ byte);
        crc << 8 ^ CRC_32.get(at).copied().unwrap_or_default()
    })
}

const CRC_32: [u32; 256] = {
    let mut table = [0u32; 256];
    let mut at = 0;
    while at < 256 {
        let mut crc = (at as u32) << 24;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc >> 31 == 0 { crc << 1 } else { crc << 1 ^ 0x04C1_1DB7 };
            bit += 1;
        }
        table[at] = crc;
        at += 1;
    }
    table
};

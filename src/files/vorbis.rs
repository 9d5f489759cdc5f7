//! How long packets of Vorbis are, which their first bits say together with the heads of the stream.

/// What the heads of a stream say of that.
#[derive(Clone, Debug)]
pub struct VorbisBlocks {
    pub sample_rate_hz: u32,
    pub channels: u16,
    /// Lengths of short and long blocks.
    lengths: [u32; 2],
    /// Whether the blocks of each mode are long.
    modes: Vec<bool>,
}

/// A mode takes so many bits: long or not, window, transform, mapping.
const MODE_BITS: usize = 1 + 16 + 16 + 8;
const MOST_MODES: usize = 64;

impl VorbisBlocks {
    /// Reads the first head; [`VorbisBlocks::read_modes`] has to follow.
    pub fn read(ident: &[u8]) -> Option<VorbisBlocks> {
        let rate = u32::from_le_bytes(*ident.get(12..)?.first_chunk()?);
        let (channels, exponents) = (u16::from(*ident.get(11)?), *ident.get(28)?);
        let lengths = [exponents & 15, exponents >> 4].map(|exponent| 1u32 << exponent);
        let is_sound = rate > 0 && channels > 0 && lengths.iter().all(|length| (64..=8_192).contains(length));
        is_sound.then(|| VorbisBlocks { sample_rate_hz: rate, channels, lengths, modes: Vec::new() })
    }

    /// Reads the modes, which stand at the end of the last head; nothing before them says how long it is, so they are
    /// read from behind. `None`: there are none.
    pub fn read_modes(&mut self, setup: &[u8]) -> Option<()> {
        let bit = |at: usize| setup.get(at / 8).is_some_and(|byte| byte >> (at % 8) & 1 == 1);
        let number = |from: usize, count: usize| (0..count).fold(0u32, |all, at| all | u32::from(bit(from + at)) << at);
        // The last bit that is set ends the head.
        let end = (0..setup.len() * 8).rev().find(|at| bit(*at))?;
        let mut found = 0;
        for count in 1..=MOST_MODES {
            let Some(start) = end.checked_sub(count * MODE_BITS).filter(|start| *start >= 6) else { break };
            if number(start + 1, 32) != 0 || number(start + 33, 8) > 63 {
                break;
            }
            if number(start - 6, 6) as usize + 1 == count {
                found = count;
            }
        }
        self.modes = (0..found).rev().map(|back| bit(end - (back + 1) * MODE_BITS)).collect();
        (found > 0).then_some(())
    }

    /// The length of the block in a packet; `None`: it holds no sound.
    pub fn block(&self, packet: &[u8]) -> Option<u32> {
        let first = *packet.first()?;
        if first & 1 == 1 {
            return None;
        }
        let bits = usize::BITS - self.modes.len().checked_sub(1)?.leading_zeros();
        // At most six bits behind the first one.
        let mode = usize::from(first >> 1) & ((1 << bits) - 1);
        let is_long = self.modes.get(mode)?;
        let [short, long] = self.lengths;
        Some(if *is_long { long } else { short })
    }
}

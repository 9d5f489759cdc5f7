//! What the readers of packed sound share: a decoder of packets, and which of the decoded frames are sound.

use super::mpeg_frame::Trim;
use super::probe_error::ProbeError;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use symphonia::core::codecs::audio::{AudioCodecParameters, AudioDecoder, AudioDecoderOptions};
use symphonia::core::packet::Packet;
use symphonia::core::units::{Duration, Timestamp};

/// Decodes packet by packet. A packet that the decoder panics at is a damaged one: its bytes are anybody's.
pub struct Decoder {
    decoder: Box<dyn AudioDecoder>,
    samples: Vec<f32>,
}

impl Decoder {
    pub fn new(params: &AudioCodecParameters) -> Result<Decoder, ProbeError> {
        let decoder = symphonia::default::get_codecs().make_audio_decoder(params, &AudioDecoderOptions::default());
        Ok(Decoder { decoder: decoder.map_err(|_| ProbeError::NotAudio)?, samples: Vec::new() })
    }

    /// The samples of a packet, interleaved: always so many, silence where it is damaged, so that what follows it
    /// keeps its time.
    pub fn decode(&mut self, packet: &[u8], frames: u32, channels: u16) -> &[f32] {
        let length = frames as usize * usize::from(channels);
        let packet = Packet::new(0, Timestamp::new(0), Duration::new(frames.into()), packet);
        self.samples.clear();
        let Decoder { decoder, samples } = self;
        let decoded = catch_unwind(AssertUnwindSafe(|| {
            if let Ok(sound) = decoder.decode(&packet)
                && sound.spec().channels().count() == usize::from(channels)
            {
                sound.copy_to_vec_interleaved(samples);
            }
        }));
        if decoded.is_err() {
            self.decoder.reset();
            self.samples.clear();
        }
        self.samples.resize(length, 0.0);
        &self.samples
    }

    /// Whether a packet is one that can be decoded.
    pub fn decodes(&mut self, packet: &[u8]) -> bool {
        let packet = Packet::new(0, Timestamp::new(0), Duration::new(0), packet);
        let decoded = catch_unwind(AssertUnwindSafe(|| self.decoder.decode(&packet).is_ok()));
        decoded.unwrap_or_else(|_| {
            self.decoder.reset();
            false
        })
    }

    /// Forgets the packets so far: the next one does not follow them.
    pub fn reset(&mut self) {
        self.decoder.reset();
    }
}

impl Trim {
    /// The parts of so many frames from `position` on that are sound.
    pub fn kept(&self, position: u64, frames: u64) -> [Range<u64>; 2] {
        let all = position..position.saturating_add(frames);
        let before = if self.end.is_empty() { u64::MAX } else { self.end.start };
        let behind = if self.end.is_empty() { u64::MAX } else { self.end.end };
        [self.front..before, behind.max(self.front)..u64::MAX].map(|part| {
            let start = all.start.max(part.start).min(all.end);
            start..all.end.min(part.end).max(start)
        })
    }
}

/// Leaves of the frames that were added to `out` behind `from` those that are sound, and gives their number.
pub fn keep(out: &mut Vec<f32>, from: usize, channels: usize, position: u64, trim: &Trim) -> u64 {
    let added = ((out.len() - from) / channels) as u64;
    let (mut to, mut kept) = (from, 0);
    for part in trim.kept(position, added) {
        let place = |frame: u64| from + (frame - position) as usize * channels;
        let (start, end) = (place(part.start), place(part.end));
        out.copy_within(start..end, to);
        to += end - start;
        kept += part.end - part.start;
    }
    out.truncate(to);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_between_the_trims_stay() {
        let trim = Trim { front: 3, end: 8..10 };
        let mut out: Vec<f32> = (0..12).map(|frame| frame as f32).collect();
        assert_eq!(keep(&mut out, 0, 1, 0, &trim), 7);
        assert_eq!(out, [3.0, 4.0, 5.0, 6.0, 7.0, 10.0, 11.0]);
        let mut stereo = vec![9.0, 9.0, 0.0, 0.0, 1.0, 1.0];
        assert_eq!(keep(&mut stereo, 2, 2, 2, &trim), 1);
        assert_eq!(stereo, [9.0, 9.0, 1.0, 1.0]);
    }
}

//! A sum of signals that are put in ahead of their time: who gives says how late its signal is to be.

use super::span::{Bus, Lane, Span, TICK};

/// What is to come, as far ahead as it was made. One does for any number of signals, each late by a time of its own.
#[derive(Debug)]
pub struct LateBus {
    left: Box<[f32]>,
    right: Box<[f32]>,
    mask: usize,
}

impl LateBus {
    /// With room for signals that are late by up to so many frames.
    pub fn new(frames: usize) -> LateBus {
        let length = (frames + 2 * TICK).next_power_of_two();
        let silent = || vec![0.0; length].into_boxed_slice();
        LateBus { left: silent(), right: silent(), mask: length - 1 }
    }

    /// Adds a span's signal, to be taken `late` frames after it, at most as late as there is room for.
    pub fn add(&mut self, span: &Span, late: usize, signal: &Bus, gains: Option<&Lane>) {
        let first = (span.start as usize).wrapping_add(late.min(self.mask - TICK));
        for (lane, signal) in [(&mut self.left, &signal.left), (&mut self.right, &signal.right)] {
            for (at, value) in signal.iter().enumerate().take(span.frames) {
                let gain = gains.and_then(|gains| gains.get(at)).copied().unwrap_or(1.0);
                if let Some(place) = lane.get_mut(first.wrapping_add(at) & self.mask) {
                    *place += value * gain;
                }
            }
        }
    }

    /// Adds what is due in a span, and forgets it.
    pub fn take(&mut self, span: &Span, bus: &mut Bus) {
        for (lane, out) in [(&mut self.left, &mut bus.left), (&mut self.right, &mut bus.right)] {
            for (at, out) in out.iter_mut().enumerate().take(span.frames) {
                if let Some(place) = lane.get_mut((span.start as usize).wrapping_add(at) & self.mask) {
                    *out += std::mem::take(place);
                }
            }
        }
    }

    /// Goes on where a smaller one is, from the frame `now` on.
    pub fn take_over(&mut self, other: &mut LateBus, now: u64) {
        for ahead in 0..=other.mask.min(self.mask) {
            let frame = (now as usize).wrapping_add(ahead);
            for (to, from) in [(&mut self.left, &mut other.left), (&mut self.right, &mut other.right)] {
                if let (Some(to), Some(from)) = (to.get_mut(frame & self.mask), from.get_mut(frame & other.mask)) {
                    *to += std::mem::take(from);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_signal_comes_when_it_is_due() {
        let mut bus = LateBus::new(40);
        let mut heard = Vec::new();
        let mut give = |bus: &mut LateBus, start: u64, frames: usize| {
            let span = Span { start, frames };
            for (late, value) in [(0, 1.0), (5, 100.0), (40, 10_000.0)] {
                let mut signal = Bus::SILENT;
                signal.left[..frames].fill(value);
                bus.add(&span, late, &signal, Some(&[0.5; TICK]));
            }
            let mut out = Bus::SILENT;
            bus.take(&span, &mut out);
            heard.extend_from_slice(&out.left[..frames]);
            assert_eq!(out.right, [0.0; TICK]);
        };
        for (start, frames) in [(0, 3), (3, 13), (16, 16), (32, 16)] {
            give(&mut bus, start, frames);
        }
        // Where there was too little room, nothing of what is under way is lost.
        let mut larger = LateBus::new(400);
        larger.take_over(&mut bus, 48);
        (3..30).for_each(|n| give(&mut larger, n * 16, 16));
        for (frame, value) in heard.iter().enumerate() {
            let meant = [(0, 0.5), (5, 50.0), (40, 5_000.0)].iter().filter(|(late, _)| frame >= *late);
            assert_eq!(*value, meant.map(|(_, value)| value).sum::<f32>(), "frame {frame}");
        }
    }
}

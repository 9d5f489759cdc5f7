//! The main output's safety: straight up to -1 dBFS, bent above, never over 0 dBFS.

use crate::dsp::math::tanh;
use crate::dsp::span::{Bus, Span};

/// -1 dBFS: where it begins.
const START: f32 = 0.891_250_9;
/// What is bent after so long a pause is another time: seconds.
const PAUSE_SECONDS: f32 = 0.05;

/// What was bent, since it was asked for last.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bent {
    /// Stretches, with 50 ms and more between them.
    pub times: u64,
    /// The engine's frame of the first bent sample.
    pub first_frame: Option<u64>,
    /// The largest sample that came in; 0 where nothing was bent.
    pub peak: f32,
}

impl Bent {
    /// By how many decibels the largest sample was made smaller.
    pub fn most_db(&self) -> f64 {
        if self.peak <= START { 0.0 } else { 20.0 * f64::from(self.peak / bend(self.peak)).log10() }
    }

    /// How far the largest sample lay above where bending begins, in decibels.
    pub fn excess_db(&self) -> f64 {
        (20.0 * f64::from(self.peak / START).log10()).max(0.0)
    }
}

/// Bends, and remembers what it bent.
#[derive(Default)]
pub struct SafetyClip {
    bent: Bent,
    last_frame: Option<u64>,
}

impl SafetyClip {
    /// What it does depends on the samples alone, not on how spans are cut.
    pub fn process(&mut self, span: &Span, rate: f32, bus: &mut Bus) {
        if bus.peak(span.frames) <= START {
            return;
        }
        let pause = (PAUSE_SECONDS * rate) as u64;
        for (frame, (left, right)) in (span.start..).zip(bus.frames_mut(span.frames)) {
            let peak = left.abs().max(right.abs());
            if peak > START {
                let goes_on = self.last_frame.is_some_and(|last| frame - last.min(frame) < pause);
                if !goes_on || self.bent.times == 0 {
                    self.bent.times += 1;
                }
                self.bent.first_frame.get_or_insert(frame);
                self.bent.peak = self.bent.peak.max(peak);
                self.last_frame = Some(frame);
                (*left, *right) = (bend(*left), bend(*right));
            }
        }
    }

    pub fn take(&mut self) -> Bent {
        std::mem::take(&mut self.bent)
    }
}

fn bend(x: f32) -> f32 {
    let over = x.abs() - START;
    if over <= 0.0 { x } else { x.signum() * (START + (1.0 - START) * tanh(over / (1.0 - START))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_below_is_left_alone_and_what_is_bent_is_remembered() {
        let mut clip = SafetyClip::default();
        let span = |start| Span { start, frames: 4 };
        let mut bus = Bus::SILENT;
        bus.left[..4].copy_from_slice(&[0.5, -0.89, 0.2, 0.0]);
        let before = bus;
        clip.process(&span(96), 48_000.0, &mut bus);
        assert_eq!((bus == before, clip.take()), (true, Bent::default()));
        bus.right[..4].copy_from_slice(&[3.0, -40.0, 0.95, 0.5]);
        clip.process(&span(100), 48_000.0, &mut bus);
        assert!(bus.peak(4) <= 1.0 && bus.left == before.left && bus.right[2] > 0.93);
        // Again within the pause, and behind it.
        for start in [2_000, 4_500] {
            bus.right[..4].copy_from_slice(&[0.0, 1.2, 0.0, 0.0]);
            clip.process(&span(start), 48_000.0, &mut bus);
        }
        let bent = clip.take();
        assert_eq!(bent, Bent { times: 2, first_frame: Some(100), peak: 40.0 });
        assert!((bent.excess_db() - 33.04).abs() < 0.01 && (bent.most_db() - 32.04).abs() < 0.01);
        assert_eq!(clip.take(), Bent::default());
    }
}

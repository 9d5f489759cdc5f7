//! A ring of past samples.

use super::span::quiet;

/// The past of one channel, as long as it was made.
#[derive(Clone, Debug)]
pub struct DelayLine {
    samples: Box<[f32]>,
    mask: usize,
    next: usize,
}

impl DelayLine {
    /// Remembers at least `frames`.
    pub fn new(frames: usize) -> DelayLine {
        let length = (frames + 4).next_power_of_two();
        DelayLine { samples: vec![0.0; length].into_boxed_slice(), mask: length - 1, next: 0 }
    }

    /// How far back it can be asked.
    pub fn longest(&self) -> usize {
        self.mask - 3
    }

    #[inline]
    pub fn write(&mut self, value: f32) {
        if let Some(place) = self.samples.get_mut(self.next) {
            *place = quiet(value);
        }
        self.next = (self.next + 1) & self.mask;
    }

    /// The sample written `frames` ago; 1 is the last one.
    #[inline]
    pub fn read(&self, frames: usize) -> f32 {
        self.samples.get(self.next.wrapping_sub(frames) & self.mask).copied().unwrap_or_default()
    }

    /// Where a place between samples lies, 2 to [`DelayLine::longest`] frames ago: whole frames, and the rest.
    #[inline]
    pub fn place(&self, frames: f32) -> (usize, f32) {
        let frames = frames.clamp(2.0, self.longest() as f32);
        let whole = frames as usize;
        (whole, frames - whole as f32)
    }

    /// The samples written `whole + 2`, `whole + 1`, `whole` and `whole - 1` frames ago.
    #[inline]
    pub fn four_around(&self, whole: usize) -> [f32; 4] {
        let oldest = self.next.wrapping_sub(whole + 2) & self.mask;
        match self.samples.get(oldest..).and_then(|rest| rest.first_chunk()) {
            Some(four) => *four,
            // The ring's end lies among them.
            None => [2, 1, 0, -1].map(|back: isize| self.read(whole.wrapping_add_signed(back))),
        }
    }

    /// Between samples, through four of them; 2 to [`DelayLine::longest`] frames ago.
    #[inline]
    pub fn read_between(&self, frames: f32) -> f32 {
        let (whole, t) = self.place(frames);
        let [y3, y2, y1, y0] = self.four_around(whole);
        let c1 = 0.5 * (y2 - y0);
        let c2 = y0 - 2.5 * y1 + 2.0 * y2 - 0.5 * y3;
        let c3 = 0.5 * (y3 - y0) + 1.5 * (y1 - y2);
        y1 + t * (c1 + t * (c2 + t * c3))
    }

    #[cfg(test)]
    pub fn memory(&self) -> &[f32] {
        &self.samples
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_comes_back_when_it_is_told() {
        let mut line = DelayLine::new(100);
        for n in 0..1000 {
            line.write(n as f32);
            for back in [1, 2, 50, 100] {
                assert_eq!(line.read(back), (n as f32 - back as f32 + 1.0).max(0.0));
            }
            if n > 110 {
                assert!((line.read_between(20.25) - (n as f32 - 19.25)).abs() < 1e-3);
            }
        }
    }
}

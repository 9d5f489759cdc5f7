//! An allpass that smears hits.

use super::delay_line::DelayLine;

#[derive(Clone, Debug)]
pub struct Diffuser {
    line: DelayLine,
    frames: usize,
}

impl Diffuser {
    pub fn new(frames: usize) -> Diffuser {
        Diffuser { line: DelayLine::new(frames), frames: frames.max(1) }
    }

    /// `amount` 0 to 0.9.
    #[inline]
    pub fn process(&mut self, input: f32, amount: f32) -> f32 {
        let past = self.line.read(self.frames);
        let inside = input - amount * past;
        self.line.write(inside);
        past + amount * inside
    }

    #[cfg(test)]
    pub fn memory(&self) -> &[f32] {
        self.line.memory()
    }
}

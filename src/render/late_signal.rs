//! A track's signal as late as it is heard in the mix.

use crate::sound::passed_sound::PassedSound;

/// Both channels of one block, from a signal that is late by so many frames.
#[derive(Default)]
pub struct LateSignal {
    passed: PassedSound,
    left: Vec<f32>,
    right: Vec<f32>,
}

impl LateSignal {
    pub fn new(late: u32) -> LateSignal {
        LateSignal { passed: PassedSound::late_by(late), ..LateSignal::default() }
    }

    /// Forgets the block before.
    pub fn begin(&mut self) {
        self.left.clear();
        self.right.clear();
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) {
        let from = self.left.len();
        self.left.extend(left);
        self.right.extend(right);
        if let (Some(left), Some(right)) = (self.left.get_mut(from..), self.right.get_mut(from..)) {
            self.passed.pass(&mut [left, right]);
        }
    }

    pub fn heard(&self) -> (&[f32], &[f32]) {
        (&self.left, &self.right)
    }
}

//! A track's signal as late as it is heard in the mix.

use std::collections::VecDeque;

/// Both channels of one block, from a signal that is late by so many frames.
#[derive(Default)]
pub struct LateSignal {
    waiting: VecDeque<(f32, f32)>,
    late: usize,
    left: Vec<f32>,
    right: Vec<f32>,
}

impl LateSignal {
    pub fn new(late: u32) -> LateSignal {
        let late = late as usize;
        LateSignal { waiting: std::iter::repeat_n((0.0, 0.0), late).collect(), late, ..LateSignal::default() }
    }

    /// Forgets the block before.
    pub fn begin(&mut self) {
        self.left.clear();
        self.right.clear();
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) {
        if self.late == 0 {
            self.left.extend(left);
            self.right.extend(right);
            return;
        }
        self.waiting.extend(left.iter().copied().zip(right.iter().copied()));
        let due = self.waiting.len().saturating_sub(self.late);
        for (left, right) in self.waiting.drain(..due) {
            self.left.push(left);
            self.right.push(right);
        }
    }

    pub fn heard(&self) -> (&[f32], &[f32]) {
        (&self.left, &self.right)
    }
}

//! Who hears more of a block than its main output.

use super::mix::OutputTracks;
use svc_sound::engine::{Block, Taps};

/// Called where the sound is made: by who makes a file, or on the audio thread, whose rules it keeps there.
pub trait Listener: Taps {
    /// What happens in the block, before its sound is made.
    fn block(&mut self, _block: &Block) {}

    /// Whose the outputs of single tracks are, before the block's sound is made.
    fn outputs(&mut self, _tracks: &OutputTracks) {}

    /// The sound as a whole comes or goes: at this frame of the block, which is made, it has this gain.
    fn fade(&mut self, _frame: usize, _gain: f32) {}
}

/// Nobody listens.
impl Listener for () {}

//! Outputs of single tracks: what the strip of a track puts out, beside the main output, which stays the whole mix.
//!
//! Nothing here allocates, frees, locks or waits, and where there are no such outputs nothing here runs.

use super::listener::Listener;
use super::mix::{OutputTracks, TRACK_OUTPUTS};
use crate::set::document::ids::Serial;
use svc_sound::dsp::span::{Bus, Lane};
use svc_sound::engine::Taps;

/// An output goes from one track to another within this time.
const CHANGE_SECONDS: f32 = 0.005;

/// Where somebody wants a block of the outputs, which is silent so far. What is not there or is too short gets nothing,
/// or as much as it has room for.
pub trait OutputChannels {
    /// A channel of an output: 0 is left, 1 is right.
    fn channel(&mut self, output: usize, channel: usize) -> Option<&mut [f32]>;
}

/// Whose the outputs are, from block to block.
pub struct TrackOutputs {
    outputs: [Output; TRACK_OUTPUTS],
    /// No block was made yet.
    is_fresh: bool,
    change_frames: usize,
    /// Of the block that was made last.
    frames: usize,
}

#[derive(Clone, Copy, Default)]
struct Output {
    track: Option<Serial>,
    /// Whose it was: that one goes while the other comes.
    before: Option<Serial>,
    /// Frames between that change and the block.
    age: usize,
    /// Frames of the block that there are: of the track, of the one before.
    made: [usize; 2],
}

impl TrackOutputs {
    pub fn new(rate: f32) -> TrackOutputs {
        let change_frames = ((CHANGE_SECONDS * rate) as usize).max(1);
        TrackOutputs { outputs: Default::default(), is_fresh: true, change_frames, frames: 0 }
    }

    /// Hears a block of so many frames, and puts what the outputs have of it into `channels`.
    pub fn block<'a, C: OutputChannels>(&'a mut self, frames: usize, channels: &'a mut C) -> BlockOutputs<'a, C> {
        let before = std::mem::replace(&mut self.frames, frames);
        for output in &mut self.outputs {
            output.age = output.age.saturating_add(before);
            output.made = [0, 0];
        }
        BlockOutputs { of: self, channels }
    }
}

/// The outputs in one block.
pub struct BlockOutputs<'a, C> {
    of: &'a mut TrackOutputs,
    channels: &'a mut C,
}

impl<C: OutputChannels> Listener for BlockOutputs<'_, C> {
    fn outputs(&mut self, tracks: &OutputTracks) {
        let is_fresh = std::mem::take(&mut self.of.is_fresh);
        for (output, track) in self.of.outputs.iter_mut().zip(tracks) {
            if output.track != *track {
                (output.before, output.track, output.age) = (output.track, *track, 0);
                if is_fresh {
                    output.age = self.of.change_frames;
                }
            }
            if output.age >= self.of.change_frames {
                output.before = None;
            }
        }
    }

    fn fade(&mut self, frame: usize, gain: f32) {
        for (output, channel) in (0..TRACK_OUTPUTS).flat_map(|output| [(output, 0), (output, 1)]) {
            if let Some(value) = self.channels.channel(output, channel).and_then(|channel| channel.get_mut(frame)) {
                *value *= gain;
            }
        }
    }
}

impl<C: OutputChannels> Taps for BlockOutputs<'_, C> {
    fn track(&mut self, id: u32, signal: &Bus, frames: usize) {
        let change_frames = self.of.change_frames;
        for (at, output) in self.of.outputs.iter_mut().enumerate() {
            for (role, track) in [output.track, output.before].into_iter().enumerate() {
                let Some(made) = output.made.get_mut(role).filter(|_| track == Some(id)) else { continue };
                let from = std::mem::replace(made, *made + frames);
                let age = output.age.saturating_add(from);
                let coming = |frame: usize| (age.saturating_add(frame) as f32 / change_frames as f32).min(1.0);
                let gain = |frame| if role == 0 { coming(frame) } else { 1.0 - coming(frame) };
                let add = |room: &mut [f32], lane: &Lane| {
                    let values = lane.iter().take(frames).enumerate();
                    room.iter_mut().zip(values).for_each(|(room, (frame, value))| *room += value * gain(frame));
                };
                for (channel, lane) in [(0, &signal.left), (1, &signal.right)] {
                    if let Some(room) = self.channels.channel(at, channel).and_then(|channel| channel.get_mut(from..)) {
                        add(room, lane);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;

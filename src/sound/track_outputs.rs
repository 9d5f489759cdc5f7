//! Outputs of single tracks: what the strip of a track puts out, beside the main output, which stays the whole mix.
//!
//! Nothing here allocates, frees, locks or waits, and where there are no such outputs nothing here runs.

use super::listener::Listener;
use super::mix::{OutputTrack, OutputTracks, TRACK_OUTPUTS};
use svc_sound::dsp::span::Bus;
use svc_sound::engine::Taps;

/// An output goes from one track to another, or to another lateness of the same, within this time.
const CHANGE_SECONDS: f32 = 0.005;
/// No way in the engine is longer, in frames. Systems give the memory as it is used: tracks without delays use none.
const MOST_LATE: usize = svc_sound::plan::MOST_LATE as usize;

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
    /// What is late, by output.
    late: [LateFrames; TRACK_OUTPUTS],
}

#[derive(Clone, Copy, Default)]
struct Output {
    track: Option<OutputTrack>,
    /// Whose it was: that one goes while the other comes.
    before: Option<OutputTrack>,
    /// Frames between that change and the block.
    age: usize,
    /// Frames of the block that there are: of the track, of the one before.
    made: [usize; 2],
}

impl TrackOutputs {
    pub fn new(rate: f32) -> TrackOutputs {
        let change_frames = ((CHANGE_SECONDS * rate) as usize).max(1);
        let late = std::array::from_fn(|_| LateFrames::new());
        TrackOutputs { outputs: Default::default(), is_fresh: true, change_frames, frames: 0, late }
    }

    /// Hears a block of so many frames, and puts what the outputs have of it into `channels`.
    pub fn block<'a, C: OutputChannels>(&'a mut self, frames: usize, channels: &'a mut C) -> BlockOutputs<'a, C> {
        let before = std::mem::replace(&mut self.frames, frames);
        for output in &mut self.outputs {
            output.age = output.age.saturating_add(before);
            output.made = [0, 0];
        }
        for (output, late) in self.late.iter_mut().enumerate() {
            late.begin(frames, |channel, frame, value| {
                if let Some(room) = channels.channel(output, channel).and_then(|room| room.get_mut(frame)) {
                    *room += value;
                }
            });
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
                let Some(track) = track.filter(|track| track.id == id) else { continue };
                let Some(made) = output.made.get_mut(role) else { continue };
                let from = std::mem::replace(made, *made + frames);
                let age = output.age.saturating_add(from);
                let coming = |frame: usize| (age.saturating_add(frame) as f32 / change_frames as f32).min(1.0);
                let gain = |frame| if role == 0 { coming(frame) } else { 1.0 - coming(frame) };
                let Some(late) = self.of.late.get_mut(at) else { continue };
                let block = self.of.frames;
                for (channel, lane) in [(0, &signal.left), (1, &signal.right)] {
                    let values = lane.iter().take(frames).enumerate().map(|(frame, value)| value * gain(frame));
                    let first = from + (track.late_frames as usize).min(MOST_LATE);
                    let mut room = self.channels.channel(at, channel);
                    for (frame, value) in (first..).zip(values) {
                        if frame >= block {
                            late.add(channel, frame - block, value);
                        } else if let Some(room) = room.as_deref_mut().and_then(|room| room.get_mut(frame)) {
                            *room += value;
                        }
                    }
                }
            }
        }
    }
}

/// What was made and comes out in a later block.
struct LateFrames {
    channels: [Vec<f32>; 2],
    /// The place in them of the frame behind the block.
    next: usize,
    /// Frames behind the block that something may come in.
    waiting: usize,
}

impl LateFrames {
    fn new() -> LateFrames {
        LateFrames { channels: std::array::from_fn(|_| vec![0.0; MOST_LATE]), next: 0, waiting: 0 }
    }

    /// A block of so many frames begins: what is due in it is given by channel and frame.
    fn begin(&mut self, frames: usize, mut give: impl FnMut(usize, usize, f32)) {
        let due = self.waiting.min(frames);
        for (channel, values) in self.channels.iter_mut().enumerate() {
            for frame in 0..due {
                if let Some(value) = values.get_mut((self.next + frame) % MOST_LATE) {
                    give(channel, frame, std::mem::take(value));
                }
            }
        }
        self.waiting -= due;
        self.next = (self.next + frames) % MOST_LATE;
    }

    /// Adds to the frame that comes so many behind the block.
    fn add(&mut self, channel: usize, frame: usize, value: f32) {
        let place = (self.next + frame) % MOST_LATE;
        if let Some(kept) = self.channels.get_mut(channel).and_then(|kept| kept.get_mut(place)) {
            *kept += value;
            self.waiting = self.waiting.max(frame + 1);
        }
    }
}

#[cfg(test)]
mod tests;

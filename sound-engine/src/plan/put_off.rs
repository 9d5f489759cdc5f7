//! What happens to a track whose sound is late already when it comes in: its clips and its parameters are as late.

use super::prepare::{Plan, TrackNode};
use super::track::Automated;
use crate::parameter::Parameter;
use std::collections::VecDeque;

/// Acts of one track that wait. Where there is no room the oldest comes early: none is lost.
const MOST_WAITING: usize = 4_096;

/// What happens to a track, but for its notes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TrackAct {
    StartClip { clip: u64, time: f64, beats: f64 },
    StopClip,
    Go { of: Automated, parameter: Parameter, value: f32, frames: u32 },
    Free { of: Automated, parameter: Parameter },
    FreeAll,
}

impl TrackAct {
    /// The crossfader moves the strips of other tracks, whose sound is not late yet.
    fn is_of_others(self) -> bool {
        matches!(
            self,
            TrackAct::Go { parameter: Parameter::Crossfade, .. }
                | TrackAct::Free { parameter: Parameter::Crossfade, .. }
        )
    }
}

/// Lives on from plan to plan.
pub(super) struct PutOff(VecDeque<(u64, TrackAct)>);

impl PutOff {
    /// Allocates all that it ever needs.
    pub fn new() -> PutOff {
        PutOff(VecDeque::with_capacity(MOST_WAITING))
    }

    /// Keeps an act until a frame, and gives the one that comes in its place now.
    fn put(&mut self, due: u64, act: TrackAct) -> Option<TrackAct> {
        let instead = if self.0.len() < MOST_WAITING { None } else { self.0.pop_front() };
        // However the delays change, what came first acts first.
        let due = self.0.back().map_or(due, |(last, _)| due.max(*last));
        self.0.push_back((due, act));
        instead.map(|(_, act)| act)
    }

    fn take(&mut self, now: u64) -> Option<TrackAct> {
        let is_due = self.0.front().is_some_and(|(due, _)| *due <= now);
        if is_due { self.0.pop_front().map(|(_, act)| act) } else { None }
    }
}

impl TrackNode {
    /// Gives what happens now: the act itself, unless it has to wait.
    pub(crate) fn put_off(&self, act: TrackAct, now: u64) -> Option<TrackAct> {
        let Some(put_off) = self.put_off.as_ref().filter(|_| !act.is_of_others()) else { return Some(act) };
        let Ok(mut waiting) = put_off.try_borrow_mut() else { return Some(act) };
        if self.late_by == 0 && waiting.0.is_empty() {
            return Some(act);
        }
        waiting.put(now + u64::from(self.late_by), act)
    }

    fn next_due(&self) -> Option<u64> {
        self.put_off.as_ref()?.try_borrow().ok()?.0.front().map(|(due, _)| *due)
    }

    pub(crate) fn act(&mut self, act: TrackAct, now: u64, tempo_bpm: f64) {
        match act {
            TrackAct::StartClip { clip, time, beats } => self.start_clip(clip, (time, beats), now, tempo_bpm),
            TrackAct::StopClip => self.stop_clip(),
            TrackAct::Go { of, parameter, value, frames } => self.go(of, parameter, (value, frames), now),
            TrackAct::Free { of, parameter } => self.free(of, Some(parameter)),
            TrackAct::FreeAll => self.free_all(),
        }
    }
}

impl Plan {
    /// Does what was put off until now, and says at which frame something is due again.
    pub(crate) fn act_late(&mut self, now: u64, tempo_bpm: f64) -> u64 {
        let mut next = u64::MAX;
        if self.puts_off {
            for track in &mut self.tracks {
                while let Some(act) = track.put_off.as_ref().and_then(|put| put.try_borrow_mut().ok()?.take(now)) {
                    track.act(act, now, tempo_bpm);
                }
                next = next.min(track.next_due().unwrap_or(u64::MAX));
            }
        }
        next
    }
}

//! How late each track's sound is where it goes, so that every track is heard by its delay after what has none.
//!
//! Nothing can be earlier than it is made. So what has no delay is late by as much as the earliest is early: how late
//! the sound is that comes into a track is found from the sources on, and is no more than it has to be.

use super::prepare::{Plan, SendNode, TrackNode};
use super::store::{Shared, StateStore};
use crate::dsp::late_bus::LateBus;
use crate::dsp::ramp::Ramp;
use crate::dsp::span::{Bus, Lane, Span};
use crate::mixer::MOST_SENDS;

/// Longer ways are cut to it: with tracks of 1,000 ms each it takes groups in groups to get there.
pub const MOST_LATE: u32 = 1 << 20;
/// A way that becomes longer or shorter fades over to its new length.
const FADE_SECONDS: f32 = 0.005;

/// What comes into a track late.
pub(super) struct LateInput {
    /// Frames by which it may be late.
    pub room: u32,
    pub bus: Shared<LateBus>,
    /// The smaller one that it takes the place of.
    pub grown_from: Option<Shared<LateBus>>,
}

/// How long the ways of a track are.
pub(super) struct Ways {
    /// The output, then the sends.
    ways: [Way; 1 + MOST_SENDS],
}

#[derive(Clone, Copy)]
struct Way {
    /// Frames; faded from one to the other.
    from: u32,
    to: u32,
    fade: Ramp,
    fresh: bool,
}

impl Ways {
    pub fn new(rate: f32) -> Ways {
        let way = Way { from: 0, to: 0, fade: Ramp::new(1.0, FADE_SECONDS, rate), fresh: true };
        Ways { ways: [way; 1 + MOST_SENDS] }
    }

    /// How a span goes by a way that is to be so long. `index` 0 is the output's.
    pub fn late(&mut self, index: usize, frames: u32, span: &Span) -> Late {
        let Some(way) = self.ways.get_mut(index) else { return Late::by(frames) };
        if std::mem::take(&mut way.fresh) {
            (way.from, way.to) = (frames, frames);
        }
        if way.to != frames && !way.fade.is_moving() {
            (way.from, way.to) = (way.to, frames);
            way.fade.jump(0.0);
            way.fade.go(1.0);
        }
        let fade = way.fade.is_moving().then(|| way.fade.lane(span));
        Late { from: way.from, to: way.to, fade }
    }
}

/// How late a span is to be where it goes.
pub(crate) struct Late {
    from: u32,
    to: u32,
    /// How much of it goes by `to` already.
    fade: Option<Lane>,
}

impl Late {
    fn by(frames: u32) -> Late {
        Late { from: frames, to: frames, fade: None }
    }
}

impl Plan {
    /// Finds how late everything is. `at_least`: the main track's input.
    pub(super) fn find_ways(&mut self, at_least: u32, store: &mut StateStore) {
        let last = self.tracks.len().saturating_sub(1);
        let mut late = vec![0i64; self.tracks.len()];
        if let Some(main) = late.last_mut() {
            *main = i64::from(at_least.min(MOST_LATE));
        }
        for place in 0..last {
            let Some(track) = self.tracks.get(place) else { continue };
            let own = late.get(place).copied().unwrap_or_default() - track.delay_frames;
            for to in track.ways() {
                if let Some(late) = late.get_mut(to) {
                    *late = own.clamp(*late, i64::from(MOST_LATE));
                }
            }
        }
        let mut longest = vec![0u32; self.tracks.len()];
        for (place, track) in self.tracks.iter_mut().enumerate() {
            let own = late.get(place).copied().unwrap_or_default();
            let after = own - track.delay_frames;
            let frames = |to: usize| {
                let way = late.get(to).copied().unwrap_or_default() - after;
                way.clamp(0, i64::from(MOST_LATE)) as u32
            };
            track.late_by = own as u32;
            track.output_late = track.output.map_or(0, frames);
            for send in &mut track.sends {
                send.late = frames(send.to);
            }
            let sends = track.sends.iter().map(|send| (send.to, send.late));
            for (to, frames) in track.output.map(|to| (to, track.output_late)).into_iter().chain(sends) {
                if let Some(longest) = longest.get_mut(to) {
                    *longest = frames.max(*longest);
                }
            }
            track.put_off = store.put_off(track.id, track.late_by > 0);
            self.puts_off |= track.put_off.is_some();
        }
        let inputs = self.tracks.iter().zip(&longest).map(|(track, longest)| store.late_input(track.id, *longest));
        self.late_inputs = inputs.collect();
    }

    /// How late the main output is as a whole, in frames: as much as the earliest track is early.
    pub fn latency(&self) -> u32 {
        self.tracks.last().map_or(0, |main| main.late_by)
    }

    /// How late a track's own signal is in the main track, in frames: at least 0, and the latency where nothing on its
    /// way has a delay.
    pub fn late_by(&self, track: u32) -> u32 {
        let (mut late, mut next) = (0u32, self.place(track));
        while let Some(track) = next.and_then(|place| self.tracks.get(place)) {
            late = late.saturating_add(track.output_late);
            next = track.output;
        }
        late
    }

    /// Frames of each memory of what is late.
    pub fn late_rooms(&self) -> Vec<u32> {
        self.late_inputs.iter().flatten().map(|input| input.room).collect()
    }

    /// What went into smaller buses goes on in those that took their place.
    pub(crate) fn take_over_late(&self, now: u64) {
        for input in self.late_inputs.iter().flatten() {
            if let Some(smaller) = &input.grown_from
                && let (Ok(mut bus), Ok(mut smaller)) = (input.bus.try_borrow_mut(), smaller.try_borrow_mut())
            {
                bus.take_over(&mut smaller, now);
            }
        }
    }

    /// What comes into a track in a span.
    pub(crate) fn take_input(&mut self, place: usize, span: &Span) -> Bus {
        let mut bus = self.inputs.get_mut(place).map_or(Bus::SILENT, |input| std::mem::replace(input, Bus::SILENT));
        if let Some(late) = self.late_inputs.get(place).and_then(Option::as_ref)
            && let Ok(mut late) = late.bus.try_borrow_mut()
        {
            late.take(span, &mut bus);
        }
        bus
    }
}

/// The places where signals go in.
pub(crate) struct Inputs<'a> {
    pub(super) inputs: &'a mut [Bus],
    pub(super) late: &'a [Option<LateInput>],
}

impl Plan {
    /// Tracks, where they put their signals in, and what these are behind their faders.
    pub(crate) fn parts(&mut self) -> (&mut [TrackNode], Inputs<'_>, &mut [Bus]) {
        let inputs = Inputs { inputs: &mut self.inputs, late: &self.late_inputs };
        (&mut self.tracks, inputs, &mut self.taps)
    }
}

impl Inputs<'_> {
    /// Gives a span to a track.
    pub fn give(&mut self, to: usize, late: &Late, span: &Span, signal: &Bus, gains: Option<&Lane>) {
        match &late.fade {
            None => self.give_at(to, late.to, span, signal, gains),
            Some(fade) => {
                let scaled = |part: &dyn Fn(f32) -> f32| -> Lane {
                    let gain = |at: usize| gains.and_then(|gains| gains.get(at)).copied().unwrap_or(1.0);
                    std::array::from_fn(|at| gain(at) * part(fade.get(at).copied().unwrap_or(1.0)))
                };
                self.give_at(to, late.from, span, signal, Some(&scaled(&|to| 1.0 - to)));
                self.give_at(to, late.to, span, signal, Some(&scaled(&|to| to)));
            }
        }
    }

    fn give_at(&mut self, to: usize, late: u32, span: &Span, signal: &Bus, gains: Option<&Lane>) {
        if late == 0 {
            let Some(input) = self.inputs.get_mut(to) else { return };
            match gains {
                Some(gains) => input.add_scaled(signal, gains),
                None => input.add(signal),
            }
        } else if let Some(input) = self.late.get(to).and_then(Option::as_ref)
            && let Ok(mut bus) = input.bus.try_borrow_mut()
        {
            bus.add(span, late as usize, signal, gains);
        }
    }
}

impl TrackNode {
    /// The places that it goes to.
    fn ways(&self) -> impl Iterator<Item = usize> {
        self.output.into_iter().chain(self.sends.iter().map(|send: &SendNode| send.to))
    }
}

//! What the engine does with a track of a plan.

use super::device::Moment;
use super::overrides::Overrides;
use super::prepare::{SendNode, TrackNode};
use super::store::TrackState;
use super::ways::Inputs;
use crate::dsp::span::{Bus, Lane, Span, TICK};
use crate::mixer::StripSettings;
use crate::parameter::Parameter;

/// Whose parameter moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Automated {
    /// The event's track itself.
    Track,
    /// A device of the track, by its id; also one in a rack.
    Device(u64),
    /// A chain of a rack on the track.
    Chain(u64),
}

/// A strip's settings with what moves.
pub(super) fn strip_settings(settings: &StripSettings, overrides: &Overrides, span: &Span) -> StripSettings {
    let mut settings = *settings;
    if !overrides.is_empty() {
        for (parameter, value) in overrides.values(span) {
            settings.set(parameter, value);
        }
    }
    settings
}

impl TrackNode {
    pub(crate) fn start_clip(&self, clip: u64, at: (f64, f64), now: u64, tempo_bpm: f64) {
        let found = self.clips.binary_search_by_key(&clip, |clip| clip.id).ok();
        if let Some(clip) = found.and_then(|index| self.clips.get(index))
            && let Ok(mut state) = self.state.try_borrow_mut()
        {
            state.clips.start(clip, at, now, tempo_bpm);
        }
    }

    pub(crate) fn stop_clip(&self) {
        if let Ok(mut state) = self.state.try_borrow_mut() {
            state.clips.stop();
        }
    }

    /// When its notes go another way than in the plan before, those that sound end: their own ends would not find them.
    /// Says so.
    pub(super) fn settle_notes(&self) -> bool {
        let Ok(mut state) = self.state.try_borrow_mut() else { return false };
        let is_new = state.note_layout != self.note_layout;
        if is_new {
            state.note_layout = self.note_layout;
            self.devices.iter().for_each(|device| device.end_notes());
        }
        is_new
    }

    /// Moves a parameter straight to a value, within so many frames.
    pub(crate) fn go(&mut self, of: Automated, parameter: Parameter, to: (f32, u32), now: u64) {
        match of {
            Automated::Track => {
                let send = |id: u64| self.sends.iter().find(|send| u64::from(send.id) == id).map(|send| send.gain_db);
                let from = match parameter {
                    Parameter::Send(id) => send(id),
                    // Of the main track; where it comes from, the plan knows, and the ramps of strips hide the step.
                    Parameter::Crossfade => Some(0.0),
                    _ => self.strip.value(parameter),
                };
                if let (Some(from), Ok(mut state)) = (from, self.state.try_borrow_mut()) {
                    state.overrides.go(parameter, from, to, now);
                }
            }
            Automated::Device(id) => self.devices.iter_mut().for_each(|device| device.go(id, parameter, to, now)),
            Automated::Chain(id) => self.devices.iter_mut().for_each(|device| device.go_chain(id, parameter, to, now)),
        }
    }

    /// Lets go of one parameter, or of all.
    pub(crate) fn free(&mut self, of: Automated, parameter: Option<Parameter>) {
        match of {
            Automated::Track => {
                if let Ok(mut state) = self.state.try_borrow_mut() {
                    state.overrides.free(parameter);
                }
            }
            Automated::Device(id) => self.devices.iter_mut().for_each(|device| device.free(Some(id), parameter)),
            Automated::Chain(id) => self.devices.iter_mut().for_each(|device| device.free_chain(id, parameter)),
        }
    }

    /// Lets go of everything on the track.
    pub(crate) fn free_all(&mut self) {
        self.free(Automated::Track, None);
        self.devices.iter_mut().for_each(|device| device.free(None, None));
    }

    /// Where the crossfader stands, if it is moved.
    pub(crate) fn crossfade(&self, span: &Span) -> Option<f32> {
        self.state.try_borrow().ok()?.overrides.value(Parameter::Crossfade, span)
    }

    /// Makes a span: what its clips play, through its devices and its strip, to where it goes. The answer is what of it
    /// is heard by its output, whoever sums that; `None`: all.
    pub(crate) fn make(
        &mut self,
        moment: &Moment,
        tempo_bpm: f64,
        crossfade: f32,
        bus: &mut Bus,
        inputs: &mut Inputs,
    ) -> Option<Lane> {
        let mut state = self.state.try_borrow_mut().ok();
        if let Some(state) = &mut state
            && !state.clips.is_silent()
        {
            state.clips.render(&self.clips, &moment.span, tempo_bpm, bus);
        }
        for device in &mut self.devices {
            device.process(moment, bus);
        }
        self.strip(state.as_deref_mut()?, &moment.span, crossfade, bus, inputs)
    }

    /// Takes the signal through the strip, and gives it to where it goes.
    fn strip(
        &self,
        state: &mut TrackState,
        span: &Span,
        crossfade: f32,
        bus: &mut Bus,
        inputs: &mut Inputs,
    ) -> Option<Lane> {
        let TrackState { strip, overrides, ways, .. } = state;
        let settings = strip_settings(&self.strip, overrides, span);
        let db = |send: &SendNode| {
            let moved = overrides.value(Parameter::Send(u64::from(send.id)), span);
            moved.unwrap_or(send.gain_db)
        };
        strip.aim(&settings, crossfade, self.sends.iter().map(db));
        let before = strip.process(span, bus);
        let [mut open, mut direct] = [None; 2];
        if !strip.is_direct(!self.is_output_shut, !self.sends_alone) {
            [open, direct] = strip.direct(!self.is_output_shut, !self.sends_alone, span);
        }
        if let Some(output) = self.output {
            inputs.give(output, &ways.late(0, self.output_late, span), span, bus, open.as_ref());
        }
        for (index, send) in self.sends.iter().enumerate() {
            let mut gains = [0.0; TICK];
            if strip.send(index, span, &mut gains) {
                let signal = if send.before_fader { &before } else { &*bus };
                inputs.give(send.to, &ways.late(index + 1, send.late, span), span, signal, Some(&gains));
            }
        }
        direct
    }
}

//! A chain of a rack in a plan.

use super::device::DeviceNode;
use super::notes::{NoteContext, walk};
use super::overrides::Overrides;
use super::settings::ChainSettings;
use super::store::{Shared, StateStore};
use super::track::strip_settings;
use crate::dsp::ramp::Ramp;
use crate::dsp::span::{Bus, Lane, Span, TICK};
use crate::instruments::Note;
use crate::mixer::Strip;
use crate::note_effects::{NoteAct, NoteMap, Out};
use crate::parameter::Parameter;

/// Return chains of one rack.
pub(super) const MOST_RETURNS: usize = 6;
/// A chain is chosen and left within this time.
const SELECT_SECONDS: f32 = 0.005;
/// Notes that a chain knows by what it made of them; of others it knows by their pitch.
const KNOWN_NOTES: usize = 32;

/// What a chain remembers.
pub(super) struct ChainState {
    pub strip: Strip,
    pub notes: NoteMap,
    /// How much of the rack's signal goes in.
    pub input: Ramp,
    pub overrides: Overrides,
    fresh: bool,
}

impl ChainState {
    pub fn new(rate: f32) -> ChainState {
        ChainState {
            strip: Strip::new(rate),
            notes: NoteMap::new(KNOWN_NOTES),
            input: Ramp::new(1.0, SELECT_SECONDS, rate),
            overrides: Overrides::new(),
            fresh: true,
        }
    }
}

pub struct ChainNode {
    pub(super) settings: ChainSettings,
    pub(super) state: Shared<ChainState>,
    pub(super) devices: Vec<DeviceNode>,
    /// The return chains, by their places among those of the rack, and gains in dB.
    sends: Vec<(usize, u64, f32)>,
}

impl ChainNode {
    /// `returns` are the ids of the rack's return chains.
    pub(super) fn new(
        mut settings: ChainSettings,
        returns: &[u64],
        store: &mut StateStore,
        track: &dyn Fn(u32) -> Option<usize>,
    ) -> ChainNode {
        let state = store.chain(settings.id);
        let devices = std::mem::take(&mut settings.devices);
        let devices = devices.into_iter().map(|device| DeviceNode::new(device, store, track)).collect();
        let place = |id: u64| returns.iter().take(MOST_RETURNS).position(|known| *known == id);
        let to_return = settings.is_return;
        let sends = settings.sends.iter().filter(|_| !to_return);
        let sends = sends.filter_map(|send| place(send.to).map(|at| (at, send.to, send.gain_db))).collect();
        ChainNode { settings, state, devices, sends }
    }

    /// Makes what the chain makes of the rack's input. `give` takes what it sends: the place of the return, the signal,
    /// its gains. The signal itself is in `bus`.
    pub(super) fn process(
        &mut self,
        moment: &super::device::Moment,
        bus: &mut Bus,
        mut give: impl FnMut(usize, &Bus, &Lane),
    ) {
        let span = &moment.span;
        self.select(span, bus);
        for device in &mut self.devices {
            device.process(moment, bus);
        }
        let Ok(mut state) = self.state.try_borrow_mut() else { return };
        let ChainState { strip, overrides, .. } = &mut *state;
        let settings = strip_settings(&self.settings.strip, overrides, span);
        let db = |(_, to, gain_db): &(usize, u64, f32)| overrides.value(Parameter::Send(*to), span).unwrap_or(*gain_db);
        strip.aim(&settings, 0.0, self.sends.iter().map(db));
        strip.process(span, bus);
        for (index, (to, ..)) in self.sends.iter().enumerate() {
            let mut gains = [0.0; TICK];
            if strip.send(index, span, &mut gains) {
                give(*to, bus, &gains);
            }
        }
    }

    /// Takes of the rack's signal what the selector lets through.
    fn select(&self, span: &Span, bus: &mut Bus) {
        let Some(selector) = &self.settings.selector else { return };
        let Ok(mut state) = self.state.try_borrow_mut() else { return };
        let value = state.overrides.value(Parameter::ChainSelector, span).unwrap_or(selector.value);
        let part = zone_part(value, selector.zone, selector.fades);
        if std::mem::take(&mut state.fresh) {
            state.input.jump(part)
        } else {
            state.input.go(part)
        }
        let gains = state.input.lane(span);
        for ((left, right), gain) in bus.frames_mut(span.frames).zip(gains) {
            *left *= gain;
            *right *= gain;
        }
    }

    /// What the selector has at a frame: 0 where the chain is not chosen.
    fn selected(&self, frame: u64) -> f32 {
        let Some(selector) = &self.settings.selector else { return 1.0 };
        let span = Span { start: frame, frames: 1 };
        let moved = self.state.try_borrow().ok().and_then(|s| s.overrides.value(Parameter::ChainSelector, &span));
        zone_part(moved.unwrap_or(selector.value), selector.zone, selector.fades)
    }

    /// Whether it takes the note, and what it is there.
    pub(super) fn taken(&self, note: Note, frame: u64) -> Option<Note> {
        if self.settings.is_return {
            return None;
        }
        let settings = &self.settings;
        let velocity = (note.velocity * 127.0 + 0.5).floor().max(1.0);
        let part = zone_part(f32::from(note.pitch), settings.keys, settings.key_fades)
            * zone_part(velocity, settings.velocities, settings.velocity_fades)
            * self.selected(frame);
        if part <= 0.0 {
            return None;
        }
        let pitch = settings.plays.unwrap_or(note.pitch);
        Some(Note { pitch, velocity: (note.velocity * part).max(1.0 / 127.0), ..note })
    }

    /// Gives an act on the rack to its devices; what comes out of them goes on to `out`.
    pub(super) fn note(&self, act: NoteAct, context: &NoteContext, out: Out) {
        match act {
            NoteAct::On(note) => {
                let Some(own) = self.taken(note, context.clock.frame) else { return };
                if let Ok(mut state) = self.state.try_borrow_mut() {
                    state.notes.remember(note, own);
                }
                walk(&self.devices, NoteAct::On(own), context, out);
            }
            NoteAct::Off { id, pitch } => {
                let known = self.state.try_borrow_mut().ok().and_then(|mut state| state.notes.take(id, pitch));
                let (lowest, highest) = self.settings.keys;
                let own = match known {
                    Some((id, pitch)) => NoteAct::Off { id, pitch },
                    // It may have begun before the chain was there.
                    None if (lowest..=highest).contains(&pitch) && !self.settings.is_return => {
                        NoteAct::Off { id, pitch: self.settings.plays.unwrap_or(pitch) }
                    }
                    None => return,
                };
                walk(&self.devices, own, context, out);
            }
            NoteAct::EndAll | NoteAct::FadeAll => {
                if let Ok(mut state) = self.state.try_borrow_mut() {
                    state.notes.clear();
                }
                walk(&self.devices, act, context, out);
            }
        }
    }
}

/// How much of what lies at `value` a zone takes: 0 outside, 1 inside, less on its fades.
fn zone_part(value: f32, (lowest, highest): (u8, u8), (fade_in, fade_out): (u8, u8)) -> f32 {
    let (lowest, highest) = (f32::from(lowest), f32::from(highest));
    if value < lowest || value > highest {
        return 0.0;
    }
    let rising = (value - lowest + 1.0) / (f32::from(fade_in) + 1.0);
    let falling = (highest - value + 1.0) / (f32::from(fade_out) + 1.0);
    rising.min(falling).min(1.0)
}

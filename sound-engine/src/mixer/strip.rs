//! The strip of a track: on and off, volume, pan, sends.

use crate::dsp::math::{cos_turns, gain_of_db, sin_turns, tanh};
use crate::dsp::ramp::Ramp;
use crate::dsp::span::{Bus, Lane, Span};
use crate::parameter::Parameter;

/// Sends of one strip.
pub const MOST_SENDS: usize = 12;
/// Faders move within this time.
const RAMP_SECONDS: f32 = 0.005;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrossfadeSide {
    A,
    #[default]
    Both,
    B,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StripSettings {
    /// Heard: neither muted nor left out by another one's solo.
    pub active: bool,
    /// Negative infinity is silence.
    pub volume_db: f32,
    /// -1 left to 1 right.
    pub pan: f32,
    pub crossfade: CrossfadeSide,
}

impl Default for StripSettings {
    fn default() -> StripSettings {
        StripSettings { active: true, volume_db: 0.0, pan: 0.0, crossfade: CrossfadeSide::Both }
    }
}

impl StripSettings {
    /// What a parameter of it is.
    pub fn value(&self, parameter: Parameter) -> Option<f32> {
        match parameter {
            Parameter::On => Some(if self.active { 1.0 } else { 0.0 }),
            Parameter::Volume => Some(self.volume_db),
            Parameter::Pan => Some(self.pan),
            _ => None,
        }
    }

    /// With one of them at a value.
    pub fn set(&mut self, parameter: Parameter, value: f32) {
        match parameter {
            Parameter::On => self.active = value >= 0.5,
            Parameter::Volume => self.volume_db = value,
            Parameter::Pan => self.pan = value,
            _ => {}
        }
    }
}

/// What a strip remembers.
pub struct Strip {
    active: Ramp,
    left: Ramp,
    right: Ramp,
    sends: [Ramp; MOST_SENDS],
    fresh: bool,
}

impl Strip {
    pub fn new(rate: f32) -> Strip {
        let ramp = || Ramp::new(0.0, RAMP_SECONDS, rate);
        Strip { active: ramp(), left: ramp(), right: ramp(), sends: std::array::from_fn(|_| ramp()), fresh: true }
    }

    /// Moves towards the settings. `crossfade` is -1 (A) to 1 (B), `sends` factors.
    pub fn aim(&mut self, settings: &StripSettings, crossfade: f32, sends: impl Iterator<Item = f32>) {
        let volume = gain(settings.volume_db) * crossfade_gain(settings.crossfade, crossfade);
        let (left, right) = pan_gains(settings.pan);
        let fixed = [
            (&mut self.active, if settings.active { 1.0 } else { 0.0 }),
            (&mut self.left, volume * left),
            (&mut self.right, volume * right),
        ];
        for (ramp, value) in fixed.into_iter().chain(self.sends.iter_mut().zip(sends)) {
            if self.fresh { ramp.jump(value) } else { ramp.go(value) }
        }
        self.fresh = false;
    }

    /// The signal behind the fader. Before it, `before` is what sends in front of the fader take: only muted.
    pub fn process(&mut self, span: &Span, bus: &mut Bus) -> Bus {
        let (active, left, right) = (self.active.lane(span), self.left.lane(span), self.right.lane(span));
        for ((l, r), on) in bus.frames_mut(span.frames).zip(active) {
            *l *= on;
            *r *= on;
        }
        let before = *bus;
        for ((l, r), (gl, gr)) in bus.frames_mut(span.frames).zip(left.into_iter().zip(right)) {
            *l *= gl;
            *r *= gr;
        }
        before
    }

    /// The gains of a send over a span; `None` where nothing goes there.
    pub fn send(&mut self, index: usize, span: &Span) -> Option<Lane> {
        let ramp = self.sends.get_mut(index)?;
        if ramp.value() == 0.0 && !ramp.is_moving() {
            return None;
        }
        Some(ramp.lane(span))
    }
}

fn gain(db: f32) -> f32 {
    if db == f32::NEG_INFINITY { 0.0 } else { gain_of_db(db) }
}

/// Constant power: 0 dB each in the middle, 3 dB at the sides.
fn pan_gains(pan: f32) -> (f32, f32) {
    let turn = (pan.clamp(-1.0, 1.0) + 1.0) * 0.125;
    // Of nearly nothing on the far side, nothing is left.
    let side = |value: f32| if value < 1e-5 { 0.0 } else { value * std::f32::consts::SQRT_2 };
    (side(cos_turns(turn)), side(sin_turns(turn)))
}

/// Constant power: the own side is at 0 dB, the middle at -3 dB, the other side silent.
fn crossfade_gain(side: CrossfadeSide, crossfade: f32) -> f32 {
    let turn = (crossfade.clamp(-1.0, 1.0) + 1.0) * 0.125;
    match side {
        CrossfadeSide::Both => 1.0,
        CrossfadeSide::A => cos_turns(turn).max(0.0),
        CrossfadeSide::B => sin_turns(turn).max(0.0),
    }
}

/// -1 dBFS: where the safety clip begins.
const CLIP_START: f32 = 0.891_250_9;

/// The main output's safety: straight up to -1 dBFS, bent above, never over 0 dBFS. Says whether it bent anything.
pub fn soft_clip(span: &Span, bus: &mut Bus) -> bool {
    if bus.peak(span.frames) <= CLIP_START {
        return false;
    }
    let bend = |x: f32| {
        let over = x.abs() - CLIP_START;
        if over <= 0.0 { x } else { x.signum() * (CLIP_START + (1.0 - CLIP_START) * tanh(over / (1.0 - CLIP_START))) }
    };
    for (left, right) in bus.frames_mut(span.frames) {
        (*left, *right) = (bend(*left), bend(*right));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pans_and_crossfades_keep_the_power() {
        for step in -10..=10 {
            let place = step as f32 / 10.0;
            let (left, right) = pan_gains(place);
            assert!((left * left + right * right - 2.0).abs() < 1e-4, "pan {place}");
            let (a, b) = (crossfade_gain(CrossfadeSide::A, place), crossfade_gain(CrossfadeSide::B, place));
            assert!((a * a + b * b - 1.0).abs() < 1e-4, "crossfade {place}");
        }
        assert!((pan_gains(0.0).0 - 1.0).abs() < 1e-5 && pan_gains(1.0).0 == 0.0);
    }

    #[test]
    fn the_safety_clip_leaves_what_is_below_alone() {
        let span = Span { start: 0, frames: 4 };
        let mut bus = Bus::SILENT;
        bus.left[..4].copy_from_slice(&[0.5, -0.89, 0.2, 0.0]);
        let before = bus;
        assert!(!soft_clip(&span, &mut bus) && bus == before);
        bus.right[..4].copy_from_slice(&[3.0, -40.0, 0.95, 0.5]);
        assert!(soft_clip(&span, &mut bus));
        assert!(bus.peak(4) <= 1.0 && bus.left == before.left && bus.right[2] > 0.93);
    }
}

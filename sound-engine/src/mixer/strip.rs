//! The strip of a track: on and off, volume, pan, sends.

use crate::dsp::math::{cos_turns, gain_of_db, sin_turns};
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
    /// Where the left and the right channel go, each by itself, in place of `pan`: -1 left to 1 right.
    pub split: Option<[f32; 2]>,
    pub crossfade: CrossfadeSide,
}

impl Default for StripSettings {
    fn default() -> StripSettings {
        StripSettings { active: true, volume_db: 0.0, pan: 0.0, split: None, crossfade: CrossfadeSide::Both }
    }
}

impl StripSettings {
    /// What a parameter of it is.
    pub fn value(&self, parameter: Parameter) -> Option<f32> {
        match parameter {
            Parameter::On => Some(if self.active { 1.0 } else { 0.0 }),
            Parameter::Volume => Some(self.volume_db),
            Parameter::Pan => Some(self.pan),
            Parameter::PanLeft => self.split.map(|[left, _]| left),
            Parameter::PanRight => self.split.map(|[_, right]| right),
            _ => None,
        }
    }

    /// With one of them at a value.
    pub fn set(&mut self, parameter: Parameter, value: f32) {
        match parameter {
            Parameter::On => self.active = value >= 0.5,
            Parameter::Volume => self.volume_db = value,
            Parameter::Pan => self.pan = value,
            Parameter::PanLeft | Parameter::PanRight => {
                if let Some([left, right]) = &mut self.split {
                    *(if parameter == Parameter::PanLeft { left } else { right }) = value;
                }
            }
            _ => {}
        }
    }

    /// What of each channel goes where.
    fn pan_gains(&self) -> PanGains {
        match self.split {
            None => {
                let (left, right) = pan_gains(self.pan);
                PanGains { left, right, left_to_right: 0.0, right_to_left: 0.0 }
            }
            Some([left, right]) => {
                let ((left, left_to_right), (right_to_left, right)) = (channel_gains(left), channel_gains(right));
                PanGains { left, right, left_to_right, right_to_left }
            }
        }
    }
}

/// Factors of what stays on its side, and of what crosses over.
struct PanGains {
    left: f32,
    right: f32,
    left_to_right: f32,
    right_to_left: f32,
}

/// What a strip remembers.
pub struct Strip {
    active: Ramp,
    left: Ramp,
    right: Ramp,
    left_to_right: Ramp,
    right_to_left: Ramp,
    sends: [Ramp; MOST_SENDS],
    /// What it was told last.
    told: Option<(StripSettings, f32)>,
    told_sends: [f32; MOST_SENDS],
    fresh: bool,
    /// What goes by the output, and what of it is heard there; `None` until it is told the first time.
    direct: Option<[Ramp; 2]>,
    rate: f32,
}

impl Strip {
    pub fn new(rate: f32) -> Strip {
        let ramp = || Ramp::new(0.0, RAMP_SECONDS, rate);
        Strip {
            active: ramp(),
            left: ramp(),
            right: ramp(),
            left_to_right: ramp(),
            right_to_left: ramp(),
            sends: std::array::from_fn(|_| ramp()),
            told: None,
            told_sends: [f32::NAN; MOST_SENDS],
            fresh: true,
            direct: None,
            rate,
        }
    }

    /// Moves towards the settings. `crossfade` is -1 (A) to 1 (B), `sends` decibels.
    pub fn aim(&mut self, settings: &StripSettings, crossfade: f32, sends: impl Iterator<Item = f32>) {
        let fresh = std::mem::take(&mut self.fresh);
        let aim = |ramp: &mut Ramp, value: f32| if fresh { ramp.jump(value) } else { ramp.go(value) };
        // What was told before is on its way.
        if self.told != Some((*settings, crossfade)) {
            self.told = Some((*settings, crossfade));
            let volume = gain(settings.volume_db) * crossfade_gain(settings.crossfade, crossfade);
            let pan = settings.pan_gains();
            aim(&mut self.active, if settings.active { 1.0 } else { 0.0 });
            aim(&mut self.left, volume * pan.left);
            aim(&mut self.right, volume * pan.right);
            aim(&mut self.left_to_right, volume * pan.left_to_right);
            aim(&mut self.right_to_left, volume * pan.right_to_left);
        }
        for ((ramp, told), db) in self.sends.iter_mut().zip(&mut self.told_sends).zip(sends) {
            if *told != db {
                *told = db;
                aim(ramp, gain(db));
            }
        }
    }

    /// The signal behind the fader. Before it, `before` is what sends in front of the fader take: only muted.
    pub fn process(&mut self, span: &Span, bus: &mut Bus) -> Bus {
        self.active.multiply(span, bus);
        let before = *bus;
        self.left.multiply_lanes(span, [&mut bus.left]);
        self.right.multiply_lanes(span, [&mut bus.right]);
        let is_nothing = |ramp: &Ramp| ramp.value() == 0.0 && !ramp.is_moving();
        if !is_nothing(&self.left_to_right) {
            add_scaled(&mut bus.right, &before.left, &self.left_to_right.lane(span), span);
        }
        if !is_nothing(&self.right_to_left) {
            add_scaled(&mut bus.left, &before.right, &self.right_to_left.lane(span), span);
        }
        before
    }

    /// The gains of the output over a span, whether it is open, and of what is heard by it; `None`: all of it.
    pub fn direct(&mut self, is_open: bool, is_heard: bool, span: &Span) -> [Option<Lane>; 2] {
        let wanted = [is_open, is_heard].map(|on| if on { 1.0 } else { 0.0 });
        let rate = self.rate;
        let ramps = self.direct.get_or_insert_with(|| wanted.map(|value| Ramp::new(value, RAMP_SECONDS, rate)));
        let mut lanes = [None; 2];
        for ((lane, ramp), value) in lanes.iter_mut().zip(ramps).zip(wanted) {
            ramp.go(value);
            *lane = (ramp.is_moving() || ramp.value() != 1.0).then(|| ramp.lane(span));
        }
        lanes
    }

    /// Whether [`Strip::direct`] would leave all as it is.
    pub fn is_direct(&self, is_open: bool, is_heard: bool) -> bool {
        let stands = |ramps: &[Ramp; 2]| ramps.iter().all(|ramp| !ramp.is_moving() && ramp.value() == 1.0);
        is_open && is_heard && self.direct.as_ref().is_some_and(stands)
    }

    /// The gains of a send over a span; `false` where nothing goes there.
    pub fn send(&mut self, index: usize, span: &Span, gains: &mut Lane) -> bool {
        let Some(ramp) = self.sends.get_mut(index) else { return false };
        let goes = ramp.value() != 0.0 || ramp.is_moving();
        if goes {
            ramp.fill(span, gains);
        }
        goes
    }
}

fn add_scaled(to: &mut Lane, from: &Lane, gains: &Lane, span: &Span) {
    for ((to, from), gain) in to.iter_mut().zip(from).zip(gains).take(span.frames) {
        *to += from * gain;
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

/// Where one channel goes, constant power: 0 dB at a side, 3 dB less on each in the middle.
fn channel_gains(pan: f32) -> (f32, f32) {
    let turn = (pan.clamp(-1.0, 1.0) + 1.0) * 0.125;
    let side = |value: f32| if value < 1e-5 { 0.0 } else { value };
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
    fn a_split_pan_takes_each_channel_by_itself() {
        let ways = |split| {
            let gains = StripSettings { split: Some(split), ..StripSettings::default() }.pan_gains();
            [gains.left, gains.left_to_right, gains.right_to_left, gains.right]
        };
        let half = std::f32::consts::FRAC_1_SQRT_2;
        for (split, meant) in [
            ([-1.0, 1.0], [1.0, 0.0, 0.0, 1.0]),
            ([1.0, -1.0], [0.0, 1.0, 1.0, 0.0]),
            ([0.0, 1.0], [half, half, 0.0, 1.0]),
            ([-1.0, -1.0], [1.0, 0.0, 1.0, 0.0]),
        ] {
            for (found, meant) in ways(split).into_iter().zip(meant) {
                assert!((found - meant).abs() < 1e-5, "{split:?}: {:?}", ways(split));
            }
        }
    }
}

//! Echo: a delay whose repeats are bent, filtered, swayed and put into a room.

use super::delay::DelayTime;
use super::effect::EffectContext;
use crate::dsp::delay_line::DelayLine;
use crate::dsp::feedback_network::{FeedbackNetwork, Ringing};
use crate::dsp::lfo::{LfoRate, LfoWalk, LfoWave, TickValue};
use crate::dsp::math::{approach_in_loop, exp2, gain_of_db, tanh};
use crate::dsp::ramp::{Glide, Ramp};
use crate::dsp::smooth_filter::{FilterSettings, SmoothFilter};
use crate::dsp::span::{Bus, TICK, quiet};
use crate::dsp::svf::Response;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EchoChannels {
    #[default]
    Stereo,
    PingPong,
    /// The left line has the middle, the right one the sides.
    MidSide,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EchoRoom {
    Before,
    #[default]
    After,
    /// In the repeats.
    Inside,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EchoFilter {
    pub highpass_hz: f32,
    /// 0 to 0.3.
    pub highpass_resonance: f32,
    pub lowpass_hz: f32,
    pub lowpass_resonance: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EchoMovement {
    pub wave: LfoWave,
    pub rate: LfoRate,
    /// How far the right side's is ahead, turns.
    pub phase: f32,
    /// How far it moves the delay, and the filter, 0 to 1.
    pub delay: f32,
    pub filter: f32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EchoSettings {
    pub left: DelayTime,
    /// `None`: as the left one.
    pub right: Option<DelayTime>,
    pub channels: EchoChannels,
    pub input_db: f32,
    /// 0 to 1.5: from 1 on it does not end.
    pub feedback: f32,
    pub invert_feedback: bool,
    pub filter: Option<EchoFilter>,
    pub movement: EchoMovement,
    /// A room on the repeats, 0 to 1, and how long it rings, 0 to 1.
    pub room: f32,
    pub room_decay: f32,
    pub room_place: EchoRoom,
    /// What is quieter than so many dB does not go in; and how fast that closes, ms.
    pub gate: Option<(f32, f32)>,
    /// While the input is louder than so many dB, echoes are quieter; and how fast they come back, ms.
    pub duck: Option<(f32, f32)>,
    pub width: f32,
    pub output_db: f32,
    pub mix: f32,
}

impl Default for EchoSettings {
    fn default() -> EchoSettings {
        EchoSettings {
            left: DelayTime::Sixteenths { count: 3.0, offset: 0.0 },
            right: None,
            channels: EchoChannels::Stereo,
            input_db: 0.0,
            feedback: 0.5,
            invert_feedback: false,
            filter: Some(EchoFilter {
                highpass_hz: 50.0,
                highpass_resonance: 0.0,
                lowpass_hz: 5_000.0,
                lowpass_resonance: 0.0,
            }),
            movement: EchoMovement {
                wave: LfoWave::Sine,
                rate: LfoRate::PerBeat(1.0),
                phase: 0.25,
                delay: 0.0,
                filter: 0.0,
            },
            room: 0.0,
            room_decay: 0.5,
            room_place: EchoRoom::After,
            gate: None,
            duck: None,
            width: 1.0,
            output_db: 0.0,
            mix: 0.7,
        }
    }
}

/// Longer times are not remembered.
const LONGEST: f32 = 10.0;
/// Full movement sways the delay by so many seconds, and the filter by so many octaves.
const SWAY_SECONDS: f32 = 0.004;
const SWAY_OCTAVES: f32 = 2.0;

pub struct Echo {
    lines: [DelayLine; 2],
    times: [Glide; 2],
    delays: [TickValue; 2],
    lfo: LfoWalk,
    highpass: SmoothFilter,
    lowpass: SmoothFilter,
    room: FeedbackNetwork,
    ringing: Ringing,
    back: (f32, f32),
    gate: f32,
    duck: f32,
    input: Ramp,
    feedback: Ramp,
    room_level: Ramp,
    width: Ramp,
    output: Ramp,
    mix: Ramp,
    rate: f32,
}

impl Echo {
    pub fn new(rate: f32) -> Echo {
        let ramp = |value| Ramp::new(value, 0.005, rate);
        let ringing = ringing(0.5, rate);
        Echo {
            lines: std::array::from_fn(|_| DelayLine::new((LONGEST * rate) as usize)),
            times: [Glide::new(0.1, rate); 2],
            delays: [TickValue::default(); 2],
            lfo: LfoWalk::new(23),
            highpass: SmoothFilter::new(rate),
            lowpass: SmoothFilter::new(rate),
            room: FeedbackNetwork::new(rate),
            ringing,
            back: (0.0, 0.0),
            gate: 0.0,
            duck: 0.0,
            input: ramp(1.0),
            feedback: ramp(0.5),
            room_level: ramp(0.0),
            width: ramp(1.0),
            output: ramp(1.0),
            mix: ramp(0.7),
            rate,
        }
    }

    pub fn memory_frames(&self) -> u64 {
        (LONGEST * self.rate) as u64
    }

    pub fn process(&mut self, settings: &EchoSettings, context: &EffectContext, bus: &mut Bus) {
        let span = &context.span;
        if span.is_tick() {
            self.tick(settings, context);
        }
        let sign = if settings.invert_feedback { -1.0 } else { 1.0 };
        let aims = [
            (&mut self.input, gain_of_db(settings.input_db)),
            (&mut self.feedback, sign * settings.feedback.clamp(0.0, 1.5)),
            (&mut self.room_level, settings.room.clamp(0.0, 1.0)),
            (&mut self.width, settings.width),
            (&mut self.output, gain_of_db(settings.output_db)),
            (&mut self.mix, settings.mix),
        ];
        aims.into_iter().for_each(|(ramp, value)| ramp.go(value));
        let part = |ms: f32| approach_in_loop(ms.max(0.1) * 0.001 * self.rate);
        let releases = (part(settings.gate.map_or(50.0, |gate| gate.1)), part(settings.duck.map_or(100.0, |d| d.1)));
        let first = (span.start % TICK as u64) as usize;
        for (at, (left, right)) in bus.frames_mut(span.frames).enumerate() {
            let (l, r) = self.frame(settings, (*left, *right), first + at, releases);
            let (mix, output) = (self.mix.next_value(), self.output.next_value());
            let (middle, side) = (0.5 * (l + r), 0.5 * (l - r) * self.width.next_value());
            *left = (*left + (middle + side - *left) * mix) * output;
            *right = (*right + (middle - side - *right) * mix) * output;
        }
    }

    /// The repeats that are heard beside a frame.
    fn frame(
        &mut self,
        settings: &EchoSettings,
        (left, right): (f32, f32),
        at: usize,
        (gate_part, duck_part): (f32, f32),
    ) -> (f32, f32) {
        let peak = left.abs().max(right.abs());
        self.gate = if peak > self.gate { peak } else { self.gate - self.gate * gate_part };
        self.duck = if peak > self.duck { peak } else { self.duck - self.duck * duck_part };
        let input = self.input.next_value();
        let opens = settings.gate.is_none_or(|(threshold, _)| self.gate > gain_of_db(threshold));
        let input = if opens { input } else { 0.0 };
        let (mut l, mut r) = (left * input, right * input);
        match settings.channels {
            EchoChannels::Stereo => {}
            EchoChannels::PingPong => (l, r) = (0.5 * (l + r), 0.0),
            EchoChannels::MidSide => (l, r) = (0.5 * (l + r), 0.5 * (l - r)),
        }
        let room_level = self.room_level.next_value();
        if settings.room_place == EchoRoom::Before && room_level > 0.0 {
            let (room_l, room_r) = self.room.process(&self.ringing, l, r);
            (l, r) = (l + room_l * room_level * 0.3, r + room_r * room_level * 0.3);
        }
        let ([delay_l, delay_r], [line_l, line_r]) = (&self.delays, &self.lines);
        let mut out = (line_l.read_between(delay_l.at(at)), line_r.read_between(delay_r.at(at)));
        if settings.filter.is_some() {
            let (l, r) = self.highpass.frame(out.0, out.1);
            out = self.lowpass.frame(l, r);
        }
        if settings.room_place != EchoRoom::Before && room_level > 0.0 {
            let (room_l, room_r) = self.room.process(&self.ringing, out.0, out.1);
            let with = (out.0 + room_l * room_level * 0.3, out.1 + room_r * room_level * 0.3);
            self.back = if settings.room_place == EchoRoom::Inside { with } else { out };
            out = with;
        } else {
            self.back = out;
        }
        let feedback = self.feedback.next_value();
        let (back_l, back_r) =
            if settings.channels == EchoChannels::PingPong { (self.back.1, self.back.0) } else { self.back };
        // Repeats are bent, so that they never grow beyond the bend.
        let [line_l, line_r] = &mut self.lines;
        line_l.write(l + tanh(back_l * feedback));
        line_r.write(r + tanh(back_r * feedback));
        if settings.channels == EchoChannels::MidSide {
            out = (out.0 + out.1, out.0 - out.1);
        }
        match settings.duck {
            Some((threshold, _)) => {
                let over = (self.duck / gain_of_db(threshold).max(1e-6)).max(1.0);
                (out.0 / over, out.1 / over)
            }
            None => out,
        }
    }

    fn tick(&mut self, settings: &EchoSettings, context: &EffectContext) {
        let movement = &settings.movement;
        self.lfo.tick(movement.rate, (context.tempo_bpm, context.song_beat), self.rate);
        (self.gate, self.duck) = (quiet(self.gate), quiet(self.duck));
        self.back = (quiet(self.back.0), quiet(self.back.1));
        let times = [settings.left, settings.right.unwrap_or(settings.left)];
        let sides = self.times.iter_mut().zip(&mut self.delays).zip(times).zip([0.0, movement.phase]);
        for (((glide, delay), time), ahead) in sides {
            let seconds = match time {
                DelayTime::Seconds(seconds) => seconds,
                DelayTime::Sixteenths { count, offset } => count * (1.0 + offset) * 15.0 / context.tempo_bpm.max(1.0),
            };
            let sway = SWAY_SECONDS * movement.delay * (1.0 + self.lfo.value(movement.wave, ahead));
            let (seconds, _) = glide.step(seconds.clamp(0.001, LONGEST - 0.02));
            delay.set(((seconds + sway) * self.rate).max(2.0));
        }
        if let Some(filter) = &settings.filter {
            let moved = exp2(SWAY_OCTAVES * movement.filter * self.lfo.value(movement.wave, 0.0));
            let q = |resonance: f32| 0.707 * exp2(8.0 * resonance.clamp(0.0, 0.3));
            let of = |response, hz: f32, resonance| FilterSettings {
                response,
                hz: (hz * moved).clamp(15.0, 21_000.0),
                q: q(resonance),
            };
            self.highpass.tick(&of(Response::Highpass, filter.highpass_hz, filter.highpass_resonance));
            self.lowpass.tick(&of(Response::Lowpass, filter.lowpass_hz, filter.lowpass_resonance));
        }
        self.ringing = ringing(settings.room_decay, self.rate);
        self.room.tick(&self.ringing);
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let lines = self.lines.iter().flat_map(|line| line.memory().iter().copied());
        let filters = self.highpass.memory().chain(self.lowpass.memory());
        lines.chain(filters).chain(self.room.memory()).chain([self.back.0, self.back.1, self.gate, self.duck])
    }
}

/// 0.3 to 6 seconds.
fn ringing(decay: f32, rate: f32) -> Ringing {
    Ringing {
        decay: 0.3 * exp2(4.3 * decay.clamp(0.0, 1.0)),
        size: 0.8,
        high_gain: 0.7,
        high_frequency: 4_000.0 / rate,
        low_gain: 1.0,
        low_frequency: 90.0 / rate,
        wander: 2.0,
        wander_rate: 0.4,
    }
}

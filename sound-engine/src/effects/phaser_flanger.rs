//! Phaser-Flanger: notches that move, by allpasses or by a short delay; or a doubling.

use super::chorus::warmed;
use super::effect::EffectContext;
use crate::dsp::delay_line::DelayLine;
use crate::dsp::lfo::{LfoRate, LfoWalk, LfoWave, TickValue};
use crate::dsp::math::{approach_in_loop, exp2, gain_of_db, log2, tan_half_turns, tanh};
use crate::dsp::ramp::{Glide, Ramp};
use crate::dsp::span::{Bus, TICK, quiet};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PhaserMode {
    #[default]
    Phaser,
    Flanger,
    Doubler,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaserSettings {
    pub mode: PhaserMode,
    /// How far the LFO moves it, 0 to 1.
    pub amount: f32,
    pub wave: LfoWave,
    pub rate: LfoRate,
    /// How far the right side's movement is ahead, turns.
    pub phase: f32,
    /// How far the level moves it, -1 to 1.
    pub envelope_amount: f32,
    pub envelope_attack_ms: f32,
    pub envelope_release_ms: f32,
    /// Of the phaser, 1 to 42.
    pub notches: u8,
    pub center_hz: f32,
    /// How far its notches lie apart, 0 to 1.
    pub spread: f32,
    /// 0.1 to 20.
    pub flanger_ms: f32,
    /// 20 to 150.
    pub doubler_ms: f32,
    /// 0 to 0.99.
    pub feedback: f32,
    pub invert_feedback: bool,
    /// What lies below is fed back without being moved.
    pub safe_hz: f32,
    pub warmth: f32,
    pub output_db: f32,
    pub mix: f32,
}

impl Default for PhaserSettings {
    fn default() -> PhaserSettings {
        PhaserSettings {
            mode: PhaserMode::Phaser,
            amount: 0.75,
            wave: LfoWave::Triangle,
            rate: LfoRate::Hz(0.15),
            phase: 0.0,
            envelope_amount: 0.0,
            envelope_attack_ms: 1.0,
            envelope_release_ms: 120.0,
            notches: 2,
            center_hz: 400.0,
            spread: 0.35,
            flanger_ms: 2.5,
            doubler_ms: 80.0,
            feedback: 0.0,
            invert_feedback: false,
            safe_hz: 80.0,
            warmth: 0.0,
            output_db: 0.0,
            mix: 1.0,
        }
    }
}

const MOST_NOTCHES: usize = 42;
/// Full amount moves the notches by so many octaves up and down.
const OCTAVES: f32 = 3.0;
const LONGEST: f32 = 0.2;

/// What one side remembers.
struct Side {
    line: DelayLine,
    /// Two allpasses of the first order for each notch.
    stages: [f32; 2 * MOST_NOTCHES],
    low: f32,
    back: f32,
    /// Frames of the delay; a factor for the notches.
    delay: TickValue,
    factor: TickValue,
}

pub struct PhaserFlanger {
    sides: [Side; 2],
    lfo: LfoWalk,
    level: f32,
    center: Glide,
    time: Glide,
    /// What a stage turns, at the middle of the tick's movement.
    coefficients: [[f32; MOST_NOTCHES]; 2],
    feedback: Ramp,
    output: Ramp,
    mix: Ramp,
    rate: f32,
}

impl PhaserFlanger {
    pub fn new(rate: f32) -> PhaserFlanger {
        let side = |_| Side {
            line: DelayLine::new((LONGEST * rate) as usize),
            stages: [0.0; 2 * MOST_NOTCHES],
            low: 0.0,
            back: 0.0,
            delay: TickValue::default(),
            factor: TickValue::default(),
        };
        let ramp = |value| Ramp::new(value, 0.005, rate);
        PhaserFlanger {
            sides: std::array::from_fn(side),
            lfo: LfoWalk::new(19),
            level: 0.0,
            center: Glide::new(0.01, rate),
            time: Glide::new(0.05, rate),
            coefficients: [[0.0; MOST_NOTCHES]; 2],
            feedback: ramp(0.0),
            output: ramp(1.0),
            mix: ramp(1.0),
            rate,
        }
    }

    pub fn memory_frames(&self) -> u64 {
        (LONGEST * self.rate) as u64
    }

    pub fn process(&mut self, settings: &PhaserSettings, context: &EffectContext, bus: &mut Bus) {
        if context.span.is_tick() {
            self.tick(settings, context);
        }
        let part = |ms: f32| approach_in_loop(ms.max(0.05) * 0.001 * self.rate);
        let (attack, release) = (part(settings.envelope_attack_ms), part(settings.envelope_release_ms));
        let safe = 1.0 - exp2(-9.064_72 * (settings.safe_hz / self.rate).clamp(1e-5, 0.4));
        self.feedback.go(settings.feedback.clamp(0.0, 0.99) * if settings.invert_feedback { -1.0 } else { 1.0 });
        self.output.go(gain_of_db(settings.output_db));
        self.mix.go(settings.mix);
        let notches = usize::from(settings.notches).clamp(1, MOST_NOTCHES);
        let first = (context.span.start % TICK as u64) as usize;
        for (at, (left, right)) in bus.frames_mut(context.span.frames).enumerate() {
            let peak = left.abs().max(right.abs());
            self.level += (peak - self.level) * if peak > self.level { attack } else { release };
            let (feedback, output, mix) = (self.feedback.next_value(), self.output.next_value(), self.mix.next_value());
            let lanes = self.sides.iter_mut().zip(&self.coefficients).zip([left, right]);
            for ((side, coefficients), value) in lanes {
                // Only what lies above the safe frequency goes round.
                side.low += (side.back - side.low) * safe;
                let input = *value + tanh((side.back - side.low) * feedback);
                let moved = match settings.mode {
                    PhaserMode::Phaser => side.turned(coefficients.get(..notches).unwrap_or_default(), input),
                    _ => {
                        let past = side.line.read_between(side.delay.at(first + at));
                        side.line.write(input);
                        past
                    }
                };
                side.back = moved;
                // Where both are as loud, notches are deepest.
                let wet = match settings.mode {
                    PhaserMode::Doubler => *value + moved,
                    _ => 0.5 * (*value + moved),
                };
                *value = (*value + (warmed(wet, settings.warmth) - *value) * mix) * output;
            }
        }
    }

    fn tick(&mut self, settings: &PhaserSettings, context: &EffectContext) {
        self.level = quiet(self.level);
        self.lfo.tick(settings.rate, (context.tempo_bpm, context.song_beat), self.rate);
        let (center, _) = self.center.step(log2(settings.center_hz.clamp(20.0, 18_000.0)));
        let ms = if settings.mode == PhaserMode::Doubler { settings.doubler_ms } else { settings.flanger_ms };
        let (ms, _) = self.time.step(ms.clamp(0.1, 150.0));
        let envelope = settings.envelope_amount * self.level.min(1.0);
        let notches = usize::from(settings.notches).clamp(1, MOST_NOTCHES);
        let sides = self.sides.iter_mut().zip(&mut self.coefficients).zip([0.0, settings.phase]);
        for ((side, coefficients), ahead) in sides {
            side.stages.iter_mut().take(2 * notches).for_each(|stage| *stage = quiet(*stage));
            (side.low, side.back) = (quiet(side.low), quiet(side.back));
            let moved = self.lfo.value(settings.wave, ahead) * settings.amount + envelope;
            side.factor.set(moved);
            // A doubling sways by a few cents only.
            let depth = if settings.mode == PhaserMode::Doubler { 0.02 } else { 0.9 };
            side.delay.set((ms * 0.001 * self.rate * (1.0 + depth * moved.clamp(-1.0, 1.0))).max(2.0));
            for (at, coefficient) in coefficients.iter_mut().take(notches).enumerate() {
                let place = if notches > 1 { 2.0 * at as f32 / (notches - 1) as f32 - 1.0 } else { 0.0 };
                let octaves = moved * OCTAVES + place * 3.0 * settings.spread;
                let turned = tan_half_turns((exp2((center + octaves).clamp(4.3, 14.3)) / self.rate).min(0.48));
                *coefficient = (turned - 1.0) / (turned + 1.0);
            }
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        let sides = self.sides.iter();
        let of = |side: &Side| [side.low, side.back].into_iter().chain(side.stages).collect::<Vec<_>>();
        let lines = self.sides.iter().flat_map(|side| side.line.memory().iter().copied());
        sides.flat_map(of).chain(lines).chain([self.level])
    }
}

impl Side {
    /// Through two allpasses for each notch.
    #[inline]
    fn turned(&mut self, coefficients: &[f32], input: f32) -> f32 {
        let mut value = input;
        for (pair, c) in self.stages.chunks_exact_mut(2).zip(coefficients) {
            for stage in pair {
                let next = c * value + *stage;
                *stage = value - c * next;
                value = next;
            }
        }
        value
    }
}

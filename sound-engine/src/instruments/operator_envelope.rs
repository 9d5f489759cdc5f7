//! An envelope of Operator on its way: four levels, three times, and what it does beside following the key.

use super::operator_settings::{EnvelopeCycle, OperatorEnvelope};
use crate::dsp::envelope::{ATTACK_AIM, ATTACK_CONSTANTS, CONSTANTS_OF_60_DB, END, SHORTEST_ATTACK, SHORTEST_RELEASE};
use crate::dsp::math::approach;
use crate::dsp::span::{Lane, TICK};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Attack,
    Decay,
    Release,
    Over,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct StagedEnvelope {
    stage: Stage,
    level: f32,
    peak: f32,
    sustain: f32,
    end: f32,
    aim: f32,
    attack: f32,
    decay: f32,
    release: f32,
    is_held: bool,
    /// Seconds since its begin, and since it came near to its sustain level.
    age: f32,
    rest: f32,
}

impl StagedEnvelope {
    pub const OVER: StagedEnvelope = StagedEnvelope {
        stage: Stage::Over,
        level: 0.0,
        peak: 0.0,
        sustain: 0.0,
        end: 0.0,
        aim: 0.0,
        attack: 1.0,
        decay: 1.0,
        release: 1.0,
        is_held: false,
        age: 0.0,
        rest: 0.0,
    };

    pub fn start(of: &OperatorEnvelope, rate: f32) -> StagedEnvelope {
        StagedEnvelope {
            stage: if of.peak == of.initial { Stage::Decay } else { Stage::Attack },
            level: of.initial,
            peak: of.peak,
            sustain: of.sustain,
            end: of.end,
            aim: of.initial + (of.peak - of.initial) * ATTACK_AIM,
            attack: approach(of.attack.max(SHORTEST_ATTACK) * rate / ATTACK_CONSTANTS),
            decay: approach(of.decay.max(0.001) * rate / CONSTANTS_OF_60_DB),
            release: approach(of.release.max(SHORTEST_RELEASE) * rate / CONSTANTS_OF_60_DB),
            is_held: true,
            age: 0.0,
            rest: 0.0,
        }
    }

    /// The key is let go of.
    pub fn release(&mut self, cycle: EnvelopeCycle) {
        self.is_held = false;
        if self.stage != Stage::Over && cycle != EnvelopeCycle::Trigger {
            self.stage = Stage::Release;
        }
    }

    pub fn is_over(&self) -> bool {
        self.stage == Stage::Over
    }

    /// Whether it was told that the key is let go of.
    pub fn is_released(&self) -> bool {
        !self.is_held
    }

    pub fn level(&self) -> f32 {
        self.level
    }

    /// Once a tick, which lasts so many seconds: what it does of itself.
    pub fn tick(&mut self, cycle: EnvelopeCycle, tick: f32, beats_a_second: f32) {
        self.age += tick;
        let is_near = self.stage == Stage::Decay && (self.level - self.sustain).abs() <= 1e-3 * self.peak.abs();
        self.rest = if is_near { self.rest + tick } else { 0.0 };
        let begins_again = match cycle {
            EnvelopeCycle::Once => false,
            EnvelopeCycle::Loop(seconds) => is_near && self.rest > seconds,
            EnvelopeCycle::Every(beats) => self.age * beats_a_second >= beats.max(1.0 / 64.0),
            EnvelopeCycle::Trigger => {
                if is_near {
                    self.stage = Stage::Release;
                }
                false
            }
        };
        if begins_again && self.is_held {
            (self.stage, self.age, self.rest) = (Stage::Attack, 0.0, 0.0);
        }
    }

    fn next_value(&mut self) -> f32 {
        match self.stage {
            Stage::Attack => {
                self.level += (self.aim - self.level) * self.attack;
                let rises = self.aim > self.peak;
                if (rises && self.level >= self.peak) || (!rises && self.level <= self.peak) {
                    (self.level, self.stage) = (self.peak, Stage::Decay);
                }
            }
            Stage::Decay => {
                self.level += (self.sustain - self.level) * self.decay;
                // Nothing is heard of it any more, and nothing more comes.
                if self.sustain == 0.0 && self.end == 0.0 && self.level.abs() < END {
                    self.level = 0.0;
                }
            }
            Stage::Release => {
                self.level += (self.end - self.level) * self.release;
                if (self.level - self.end).abs() < END {
                    (self.level, self.stage) = (self.end, Stage::Over);
                }
            }
            Stage::Over => {}
        }
        self.level
    }

    /// The next values; those beyond `frames` are 0.
    pub fn lane(&mut self, frames: usize) -> Lane {
        let mut lane = [0.0; TICK];
        lane.iter_mut().take(frames).for_each(|value| *value = self.next_value());
        lane
    }

    pub fn skip(&mut self, frames: usize) {
        (0..frames).for_each(|_| _ = self.next_value());
    }

    /// Whether it is silent for good, unless its cycle begins it again.
    pub fn has_ended(&self, cycle: EnvelopeCycle) -> bool {
        let decayed = self.stage == Stage::Decay && self.level == 0.0;
        let once = matches!(cycle, EnvelopeCycle::Once | EnvelopeCycle::Trigger);
        self.is_over() || (decayed && (once || !self.is_held))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: f32 = 48_000.0;

    fn levels(envelope: OperatorEnvelope, held_ticks: usize, ticks: usize) -> Vec<f32> {
        let mut staged = StagedEnvelope::start(&envelope, RATE);
        (0..ticks)
            .map(|at| {
                if at == held_ticks {
                    staged.release(envelope.cycle);
                }
                staged.tick(envelope.cycle, TICK as f32 / RATE, 2.0);
                staged.skip(TICK);
                staged.level()
            })
            .collect()
    }

    #[test]
    fn levels_and_times_are_what_they_are_told() {
        let envelope = OperatorEnvelope {
            initial: 0.2,
            attack: 0.1,
            peak: 0.8,
            decay: 0.3,
            sustain: 0.4,
            ..OperatorEnvelope::GATE
        };
        let levels = levels(envelope, 3_000, 6_000);
        let arrives = levels.iter().position(|level| *level > 0.77).expect("it rises");
        assert!((262..=274).contains(&arrives), "{arrives} ticks of 0.33 ms");
        assert!((levels[2_900] - 0.4).abs() < 1e-3 && levels[5_999] == 0.0);
        let falling = OperatorEnvelope { initial: 12.0, attack: 0.05, peak: -12.0, sustain: 0.0, ..envelope };
        let mut staged = StagedEnvelope::start(&falling, RATE);
        staged.skip(2_395);
        assert!((staged.level() + 12.0).abs() < 1.0, "{}", staged.level());
    }

    #[test]
    fn cycles_begin_again_while_the_key_is_held() {
        let short = OperatorEnvelope { decay: 0.02, sustain: 0.0, ..OperatorEnvelope::GATE };
        let peaks = |cycle, held: usize| {
            let levels = levels(OperatorEnvelope { cycle, ..short }, held, 2_900);
            levels.windows(2).filter(|pair| pair[0] < 0.5 && pair[1] >= 0.5).count() + usize::from(levels[0] >= 0.5)
        };
        // Three seconds are one; a beat is half a second.
        assert_eq!(peaks(EnvelopeCycle::Once, 3_000), 1);
        assert_eq!(peaks(EnvelopeCycle::Every(0.5), 3_000), 4);
        assert_eq!(peaks(EnvelopeCycle::Every(0.5), 1_000), 2);
        assert!(peaks(EnvelopeCycle::Loop(0.1), 3_000) > 5);
        let slow = OperatorEnvelope { attack: 0.5, cycle: EnvelopeCycle::Trigger, ..short };
        let heard = |cycle| levels(OperatorEnvelope { cycle, ..slow }, 30, 3_000).iter().fold(0.0f32, |a, b| a.max(*b));
        assert!(heard(EnvelopeCycle::Trigger) > 0.8 && heard(EnvelopeCycle::Once) < 0.1);
    }
}

//! Auto Pan-Tremolo: an LFO that moves the level of both sides.

use super::effect::EffectContext;
use crate::dsp::lfo::{LfoRate, LfoWalk, LfoWave, TickValue};
use crate::dsp::math::{exp2, log2, tanh};
use crate::dsp::span::{Bus, TICK};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AutoPanSettings {
    /// Both sides together rather than against each other; `phase` counts in both.
    pub tremolo: bool,
    /// 0 to 1.
    pub amount: f32,
    pub wave: LfoWave,
    pub invert: bool,
    pub rate: LfoRate,
    /// How far the right side's is ahead, turns: 0.5 is from side to side.
    pub phase: f32,
    pub offset: f32,
    /// -1 to 1: ever more in the middle, or ever more at the ends.
    pub shape: f32,
}

impl Default for AutoPanSettings {
    fn default() -> AutoPanSettings {
        AutoPanSettings {
            tremolo: false,
            amount: 0.5,
            wave: LfoWave::Sine,
            invert: false,
            rate: LfoRate::Hz(1.0),
            phase: 0.5,
            offset: 0.0,
            shape: 0.0,
        }
    }
}

pub struct AutoPan {
    lfo: LfoWalk,
    gains: [TickValue; 2],
    rate: f32,
}

impl AutoPan {
    pub fn new(rate: f32) -> AutoPan {
        AutoPan { lfo: LfoWalk::new(13), gains: [TickValue::default(); 2], rate }
    }

    pub fn process(&mut self, settings: &AutoPanSettings, context: &EffectContext, bus: &mut Bus) {
        if context.span.is_tick() {
            self.lfo.tick(settings.rate, (context.tempo_bpm, context.song_beat), self.rate);
            let phase = if settings.tremolo { 0.0 } else { settings.phase };
            for (gain, ahead) in self.gains.iter_mut().zip([0.0, phase]) {
                let value = self.lfo.value(settings.wave, settings.offset + ahead);
                let value = if settings.invert { -value } else { value };
                // 1 at the top of the wave, 1 - amount at its bottom.
                gain.set(1.0 - settings.amount.clamp(0.0, 1.0) * (0.5 - 0.5 * shaped(value, settings.shape)));
            }
        }
        let first = (context.span.start % TICK as u64) as usize;
        let [left_gain, right_gain] = self.gains;
        for (at, (left, right)) in bus.frames_mut(context.span.frames).enumerate() {
            *left *= left_gain.at(first + at);
            *right *= right_gain.at(first + at);
        }
    }

    #[cfg(test)]
    pub fn memory(&self) -> impl Iterator<Item = f32> {
        self.gains.into_iter().map(|gain| gain.now())
    }
}

fn shaped(value: f32, shape: f32) -> f32 {
    if shape > 0.0 {
        let drive = 1.0 + 9.0 * shape;
        tanh(value * drive) / tanh(drive)
    } else if shape < 0.0 {
        value.signum() * exp2(log2(value.abs().max(1e-9)) * (1.0 - 2.0 * shape))
    } else {
        value
    }
}

//! One oscillator of Operator: a wave whose phase others bend.

use super::operator_settings::OperatorWave;
use crate::dsp::math::{floor, sin_turns};
use crate::dsp::noise::Noise;
use crate::dsp::oscillator::Wave;
use crate::dsp::phase::Phase;
use crate::dsp::span::{Lane, TICK};
use crate::dsp::wavetable::Waves;

/// What full feedback bends of a cycle; more is noise.
const FULL_FEEDBACK_TURNS: f32 = 0.19;

/// What of its settings a tick works out.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OscillatorTick {
    pub wave: OperatorWave,
    /// Cycles a sample.
    pub step: f32,
    /// As many, at the fastest that it is bent to.
    pub fastest: f32,
    /// How much of what bends it there is room for, 0 to 1.
    pub room: f32,
    /// 0 to 1.
    pub feedback: f32,
}

#[derive(Clone, Copy)]
pub(super) struct OscillatorState {
    phase: Phase,
    /// The last two values, for its feedback.
    last: [f32; 2],
    noise: Noise,
}

impl OscillatorState {
    pub fn new(turns: f32, seed: u64) -> OscillatorState {
        OscillatorState { phase: Phase::of(turns), last: [0.0; 2], noise: Noise::new(seed) }
    }

    /// The next values, `detune` being a factor of its frequency and `bend` turns of its cycle. Only the first frames
    /// count.
    pub fn lane(&mut self, tick: &OscillatorTick, detune: f32, bend: &Lane, (waves, frames): (&Waves, usize)) -> Lane {
        let step = Phase::of((tick.step * detune).clamp(0.0, 0.49));
        let begin = self.phase;
        self.phase = begin.after(step, frames);
        if tick.feedback > 0.0 {
            return self.bent_by_itself(tick, begin.lane(step), (waves, frames));
        }
        let mut lane: Lane = [0.0; TICK];
        if tick.wave == OperatorWave::Noise {
            lane.iter_mut().take(frames).for_each(|value| *value = self.noise.next_value());
            return lane;
        }
        let at = value_at(tick, waves);
        for ((value, phase), bend) in lane.iter_mut().zip(begin.lane(step)).zip(bend) {
            *value = at(phase, bend * tick.room);
        }
        lane
    }

    fn bent_by_itself(
        &mut self,
        tick: &OscillatorTick,
        phases: [Phase; TICK],
        (waves, frames): (&Waves, usize),
    ) -> Lane {
        let mut lane: Lane = [0.0; TICK];
        let at = value_at(tick, waves);
        for (value, phase) in lane.iter_mut().zip(phases).take(frames) {
            // The mean of two: one alone would swing from sample to sample.
            let bend = tick.feedback * FULL_FEEDBACK_TURNS * 0.5 * (self.last[0] + self.last[1]);
            *value = at(phase, bend);
            self.last = [self.last[1], *value];
        }
        lane
    }
}

/// The wave at a phase that is bent by so many turns.
fn value_at<'a>(tick: &OscillatorTick, waves: &'a Waves) -> impl Fn(Phase, f32) -> f32 + use<'a> {
    // No more harmonics than are asked for, and than fit.
    let fastest = |harmonics: u8| tick.fastest.max(0.5 / f32::from(harmonics.max(1)));
    let (wave, bits) = match tick.wave {
        OperatorWave::Saw(harmonics) => (Wave::Saw.shape(waves, fastest(harmonics)), 0),
        OperatorWave::Square(harmonics) => (Wave::Pulse { width: 0.5 }.shape(waves, fastest(harmonics)), 0),
        OperatorWave::Triangle => (Wave::Triangle.shape(waves, tick.fastest), 0),
        OperatorWave::Steps(bits) => (Wave::Sine.shape(waves, tick.fastest), bits),
        OperatorWave::Sine | OperatorWave::Noise => (Wave::Sine.shape(waves, tick.fastest), 0),
    };
    let is_sine = !matches!(tick.wave, OperatorWave::Saw(_) | OperatorWave::Square(_) | OperatorWave::Triangle);
    let steps = if bits > 0 { (1u32 << (bits - 1).min(15)) as f32 } else { 0.0 };
    move |phase, bend| {
        if !is_sine {
            return wave.at(phase.plus(Phase::of(bend - floor(bend))));
        }
        let sine = sin_turns(phase.turns() + bend);
        if steps > 0.0 { floor(sine * steps + 0.5) / steps } else { sine }
    }
}

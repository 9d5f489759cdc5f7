//! Slow waves that move other things.

use super::math::{floor, sin_turns};
use super::noise::Noise;
use super::span::TICK;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LfoWave {
    #[default]
    Sine,
    Triangle,
    SawUp,
    SawDown,
    Square,
    /// A new value each turn.
    SampleAndHold,
    /// As that, on straight lines.
    Wander,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LfoRate {
    Hz(f32),
    /// Turns for each quarter beat.
    PerBeat(f32),
}

impl LfoRate {
    /// Turns a second.
    pub fn hz(&self, tempo_bpm: f32) -> f32 {
        match *self {
            LfoRate::Hz(hz) => hz,
            LfoRate::PerBeat(turns) => turns * tempo_bpm / 60.0,
        }
    }
}

/// -1 to 1 at a place of the cycle, turns. `held` are the random values of the turn before and of this one.
pub fn wave_at(wave: LfoWave, turn: f32, held: [f32; 2]) -> f32 {
    let t = turn - floor(turn);
    match wave {
        LfoWave::Sine => sin_turns(t),
        LfoWave::Triangle => 1.0 - 4.0 * (t - 0.5).abs(),
        LfoWave::SawUp => 2.0 * t - 1.0,
        LfoWave::SawDown => 1.0 - 2.0 * t,
        LfoWave::Square => {
            if t < 0.5 {
                1.0
            } else {
                -1.0
            }
        }
        LfoWave::SampleAndHold => held[1],
        LfoWave::Wander => held[0] + (held[1] - held[0]) * t,
    }
}

/// An LFO on its way.
#[derive(Clone, Copy, Debug)]
pub struct LfoWalk {
    turn: f32,
    held: [f32; 2],
    noise: Noise,
}

impl LfoWalk {
    pub fn new(seed: u64) -> LfoWalk {
        let mut noise = Noise::new(seed);
        LfoWalk { turn: 0.0, held: [noise.next_value(), noise.next_value()], noise }
    }

    /// Once a tick. One that counts beats stands where the song's beat wants it, while the song plays.
    pub fn tick(&mut self, rate: LfoRate, (tempo_bpm, song_beat): (f32, Option<f64>), frames_a_second: f32) {
        let before = self.turn;
        match (rate, song_beat) {
            (LfoRate::PerBeat(turns), Some(beat)) => {
                let turns = beat * f64::from(turns);
                self.turn = (turns - turns.floor()) as f32;
            }
            _ => self.turn += rate.hz(tempo_bpm) * TICK as f32 / frames_a_second,
        }
        self.turn -= floor(self.turn);
        if self.turn < before {
            self.held = [self.held[1], self.noise.next_value()];
        }
    }

    /// -1 to 1, so many turns ahead.
    pub fn value(&self, wave: LfoWave, ahead: f32) -> f32 {
        wave_at(wave, self.turn + ahead, self.held)
    }
}

/// A value that is worked out once a tick, and goes straight from one to the next in between.
#[derive(Clone, Copy, Debug, Default)]
pub struct TickValue {
    before: f32,
    now: f32,
    set: bool,
}

impl TickValue {
    pub fn set(&mut self, value: f32) {
        self.before = if self.set { self.now } else { value };
        (self.now, self.set) = (value, true);
    }

    pub fn now(&self) -> f32 {
        self.now
    }

    /// At a frame of the tick, 0 to 15.
    #[inline]
    pub fn at(&self, frame: usize) -> f32 {
        self.before + (self.now - self.before) * ((frame + 1) as f32 / TICK as f32)
    }
}

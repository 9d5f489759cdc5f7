//! What moves in a note of Drift: envelopes, the cycling one, the LFO.

use super::drift_settings::{DriftAmount, DriftLfoWave, DriftSettings, DriftSource, DriftTarget, SecondEnvelope};
use super::voice_pool::Note;
use crate::dsp::envelope::Envelope;
use crate::dsp::lfo::wave_at;
use crate::dsp::math::{exp2, floor, hz_of_pitch};
use crate::dsp::noise::Noise;
use crate::dsp::span::TICK;

pub(super) struct Movement {
    first: f32,
    envelope: Envelope,
    cycle_turn: f32,
    second: f32,
    lfo_turn: f32,
    /// Whole turns of the LFO, up to one.
    turned: bool,
    lfo_held: [f32; 2],
    lfo: f32,
    key: f32,
    velocity: f32,
    noise: Noise,
    rate: f32,
}

impl Movement {
    pub fn new() -> Movement {
        Movement {
            first: 0.0,
            envelope: Envelope::OVER,
            cycle_turn: 0.0,
            second: 0.0,
            lfo_turn: 0.0,
            turned: false,
            lfo_held: [0.0; 2],
            lfo: 0.0,
            key: 0.0,
            velocity: 0.0,
            noise: Noise::new(3),
            rate: 48_000.0,
        }
    }

    pub fn start(&mut self, settings: &DriftSettings, note: Note, dice: &mut Noise, (now, rate): (u64, f32)) {
        self.rate = rate;
        self.velocity = note.velocity;
        self.noise = Noise::new(note.id ^ 0x5151);
        if let SecondEnvelope::Envelope(times) = &settings.second_envelope {
            self.envelope = Envelope::start(times, rate);
        }
        (self.cycle_turn, self.second, self.first, self.turned) = (0.0, 0.0, 0.0, false);
        self.lfo_held = [dice.next_value(), dice.next_value()];
        let turns = now as f64 * f64::from(settings.lfo.rate.hz(120.0)) / f64::from(rate);
        self.lfo_turn = if settings.lfo.retrigger { 0.0 } else { (turns - turns.floor()) as f32 };
    }

    pub fn release(&mut self) {
        self.envelope.release();
    }

    pub fn retrigger(&mut self) {
        self.envelope.retrigger();
        (self.cycle_turn, self.turned) = (0.0, false);
    }

    pub fn skip(&mut self, frames: usize) {
        self.envelope.skip(frames);
    }

    /// Once a tick, with the level of the first envelope.
    pub fn tick(&mut self, settings: &DriftSettings, first: f32, pitch: f32, tempo_bpm: f32) {
        self.first = first;
        self.key = (pitch - 60.0) / 60.0;
        let tick = TICK as f32 / self.rate;
        self.second = match settings.second_envelope {
            SecondEnvelope::Envelope(_) => self.envelope.level(),
            SecondEnvelope::Cycle { rate, tilt, hold } => {
                let faster = exp2(4.0 * self.to(settings, DriftTarget::CycleRate));
                self.cycle_turn += rate.hz(tempo_bpm) * faster * tick;
                self.cycle_turn -= floor(self.cycle_turn);
                cycle_at(self.cycle_turn, tilt, hold)
            }
        };
        let lfo = &settings.lfo;
        let faster = exp2(4.0 * self.to(settings, DriftTarget::LfoRate));
        let hz = lfo.ratio.map_or_else(|| lfo.rate.hz(tempo_bpm), |ratio| ratio * hz_of_pitch(pitch)) * faster;
        let before = self.lfo_turn;
        self.lfo_turn += (hz * tick).min(0.5);
        self.lfo_turn -= floor(self.lfo_turn);
        if self.lfo_turn < before {
            self.turned = true;
            self.lfo_held = [self.lfo_held[1], self.noise.next_value()];
        }
        let value = match lfo.wave {
            DriftLfoWave::Wave(wave) => wave_at(wave, self.lfo_turn, self.lfo_held),
            _ if self.turned => 0.0,
            DriftLfoWave::LinearEnvelope => 1.0 - self.lfo_turn,
            DriftLfoWave::ExponentialEnvelope => exp2(-8.0 * self.lfo_turn),
        };
        // Its own amount is moved by what the others are; by itself it is not.
        let by = if lfo.amount_by.source == DriftSource::Lfo { 0.0 } else { self.of(lfo.amount_by) };
        self.lfo = value * (lfo.amount + by).clamp(0.0, 1.0);
    }

    /// What a source gives.
    pub fn of(&self, by: DriftAmount) -> f32 {
        let value = match by.source {
            DriftSource::None => 0.0,
            DriftSource::Envelope1 => self.first,
            DriftSource::Envelope2 => self.second,
            DriftSource::Lfo => self.lfo,
            DriftSource::Key => self.key,
            DriftSource::Velocity => self.velocity,
        };
        value * by.amount
    }

    /// What the three routes bring to a target.
    pub fn to(&self, settings: &DriftSettings, target: DriftTarget) -> f32 {
        settings.routes.iter().filter(|route| route.target == target).map(|route| self.of(route.from)).sum()
    }
}

/// 0 up to 1, a while there, and down again.
fn cycle_at(turn: f32, tilt: f32, hold: f32) -> f32 {
    let hold = hold.clamp(0.0, 0.95);
    let up = (tilt.clamp(0.02, 0.98)) * (1.0 - hold);
    if turn < up {
        turn / up
    } else if turn < up + hold {
        1.0
    } else {
        (1.0 - turn) / (1.0 - hold - up).max(1e-3)
    }
}

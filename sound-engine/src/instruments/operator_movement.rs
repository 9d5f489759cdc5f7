//! What moves in a note of Operator: its pitch, the LFO, the filter.

use super::operator_envelope::StagedEnvelope;
use super::operator_settings::{OperatorOscillator, OperatorSettings};
use super::voice_pool::Note;
use crate::dsp::lfo::wave_at;
use crate::dsp::math::{approach, exp2, floor, hz_of_pitch, log2};
use crate::dsp::noise::Noise;
use crate::dsp::span::TICK;
use crate::dsp::svf::{Coefficients, Response};

pub(super) struct Movement {
    /// The key, as far as anybody told.
    pub is_held: bool,
    /// As far as envelopes were told.
    was_held: bool,
    pitch: f32,
    target: f32,
    velocity: f32,
    pitch_envelope: StagedEnvelope,
    filter_envelope: StagedEnvelope,
    lfo_envelope: StagedEnvelope,
    lfo_turn: f32,
    lfo_held: [f32; 2],
    lfo: f32,
    lfo_semitones: f32,
    transpose: f32,
    noise: Noise,
    coefficients: Coefficients,
    rate: f32,
}

impl Movement {
    pub fn new(rate: f32) -> Movement {
        Movement {
            is_held: false,
            was_held: false,
            pitch: 60.0,
            target: 60.0,
            velocity: 0.0,
            pitch_envelope: StagedEnvelope::OVER,
            filter_envelope: StagedEnvelope::OVER,
            lfo_envelope: StagedEnvelope::OVER,
            lfo_turn: 0.0,
            lfo_held: [0.0; 2],
            lfo: 0.0,
            lfo_semitones: 0.0,
            transpose: 0.0,
            noise: Noise::new(3),
            coefficients: Coefficients::new(Response::Through, 0.1, 1.0),
            rate,
        }
    }

    pub fn start(&mut self, settings: &OperatorSettings, note: Note, from: Option<f32>, now: u64) {
        (self.is_held, self.was_held) = (true, true);
        self.target = f32::from(note.pitch);
        self.pitch = from.unwrap_or(self.target);
        self.velocity = note.velocity;
        let envelope = |of| StagedEnvelope::start(of, self.rate);
        self.pitch_envelope = settings.pitch_envelope.as_ref().map_or(StagedEnvelope::OVER, envelope);
        self.filter_envelope =
            settings.filter.as_ref().map_or(StagedEnvelope::OVER, |filter| envelope(&filter.envelope));
        self.lfo_envelope = settings.lfo.as_ref().map_or(StagedEnvelope::OVER, |lfo| envelope(&lfo.envelope));
        self.noise = Noise::new(note.id ^ 0x5151);
        self.lfo_held = [self.noise.next_value(), self.noise.next_value()];
        let turns = |hz: f32| now as f64 * f64::from(hz) / f64::from(self.rate);
        self.lfo_turn = match &settings.lfo {
            Some(lfo) if !lfo.retrigger => (turns(lfo.rate.hz(120.0)) - turns(lfo.rate.hz(120.0)).floor()) as f32,
            _ => 0.0,
        };
        self.lfo = 0.0;
    }

    /// Whether the key was let go of since it was asked last.
    pub fn lets_go(&mut self) -> bool {
        let lets_go = self.was_held && !self.is_held;
        self.was_held = self.is_held;
        lets_go
    }

    /// Once a tick.
    pub fn tick(&mut self, settings: &OperatorSettings, tempo_bpm: f32, fresh: bool) {
        let (tick, beats) = (TICK as f32 / self.rate, tempo_bpm / 60.0);
        let envelopes = [
            (&mut self.pitch_envelope, settings.pitch_envelope.as_ref()),
            (&mut self.filter_envelope, settings.filter.as_ref().map(|filter| &filter.envelope)),
            (&mut self.lfo_envelope, settings.lfo.as_ref().map(|lfo| &lfo.envelope)),
        ];
        for (envelope, of) in envelopes {
            let Some(of) = of.filter(|_| !fresh) else { continue };
            if !self.is_held && !envelope.is_released() {
                envelope.release(of.cycle);
            }
            envelope.tick(of.cycle, tick, beats);
        }
        let part = approach(settings.glide * self.rate / (TICK as f32 * 4.0));
        self.pitch += (self.target - self.pitch) * part;
        if let Some(lfo) = &settings.lfo {
            let before = self.lfo_turn;
            self.lfo_turn += if fresh { 0.0 } else { (lfo.rate.hz(tempo_bpm) * tick).min(0.5) };
            self.lfo_turn -= floor(self.lfo_turn);
            if self.lfo_turn < before {
                self.lfo_held = [self.lfo_held[1], self.noise.next_value()];
            }
            self.lfo = wave_at(lfo.wave, self.lfo_turn, self.lfo_held) * self.lfo_envelope.level();
        }
        if let Some(filter) = &settings.filter {
            let octaves = filter.key_tracking * (self.pitch - 60.0) * (1.0 / 12.0)
                + filter.velocity_octaves * self.velocity
                + filter.envelope_octaves * self.filter_envelope.level()
                + settings.lfo.as_ref().map_or(0.0, |lfo| lfo.filter_octaves * self.lfo);
            let hz = exp2((log2(filter.hz.max(10.0)) + octaves).clamp(4.0, 14.3));
            self.coefficients = Coefficients::new(filter.response, hz / self.rate, filter.q);
        }
        self.transpose = settings.transpose;
        self.lfo_semitones = settings.lfo.as_ref().map_or(0.0, |lfo| lfo.semitones * self.lfo);
    }

    pub fn skip(&mut self, frames: usize) {
        for envelope in [&mut self.pitch_envelope, &mut self.filter_envelope, &mut self.lfo_envelope] {
            envelope.skip(frames);
        }
    }

    /// Of the note, before anything bends it.
    pub fn note_hz(&self) -> f32 {
        hz_of_pitch(self.pitch + self.transpose)
    }

    /// By how much envelope and LFO move an oscillator.
    pub fn octaves_of(&self, oscillator: &OperatorOscillator) -> f32 {
        let envelope = if oscillator.follows_pitch_envelope { self.pitch_envelope.level() } else { 0.0 };
        let lfo = if oscillator.follows_lfo { self.lfo_semitones } else { 0.0 };
        (envelope + lfo) * (1.0 / 12.0)
    }

    pub fn coefficients(&self) -> Coefficients {
        self.coefficients
    }
}

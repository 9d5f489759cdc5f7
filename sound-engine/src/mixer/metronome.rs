//! The metronome's click.

use crate::dsp::envelope::{CONSTANTS_OF_60_DB, END};
use crate::dsp::math::{approach, gain_of_db, sin_turns};
use crate::dsp::phase::Phase;
use crate::dsp::span::Bus;

/// Of a bar's first beat, and of the others.
const ACCENT_HZ: f32 = 1_600.0;
const HZ: f32 = 1_000.0;
/// Seconds of the begin, and to 60 dB below.
const ATTACK: f32 = 0.000_5;
const DECAY: f32 = 0.045;
/// At 0 dB.
const LEVEL: f32 = 0.5;

/// One click at a time.
pub struct Metronome {
    phase: Phase,
    step: Phase,
    level: f32,
    fall: f32,
    onset: f32,
    rise: f32,
}

impl Metronome {
    pub const SILENT: Metronome =
        Metronome { phase: Phase(0), step: Phase(0), level: 0.0, fall: 1.0, onset: 1.0, rise: 1.0 };

    pub fn click(&mut self, accent: bool, gain_db: f32, rate: f32) {
        let hz = if accent { ACCENT_HZ } else { HZ };
        *self = Metronome {
            phase: Phase(0),
            step: Phase::of((hz / rate).min(0.45)),
            level: LEVEL * gain_of_db(gain_db),
            fall: approach(DECAY * rate / CONSTANTS_OF_60_DB),
            onset: 0.0,
            rise: 1.0 / (ATTACK * rate),
        };
    }

    /// What sounds, unless nothing does.
    pub fn render(&mut self, frames: usize) -> Option<Bus> {
        if self.level == 0.0 {
            return None;
        }
        let mut bus = Bus::SILENT;
        for (left, right) in bus.frames_mut(frames) {
            self.onset = (self.onset + self.rise).min(1.0);
            let value = sin_turns(self.phase.turns()) * self.level * self.onset;
            (*left, *right) = (value, value);
            self.phase = self.phase.plus(self.step);
            self.level -= self.level * self.fall;
            if self.level < END {
                self.level = 0.0;
            }
        }
        Some(bus)
    }
}

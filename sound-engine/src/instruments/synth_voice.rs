//! One note of the synthesizer.

use super::patch::{FmPair, Patch};
use super::synth_control::control;
use super::synth_tuning::{MOST_COPIES, Tuning, copies};
use super::voice_pool::{Note, Voice};
use crate::dsp::envelope::{CONSTANTS_OF_60_DB, Envelope};
use crate::dsp::four::{Four, add_scaled};
use crate::dsp::four_svf::FilterNumbers;
use crate::dsp::math::{approach, sines, sines_of_half};
use crate::dsp::noise::Noise;
use crate::dsp::oscillator::Shape;
use crate::dsp::phase::Phase;
use crate::dsp::span::{Bus, Lane, Span, TICK};
use crate::dsp::svf::StereoSvf;
use crate::dsp::wavetable::{Waves, waves};

const TURNS_OF_RADIAN: f32 = 0.159_154_94;
/// What an oscillator may step in a sample, so that it stays below half the rate.
pub(super) const LARGEST_STEP: f32 = 0.49;

#[derive(Clone, Copy)]
pub(super) struct Operators {
    carrier: Phase,
    modulator: Phase,
    /// The index now, and what each tick leaves of it.
    pub(super) index: f32,
    pub(super) index_part: f32,
}

pub struct SynthVoice {
    copies: [Phase; MOST_COPIES],
    second: Phase,
    sub: Phase,
    /// Where the waves' versions were found last, of the first and the second oscillator.
    near: usize,
    second_near: usize,
    pub(super) fm: [Operators; 2],
    noise: Noise,
    pub(super) amplitude: Envelope,
    pub(super) modulation: Envelope,
    pub(super) pitch: f32,
    pub(super) target: f32,
    pub(super) glide: f32,
    pub(super) velocity: f32,
    pub(super) gain: f32,
    pub(super) vibrato_turn: f32,
    pub(super) vibrato_depth: f32,
    pub(super) vibrato_rise: f32,
    pub(super) tuning: Tuning,
    /// Cycles a sample of the note, in the last tick, and the pitch that they are.
    pub(super) step: f32,
    pub(super) step_pitch: f32,
    pub(super) filters: [StereoSvf; 2],
    pub(super) coefficients: FilterNumbers,
    pub(super) rate: f32,
    waves: &'static Waves,
}

impl Voice for SynthVoice {
    fn level(&self) -> f32 {
        self.amplitude.level() * self.gain
    }

    fn release(&mut self) {
        self.amplitude.release();
        self.modulation.release();
    }

    fn is_over(&self) -> bool {
        self.amplitude.is_over()
    }
}

impl SynthVoice {
    pub fn new(rate: f32) -> SynthVoice {
        SynthVoice {
            copies: [Phase(0); MOST_COPIES],
            second: Phase(0),
            sub: Phase(0),
            near: 0,
            second_near: 0,
            fm: [Operators { carrier: Phase(0), modulator: Phase(0), index: 0.0, index_part: 1.0 }; 2],
            noise: Noise::new(1),
            amplitude: Envelope::OVER,
            modulation: Envelope::OVER,
            pitch: 60.0,
            target: 60.0,
            glide: 1.0,
            velocity: 0.0,
            gain: 0.0,
            vibrato_turn: 0.0,
            vibrato_depth: 0.0,
            vibrato_rise: 1.0,
            tuning: Tuning::new(),
            step: 0.0,
            step_pitch: f32::NEG_INFINITY,
            filters: [StereoSvf::default(); 2],
            coefficients: FilterNumbers::default(),
            rate,
            waves: waves(),
        }
    }

    /// Begins a note; `from` is the pitch that it slides from.
    pub fn start(&mut self, patch: &Patch, note: Note, from: Option<f32>) {
        let tick_rate = self.rate / TICK as f32;
        self.velocity = note.velocity;
        self.noise = Noise::new(note.id ^ (u64::from(note.pitch) << 48));
        let mut phases = Noise::new(note.id.wrapping_add(u64::from(note.pitch) << 40));
        for (at, phase) in self.copies.iter_mut().enumerate() {
            // Copies begin apart, or they would all peak at once; a single oscillator begins at zero.
            let turns = if patch.unison > 1 && at > 0 { 0.5 + 0.5 * phases.next_value() } else { 0.0 };
            *phase = Phase::of(turns);
        }
        (self.second, self.sub) = (Phase(0), Phase(0));
        for (state, pair) in self.fm.iter_mut().zip(&patch.fm) {
            let steps = pair.index_decay * tick_rate / CONSTANTS_OF_60_DB;
            let part = if pair.index_decay > 0.0 { 1.0 - approach(steps) } else { 1.0 };
            let index = pair.index * (0.3 + 0.7 * note.velocity);
            *state = Operators { carrier: Phase(0), modulator: Phase(0), index, index_part: part };
        }
        self.amplitude = Envelope::start(&patch.amplitude, self.rate);
        self.modulation = Envelope::start(&patch.modulation, self.rate);
        self.target = f32::from(note.pitch);
        self.pitch = from.unwrap_or(self.target);
        self.glide = approach(patch.glide * tick_rate);
        let amount = patch.velocity_to_level.clamp(0.0, 1.0);
        self.gain = 1.0 - amount + amount * note.velocity * note.velocity;
        (self.vibrato_turn, self.vibrato_depth) = (0.0, 0.0);
        self.vibrato_rise = approach(patch.vibrato.delay * tick_rate);
        for filter in &mut self.filters {
            filter.clear();
        }
        control(&mut [Some(self), None, None, None], patch);
    }

    /// Slides to another pitch.
    pub fn slide(&mut self, pitch: f32) {
        self.target = pitch;
    }

    /// Fills a silent bus with what sounds before bend and filter; where both sides are the same, only the left one.
    pub(super) fn sources(&mut self, patch: &Patch, span: &Span, bus: &mut Bus) {
        let waves = self.waves;
        if patch.first.level == 0.0 {
            self.add_others(patch, span, &mut bus.left, waves);
            return;
        }
        self.oscillators(patch, span, bus);
        if patch.has_others() {
            let mut mono = [0.0; TICK];
            self.add_others(patch, span, &mut mono, waves);
            let lanes = if patch.is_stereo() { 2 } else { 1 };
            for lane in [&mut bus.left, &mut bus.right].into_iter().take(lanes) {
                lane.iter_mut().zip(&mono).for_each(|(value, mono)| *value += mono);
            }
        }
    }

    /// All but the first oscillator.
    fn add_others(&mut self, patch: &Patch, span: &Span, mono: &mut Lane, waves: &Waves) {
        self.add_wave(patch, span, mono, waves);
        self.add_fm(patch, span, mono);
        if patch.noise_level > 0.0 {
            self.noise.add(mono, patch.noise_level, span.frames);
        }
    }

    /// The copies of the first oscillator.
    fn oscillators(&mut self, patch: &Patch, span: &Span, bus: &mut Bus) {
        let base = self.step * self.tuning.first * patch.first.wave.cycles();
        let copies = self.copies.iter_mut().take(copies(patch));
        for ((phase, detune), (left, right)) in copies.zip(self.tuning.detunes).zip(self.tuning.sides) {
            let step = (base * detune).min(LARGEST_STEP);
            let values = patch.first.wave.shape_near(self.waves, step, &mut self.near).fours(*phase, Phase::of(step));
            *phase = phase.after(Phase::of(step), span.frames);
            add_scaled(&mut bus.left, &values, left);
            if patch.is_stereo() {
                add_scaled(&mut bus.right, &values, right);
            }
        }
    }

    /// The second oscillator and the sub.
    fn add_wave(&mut self, patch: &Patch, span: &Span, mono: &mut Lane, waves: &Waves) {
        let mut add = |phase: &mut Phase, step: f32, shape: Shape, level: f32| {
            let values = shape.fours(*phase, Phase::of(step));
            *phase = phase.after(Phase::of(step), span.frames);
            add_scaled(mono, &values, level);
        };
        if patch.second.level > 0.0 {
            let wave = patch.second.wave;
            let step = (self.step * self.tuning.second * wave.cycles()).min(LARGEST_STEP);
            add(&mut self.second, step, wave.shape_near(waves, step, &mut self.second_near), patch.second.level);
        }
        if patch.sub_level > 0.0 {
            add(&mut self.sub, 0.5 * self.step, Shape::Sine, patch.sub_level);
        }
    }

    fn add_fm(&mut self, patch: &Patch, span: &Span, mono: &mut Lane) {
        for (state, pair) in self.fm.iter_mut().zip(&patch.fm) {
            let FmPair { level, carrier, modulator, .. } = *pair;
            if level == 0.0 {
                continue;
            }
            let carrier = (self.step * carrier).min(LARGEST_STEP);
            let modulator = (self.step * modulator).min(LARGEST_STEP);
            // Side bands that would fold back are not made: the index is less where the notes are high.
            let room = ((0.45 - carrier) / modulator.max(1e-4) - 1.0).max(0.0);
            let index = state.index.min(room) * TURNS_OF_RADIAN;
            let (carrier, modulator) = (Phase::of(carrier), Phase::of(modulator));
            let mut values = state.carrier.fours(carrier);
            for (value, modulator) in values.iter_mut().zip(state.modulator.fours(modulator)) {
                *value = sines(*value + sines_of_half(modulator) * Four::splat(index));
            }
            add_scaled(mono, &values, level);
            state.carrier = state.carrier.after(carrier, span.frames);
            state.modulator = state.modulator.after(modulator, span.frames);
        }
    }
}

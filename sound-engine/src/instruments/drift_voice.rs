//! One note of Drift.

use super::drift_movement::Movement;
use super::drift_settings::{DriftLowpass, DriftOscillator, DriftSettings, DriftTarget, DriftVoices, DriftWave};
use super::voice_pool::{Note, Voice};
use crate::dsp::envelope::Envelope;
use crate::dsp::math::{approach, exp2, gain_of_db, hz_of_pitch, log2, tanh};
use crate::dsp::noise::Noise;
use crate::dsp::oscillator::Wave;
use crate::dsp::phase::Phase;
use crate::dsp::ramp::Ramp;
use crate::dsp::span::{Bus, Lane, Span, TICK, quiet};
use crate::dsp::svf::{Coefficients, Response, StereoSvf};
use crate::dsp::wavetable::{Waves, waves};

/// Oscillators of each kind in one voice.
const MOST_COPIES: usize = 4;
const LARGEST_STEP: f32 = 0.49;
/// What full drift makes of pitch (cents) and filter (octaves).
const DRIFT_CENTS: f32 = 25.0;
const DRIFT_OCTAVES: f32 = 0.4;
const MOVED_SEMITONES: f32 = 24.0;
const MOVED_OCTAVES: f32 = 8.0;

/// One oscillator of each kind, and where they stand.
#[derive(Clone, Copy)]
struct OscillatorPair {
    first: Phase,
    second: Phase,
    /// How it drifts: cents.
    away: f32,
    wander: f32,
    cents: f32,
    left: f32,
    right: f32,
}

pub struct DriftVoice {
    copies: [OscillatorPair; MOST_COPIES],
    count: usize,
    envelope: Envelope,
    movement: Movement,
    noise: Noise,
    drift: Noise,
    filter_away: f32,
    pitch: f32,
    target: f32,
    gain: f32,
    /// Cycles a sample, of this tick.
    steps: [f32; 2],
    shapes: [f32; 2],
    levels: [Ramp; 3],
    volume: Ramp,
    lowpass: [StereoSvf; 2],
    lowpass_coefficients: Coefficients,
    highpass: StereoSvf,
    highpass_coefficients: Coefficients,
    rate: f32,
    waves: &'static Waves,
}

impl Voice for DriftVoice {
    fn level(&self) -> f32 {
        self.envelope.level() * self.gain
    }

    fn release(&mut self) {
        self.envelope.release();
        self.movement.release();
    }

    fn is_over(&self) -> bool {
        self.envelope.is_over()
    }
}

impl DriftVoice {
    pub fn new(rate: f32) -> DriftVoice {
        let through = Coefficients::new(Response::Through, 0.1, 1.0);
        let copy = OscillatorPair {
            first: Phase(0),
            second: Phase(0),
            away: 0.0,
            wander: 0.0,
            cents: 0.0,
            left: 1.0,
            right: 1.0,
        };
        let ramp = Ramp::new(0.0, 0.002, rate);
        DriftVoice {
            copies: [copy; MOST_COPIES],
            count: 1,
            envelope: Envelope::OVER,
            movement: Movement::new(),
            noise: Noise::new(1),
            drift: Noise::new(2),
            filter_away: 0.0,
            pitch: 60.0,
            target: 60.0,
            gain: 0.0,
            steps: [0.0; 2],
            shapes: [0.0; 2],
            levels: [ramp; 3],
            volume: ramp,
            lowpass: [StereoSvf::default(); 2],
            lowpass_coefficients: through,
            highpass: StereoSvf::default(),
            highpass_coefficients: through,
            rate,
            waves: waves(),
        }
    }

    /// Begins a note; `from` is the pitch that it slides from.
    pub fn start(&mut self, settings: &DriftSettings, note: Note, from: Option<f32>, now: u64) {
        let seed = note.id ^ (u64::from(note.pitch) << 48);
        (self.noise, self.drift) = (Noise::new(seed), Noise::new(seed.wrapping_add(77)));
        self.place_copies(settings);
        for copy in &mut self.copies {
            let turns = if settings.retrigger { 0.0 } else { 0.4999 + 0.4999 * self.drift.next_value() };
            (copy.first, copy.second) = (Phase::of(turns), Phase::of(turns));
            (copy.away, copy.wander) = (self.drift.next_value(), 0.0);
        }
        self.filter_away = self.drift.next_value();
        self.envelope = Envelope::start(&settings.envelope, self.rate);
        self.movement.start(settings, note, &mut self.drift, (now, self.rate));
        self.target = f32::from(note.pitch);
        self.pitch = from.unwrap_or(self.target);
        let amount = settings.velocity_to_level.clamp(0.0, 1.0);
        self.gain = 1.0 - amount + amount * note.velocity * note.velocity;
        self.lowpass = [StereoSvf::default(); 2];
        self.highpass.clear();
        self.control(settings, 120.0, true);
    }

    /// Slides to another pitch; `anew`: its envelopes begin again from where they are.
    pub fn slide(&mut self, note: Note, anew: bool) {
        self.target = f32::from(note.pitch);
        if anew {
            self.envelope.retrigger();
            self.movement.retrigger();
        }
    }

    fn place_copies(&mut self, settings: &DriftSettings) {
        let (count, cents, width) = match settings.voices {
            DriftVoices::Poly => (1, 0.0, 0.0),
            DriftVoices::Mono { thickness } if thickness <= 0.0 => (1, 0.0, 0.0),
            DriftVoices::Mono { thickness } => (4, 12.0 * thickness, 0.0),
            DriftVoices::Stereo { spread } => (2, 14.0 * spread, spread),
            DriftVoices::Unison { strength } => (4, 40.0 * strength, 0.8),
        };
        self.count = count;
        let level = 1.0 / (count as f32).sqrt();
        for (at, copy) in self.copies.iter_mut().enumerate() {
            let place = if count > 1 { 2.0 * at as f32 / (count - 1) as f32 - 1.0 } else { 0.0 };
            copy.cents = 0.5 * cents * place;
            let side = if at % 2 == 0 { place.abs() } else { -place.abs() } * width;
            (copy.left, copy.right) = (level * (1.0 - side.max(0.0)), level * (1.0 + side.min(0.0)));
        }
    }

    /// What changes from tick to tick.
    fn control(&mut self, settings: &DriftSettings, tempo_bpm: f32, fresh: bool) {
        self.movement.tick(settings, self.envelope.level(), self.target, tempo_bpm);
        let movement = &self.movement;
        let part = approach(settings.glide * self.rate / (TICK as f32 * 4.0));
        self.pitch += (self.target - self.pitch) * part;
        for copy in &mut self.copies {
            // A slow walk that comes back.
            copy.wander = quiet(copy.wander * 0.999 + self.drift.next_value() * 0.02);
        }
        let moved: f32 = settings.pitch_by.iter().map(|by| movement.of(*by)).sum::<f32>() * MOVED_SEMITONES;
        let pitch = self.pitch + settings.transpose + moved;
        let detune = movement.to(settings, DriftTarget::Oscillator2Detune) * 12.0;
        let step = |semitones: f32| hz_of_pitch(pitch + semitones) / self.rate;
        self.steps = [step(settings.first.semitones), step(settings.second.semitones + detune)];
        let shape = movement.of(settings.shape_by) + movement.to(settings, DriftTarget::Oscillator1Shape);
        self.shapes = [(settings.first.shape + shape).clamp(0.0, 1.0), settings.second.shape.clamp(0.0, 1.0)];
        let gain = |on: bool, db: f32, target| {
            let moved = (1.0 + movement.to(settings, target)).clamp(0.0, 2.0);
            if on && db > f32::NEG_INFINITY { gain_of_db(db) * moved } else { 0.0 }
        };
        let levels = [
            gain(settings.first.on, settings.first.gain_db, DriftTarget::Oscillator1Gain),
            gain(settings.second.on, settings.second.gain_db, DriftTarget::Oscillator2Gain),
            gain(true, settings.noise_db, DriftTarget::NoiseGain),
        ];
        let volume = gain_of_db(settings.level_db)
            * self.gain
            * (1.0 + movement.to(settings, DriftTarget::Volume)).clamp(0.0, 2.0);
        for (ramp, value) in self.levels.iter_mut().zip(levels).chain([(&mut self.volume, volume)]) {
            if fresh { ramp.jump(value) } else { ramp.go(value) }
        }
        self.control_filters(settings);
    }

    fn control_filters(&mut self, settings: &DriftSettings) {
        let movement = &self.movement;
        let octaves = settings.lowpass_by.iter().map(|by| movement.of(*by)).sum::<f32>() * MOVED_OCTAVES
            + movement.to(settings, DriftTarget::LowpassFrequency) * MOVED_OCTAVES
            + settings.key_tracking * (self.pitch - 60.0) / 12.0
            + self.filter_away * settings.drift * DRIFT_OCTAVES;
        let hz = exp2((log2(settings.lowpass_hz.max(10.0)) + octaves).clamp(4.0, 14.4));
        let resonance = (settings.resonance + movement.to(settings, DriftTarget::LowpassResonance)).clamp(0.0, 1.0);
        let q = match settings.lowpass {
            DriftLowpass::One => 0.6 * exp2(4.6 * resonance),
            DriftLowpass::Two => 0.6 * exp2(3.2 * resonance),
        };
        self.lowpass_coefficients = Coefficients::new(Response::Lowpass, hz / self.rate, q);
        let octaves = movement.to(settings, DriftTarget::HighpassFrequency) * MOVED_OCTAVES;
        let hz = exp2((log2(settings.highpass_hz.max(5.0)) + octaves).clamp(2.3, 14.4));
        self.highpass_coefficients = Coefficients::new(Response::Highpass, hz / self.rate, 0.707);
        self.lowpass.iter_mut().chain([&mut self.highpass]).for_each(StereoSvf::settle);
    }

    /// Fills a silent bus.
    pub fn render(&mut self, settings: &DriftSettings, span: &Span, tempo_bpm: f32, bus: &mut Bus) {
        if span.is_tick() {
            self.control(settings, tempo_bpm, false);
        }
        let mut direct = Bus::SILENT;
        let [first_level, second_level, noise_level] = self.levels.each_mut().map(|ramp| ramp.lane(span));
        for (index, oscillator, levels) in [(0, &settings.first, first_level), (1, &settings.second, second_level)] {
            if levels.iter().any(|level| *level > 0.0) {
                let place = if oscillator.filtered { &mut *bus } else { &mut direct };
                self.oscillate(oscillator, (index, settings.drift), &levels, (span, place));
            }
        }
        if noise_level.iter().any(|level| *level > 0.0) {
            let place = if settings.noise_filtered { &mut *bus } else { &mut direct };
            for ((left, right), level) in place.frames_mut(span.frames).zip(noise_level) {
                let value = self.noise.next_value() * level;
                *left += value;
                *right += value;
            }
        }
        self.filter(settings, span, bus);
        let volume = self.volume.lane(span);
        let both = bus.frames_mut(span.frames).zip(direct.left.into_iter().zip(direct.right)).zip(volume);
        for (((left, right), (direct_left, direct_right)), volume) in both {
            let gain = self.envelope.next_value() * volume;
            *left = (*left + direct_left) * gain;
            *right = (*right + direct_right) * gain;
        }
        self.movement.skip(span.frames);
    }

    /// Adds all copies of an oscillator.
    fn oscillate(
        &mut self,
        oscillator: &DriftOscillator,
        (index, drift): (usize, f32),
        levels: &Lane,
        (span, bus): (&Span, &mut Bus),
    ) {
        let base = self.steps.get(index).copied().unwrap_or_default();
        let parts = parts_of(oscillator.wave, self.shapes.get(index).copied().unwrap_or_default());
        for copy in self.copies.iter_mut().take(self.count) {
            let cents = copy.cents + (copy.away + copy.wander) * drift * DRIFT_CENTS;
            let step = (base * exp2(cents * (1.0 / 1200.0))).clamp(0.0, LARGEST_STEP);
            let phase = if index == 0 { &mut copy.first } else { &mut copy.second };
            let (begin, note_step) = (*phase, Phase::of(step));
            for (wave, level, cycles) in parts {
                if level == 0.0 {
                    continue;
                }
                let step = step * f32::from(cycles);
                if step > LARGEST_STEP {
                    continue;
                }
                // Whole multiples, so that it stays with the note's own phase however spans are cut.
                let times = |phase: Phase| Phase(phase.0.wrapping_mul(u32::from(cycles)));
                let values = wave.shape(self.waves, step).lane(times(begin), times(note_step));
                for (((left, right), value), gain) in bus.frames_mut(span.frames).zip(values).zip(levels) {
                    let value = value * level * gain;
                    *left += value * copy.left;
                    *right += value * copy.right;
                }
            }
            *phase = begin.after(note_step, span.frames);
        }
    }

    fn filter(&mut self, settings: &DriftSettings, span: &Span, bus: &mut Bus) {
        let (low, high) = (self.lowpass_coefficients, self.highpass_coefficients);
        let [first, second] = &mut self.lowpass;
        for (left, right) in bus.frames_mut(span.frames) {
            let (mut l, mut r) = first.process(&low, *left, *right);
            if settings.lowpass == DriftLowpass::Two {
                (l, r) = second.process(&low, tanh(l), tanh(r));
            }
            (*left, *right) = self.highpass.process(&high, l, r);
        }
    }
}

/// What a wave is made of: waves without aliases, their levels, and how many cycles they have for each.
fn parts_of(wave: DriftWave, shape: f32) -> [(Wave, f32, u8); 2] {
    let pulse = |width| Wave::Pulse { width };
    match wave {
        DriftWave::Sine => [(Wave::Sine, 1.0 - 0.3 * shape, 1), (Wave::Sine, 0.5 * shape, 2)],
        DriftWave::Triangle => [(Wave::Triangle, 1.0 - shape, 1), (Wave::Saw, 0.7 * shape, 1)],
        DriftWave::SharkTooth => [(Wave::Triangle, 0.5 - 0.4 * shape, 1), (Wave::Saw, 0.5 + 0.2 * shape, 1)],
        DriftWave::Saturated => [(pulse(0.5 + 0.35 * shape), 0.6, 1), (Wave::Sine, 0.4, 1)],
        DriftWave::Saw => [(Wave::Saw, 1.0 - 0.5 * shape, 1), (Wave::Saw, 0.5 * shape, 2)],
        DriftWave::Pulse => [(pulse(0.25 - 0.2 * shape), 0.8, 1), (Wave::Sine, 0.0, 1)],
        DriftWave::Rectangle => [(pulse(0.5 + 0.45 * shape), 0.8, 1), (Wave::Sine, 0.0, 1)],
    }
}

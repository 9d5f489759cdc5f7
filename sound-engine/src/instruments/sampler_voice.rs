//! One note of the sampler.

use super::sampler::{SamplerGlide, SamplerSettings};
use super::sampler_head::{Head, Repeat};
use super::voice_pool::{Note, Voice};
use crate::dsp::envelope::Envelope;
use crate::dsp::lfo::wave_at;
use crate::dsp::math::{approach, exp2, floor, gain_of_db, log2};
use crate::dsp::noise::Noise;
use crate::dsp::span::{Bus, Span, TICK};
use crate::dsp::svf::{Coefficients, Response, StereoSvf};

/// Edges are never sharper, seconds.
const SHORTEST_EDGE: f32 = 0.001;
/// A glide goes so many times its constant in its time: 98 % of the way.
const GLIDE_CONSTANTS: f32 = 4.0;
/// The readers of a full spread are so far apart.
const SPREAD_CENTS: f32 = 24.0;

/// What the LFO makes of level and place: left, right.
type Sides = (f32, f32);

pub struct SamplerVoice {
    heads: [Head; 2],
    end: f64,
    /// Without what moves it.
    speed: f64,
    envelope: Envelope,
    filter_envelope: Envelope,
    pitch_envelope: Envelope,
    filters: [StereoSvf; 2],
    coefficients: Coefficients,
    velocity: f32,
    gain: f32,
    pitch: f32,
    /// Semitones that are left of a glide.
    slide: f32,
    pan: f32,
    lfo_turn: f32,
    lfo_depth: f32,
    lfo_held: [f32; 2],
    lfo_value: f32,
    sides: [Sides; 2],
    noise: Noise,
    /// Frames played.
    played: u32,
    released: bool,
    rate: f32,
}

impl Voice for SamplerVoice {
    fn level(&self) -> f32 {
        self.envelope.level() * self.gain
    }

    fn release(&mut self) {
        self.released = true;
        self.envelope.release();
        self.filter_envelope.release();
        self.pitch_envelope.release();
    }

    fn is_over(&self) -> bool {
        self.envelope.is_over() || self.heads[0].position >= self.end
    }
}

impl SamplerVoice {
    pub fn new(rate: f32) -> SamplerVoice {
        SamplerVoice {
            heads: [Head::new(rate); 2],
            end: 0.0,
            speed: 1.0,
            envelope: Envelope::OVER,
            filter_envelope: Envelope::OVER,
            pitch_envelope: Envelope::OVER,
            filters: [StereoSvf::default(); 2],
            coefficients: Coefficients::new(Response::Through, 0.1, 1.0),
            velocity: 0.0,
            gain: 0.0,
            pitch: 60.0,
            slide: 0.0,
            pan: 0.0,
            lfo_turn: 0.0,
            lfo_depth: 0.0,
            lfo_held: [0.0; 2],
            lfo_value: 0.0,
            sides: [(1.0, 1.0); 2],
            noise: Noise::new(1),
            played: 0,
            released: false,
            rate,
        }
    }

    /// Begins a part of the sample (from, to, semitones); it glides from so many semitones away.
    pub fn start(
        &mut self,
        settings: &SamplerSettings,
        note: Note,
        (from, to, semitones): (u32, u32, f32),
        (away, now): (f32, u64),
    ) {
        self.end = f64::from(to);
        self.set_pitch(settings, semitones);
        for head in &mut self.heads {
            head.start(settings, f64::from(from));
        }
        self.envelope = Envelope::start(&settings.envelope, self.rate);
        if let Some(filter) = &settings.filter {
            self.filter_envelope = Envelope::start(&filter.envelope, self.rate);
        }
        if let Some(pitch) = &settings.pitch_envelope {
            self.pitch_envelope = Envelope::start(&pitch.envelope, self.rate);
        }
        for filter in &mut self.filters {
            filter.clear();
        }
        self.velocity = note.velocity;
        self.pitch = f32::from(note.pitch);
        let amount = settings.velocity_to_level.clamp(0.0, 1.0);
        self.gain = 1.0 - amount + amount * note.velocity * note.velocity;
        self.slide = away;
        self.noise = Noise::new(note.id ^ (u64::from(note.pitch) << 48));
        self.pan = settings.pan_random.clamp(0.0, 1.0) * self.noise.next_value();
        self.start_lfo(settings, now);
        (self.played, self.released) = (0, false);
        self.control(settings, 120.0);
        self.sides[0] = self.sides[1];
    }

    fn start_lfo(&mut self, settings: &SamplerSettings, now: u64) {
        let Some(lfo) = &settings.lfo else { return };
        self.lfo_depth = if lfo.attack > 0.0 { 0.0 } else { 1.0 };
        self.lfo_held = [self.noise.next_value(), self.noise.next_value()];
        // One that is not begun anew has run since the first frame.
        let turns = now as f64 * f64::from(lfo.rate.hz(120.0)) / f64::from(self.rate);
        self.lfo_turn = if lfo.retrigger { lfo.offset } else { lfo.offset + (turns - turns.floor()) as f32 };
        self.lfo_turn -= floor(self.lfo_turn);
    }

    fn set_pitch(&mut self, settings: &SamplerSettings, semitones: f32) {
        self.speed = f64::from(exp2(semitones / 12.0)) * f64::from(settings.sample.rate()) / f64::from(self.rate);
        for head in &mut self.heads {
            head.set_speed(self.speed);
        }
    }

    /// Slides to another pitch without a new begin.
    pub fn slide_to(&mut self, settings: &SamplerSettings, semitones: f32, pitch: u8) {
        let before = self.speed;
        self.set_pitch(settings, semitones);
        self.slide += 12.0 * log2((before / self.speed) as f32);
        self.pitch = f32::from(pitch);
        self.control(settings, 120.0);
    }

    fn control(&mut self, settings: &SamplerSettings, tempo_bpm: f32) {
        self.control_lfo(settings, tempo_bpm);
        self.control_pitch(settings);
        let Some(filter) = &settings.filter else { return };
        let lfo = settings.lfo.as_ref().map_or(0.0, |lfo| lfo.filter_octaves * self.lfo_value);
        let octaves = filter.key_tracking * (self.pitch - 60.0) / 12.0
            + filter.velocity_octaves * (self.velocity - 1.0)
            + filter.envelope_octaves * self.filter_envelope.level()
            + lfo;
        let hz = exp2((log2(filter.hz) + octaves).clamp(4.0, 14.4));
        self.coefficients = Coefficients::new(filter.response, hz / self.rate, filter.q);
        for filter in &mut self.filters {
            filter.settle();
        }
    }

    fn control_lfo(&mut self, settings: &SamplerSettings, tempo_bpm: f32) {
        self.sides[0] = self.sides[1];
        let Some(lfo) = &settings.lfo else { return };
        let keys = exp2(lfo.key_tracking * (self.pitch - 60.0) / 12.0);
        let before = self.lfo_turn;
        self.lfo_turn += lfo.rate.hz(tempo_bpm) * keys * TICK as f32 / self.rate;
        self.lfo_turn -= floor(self.lfo_turn);
        if self.lfo_turn < before {
            self.lfo_held = [self.lfo_held[1], self.noise.next_value()];
        }
        if lfo.attack > 0.0 {
            let rise = TICK as f32 / (lfo.attack * self.rate);
            self.lfo_depth = (self.lfo_depth + rise).min(1.0);
        }
        self.lfo_value = wave_at(lfo.wave, self.lfo_turn, self.lfo_held) * self.lfo_depth;
        let level = 1.0 + lfo.level.clamp(0.0, 1.0) * 0.5 * (self.lfo_value - self.lfo_depth);
        let pan = (lfo.pan * self.lfo_value).clamp(-1.0, 1.0);
        self.sides[1] = (level * (1.0 - pan.max(0.0)), level * (1.0 + pan.min(0.0)));
    }

    /// The pitch as it is moved; where nothing moves it, it stays as it was begun.
    fn control_pitch(&mut self, settings: &SamplerSettings) {
        if let SamplerGlide::Portamento(seconds) | SamplerGlide::Glide(seconds) = settings.glide {
            let part = approach(seconds * self.rate / (TICK as f32 * GLIDE_CONSTANTS));
            self.slide -= self.slide * part;
            if self.slide.abs() < 1e-4 {
                self.slide = 0.0;
            }
        }
        let envelope = settings.pitch_envelope.as_ref().map_or(0.0, |e| e.semitones * self.pitch_envelope.level());
        let lfo = settings.lfo.as_ref().map_or(0.0, |lfo| lfo.semitones * self.lfo_value);
        let moved = self.slide + envelope + lfo;
        let apart = settings.spread.clamp(0.0, 1.0) * SPREAD_CENTS / 200.0;
        let is_moved = settings.pitch_envelope.is_some() || settings.lfo.is_some_and(|lfo| lfo.semitones != 0.0);
        if is_moved || apart > 0.0 || settings.glide != SamplerGlide::Off {
            for (head, apart) in self.heads.iter_mut().zip([apart, -apart]) {
                head.set_speed(self.speed * f64::from(exp2((moved + apart) / 12.0)));
            }
        }
    }

    /// Fills a silent bus.
    pub fn render(&mut self, settings: &SamplerSettings, span: &Span, tempo_bpm: f32, bus: &mut Bus) {
        if span.is_tick() {
            self.control(settings, tempo_bpm);
        }
        let level = self.gain * gain_of_db(settings.gain_db);
        let pan = (settings.pan + self.pan).clamp(-1.0, 1.0);
        let (left_gain, right_gain) = (level * (1.0 - pan.max(0.0)), level * (1.0 + pan.min(0.0)));
        let fade_in = settings.fade_in.max(if self.starts_inside(settings) { SHORTEST_EDGE } else { 0.0 }) * self.rate;
        let fade_out = f64::from(settings.fade_out.max(SHORTEST_EDGE) * self.rate) * self.heads[0].pace(settings);
        let position = self.heads[0].position;
        let repeats = settings.repeats.and_then(|region| Repeat::of(settings, region, position, self.end));
        let beats = f64::from(tempo_bpm) / 60.0 / f64::from(self.rate);
        let sides = settings.lfo.is_some_and(|lfo| lfo.level != 0.0 || lfo.pan != 0.0).then_some(self.sides);
        let first = (span.start % TICK as u64) as f32;
        for (at, (left, right)) in bus.frames_mut(span.frames).enumerate() {
            if self.heads[0].position >= self.end {
                break;
            }
            let (mut l, mut r) = self.read(settings, repeats);
            if let Some(filter) = &settings.filter {
                let [first, second] = &mut self.filters;
                (l, r) = first.process(&self.coefficients, l, r);
                if filter.steep {
                    (l, r) = second.process(&self.coefficients, l, r);
                }
                self.filter_envelope.next_value();
            }
            if settings.pitch_envelope.is_some() {
                self.pitch_envelope.next_value();
            }
            let mut gain = self.envelope.next_value();
            if (self.played as f32) < fade_in {
                gain *= self.played as f32 / fade_in;
            }
            let left_over = self.end - self.heads[0].position;
            if repeats.is_none() && left_over < fade_out {
                gain *= (left_over / fade_out) as f32;
            }
            *left = l * gain * left_gain;
            *right = r * gain * right_gain;
            if let Some([before, now]) = sides {
                let part = (first + at as f32 + 1.0) / TICK as f32;
                *left *= before.0 + (now.0 - before.0) * part;
                *right *= before.1 + (now.1 - before.1) * part;
            }
            self.played = self.played.saturating_add(1);
            let heads = if settings.spread > 0.0 { 2 } else { 1 };
            self.heads.iter_mut().take(heads).for_each(|head| head.step(settings, repeats, beats));
        }
    }

    /// What is read: by one head, or by two that stand apart.
    #[inline]
    fn read(&mut self, settings: &SamplerSettings, repeats: Option<Repeat>) -> (f32, f32) {
        let [first, second] = &mut self.heads;
        let (l, r) = first.read(settings, repeats);
        if settings.spread <= 0.0 {
            return (l, r);
        }
        let (other_l, other_r) = second.read(settings, repeats);
        let width = 0.5 + 0.5 * settings.spread.min(1.0);
        (l * width + other_l * (1.0 - width), other_r * width + r * (1.0 - width))
    }

    /// A sample that is played from its first frame begins as it was cut; one from its middle would begin with a step.
    fn starts_inside(&self, settings: &SamplerSettings) -> bool {
        settings.start > 0 || matches!(settings.mode, super::sampler::SamplerMode::Slice { .. })
    }
}

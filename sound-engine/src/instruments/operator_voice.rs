//! One note of Operator.

use super::operator_envelope::StagedEnvelope;
use super::operator_movement::Movement;
use super::operator_oscillator::{OscillatorState, OscillatorTick};
use super::operator_settings::{ALGORITHMS, Algorithm, OPERATORS, OperatorSettings, ShaperCurve};
use super::voice_pool::{Note, Voice};
use crate::dsp::math::{cos_turns, exp2, floor, gain_of_db, sin_turns, tanh};
use crate::dsp::noise::Noise;
use crate::dsp::ramp::Ramp;
use crate::dsp::span::{Bus, Lane, Span, TICK};
use crate::dsp::svf::StereoSvf;
use crate::dsp::wavetable::{Waves, waves};

/// Detuning of each of the two voices apart, at most: octaves.
const SPREAD_OCTAVES: f32 = 0.01;
/// Where nothing lies above: a part of the sample rate.
const CEILING: f32 = 0.45;
const TURNS_OF_RADIAN: f32 = 0.159_154_94;
/// Below this, a voice whose oscillators have ended has ended.
const SILENCE: f32 = 1e-4;
/// A filter may ring so long after them: ticks.
const LONGEST_RING: u32 = 6_000;

pub struct OperatorVoice {
    /// Of one side each, where they stand apart.
    copies: [[OscillatorState; OPERATORS]; 2],
    ticks: [OscillatorTick; OPERATORS],
    envelopes: [StagedEnvelope; OPERATORS],
    levels: [Ramp; OPERATORS],
    movement: Movement,
    sides: [Ramp; 2],
    rise: Ramp,
    filters: [StereoSvf; 2],
    velocity: f32,
    key: f32,
    chance: f32,
    loudest: f32,
    /// Of what came out in this tick.
    peak: f32,
    rings: u32,
    is_over: bool,
    rate: f32,
    waves: &'static Waves,
}

impl Voice for OperatorVoice {
    fn level(&self) -> f32 {
        self.loudest
    }

    /// Its envelopes are told with the next tick, by the settings.
    fn release(&mut self) {
        self.movement.is_held = false;
    }

    fn is_over(&self) -> bool {
        self.is_over
    }
}

impl OperatorVoice {
    pub fn new(rate: f32) -> OperatorVoice {
        let ramp = |value: f32, seconds: f32| Ramp::new(value, seconds, rate);
        OperatorVoice {
            copies: [[OscillatorState::new(0.0, 1); OPERATORS]; 2],
            ticks: [OscillatorTick::default(); OPERATORS],
            envelopes: [StagedEnvelope::OVER; OPERATORS],
            levels: [ramp(0.0, 0.002); OPERATORS],
            movement: Movement::new(rate),
            sides: [ramp(0.0, 0.002); 2],
            rise: ramp(0.0, 0.001),
            filters: [StereoSvf::default(); 2],
            velocity: 0.0,
            key: 0.0,
            chance: 0.0,
            loudest: 0.0,
            peak: 0.0,
            rings: 0,
            is_over: true,
            rate,
            waves: waves(),
        }
    }

    /// Begins a note; `from` is the pitch that it slides from.
    pub fn start(&mut self, settings: &OperatorSettings, note: Note, from: Option<f32>, now: u64) {
        let seed = note.id ^ (u64::from(note.pitch) << 48);
        let mut dice = Noise::new(seed.wrapping_add(77));
        self.chance = dice.next_value();
        for (copy, states) in self.copies.iter_mut().enumerate() {
            for ((at, state), oscillator) in states.iter_mut().enumerate().zip(&settings.oscillators) {
                let anywhere = 0.4999 + 0.4999 * dice.next_value();
                let turns = if oscillator.retrigger { oscillator.phase } else { anywhere };
                *state = OscillatorState::new(turns - floor(turns), seed.wrapping_add((copy * OPERATORS + at) as u64));
            }
        }
        (self.velocity, self.key) = (note.velocity, (f32::from(note.pitch) - 60.0) / 12.0);
        for (envelope, oscillator) in self.envelopes.iter_mut().zip(&settings.oscillators) {
            *envelope = StagedEnvelope::start(&oscillator.envelope, self.rate);
        }
        self.movement.start(settings, note, from, now);
        self.filters = [StereoSvf::default(); 2];
        self.rise.jump(0.0);
        self.rise.go(1.0);
        (self.rings, self.is_over, self.loudest, self.peak) = (0, false, 1.0, 0.0);
        self.control(settings, 120.0, true);
    }

    /// What changes from tick to tick.
    fn control(&mut self, settings: &OperatorSettings, tempo_bpm: f32, fresh: bool) {
        if !fresh {
            self.follow_key(settings, tempo_bpm);
        }
        self.movement.tick(settings, tempo_bpm, fresh);
        for ((ramp, tick), oscillator) in self.levels.iter_mut().zip(&mut self.ticks).zip(&settings.oscillators) {
            let by_velocity = match oscillator.velocity_to_level {
                amount if amount < 0.0 => 1.0 + amount * self.velocity,
                amount => 1.0 - amount + amount * self.velocity,
            };
            let db = oscillator.level_db + 6.0 * oscillator.key_to_level * self.key;
            let is_heard = oscillator.on && db > f32::NEG_INFINITY;
            let level = if is_heard { gain_of_db(db.min(12.0)) * by_velocity } else { 0.0 };
            if fresh {
                ramp.jump(level)
            } else {
                ramp.go(level)
            }
            tick.wave = oscillator.wave;
            let octaves = oscillator.velocity_to_octaves * self.velocity + self.movement.octaves_of(oscillator);
            let base = oscillator.fixed_hz.unwrap_or(self.movement.note_hz() * oscillator.ratio);
            tick.step = (base * exp2(octaves) / self.rate).clamp(0.0, 0.49);
            tick.feedback = oscillator.feedback;
        }
        self.make_room(settings);
        let volume = gain_of_db(settings.level_db);
        let pan = settings.pan + settings.key_to_pan * self.key * 0.5 + settings.random_pan * self.chance;
        let turn = (pan.clamp(-1.0, 1.0) + 1.0) * 0.125;
        let sides = [cos_turns(turn), sin_turns(turn)];
        for (ramp, side) in self.sides.iter_mut().zip(sides) {
            let gain = volume * side * std::f32::consts::SQRT_2;
            if fresh { ramp.jump(gain) } else { ramp.go(gain) }
        }
        self.filters.iter_mut().for_each(StereoSvf::settle);
    }

    fn follow_key(&mut self, settings: &OperatorSettings, tempo_bpm: f32) {
        let tick = TICK as f32 / self.rate;
        let lets_go = self.movement.lets_go();
        for (envelope, oscillator) in self.envelopes.iter_mut().zip(&settings.oscillators) {
            let cycle = oscillator.envelope.cycle;
            if lets_go {
                envelope.release(cycle);
            }
            envelope.tick(cycle, tick, tempo_bpm / 60.0);
        }
    }

    /// Partials that would fold back are not made: what bends an oscillator does so less where there is no room. A bend
    /// of `b` radians brings partials above -60 dB up to about the order `b + 3 + sqrt(b)`;
    /// those above the order `b + 1` are too weak to bend others further.
    fn make_room(&mut self, settings: &OperatorSettings) {
        let algorithm = algorithm(settings);
        let ceiling = CEILING * exp2(6.0 * (settings.tone - 0.7).min(0.0));
        let mut tops = [0.0f32; OPERATORS];
        let levels = self.levels.map(|ramp| ramp.value());
        for (at, modulators) in algorithm.modulators.iter().enumerate().rev() {
            let (mut radians, mut highest) = (0.0f32, 0.0f32);
            for other in *modulators {
                let level = levels.get(*other).copied().unwrap_or_default();
                radians += level / TURNS_OF_RADIAN;
                highest = highest.max(if level > 0.0 { tops.get(*other).copied().unwrap_or_default() } else { 0.0 });
            }
            let Some(tick) = self.ticks.get_mut(at) else { continue };
            tick.feedback *=
                if modulators.is_empty() { (ceiling / (20.0 * tick.step.max(1e-6))).min(1.0) } else { 0.0 };
            let orders = ((ceiling - tick.step) / highest.max(1e-6) - 3.0).max(0.0);
            let allowed = (orders - orders.sqrt()).max(0.0);
            tick.room = if radians > 0.0 { (allowed / radians).min(1.0) } else { 1.0 };
            let bent = radians * tick.room;
            tick.fastest = tick.step + bent * highest;
            if let Some(top) = tops.get_mut(at) {
                *top = tick.step + if bent > 0.0 { (bent + 1.0) * highest } else { 0.0 };
            }
        }
    }

    /// Fills a silent bus.
    pub fn render(&mut self, settings: &OperatorSettings, span: &Span, tempo_bpm: f32, bus: &mut Bus) {
        if span.is_tick() {
            self.control(settings, tempo_bpm, false);
        }
        let mut gains = [[0.0; TICK]; OPERATORS];
        for ((lane, envelope), level) in gains.iter_mut().zip(&mut self.envelopes).zip(&mut self.levels) {
            let level = level.lane(span);
            *lane = envelope.lane(span.frames);
            lane.iter_mut().zip(level).for_each(|(gain, level)| *gain *= level);
        }
        bus.left = self.side(0, settings, &gains, span);
        bus.right = if settings.spread > 0.0 { self.side(1, settings, &gains, span) } else { bus.left };
        self.movement.skip(span.frames);
        self.filter(settings, span, bus);
        let rise = self.rise.lane(span);
        let sides = self.sides.each_mut().map(|side| side.lane(span));
        for (lane, gains) in [&mut bus.left, &mut bus.right].into_iter().zip(sides) {
            for ((value, gain), rise) in lane.iter_mut().zip(gains).zip(rise) {
                *value *= gain * rise;
            }
        }
        self.note_end(settings, &gains, span, bus);
    }

    /// Whether anything is to come.
    fn note_end(&mut self, settings: &OperatorSettings, gains: &[Lane; OPERATORS], span: &Span, bus: &Bus) {
        let heard = algorithm(settings).heard;
        let ended = heard.iter().all(|at| {
            let silent = self.levels.get(*at).is_none_or(|level| level.value() == 0.0);
            let cycle = settings.oscillators.get(*at).map(|oscillator| oscillator.envelope.cycle).unwrap_or_default();
            silent || self.envelopes.get(*at).is_none_or(|envelope| envelope.has_ended(cycle))
        });
        let last = span.frames.saturating_sub(1);
        self.loudest =
            heard.iter().filter_map(|at| gains.get(*at)?.get(last).copied()).fold(0.0, |all, one| all + one.abs());
        self.peak = self.peak.max(bus.peak(span.frames));
        if span.ends_tick() {
            if ended && (!self.movement.is_held || self.loudest == 0.0) {
                self.rings += 1;
                self.is_over = self.peak < SILENCE || self.rings > LONGEST_RING;
            }
            self.peak = 0.0;
        }
    }

    /// What one side's oscillators make, bent and summed.
    fn side(&mut self, copy: usize, settings: &OperatorSettings, gains: &[Lane; OPERATORS], span: &Span) -> Lane {
        let algorithm = algorithm(settings);
        let away = if settings.spread > 0.0 { settings.spread * SPREAD_OCTAVES } else { 0.0 };
        let detune = exp2(if copy == 0 { -away } else { away });
        let mut made = [[0.0; TICK]; OPERATORS];
        let Some(states) = self.copies.get_mut(copy) else { return [0.0; TICK] };
        let places = states.iter_mut().zip(&self.ticks).zip(algorithm.modulators).zip(gains).enumerate().rev();
        for (at, (((state, tick), modulators), gains)) in places {
            let mut bend = [0.0; TICK];
            for other in modulators.iter().filter_map(|other| made.get(*other)) {
                bend.iter_mut().zip(other).for_each(|(bend, other)| *bend += other);
            }
            let mut lane = state.lane(tick, detune, &bend, (self.waves, span.frames));
            lane.iter_mut().zip(gains).for_each(|(value, gain)| *value *= gain);
            if let Some(place) = made.get_mut(at) {
                *place = lane;
            }
        }
        let mut sum = [0.0; TICK];
        for lane in algorithm.heard.iter().filter_map(|at| made.get(*at)) {
            sum.iter_mut().zip(lane).for_each(|(sum, value)| *sum += value);
        }
        sum
    }

    fn filter(&mut self, settings: &OperatorSettings, span: &Span, bus: &mut Bus) {
        if let Some(filter) = &settings.filter {
            let drive = gain_of_db(filter.drive_db);
            let c = self.movement.coefficients();
            let [first, second] = &mut self.filters;
            for (left, right) in bus.frames_mut(span.frames) {
                if filter.drive_db > 0.0 {
                    (*left, *right) = (tanh(*left * drive), tanh(*right * drive));
                }
                (*left, *right) = first.process(&c, *left, *right);
                if filter.steep {
                    (*left, *right) = second.process(&c, *left, *right);
                }
            }
        }
        if let Some(shaper) = &settings.shaper {
            let drive = gain_of_db(shaper.drive_db);
            for (left, right) in bus.frames_mut(span.frames) {
                for value in [left, right] {
                    *value += (shaped(shaper.curve, *value * drive) - *value) * shaper.mix;
                }
            }
        }
    }
}

fn shaped(curve: ShaperCurve, x: f32) -> f32 {
    match curve {
        ShaperCurve::Soft => tanh(x),
        ShaperCurve::Hard => x.clamp(-1.0, 1.0),
        ShaperCurve::Sine => sin_turns(x.clamp(-15.0, 15.0) * 0.25),
        ShaperCurve::FourBit => floor(x.clamp(-1.0, 1.0) * 8.0 + 0.5) / 8.0,
    }
}

fn algorithm(settings: &OperatorSettings) -> &'static Algorithm {
    ALGORITHMS.get(settings.algorithm).unwrap_or(&ALGORITHMS[0])
}

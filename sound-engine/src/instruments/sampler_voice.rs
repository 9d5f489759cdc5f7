//! One note of the sampler.

use super::sampler::SamplerSettings;
use super::voice_pool::{Note, Voice};
use crate::dsp::envelope::Envelope;
use crate::dsp::math::{exp2, gain_of_db, log2};
use crate::dsp::sinc_reader::SincReader;
use crate::dsp::span::{Bus, Span};
use crate::dsp::svf::{Coefficients, Response, StereoSvf};

/// Edges are never sharper, seconds.
const SHORTEST_EDGE: f32 = 0.001;
/// A loop's end lies over its beginning for at least so many frames.
const SHORTEST_CROSSFADE: f64 = 64.0;

pub struct SamplerVoice {
    position: f64,
    end: f64,
    speed: f64,
    reader: SincReader,
    envelope: Envelope,
    filter_envelope: Envelope,
    filters: [StereoSvf; 2],
    coefficients: Coefficients,
    velocity: f32,
    gain: f32,
    pitch: f32,
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
    }

    fn is_over(&self) -> bool {
        self.envelope.is_over() || self.position >= self.end
    }
}

impl SamplerVoice {
    pub fn new(rate: f32) -> SamplerVoice {
        SamplerVoice {
            position: 0.0,
            end: 0.0,
            speed: 1.0,
            reader: SincReader::at_speed(1.0),
            envelope: Envelope::OVER,
            filter_envelope: Envelope::OVER,
            filters: [StereoSvf::default(); 2],
            coefficients: Coefficients::new(Response::Through, 0.1, 1.0),
            velocity: 0.0,
            gain: 0.0,
            pitch: 60.0,
            played: 0,
            released: false,
            rate,
        }
    }

    pub fn start(&mut self, settings: &SamplerSettings, note: Note, (from, to, semitones): (u32, u32, f32)) {
        self.position = f64::from(from);
        self.end = f64::from(to);
        self.speed = f64::from(exp2(semitones / 12.0)) * f64::from(settings.sample.rate()) / f64::from(self.rate);
        self.reader = SincReader::at_speed(self.speed);
        self.envelope = Envelope::start(&settings.envelope, self.rate);
        if let Some(filter) = &settings.filter {
            self.filter_envelope = Envelope::start(&filter.envelope, self.rate);
        }
        for filter in &mut self.filters {
            filter.clear();
        }
        self.velocity = note.velocity;
        self.pitch = f32::from(note.pitch);
        let amount = settings.velocity_to_level.clamp(0.0, 1.0);
        self.gain = 1.0 - amount + amount * note.velocity * note.velocity;
        (self.played, self.released) = (0, false);
        self.control(settings);
    }

    fn control(&mut self, settings: &SamplerSettings) {
        let Some(filter) = &settings.filter else { return };
        let octaves = filter.key_tracking * (self.pitch - 60.0) / 12.0
            + filter.velocity_octaves * (self.velocity - 1.0)
            + filter.envelope_octaves * self.filter_envelope.level();
        let hz = exp2((log2(filter.hz) + octaves).clamp(4.0, 14.4));
        self.coefficients = Coefficients::new(filter.response, hz / self.rate, filter.q);
        for filter in &mut self.filters {
            filter.settle();
        }
    }

    /// Fills a silent bus.
    pub fn render(&mut self, settings: &SamplerSettings, span: &Span, _tempo_bpm: f32, bus: &mut Bus) {
        if span.is_tick() {
            self.control(settings);
        }
        let level = self.gain * gain_of_db(settings.gain_db);
        let (left_gain, right_gain) = (level * (1.0 - settings.pan.max(0.0)), level * (1.0 + settings.pan.min(0.0)));
        let fade_in = settings.fade_in.max(if self.starts_inside(settings) { SHORTEST_EDGE } else { 0.0 }) * self.rate;
        let fade_out = f64::from(settings.fade_out.max(SHORTEST_EDGE) * self.rate) * self.speed;
        let repeats = settings.repeats.and_then(|(from, to)| self.repeated(settings, from, to));
        let [first, second] = &mut self.filters;
        for (left, right) in bus.frames_mut(span.frames) {
            if self.position >= self.end {
                break;
            }
            let (mut l, mut r) = self.reader.read(&settings.sample, self.position);
            if let Some(Repeat { from, to, crossfade }) = repeats {
                let left_over = to - self.position;
                if left_over < crossfade && left_over > 0.0 {
                    let weight = (left_over / crossfade) as f32;
                    let (next_l, next_r) = self.reader.read(&settings.sample, self.position - (to - from));
                    (l, r) = (next_l + (l - next_l) * weight, next_r + (r - next_r) * weight);
                }
            }
            if let Some(filter) = &settings.filter {
                (l, r) = first.process(&self.coefficients, l, r);
                if filter.steep {
                    (l, r) = second.process(&self.coefficients, l, r);
                }
                self.filter_envelope.next_value();
            }
            let mut gain = self.envelope.next_value();
            if (self.played as f32) < fade_in {
                gain *= self.played as f32 / fade_in;
            }
            if repeats.is_none() && self.end - self.position < fade_out {
                gain *= ((self.end - self.position) / fade_out) as f32;
            }
            *left = l * gain * left_gain;
            *right = r * gain * right_gain;
            self.played = self.played.saturating_add(1);
            self.position += self.speed;
            if let Some(Repeat { from, to, .. }) = repeats
                && self.position >= to
            {
                self.position -= to - from;
            }
        }
    }

    /// A sample that is played from its first frame begins as it was cut; one from its middle would begin with a step.
    fn starts_inside(&self, settings: &SamplerSettings) -> bool {
        settings.start > 0 || matches!(settings.mode, super::sampler::SamplerMode::Slice { .. })
    }

    /// The loop, if it can be one. A region that lies behind the place that is read is no loop of it.
    fn repeated(&self, settings: &SamplerSettings, from: u32, to: u32) -> Option<Repeat> {
        let classic = settings.mode == super::sampler::SamplerMode::Classic;
        let (from, to) = (f64::from(from), f64::from(to).min(self.end));
        if !classic || to - from < 32.0 || self.position >= to {
            return None;
        }
        let crossfade = f64::from(settings.crossfade).max(SHORTEST_CROSSFADE).min(0.5 * (to - from));
        Some(Repeat { from, to, crossfade })
    }
}

#[derive(Clone, Copy)]
struct Repeat {
    from: f64,
    to: f64,
    crossfade: f64,
}

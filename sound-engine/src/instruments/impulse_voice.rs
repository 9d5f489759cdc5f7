//! One hit of a slot of Impulse.

use super::impulse::ImpulseSettings;
use super::voice_pool::{Note, Voice};
use crate::dsp::envelope::{CONSTANTS_OF_60_DB, END};
use crate::dsp::grain_reader::{GrainReader, Grains};
use crate::dsp::math::{approach, exp2, gain_of_db, log2, tanh};
use crate::dsp::noise::Noise;
use crate::dsp::sinc_reader::{END_EDGE, SincReader};
use crate::dsp::span::{Bus, Span};
use crate::dsp::svf::{Coefficients, Response, StereoSvf};
use crate::sample::Sample;

/// Edges are never sharper, seconds.
const SHORTEST_EDGE: f32 = 0.001;
/// Octaves of stretching below which nothing is stretched.
const NO_STRETCH: f32 = 1e-3;
/// Nothing gets longer or shorter than by so many octaves.
const MOST_STRETCH: f32 = 4.0;
/// Up to this drive the bent signal comes in beside the straight one.
const FULL_DRIVE_DB: f32 = 6.0;

/// What chance and velocity made of one hit.
#[derive(Clone, Copy, Default)]
struct Moved {
    semitones: f32,
    stretch: f32,
    octaves: f32,
    pan: f32,
}

pub struct ImpulseVoice {
    position: f64,
    end: f64,
    speed: f64,
    reader: SincReader,
    /// Frames of the sample for each, and how it is cut where that is not the speed.
    step: f64,
    cut: Grains,
    grains: Option<GrainReader>,
    level: f32,
    fall: f32,
    falling: bool,
    gain: f32,
    moved: Moved,
    drive: f32,
    bent: f32,
    sides: (f32, f32),
    filters: [StereoSvf; 2],
    coefficients: Coefficients,
    played: u32,
    begins_inside: bool,
    rate: f32,
}

impl Voice for ImpulseVoice {
    fn level(&self) -> f32 {
        self.level * self.gain
    }

    fn release(&mut self) {
        self.falling = true;
    }

    fn is_over(&self) -> bool {
        self.position >= self.end || self.level == 0.0
    }
}

impl ImpulseVoice {
    pub fn new(rate: f32) -> ImpulseVoice {
        ImpulseVoice {
            position: 0.0,
            end: 0.0,
            speed: 1.0,
            reader: SincReader::at_speed(1.0),
            step: 1.0,
            cut: Grains { hop: 16, search: 0 },
            grains: None,
            level: 0.0,
            fall: 1.0,
            falling: false,
            gain: 0.0,
            moved: Moved::default(),
            drive: 1.0,
            bent: 0.0,
            sides: (0.0, 0.0),
            filters: [StereoSvf::default(); 2],
            coefficients: Coefficients::new(Response::Through, 0.1, 1.0),
            played: 0,
            begins_inside: false,
            rate,
        }
    }

    pub fn start(&mut self, settings: &ImpulseSettings, note: Note) {
        let frames = settings.sample.frames() as f64;
        let (first, last) = (f64::from(settings.region.0), f64::from(settings.region.1).min(frames));
        self.position = first + f64::from(settings.start.max(0.0) * settings.sample.rate());
        self.end = last;
        self.begins_inside = self.position > 0.0;
        let mut dice = Noise::new(note.id ^ (u64::from(note.pitch) << 32));
        let mut chance = || dice.next_value();
        self.moved = Moved {
            semitones: settings.semitones_by.of(note.velocity, chance()),
            stretch: settings.stretch_by.of(note.velocity, chance()),
            octaves: settings.filter.octaves.of(note.velocity, chance()),
            pan: settings.pan_by.of(note.velocity, chance()),
        };
        let amount = settings.velocity_to_level.clamp(0.0, 1.0);
        self.gain = 1.0 - amount + amount * note.velocity * note.velocity;
        (self.level, self.played) = (1.0, 0);
        self.falling = !settings.gate;
        self.grains = None;
        self.filters = [StereoSvf::default(); 2];
        self.control(settings);
    }

    fn control(&mut self, settings: &ImpulseSettings) {
        let semitones = settings.semitones + self.moved.semitones;
        self.speed = f64::from(exp2(semitones / 12.0)) * f64::from(settings.sample.rate()) / f64::from(self.rate);
        self.reader = SincReader::at_speed(self.speed);
        let stretch = (settings.stretch + self.moved.stretch).clamp(-MOST_STRETCH, MOST_STRETCH);
        let is_stretched = stretch.abs() > NO_STRETCH;
        self.step = if is_stretched { self.speed / f64::from(exp2(stretch)) } else { self.speed };
        let hop = (settings.grain.clamp(0.005, 0.2) * self.rate * 0.5) as u32;
        self.cut = Grains { hop, search: i64::from(hop) / 4 };
        // A hit that was cut once stays so: what is read straight on lies elsewhere.
        if is_stretched && self.grains.is_none() {
            self.grains = Some(GrainReader::new());
        }
        self.fall = approach(settings.decay.max(0.003) * self.rate / CONSTANTS_OF_60_DB);
        let level = self.gain * gain_of_db(settings.gain_db);
        let pan = (settings.pan + self.moved.pan).clamp(-1.0, 1.0);
        self.sides = (level * (1.0 - pan.max(0.0)), level * (1.0 + pan.min(0.0)));
        self.drive = gain_of_db(settings.drive_db.max(0.0));
        self.bent = (settings.drive_db / FULL_DRIVE_DB).clamp(0.0, 1.0);
        let filter = &settings.filter;
        let frequency = exp2((log2(filter.hz.max(10.0)) + self.moved.octaves).clamp(4.0, 14.4)) / self.rate;
        self.coefficients = Coefficients::new(filter.response, frequency, filter.q);
        self.filters.iter_mut().for_each(StereoSvf::settle);
    }

    /// Fills a silent bus.
    pub fn render(&mut self, settings: &ImpulseSettings, span: &Span, bus: &mut Bus) {
        if span.is_tick() {
            self.control(settings);
        }
        let edge = SHORTEST_EDGE * self.rate;
        let fade_out = f64::from(edge) * self.step;
        for (left, right) in bus.frames_mut(span.frames) {
            if self.position >= self.end {
                break;
            }
            let mut gain = self.envelope();
            if self.begins_inside && (self.played as f32) < edge {
                gain *= self.played as f32 / edge;
            }
            if self.end - self.position < fade_out {
                gain *= ((self.end - self.position) / fade_out) as f32;
            }
            let (mut l, mut r) = self.read(&settings.sample);
            if self.bent > 0.0 {
                (l, r) = (self.driven(l), self.driven(r));
            }
            let [first, second] = &mut self.filters;
            (l, r) = first.process(&self.coefficients, l, r);
            if settings.filter.steep {
                (l, r) = second.process(&self.coefficients, l, r);
            }
            *left = l * gain * self.sides.0;
            *right = r * gain * self.sides.1;
            self.played = self.played.saturating_add(1);
        }
    }

    #[inline]
    fn read(&mut self, sample: &Sample) -> (f32, f32) {
        let out = match &mut self.grains {
            Some(grains) => {
                let reader = (&self.reader, END_EDGE * self.rate);
                grains.next(sample, &self.cut, self.position, self.speed, reader)
            }
            None => self.reader.read(sample, self.position),
        };
        self.position += self.step;
        out
    }

    #[inline]
    fn driven(&self, x: f32) -> f32 {
        x + (tanh(x * self.drive) - x) * self.bent
    }

    #[inline]
    fn envelope(&mut self) -> f32 {
        if self.falling {
            self.level -= self.level * self.fall;
            if self.level < END {
                self.level = 0.0;
            }
        }
        self.level
    }
}

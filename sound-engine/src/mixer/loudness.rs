//! How loud the main output is, by ITU-R BS.1770 and EBU R 128: momentary, short-term, integrated, and its true peak.

use crate::dsp::span::Bus;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Blocks of 100 ms: four are momentary, thirty short-term.
const MOMENTARY: usize = 4;
const SHORT: usize = 30;
/// The histogram of what is integrated: tenths of a LU from -70 LUFS on.
const BINS: usize = 1_000;
const LOWEST: f64 = -70.0;
/// The gate below what is heard on average, LU.
const GATE: f64 = -10.0;
const TAPS: usize = 12;
const PHASES: usize = 4;

/// What a reader sees; it waits for nobody. Levels are LUFS, negative infinity for silence.
#[derive(Debug)]
pub struct Loudness {
    momentary: AtomicU32,
    short: AtomicU32,
    integrated: AtomicU32,
    true_peak: AtomicU32,
    begin: AtomicBool,
}

impl Loudness {
    fn new() -> Loudness {
        let silence = || AtomicU32::new(f32::NEG_INFINITY.to_bits());
        Loudness {
            momentary: silence(),
            short: silence(),
            integrated: silence(),
            true_peak: AtomicU32::new(0),
            begin: AtomicBool::new(false),
        }
    }

    /// Of the last 400 ms, LUFS.
    pub fn momentary(&self) -> f32 {
        f32::from_bits(self.momentary.load(Ordering::Relaxed))
    }

    /// Of the last three seconds, LUFS.
    pub fn short_term(&self) -> f32 {
        f32::from_bits(self.short.load(Ordering::Relaxed))
    }

    /// Since the begin, gated, LUFS.
    pub fn integrated(&self) -> f32 {
        f32::from_bits(self.integrated.load(Ordering::Relaxed))
    }

    /// The highest between samples too, since the begin, dBTP.
    pub fn true_peak_db(&self) -> f32 {
        20.0 * libm::log10f(f32::from_bits(self.true_peak.load(Ordering::Relaxed)))
    }

    /// Integrated loudness and true peak begin anew with the next block.
    pub fn restart(&self) {
        self.begin.store(true, Ordering::Relaxed);
    }
}

/// A filter of the second order, in doubles: its corner lies at 38 Hz.
#[derive(Clone, Copy, Default)]
struct Biquad {
    b: [f64; 3],
    a: [f64; 2],
    z: [f64; 2],
}

impl Biquad {
    #[inline]
    fn process(&mut self, x: f64) -> f64 {
        let y = self.b[0] * x + self.z[0];
        self.z[0] = self.b[1] * x - self.a[0] * y + self.z[1];
        self.z[1] = self.b[2] * x - self.a[1] * y;
        y
    }

    fn settle(&mut self) {
        for value in &mut self.z {
            if value.abs() < 1e-18 {
                *value = 0.0;
            }
        }
    }
}

/// One channel: what the head does to sound, what the ear does, and the past for the true peak.
#[derive(Clone, Copy)]
struct Channel {
    shelf: Biquad,
    highpass: Biquad,
    energy: f64,
    past: [f32; 2 * TAPS],
    at: usize,
}

impl Channel {
    const NEW: Channel = Channel {
        shelf: Biquad { b: [0.0; 3], a: [0.0; 2], z: [0.0; 2] },
        highpass: Biquad { b: [0.0; 3], a: [0.0; 2], z: [0.0; 2] },
        energy: 0.0,
        past: [0.0; 2 * TAPS],
        at: 0,
    };

    /// The constants are those by which the standard's filters, given for 48 kHz, are found for other rates.
    fn tune(&mut self, rate: f64) {
        let k = libm::tan(std::f64::consts::PI * 1_681.974_450_955_533 / rate);
        let (q, high) = (0.707_175_236_955_419_6, libm::pow(10.0, 3.999_843_853_973_347 / 20.0));
        let band = libm::pow(high, 0.499_666_774_154_541_6);
        let a0 = 1.0 + k / q + k * k;
        self.shelf.b =
            [(high + band * k / q + k * k) / a0, 2.0 * (k * k - high) / a0, (high - band * k / q + k * k) / a0];
        self.shelf.a = [2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0];
        let k = libm::tan(std::f64::consts::PI * 38.135_470_876_024_44 / rate);
        let q = 0.500_327_037_323_877_3;
        let a0 = 1.0 + k / q + k * k;
        self.highpass.b = [1.0, -2.0, 1.0];
        self.highpass.a = [2.0 * (k * k - 1.0) / a0, (1.0 - k / q + k * k) / a0];
    }

    fn is_silent(&self) -> bool {
        let filters = self.shelf.z.iter().chain(&self.highpass.z);
        filters.into_iter().all(|value| *value == 0.0) && self.past.iter().all(|value| *value == 0.0)
    }

    #[inline]
    fn hear(&mut self, x: f32) {
        let heard = self.highpass.process(self.shelf.process(f64::from(x)));
        self.energy += heard * heard;
    }

    /// The highest of the values between the last samples.
    #[inline]
    fn between(&mut self, x: f32, phases: &[[f32; TAPS]; PHASES]) -> f32 {
        // Written twice, so that the last ones always lie in a row.
        self.at = if self.at == 0 { TAPS - 1 } else { self.at - 1 };
        for place in [self.at, self.at + TAPS] {
            if let Some(place) = self.past.get_mut(place) {
                *place = x;
            }
        }
        let row = self.past.get(self.at..self.at + TAPS).unwrap_or_default();
        let of = |phase: &[f32; TAPS]| row.iter().zip(phase).map(|(x, tap)| x * tap).sum::<f32>().abs();
        phases.iter().map(of).fold(0.0, f32::max)
    }
}

/// Measures; it lives on the audio thread, and allocates nothing after it was made.
pub struct LoudnessMeter {
    reading: Arc<Loudness>,
    channels: [Channel; 2],
    phases: [[f32; TAPS]; PHASES],
    rate: f32,
    frames: u32,
    /// Mean squares of both channels together, of the last blocks; the newest is at `newest`.
    blocks: [f64; SHORT],
    newest: usize,
    count: u64,
    histogram: Box<[u32; BINS]>,
    peak: f32,
    /// Whether all that it remembers of its signal is silence.
    rests: bool,
}

impl LoudnessMeter {
    pub fn new() -> LoudnessMeter {
        LoudnessMeter {
            reading: Arc::new(Loudness::new()),
            channels: [Channel::NEW; 2],
            phases: phases(),
            rate: 0.0,
            frames: 0,
            blocks: [0.0; SHORT],
            newest: 0,
            count: 0,
            histogram: Box::new([0; BINS]),
            peak: 0.0,
            rests: true,
        }
    }

    pub fn reading(&self) -> Arc<Loudness> {
        Arc::clone(&self.reading)
    }

    /// Whether anybody keeps a reading: else measuring is of no use.
    pub fn is_read(&self) -> bool {
        Arc::strong_count(&self.reading) > 1
    }

    /// Hears a span.
    pub fn hear(&mut self, bus: &Bus, frames: usize, rate: f32) {
        if rate != self.rate {
            self.rate = rate;
            self.channels.iter_mut().for_each(|channel| channel.tune(f64::from(rate)));
        }
        if self.reading.begin.swap(false, Ordering::Relaxed) {
            (self.count, self.peak) = (0, 0.0);
            self.histogram.fill(0);
        }
        let block = ((rate * 0.1) as u32).max(1);
        if self.rests && bus.peak(frames) == 0.0 {
            self.rest(frames as u32, block);
            return;
        }
        self.rests = false;
        for (left, right) in bus.left.iter().zip(&bus.right).take(frames) {
            for (channel, x) in self.channels.iter_mut().zip([*left, *right]) {
                channel.hear(x);
                self.peak = self.peak.max(channel.between(x, &self.phases));
            }
            self.frames += 1;
            if self.frames >= block {
                self.end_block(block);
            }
        }
    }

    /// Silence after silence: only time passes.
    fn rest(&mut self, frames: u32, block: u32) {
        self.frames += frames;
        if self.frames >= block {
            let rest = self.frames - block;
            self.end_block(block);
            self.frames = rest;
        }
    }

    fn end_block(&mut self, frames: u32) {
        let energy: f64 = self.channels.iter().map(|channel| channel.energy).sum();
        for channel in &mut self.channels {
            channel.energy = 0.0;
            channel.shelf.settle();
            channel.highpass.settle();
        }
        self.frames = 0;
        self.rests = self.channels.iter().all(Channel::is_silent);
        self.newest = (self.newest + 1) % SHORT;
        if let Some(place) = self.blocks.get_mut(self.newest) {
            *place = energy / f64::from(frames);
        }
        self.count += 1;
        let mean = |count: usize| {
            let last = (0..count).map(|back| self.blocks.get((self.newest + SHORT - back) % SHORT));
            last.flatten().sum::<f64>() / count as f64
        };
        let (momentary, short) = (lufs(mean(MOMENTARY)), lufs(mean(SHORT)));
        if momentary >= LOWEST && self.count >= MOMENTARY as u64 {
            let bin = ((momentary - LOWEST) * 10.0) as usize;
            if let Some(place) = self.histogram.get_mut(bin.min(BINS - 1)) {
                *place = place.saturating_add(1);
            }
        }
        let store = |cell: &AtomicU32, value: f64| cell.store((value as f32).to_bits(), Ordering::Relaxed);
        store(&self.reading.momentary, momentary);
        store(&self.reading.short, short);
        store(&self.reading.integrated, self.integrated());
        self.reading.true_peak.store(self.peak.to_bits(), Ordering::Relaxed);
    }

    /// The mean of what is no more than 10 LU below the mean.
    fn integrated(&self) -> f64 {
        let energy_of = |bin: usize| libm::pow(10.0, (LOWEST + (bin as f64 + 0.5) * 0.1 + 0.691) / 10.0);
        let mean_from = |first: usize| {
            let bins = self.histogram.iter().enumerate().skip(first).filter(|(_, count)| **count > 0);
            let (sum, count) = bins.fold((0.0, 0u64), |(sum, all), (bin, count)| {
                (sum + energy_of(bin) * f64::from(*count), all + u64::from(*count))
            });
            lufs(if count > 0 { sum / count as f64 } else { 0.0 })
        };
        let all = mean_from(0);
        if all == f64::NEG_INFINITY {
            return all;
        }
        mean_from((((all + GATE - LOWEST) * 10.0).max(0.0)) as usize)
    }
}

impl Default for LoudnessMeter {
    fn default() -> LoudnessMeter {
        LoudnessMeter::new()
    }
}

fn lufs(mean_square: f64) -> f64 {
    if mean_square > 1e-12 { -0.691 + 10.0 * libm::log10(mean_square) } else { f64::NEG_INFINITY }
}

/// Four places between two samples, each through twelve of them.
fn phases() -> [[f32; TAPS]; PHASES] {
    std::array::from_fn(|phase| {
        let shift = phase as f64 / PHASES as f64;
        let row: [f64; TAPS] = std::array::from_fn(|tap| {
            let x = tap as f64 - (TAPS as f64 / 2.0 - 1.0) - shift;
            let sinc = if x == 0.0 { 1.0 } else { libm::sin(std::f64::consts::PI * x) / (std::f64::consts::PI * x) };
            let place = x / (TAPS as f64 / 2.0);
            sinc * (0.5 + 0.5 * libm::cos(std::f64::consts::PI * place.clamp(-1.0, 1.0)))
        });
        let sum: f64 = row.iter().sum();
        row.map(|value| (value / sum) as f32)
    })
}

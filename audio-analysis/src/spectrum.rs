//! Power by frequency: of one window, of window after window, and in four bands.

use crate::decibels::power_db;
use rustfft::num_complex::Complex;
use rustfft::{Fft, FftDirection, FftPlanner};
use std::cell::RefCell;
use std::sync::Arc;

/// Where the four bands end: lows (kick, bass), low mids (body), high mids (presence), highs (air).
pub const BAND_EDGES_HZ: [f64; 5] = [20.0, 150.0, 800.0, 5_000.0, 20_000.0];
pub const BAND_NAMES: [&str; 4] = ["low", "lowMid", "highMid", "high"];

const BALANCE_LENGTH: usize = 8_192;

thread_local! {
    /// Who listens to thousands of short sounds needs the same few plans again and again.
    static PLANNER: RefCell<FftPlanner<f32>> = RefCell::new(FftPlanner::new());
}

pub(crate) fn plan(length: usize, direction: FftDirection) -> Arc<dyn Fft<f32>> {
    PLANNER.with_borrow_mut(|planner| planner.plan_fft(length, direction))
}

/// The powers of a window's bins.
pub struct PowerSpectrum {
    fft: Arc<dyn Fft<f32>>,
    weights: Vec<f32>,
    scale: f32,
    values: Vec<Complex<f32>>,
    scratch: Vec<Complex<f32>>,
    powers: Vec<f32>,
}

impl PowerSpectrum {
    /// Of windows of `length` frames, 2 and above.
    pub fn new(length: usize) -> PowerSpectrum {
        let length = length.max(2);
        let fft = plan(length, FftDirection::Forward);
        let turn = std::f64::consts::TAU / length as f64;
        let weights: Vec<f32> = (0..length).map(|n| (0.5 - 0.5 * (turn * n as f64).cos()) as f32).collect();
        let energy: f32 = weights.iter().map(|weight| weight * weight).sum();
        PowerSpectrum {
            // Half the spectrum has half the power of a sine, which is half its amplitude squared.
            scale: 4.0 / (energy * length as f32),
            values: vec![Complex::default(); length],
            scratch: vec![Complex::default(); fft.get_inplace_scratch_len()],
            powers: vec![0.0; length / 2 + 1],
            weights,
            fft,
        }
    }

    /// From 0 Hz on. What is shorter than a window is filled up with silence. A sine of full scale has the power 1,
    /// spread over the bins around it.
    pub fn of(&mut self, signal: &[f32]) -> &[f32] {
        // Most tracks are silent for much of a song.
        if signal.iter().all(|sample| *sample == 0.0) {
            self.powers.fill(0.0);
            return &self.powers;
        }
        let samples = signal.iter().copied().chain(std::iter::repeat(0.0));
        for ((value, sample), weight) in self.values.iter_mut().zip(samples).zip(&self.weights) {
            *value = Complex::new(sample * weight, 0.0);
        }
        self.fft.process_with_scratch(&mut self.values, &mut self.scratch);
        for (power, value) in self.powers.iter_mut().zip(&self.values) {
            *power = value.norm_sqr() * self.scale;
        }
        &self.powers
    }
}

/// Cuts a signal that comes in pieces into windows, one every `hop` frames from the first on.
pub struct Windows {
    length: usize,
    hop: usize,
    /// From the next window's beginning on.
    kept: Vec<f32>,
}

impl Windows {
    /// `hop` is at most `length`.
    pub fn new(length: usize, hop: usize) -> Windows {
        let length = length.max(1);
        Windows { length, hop: hop.clamp(1, length), kept: Vec::new() }
    }

    /// Visits the windows that are whole with this piece.
    pub fn push(&mut self, piece: impl IntoIterator<Item = f32>, mut visit: impl FnMut(&[f32])) {
        self.kept.extend(piece);
        let mut start = 0;
        while let Some(window) = self.kept.get(start..start + self.length) {
            visit(window);
            start += self.hop;
        }
        self.kept.drain(..start.min(self.kept.len()));
    }

    /// Visits those that the signal's end cuts off.
    pub fn finish(self, mut visit: impl FnMut(&[f32])) {
        for start in (0..self.kept.len()).step_by(self.hop) {
            visit(self.kept.get(start..).unwrap_or_default());
        }
    }
}

/// The bins of windows of `length` frames from one frequency up to another, without it.
pub fn bins(rate_hz: f64, length: usize, from_hz: f64, to_hz: f64) -> std::ops::Range<usize> {
    let bin = |hz: f64| ((hz * length as f64 / rate_hz).ceil() as usize).min(length / 2 + 1);
    bin(from_hz)..bin(to_hz).max(bin(from_hz))
}

/// Powers of window after window.
pub struct Spectrogram {
    powers: Vec<f32>,
    rate_hz: f64,
    length: usize,
    /// Between two bins.
    pub bin_hz: f64,
}

impl Spectrogram {
    /// Of windows of `length` frames, `hop` apart.
    pub fn of(signal: &[f32], rate_hz: f64, length: usize, hop: usize) -> Spectrogram {
        let mut spectrum = PowerSpectrum::new(length);
        let mut powers = Vec::with_capacity((length / 2 + 1) * (signal.len() / hop.max(1) + 1));
        for start in (0..signal.len()).step_by(hop.max(1)) {
            powers.extend_from_slice(spectrum.of(signal.get(start..).unwrap_or_default()));
        }
        Spectrogram { powers, rate_hz, length, bin_hz: rate_hz / length as f64 }
    }

    pub fn moments(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.powers.chunks_exact(self.length / 2 + 1)
    }

    pub fn bins_of(&self, from_hz: f64, to_hz: f64) -> std::ops::Range<usize> {
        bins(self.rate_hz, self.length, from_hz, to_hz)
    }
}

/// Where the power lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// Of each band, in dB of the whole; `None` where there is nothing.
    pub bands_db: [Option<f64>; 4],
    /// The middle of the spectrum by amplitude.
    pub centroid_hz: Option<f64>,
}

/// Finds the balance of both channels together.
pub struct BalanceMeter {
    rate_hz: f64,
    spectrum: PowerSpectrum,
    channels: [ChannelPowers; 2],
}

/// Of one channel: numbers that are added up in another order are not quite the same.
struct ChannelPowers {
    windows: Windows,
    /// Sums over all windows.
    powers: Vec<f64>,
}

impl BalanceMeter {
    pub fn new(rate_hz: f64) -> BalanceMeter {
        BalanceMeter {
            rate_hz,
            spectrum: PowerSpectrum::new(BALANCE_LENGTH),
            channels: std::array::from_fn(|_| ChannelPowers {
                windows: Windows::new(BALANCE_LENGTH, BALANCE_LENGTH / 2),
                powers: vec![0.0; BALANCE_LENGTH / 2 + 1],
            }),
        }
    }

    pub fn push(&mut self, left: &[f32], right: &[f32]) {
        let BalanceMeter { spectrum, channels, .. } = self;
        for (ChannelPowers { windows, powers }, channel) in channels.iter_mut().zip([left, right]) {
            windows.push(channel.iter().copied(), |window| add(powers, spectrum.of(window)));
        }
    }

    pub fn finish(self) -> Balance {
        let BalanceMeter { rate_hz, mut spectrum, channels } = self;
        let mut powers = vec![0.0; BALANCE_LENGTH / 2 + 1];
        for ChannelPowers { windows, powers: mut of_channel } in channels {
            windows.finish(|window| add(&mut of_channel, spectrum.of(window)));
            for (sum, power) in powers.iter_mut().zip(of_channel) {
                *sum += power;
            }
        }
        let mut bands = [0.0; 4];
        for (band, edges) in bands.iter_mut().zip(BAND_EDGES_HZ.windows(2)) {
            if let [from, to] = edges {
                *band = powers.get(bins(rate_hz, BALANCE_LENGTH, *from, *to)).unwrap_or_default().iter().sum::<f64>();
            }
        }
        let whole: f64 = bands.iter().sum();
        let audible = bins(rate_hz, BALANCE_LENGTH, BAND_EDGES_HZ[0], BAND_EDGES_HZ[4]);
        let (mut amplitude, mut moment) = (0.0, 0.0);
        for (bin, power) in powers.iter().enumerate().take(audible.end).skip(audible.start) {
            amplitude += power.sqrt();
            moment += power.sqrt() * bin as f64 * rate_hz / BALANCE_LENGTH as f64;
        }
        Balance {
            bands_db: bands.map(|band| power_db(band / whole.max(f64::MIN_POSITIVE))),
            centroid_hz: (amplitude > 0.0).then(|| moment / amplitude),
        }
    }
}

fn add(sums: &mut [f64], powers: &[f32]) {
    for (sum, power) in sums.iter_mut().zip(powers) {
        *sum += f64::from(*power);
    }
}

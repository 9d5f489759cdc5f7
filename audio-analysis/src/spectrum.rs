//! Power by frequency: in pictures of short moments, and in four bands.

use crate::audio::{Audio, power_db};
use rustfft::FftPlanner;
use rustfft::num_complex::Complex;

/// Where the four bands end: lows (kick, bass), low mids (body), high mids (presence), highs (air).
pub const BAND_EDGES_HZ: [f64; 5] = [20.0, 150.0, 800.0, 5_000.0, 20_000.0];
pub const BAND_NAMES: [&str; 4] = ["low", "lowMid", "highMid", "high"];

/// Powers of the bins of one moment after the other.
pub struct Spectrogram {
    /// Moment by moment; each with `bins` powers, from 0 Hz on.
    powers: Vec<f32>,
    bins: usize,
    /// Between two bins.
    pub bin_hz: f64,
    /// Between two moments.
    pub hop_s: f64,
}

impl Spectrogram {
    /// Of windows of `length` frames, `hop` apart; the last ones are filled up with silence. A sine of full scale has
    /// the power 1, spread over the bins around it.
    pub fn of(signal: &[f32], rate_hz: f64, length: usize, hop: usize) -> Spectrogram {
        let (length, hop) = (length.max(2), hop.max(1));
        let fft = FftPlanner::<f32>::new().plan_fft_forward(length);
        let turn = std::f64::consts::TAU / length as f64;
        let window: Vec<f32> = (0..length).map(|n| (0.5 - 0.5 * (turn * n as f64).cos()) as f32).collect();
        let energy: f32 = window.iter().map(|w| w * w).sum();
        // Half the spectrum has half the power of a sine, which is half its amplitude squared.
        let scale = 4.0 / (energy * length as f32);
        let bins = length / 2 + 1;
        let mut powers = Vec::with_capacity(bins * (signal.len() / hop + 1));
        let (mut values, mut scratch) =
            (vec![Complex::default(); length], vec![Complex::default(); fft.get_inplace_scratch_len()]);
        for start in (0..signal.len()).step_by(hop) {
            let rest = signal.get(start..).unwrap_or_default();
            let samples = rest.iter().copied().chain(std::iter::repeat(0.0));
            for ((value, sample), weight) in values.iter_mut().zip(samples).zip(&window) {
                *value = Complex::new(sample * weight, 0.0);
            }
            fft.process_with_scratch(&mut values, &mut scratch);
            powers.extend(values.iter().take(bins).map(|value| value.norm_sqr() * scale));
        }
        Spectrogram { powers, bins, bin_hz: rate_hz / length as f64, hop_s: hop as f64 / rate_hz }
    }

    pub fn moments(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.powers.chunks_exact(self.bins)
    }

    /// The mean of each bin over all moments.
    pub fn mean(&self) -> Vec<f64> {
        let mut mean = vec![0.0; self.bins];
        for moment in self.moments() {
            for (sum, power) in mean.iter_mut().zip(moment) {
                *sum += f64::from(*power);
            }
        }
        let count = self.moments().len().max(1) as f64;
        mean.iter_mut().for_each(|sum| *sum /= count);
        mean
    }

    /// The bins from one frequency up to another, without it.
    pub fn bins_of(&self, from_hz: f64, to_hz: f64) -> std::ops::Range<usize> {
        let bin = |hz: f64| ((hz / self.bin_hz).ceil() as usize).min(self.bins);
        bin(from_hz)..bin(to_hz).max(bin(from_hz))
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

/// Of both channels together.
pub fn balance(audio: &Audio) -> Balance {
    let spectrum = |channel: &[f32]| {
        let channel = channel.get(..audio.frames()).unwrap_or(channel);
        Spectrogram::of(channel, audio.rate_hz, 8_192, 4_096)
    };
    let (left, right) = (spectrum(audio.left), spectrum(audio.right));
    let mean: Vec<f64> = left.mean().iter().zip(right.mean()).map(|(left, right)| left + right).collect();
    let power_of = |range: std::ops::Range<usize>| mean.get(range).unwrap_or_default().iter().sum::<f64>();
    let mut bands = [0.0; 4];
    for (band, edges) in bands.iter_mut().zip(BAND_EDGES_HZ.windows(2)) {
        if let [from, to] = edges {
            *band = power_of(left.bins_of(*from, *to));
        }
    }
    let whole: f64 = bands.iter().sum();
    let audible = left.bins_of(BAND_EDGES_HZ[0], BAND_EDGES_HZ[4]);
    let amplitudes = || mean.iter().enumerate().take(audible.end).skip(audible.start).map(|(bin, p)| (bin, p.sqrt()));
    let amplitude: f64 = amplitudes().map(|(_, amplitude)| amplitude).sum();
    let moment: f64 = amplitudes().map(|(bin, amplitude)| bin as f64 * left.bin_hz * amplitude).sum();
    Balance {
        bands_db: bands.map(|band| power_db(band / whole.max(f64::MIN_POSITIVE))),
        centroid_hz: (amplitude > 0.0).then(|| moment / amplitude),
    }
}

//! What is told of one sample: its pitch, brightness, loudness and tempo.

use crate::loudness::IntegratedMeter;
use crate::pitch::{self, Pitch};
use crate::spectrum::BalanceMeter;
use crate::tempo::{self, Tempo};

/// What is listened to of a long sound, from its beginning.
const HEARD_S: f64 = 60.0;
/// What is kept of it, for its tempo and pitch.
const KEPT_S: f64 = 30.0;
/// A shorter sound has no tempo.
const SHORTEST_LOOP_S: f64 = 1.0;
/// A shorter one is heard as a loop sounds: again and again.
const REPEATED_TO_S: f64 = 12.0;
/// Sample rates of sound. With others nothing is heard.
const RATES_HZ: std::ops::RangeInclusive<f64> = 4_000.0..=400_000.0;
/// Louder samples are damaged.
const LARGEST_SAMPLE: f32 = 16.0;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SampleReport {
    pub pitch: Option<Pitch>,
    /// The middle of the spectrum by amplitude.
    pub brightness_hz: Option<f64>,
    /// Integrated, as it sounds from two speakers. What is shorter than 0.4 s is measured with silence after it.
    pub loudness_lufs: Option<f64>,
    /// As if it were played as a loop: of sounds that are none it says little.
    pub tempo: Option<Tempo>,
}

/// Listens to a sample that comes in pieces. It keeps a value for each frame of the first half minute and hears the
/// first minute.
pub struct SampleMeter {
    heard: Option<Heard>,
}

struct Heard {
    rate_hz: f64,
    /// Frames that are still listened to.
    left: usize,
    mono: Vec<f32>,
    loudness: IntegratedMeter,
    balance: BalanceMeter,
    piece: [Vec<f32>; 2],
}

impl SampleMeter {
    pub fn new(rate_hz: f64) -> SampleMeter {
        let heard = || Heard {
            rate_hz,
            left: (HEARD_S * rate_hz) as usize,
            mono: Vec::new(),
            loudness: IntegratedMeter::new(rate_hz),
            balance: BalanceMeter::new(rate_hz),
            piece: Default::default(),
        };
        SampleMeter { heard: RATES_HZ.contains(&rate_hz).then(heard) }
    }

    /// The next piece, interleaved: of more than two channels the first two are heard.
    pub fn push(&mut self, interleaved: &[f32], channels: usize) {
        if let Some(heard) = &mut self.heard {
            heard.push(interleaved, channels.max(1));
        }
    }

    pub fn finish(self) -> SampleReport {
        let Some(Heard { rate_hz, mono, loudness, balance, .. }) = self.heard else { return SampleReport::default() };
        let loudness_lufs = loudness.finish();
        // What cannot be heard has no pitch either.
        if loudness_lufs.is_none() {
            return SampleReport::default();
        }
        SampleReport {
            pitch: pitch::hear(&mono, rate_hz),
            brightness_hz: balance.finish().centroid_hz,
            loudness_lufs,
            tempo: tempo_of(mono, rate_hz),
        }
    }
}

impl Heard {
    fn push(&mut self, interleaved: &[f32], channels: usize) {
        let [left, right] = &mut self.piece;
        left.clear();
        right.clear();
        for frame in interleaved.chunks_exact(channels).take(self.left) {
            let channel = |at: usize| frame.get(at).copied().map(sane);
            let first = channel(0).unwrap_or_default();
            left.push(first);
            right.push(channel(1).unwrap_or(first));
        }
        self.left -= left.len();
        let to_keep = ((KEPT_S * self.rate_hz) as usize).saturating_sub(self.mono.len());
        self.mono.extend(left.iter().zip(right.iter()).map(|(left, right)| 0.5 * (left + right)).take(to_keep));
        self.loudness.push(left, right);
        // Of one channel the other would say the same again.
        self.balance.push(left, if channels == 1 { &[] } else { right });
    }
}

fn sane(sample: f32) -> f32 {
    if sample.is_finite() { sample.clamp(-LARGEST_SAMPLE, LARGEST_SAMPLE) } else { 0.0 }
}

fn tempo_of(mut mono: Vec<f32>, rate_hz: f64) -> Option<Tempo> {
    let (frames, wanted) = (mono.len(), (REPEATED_TO_S * rate_hz) as usize);
    if (frames as f64) < SHORTEST_LOOP_S * rate_hz {
        return None;
    }
    for _ in 1..wanted.div_ceil(frames.max(1)) {
        mono.extend_from_within(..frames);
    }
    let tempo = tempo::hear(&mono, rate_hz)?;
    // What is repeated is alike to itself after its length, whatever it is.
    let beats = frames as f64 / rate_hz * tempo.bpm / 60.0;
    (beats > 1.5 || frames >= wanted).then_some(tempo)
}

//! Sounds made for tests.

/// A decaying sound of a few partials and some noise.
#[derive(Clone, Debug)]
pub struct Tone {
    pub hz: f64,
    pub seconds: f64,
    /// Time to fall by 60 dB.
    pub decay_seconds: f64,
    pub partials: Vec<(f64, f64)>,
    pub noise: f64,
    /// Of the noise, 0..1: how dull.
    pub dullness: f64,
    /// How far above `hz` the pitch begins, in octaves, and how fast it falls.
    pub drop: (f64, f64),
    pub seed: u64,
    pub gain: f64,
}

impl Default for Tone {
    fn default() -> Tone {
        Tone {
            hz: 220.0,
            seconds: 0.5,
            decay_seconds: 0.8,
            partials: vec![(1.0, 1.0), (2.0, 0.4)],
            noise: 0.0,
            dullness: 0.5,
            drop: (0.0, 0.05),
            seed: 1,
            gain: 0.5,
        }
    }
}

pub fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 33) as f64) / f64::from(1_u32 << 31)
}

impl Tone {
    /// One of very many different sounds: drums, tones, noises.
    pub fn any(seed: u64) -> Tone {
        let mut s = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut r = || random(&mut s);
        r();
        let kind = (r() * 4.0) as u32;
        let partials = (1..=1 + (r() * 4.0) as u32).map(|n| {
            let stretch = if kind == 1 { 0.3 * f64::from(n) * r() } else { 0.0 };
            (f64::from(n) + stretch, r().powi(2))
        });
        Tone {
            partials: if kind == 3 { Vec::new() } else { partials.collect() },
            hz: 40.0 * (r() * 5.5).exp2(),
            seconds: 0.1 + r() * 0.5,
            decay_seconds: 0.1 + r(),
            noise: match kind {
                3 => 1.0,
                2 => r(),
                _ => 0.02 * r(),
            },
            dullness: r().powf(0.3) * 0.99,
            drop: if kind == 0 { (r() * 3.0, 0.01 + r() * 0.05) } else { (0.0, 0.05) },
            seed: seed.wrapping_add(77),
            gain: 0.1 + 0.5 * r(),
        }
    }

    pub fn samples(&self) -> Vec<f32> {
        let rate = 44_100.0;
        let mut seed = self.seed;
        let (mut phase, mut low) = (0.0_f64, 0.0);
        (0..(self.seconds * rate) as usize)
            .map(|n| {
                let t = n as f64 / rate;
                let hz = self.hz * (self.drop.0 * (-t / self.drop.1).exp()).exp2();
                phase += hz / rate;
                let tone = self.partials.iter().filter(|(ratio, _)| ratio * hz < 20_000.0);
                let tone: f64 = tone.map(|(ratio, level)| level * (std::f64::consts::TAU * phase * ratio).sin()).sum();
                low = self.dullness * low + (1.0 - self.dullness) * (random(&mut seed) * 2.0 - 1.0);
                let fall = (-6.9 * t / self.decay_seconds).exp() * (t * 500.0).min(1.0);
                ((tone * 0.3 + low * self.noise) * fall * self.gain) as f32
            })
            .collect()
    }
}

/// A WAV file of one channel and 16 bits.
pub fn wav(samples: &[f32], rate: u32) -> Vec<u8> {
    let bytes = u32::try_from(samples.len() * 2).unwrap();
    let mut file = Vec::new();
    file.extend(b"RIFF");
    file.extend((36 + bytes).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend(rate.to_le_bytes());
    file.extend((rate * 2).to_le_bytes());
    file.extend(b"\x02\0\x10\0data");
    file.extend(bytes.to_le_bytes());
    file.extend(samples.iter().flat_map(|s| ((s.clamp(-1.0, 1.0) * 32_767.0) as i16).to_le_bytes()));
    file
}

/// Played faster (`ratio` over 1) or slower: pitch and length change.
pub fn resampled(samples: &[f32], ratio: f64) -> Vec<f32> {
    let at = |n: usize| f64::from(samples.get(n).copied().unwrap_or(0.0));
    (0..(samples.len() as f64 / ratio) as usize)
        .map(|n| {
            let place = n as f64 * ratio;
            let (low, part) = (place as usize, place.fract());
            (at(low) * (1.0 - part) + at(low + 1) * part) as f32
        })
        .collect()
}

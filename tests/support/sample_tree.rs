//! Generated sample folders: silence, tones and noise of different lengths, duplicates, broken files, odd names, links.

use std::fs;
use std::path::{Path, PathBuf};

pub fn random(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    ((*seed >> 33) as f64) / f64::from(1_u32 << 31)
}

/// A decaying tone with partials and noise, each seed another.
pub fn sound(seed: u64, seconds: f64) -> Vec<f32> {
    let mut s = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    random(&mut s);
    let hz = 40.0 * (random(&mut s) * 5.5).exp2();
    let partials: Vec<f64> = (0..6).map(|_| random(&mut s).powi(2)).collect();
    let (noise, dull, decay) = (random(&mut s).powi(3), random(&mut s).powf(0.3) * 0.99, 0.1 + random(&mut s));
    let mut low = 0.0;
    (0..(seconds * 44_100.0) as usize)
        .map(|n| {
            let t = n as f64 / 44_100.0;
            low = dull * low + (1.0 - dull) * (random(&mut s) * 2.0 - 1.0);
            let tone: f64 = partials
                .iter()
                .zip(1..)
                .filter(|(_, n)| hz * f64::from(*n) < 20_000.0)
                .map(|(level, n)| level * (std::f64::consts::TAU * hz * f64::from(n) * t).sin())
                .sum();
            ((tone * 0.15 + low * noise) * (-6.9 * t / decay).exp() * (t * 500.0).min(1.0)) as f32
        })
        .collect()
}

/// A WAV file of one channel and 16 bits at 44.1 kHz.
pub fn wav(samples: &[f32]) -> Vec<u8> {
    let bytes = u32::try_from(samples.len() * 2).expect("a short sound");
    let mut file = Vec::with_capacity(44 + samples.len() * 2);
    file.extend(b"RIFF");
    file.extend((36 + bytes).to_le_bytes());
    file.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    file.extend(44_100_u32.to_le_bytes());
    file.extend(88_200_u32.to_le_bytes());
    file.extend(b"\x02\0\x10\0data");
    file.extend(bytes.to_le_bytes());
    file.extend(samples.iter().flat_map(|s| ((s.clamp(-1.0, 1.0) * 32_767.0) as i16).to_le_bytes()));
    file
}

pub fn put(root: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = root.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    fs::write(&path, bytes).expect("the file can be written");
    path
}

/// What a generated tree holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tree {
    pub sound: usize,
    pub broken: usize,
    pub folders: usize,
}

const WHAT: [&str; 8] = ["Kick", "Snare", "Closed Hat", "Bass", "Pad", "Vox", "Riser", "Drum Loop 120bpm"];

/// A tree of `count` audio files in folders of a hundred; of a hundred files one is a duplicate, one broken, one
/// silent.
pub fn grow(root: &Path, count: usize) -> Tree {
    let mut tree = Tree::default();
    let first = wav(&sound(0, 0.3));
    for n in 0..count {
        let folder = format!("Pack {}/{}", n / 800, WHAT[n / 100 % 8]);
        if n % 100 == 0 {
            tree.folders += 1 + usize::from(n % 800 == 0);
        }
        let bytes = match n % 100 {
            7 => b"RIFF nothing".to_vec(),
            8 => first.clone(),
            9 => wav(&vec![0.0; 4_410]),
            _ => wav(&sound(n as u64, 0.05 + 0.25 * ((n % 13) as f64 / 13.0))),
        };
        if n % 100 == 7 {
            tree.broken += 1
        } else {
            tree.sound += 1
        }
        put(root, &format!("{folder}/{} {n:05}.wav", WHAT[n / 100 % 8]), &bytes);
    }
    tree
}

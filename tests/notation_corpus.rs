//! The fuzz targets' seeds, and slips made in them, read on stable in a few seconds.

#[path = "laws/notation.rs"]
mod laws;

use std::path::Path;
use svc_device::music::Random;

/// Texts made of each seed.
const SLIPS: usize = 1_000;

fn seeds(target: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let entries = std::fs::read_dir(&folder).expect("the corpus is in the repository");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() >= 4, "{} holds few seeds", folder.display());
    files.iter().map(|file| std::fs::read_to_string(file).expect("seeds are text")).collect()
}

/// A text with a piece left out, doubled, moved or taken from another text.
fn slip(text: &str, other: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(chars.len() + 1);
        let length = random.below(6).min(chars.len() - at);
        let piece: Vec<char> = match random.below(4) {
            0 => Vec::new(),
            1 => chars[at..at + length].repeat(2),
            2 => other.chars().skip(random.below(other.chars().count() + 1)).take(1 + random.below(8)).collect(),
            _ => vec![['0', '9', '/', '(', '[', '*', '|', ':', '-', '\n', '\u{e9}', '\u{266f}'][random.below(12)]],
        };
        chars.splice(at..at + length, piece);
    }
    chars.into_iter().collect()
}

fn run(target: &str, law: fn(&str)) {
    let seeds = seeds(target);
    let mut random = Random::from_seed(20);
    for seed in &seeds {
        law(seed);
        for _ in 0..SLIPS {
            let other = &seeds[random.below(seeds.len())];
            let text = slip(seed, other, &mut random);
            if let Err(panic) = std::panic::catch_unwind(|| law(&text)) {
                eprintln!("the text was {text:?}");
                std::panic::resume_unwind(panic);
            }
        }
    }
}

#[test]
fn barbeat() {
    run("barbeat", laws::barbeat);
}

#[test]
fn midi_json() {
    run("midi_json", laws::midi_json);
}

#[test]
fn stark() {
    run("stark", laws::stark);
}

#[test]
fn transforms() {
    run("transforms", laws::transforms);
}

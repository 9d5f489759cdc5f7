//! What a MIDI track without an instrument sounds as: chosen from its name, else from its notes.

use crate::music::Note;
use serde::{Deserialize, Serialize};

/// A sound that comes with the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DefaultSound {
    Drums,
    Drums808,
    Drums909,
    Kick,
    Bass,
    Sub,
    Lead,
    Pluck,
    Bell,
    Pad,
    Keys,
    Organ,
    Voice,
    Noise,
}

impl DefaultSound {
    pub const ALL: [DefaultSound; 14] = [
        DefaultSound::Drums,
        DefaultSound::Drums808,
        DefaultSound::Drums909,
        DefaultSound::Kick,
        DefaultSound::Bass,
        DefaultSound::Sub,
        DefaultSound::Lead,
        DefaultSound::Pluck,
        DefaultSound::Bell,
        DefaultSound::Pad,
        DefaultSound::Keys,
        DefaultSound::Organ,
        DefaultSound::Voice,
        DefaultSound::Noise,
    ];

    /// What people read.
    pub fn name(self) -> &'static str {
        match self {
            DefaultSound::Drums => "drum kit",
            DefaultSound::Drums808 => "808 kit",
            DefaultSound::Drums909 => "909 kit",
            DefaultSound::Kick => "kick",
            DefaultSound::Bass => "bass",
            DefaultSound::Sub => "sub bass",
            DefaultSound::Lead => "lead",
            DefaultSound::Pluck => "pluck",
            DefaultSound::Bell => "bell",
            DefaultSound::Pad => "pad",
            DefaultSound::Keys => "keys",
            DefaultSound::Organ => "organ",
            DefaultSound::Voice => "voice",
            DefaultSound::Noise => "noise",
        }
    }
}

/// The drum that a default kit has on a key: see `sound-engine/src/instruments/drum_kits.rs`.
pub fn drum_name(pitch: u8) -> &'static str {
    match pitch {
        0..=36 => "Kick",
        37 => "Rim",
        38 | 40 => "Snare",
        39 => "Clap",
        42 | 44 => "Closed hat",
        46 => "Open hat",
        41 | 43 | 45 | 47 | 48 | 50 => "Toms",
        49 | 52 | 55 | 57 => "Crash",
        51 | 53 | 59 => "Ride",
        56 | 67 | 68 | 80 | 81 => "Cowbell",
        60..=66 => "Congas",
        71..=79 => "Claves",
        _ => "Shaker",
    }
}

/// Notes that are looked at; a part of a few bars shows what it is.
const LOOKED_AT: usize = 512;
/// The keys that hold a drum kit's sounds in the General MIDI map, as far as most patterns go.
const KIT: std::ops::RangeInclusive<u8> = 35..=51;
/// Kicks, snares, hats: the keys of patterns with one or two sounds.
const USUAL_HITS: [u8; 8] = [35, 36, 38, 39, 40, 42, 44, 46];
/// Notes of kits are no longer than this in most cases, quarter beats.
const HIT_BEATS: f64 = 0.5;
/// Below C2 in the middle, notes are those of a bass.
const BASS_BELOW: u8 = 48;

/// Words of names with the sound they mean, those that decide first first. Words are compared whole and in lower case;
/// of two words one after the other, both have to be there.
const NAMES: [(DefaultSound, &[&str]); 14] = [
    (DefaultSound::Kick, &["bass drum", "kick", "kicks", "kickdrum", "bassdrum", "bd", "bombo"]),
    (DefaultSound::Sub, &["808 bass", "bass 808", "sub", "subbass"]),
    (DefaultSound::Drums808, &["808"]),
    (DefaultSound::Drums909, &["909"]),
    (
        DefaultSound::Drums,
        &[
            "drum",
            "drums",
            "drumkit",
            "drumset",
            "beat",
            "beats",
            "kit",
            "perc",
            "percs",
            "percussion",
            "snare",
            "snares",
            "sd",
            "hat",
            "hats",
            "hihat",
            "hihats",
            "hh",
            "clap",
            "claps",
            "tom",
            "toms",
            "cymbal",
            "cymbals",
            "ride",
            "crash",
            "shaker",
            "rim",
            "rimshot",
            "conga",
            "congas",
            "bongo",
            "bongos",
            "cowbell",
            "tambourine",
            "breakbeat",
            "schlagzeug",
            "batterie",
            "bateria",
            "batería",
            "percusión",
            "ドラム",
            "鼓",
        ],
    ),
    (DefaultSound::Voice, &["vocal", "vocals", "vox", "voice", "voices", "stimme", "gesang", "voix", "voz"]),
    (DefaultSound::Bass, &["bass", "bassline", "reese", "basse", "bajo", "baixo", "basso", "ベース"]),
    (DefaultSound::Organ, &["organ", "orgel", "orgue", "órgano", "organo", "hammond", "オルガン"]),
    (
        DefaultSound::Bell,
        &[
            "bell",
            "bells",
            "glocken",
            "glockenspiel",
            "chime",
            "chimes",
            "mallet",
            "mallets",
            "marimba",
            "vibraphone",
            "vibes",
            "xylophone",
            "celesta",
            "kalimba",
            "cloche",
            "campana",
        ],
    ),
    (
        DefaultSound::Pluck,
        &[
            "pluck",
            "plucks",
            "arp",
            "arps",
            "arpeggio",
            "arpeggios",
            "guitar",
            "harp",
            "gitarre",
            "guitare",
            "guitarra",
        ],
    ),
    (
        DefaultSound::Pad,
        &[
            "pad",
            "pads",
            "string",
            "strings",
            "choir",
            "atmos",
            "atmo",
            "atmosphere",
            "ambient",
            "drone",
            "drones",
            "texture",
            "streicher",
            "chor",
            "cordes",
            "cuerdas",
            "coro",
            "パッド",
        ],
    ),
    (
        DefaultSound::Keys,
        &[
            "keys",
            "key",
            "piano",
            "rhodes",
            "wurli",
            "wurlitzer",
            "clav",
            "chord",
            "chords",
            "klavier",
            "akkorde",
            "clavier",
            "accords",
            "teclado",
            "acordes",
            "ピアノ",
        ],
    ),
    (
        DefaultSound::Lead,
        &[
            "lead",
            "leads",
            "melody",
            "melodies",
            "hook",
            "theme",
            "solo",
            "synth",
            "brass",
            "horn",
            "horns",
            "trumpet",
            "sax",
            "flute",
            "melodie",
            "mélodie",
            "melodía",
            "メロディ",
        ],
    ),
    (
        DefaultSound::Noise,
        &["fx", "sfx", "noise", "riser", "risers", "uplifter", "downlifter", "sweep", "sweeps", "impact", "rauschen"],
    ),
];

/// What a name means, if it means a sound.
pub fn of_name(name: &str) -> Option<DefaultSound> {
    let lower = name.to_lowercase();
    // A word ends where letters and digits do not follow, and where a name in one piece begins its next word.
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let parts = words_in_one_piece(name);
    let has = |word: &str| match word.split_once(' ') {
        Some((first, second)) => {
            let both =
                |words: &[&str]| words.windows(2).any(|pair| matches!(pair, [a, b] if *a == first && *b == second));
            both(&words) || both(&parts.iter().map(String::as_str).collect::<Vec<_>>())
        }
        // Languages without blanks between words.
        None if !word.is_ascii() && !word.chars().all(|c| c.is_alphabetic() && c < '\u{250}') => lower.contains(word),
        None => words.contains(&word) || parts.iter().any(|part| part == word),
    };
    let says = |sound: DefaultSound| {
        NAMES.iter().any(|(of, names)| *of == sound && names.iter().any(|word| *word != ONE_DRUM && has(word)))
    };
    // A kick and what is beside it are a kit, not the kick alone.
    if says(DefaultSound::Kick) && says(DefaultSound::Drums) {
        let boxes = [DefaultSound::Drums808, DefaultSound::Drums909];
        return Some(boxes.into_iter().find(|kit| says(*kit)).unwrap_or(DefaultSound::Drums));
    }
    NAMES.iter().find(|(_, names)| names.iter().any(|name| has(name))).map(|(sound, _)| *sound)
}

/// Beside a kick it says what that is: `Kick Drum`.
const ONE_DRUM: &str = "drum";

/// `SubBass2` is `sub`, `bass`, `2`.
fn words_in_one_piece(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for c in name.chars() {
        let begins = c.is_uppercase() && !before.is_uppercase() || c.is_ascii_digit() != before.is_ascii_digit();
        if !c.is_alphanumeric() {
            before = ' ';
            continue;
        }
        match words.last_mut() {
            Some(word) if !begins && before != ' ' => word.extend(c.to_lowercase()),
            _ => words.push(c.to_lowercase().collect()),
        }
        before = c;
    }
    words
}

/// What notes sound as that no name tells of.
pub fn of_notes<'a>(notes: impl Iterator<Item = &'a Note>) -> DefaultSound {
    let notes: Vec<&Note> = notes.take(LOOKED_AT).collect();
    let mut pitches: Vec<u8> = notes.iter().map(|note| note.pitch).collect();
    pitches.sort_unstable();
    let Some(middle) = pitches.get(pitches.len() / 2).copied() else { return DefaultSound::Keys };
    let count = |fits: &dyn Fn(&Note) -> bool| notes.iter().filter(|note| fits(note)).count();
    let in_kit = count(&|note| KIT.contains(&note.pitch));
    let hits = count(&|note| note.duration <= HIT_BEATS);
    let most = |part: usize| part * 5 >= notes.len() * 4;
    // A bass plays one note at a time; of a pattern with one or two sounds the keys tell.
    let usual = pitches.iter().all(|pitch| USUAL_HITS.contains(pitch));
    pitches.dedup();
    let together = notes.iter().zip(notes.iter().skip(1)).any(|(a, b)| a.start == b.start && a.pitch != b.pitch);
    if most(in_kit) && most(hits) && (together || usual && pitches.len() <= 3) {
        DefaultSound::Drums
    } else if middle < BASS_BELOW {
        DefaultSound::Bass
    } else {
        DefaultSound::Keys
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_sounds() {
        for (name, sound) in [
            ("Drums", Some(DefaultSound::Drums)),
            ("1-Hi-Hats", Some(DefaultSound::Drums)),
            ("808", Some(DefaultSound::Drums808)),
            ("TR-909 Kit", Some(DefaultSound::Drums909)),
            ("808 Bass", Some(DefaultSound::Sub)),
            ("Bass Drum", Some(DefaultSound::Kick)),
            ("Kick 2", Some(DefaultSound::Kick)),
            ("Kick Drum", Some(DefaultSound::Kick)),
            ("Kick & Snare", Some(DefaultSound::Drums)),
            ("909 Kick + Hats", Some(DefaultSound::Drums909)),
            ("Bass", Some(DefaultSound::Bass)),
            ("SubBass", Some(DefaultSound::Sub)),
            ("Acid_Bass_1", Some(DefaultSound::Bass)),
            ("Bassoon", None),
            ("Lead Vocal", Some(DefaultSound::Voice)),
            ("Synth Lead", Some(DefaultSound::Lead)),
            ("Arp", Some(DefaultSound::Pluck)),
            ("Warm Pad", Some(DefaultSound::Pad)),
            ("Streicher", Some(DefaultSound::Pad)),
            ("Piano", Some(DefaultSound::Keys)),
            ("Chords", Some(DefaultSound::Keys)),
            ("Orgel", Some(DefaultSound::Organ)),
            ("Glocken", Some(DefaultSound::Bell)),
            ("Riser FX", Some(DefaultSound::Noise)),
            ("ベースライン", Some(DefaultSound::Bass)),
            ("Batería", Some(DefaultSound::Drums)),
            ("1-MIDI", None),
            ("", None),
            ("Heather", None),
        ] {
            assert_eq!(of_name(name), sound, "{name}");
        }
    }

    fn notes(list: &[(u8, f64, f64)]) -> Vec<Note> {
        list.iter().map(|(pitch, start, duration)| Note::new(*pitch, *start, *duration)).collect()
    }

    #[test]
    fn notes_mean_sounds_where_names_do_not() {
        for (what, list, sound) in [
            ("nothing", notes(&[]), DefaultSound::Keys),
            (
                "kick and hat",
                notes(&[(36, 0.0, 0.25), (42, 0.0, 0.25), (42, 0.5, 0.25), (38, 1.0, 0.25)]),
                DefaultSound::Drums,
            ),
            ("four on the floor", notes(&[(36, 0.0, 0.25), (36, 1.0, 0.25), (36, 2.0, 0.25)]), DefaultSound::Drums),
            (
                "a bass in eighths",
                notes(&[(36, 0.0, 0.5), (43, 0.5, 0.5), (41, 1.0, 0.5), (39, 1.5, 0.5)]),
                DefaultSound::Bass,
            ),
            ("long and low", notes(&[(33, 0.0, 4.0), (36, 4.0, 4.0)]), DefaultSound::Bass),
            ("chords", notes(&[(60, 0.0, 4.0), (64, 0.0, 4.0), (67, 0.0, 4.0)]), DefaultSound::Keys),
        ] {
            assert_eq!(of_notes(list.iter()), sound, "{what}");
        }
    }

    #[test]
    fn every_sound_has_a_name_of_its_own() {
        let names: std::collections::BTreeSet<&str> = DefaultSound::ALL.iter().map(|sound| sound.name()).collect();
        assert_eq!(names.len(), DefaultSound::ALL.len());
        assert!(NAMES.iter().all(|(sound, _)| DefaultSound::ALL.contains(sound)));
    }
}

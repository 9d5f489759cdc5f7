//! What the names of a file and its folders tell: tags, tempo, key and type.

use super::musical_key::find_key;
use super::vocabulary::{VOCABULARY, split_words, tags_in};
use std::collections::HashSet;

/// Tempos in a name that are believed, in beats per minute.
const PLAUSIBLE_BPM: std::ops::RangeInclusive<u32> = 40..=250;
/// Longest folder name that becomes a tag.
const MAX_FOLDER_TAG_CHARS: usize = 40;

/// What the name of a file and its folders tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NameMetadata {
    /// Without repeats; those that the file's own name tells come first.
    pub tags: Vec<String>,
    /// How many of the tags come from the file's own name.
    pub own_tag_count: usize,
    pub bpm: Option<u32>,
    /// A number that may be a tempo: it stands alone.
    pub possible_bpm: Option<u32>,
    pub says_loop: bool,
    pub says_one_shot: bool,
    pub says_impulse_response: bool,
}

/// Reads the name of a file without its extension, and the folders it lies in, outermost first.
pub fn parse_name(stem: &str, folders: &[&str]) -> NameMetadata {
    let mut metadata = NameMetadata::default();
    let words = split_words(stem);
    let of_folders: Vec<Vec<String>> = folders.iter().map(|folder| split_words(folder)).collect();
    let mut seen: HashSet<String> = HashSet::new();
    let mut add = |tags: &mut Vec<String>, tag: &str| {
        for tag in std::iter::once(tag).chain(VOCABULARY.broader.get(tag).copied()) {
            if seen.insert(tag.to_lowercase()) {
                tags.push(tag.to_owned());
            }
        }
    };
    for tag in tags_in(&words) {
        add(&mut metadata.tags, tag);
    }
    metadata.own_tag_count = metadata.tags.len();
    for (folder, words) in folders.iter().zip(&of_folders).rev() {
        let found = tags_in(words);
        for tag in &found {
            add(&mut metadata.tags, tag);
        }
        let plain = folder.trim();
        if found.is_empty() && !plain.is_empty() && plain.chars().count() <= MAX_FOLDER_TAG_CHARS {
            add(&mut metadata.tags, plain);
        }
    }
    metadata.bpm = find_bpm(&words).or_else(|| of_folders.iter().rev().find_map(|words| find_bpm(words)));
    metadata.possible_bpm = words.iter().find_map(|word| plausible_bpm(word).filter(|bpm| (60..=200).contains(bpm)));
    if let Some(bpm) = metadata.bpm {
        add(&mut metadata.tags, &format!("{bpm} BPM"));
    }
    if let Some(key) = find_key(stem) {
        add(&mut metadata.tags, &key);
    }
    let all = || words.iter().chain(of_folders.iter().flatten()).map(String::as_str);
    let has = |wanted: &[&str]| all().any(|word| wanted.contains(&word));
    let has_tag = |wanted: &str| metadata.tags.iter().any(|tag| tag == wanted);
    metadata.says_one_shot = has_tag("One Shot");
    metadata.says_loop = has_tag("Loop") || has_tag("Break") || has(&["groove", "grooves"]);
    metadata.says_impulse_response = has(&["ir", "irs", "impulse", "impulses"]);
    metadata
}

fn plausible_bpm(word: &str) -> Option<u32> {
    word.parse().ok().filter(|bpm| PLAUSIBLE_BPM.contains(bpm) && word.len() <= 3)
}

/// A number beside the word `bpm`.
fn find_bpm(words: &[String]) -> Option<u32> {
    words.iter().enumerate().find_map(|(at, word)| match word.strip_suffix("bpm") {
        Some("") => {
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            let after = words.get(at.saturating_add(1));
            before.and_then(|word| plausible_bpm(word)).or_else(|| after.and_then(|word| plausible_bpm(word)))
        }
        Some(number) => plausible_bpm(number),
        None => word.strip_prefix("bpm").and_then(plausible_bpm),
    })
}

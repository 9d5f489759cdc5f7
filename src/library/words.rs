//! What names tell: tags, tempo and key from the words of a file's name and of the folders it lies in.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

const TABLE: &str = include_str!("data/tags.txt");

/// The category of tags that come from folders' own names.
pub const FOLDERS: &str = "Folders";
/// The category of tempos and keys.
pub const TEMPO_AND_KEY: &str = "Tempo and Key";

/// Beats a minute that a name is believed.
const BELIEVED_BPM: std::ops::RangeInclusive<u32> = 40..=250;
/// Longest row of words that stands for a tag.
const LONGEST_ROW: usize = 3;
/// Longest folder name that becomes a tag.
const LONGEST_FOLDER_TAG_CHARS: usize = 40;

struct Table {
    /// Category of each tag.
    categories: HashMap<&'static str, &'static str>,
    order: Vec<&'static str>,
    /// The broader tag that a narrower one brings with it.
    broader: HashMap<&'static str, &'static str>,
    /// Words in a row, lower case, and the tag they stand for.
    rows: HashMap<String, &'static str>,
}

static TAGS: LazyLock<Table> = LazyLock::new(|| {
    let mut table =
        Table { categories: HashMap::new(), order: Vec::new(), broader: HashMap::new(), rows: HashMap::new() };
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        if let Some(category) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table.order.push(category);
        } else if let (Some((tag, rows)), Some(category)) = (line.split_once(':'), table.order.last()) {
            let (tag, broader) = tag.split_once(" < ").map_or((tag, None), |(tag, broader)| (tag, Some(broader)));
            table.broader.extend(broader.map(|broader| (tag, broader)));
            table.categories.insert(tag, category);
            let own = tokens(tag).join(" ");
            let rows = rows.split(',').map(|row| row.trim().to_owned()).filter(|row| !row.is_empty());
            for row in rows.chain([own]) {
                table.rows.insert(row, tag);
            }
        }
    }
    table
});

/// Categories in the order they are shown; the last two hold what the table cannot list.
pub fn categories() -> impl Iterator<Item = &'static str> {
    TAGS.order.iter().copied().chain([TEMPO_AND_KEY, FOLDERS])
}

/// The category that a tag belongs to.
pub fn category(tag: &str) -> &'static str {
    let is_tempo = tag.strip_suffix(" BPM").is_some_and(|n| n.parse::<u32>().is_ok());
    match TAGS.categories.get(tag) {
        Some(category) => category,
        None if is_tempo || key_of(tag).is_some() => TEMPO_AND_KEY,
        None => FOLDERS,
    }
}

/// What the name of a file and its folders tell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// Without repeats, the file's own first.
    pub tags: Vec<String>,
    /// How many of the tags the file's own name tells.
    pub own_tags: usize,
    pub bpm: Option<u32>,
    /// A number that may be a tempo: it stands alone.
    pub maybe_bpm: Option<u32>,
    pub says_loop: bool,
    pub says_one_shot: bool,
    pub says_impulse: bool,
}

/// Reads the name of a file without its extension, and the folders it lies in, outermost first.
pub fn read(stem: &str, folders: &[&str]) -> Told {
    let mut told = Told::default();
    let words = tokens(stem);
    let of_folders: Vec<Vec<String>> = folders.iter().map(|folder| tokens(folder)).collect();
    let mut seen: HashSet<String> = HashSet::new();
    let mut add = |tags: &mut Vec<String>, tag: &str| {
        for tag in std::iter::once(tag).chain(TAGS.broader.get(tag).copied()) {
            if seen.insert(tag.to_lowercase()) {
                tags.push(tag.to_owned());
            }
        }
    };
    for tag in known(&words) {
        add(&mut told.tags, tag);
    }
    told.own_tags = told.tags.len();
    for (folder, words) in folders.iter().zip(&of_folders).rev() {
        let found = known(words);
        for tag in &found {
            add(&mut told.tags, tag);
        }
        let plain = folder.trim();
        if found.is_empty() && !plain.is_empty() && plain.chars().count() <= LONGEST_FOLDER_TAG_CHARS {
            add(&mut told.tags, plain);
        }
    }
    told.bpm = bpm(&words).or_else(|| of_folders.iter().rev().find_map(|words| bpm(words)));
    told.maybe_bpm = words.iter().find_map(|word| plausible(word).filter(|bpm| (60..=200).contains(bpm)));
    if let Some(bpm) = told.bpm {
        add(&mut told.tags, &format!("{bpm} BPM"));
    }
    if let Some(key) = key_in(stem) {
        add(&mut told.tags, &key);
    }
    let all = || words.iter().chain(of_folders.iter().flatten()).map(String::as_str);
    let has = |wanted: &[&str]| all().any(|word| wanted.contains(&word));
    let has_tag = |wanted: &str| told.tags.iter().any(|tag| tag == wanted);
    told.says_one_shot = has_tag("One Shot");
    told.says_loop = has_tag("Loop") || has_tag("Break") || has(&["groove", "grooves"]);
    told.says_impulse = has(&["ir", "irs", "impulse", "impulses"]);
    told
}

/// The words of a name in lower case: cut at everything that is no letter or digit, and where small letters are followed by a
/// capital.
pub fn tokens(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        let cut = !c.is_alphanumeric() || (c.is_uppercase() && before.is_lowercase());
        if cut {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            last.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Tags that rows of these words stand for, the longest row first at each place.
fn known(words: &[String]) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some((tag, length)) = row_at(rest) {
            found.push(tag);
            at += length;
        } else {
            at += 1;
        }
    }
    found
}

/// The tag that the longest row of words at the beginning stands for, and how many they are.
fn row_at(words: &[String]) -> Option<(&'static str, usize)> {
    (1..=LONGEST_ROW.min(words.len())).rev().find_map(|length| {
        let row = words.get(..length)?.join(" ");
        let plain = row.trim_end_matches(|c: char| c.is_ascii_digit());
        let singular = plain.strip_suffix('s').unwrap_or(plain);
        let tag = [row.as_str(), plain, singular].iter().find_map(|row| TAGS.rows.get(*row))?;
        Some((*tag, length))
    })
}

/// The tags that a text stands for, when every word of it belongs to one.
pub fn meant(text: &str) -> Option<Vec<&'static str>> {
    let words = tokens(text);
    // `kick02` names a file, not its kind.
    let numbered = |word: &String| word.ends_with(|c: char| c.is_ascii_digit()) && !TAGS.rows.contains_key(word);
    if words.is_empty() || words.iter().any(numbered) {
        return None;
    }
    let mut tags = Vec::new();
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let (tag, length) = row_at(rest)?;
        tags.push(tag);
        rest = rest.get(length..)?;
    }
    Some(tags)
}

fn plausible(word: &str) -> Option<u32> {
    word.parse().ok().filter(|bpm| BELIEVED_BPM.contains(bpm) && word.len() <= 3)
}

/// A number beside the word `bpm`.
fn bpm(words: &[String]) -> Option<u32> {
    words.iter().enumerate().find_map(|(at, word)| match word.strip_suffix("bpm") {
        Some("") => {
            let before = at.checked_sub(1).and_then(|at| words.get(at));
            let after = words.get(at.saturating_add(1));
            before.and_then(|word| plausible(word)).or_else(|| after.and_then(|word| plausible(word)))
        }
        Some(number) => plausible(number),
        None => word.strip_prefix("bpm").and_then(plausible),
    })
}

/// A key such as `Am`, `C#min` or `F minor`. A capital alone is no key: it may be anything.
fn key_in(stem: &str) -> Option<String> {
    let pieces: Vec<&str> =
        stem.split(|c: char| !(c.is_alphanumeric() || c == '#')).filter(|p| !p.is_empty()).collect();
    let alone = pieces.iter().find_map(|piece| key_of(piece));
    let pairs = || pieces.windows(2).find_map(|pair| key_of(&pair.join(" ")));
    pairs().or(alone)
}

/// The key that a text is, as `A minor` or `C# major`.
fn key_of(text: &str) -> Option<String> {
    let mut chars = text.chars();
    let letter = chars.next().filter(|c| ('A'..='G').contains(c))?;
    let rest = chars.as_str();
    let (accidental, rest) = match rest.chars().next() {
        Some(c @ ('#' | 'b')) => (c.to_string(), rest.get(1..)?),
        _ => (String::new(), rest),
    };
    let mode = match rest.trim_start() {
        "m" | "min" | "minor" | "Min" | "Minor" => "minor",
        "maj" | "major" | "Maj" | "Major" => "major",
        _ => return None,
    };
    Some(format!("{letter}{accidental} {mode}"))
}

#[cfg(test)]
mod tests;

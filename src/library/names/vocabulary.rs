//! The tags that the library knows, their categories, and the words that stand for them.

use super::musical_key::parse_key;
use std::collections::HashMap;
use std::sync::LazyLock;

const TABLE: &str = include_str!("tags.txt");

/// The category of tags that are the names of folders.
pub const FOLDER_CATEGORY: &str = "Folders";
/// The category of tempos and keys.
pub const TEMPO_AND_KEY_CATEGORY: &str = "Tempo and Key";

/// Most words of a phrase that stands for a tag.
const MAX_PHRASE_WORDS: usize = 3;

/// The table of tags.
pub struct TagVocabulary {
    /// Category of each tag.
    pub categories: HashMap<&'static str, &'static str>,
    /// Categories in the order they are shown.
    category_order: Vec<&'static str>,
    /// The broader tag that a narrower one brings with it.
    pub broader: HashMap<&'static str, &'static str>,
    /// Phrases (words in a row, in lower case), and the tag they stand for.
    pub phrases: HashMap<String, &'static str>,
}

pub static VOCABULARY: LazyLock<TagVocabulary> = LazyLock::new(|| {
    let mut table = TagVocabulary {
        categories: HashMap::new(),
        category_order: Vec::new(),
        broader: HashMap::new(),
        phrases: HashMap::new(),
    };
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        if let Some(category) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table.category_order.push(category);
        } else if let (Some((tag, rows)), Some(category)) = (line.split_once(':'), table.category_order.last()) {
            let (tag, broader) = tag.split_once(" < ").map_or((tag, None), |(tag, broader)| (tag, Some(broader)));
            table.broader.extend(broader.map(|broader| (tag, broader)));
            table.categories.insert(tag, category);
            let own = split_words(tag).join(" ");
            let rows = rows.split(',').map(|row| row.trim().to_owned()).filter(|row| !row.is_empty());
            for row in rows.chain([own]) {
                table.phrases.insert(row, tag);
            }
        }
    }
    table
});

/// Categories in the order they are shown; the last two are of tags that no table can list.
pub fn tag_categories() -> impl Iterator<Item = &'static str> {
    VOCABULARY.category_order.iter().copied().chain([TEMPO_AND_KEY_CATEGORY, FOLDER_CATEGORY])
}

/// The category that a tag belongs to.
pub fn tag_category(tag: &str) -> &'static str {
    let is_tempo = tag.strip_suffix(" BPM").is_some_and(|n| n.parse::<u32>().is_ok());
    match VOCABULARY.categories.get(tag) {
        Some(category) => category,
        None if is_tempo || parse_key(tag).is_some() => TEMPO_AND_KEY_CATEGORY,
        None => FOLDER_CATEGORY,
    }
}

/// The words of a name in lower case: cut at everything that is no letter or digit, and where small letters are
/// followed by a capital.
pub fn split_words(name: &str) -> Vec<String> {
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

/// The tags that phrases of these words stand for; at each place the longest phrase counts.
pub fn tags_in(words: &[String]) -> Vec<&'static str> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        if let Some((tag, length)) = longest_phrase_at(rest) {
            found.push(tag);
            at += length;
        } else {
            at += 1;
        }
    }
    found
}

/// The tag that the longest phrase at the beginning stands for, and its number of words.
fn longest_phrase_at(words: &[String]) -> Option<(&'static str, usize)> {
    (1..=MAX_PHRASE_WORDS.min(words.len())).rev().find_map(|length| {
        let row = words.get(..length)?.join(" ");
        let plain = row.trim_end_matches(|c: char| c.is_ascii_digit());
        let singular = plain.strip_suffix('s').unwrap_or(plain);
        let tag = [row.as_str(), plain, singular].iter().find_map(|row| VOCABULARY.phrases.get(*row))?;
        Some((*tag, length))
    })
}

/// The tags that a text stands for, when every word of it belongs to one.
pub fn tags_meant_by(text: &str) -> Option<Vec<&'static str>> {
    let words = split_words(text);
    // `kick02` names a file, not its kind.
    let numbered =
        |word: &String| word.ends_with(|c: char| c.is_ascii_digit()) && !VOCABULARY.phrases.contains_key(word);
    if words.is_empty() || words.iter().any(numbered) {
        return None;
    }
    let mut tags = Vec::new();
    let mut rest = words.as_slice();
    while !rest.is_empty() {
        let (tag, length) = longest_phrase_at(rest)?;
        tags.push(tag);
        rest = rest.get(length..)?;
    }
    Some(tags)
}

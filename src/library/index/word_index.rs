//! The distinct words of an index, and the records that have them. A query looks at each word once, however many files
//! have it, and compares only those letter by letter that can be close at all.

use super::row_set::{Row, RowLists, row_at};
use super::search_texts::{PackedStrings, SearchTexts};
use crate::library::fuzzy::{self, nearness};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct WordIndex {
    words: PackedStrings,
    shapes: Vec<WordShape>,
    in_names: RowLists,
    in_contexts: RowLists,
}

/// What rules most words out without comparing letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WordShape {
    /// Which letters the word has; some letters share a bit.
    letters: u64,
    chars: usize,
}

impl WordShape {
    fn of(word: &str) -> WordShape {
        let bit = |c: char| match c {
            'a'..='z' => c as u32 - 'a' as u32,
            '0'..='9' => 26 + (c as u32 - '0' as u32),
            _ => 36 + c as u32 % 28,
        };
        WordShape { letters: word.chars().fold(0, |letters, c| letters | 1 << bit(c)), chars: word.chars().count() }
    }

    /// False only where [`nearness`] of the wanted word (`self`) is 0.
    fn may_be_near(self, is_number: bool, word: WordShape) -> bool {
        if is_number {
            return self == word;
        }
        let lacking = (self.letters & !word.letters).count_ones() as usize;
        // Part of the word, or short for it: the word has all its letters.
        if lacking == 0 && word.chars >= self.chars {
            return true;
        }
        // Each letter that only one of them has takes a change.
        let most = fuzzy::max_edits(self.chars);
        lacking <= most
            && (word.letters & !self.letters).count_ones() as usize <= most
            && self.chars.abs_diff(word.chars) <= most
    }
}

impl WordIndex {
    pub fn new(texts: &SearchTexts) -> WordIndex {
        let mut dictionary = WordIndex::default();
        let mut known = HashMap::new();
        let in_names = dictionary.add_words(&mut known, &texts.names);
        let in_contexts = dictionary.add_words(&mut known, &texts.contexts);
        dictionary.in_names = RowLists::new(dictionary.words.len(), &in_names);
        dictionary.in_contexts = RowLists::new(dictionary.words.len(), &in_contexts);
        dictionary
    }

    /// Adds the words of some texts; gives pairs of word and text.
    fn add_words<'a>(&mut self, known: &mut HashMap<&'a str, u32>, texts: &'a PackedStrings) -> Vec<(u32, Row)> {
        let mut places = Vec::new();
        for at in 0..row_at(texts.len()) {
            for word in fuzzy::words(texts.get(at)) {
                let key = *known.entry(word).or_insert_with(|| {
                    self.words.push(word);
                    self.shapes.push(WordShape::of(word));
                    row_at(self.shapes.len().saturating_sub(1))
                });
                places.push((key, at));
            }
        }
        places
    }

    /// Records that have something close to every word of the query, in order, with their closeness (0 to 1).
    pub fn rows_near(&self, texts: &SearchTexts, query: &str) -> Vec<(Row, f32)> {
        let mut sums: Vec<Option<f32>> = vec![Some(0.0); texts.names.len()];
        let mut wanted = 0_usize;
        for word in fuzzy::words(query) {
            wanted += 1;
            let near = self.words_near(word);
            if near.is_empty() {
                return Vec::new();
            }
            let mut named = vec![0.0_f32; texts.names.len()];
            let mut around = vec![0.0_f32; texts.contexts.len()];
            for (lists, best) in [(&self.in_names, &mut named), (&self.in_contexts, &mut around)] {
                for (key, near) in &near {
                    for at in lists.rows_of(*key) {
                        if let Some(best) = best.get_mut(*at as usize) {
                            *best = best.max(*near);
                        }
                    }
                }
            }
            for ((sum, named), context) in sums.iter_mut().zip(&named).zip(&texts.context_of) {
                let best = around.get(*context as usize).copied().unwrap_or(0.0).max(*named);
                *sum = sum.filter(|_| best > 0.0).map(|sum| sum + best);
            }
        }
        if wanted == 0 {
            return Vec::new();
        }
        let sums = sums.into_iter().zip(0..);
        sums.filter_map(|(sum, row)| Some((row, sum? / wanted as f32))).collect()
    }

    fn words_near(&self, wanted: &str) -> Vec<(u32, f32)> {
        let (shape, is_number) = (WordShape::of(wanted), fuzzy::is_number(wanted));
        let possible = self.shapes.iter().zip(0..).filter(|(word, _)| shape.may_be_near(is_number, **word));
        let near = possible.map(|(_, key)| (key, nearness(wanted, self.words.get(key))));
        near.filter(|(_, near)| *near > 0.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn no_word_that_is_near_is_ruled_out(wanted in "[abc1ü]{1,9}", word in "[abc1ü]{1,10}", swap in 0_usize..9) {
            // One like it too: words of chance are seldom near each other.
            let mut like: Vec<char> = wanted.chars().collect();
            let last = like.len() - 1;
            like.swap(swap.min(last), (swap + 1).min(last));
            for word in [word, like.into_iter().collect(), format!("{wanted}1"), wanted.chars().take(1).collect()] {
                let may = WordShape::of(&wanted).may_be_near(fuzzy::is_number(&wanted), WordShape::of(&word));
                prop_assert!(may || nearness(&wanted, &word) == 0.0, "{} {}", wanted, word);
            }
        }
    }
}

//! The distinct words of an index, and where they stand. A query looks at each word once, however many files have it, and
//! only those that can come near at all are compared letter by letter.

use super::fuzzy::{self, nearness};
use super::rows::{Lists, Row, row};
use super::texts::{Corpus, Texts};
use std::collections::HashMap;

#[derive(Debug, Default)]
pub struct Dictionary {
    words: Corpus,
    shapes: Vec<Shape>,
    in_names: Lists,
    in_contexts: Lists,
}

/// What rules most words out at a glance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    /// Which letters it has, a bit for each or for several.
    letters: u64,
    chars: usize,
}

impl Shape {
    fn of(word: &str) -> Shape {
        let bit = |c: char| match c {
            'a'..='z' => c as u32 - 'a' as u32,
            '0'..='9' => 26 + (c as u32 - '0' as u32),
            _ => 36 + c as u32 % 28,
        };
        Shape { letters: word.chars().fold(0, |letters, c| letters | 1 << bit(c)), chars: word.chars().count() }
    }

    /// False only where [`nearness`] of the wanted word (`self`) is 0.
    fn may_be_near(self, is_number: bool, word: Shape) -> bool {
        if is_number {
            return self == word;
        }
        let lacking = (self.letters & !word.letters).count_ones() as usize;
        // Within the word, or short for it: it has all the letters.
        if lacking == 0 && word.chars >= self.chars {
            return true;
        }
        // Each letter that only one of them has is one to change.
        let most = fuzzy::most_wrong(self.chars);
        lacking <= most
            && (word.letters & !self.letters).count_ones() as usize <= most
            && self.chars.abs_diff(word.chars) <= most
    }
}

impl Dictionary {
    pub fn new(texts: &Texts) -> Dictionary {
        let mut dictionary = Dictionary::default();
        let mut known = HashMap::new();
        let in_names = dictionary.learn(&mut known, &texts.names);
        let in_contexts = dictionary.learn(&mut known, &texts.contexts);
        dictionary.in_names = Lists::new(dictionary.words.len(), &in_names);
        dictionary.in_contexts = Lists::new(dictionary.words.len(), &in_contexts);
        dictionary
    }

    /// Takes up the words of some texts; gives which word stands in which text.
    fn learn<'a>(&mut self, known: &mut HashMap<&'a str, u32>, texts: &'a Corpus) -> Vec<(u32, Row)> {
        let mut places = Vec::new();
        for at in 0..row(texts.len()) {
            for word in fuzzy::split(texts.get(at)) {
                let key = *known.entry(word).or_insert_with(|| {
                    self.words.push(word);
                    self.shapes.push(Shape::of(word));
                    row(self.shapes.len().saturating_sub(1))
                });
                places.push((key, at));
            }
        }
        places
    }

    /// Records that have something near every word of the query, in order, with how near they come (0 to 1).
    pub fn near(&self, texts: &Texts, query: &str) -> Vec<(Row, f32)> {
        let mut sums: Vec<Option<f32>> = vec![Some(0.0); texts.names.len()];
        let mut wanted = 0_usize;
        for word in fuzzy::split(query) {
            wanted += 1;
            let near = self.words_near(word);
            if near.is_empty() {
                return Vec::new();
            }
            let mut named = vec![0.0_f32; texts.names.len()];
            let mut around = vec![0.0_f32; texts.contexts.len()];
            for (lists, best) in [(&self.in_names, &mut named), (&self.in_contexts, &mut around)] {
                for (key, near) in &near {
                    for at in lists.of(*key) {
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
        let (shape, is_number) = (Shape::of(wanted), fuzzy::is_number(wanted));
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
                let may = Shape::of(&wanted).may_be_near(fuzzy::is_number(&wanted), Shape::of(&word));
                prop_assert!(may || nearness(&wanted, &word) == 0.0, "{} {}", wanted, word);
            }
        }
    }
}

//! Which records a filter holds: by the letter and by meaning, then by words, then by nearness.

use super::{Filter, LETTERS, MEANING, Match};
use crate::library::index::Index;
use crate::library::record::fold;
use crate::library::rows::{Row, Rows};
use crate::library::words;

/// What the filter holds, in the index's order, with how near each comes.
pub fn find(index: &Index, filter: &Filter) -> (Vec<(Row, f32)>, Match) {
    let query = fold(filter.query.trim());
    let rest = rest(index, filter);
    let pieces: Vec<&str> = query.split('*').filter(|piece| !piece.is_empty()).collect();
    if pieces.is_empty() {
        return (listed(&rest, |_| LETTERS), Match::Name);
    }
    let is_pattern = query.contains('*');
    let meant = words::meant(&query).filter(|_| !is_pattern).unwrap_or_default();
    let mut named = index.texts.with_name(&pieces);
    named.keep(&rest);
    if !named.is_empty() || is_pattern {
        return (together(&named, index.tags.meaning(&meant, true), &rest), Match::Name);
    }
    let mut worded = rest.clone();
    index.texts.keep_with_words(&mut worded, query.split_whitespace());
    let by_words = together(&worded, index.tags.meaning(&meant, false), &rest);
    if !by_words.is_empty() {
        return (by_words, Match::Words);
    }
    let mut near = index.dictionary.near(&index.texts, &query);
    near.retain(|(row, _)| rest.has(*row));
    (near, Match::Near)
}

/// What is there by the letter, and what else of `rest` has the meaning.
fn together(by_letter: &Rows, mut meaning: Rows, rest: &Rows) -> Vec<(Row, f32)> {
    meaning.keep(rest);
    let mut both = by_letter.clone();
    both.join(&meaning);
    listed(&both, |row| if by_letter.has(row) { LETTERS } else { MEANING })
}

fn listed(rows: &Rows, near: impl Fn(Row) -> f32) -> Vec<(Row, f32)> {
    let mut list = Vec::with_capacity(rows.count());
    list.extend(rows.iter().map(|row| (row, near(row))));
    list
}

/// What a filter holds beside its query.
fn rest(index: &Index, filter: &Filter) -> Rows {
    let mut rows = index.facts.fitting(filter);
    for tag in &filter.tags {
        // Other words for a tag stand for it.
        let tag = match words::meant(tag.trim()).as_deref() {
            Some([tag]) => tag.to_lowercase(),
            _ => tag.trim().to_lowercase(),
        };
        rows.keep(&index.tags.with(&tag));
    }
    rows
}

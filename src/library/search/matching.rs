//! Which records match a filter: first by their names, then by their words, then by similar words. Synonyms (other
//! words for the same tags) match after the words themselves.

use crate::library::filter::Filter;
use crate::library::index::Index;
use crate::library::index::row_set::{Row, RowSet};
use crate::library::names::vocabulary;
use crate::library::record::fold_for_search;

/// The closeness of a record that has the text itself.
pub const LITERAL_CLOSENESS: f32 = 1.0;
/// The closeness of a record that has other words for the same tags.
pub const SYNONYM_CLOSENESS: f32 = 0.5;

/// How a query was matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchKind {
    /// The name holds the text.
    Name,
    /// Name, folder and tags together hold its words, or the tags that they stand for: no name holds the text.
    Words,
    /// Only similar words are there.
    Nearest,
}

/// The rows that match a filter, in the index's order, each with its closeness (0 to 1).
pub fn find_matches(index: &Index, filter: &Filter) -> (Vec<(Row, f32)>, MatchKind) {
    let query = fold_for_search(filter.query.trim());
    let rest = rows_matching_filters(index, filter);
    let pieces: Vec<&str> = query.split('*').filter(|piece| !piece.is_empty()).collect();
    if pieces.is_empty() {
        return (with_closeness(&rest, |_| LITERAL_CLOSENESS), MatchKind::Name);
    }
    let is_pattern = query.contains('*');
    let meant = vocabulary::tags_meant_by(&query).filter(|_| !is_pattern).unwrap_or_default();
    let mut named = index.search_texts.rows_with_name(&pieces);
    named.intersect_with(&rest);
    if !named.is_empty() || is_pattern {
        return (literal_and_synonyms(&named, index.tags.rows_with_all(&meant, true), &rest), MatchKind::Name);
    }
    let mut worded = rest.clone();
    index.search_texts.keep_with_words(&mut worded, query.split_whitespace());
    let by_words = literal_and_synonyms(&worded, index.tags.rows_with_all(&meant, false), &rest);
    if !by_words.is_empty() {
        return (by_words, MatchKind::Words);
    }
    let mut near = index.word_index.rows_near(&index.search_texts, &query);
    near.retain(|(row, _)| rest.contains(*row));
    (near, MatchKind::Nearest)
}

/// The literal matches, and what else of `rest` has synonyms.
fn literal_and_synonyms(by_letter: &RowSet, mut meaning: RowSet, rest: &RowSet) -> Vec<(Row, f32)> {
    meaning.intersect_with(rest);
    let mut both = by_letter.clone();
    both.union_with(&meaning);
    with_closeness(&both, |row| if by_letter.contains(row) { LITERAL_CLOSENESS } else { SYNONYM_CLOSENESS })
}

fn with_closeness(rows: &RowSet, near: impl Fn(Row) -> f32) -> Vec<(Row, f32)> {
    let mut list = Vec::with_capacity(rows.count());
    list.extend(rows.iter().map(|row| (row, near(row))));
    list
}

/// The rows that fit everything in a filter but its query.
fn rows_matching_filters(index: &Index, filter: &Filter) -> RowSet {
    let mut rows = index.columns.rows_matching(filter);
    for tag in &filter.tags {
        // Other words for a tag stand for it.
        let tag = match vocabulary::tags_meant_by(tag.trim()).as_deref() {
            Some([tag]) => tag.to_lowercase(),
            _ => tag.trim().to_lowercase(),
        };
        rows.intersect_with(&index.tags.rows_with_tag(&tag));
    }
    rows
}

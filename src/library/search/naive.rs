//! Searches the slow way, by asking each record everything: what the index's structures are tested against.

use super::matching::SYNONYM_CLOSENESS;
use super::*;
use crate::library::fuzzy;
use crate::library::kind::ContentKind;
use crate::library::names::vocabulary;
use crate::library::record::fold_for_search;
use std::cmp::Reverse;
use std::collections::HashMap;

/// As [`Searcher`].
pub struct NaiveSearcher<'a> {
    pub index: &'a Index,
    pub use_counts: &'a UseCounts,
}

impl NaiveSearcher<'_> {
    /// The first `limit` results in the order asked for, the sample folder's always before others.
    pub fn search(&self, filter: &Filter, sort: Option<SortOrder>, limit: usize) -> SearchResults {
        let (mut found, how) = self.find(filter);
        let total = found.len();
        let uses = |record: &Record| self.use_count_of(record);
        match sort.unwrap_or_default() {
            // The nearest first, unless another order is asked for.
            _ if how == MatchKind::Nearest && sort.is_none() => {
                found.sort_by(|(a, near), (b, nearer)| a.source.cmp(&b.source).then_with(|| nearer.total_cmp(near)));
            }
            // What has the words themselves before what has others for them, unless another order is asked for.
            _ if sort.is_none() && found.iter().any(|(_, near)| *near < LITERAL_CLOSENESS) => found
                .sort_by_cached_key(|(record, near)| (record.source, *near < LITERAL_CLOSENESS, Reverse(uses(record)))),
            SortOrder::UseCount if self.use_counts.is_empty() => {}
            SortOrder::UseCount => found.sort_by_cached_key(|(record, _)| (record.source, Reverse(uses(record)))),
            SortOrder::ModDate => found.sort_by_key(|(record, _)| (record.source, Reverse(record.stamp.modified_ns))),
            SortOrder::Name => {}
        }
        let items = found.into_iter().take(limit);
        let items = items.map(|(record, _)| Hit { record: record.clone(), use_count: uses(record) }).collect();
        SearchResults { items, total, match_kind: how }
    }

    fn use_count_of(&self, record: &Record) -> u64 {
        self.use_counts.count_of(record.path_hash, &record.path)
    }

    /// What the filter holds, in the index's order, with how near each comes.
    fn find(&self, filter: &Filter) -> (Vec<(&Arc<Record>, f32)>, MatchKind) {
        let query = fold_for_search(filter.query.trim());
        let rest = FilterCheck::of(filter);
        let records = self.index.records();
        let meant =
            Some(&query).filter(|query| !query.contains('*')).and_then(|query| vocabulary::tags_meant_by(query));
        let meant = meant.unwrap_or_default();
        let means = |own: &[String]| !meant.is_empty() && meant.iter().all(|meant| own.iter().any(|tag| tag == meant));
        // By the letter first, then by meaning.
        let fitting = |letters: &dyn Fn(&Record) -> bool, meaning: &dyn Fn(&Record) -> bool| {
            let near =
                |r: &Record| if letters(r) { Some(LITERAL_CLOSENESS) } else { meaning(r).then_some(SYNONYM_CLOSENESS) };
            let near = records.iter().filter_map(|r| Some((r, near(r).filter(|_| rest.holds(r))?)));
            near.collect::<Vec<(&Arc<Record>, f32)>>()
        };
        let by_letter = |found: &[(&Arc<Record>, f32)]| found.iter().any(|(_, near)| *near == LITERAL_CLOSENESS);
        let pieces: Vec<&str> = query.split('*').filter(|p| !p.is_empty()).collect();
        let by_name = fitting(
            &|record| {
                let mut name = record.folded_name();
                pieces.iter().all(|piece| name.split_once(piece).map(|(_, after)| name = after).is_some())
            },
            &|record| means(record.own_tags()),
        );
        if by_letter(&by_name) || query.is_empty() || query.contains('*') {
            return (by_name, MatchKind::Name);
        }
        let words: Vec<&str> = query.split_whitespace().collect();
        let by_words =
            fitting(&|record| words.iter().all(|word| record.folded.contains(word)), &|record| means(&record.tags));
        if !by_words.is_empty() {
            return (by_words, MatchKind::Words);
        }
        let near = records.iter().filter_map(|record| Some((record, near(&query, &record.folded)?)));
        (near.filter(|(record, _)| rest.holds(record)).collect(), MatchKind::Nearest)
    }

    /// Tags with how many files carry them, the most frequent first.
    pub fn tag_counts(&self) -> Vec<(String, usize)> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for tag in self.files().flat_map(|record| &record.tags) {
            let count = counts.entry(tag).or_default();
            *count = count.saturating_add(1);
        }
        let mut tags: Vec<(String, usize)> = counts.into_iter().map(|(tag, count)| (tag.to_owned(), count)).collect();
        tags.sort_by(|(a, more), (b, most)| most.cmp(more).then_with(|| a.cmp(b)));
        tags
    }

    /// What can be used: no folders, nothing broken.
    fn files(&self) -> impl Iterator<Item = &Arc<Record>> {
        self.index.records().iter().filter(|record| !record.is_unreadable() && record.kind != ContentKind::Folder)
    }

    /// Categories of tags with how many files carry one of them; those without a file are left out.
    pub fn category_counts(&self) -> Vec<(&'static str, usize)> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for record in self.files() {
            let mut own: Vec<&str> = record.tags.iter().map(|tag| vocabulary::tag_category(tag)).collect();
            own.sort_unstable();
            own.dedup();
            for category in own {
                let count = counts.entry(category).or_default();
                *count = count.saturating_add(1);
            }
        }
        vocabulary::tag_categories().filter_map(|name| Some((name, *counts.get(name)?))).collect()
    }

    /// What sounds most like `print`, with how much: -1 to 1. The file itself, if it is in the index, is left out.
    pub fn similar(
        &self,
        fingerprint: &Fingerprint,
        except: &std::path::Path,
        filter: &Filter,
        limit: usize,
    ) -> Vec<(Hit, f32)> {
        let (found, _) = self.find(filter);
        let mut near: Vec<(&Arc<Record>, f32)> = found
            .into_iter()
            .filter(|(record, _)| record.path != except)
            .filter_map(|(record, _)| Some((record, fingerprint.similarity(record.sound()?.fingerprint.as_ref()?))))
            .collect();
        near.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        near.truncate(limit);
        near.into_iter()
            .map(|(record, near)| (Hit { record: record.clone(), use_count: self.use_count_of(record) }, near))
            .collect()
    }

    /// Files with the same sound, the largest group first; how many groups there are in all.
    pub fn duplicates(&self, filter: &Filter, limit: usize) -> (Vec<Vec<Hit>>, usize) {
        let (found, _) = self.find(filter);
        let mut groups: HashMap<(u128, u64), Vec<&Arc<Record>>> = HashMap::new();
        for (record, _) in found {
            if let Some(sound) = record.sound() {
                groups.entry((sound.sample_hash, sound.frames)).or_default().push(record);
            }
        }
        let mut groups: Vec<Vec<&Arc<Record>>> = groups.into_values().filter(|group| group.len() >= 2).collect();
        let total = groups.len();
        let first = |group: &[&Arc<Record>]| group.first().map(|record| record.path.clone());
        groups.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| first(a).cmp(&first(b))));
        let hit = |record: &Arc<Record>| Hit { record: record.clone(), use_count: self.use_count_of(record) };
        (groups.into_iter().take(limit).map(|group| group.into_iter().map(hit).collect()).collect(), total)
    }
}

/// How near a text comes to all the words of a query.
fn near(query: &str, text: &str) -> Option<f32> {
    let wanted: Vec<&str> = fuzzy::words(query).collect();
    let best = |wanted| fuzzy::words(text).map(|word| fuzzy::nearness(wanted, word)).fold(0.0, f32::max);
    let sum = wanted.iter().map(|wanted| Some(best(wanted)).filter(|best| *best > 0.0)).sum::<Option<f32>>()?;
    (!wanted.is_empty()).then(|| sum / wanted.len() as f32)
}

/// A filter's rest beside the query.
struct FilterCheck<'a> {
    filter: &'a Filter,
    tags: Vec<String>,
}

impl FilterCheck<'_> {
    fn of(filter: &Filter) -> FilterCheck<'_> {
        let meant = |tag: &str| match vocabulary::tags_meant_by(tag).as_deref() {
            Some([tag]) => tag.to_lowercase(),
            _ => tag.to_lowercase(),
        };
        FilterCheck { filter, tags: filter.tags.iter().map(|tag| meant(tag.trim())).collect() }
    }

    fn holds(&self, record: &Record) -> bool {
        let Filter { kind, sample_type: playback, source, in_folder, .. } = self.filter;
        record.kind == *kind
            && !record.is_unreadable()
            && source.is_none_or(|source| source == record.source)
            && playback.is_none_or(|playback| record.sample_type == Some(playback))
            && in_folder.as_ref().is_none_or(|folder| record.path.parent() == Some(folder))
            && self.tags.iter().all(|wanted| record.tags.iter().any(|tag| tag.to_lowercase() == *wanted))
    }
}

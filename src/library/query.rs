//! Questions to an index: searches, counts of tags, what sounds alike, what sounds the same. Pure functions of one state of
//! the index and the counts of use.

use super::index::Index;
use super::kind::{Kind, Playback, Source};
use super::record::{Record, fold};
use super::spectrum::Print;
use super::store;
use super::words;
use memchr::memmem::Finder;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What is searched for. Everything that is set must hold.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Part of a name; `*` stands for anything. Names with other words for the same tags fit too, after those.
    pub query: String,
    /// All of them, in any case; other words for a tag stand for it.
    pub tags: Vec<String>,
    pub kind: Kind,
    pub playback: Option<Playback>,
    pub source: Option<Source>,
    /// Only what lies right in this folder.
    pub in_folder: Option<PathBuf>,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            query: String::new(),
            tags: Vec::new(),
            kind: Kind::Audio,
            playback: None,
            source: None,
            in_folder: None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// Most used first, then by name.
    #[default]
    UseCount,
    /// Newest first.
    ModDate,
    Name,
}

/// How near a record comes that has what is asked for by the letter, or by other words for the same tags.
const LETTERS: f32 = 1.0;
const MEANING: f32 = 0.5;

/// One result.
#[derive(Clone, Debug)]
pub struct Hit {
    pub record: Arc<Record>,
    pub uses: u64,
}

/// How a query was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The name holds the text.
    Name,
    /// Name, folder and tags together hold its words, or the tags that they stand for: no name holds the text.
    Words,
    /// The nearest there is: not even the words are there.
    Near,
}

#[derive(Clone, Debug)]
pub struct Hits {
    pub items: Vec<Hit>,
    /// How many there are, of which `items` are the first.
    pub total: usize,
    pub how: Match,
}

/// How often each file was used, by [`store::key`].
pub type Uses = HashMap<Box<[u8]>, u64>;

/// A question to one state of the index.
pub struct Query<'a> {
    pub index: &'a Index,
    pub uses: &'a Uses,
}

impl Query<'_> {
    /// The first `limit` results in the order asked for, the sample folder's always before others.
    pub fn search(&self, filter: &Filter, sort: Option<Sort>, limit: usize) -> Hits {
        let (mut found, how) = self.find(filter);
        let total = found.len();
        let uses = |record: &Record| self.uses_of(record);
        match sort.unwrap_or_default() {
            // The nearest first, unless another order is asked for.
            _ if how == Match::Near && sort.is_none() => {
                found.sort_by(|(a, near), (b, nearer)| a.source.cmp(&b.source).then_with(|| nearer.total_cmp(near)));
            }
            // What has the words themselves before what has others for them, unless another order is asked for.
            _ if sort.is_none() && found.iter().any(|(_, near)| *near < LETTERS) => {
                found.sort_by_cached_key(|(record, near)| (record.source, *near < LETTERS, Reverse(uses(record))))
            }
            Sort::UseCount if self.uses.is_empty() => {}
            Sort::UseCount => found.sort_by_cached_key(|(record, _)| (record.source, Reverse(uses(record)))),
            Sort::ModDate => found.sort_by_key(|(record, _)| (record.source, Reverse(record.stamp.modified_ns))),
            Sort::Name => {}
        }
        let items = found.into_iter().take(limit);
        let items = items.map(|(record, _)| Hit { record: record.clone(), uses: uses(record) }).collect();
        Hits { items, total, how }
    }

    fn uses_of(&self, record: &Record) -> u64 {
        // No allocation: a map of boxed bytes is asked with bytes.
        self.uses.get(record.path.as_os_str().as_encoded_bytes()).copied().unwrap_or(0)
    }

    /// What the filter holds, in the index's order, with how near each comes.
    fn find(&self, filter: &Filter) -> (Vec<(&Arc<Record>, f32)>, Match) {
        let query = fold(filter.query.trim());
        let rest = Rest::of(filter);
        let records = self.index.records();
        let meant = Some(&query).filter(|query| !query.contains('*')).and_then(|query| words::meant(query));
        let meant = meant.unwrap_or_default();
        let means = |own: &[String]| !meant.is_empty() && meant.iter().all(|meant| own.iter().any(|tag| tag == meant));
        // By the letter first, then by meaning.
        let fitting = |letters: &dyn Fn(&Record) -> bool, meaning: &dyn Fn(&Record) -> bool| {
            let near = |r: &Record| if letters(r) { Some(LETTERS) } else { meaning(r).then_some(MEANING) };
            let near = records.iter().filter_map(|r| Some((r, near(r).filter(|_| rest.holds(r))?)));
            near.collect::<Vec<(&Arc<Record>, f32)>>()
        };
        let by_letter = |found: &[(&Arc<Record>, f32)]| found.iter().any(|(_, near)| *near == LETTERS);
        let pieces: Vec<Finder> = query.split('*').filter(|p| !p.is_empty()).map(Finder::new).collect();
        let by_name = fitting(
            &|record| {
                let mut name = record.folded_name().as_bytes();
                pieces.iter().all(|piece| {
                    let after = piece.find(name).and_then(|at| name.get(at.saturating_add(piece.needle().len())..));
                    after.map(|after| name = after).is_some()
                })
            },
            &|record| means(record.own_tags()),
        );
        if by_letter(&by_name) || query.is_empty() || query.contains('*') {
            return (by_name, Match::Name);
        }
        let words: Vec<Finder> = query.split_whitespace().map(Finder::new).collect();
        let by_words =
            fitting(&|record| words.iter().all(|word| word.find(record.folded.as_bytes()).is_some()), &|record| {
                means(&record.tags)
            });
        if !by_words.is_empty() {
            return (by_words, Match::Words);
        }
        let near = self.index.dictionary().near(&query).into_iter();
        let near = near.filter_map(|(at, near)| Some((records.get(at)?, near)));
        (near.filter(|(record, _)| rest.holds(record)).collect(), Match::Near)
    }

    /// Tags with how many files carry them, the most frequent first.
    pub fn tags(&self) -> Vec<(String, usize)> {
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
        self.index.records().iter().filter(|record| !record.is_broken() && record.kind != Kind::Folder)
    }

    /// Categories of tags with how many files carry one of them; those without a file are left out.
    pub fn categories(&self) -> Vec<(&'static str, usize)> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for record in self.files() {
            let mut own: Vec<&str> = record.tags.iter().map(|tag| words::category(tag)).collect();
            own.sort_unstable();
            own.dedup();
            for category in own {
                let count = counts.entry(category).or_default();
                *count = count.saturating_add(1);
            }
        }
        words::categories().filter_map(|name| Some((name, *counts.get(name)?))).collect()
    }

    /// What sounds most like `print`, with how much: -1 to 1. The file itself, if it is in the index, is left out.
    pub fn similar(&self, print: &Print, but: &std::path::Path, filter: &Filter, limit: usize) -> Vec<(Hit, f32)> {
        let (found, _) = self.find(filter);
        let mut near: Vec<(&Arc<Record>, f32)> = found
            .into_iter()
            .filter(|(record, _)| record.path != but)
            .filter_map(|(record, _)| Some((record, print.similarity(record.sound()?.print.as_ref()?))))
            .collect();
        let most_alike = |(_, a): &(&Arc<Record>, f32), (_, b): &(&Arc<Record>, f32)| b.total_cmp(a);
        if near.len() > limit && limit > 0 {
            near.select_nth_unstable_by(limit.saturating_sub(1), most_alike);
        }
        near.truncate(limit);
        near.sort_by(most_alike);
        near.into_iter()
            .map(|(record, near)| (Hit { record: record.clone(), uses: self.uses_of(record) }, near))
            .collect()
    }

    /// Files with the same sound, the largest group first; how many groups there are in all.
    pub fn duplicates(&self, filter: &Filter, limit: usize) -> (Vec<Vec<Hit>>, usize) {
        let (found, _) = self.find(filter);
        let mut groups: HashMap<(u128, u64), Vec<&Arc<Record>>> = HashMap::new();
        for (record, _) in found {
            if let Some(sound) = record.sound() {
                groups.entry((sound.hash, sound.frames)).or_default().push(record);
            }
        }
        let mut groups: Vec<Vec<&Arc<Record>>> = groups.into_values().filter(|group| group.len() >= 2).collect();
        let total = groups.len();
        let first = |group: &[&Arc<Record>]| group.first().map(|record| record.path.clone());
        groups.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| first(a).cmp(&first(b))));
        let hit = |record: &Arc<Record>| Hit { record: record.clone(), uses: self.uses_of(record) };
        (groups.into_iter().take(limit).map(|group| group.into_iter().map(hit).collect()).collect(), total)
    }

    /// The file at that path, if the index has it.
    pub fn record(&self, path: &std::path::Path) -> Option<&Arc<Record>> {
        self.index.records().iter().find(|record| record.path == path)
    }
}

/// A filter's rest beside the query.
struct Rest<'a> {
    filter: &'a Filter,
    tags: Vec<String>,
}

impl Rest<'_> {
    fn of(filter: &Filter) -> Rest<'_> {
        let meant = |tag: &str| match words::meant(tag).as_deref() {
            Some([tag]) => tag.to_lowercase(),
            _ => tag.to_lowercase(),
        };
        Rest { filter, tags: filter.tags.iter().map(|tag| meant(tag.trim())).collect() }
    }

    fn holds(&self, record: &Record) -> bool {
        let Filter { kind, playback, source, in_folder, .. } = self.filter;
        record.kind == *kind
            && !record.is_broken()
            && source.is_none_or(|source| source == record.source)
            && playback.is_none_or(|playback| record.playback == Some(playback))
            && in_folder.as_ref().is_none_or(|folder| record.path.parent() == Some(folder))
            && self.tags.iter().all(|wanted| record.tags.iter().any(|tag| tag.to_lowercase() == *wanted))
    }
}

/// Adds to the counts.
pub fn add_use(uses: &mut Uses, path: &std::path::Path) {
    let count = uses.entry(store::key(path)).or_default();
    *count = count.saturating_add(1);
}

#[cfg(test)]
mod tests {
    use super::super::index::order;
    use super::super::record::{Heard, Place, Stamp};
    use super::*;
    use std::path::Path;

    fn index(paths: &[(&str, Source)]) -> Index {
        let mut records: Vec<Arc<Record>> = paths
            .iter()
            .enumerate()
            .map(|(at, (path, source))| {
                let path = Path::new(path);
                let root = if *source == Source::SampleFolder { "/smp" } else { "/other" };
                let place = Place { root: Path::new(root), source: *source, path };
                let heard = if path.ends_with("broken.wav") { Heard::Broken } else { Heard::NotYet };
                let stamp = Stamp { bytes: 1, modified_ns: at as u64 };
                Arc::new(Record::new(&place, Kind::of_file(path).unwrap(), stamp, heard))
            })
            .collect();
        records.sort_by(|a, b| order(a, b));
        Index::new(records)
    }

    fn library() -> Index {
        use Source::{SampleFolder, User};
        index(&[
            ("/smp/Drums/Kick 02.wav", SampleFolder),
            ("/smp/Drums/Kick_01.wav", SampleFolder),
            ("/smp/Drums/Snare 909 Loop.wav", SampleFolder),
            ("/smp/Bass/Reese 140bpm.wav", SampleFolder),
            ("/smp/Bass/broken.wav", SampleFolder),
            ("/smp/groove.mid", SampleFolder),
            ("/other/A Kick.wav", User),
        ])
    }

    fn names(hits: &Hits) -> Vec<&str> {
        hits.items.iter().map(|hit| hit.record.name.as_str()).collect()
    }

    fn asked(query: &str) -> Filter {
        Filter { query: query.to_owned(), ..Filter::default() }
    }

    #[test]
    fn queries_find_by_name_words_and_nearness() {
        let (index, uses) = (library(), Uses::new());
        let ask = Query { index: &index, uses: &uses };
        for (query, how, found) in [
            ("kick", Match::Name, &["Kick_01.wav", "Kick 02.wav", "A Kick.wav"][..]),
            ("KICK-0", Match::Name, &["Kick_01.wav", "Kick 02.wav"]),
            ("k*02", Match::Name, &["Kick 02.wav"]),
            ("02*k", Match::Name, &[]),
            ("*", Match::Name, &["Kick_01.wav", "Kick 02.wav", "Reese 140bpm.wav", "Snare 909 Loop.wav", "A Kick.wav"]),
            ("drums 909", Match::Words, &["Snare 909 Loop.wav"]),
            ("140 BPM", Match::Words, &["Reese 140bpm.wav"]),
            ("kikc 02", Match::Near, &["Kick 02.wav"]),
            ("xylophone", Match::Near, &[]),
            ("broken", Match::Near, &[]),
        ] {
            let hits = ask.search(&asked(query), None, 50);
            assert_eq!((names(&hits), hits.how), (found.to_vec(), how), "{query}");
        }
    }

    #[test]
    fn filters_are_all_held() {
        let (index, uses) = (library(), Uses::new());
        let ask = Query { index: &index, uses: &uses };
        let all = Filter::default;
        for (filter, found) in [
            (Filter { kind: Kind::Midi, ..all() }, &["groove.mid"][..]),
            (Filter { source: Some(Source::User), ..all() }, &["A Kick.wav"]),
            (Filter { tags: vec!["snare".into(), " LOOP".into()], ..all() }, &["Snare 909 Loop.wav"]),
            (Filter { tags: vec!["Snare".into(), "Kick".into()], ..all() }, &[]),
            (Filter { playback: Some(Playback::Loop), ..all() }, &["Snare 909 Loop.wav"]),
            (Filter { in_folder: Some("/smp/Bass".into()), ..all() }, &["Reese 140bpm.wav"]),
            (Filter { in_folder: Some("/smp".into()), ..all() }, &[]),
        ] {
            assert_eq!(names(&ask.search(&filter, None, 50)), found, "{filter:?}");
        }
    }

    #[test]
    fn orders_and_limits() {
        let (index, mut uses) = (library(), Uses::new());
        add_use(&mut uses, Path::new("/smp/Drums/Kick 02.wav"));
        add_use(&mut uses, Path::new("/other/A Kick.wav"));
        add_use(&mut uses, Path::new("/other/A Kick.wav"));
        let ask = Query { index: &index, uses: &uses };
        let found = |sort, limit| ask.search(&asked("kick"), sort, limit);
        assert_eq!(names(&found(None, 50)), ["Kick 02.wav", "Kick_01.wav", "A Kick.wav"]);
        assert_eq!(names(&found(Some(Sort::Name), 50)), ["Kick_01.wav", "Kick 02.wav", "A Kick.wav"]);
        assert_eq!(names(&found(Some(Sort::ModDate), 50)), ["Kick_01.wav", "Kick 02.wav", "A Kick.wav"]);
        let one = found(None, 1);
        assert_eq!((names(&one), one.total, one.items[0].uses), (vec!["Kick 02.wav"], 3, 1));
    }

    #[test]
    fn tags_and_categories_are_counted() {
        let (index, uses) = (library(), Uses::new());
        let ask = Query { index: &index, uses: &uses };
        let tags = ask.tags();
        assert_eq!(tags[..2], [("Drums".to_owned(), 3), ("Kick".to_owned(), 3)]);
        assert!(tags.contains(&("140 BPM".to_owned(), 1)) && tags.contains(&("Bass".to_owned(), 1)));
        let categories = ask.categories();
        assert_eq!(categories[..2], [("Drums", 4), ("Bass", 1)]);
        assert!(categories.contains(&("Tempo and Key", 1)) && !categories.iter().any(|(name, _)| *name == "Vocals"));
    }
}

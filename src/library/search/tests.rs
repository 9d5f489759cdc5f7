use super::*;
use crate::library::analysis::{Analysis, FileStamp};
use crate::library::index::listing_order;
use crate::library::kind::{ContentKind, FileSource, SampleType};
use crate::library::path_key::path_key;
use crate::library::record::FileLocation;
use std::path::Path;

fn index(paths: &[(&str, FileSource)]) -> Index {
    let mut records: Vec<Arc<Record>> = paths
        .iter()
        .enumerate()
        .map(|(at, (path, source))| {
            let path = Path::new(path);
            let root = if *source == FileSource::SampleFolder { "/smp" } else { "/other" };
            let place = FileLocation { root: Path::new(root), source: *source, path };
            let heard = if path.ends_with("broken.wav") { Analysis::unreadable("damaged") } else { Analysis::Pending };
            let stamp = FileStamp { bytes: 1, modified_ns: at as u64 };
            Arc::new(Record::new(&place, ContentKind::of_file(path).unwrap(), stamp, heard))
        })
        .collect();
    records.sort_by(|a, b| listing_order(a, b));
    Index::new(records)
}

fn library() -> Index {
    use FileSource::{SampleFolder, User};
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

fn names(hits: &SearchResults) -> Vec<&str> {
    hits.items.iter().map(|hit| hit.record.name.as_str()).collect()
}

fn asked(query: &str) -> Filter {
    Filter { query: query.to_owned(), ..Filter::default() }
}

#[test]
fn queries_find_by_name_words_and_nearness() {
    let (index, uses) = (library(), UseCounts::default());
    let ask = Searcher { index: &index, use_counts: &uses };
    for (query, how, found) in [
        ("kick", MatchKind::Name, &["Kick_01.wav", "Kick 02.wav", "A Kick.wav"][..]),
        ("KICK-0", MatchKind::Name, &["Kick_01.wav", "Kick 02.wav"]),
        ("k*02", MatchKind::Name, &["Kick 02.wav"]),
        ("02*k", MatchKind::Name, &[]),
        ("*", MatchKind::Name, &["Kick_01.wav", "Kick 02.wav", "Reese 140bpm.wav", "Snare 909 Loop.wav", "A Kick.wav"]),
        ("drums 909", MatchKind::Words, &["Snare 909 Loop.wav"]),
        ("140 BPM", MatchKind::Words, &["Reese 140bpm.wav"]),
        ("kikc 02", MatchKind::Nearest, &["Kick 02.wav"]),
        ("xylophone", MatchKind::Nearest, &[]),
        ("broken", MatchKind::Nearest, &[]),
    ] {
        let hits = ask.search(&asked(query), None, 50);
        assert_eq!((names(&hits), hits.match_kind), (found.to_vec(), how), "{query}");
    }
}

#[test]
fn filters_are_all_held() {
    let (index, uses) = (library(), UseCounts::default());
    let ask = Searcher { index: &index, use_counts: &uses };
    let all = Filter::default;
    for (filter, found) in [
        (Filter { kind: ContentKind::Midi, ..all() }, &["groove.mid"][..]),
        (Filter { source: Some(FileSource::User), ..all() }, &["A Kick.wav"]),
        (Filter { tags: vec!["snare".into(), " LOOP".into()], ..all() }, &["Snare 909 Loop.wav"]),
        (Filter { tags: vec!["Snare".into(), "Kick".into()], ..all() }, &[]),
        (Filter { sample_type: Some(SampleType::Loop), ..all() }, &["Snare 909 Loop.wav"]),
        (Filter { in_folder: Some("/smp/Bass".into()), ..all() }, &["Reese 140bpm.wav"]),
        (Filter { in_folder: Some("/smp".into()), ..all() }, &[]),
    ] {
        assert_eq!(names(&ask.search(&filter, None, 50)), found, "{filter:?}");
    }
}

#[test]
fn orders_and_limits() {
    let (index, mut uses) = (library(), UseCounts::default());
    uses.add(path_key(Path::new("/smp/Drums/Kick 02.wav")), 1);
    uses.add(path_key(Path::new("/other/A Kick.wav")), 1);
    uses.add(path_key(Path::new("/other/A Kick.wav")), 1);
    let ask = Searcher { index: &index, use_counts: &uses };
    let found = |sort, limit| ask.search(&asked("kick"), sort, limit);
    assert_eq!(names(&found(None, 50)), ["Kick 02.wav", "Kick_01.wav", "A Kick.wav"]);
    assert_eq!(names(&found(Some(SortOrder::Name), 50)), ["Kick_01.wav", "Kick 02.wav", "A Kick.wav"]);
    assert_eq!(names(&found(Some(SortOrder::ModDate), 50)), ["Kick_01.wav", "Kick 02.wav", "A Kick.wav"]);
    let one = found(None, 1);
    assert_eq!((names(&one), one.total, one.items[0].use_count), (vec!["Kick 02.wav"], 3, 1));
}

#[test]
fn tags_and_categories_are_counted() {
    let (index, uses) = (library(), UseCounts::default());
    let ask = Searcher { index: &index, use_counts: &uses };
    let tags = ask.tag_counts();
    assert_eq!(tags[..2], [("Drums".to_owned(), 3), ("Kick".to_owned(), 3)]);
    assert!(tags.contains(&("140 BPM".to_owned(), 1)) && tags.contains(&("Bass".to_owned(), 1)));
    let categories = ask.category_counts();
    assert_eq!(categories[..2], [("Drums", 4), ("Bass", 1)]);
    assert!(categories.contains(&("Tempo and Key", 1)) && !categories.iter().any(|(name, _)| *name == "Vocals"));
}

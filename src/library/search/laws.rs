//! Searches through the index's structures find what asking each record would find.

use super::naive::NaiveSearcher;
use super::*;
use crate::library::analysis::{Analysis, AnalyzedSound, FileStamp};
use crate::library::fingerprint::FINGERPRINT_BYTES;
use crate::library::index::listing_order;
use crate::library::kind::{ContentKind, FileSource, SampleType};
use crate::library::path_key::path_key;
use crate::library::record::FileLocation;
use crate::library::sound_traits::SoundTraits;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::collections::BTreeSet;
use std::path::PathBuf;

const FOLDERS: [&str; 9] =
    ["", "Drums", "Drums/Kicks", "Pack 3/Risers", "pack 3", "My_Pack", "my pack", "Bass Loops 124bpm", "Ünter-Ordner"];
const PARTS: [&str; 18] = [
    "kick",
    "Snare",
    "closed hat",
    "hh",
    "808",
    "loop",
    "120bpm",
    "Am",
    "x\ny",
    "Über",
    "001",
    "00101",
    "101",
    "a*b",
    "_",
    "oneshot",
    "xylophone",
    "ride",
];
const ENDS: [&str; 4] = ["wav", "wav", "mid", "als"];

/// What is heard of a file: few sounds, so that some are duplicates and some are equally similar.
fn heard() -> impl Strategy<Value = Analysis> {
    let sound = |(kind, seconds): (u8, u8)| {
        let print =
            std::array::from_fn::<u8, FINGERPRINT_BYTES, _>(|at| (at as u8).wrapping_mul(kind).wrapping_add(seconds));
        let print =
            Some(Fingerprint::from_bytes(if kind == 1 { [0; FINGERPRINT_BYTES] } else { print })).filter(|_| kind > 0);
        Analysis::Sound(Box::new(AnalyzedSound {
            frames: u64::from(seconds) * 22_050,
            sample_rate_hz: 44_100,
            channels: 1,
            sample_hash: u128::from(kind),
            fingerprint: print,
            traits: SoundTraits::default(),
        }))
    };
    prop_oneof![
        1 => Just(Analysis::Pending),
        1 => Just(Analysis::unreadable("damaged")),
        6 => (0_u8..4, 1_u8..9).prop_map(sound),
    ]
}

prop_compose! {
    fn record()(
        folder in select(&FOLDERS[..]),
        parts in subsequence(&PARTS[..], 0..4),
        end in select(&ENDS[..]),
        is_folder in proptest::bool::weighted(0.1),
        source in select(vec![FileSource::SampleFolder, FileSource::User]),
        modified_ns in 0_u64..5,
        heard in heard(),
    ) -> Record {
        let root = Path::new(if source == FileSource::User { "/other" } else { "/smp" });
        let path = root.join(folder).join(format!("{}.{end}", parts.join(" ")));
        let kind = if is_folder { ContentKind::Folder } else { ContentKind::of_file(&path).unwrap_or(ContentKind::Audio) };
        let heard = if kind == ContentKind::Audio { heard } else { Analysis::NotAudio };
        Record::new(&FileLocation { root, source, path: &path }, kind, FileStamp { bytes: 1, modified_ns }, heard)
    }
}

fn index_of(records: Vec<Record>) -> Index {
    let mut seen = BTreeSet::new();
    let mut records: Vec<Arc<Record>> = records.into_iter().map(Arc::new).collect();
    records.retain(|record| seen.insert(record.path.clone()));
    records.sort_by(|a, b| listing_order(a, b));
    Index::new(records)
}

fn query() -> impl Strategy<Value = String> {
    let words = subsequence(&PARTS[..], 0..3);
    let misspelled = select(vec![
        "kikc",
        "snrae",
        "xylophonist",
        "rid",
        "unter",
        "0010",
        "wav",
        "pack 3",
        "drums 808",
        "\n",
        "*",
        "k*1",
    ]);
    prop_oneof![
        2 => words.clone().prop_map(|words| words.join(" ")),
        2 => words.prop_map(|words| words.join("*")),
        3 => (misspelled.clone(), select(vec!["", " ", " kick", " 101", "."])).prop_map(|(a, b)| format!("{a}{b}")),
        1 => "[a-z0-9 _*]{0,4}",
    ]
}

prop_compose! {
    fn filter()(
        query in query(),
        tags in prop_oneof![
            3 => Just(Vec::new()),
            2 => subsequence(vec!["Kick", "drums", "hihats", "MY PACK", "my_pack", "120 bpm", "nothing", " Loop"], 1..3),
        ],
        kind in prop_oneof![6 => Just(ContentKind::Audio), 1 => Just(ContentKind::Midi), 1 => Just(ContentKind::Folder), 1 => Just(ContentKind::Video)],
        playback in proptest::option::weighted(0.3, select(vec![SampleType::Loop, SampleType::OneShot, SampleType::ImpulseResponse])),
        source in proptest::option::weighted(0.3, select(vec![FileSource::SampleFolder, FileSource::User])),
        folder in proptest::option::weighted(0.2, (select(vec!["/smp", "/other"]), select(&FOLDERS[..]))),
    ) -> Filter {
        let in_folder = folder.map(|(root, folder)| Path::new(root).join(folder));
        let tags = tags.into_iter().map(str::to_owned).collect();
        Filter { query, tags, kind, sample_type: playback, source, in_folder }
    }
}

type FoundPath<'a> = (&'a Path, u64);

fn told(hit: &Hit) -> FoundPath<'_> {
    (&hit.record.path, hit.use_count)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn fast_and_plain_questions_have_the_same_answers(
        records in proptest::collection::vec(record(), 0..90),
        filter in filter(),
        used in proptest::collection::vec((any::<proptest::sample::Index>(), 1_u64..4), 0..9),
        sort in select(vec![None, None, Some(SortOrder::UseCount), Some(SortOrder::ModDate), Some(SortOrder::Name)]),
        limit in select(vec![0, 1, 3, 10, 50]),
        seed in any::<proptest::sample::Index>(),
    ) {
        let index = index_of(records);
        let records = index.records();
        let mut uses = UseCounts::default();
        for (at, count) in used.iter().filter(|_| !records.is_empty()) {
            uses.add(path_key(&at.get(records).path), *count);
        }
        let (fast, plain) = (Searcher { index: &index, use_counts: &uses }, NaiveSearcher { index: &index, use_counts: &uses });

        let (a, b) = (fast.search(&filter, sort, limit), plain.search(&filter, sort, limit));
        prop_assert_eq!((a.total, a.match_kind), (b.total, b.match_kind));
        prop_assert_eq!(a.items.iter().map(told).collect::<Vec<_>>(), b.items.iter().map(told).collect::<Vec<_>>());

        prop_assert_eq!(fast.tag_counts(), plain.tag_counts());
        prop_assert_eq!(fast.category_counts(), plain.category_counts());

        let (a, b) = (fast.duplicates(&filter, limit), plain.duplicates(&filter, limit));
        let groups = |groups: &[Vec<Hit>]| -> Vec<Vec<PathBuf>> {
            groups.iter().map(|group| group.iter().map(|hit| hit.record.path.clone()).collect()).collect()
        };
        prop_assert_eq!((groups(&a.0), a.1), (groups(&b.0), b.1));

        for record in records {
            prop_assert!(fast.record(&record.path).is_some_and(|found| Arc::ptr_eq(found, record)));
        }
        prop_assert!(fast.record(Path::new("/smp/not there.wav")).is_none());
        let Some(seed) = (!records.is_empty()).then(|| seed.get(records)) else { return Ok(()) };
        let Some(print) = seed.sound().and_then(|sound| sound.fingerprint.as_ref()) else { return Ok(()) };
        let (a, b) = (
            fast.similar(print, &seed.path, &filter, limit),
            plain.similar(print, &seed.path, &filter, limit),
        );
        let alike = |hits: &[(Hit, f32)]| -> Vec<(PathBuf, u32)> {
            hits.iter().map(|(hit, near)| (hit.record.path.clone(), near.to_bits())).collect()
        };
        prop_assert_eq!(alike(&a), alike(&b));
    }
}

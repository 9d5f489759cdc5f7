//! The index's structures answer as asking each record would.

use super::plain::Plain;
use super::*;
use crate::library::index::order;
use crate::library::record::{Heard, Place, Sound, Stamp};
use crate::library::spectrum::PRINT_BYTES;
use crate::library::store;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::collections::BTreeSet;

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

/// What is heard of a file: few sounds, so that some are twins and some sound equally alike.
fn heard() -> impl Strategy<Value = Heard> {
    let sound = |(kind, seconds): (u8, u8)| {
        let print = std::array::from_fn::<u8, PRINT_BYTES, _>(|at| (at as u8).wrapping_mul(kind).wrapping_add(seconds));
        let print = Some(Print::from_bytes(if kind == 1 { [0; PRINT_BYTES] } else { print })).filter(|_| kind > 0);
        Heard::Sound(Box::new(Sound {
            frames: u64::from(seconds) * 22_050,
            sample_rate_hz: 44_100,
            channels: 1,
            hash: u128::from(kind),
            print,
        }))
    };
    prop_oneof![
        1 => Just(Heard::NotYet),
        1 => Just(Heard::Broken),
        6 => (0_u8..4, 1_u8..9).prop_map(sound),
    ]
}

prop_compose! {
    fn record()(
        folder in select(&FOLDERS[..]),
        parts in subsequence(&PARTS[..], 0..4),
        end in select(&ENDS[..]),
        is_folder in proptest::bool::weighted(0.1),
        source in select(vec![Source::SampleFolder, Source::User]),
        modified_ns in 0_u64..5,
        heard in heard(),
    ) -> Record {
        let root = Path::new(if source == Source::User { "/other" } else { "/smp" });
        let path = root.join(folder).join(format!("{}.{end}", parts.join(" ")));
        let kind = if is_folder { Kind::Folder } else { Kind::of_file(&path).unwrap_or(Kind::Audio) };
        let heard = if kind == Kind::Audio { heard } else { Heard::Nothing };
        Record::new(&Place { root, source, path: &path }, kind, Stamp { bytes: 1, modified_ns }, heard)
    }
}

fn index_of(records: Vec<Record>) -> Index {
    let mut seen = BTreeSet::new();
    let mut records: Vec<Arc<Record>> = records.into_iter().map(Arc::new).collect();
    records.retain(|record| seen.insert(record.path.clone()));
    records.sort_by(|a, b| order(a, b));
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
        kind in prop_oneof![6 => Just(Kind::Audio), 1 => Just(Kind::Midi), 1 => Just(Kind::Folder), 1 => Just(Kind::Video)],
        playback in proptest::option::weighted(0.3, select(vec![Playback::Loop, Playback::OneShot, Playback::ImpulseResponse])),
        source in proptest::option::weighted(0.3, select(vec![Source::SampleFolder, Source::User])),
        folder in proptest::option::weighted(0.2, (select(vec!["/smp", "/other"]), select(&FOLDERS[..]))),
    ) -> Filter {
        let in_folder = folder.map(|(root, folder)| Path::new(root).join(folder));
        let tags = tags.into_iter().map(str::to_owned).collect();
        Filter { query, tags, kind, playback, source, in_folder }
    }
}

type Told<'a> = (&'a Path, u64);

fn told(hit: &Hit) -> Told<'_> {
    (&hit.record.path, hit.uses)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn fast_and_plain_questions_have_the_same_answers(
        records in proptest::collection::vec(record(), 0..90),
        filter in filter(),
        used in proptest::collection::vec((any::<proptest::sample::Index>(), 1_u64..4), 0..9),
        sort in select(vec![None, None, Some(Sort::UseCount), Some(Sort::ModDate), Some(Sort::Name)]),
        limit in select(vec![0, 1, 3, 10, 50]),
        seed in any::<proptest::sample::Index>(),
    ) {
        let index = index_of(records);
        let records = index.records();
        let mut uses = Uses::default();
        for (at, count) in used.iter().filter(|_| !records.is_empty()) {
            uses.add(store::key(&at.get(records).path), *count);
        }
        let (fast, plain) = (Query { index: &index, uses: &uses }, Plain { index: &index, uses: &uses });

        let (a, b) = (fast.search(&filter, sort, limit), plain.search(&filter, sort, limit));
        prop_assert_eq!((a.total, a.how), (b.total, b.how));
        prop_assert_eq!(a.items.iter().map(told).collect::<Vec<_>>(), b.items.iter().map(told).collect::<Vec<_>>());

        prop_assert_eq!(fast.tags(), plain.tags());
        prop_assert_eq!(fast.categories(), plain.categories());

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
        let Some(print) = seed.sound().and_then(|sound| sound.print.as_ref()) else { return Ok(()) };
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

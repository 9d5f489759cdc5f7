//! The library over a tree of 20,000 generated files: the first index, the next start, queries, memory. Aims: under 60
//! s for the first index, under 5 ms for a query.

#[path = "../tests/support/sample_tree.rs"]
#[allow(dead_code, reason = "shared with tests")]
mod sample_tree;
#[path = "support/samples.rs"]
mod samples;
mod support;

use samples::{Samples, spoken};
use std::path::Path;
use std::time::{Duration, Instant};
use support::{Table, rounds};
use svc_device::library::kind::{FileSource, SampleType};
use svc_device::library::{Filter, IndexedFolder, Library, Phase};

const PATIENCE: Duration = Duration::from_secs(600);

/// Resident memory in MB, where the system tells it.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).map_or(0.0, |kb| kb / 1024.0)
}

fn open(data: &Path, folder: &Path) -> (Library, Duration, Duration) {
    let started = Instant::now();
    let library = Library::new(Some(data), Box::new(|| {}));
    let root = IndexedFolder { path: folder.to_owned(), source: FileSource::SampleFolder };
    library.index_folders(vec![root]).expect("a thread");
    library.wait(PATIENCE, |progress| progress.completed_walks > 0);
    let named = started.elapsed();
    let progress = library.wait(PATIENCE, |progress| progress.phase == Phase::Complete);
    assert_eq!(progress.phase, Phase::Complete, "{progress:?}");
    println!(
        "{} found, {} read, {} broken, not kept: {:?}",
        progress.found, progress.read, progress.unreadable, progress.save_error
    );
    (library, named, started.elapsed())
}

fn main() {
    let count = rounds(20_000);
    let (data, folder) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    sample_tree::grow(folder.path(), count);
    let before = resident_mb();
    let (library, named, whole) = open(data.path(), folder.path());
    println!("first index of {count} files: names after {}, all of it after {}", spoken(named), spoken(whole));
    let file = std::fs::metadata(data.path().join("library.redb")).map_or(0, |about| about.len());
    println!("memory: {:.1} MB more than before; file: {:.1} MB", resident_mb() - before, file as f64 / 1e6);
    if let Some(thread) = library.stop() {
        thread.join().expect("it ends well");
    }
    drop(library);
    let (library, named, whole) = open(data.path(), folder.path());
    println!("next start: names after {}, all of it after {}", spoken(named), spoken(whole));

    let asked = |query: &str| Filter { query: query.to_owned(), ..Filter::default() };
    let searches = [
        ("all of it", Filter::default()),
        ("part of a name", asked("hat 002")),
        ("wildcard", asked("k*1*9")),
        ("words of folders", asked("pack 3 riser 7")),
        ("mistyped", asked("snrae 00101")),
        ("nothing", asked("xylophonist")),
        ("two tags", Filter { tags: vec!["Drums".to_owned(), "Loop".to_owned()], ..Filter::default() }),
        ("type", Filter { sample_type: Some(SampleType::Loop), ..asked("9") }),
    ];
    for n in 0..100 {
        library.count_use(&folder.path().join(format!("Pack 0/Kick/Kick {n:05}.wav")));
    }
    let mut table = Table::new(&["", "p50", "p99", "max"]);
    let times = rounds(300);
    for (name, filter) in &searches {
        let mut took = Samples::default();
        for _ in 0..times {
            took.time(|| library.with_searcher(|searcher| searcher.search(filter, None, 50)));
        }
        table.row(name, took.cells());
    }
    let (mut tags, mut duplicates, mut similar) = (Samples::default(), Samples::default(), Samples::default());
    let seed = folder.path().join("Pack 0/Kick/Kick 00001.wav");
    let fingerprint = library.fingerprint_of(&seed, &|| false).expect("it is read").expect("a sound");
    for _ in 0..times {
        tags.time(|| library.with_searcher(|searcher| searcher.tag_counts()));
        duplicates.time(|| library.with_searcher(|searcher| searcher.duplicates(&Filter::default(), 50)));
        similar
            .time(|| library.with_searcher(|searcher| searcher.similar(&fingerprint, &seed, &Filter::default(), 50)));
    }
    table.row("list-tags", tags.cells());
    table.row("find-duplicates", duplicates.cells());
    table.row("find-similar", similar.cells());
    table.print();
    if let Some(thread) = library.stop() {
        thread.join().expect("it ends well");
    }
}

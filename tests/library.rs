//! The library's index as a whole: a generated tree, what is kept between runs, and what a kill leaves.

#[allow(dead_code, reason = "shared with the tests of the API and the benchmark")]
#[path = "support/sample_tree.rs"]
mod sample_tree;

use sample_tree::{grow, put, sound, wav};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use svc_device::library::kind::FileSource;
use svc_device::library::{Filter, IndexedFolder, Library, Phase, Progress};

const PATIENCE: Duration = Duration::from_secs(120);

fn follow(library: &Library, folder: &Path) {
    library
        .index_folders(vec![IndexedFolder { path: folder.to_owned(), source: FileSource::SampleFolder }])
        .expect("a thread");
}

fn open(data: &Path, samples: &Path) -> (Library, Progress) {
    let library = Library::new(Some(data), Box::new(|| {}));
    follow(&library, samples);
    let progress = library.wait(PATIENCE, |progress| progress.phase == Phase::Complete);
    assert_eq!(progress.phase, Phase::Complete, "{progress:?}");
    (library, progress)
}

fn close(library: Library) {
    library.stop().expect("it runs").join().expect("it ends well");
}

fn found(library: &Library) -> usize {
    library.with_searcher(|searcher| searcher.search(&Filter::default(), None, 0).total)
}

#[test]
fn what_was_read_is_not_read_again() {
    let (data, samples) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let tree = grow(samples.path(), 300);
    let (library, first) = open(data.path(), samples.path());
    assert_eq!((first.to_read, first.read, first.unreadable), (300, 300, tree.broken));
    assert_eq!(first.found, 300 + tree.folders);
    assert_eq!(found(&library), tree.sound);
    assert_eq!(first.save_error, None);
    library.count_use(&samples.path().join("Pack 0/Kick/Kick 00001.wav"));
    let kick = samples.path().join("Pack 0/Kick/Kick 00001.wav");
    let traits = |library: &Library| {
        let traits = library.with_searcher(|searcher| searcher.record(&kick).and_then(|r| r.sound().map(|s| s.traits)));
        traits.expect("it was read")
    };
    let heard = traits(&library);
    assert!(heard.loudness_lufs().is_some() && heard.brightness_hz().is_some(), "{heard:?}");
    close(library);

    let one = put(samples.path(), "Pack 0/Kick/Kick 00003.wav", &wav(&sound(77, 0.5)));
    std::fs::remove_file(samples.path().join("Pack 0/Kick/Kick 00004.wav")).unwrap();
    let (library, second) = open(data.path(), samples.path());
    assert_eq!((second.to_read, second.found), (1, 299 + tree.folders), "only what is new is read");
    assert_eq!(traits(&library), heard);
    let hit = library.with_searcher(|searcher| {
        searcher.search(&Filter { query: "kick 00001".to_owned(), ..Filter::default() }, None, 9)
    });
    assert_eq!(hit.items[0].use_count, 1);
    let changed =
        library.with_searcher(|searcher| searcher.record(&one).and_then(|r| r.sound().map(|s| s.seconds()))).unwrap();
    assert!((changed - 0.5).abs() < 0.01);
    close(library);
}

#[test]
fn a_folder_that_is_away_is_not_forgotten() {
    let (data, samples) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (here, away) = (samples.path().join("here"), samples.path().join("away"));
    grow(&here, 50);
    close(open(data.path(), &here).0);
    std::fs::rename(&here, &away).unwrap();
    let (library, progress) = open(data.path(), &here);
    assert_eq!((progress.found, progress.unlistable_folders), (0, vec![here.clone()]));
    close(library);
    std::fs::rename(&away, &here).unwrap();
    let (library, progress) = open(data.path(), &here);
    assert_eq!(progress.to_read, 0, "all of it is still known");
    close(library);
}

#[test]
fn two_libraries_share_one_file() {
    let (data, samples) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    grow(samples.path(), 60);
    let one = Library::new(Some(data.path()), Box::new(|| {}));
    let two = Library::new(Some(data.path()), Box::new(|| {}));
    for library in [&one, &two] {
        follow(library, samples.path());
    }
    for library in [&one, &two] {
        library.wait(PATIENCE, |progress| progress.phase == Phase::Complete);
        assert_eq!(found(library), 60 - 1);
    }
    close(one);
    close(two);
    let (library, progress) = open(data.path(), samples.path());
    assert_eq!(progress.to_read, 0);
    close(library);
}

#[test]
fn it_stops_at_once_in_the_middle() {
    let samples = tempfile::tempdir().unwrap();
    put(samples.path(), "long.wav", &wav(&sound(1, 60.0)));
    grow(samples.path(), 100);
    let library = Library::default();
    follow(&library, samples.path());
    library.wait(PATIENCE, |progress| progress.phase == Phase::Reading);
    let thread = library.stop().expect("it runs");
    let asked = std::time::Instant::now();
    thread.join().unwrap();
    assert!(asked.elapsed() < Duration::from_millis(500), "{:?}", asked.elapsed());
}

/// Folders that were last changed a minute ago, as those of an unchanged library.
#[cfg(unix)]
fn age(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            age(&entry.path());
        }
    }
    let times = std::fs::FileTimes::new().set_modified(std::time::SystemTime::now() - Duration::from_secs(60));
    std::fs::File::open(folder).unwrap().set_times(times).unwrap();
}

fn holds(library: &Library, path: &Path) -> bool {
    library.with_searcher(|searcher| searcher.record(path).is_some())
}

#[cfg(unix)]
#[test]
fn an_unchanged_tree_is_not_walked_again() {
    let (data, samples) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    grow(samples.path(), 300);
    age(samples.path());
    let library = Library::new(Some(data.path()), Box::new(|| {}));
    follow(&library, samples.path());
    for _ in 0..10 {
        assert!(library.rescan(PATIENCE));
    }
    let progress = library.wait(PATIENCE, |progress| progress.phase == Phase::Complete);
    assert_eq!((progress.to_read, progress.read), (300, 300), "a rescan ends no reading");
    let walks = library.progress().completed_walks;
    assert!(walks <= 2, "one for the first rescan at most: {walks}");
    for _ in 0..10 {
        assert!(library.rescan(PATIENCE));
    }
    assert_eq!(library.progress().completed_walks, walks);
    let new = put(samples.path(), "Pack 0/Kick/New.wav", &wav(&sound(5, 0.1)));
    assert!(library.rescan(PATIENCE) && holds(&library, &new));
    assert_eq!(library.progress().completed_walks, walks + 1);
    close(library);
}

#[test]
fn what_came_before_a_rescan_is_known_after_it() {
    let samples = tempfile::tempdir().unwrap();
    grow(samples.path(), 300);
    let library = Library::default();
    follow(&library, samples.path());
    for round in 0..40 {
        // Under a walk that may have passed the folder, in every second round.
        if round % 2 == 0 {
            library.refresh(Duration::ZERO);
        }
        let name = match round % 4 {
            0 | 1 => format!("Pack 0/Kick/New {round}.wav"),
            2 => format!("Pack 0/New {round}/One.wav"),
            _ => format!("New {round}/Deep/One.wav"),
        };
        let new = put(samples.path(), &name, &wav(&sound(round, 0.05)));
        assert!(library.rescan(PATIENCE) && holds(&library, &new), "{name}");
        let renamed = new.with_file_name("Renamed.wav");
        std::fs::rename(&new, &renamed).unwrap();
        assert!(library.rescan(PATIENCE) && holds(&library, &renamed) && !holds(&library, &new), "{name}");
    }
    let other = tempfile::tempdir().unwrap();
    let there = put(other.path(), "There.wav", &wav(&sound(1, 0.1)));
    follow(&library, other.path());
    assert!(library.rescan(PATIENCE) && holds(&library, &there));
    close(library);
    assert!(Library::default().rescan(PATIENCE), "nothing to rescan");
}

const CHILD: &str = "SVC_LIBRARY_TEST_CHILD";

/// Not a test by itself: the process that is killed. Writes counts of use as fast as it can, and says how far it is.
#[test]
fn child_that_writes() {
    let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let library = Library::new(Some(&folder.join("data")), Box::new(|| {}));
    follow(&library, &folder.join("samples"));
    println!("\nwriting");
    for n in 0.. {
        library.count_use(&folder.join(format!("samples/{}.wav", n % 50)));
        put(&folder, &format!("samples/{}.wav", n % 200), &wav(&sound(n, 0.01)));
        library.refresh(Duration::ZERO);
        if n % 20 == 0 {
            println!("{n}");
        }
    }
}

/// Spins until the file is written to.
fn wait_for_change(file: &Path) {
    let state = || std::fs::metadata(file).ok().map(|about| (about.len(), about.modified().ok()));
    let (before, end) = (state(), std::time::Instant::now() + PATIENCE);
    while state() == before {
        assert!(std::time::Instant::now() < end, "the index is written");
        std::hint::spin_loop();
    }
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("samples")).unwrap();
    let (mut seed, mut most) = (1, 0);
    for round in 0..50 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child_that_writes", "--exact", "--nocapture", "--test-threads=1"])
            .env(CHILD, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.by_ref().map_while(Result::ok).any(|line| line == "writing"), "round {round}");
        // Somewhere in the middle: after a few hundred writes, at a moment when the file has just changed.
        for _ in 0..(sample_tree::random(&mut seed) * 4.0) as usize {
            let _ = lines.next();
        }
        for _ in 0..=(sample_tree::random(&mut seed) * 12.0) as usize {
            wait_for_change(&folder.path().join("data/library.redb"));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let (library, progress) = open(&folder.path().join("data"), &folder.path().join("samples"));
        assert_eq!(progress.save_error, None, "round {round}");
        let uses = library.with_searcher(|searcher| searcher.use_counts.values().sum::<u64>());
        assert!(uses >= most, "round {round}: what was committed stays, {uses} after {most}");
        most = uses;
        close(library);
        assert!(!folder.path().join("data/library.damaged").exists(), "round {round}");
    }
    assert!(most > 0, "something was written");
}

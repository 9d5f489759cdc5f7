//! What the user keeps, after a kill at any moment: the process that is killed is this test itself, started again as a
//! child.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use svc_device::user_store::{Presets, UserStore};

const CHILD: &str = "SVC_USER_STORE_TEST_CHILD";
const KILLS: u32 = 50;
/// Nothing here takes this long unless it is broken.
const PATIENCE: Duration = Duration::from_secs(60);
const NAMES: [&str; 3] = ["one", "two", "three"];

/// A text that shows whether it is whole: its first line says how many follow.
fn text(n: u32) -> String {
    let lines = 100 + n % 150;
    let body: String = (0..lines).map(|line| format!("{n} line {line}: the quick brown fox\n")).collect();
    format!("{lines}\n{body}end of {n}")
}

fn is_whole(text: &str) -> bool {
    let n = text.rsplit("end of ").next().and_then(|n| n.trim().parse().ok());
    n.is_some_and(|n| text.trim_end() == crate::text(n))
}

/// Not a test by itself: the process that is killed. Writes documents and entries as fast as it can.
#[test]
fn child_that_writes() {
    let Some(folder) = std::env::var_os(CHILD).map(PathBuf::from) else { return };
    let store = UserStore::new(Some(folder), None);
    store.remove_partial_writes();
    for n in 0.. {
        store.write_global_context(&text(n), true).expect("the document is written");
        let name = NAMES[n as usize % NAMES.len()];
        store.write_memory_entry(name, &format!("round {n}"), &text(n)).expect("the entry is written");
        if n % 7 == 0 {
            store.delete_memory_entry(NAMES[n as usize % 2]).expect("the entry is removed");
        }
    }
}

/// What a kill waits for: a file's size while it is being written.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// The file is there.
    Begun,
    /// This much of it is written.
    Reached(u64),
    /// It was there and has taken its place.
    Renamed,
}

/// The files in the making that get this name in this folder.
fn halves_of(folder: &Path, name: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let start = format!(".{name}.");
    let is_half = |file: &PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.starts_with(&start) && name.ends_with(".new")
    };
    files.filter(is_half).collect()
}

/// Spins until it happens to a file of this name in the making; false when the time is up.
fn wait(folder: &Path, name: &str, event: Event) -> bool {
    let end = Instant::now() + PATIENCE;
    let mut seen = false;
    while Instant::now() < end {
        let lengths = halves_of(folder, name).into_iter().filter_map(|half| fs::metadata(half).ok());
        let length = lengths.map(|about| about.len()).max();
        let happened = match event {
            Event::Begun => length.is_some(),
            Event::Reached(bytes) => length.is_some_and(|length| length >= bytes),
            Event::Renamed => seen && length.is_none(),
        };
        if happened {
            return true;
        }
        seen |= length.is_some();
        std::hint::spin_loop();
    }
    false
}

#[test]
fn a_kill_in_the_middle_of_a_write_leaves_whole_files() {
    let folder = tempfile::tempdir().unwrap();
    let (mut caught, mut written) = (0, 0);
    for round in 0..KILLS {
        // Halves that the kill before left are not this round's.
        for half in [folder.path().to_owned(), folder.path().join("memory")].iter().flat_map(fs::read_dir) {
            let files = half.flatten().map(|entry| entry.path());
            files.filter(|file| file.extension().is_some_and(|ending| ending == "new")).for_each(|file| {
                fs::remove_file(file).unwrap();
            });
        }
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child_that_writes", "--exact", "--nocapture", "--test-threads=1"])
            .env(CHILD, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let memory = folder.path().join("memory");
        let halves = [
            (folder.path(), "context.md"),
            (memory.as_path(), "one.md"),
            (memory.as_path(), "three.md"),
            (memory.as_path(), "MEMORY.md"),
        ];
        let events = [Event::Begun, Event::Reached(1 + u64::from(round) * 97), Event::Renamed];
        let (place, name) = halves[round as usize % halves.len()];
        // The list is short: it never reaches much.
        let event = match events[round as usize / halves.len() % events.len()] {
            Event::Reached(_) if name == "MEMORY.md" => Event::Reached(1),
            event => event,
        };
        // Some writes in, so that the old file is one of this round's.
        let happened = (0..=round % 3).all(|_| wait(place, name, event));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(happened, "round {round}: {event:?} of {name}");
        caught += u32::from(halves.iter().any(|(place, name)| !halves_of(place, name).is_empty()));

        let store = UserStore::new(Some(folder.path().to_owned()), None);
        let global = store.global_context().unwrap_or_else(|why| panic!("round {round}: {why}"));
        assert!(is_whole(&global) || (global.is_empty() && written == 0), "round {round}: {global:?}");
        written += usize::from(!global.is_empty());
        let index = store.memory_index().unwrap();
        assert_eq!(index.problems, Vec::<String>::new(), "round {round}");
        for (slug, description) in &index.entries {
            let body = store.memory_entry(slug).unwrap().expect("it is listed");
            let n = description.strip_prefix("round ").expect("whole");
            assert!(is_whole(&body) && body.ends_with(&format!("end of {n}")), "round {round}: {slug} {description}");
        }
        let list = fs::read_to_string(folder.path().join("memory/MEMORY.md")).unwrap_or_default();
        assert_eq!(
            list,
            if list.is_empty() { String::new() } else { format!("{index}\n") },
            "made anew from the entries"
        );
    }
    assert!(caught > 10 && written > 40, "{caught} kills came in the middle of a write, {written} after one");

    // What the kills left goes once it is older than a write takes.
    let folders = [folder.path().to_owned(), folder.path().join("memory")];
    let halves = || {
        let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
        files.filter(|file| file.extension().is_some_and(|ext| ext == "new")).collect::<Vec<_>>()
    };
    let store = UserStore::new(Some(folder.path().to_owned()), None);
    store.remove_partial_writes();
    assert!(!halves().is_empty(), "another process may be writing them");
    let old = std::time::SystemTime::now() - Duration::from_secs(3600);
    for half in halves() {
        fs::File::options().append(true).open(half).unwrap().set_modified(old).unwrap();
    }
    store.remove_partial_writes();
    assert_eq!(halves(), Vec::<PathBuf>::new());
}

const RIVAL: &str = "SVC_USER_STORE_TEST_RIVAL";

/// Not a test by itself: a second process that is told when to write, and says what came of it.
#[test]
fn child_that_competes() {
    let (Some(folder), Ok(rival)) = (std::env::var_os(CHILD).map(PathBuf::from), std::env::var(RIVAL)) else { return };
    let store = UserStore::new(Some(folder.clone()), None);
    let presets = Presets::new(Some(folder));
    for round in std::io::stdin().lines() {
        let round = round.expect("a line");
        let wrote =
            store.write_global_context(&format!("{rival} wrote round {round} and nobody else did"), false).is_ok();
        let name = if rival == "first" { format!("Kick {round}") } else { format!("kick {round}") };
        let replaced =
            presets.save("Simpler", &name, serde_json::json!({ "by": rival })).expect("it is saved").replaced;
        println!("{RIVAL} {wrote} {replaced}");
    }
}

/// Of two that write a document with nothing in common the second is refused; of two presets of one name the second
/// says that it replaced one.
#[test]
fn two_processes_do_not_write_over_each_other_unseen() {
    let folder = tempfile::tempdir().unwrap();
    let rivals = ["first", "second"].map(|rival| {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["child_that_competes", "--exact", "--nocapture", "--test-threads=1"])
            .env(CHILD, folder.path())
            .env(RIVAL, rival)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (say, hear) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()).lines());
        (child, say, hear, rival)
    });
    let mut rivals = rivals;
    let store = UserStore::new(Some(folder.path().to_owned()), None);
    let presets = Presets::new(Some(folder.path().to_owned()));
    for round in 0..100 {
        store.write_global_context("", false).unwrap();
        for (_, say, ..) in &mut rivals {
            writeln!(say, "{round}").unwrap();
        }
        let told: Vec<(bool, bool)> = rivals
            .iter_mut()
            .map(|(_, _, hear, _)| {
                let line = hear.map(|line| line.unwrap()).find(|line| line.contains(RIVAL)).expect("an answer");
                let words: Vec<bool> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
                (words[0], words[1])
            })
            .collect();
        let writers: Vec<&str> =
            rivals.iter().zip(&told).filter(|(_, told)| told.0).map(|(rival, _)| rival.3).collect();
        assert_eq!(writers.len(), 1, "round {round}: one wrote, the other was told what it would lose");
        assert!(store.global_context().unwrap().starts_with(writers[0]), "round {round}");
        assert_eq!(told.iter().filter(|told| told.1).count(), 1, "round {round}: the second one replaced the first");
        assert_eq!(presets.list()["Simpler"].len(), round + 1, "round {round}: one preset of that name");
    }
    for (mut child, say, ..) in rivals {
        drop(say);
        child.wait().unwrap();
    }
}

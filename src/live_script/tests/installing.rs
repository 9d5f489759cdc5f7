//! What is installed over what, and what is left when it cannot be.

use super::user_library::{Library, put_old, tree, write};
use crate::live_script::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn running(version: &str, source_hash: &str) -> RunningScript {
    RunningScript { version: version.to_owned(), source_hash: source_hash.to_owned() }
}

#[test]
fn it_is_written_whole_and_once() {
    let library = Library::new();
    assert_eq!(library.status(None).state, ScriptState::NotInstalled);
    let done = install(library.root()).unwrap();
    assert_eq!((done.folder, done.change, done.kept, done.left), (library.script(), Change::New, None, None));
    assert_eq!(library.names(), ["SvcDevice"], "nothing else stays");
    let written = tree(&library.script());
    let meant: BTreeMap<String, String> = SCRIPT_FILES
        .iter()
        .map(|file| (file.name.to_owned(), String::from_utf8(file.bytes.to_vec()).unwrap()))
        .collect();
    assert!(written == meant, "{:?}", written.keys());
    assert_eq!(library.status(None).state, ScriptState::Installed);
    let times = |folder: &Path| fs::metadata(folder.join("pump.py")).unwrap().modified().unwrap();
    let before = times(&library.script());
    assert_eq!(install(library.root()).unwrap().change, Change::None);
    assert_eq!(times(&library.script()), before, "it is not written again");
    assert_eq!(tree(library.root()).iter().filter(|(name, _)| name.contains("backup")).count(), 0);
}

#[test]
fn states() {
    let version = bundled_version();
    let library = Library::new();
    let script = library.script();
    let edited = |difference| ScriptState::Outdated { version: version.to_owned(), difference };
    let other =
        |version: &str| ScriptState::Outdated { version: version.to_owned(), difference: Difference::AnotherVersion };
    type Change<'a> = (&'a str, Box<dyn Fn() + 'a>, ScriptState);
    let fresh = || {
        let _ = fs::remove_dir_all(&script);
        install(library.root()).unwrap();
    };
    let cases: Vec<Change> = vec![
        (
            "what Python keeps",
            Box::new(|| write(script.join("__pycache__/pump.cpython-311.pyc"), "x")),
            ScriptState::Installed,
        ),
        ("a note beside it", Box::new(|| write(script.join("notes.txt"), "x")), ScriptState::Installed),
        (
            "a byte more",
            Box::new(|| {
                let file = script.join("pump.py");
                let text = fs::read_to_string(&file).unwrap();
                fs::write(&file, text + "\n").unwrap();
            }),
            edited(Difference::EditedByHand),
        ),
        (
            "a file less",
            Box::new(|| fs::remove_file(script.join("pump.py")).unwrap()),
            edited(Difference::EditedByHand),
        ),
        ("a file more", Box::new(|| write(script.join("zz.py"), "")), edited(Difference::EditedByHand)),
        ("another version", Box::new(|| put_old(&script, "0.0.9")), other("0.0.9")),
        ("no version", Box::new(|| fs::remove_file(script.join("version.py")).unwrap()), ScriptState::Foreign),
        (
            "somebody else's",
            Box::new(|| {
                fs::remove_dir_all(&script).unwrap();
                write(script.join("__init__.py"), "def create_instance(c): pass");
            }),
            ScriptState::Foreign,
        ),
        (
            "an empty folder",
            Box::new(|| {
                fs::remove_dir_all(&script).unwrap();
                fs::create_dir(&script).unwrap();
            }),
            ScriptState::Foreign,
        ),
    ];
    for (name, change, state) in cases {
        fresh();
        change();
        assert_eq!(library.status(None).state, state, "{name}");
        if state != ScriptState::Installed {
            let sentence = library.status(None).sentence();
            assert!(sentence.contains(&script.display().to_string()), "{name}: {sentence}");
        }
        let _ = fs::remove_dir_all(&script);
    }
}

#[test]
fn what_runs_is_compared_with_what_lies_there() {
    let library = Library::new();
    let (version, hash) = (bundled_version(), bundled_hash());
    let another = |version: &str| ScriptState::RunningAnother { version: version.to_owned() };
    assert_eq!(library.status(Some(&running(version, hash))).state, ScriptState::NotInstalled);
    install(library.root()).unwrap();
    for (told, state, words) in [
        (running(version, hash), ScriptState::Installed, "is installed"),
        (running(version, ""), ScriptState::Installed, "is installed"),
        (running("0.0.9", "ab"), another("0.0.9"), "still runs 0.0.9"),
        (running("0.0.9", ""), another("0.0.9"), "still runs 0.0.9"),
        (running(version, "ab"), another(version), "still runs another build"),
    ] {
        let status = library.status(Some(&told));
        assert_eq!(status.state, state, "{told:?}");
        assert!(status.sentence().contains(words), "{}", status.sentence());
    }
    put_old(&library.script(), "0.0.9");
    let status = library.status(Some(&running("0.0.8", "ab")));
    assert!(matches!(status.state, ScriptState::Outdated { .. }), "what lies there comes first: {status:?}");
}

#[test]
fn what_it_replaces_is_kept() {
    let library = Library::new();
    put_old(&library.script(), "0.0.1");
    write(library.script().join("own notes.txt"), "mine");
    let done = install(library.root()).unwrap();
    let backup = library.scripts().join("SvcDevice-backup");
    assert_eq!((done.change, done.kept), (Change::Replaced { version: "0.0.1".to_owned() }, Some(backup.clone())));
    assert_eq!(fs::read_to_string(backup.join("own notes.txt")).unwrap(), "mine");
    assert!(library.status(None).has_backup && library.status(None).state == ScriptState::Installed);
    // Exactly one: the next takes its place.
    fs::remove_dir_all(library.script()).unwrap();
    put_old(&library.script(), "0.0.2");
    install(library.root()).unwrap();
    assert!(
        fs::read_to_string(backup.join("version.py")).unwrap().contains("0.0.2")
            && !backup.join("own notes.txt").exists()
    );
    assert_eq!(library.names(), ["SvcDevice", "SvcDevice-backup"]);
    // The same again is no reason to lose it.
    install(library.root()).unwrap();
    assert!(fs::read_to_string(backup.join("version.py")).unwrap().contains("0.0.2"));
}

#[test]
fn somebody_elses_folder_is_kept_for_good() {
    let library = Library::new();
    write(library.script().join("__init__.py"), "theirs");
    let done = install(library.root()).unwrap();
    let kept = library.scripts().join("SvcDevice-not-ours");
    assert_eq!((done.change, done.kept), (Change::ReplacedForeign, Some(kept.clone())));
    put_old(&library.script(), "0.0.1");
    install(library.root()).unwrap();
    assert_eq!(fs::read_to_string(kept.join("__init__.py")).unwrap(), "theirs", "an update does not cost it");
    assert_eq!(remove(library.root()).unwrap().foreign_backup, Some(kept.clone()));
    assert!(kept.exists());
    // A second one has nowhere to go.
    write(library.script().join("__init__.py"), "theirs too");
    let before = tree(library.root());
    let refused = install(library.root()).unwrap_err();
    assert_eq!(refused, InstallProblem::NoRoomForBackup(kept));
    assert_eq!(tree(library.root()), before);
}

#[test]
fn only_ours_is_removed() {
    let library = Library::new();
    assert_eq!(remove(library.root()).unwrap(), Removed::default());
    put_old(&library.script(), "0.0.1");
    install(library.root()).unwrap();
    write(library.scripts().join("Push2/__init__.py"), "theirs");
    let removed = remove(library.root()).unwrap();
    assert_eq!(removed.script, Some((library.script(), bundled_version().to_owned())));
    assert_eq!(removed.backup, Some(library.scripts().join("SvcDevice-backup")));
    assert_eq!(library.names(), ["Push2"]);
    assert_eq!(remove(library.root()).unwrap(), Removed::default());
    put_old(&library.script(), "0.0.1");
    assert_eq!(remove(library.root()).unwrap().script, Some((library.script(), "0.0.1".to_owned())));
    write(library.script().join("__init__.py"), "theirs");
    let before = tree(library.root());
    assert_eq!(remove(library.root()).unwrap_err(), InstallProblem::NotOurs(library.script()));
    assert_eq!(tree(library.root()), before);
}

/// What stands in the way is named, and everything stays as it was.
#[test]
fn nothing_is_half_done() {
    type Case<'a> = (&'a str, fn(&Library), &'a str);
    let cases: &[Case] = &[
        ("a file for the folder", |l| write(l.script(), "x"), "SvcDevice is a file where a folder belongs"),
        ("a file for its folder", |l| write(l.scripts(), "x"), "Remote Scripts is a file where a folder belongs"),
        (
            "a backup that is not ours",
            |l| {
                put_old(&l.script(), "0.0.1");
                write(l.scripts().join("SvcDevice-backup/a.txt"), "x");
            },
            "SvcDevice-backup lies where an earlier folder is to be kept",
        ),
        (
            "a file for the backup",
            |l| {
                put_old(&l.script(), "0.0.1");
                write(l.scripts().join("SvcDevice-backup"), "x");
            },
            "SvcDevice-backup lies where an earlier folder is to be kept",
        ),
        (
            "another one at work",
            |l| {
                put_old(&l.script(), "0.0.1");
                write(l.scripts().join(format!("SvcDevice-new-{}", std::process::id())), "x");
            },
            "Remote Scripts cannot be written",
        ),
    ];
    for (name, prepare, words) in cases {
        let library = Library::new();
        prepare(&library);
        let before = tree(library.root());
        let refused = install(library.root()).unwrap_err().to_string();
        assert!(refused.contains(words), "{name}: {refused}");
        assert!(refused.contains(library.root().to_str().unwrap()), "{name}: {refused}");
        assert!(refused.contains("Nothing was changed"), "{name}: {refused}");
        let mut after = tree(library.root());
        // What lay in the way of the fresh folder was litter.
        after.extend(before.iter().filter(|(name, _)| name.contains("-new-")).map(|(k, v)| (k.clone(), v.clone())));
        assert_eq!(after, before, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_written_through() {
    use std::os::unix::fs::symlink;
    let (library, checkout) = (Library::new(), tempfile::tempdir().unwrap());
    let own = checkout.path().join("SvcDevice");
    put_old(&own, "0.0.1");
    fs::create_dir(library.scripts()).unwrap();
    symlink(&own, library.script()).unwrap();
    let before = (tree(library.root()), tree(checkout.path()));
    let status = library.status(None);
    assert_eq!(status.link, Some(own.clone()));
    assert!(matches!(status.state, ScriptState::Outdated { .. }), "{status:?}");
    for refused in [install(library.root()).unwrap_err(), remove(library.root()).unwrap_err()] {
        assert_eq!(refused, InstallProblem::Link { link: library.script(), to: own.clone() });
    }
    assert_eq!((tree(library.root()), tree(checkout.path())), before);
    // One that leads nowhere, and a library that is a link itself.
    fs::remove_dir_all(&own).unwrap();
    assert_eq!(library.status(None).state, ScriptState::Unknown("leads nowhere".to_owned()));
    assert!(install(library.root()).is_err());
    let (real, other) = (Library::new(), tempfile::tempdir().unwrap());
    let link = other.path().join("User Library");
    symlink(real.root(), &link).unwrap();
    assert_eq!(install(&link).unwrap().change, Change::New);
    assert_eq!(real.status(None).state, ScriptState::Installed);
}

#[test]
fn what_a_killed_process_left_goes_with_the_next() {
    let library = Library::new();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    for (name, aged) in
        [("SvcDevice-new-1", true), ("SvcDevice-old-2", true), ("SvcDevice-new-3", false), ("SvcDevice-new-x", true)]
    {
        let folder = library.scripts().join(name);
        write(folder.join("a.py"), "x");
        if aged {
            fs::File::open(&folder).unwrap().set_modified(old).unwrap();
        }
    }
    install(library.root()).unwrap();
    assert_eq!(library.names(), ["SvcDevice", "SvcDevice-new-3", "SvcDevice-new-x"]);
}

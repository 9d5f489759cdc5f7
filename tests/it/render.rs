//! `svc-device render`: a Set in a file as sound, by the real binary.

use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The beat and the chords of the README, in the first scene.
fn beat() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/beat.svcset").to_str().expect("UTF-8").to_owned()
}

fn render(words: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_svc-device")).arg("render").args(words).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).expect("it is there").map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn a_set_in_a_file_is_rendered() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (mix, stems, picture) = (at("mix.wav"), at("deep/stems"), at("mix.png"));
    let words = [&beat(), "--scene", "s0", "--bars", "1", "--tail", "0", "-o", &mix, "--bits", "16"];
    let (code, out, error) = render(&words);
    assert_eq!((code, error.as_str()), (Some(0), ""), "nobody looks at a percentage in a pipe");
    assert!(out.starts_with(&format!("{mix}: 2.0 s\n")), "{out}");
    for line in ["  1-MIDI: ", "    Kick: ", "    Snare: ", "  3-Audio: silent: no clip of it plays here"] {
        assert!(out.lines().any(|found| found.starts_with(line)), "{line}:\n{out}");
    }
    let bytes = std::fs::read(&mix).expect("a file");
    assert_eq!(bytes.len(), 44 + 2 * 48_000 * 4);
    let more = ["--stems", &stems, "--picture", &picture, "--report", "json"];
    let (code, out, _) = render(&[&words[..], &more].concat());
    let report: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &report["file"], &report["seconds"]), (Some(0), &mix.as_str().into(), &2.0.into()));
    assert_eq!(std::fs::read(&mix).expect("a file"), bytes, "the same each time, with stems and without");
    assert_eq!(report["stems"].as_array().expect("stems").len(), 2);
    assert_eq!(files(Path::new(&stems)).len(), 2);
    assert_eq!(std::fs::read(&picture).expect("a picture")[1..4], *b"PNG");
    let (code, out, _) = render(&[&beat(), "--from", "1|1", "--to", "2|1", "--tail", "0"]);
    assert_eq!(code, Some(3), "nothing lies in the Arrangement");
    assert!(out.contains("the sound not written") && out.contains("\n- nothing sounds\n"), "{out}");
    assert!(out.ends_with(
        "- there is no clip in the Arrangement; the clips are in scenes, such as s0: name one to hear it\n"
    ));
    // What was written is named, though the sound was not.
    let (notes, image) = (at("notes.mid"), at("notes.png"));
    let (code, out, _) = render(&[&beat(), "--scene", "s0", "--tail", "0", "--midi", &notes, "--picture", &image]);
    assert!(code == Some(0) && out.contains(&format!("\n{notes}: the notes\n{image}: the picture\n")), "{out}");
}

#[test]
fn a_refusal_is_one_line_and_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mix = folder.path().join("mix.wav").to_str().expect("UTF-8").to_owned();
    let song = beat();
    for (words, code, why) in [
        (vec!["/nowhere/song.svcset"], 1, "/nowhere/song.svcset: there is no such file"),
        (vec![&*song, "--scene", "s9"], 1, "--scene: there is no scene s9; it is s0 to s7, or a scene's name"),
        (vec![&*song, "--scene", "s1"], 1, "--scene: s1 has no clip"),
        (vec![&*song, "--scene", "s0", "--bars", "5000"], 1, "--bars: 10000 s are too long"),
        (vec![&*song, "--from", "soon", "--to", "2|1"], 1, "--from: \"soon\" is no position"),
        (vec![&*song, "--from", "3|1", "--to", "2|1"], 1, "--to: the end has to lie behind the beginning"),
        (vec![&*song, "--from", "2|1"], 1, "--from: there is no clip in the Arrangement"),
        (vec![&*song, "-o", "/nowhere/mix.wav", "--scene", "s0"], 1, "-o: mix.wav could not be written: No such file"),
        (
            vec![&*song, "-o", &mix, "--picture", "/nowhere/a.png", "--scene", "s0"],
            1,
            "--picture /nowhere/a.png: there is",
        ),
        (vec![&*song, "--strict", "--scene", "s0"], 1, "--strict: these do not sound as the Set says"),
        (vec![&*song, "--rate", "11"], 2, "--rate takes one of"),
        (vec![], 2, "render needs a file"),
    ] {
        let written: Vec<&str> = words.iter().copied().chain(["-o", &mix]).collect();
        let words = if words.contains(&"-o") { words } else { written };
        let (found, out, error) = render(&words);
        assert_eq!((found, out.as_str()), (Some(code), ""), "{words:?}: {error}");
        assert!(error.starts_with(&format!("svc-device: {why}")), "{words:?}: {error}");
        assert_eq!(files(folder.path()), Vec::<PathBuf>::new(), "{words:?}");
    }
}

/// The limit of a file's size stands for a disk that is full.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("mix.wav");
    std::fs::write(&old, "what was there").expect("written");
    let line = format!(
        "ulimit -f 200; exec '{}' render '{}' --scene s0 -o '{}'",
        env!("CARGO_BIN_EXE_svc-device"),
        beat(),
        old.display()
    );
    let output = Command::new("sh").args(["-c", &line]).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.starts_with("svc-device: -o: mix.wav could not be written: File too large"), "{error}");
    assert_eq!(files(folder.path()), std::slice::from_ref(&old));
    assert_eq!(std::fs::read_to_string(&old).expect("it is there"), "what was there");
}

#[cfg(unix)]
#[test]
fn one_that_is_stopped_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let mix = folder.path().join("mix.wav");
    let mut child = Command::new(env!("CARGO_BIN_EXE_svc-device"))
        .args(["render", &beat(), "--scene", "s0", "--bars", "1700", "-o"])
        .arg(&mix)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    // What is being written lies beside its name.
    while files(folder.path()).is_empty() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended before");
        std::thread::yield_now();
    }
    assert!(!mix.exists());
    let stop = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(stop.success());
    let output = child.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), error.as_str()), (Some(1), "svc-device: it was cancelled\n"));
    assert_eq!(files(folder.path()), Vec::<PathBuf>::new());
}

#[cfg(unix)]
#[test]
fn picture_replaces_a_link_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("precious"), "mine").expect("a file");
    std::os::unix::fs::symlink(at("precious"), at("mix.png")).expect("a link");
    let (code, _, error) = render(&[&beat(), "--scene", "s0", "--picture", at("mix.png").to_str().expect("UTF-8")]);
    assert_eq!(code, Some(0), "{error}");
    assert_eq!(std::fs::read(at("mix.png")).expect("a picture")[1..4], *b"PNG");
    assert_eq!(std::fs::read_to_string(at("precious")).expect("a file"), "mine");
    assert_eq!(files(folder.path()).len(), 2, "no staged file is left");
}

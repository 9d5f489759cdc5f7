//! Ardour, a DAW, without a window: sessions are driven by the program that runs its scripts.

use super::child::{Heard, PATIENCE, ended, wait_until};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

/// How Ardour counts a beat.
pub const TICKS_PER_BEAT: i64 = 1920;

/// The name of the session in its folder.
const SESSION: &str = "session";
/// What every line of the script begins with.
const MARK: &str = "session: ";

/// An installed Ardour: the program that runs scripts, and the folder with its libraries.
pub struct Ardour {
    scripts: PathBuf,
    libraries: PathBuf,
}

impl Ardour {
    /// The one on the search path, if there is one.
    pub fn installed() -> Option<Ardour> {
        let path = std::env::var_os("PATH")?;
        let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
        [7, 8].into_iter().find_map(|version| {
            let scripts = folders.iter().map(|folder| folder.join(format!("ardour{version}-lua")));
            let scripts = scripts.into_iter().find(|file| file.is_file())?;
            let libraries = Path::new("/usr/lib").join(format!("ardour{version}"));
            libraries.join("ardour-vst3-scanner").is_file().then_some(Ardour { scripts, libraries })
        })
    }

    /// Has Ardour scan the plugin: copied, with its times, to where this home keeps its plugins.
    pub fn scan(&self, home: &Path, bundle: &Path) {
        let place = home.join(".vst3").join(bundle.file_name().expect("a bundle has a name"));
        copy(bundle, &place).expect("the bundle can be copied");
        let scanned = Command::new(self.libraries.join("ardour-vst3-scanner"))
            .arg("-f")
            .arg(&place)
            .env("LD_LIBRARY_PATH", &self.libraries)
            .env("HOME", home)
            .env_remove("XDG_CACHE_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .output()
            .expect("the scanner starts");
        let said = String::from_utf8_lossy(&scanned.stdout);
        assert!(scanned.status.success() && said.contains("Found Plugin: SVC Device"), "{}: {said}", scanned.status);
    }

    /// Runs a process for the session in this folder, which need not be there yet.
    pub fn session(&self, home: &Path, folder: &Path) -> Session {
        let mut child = Command::new(&self.scripts)
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/support/ardour_session.lua"))
            .arg(folder)
            .arg(SESSION)
            .env("HOME", home)
            .env_remove("XDG_CACHE_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("DISPLAY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Ardour starts");
        let said = Heard::listen(child.stdout.take().expect("stdout is piped"));
        let complained = Heard::listen(child.stderr.take().expect("stderr is piped"));
        let stdin = child.stdin.take();
        Session { child, stdin, said, complained, answered: 0 }
    }
}

/// The file that Ardour keeps the session of this folder in.
pub fn session_file(folder: &Path) -> PathBuf {
    folder.join(format!("{SESSION}.ardour"))
}

/// A note as Ardour recorded it. Times are ticks from the start of the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RecordedNote {
    pub start: i64,
    pub length: i64,
    pub channel: u8,
    pub pitch: u8,
    pub velocity: u8,
}

/// A running Ardour.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    said: Heard,
    complained: Heard,
    /// How many actions it has carried out.
    answered: usize,
}

impl Session {
    /// Carries out an action of the script, and gives the lines that it said.
    #[track_caller]
    pub fn run(&mut self, action: &str) -> Vec<String> {
        let stdin = self.stdin.as_mut().expect("open while it runs");
        writeln!(stdin, "{action}").and_then(|()| stdin.flush()).expect("Ardour reads");
        self.answered += 1;
        let number = self.answered;
        let answer = self.said.wait(|lines| answer(lines, number));
        let Some((lines, end)) = answer else { panic!("{action}: no answer; {}", self.output()) };
        assert_eq!(end, "done", "{action}: {}", self.output());
        lines
    }

    /// Whether the transport rolls, and the sample it is at.
    pub fn transport(&mut self) -> (bool, i64) {
        let lines = self.run("transport");
        let (rolls, sample) = lines.first().and_then(|line| line.split_once(' ')).expect("two words");
        (rolls == "true", sample.parse().expect("a sample"))
    }

    /// What the second track recorded, in order.
    pub fn notes(&mut self) -> Vec<RecordedNote> {
        let mut region = 0;
        let mut notes = Vec::new();
        for line in self.run("notes") {
            let words: Vec<&str> = line.split(' ').collect();
            let number = |at: usize| words.get(at).and_then(|word| word.parse().ok()).expect("a number of MIDI");
            match words.first() {
                Some(&"region") => region = ticks(words[1]),
                _ => notes.push(RecordedNote {
                    start: region + ticks(words[1]),
                    length: ticks(words[2]),
                    pitch: number(3),
                    velocity: number(4),
                    channel: number(5),
                }),
            }
        }
        notes.sort_unstable();
        notes
    }

    /// The greatest amplitude of the sound that was recorded, as soon as Ardour has written it; full scale is 1.
    pub fn loudest(&mut self) -> Option<f64> {
        wait_until(PATIENCE, || {
            let lines = self.run("amplitudes");
            lines.iter().map(|line| line.parse().expect("a number")).reduce(f64::max)
        })
    }

    /// Closes the session and waits for the process.
    pub fn close(mut self) {
        self.run("close");
        drop(self.stdin.take());
        let status = ended(&mut self.child, PATIENCE);
        assert!(status.is_some_and(|status| status.success()), "{status:?}: {}", self.output());
    }

    fn output(&self) -> String {
        format!("{}\n{}", self.said.so_far(), self.complained.so_far())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It has ended unless a test failed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of the answer with this number, counted from one, and how it ended.
fn answer(lines: &[String], number: usize) -> Option<(Vec<String>, String)> {
    let is_end = |line: &str| line == "done" || line.starts_with("failed");
    let mut own = lines.iter().filter_map(|line| line.strip_prefix(MARK));
    for _ in 1..number {
        own.by_ref().find(|line| is_end(line))?;
    }
    let mut said = Vec::new();
    for line in own {
        if is_end(line) {
            return Some((said, line.to_owned()));
        }
        said.push(line.to_owned());
    }
    None
}

/// Ticks of a musical time as Ardour writes it: `b3840` as a position, `2:480` in beats and ticks.
fn ticks(text: &str) -> i64 {
    let ticks = match text.split_once(':') {
        Some((beats, ticks)) => beats
            .parse::<i64>()
            .ok()
            .zip(ticks.parse::<i64>().ok())
            .map(|(beats, ticks)| beats * TICKS_PER_BEAT + ticks),
        None => text.strip_prefix('b').and_then(|ticks| ticks.parse().ok()),
    };
    ticks.unwrap_or_else(|| panic!("{text} is no musical time"))
}

/// Copies a bundle. The scanner trusts what it found before only while the library is older than that.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy(&from.join(&name), &to.join(&name))?;
        }
        return Ok(());
    }
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_modified(fs::metadata(from)?.modified()?)
}

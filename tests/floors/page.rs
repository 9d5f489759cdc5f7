//! What `docs/architecture.md` states: the table of rooms, the picture of it, the table of rooms inside `tools/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub struct Page {
    /// By room; the second is the row's number.
    rooms: BTreeMap<String, (BTreeSet<String>, usize)>,
    drawn: BTreeSet<(String, String)>,
    /// The row of each room, tool and file inside `tools/`, from 1.
    tools: BTreeMap<String, usize>,
}

impl Page {
    pub fn read() -> Page {
        let text = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page is there");
        let mut rooms = BTreeMap::new();
        for cells in rows(section(&text, "## Rooms\n")) {
            let [room, _, uses] = cells.as_slice() else {
                panic!("a row of the table of rooms has other cells: {cells:?}")
            };
            let uses = uses.split(',').map(|word| word.trim().trim_matches('`').trim_end_matches('/').to_owned());
            let uses = uses.filter(|word| word != "nothing").collect();
            let floor = rooms.len();
            rooms.insert(room.trim_matches('`').trim_end_matches('/').to_owned(), (uses, floor));
        }
        let drawn = section(&text, "```mermaid\n").lines().filter_map(|line| line.split_once(" --> "));
        let drawn = drawn.map(|(user, used)| (user.trim().to_owned(), used.trim().to_owned())).collect();
        let mut tools = BTreeMap::new();
        for (row, cells) in rows(section(&text, "## Rooms inside `tools/`\n")).into_iter().enumerate() {
            let named = cells.first().map_or("", String::as_str).split('`').skip(1).step_by(2);
            tools.extend(named.map(|name| (name.trim_end_matches('/').to_owned(), row + 1)));
        }
        assert!(rooms.len() > 10 && tools.len() > 20, "the tables of docs/architecture.md cannot be read");
        Page { rooms, drawn, tools }
    }

    pub fn uses(&self, room: &str) -> Option<BTreeSet<&str>> {
        self.rooms.get(room).map(|(uses, _)| uses.iter().map(String::as_str).collect())
    }

    pub fn rooms(&self) -> impl Iterator<Item = (&str, &BTreeSet<String>)> {
        self.rooms.iter().map(|(room, (uses, _))| (room.as_str(), uses))
    }

    pub fn floor(&self, room: &str) -> usize {
        self.rooms.get(room).map_or(usize::MAX, |(_, floor)| *floor)
    }

    pub fn tools_floor(&self, name: &str) -> usize {
        self.tools.get(name).copied().unwrap_or(0)
    }

    pub fn drawn(&self) -> &BTreeSet<(String, String)> {
        &self.drawn
    }

    /// The arrows of the table but for those that a longer way shows too. The program is drawn as `svc_device`.
    pub fn not_implied(&self) -> BTreeSet<(String, String)> {
        let mut arrows = BTreeSet::new();
        for (room, (uses, _)) in &self.rooms {
            for used in uses {
                let others = uses.iter().filter(|other| *other != used);
                if !others.clone().any(|other| self.reaches(other, used)) {
                    arrows.insert((room.replace("bin/svc-device", "svc_device"), used.clone()));
                }
            }
        }
        arrows
    }

    fn reaches(&self, from: &str, to: &str) -> bool {
        let uses = self.rooms.get(from).map(|(uses, _)| uses);
        uses.is_some_and(|uses| uses.iter().any(|used| used == to || self.reaches(used, to)))
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The text behind a heading, up to the next heading or the end of the code block.
fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let (_, rest) =
        text.split_once(heading).unwrap_or_else(|| panic!("docs/architecture.md has no `{}`", heading.trim()));
    let ends = ["\n## ", "\n```"].iter().filter_map(|end| rest.find(end)).min();
    &rest[..ends.unwrap_or(rest.len())]
}

/// The cells of a table's rows, without head and rule. `\|` is a bar inside a cell.
fn rows(text: &str) -> Vec<Vec<String>> {
    let rows = text.lines().filter(|line| line.starts_with('|')).skip(2);
    let cells = |line: &str| -> Vec<String> {
        let line = line.replace("\\|", "\u{1}");
        line.trim_matches('|').split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
    };
    rows.map(cells).collect()
}

/// Pages that tests write from tables, a line for each row.
const WRITTEN_BY_TESTS: [&str; 2] = ["docs/object-model.md", "docs/display-curves.md"];

/// Comment lines and lines of pages that are wider than the code may be; tables, links and code blocks of pages
/// excepted.
pub fn wide_lines(most: usize) -> BTreeSet<String> {
    let mut wide = BTreeSet::new();
    for folder in ["src", "tests", "benches", "xtask/src", "docs", "fuzz/fuzz_targets", "plugin-library"] {
        look(&root().join(folder), most, &mut wide);
    }
    for page in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        look(&root().join(page), most, &mut wide);
    }
    wide
}

fn look(path: &Path, most: usize, wide: &mut BTreeSet<String>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder of the project can be read").flatten() {
            look(&entry.path(), most, wide);
        }
        return;
    }
    // What `src/` holds in Markdown is taught to models, where a line is a paragraph; some pages are written by tests.
    let is_taught = path.starts_with(root().join("src"));
    let is_written = WRITTEN_BY_TESTS.iter().any(|page| path.ends_with(page));
    let is_page = path.extension().is_some_and(|ending| ending == "md") && !is_taught && !is_written;
    let is_code = path.extension().is_some_and(|ending| ending == "rs");
    if !(is_page || is_code) {
        return;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut in_block = false;
    for (at, line) in text.lines().enumerate() {
        in_block ^= is_page && line.trim_start().starts_with("```");
        let counts = match is_page {
            true => !in_block && !line.starts_with('|') && !line.contains("](") && !line.contains("://"),
            false => line.trim_start().starts_with("//"),
        };
        if counts && line.chars().count() > most {
            wide.insert(format!("{}:{}", path.strip_prefix(root()).unwrap_or(path).display(), at + 1));
        }
    }
}

/// Files and folders that a page names as code (`set/model/mod.rs`, `tests/api/`) and that lie nowhere. `NAME` stands
/// for any.
pub fn files_not_there() -> BTreeSet<String> {
    let mut all = Vec::new();
    for folder in [
        "src",
        "tests",
        "benches",
        "xtask",
        "docs",
        "fuzz",
        "examples",
        "plugin-library",
        "sound-engine",
        "audio-analysis",
    ] {
        list(&root().join(folder), &mut all);
    }
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md"].iter().map(|name| root().join(name)).collect();
    list(&root().join("docs"), &mut pages);
    let mut missing = BTreeSet::new();
    for page in pages.iter().filter(|path| path.extension().is_some_and(|ending| ending == "md")) {
        let text = std::fs::read_to_string(page).unwrap_or_default();
        for code in text.split('`').skip(1).step_by(2).filter(|code| !code.contains(['\n', ' ']) || code.contains(": "))
        {
            // A test is named as `file: test`.
            let named = code.split(": ").next().unwrap_or(code).trim_end_matches('/');
            let is_file = named.ends_with(".rs")
                || ["src/", "tests/", "benches/", "xtask/"].iter().any(|at| code.starts_with(at));
            let is_there = || all.iter().any(|path| path.ends_with(named));
            if is_file && !named.contains("NAME") && !named.contains('*') && !is_there() {
                missing.insert(format!("{}: {named}", page.strip_prefix(root()).unwrap_or(page).display()));
            }
        }
    }
    missing
}

/// Every file and folder below a folder.
fn list(folder: &Path, all: &mut Vec<PathBuf>) {
    all.push(folder.to_owned());
    if folder.is_dir() && !folder.ends_with("target") {
        for entry in std::fs::read_dir(folder).expect("a folder of the project can be read").flatten() {
            list(&entry.path(), all);
        }
    }
}

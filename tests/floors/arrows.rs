//! Which file of `src/` uses which: its `use` lines, and the paths in its text that begin at the crate or at a parent.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// `from` names something of `to`; both are files below `src/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    pub from: String,
    pub to: String,
    /// As it is written from the crate's root, such as `music::Meter`.
    pub name: String,
}

pub struct Source {
    texts: BTreeMap<String, String>,
    pub arrows: BTreeSet<Arrow>,
}

impl Source {
    pub fn read() -> Source {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut texts = BTreeMap::new();
        walk(&root, &root, &mut texts);
        let modules: BTreeMap<Vec<String>, &String> = texts.keys().map(|file| (module_of(file), file)).collect();
        let mut arrows = BTreeSet::new();
        for (file, text) in &texts {
            for name in names(file, text) {
                // The longest part of the path that is a file is where the name lies.
                let to = (1..=name.len()).rev().find_map(|len| modules.get(name.get(..len)?));
                if let Some(to) = to.filter(|to| **to != file) {
                    arrows.insert(Arrow { from: file.clone(), to: (*to).clone(), name: name.join("::") });
                }
            }
        }
        Source { texts, arrows }
    }

    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    pub fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.texts.iter().map(|(file, text)| (file.as_str(), text.as_str()))
    }

    /// The files of each circle. A module's root that opens its own children is no arrow: see [`names`].
    pub fn circles(&self) -> Vec<Vec<&str>> {
        let mut to: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for arrow in &self.arrows {
            to.entry(&arrow.from).or_default().insert(&arrow.to);
        }
        let reached: BTreeMap<&str, BTreeSet<&str>> = to.keys().map(|file| (*file, reach(&to, file))).collect();
        let mut circles = BTreeSet::new();
        for (file, there) in &reached {
            let back = |other: &&&str| reached.get(**other).is_some_and(|there| there.contains(file));
            let circle: Vec<&str> = there.iter().filter(back).copied().collect();
            if circle.len() > 1 {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }
}

/// Every file that a chain of arrows leads to.
fn reach<'a>(to: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = to.get(from).into_iter().flatten().copied().collect();
    while let Some(file) = open.pop() {
        if reached.insert(file) {
            open.extend(to.get(file).into_iter().flatten());
        }
    }
    reached
}

fn walk(folder: &Path, root: &Path, texts: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).expect("src can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, root, texts);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let name = path.strip_prefix(root).expect("inside src").to_string_lossy().replace('\\', "/");
            texts.insert(name, std::fs::read_to_string(&path).expect("a source file is text"));
        }
    }
}

/// `set/model/mod.rs` is the module `set::model`.
fn module_of(file: &str) -> Vec<String> {
    let path = file.strip_suffix(".rs").unwrap_or(file);
    let mut parts: Vec<String> = path.split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// Every path in a file that begins with `crate`, `self` or `super` (the program names the library `svc_device`), from
/// the crate's root. What begins with the name of a child does not count: a root opens its own room.
fn names(file: &str, text: &str) -> BTreeSet<Vec<String>> {
    let module = module_of(file);
    let is_program = file.starts_with("bin/");
    let text = without_comments(text);
    let mut names = BTreeSet::new();
    let (uses, rest) = use_lines(&text);
    let inline =
        rest.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).filter(|word| word.contains("::"));
    let written = uses.iter().flat_map(|tree| leaves(tree)).chain(inline.map(str::to_owned));
    for path in written {
        let mut words: Vec<&str> = path.split("::").filter(|word| !word.is_empty()).collect();
        let mut base = match words.first() {
            Some(&"svc_device") if is_program => Vec::new(),
            Some(&"crate") if !is_program => Vec::new(),
            Some(&"crate") => vec!["bin".to_owned(), "svc-device".to_owned()],
            Some(&("self" | "super")) => {
                words.insert(0, "here");
                module.clone()
            }
            _ => continue,
        };
        words.remove(0);
        while let Some(&up @ ("self" | "super")) = words.first() {
            words.remove(0);
            if up == "super" {
                base.pop();
            }
        }
        base.extend(words.into_iter().map(str::to_owned));
        names.insert(base);
    }
    names
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.find("//").map_or(line, |at| &line[..at])).collect::<Vec<_>>().join("\n")
}

/// The trees of the `use` lines, and the text without them.
fn use_lines(text: &str) -> (Vec<String>, String) {
    let (mut uses, mut rest, mut open) = (Vec::new(), String::new(), None::<String>);
    for line in text.lines() {
        let begins = line.trim_start();
        let begins = begins.strip_prefix("pub ").unwrap_or(begins);
        let tree = match open.take() {
            Some(before) => before + line,
            None => match begins.strip_prefix("use ") {
                Some(tree) => tree.to_owned(),
                None => {
                    rest.push_str(line);
                    rest.push('\n');
                    continue;
                }
            },
        };
        match tree.split_once(';') {
            Some((tree, _)) => uses.push(tree.split_whitespace().collect::<Vec<_>>().join(" ")),
            None => open = Some(tree),
        }
    }
    (uses, rest)
}

/// `a::{b, c::{d, e as f}}` is `a::b`, `a::c::d`, `a::c::e`.
fn leaves(tree: &str) -> Vec<String> {
    let Some((head, body)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or(tree).trim();
        return vec![path.strip_suffix("::self").unwrap_or(path).to_owned()];
    };
    let body = body.trim().strip_suffix('}').unwrap_or(body);
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in body.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match parts.last_mut() {
            Some(_) if c == ',' && depth == 0 => parts.push(String::new()),
            Some(part) => part.push(c),
            None => {}
        }
    }
    let parts = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    parts.flat_map(|part| leaves(&format!("{}{part}", head.trim()))).collect()
}

#[test]
fn paths_are_read_as_the_compiler_reads_them() {
    let names = |file: &str, text: &str| -> Vec<String> {
        super::arrows::names(file, text).into_iter().map(|name| name.join("::")).collect()
    };
    for (file, text, expected) in [
        ("a/b.rs", "use crate::x::{Y, z::{self, W as V}};", &["x::Y", "x::z", "x::z::W"][..]),
        ("a/b.rs", "use super::c::D;\nuse std::fmt;", &["a::c::D"]),
        ("a/mod.rs", "pub use child::Thing;\nlet x = crate::m::f(1); // crate::n::g", &["m::f"]),
        ("a/b.rs", "use crate::{\n    m::One,\n    n,\n};", &["m::One", "n"]),
        (
            "bin/svc-device/main.rs",
            "use svc_device::device::Device;\nuse crate::say;",
            &["bin::svc-device::say", "device::Device"],
        ),
    ] {
        assert_eq!(names(file, text), expected, "{text}");
    }
}

//! The floors of the house: the `use` lines of `src/` against the tables and the picture in `docs/architecture.md`.
//!
//! A wrong arrow fails with the file, the name it uses and the rule that forbids it.

mod arrows;
mod page;

use arrows::{Arrow, Source};
use page::Page;
use std::collections::{BTreeMap, BTreeSet};

/// Names that say nothing of what lies under them.
const EMPTY_NAMES: [&str; 6] = ["shared", "common", "util", "utils", "misc", "helpers"];

/// A larger room inside `tools/` is two rooms with a wall missing.
const MAX_TOOL_ROOM_LINES: usize = 3_300;

/// The width that `rustfmt.toml` gives the code; rustfmt leaves comments alone.
const MAX_WIDTH: usize = 120;

fn complain(what: &str, faults: &BTreeSet<String>) {
    let list: Vec<&str> = faults.iter().map(String::as_str).collect();
    assert!(faults.is_empty(), "{what}:\n  {}", list.join("\n  "));
}

/// The room of a file: the folder of `src/` it lies in; `bin/svc-device` for the program.
fn room(file: &str) -> Option<&str> {
    if file.starts_with("bin/svc-device/") {
        return Some("bin/svc-device");
    }
    file.split_once('/').map(|(room, _)| room)
}

#[test]
fn rooms_use_only_what_their_row_names() {
    let (source, page) = (Source::read(), Page::read());
    let mut seen: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut faults = BTreeSet::new();
    for Arrow { from, to, name } in &source.arrows {
        let (Some(user), Some(used)) = (room(from), room(to)) else { continue };
        if user == used {
            continue;
        }
        match page.uses(user) {
            None => drop(faults.insert(format!("src/{from}: the table of rooms has no row for `{user}/`"))),
            Some(uses) if !uses.contains(used) => {
                faults.insert(format!(
                    "src/{from} uses `{name}` of `{used}/`, but the table of rooms lets `{user}/` use only {}",
                    uses.iter().copied().collect::<Vec<_>>().join(", ")
                ));
            }
            Some(_) => drop(seen.entry(user).or_default().insert(used)),
        }
    }
    for (user, uses) in page.rooms() {
        for used in uses {
            if !seen.get(user).is_some_and(|seen| seen.contains(used.as_str())) {
                faults.insert(format!("the table of rooms lets `{user}/` use `{used}/`, which it does not do"));
            }
            if page.floor(used) >= page.floor(user) {
                faults.insert(format!("the row of `{user}/` names `{used}/`, which stands at its side or below it"));
            }
        }
    }
    for room in source.files().filter_map(room) {
        if page.uses(room).is_none() {
            faults.insert(format!("`src/{room}/` has no row in the table of rooms"));
        }
    }
    complain("docs/architecture.md and the `use` lines differ", &faults);
}

#[test]
fn the_picture_is_that_of_the_table() {
    let page = Page::read();
    let drawn: BTreeSet<String> = page.drawn().iter().map(|(user, used)| format!("{user} --> {used}")).collect();
    let meant: BTreeSet<String> = page.not_implied().iter().map(|(user, used)| format!("{user} --> {used}")).collect();
    assert_eq!(drawn, meant, "the picture draws the arrows of the table that others do not imply");
}

#[test]
fn rooms_inside_tools_use_only_those_above() {
    let (source, page) = (Source::read(), Page::read());
    let mut faults = BTreeSet::new();
    for Arrow { from, to, name } in &source.arrows {
        let (Some(user), Some(used)) = (tool_room(from, &page), tool_room(to, &page)) else { continue };
        let (below, above) = (page.tools_floor(user), page.tools_floor(used));
        if user == used || above < below {
            continue;
        }
        faults.insert(match (above == below, user == "mod") {
            // The root of the room declares the others and uses nothing.
            (_, true) => continue,
            (true, _) => format!("src/{from} uses `{name}`: one tool does not use another ({user} → {used})"),
            (false, _) => format!("src/{from} uses `{name}`: `{used}` stands below `{user}` in the table"),
        });
    }
    complain("rooms inside tools/", &faults);
}

/// The room or tool inside `tools/`, or the file of the ground or roof.
fn tool_room<'a>(file: &'a str, page: &Page) -> Option<&'a str> {
    let inside = file.strip_prefix("tools/")?;
    let name = inside.split('/').next()?;
    let name = name.strip_suffix(".rs").unwrap_or(name);
    assert!(page.tools_floor(name) > 0 || name == "mod", "src/{file}: no row of the table of tools/ holds it");
    Some(name)
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let source = Source::read();
    let circles: BTreeSet<String> = source.circles().into_iter().map(|files| files.join(" → ")).collect();
    complain("files that use each other in a circle", &circles);
}

#[test]
fn rooms_inside_tools_are_rooms() {
    let source = Source::read();
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    for (file, text) in source.texts() {
        if let Some((room, _)) = file.strip_prefix("tools/").and_then(|inside| inside.split_once('/')) {
            *lines.entry(room).or_default() += text.lines().count();
        }
    }
    let large = lines.iter().filter(|(_, lines)| **lines > MAX_TOOL_ROOM_LINES);
    complain("too large", &large.map(|(room, lines)| format!("src/tools/{room} has {lines} lines")).collect());
}

#[test]
fn names_say_what_is_inside() {
    let source = Source::read();
    let empty = source
        .files()
        .filter(|file| file.split('/').any(|part| EMPTY_NAMES.contains(&part.strip_suffix(".rs").unwrap_or(part))));
    complain("folders and files named after nothing", &empty.map(str::to_owned).collect());
}

#[test]
fn comments_and_pages_keep_the_width_of_the_code() {
    complain("lines over the width", &page::wide_lines(MAX_WIDTH));
}

#[test]
fn files_that_pages_name_are_there() {
    complain("pages name files that are not there", &page::files_not_there());
}

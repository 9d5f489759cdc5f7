use super::fragments::{FRAGMENTS, ROOTS};
use super::request::included;
use super::*;
use crate::notation::Notation;
use std::collections::BTreeSet;

/// Every tool that a fragment is for or that a text names. That these are tools is checked where the tools are known.
fn tools() -> Vec<&'static str> {
    let texts = ROOTS.iter().map(|(_, text)| *text).chain(FRAGMENTS.iter().map(|fragment| fragment.text));
    let code = texts.flat_map(|text| text.split('`')).filter_map(|code| code.split_whitespace().next());
    let named = code.filter(|word| word.starts_with("svc-"));
    let for_tools = FRAGMENTS.iter().flat_map(|fragment| fragment.for_tools).copied();
    named.chain(for_tools).collect::<BTreeSet<_>>().into_iter().collect()
}

fn taught(tools: &[&'static str], small_model_mode: bool, own: &[(String, String)]) -> SkillsText {
    compose(&SkillRequest { notation: Notation::Barbeat, small_model_mode, tools, takes_back: true, user_files: own })
}

fn own(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn the_table_is_whole() {
    let names: Vec<&str> = FRAGMENTS.iter().map(|f| f.name).chain(ROOTS.iter().map(|(name, _)| *name)).collect();
    for name in &names {
        assert!(crate::user_store::is_fragment_name(name), "{name} can be a file of the user's");
        assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
    }
    for fragment in FRAGMENTS {
        assert!(fragment.text.starts_with("# "), "{} begins with its heading", fragment.name);
        assert!(fragment.text.lines().all(|line| included(line).is_none()), "{}", fragment.name);
        let for_tools = |name: &str| super::compose::fragment(name).expect("a fragment").for_tools;
        if let Some(needed) = fragment.needs {
            // What ships without its ground would warn.
            let ground = for_tools(needed);
            assert!(fragment.for_tools.iter().all(|tool| ground.contains(tool)), "{} needs {needed}", fragment.name);
        }
    }
    let all = tools();
    for (root, text) in ROOTS {
        for notation in Notation::ALL {
            let composed = compose(&SkillRequest {
                notation,
                small_model_mode: root == "basic",
                tools: &all,
                takes_back: true,
                user_files: &[],
            });
            assert_eq!(composed.warnings, Vec::<String>::new());
            let included = text.lines().filter(|line| included(line).is_some()).count();
            let headings = composed.text.lines().filter(|line| line.starts_with("# ")).count();
            assert_eq!(headings, included + usize::from(root == "basic"), "{root} {notation:?}");
        }
    }
}

/// The page lists what there is, no more and no less.
#[test]
fn the_page_lists_the_fragments() {
    let page = include_str!("../../docs/skills.md");
    let listed: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let names: Vec<&str> = ROOTS.iter().map(|(name, _)| *name).chain(FRAGMENTS.iter().map(|f| f.name)).collect();
    assert_eq!(listed, names);
}

/// Any one of a fragment's tools keeps it, and without all of them it goes.
#[test]
fn fragments_go_with_their_tools() {
    let all = tools();
    for fragment in FRAGMENTS.iter().filter(|f| !f.for_tools.is_empty()) {
        let small = fragment.name.ends_with("-small");
        let notation = Notation::ALL.into_iter().find(|n| fragment.name.starts_with(n.name())).unwrap_or_default();
        let heading = fragment.text.lines().next().expect("a heading");
        let ships = |tools: &[&'static str]| {
            let composed =
                compose(&SkillRequest { notation, small_model_mode: small, tools, takes_back: true, user_files: &[] });
            composed.text.lines().any(|line| line == heading)
        };
        let without: Vec<&str> = all.iter().copied().filter(|tool| !fragment.for_tools.contains(tool)).collect();
        assert!(!ships(&without), "{} goes", fragment.name);
        for tool in fragment.for_tools {
            let with: Vec<&str> = without.iter().copied().chain([*tool]).collect();
            assert!(ships(&with), "{} stays for {tool}", fragment.name);
        }
    }
    for always in ["# Time and values", "# Working with the Set"] {
        assert!(taught(&[], false, &[]).text.contains(always), "{always}");
    }
    for small in [false, true] {
        for tool in &all {
            let rest: Vec<&str> = all.iter().copied().filter(|other| other != tool).collect();
            let text = taught(&rest, small, &[]).text;
            assert!(!text.contains(&format!("`{tool}`")) && !text.contains(&format!("`{tool} ")), "{tool}: {text}");
        }
    }
}

#[test]
fn what_the_user_writes_counts() {
    let all = tools();
    let with = |files: &[(&str, &str)]| taught(&all, false, &own(files));
    let whole = with(&[]).text;

    let replaced = with(&[("history", "---\nenabled: true\n---\n# Mine\nNever undo.\n")]);
    assert!(replaced.text.contains("# Mine\nNever undo.") && !replaced.text.contains("# Undo"));
    assert_eq!(replaced.warnings, Vec::<String>::new());

    let off = with(&[("history", "---\nenabled: FALSE\n---\n")]);
    assert!(!off.text.contains("# Undo") && off.warnings.is_empty());
    let without: Vec<&str> = all.iter().copied().filter(|tool| *tool != "svc-manage").collect();
    let gated = taught(&without, false, &own(&[("history", "# Mine\nNever undo.")]));
    assert!(!gated.text.contains("Mine"), "it goes with its tools all the same");

    // The roots are replaced, not switched off.
    let root =
        with(&[("standard", "---\nenabled: false\n---\nHello.\n@include mine\n@include help\n"), ("mine", "Hi.")]);
    assert!(root.text.starts_with("Hello.\n\nHi.\n\n# Limits"), "{}", root.text);
    assert_eq!(root.warnings, ["skills/standard.md cannot be switched off"]);
    for nothing in ["", " \n", "---\nenabled: false\n---\n"] {
        let root = with(&[("standard", nothing)]);
        assert_eq!(root.text, whole, "{nothing:?}");
        assert!(matches!(&root.warnings[..], [one] if one.contains("a root cannot be switched off")), "{root:?}");
    }

    for (files, warning) in [
        (&[("history", "a\n@include help\nb")][..], "skills/history.md: \"@include help\" is skipped"),
        (&[("standard", "@include nonsense")], "includes \"nonsense\", which is no fragment"),
        (&[("standard", "@include ../../etc/passwd")], "is no fragment"),
        (&[("standard", "@include standard")], "is no fragment"),
        (&[("transforms-core", "---\nenabled: false\n---")], "transforms-expressions builds on transforms-core"),
        (&[("devices", "---\nenabled: false\n---")], "devices-special builds on devices"),
        (&[("barbeat", "---\nenabled: false\n---")], "barbeat-writing builds on barbeat"),
        (
            &[("histroy", "x")],
            "skills/histroy.md has no effect: no fragment is called so, and no root includes it; did you mean history.md?",
        ),
        (&[("transforms", "x")], "did you mean transforms-core.md?"),
        (&[("zzzz", "x")], "no root includes it"),
        (&[("history", " \n")], "skills/history.md is empty and teaches nothing"),
        (&[("history", "---\nother: 1\n---\n")], "skills/history.md is empty"),
        (&[("basic", "")], "skills/basic.md has no text"),
        (&[("history", "---\nenabled: false\n# Mine")], "is never closed by a second ---"),
    ] {
        let composed = with(files);
        let told = composed.warnings.iter().filter(|w| w.contains(warning)).count();
        assert_eq!(told, 1, "{files:?}: {:?}", composed.warnings);
    }
    // A file that nothing includes changes nothing; one that the other root includes is fine.
    assert_eq!(with(&[("mine", "Hi."), ("basic", "x")]).text, whole);
    let others = with(&[("mine-stark", "Hi."), ("basic", "@include mine-{notation}")]);
    assert_eq!(others, SkillsText { text: whole, warnings: vec![] });
}

#[test]
fn sections_are_found_by_their_heading() {
    let all = tools();
    let text = taught(&all, false, &[]).text;
    for line in text.lines().filter_map(|line| line.strip_prefix("# ")) {
        let part = section(&text, &crate::user_store::slug(line)).expect(line);
        assert!(part.starts_with(&format!("# {line}\n")) && part.matches("\n# ").count() == 0, "{line}");
    }
    assert_eq!(section(&text, "nonsense"), None);
    assert_eq!(section(&text, ""), None);
}

#[test]
fn the_next_step_names_what_is_empty() {
    let all = tools();
    let without: Vec<&str> = all.iter().copied().filter(|tool| *tool != "svc-context").collect();
    let every = EmptyContexts { project: true, global: true, memory: true };
    for (tools, small, empty, named, asks) in [
        (&all, false, every, Some("project, global and memory"), true),
        (&all, true, every, Some("project and global"), false),
        (&without, false, every, None, false),
        (&all, false, EmptyContexts::default(), None, false),
        (&all, false, EmptyContexts { project: true, ..EmptyContexts::default() }, Some("project"), false),
        (&all, false, EmptyContexts { global: true, ..EmptyContexts::default() }, Some("global"), false),
        (&all, true, EmptyContexts { memory: true, ..EmptyContexts::default() }, None, false),
        (&all, false, EmptyContexts { memory: true, ..EmptyContexts::default() }, Some("memory"), false),
    ] {
        let request = SkillRequest {
            notation: Notation::Stark,
            small_model_mode: small,
            tools,
            takes_back: true,
            user_files: &[],
        };
        let text = next_step(&request, empty);
        let said = named.map(|named| format!("Nothing is stored in {named} context."));
        assert_eq!(text.contains("Nothing is stored"), said.is_some(), "{text}");
        assert!(said.is_none_or(|said| text.contains(&said)), "{text}");
        assert_eq!(text.contains("do not know this user"), asks, "{text}");
        assert!(text.starts_with("# Next step\n\n") && text.contains("wait for what they want"), "{text}");
    }
}

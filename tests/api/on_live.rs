//! The tests of this program, all of them once more on a Live: the fake one of `tests/fake_live/`, with the real script
//! in it. What differs there stands in `on_live.txt`, each test with its reason, and neither more nor less does.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

const LIST: &str = include_str!("on_live.txt");

/// Of a test: whether it is made on a Live, and why it fails there.
struct Listed<'a> {
    is_made: bool,
    reason: &'a str,
}

/// The list by the tests' names.
fn listed() -> BTreeMap<&'static str, Listed<'static>> {
    let mut found = BTreeMap::new();
    let mut reason: Option<(bool, &str)> = None;
    for line in LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(test) = line.strip_prefix("    ") {
            let (is_made, reason) = reason.unwrap_or_else(|| panic!("{test} has no reason above it"));
            assert!(found.insert(test, Listed { is_made, reason }).is_none(), "{test} is listed twice");
            continue;
        }
        reason = [("differs: ", true), ("not made: ", false)]
            .into_iter()
            .find_map(|(kind, is_made)| line.strip_prefix(kind).map(|reason| (is_made, reason)));
        assert!(reason.is_some(), "a line is a reason (`differs: …`, `not made: …`) or a test below one: {line}");
    }
    found
}

/// This program as tests of its own, with these arguments: whatever it prints.
fn run(arguments: &[&str]) -> String {
    let program = std::env::current_exe().expect("a program");
    let mut command = Command::new(program);
    command.env("SVC_API_HOST", "live").args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    String::from_utf8(command.output().expect("it runs").stdout).expect("text")
}

/// What a test that fails says.
fn said<'a>(output: &'a str, test: &str) -> &'a str {
    let told = output.split_once(&format!("---- {test} stdout ----\n")).map_or("", |(_, told)| told);
    let end = told.find("\n---- ").or_else(|| told.find("\nfailures:")).unwrap_or(told.len());
    told.get(..end).unwrap_or(told).trim()
}

#[test]
fn each_test_that_is_listed_is_there() {
    let names = run(&["--list", "--format", "terse"]);
    let names: BTreeSet<&str> = names.lines().filter_map(|line| line.strip_suffix(": test")).collect();
    assert!(names.len() > 600, "{}", names.len());
    for (test, listed) in listed() {
        assert!(names.contains(test), "{test} is listed ({}), and there is no such test", listed.reason);
    }
}

#[test]
#[ignore = "takes minutes: `cargo xtask test` makes it a stage of its own"]
fn the_tests_hold_on_a_live_too() {
    let listed = listed();
    // Each test waits for turns of Live most of its time.
    let threads = std::thread::available_parallelism().map_or(2, usize::from) * 2;
    let threads = format!("--test-threads={threads}");
    let mut arguments = vec![threads.as_str(), "--exact", "--skip", "on_live::each_test_that_is_listed_is_there"];
    for (test, _) in listed.iter().filter(|(_, listed)| !listed.is_made) {
        arguments.extend(["--skip", test]);
    }
    let output = run(&arguments);
    let outcomes: BTreeMap<&str, bool> = output
        .lines()
        .filter_map(|line| line.strip_prefix("test ")?.split_once(" ... "))
        .filter(|(_, outcome)| matches!(*outcome, "ok" | "FAILED"))
        .map(|(test, outcome)| (test.split_once(" - ").map_or(test, |(test, _)| test), outcome == "ok"))
        .collect();
    assert!(output.contains("test result: "), "the tests came to no end:\n{output}");
    let mut wrong = Vec::new();
    for (test, is_well) in &outcomes {
        match (listed.get(test), is_well) {
            (None, false) => wrong.push(format!("{test} fails, and is not listed:\n{}", said(&output, test))),
            (Some(listed), true) => wrong.push(format!("{test} holds, and is listed: {}", listed.reason)),
            _ => {}
        }
    }
    let made = outcomes.len();
    let differ = outcomes.values().filter(|is_well| !**is_well).count();
    let not_made = listed.values().filter(|listed| !listed.is_made).count();
    println!("{made} tests on a Live: {} hold, {differ} differ; {not_made} have no meaning there", made - differ);
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n\n"));
}

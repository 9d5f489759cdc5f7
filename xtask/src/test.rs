//! `cargo xtask test`: everything the tests need, then every test, with the minutes of each stage.
//!
//! The tests learn from the environment where the plugins and interpreters are: `SVC_CLAP`, `SVC_VST3` (release
//! bundles), `SVC_CLAP_RTCHECK`, `SVC_VST3_RTCHECK` (debug bundles that abort on an allocation in `process`),
//! `SVC_PYTHON`, `SVC_PYTHON_MCP1`, `SVC_NODE`, and, if Node packages are asked for, `SVC_NODE_DIR` (the folder with
//! `node_modules`). On Linux also `SVC_WINDOWS` (the folder with what was built for Windows), `SVC_WINE` and
//! `SVC_WINE_PREFIX`.

use crate::bundle::{self, Bundles};
use crate::needs::Purpose;
use crate::setup::{self, TestEnvironments};
use crate::shell::{self, Outcome, Problem, While, run_and_show, succeeded};
use crate::stages::Stages;
use crate::web;
use crate::windows;
use crate::workspace::{ENGINE_PACKAGE, Workspace};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What all of it may take on a machine with two cores.
const BUDGET: Duration = Duration::from_secs(45 * 60);

/// Processors with wider registers and fused multiplication: what is built for them has to sound the same, bit for bit.
const NEWER: &str = "x86-64-v3";

/// The tests of the API once more, on the fake Live instead of the embedded Set.
const ON_LIVE: [&str; 5] = ["--test", "api", "on_live::the_tests_hold_on_a_live_too", "--", "--ignored"];

pub fn test(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    let mut stages = Stages::default();
    let mut tally = Tally::default();
    let outcome = all(workspace, arguments, &mut stages, &mut tally);
    println!("\n{stages}");
    if stages.total() > BUDGET {
        println!("That is more than the {} minutes it may take on two cores.", BUDGET.as_secs() / 60);
    }
    // Cargo's own lines once more, so that they close the output.
    println!("{tally}");
    outcome?;
    if tally.passed == 0 && arguments.is_empty() {
        return Err(Problem::new("no test ran"));
    }
    Ok(())
}

fn all(workspace: &Workspace, arguments: &[String], stages: &mut Stages, tally: &mut Tally) -> Outcome<()> {
    let environments = stages.stage("set-up", || {
        setup::system_packages(&[Purpose::Build, Purpose::Window, Purpose::Test])?;
        setup::daw();
        setup::test_environments(workspace)
    })?;
    let release = stages.stage("release bundles", || bundle::release(workspace, None))?;
    let rtcheck = stages.stage("real-time-checked bundles", || bundle::rtcheck(workspace))?;
    let windows = if windows::is_possible() {
        let folder = stages.stage("Windows programs", || windows::build(workspace))?;
        Some(stages.stage("wine", || windows::prepare(workspace, folder))?)
    } else {
        None
    };
    let passed_on = || arguments.iter().map(String::as_str);
    let is_quiet =
        passed_on().take_while(|argument| *argument != "--").any(|argument| matches!(argument, "-q" | "--quiet"));
    stages.stage("tests: build", || {
        // Only what the arguments choose: one file of tests is built in a fraction of the time.
        let quiet = (!is_quiet).then_some("--quiet");
        let arguments: Vec<&str> = ["--no-run"].into_iter().chain(quiet).chain(passed_on()).collect();
        cargo_test(workspace, &arguments, shell::run)
    })?;
    let display = Display::start()?;
    let mut make = |arguments: &[&str]| {
        cargo_test(workspace, arguments, |command| {
            name_environment(command, &environments, &release, &rtcheck);
            if let Some(windows) = &windows {
                windows.name_in(command);
            }
            if let Some(display) = &display {
                command.env("DISPLAY", &display.name);
            }
            run_and_tally(command, tally)
        })
    };
    let all: Vec<&str> = std::iter::once("--no-fail-fast").chain(passed_on()).collect();
    let made = stages.stage("tests", || make(&all));
    if arguments.is_empty() {
        let on_live = stages.stage("tests of the API on a Live", || make(&ON_LIVE));
        let page = stages.stage("page in a browser", || web::test(workspace));
        let newer = match runs_newer() {
            true => stages.stage("sound engine for newer processors", || make_newer(workspace, tally)),
            false => Ok(()),
        };
        return made.and(on_live).and(page).and(newer);
    }
    made
}

#[cfg(target_arch = "x86_64")]
fn runs_newer() -> bool {
    use std::arch::is_x86_feature_detected as has;
    has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("f16c") && has!("lzcnt") && has!("movbe")
}

#[cfg(not(target_arch = "x86_64"))]
fn runs_newer() -> bool {
    false
}

/// The engine's pieces, built for [`NEWER`] in a folder of its own, held against the bits that were accepted.
fn make_newer(workspace: &Workspace, tally: &mut Tally) -> Outcome<()> {
    let mut command = shell::cargo();
    command.args(["test", "--package", ENGINE_PACKAGE, "--lib", "--target-dir"]);
    command.arg(workspace.root.join("target").join(NEWER)).args(["--", "laws::hashes"]);
    command.env("RUSTFLAGS", format!("-C target-cpu={NEWER}")).current_dir(&workspace.root).stdin(Stdio::null());
    run_and_tally(&mut command, tally)
}

fn cargo_test(workspace: &Workspace, arguments: &[&str], run: impl FnOnce(&mut Command) -> Outcome<()>) -> Outcome<()> {
    let mut command = shell::cargo();
    command.args(["test", "--workspace", "--features", "standalone,test-tools"]).args(arguments);
    run(command.current_dir(&workspace.root).stdin(Stdio::null()))
}

fn name_environment(command: &mut Command, environments: &TestEnvironments, release: &Bundles, rtcheck: &Bundles) {
    command
        .env("SVC_CLAP", &release.clap)
        .env("SVC_VST3", &release.vst3)
        .env("SVC_CLAP_RTCHECK", &rtcheck.clap)
        .env("SVC_VST3_RTCHECK", &rtcheck.vst3)
        .env("SVC_PYTHON", &environments.python)
        .env("SVC_PYTHON_MCP1", &environments.python_mcp1)
        .env("SVC_NODE", &environments.node);
    if let Some(folder) = &environments.node_packages {
        command.env("SVC_NODE_DIR", folder);
    }
}

/// Shows what the command prints as it comes, and keeps its results.
fn run_and_tally(command: &mut Command, tally: &mut Tally) -> Outcome<()> {
    let status = run_and_show(command, |line| tally.note(line))?;
    succeeded(command, status)
}

/// The results that cargo printed.
#[derive(Debug, Default, PartialEq)]
struct Tally {
    /// Cargo's own lines, of the programs that had a test to run.
    lines: Vec<String>,
    passed: u64,
    failed: u64,
    ignored: u64,
}

impl Tally {
    fn note(&mut self, line: &str) {
        let line = line.trim();
        let Some(result) = line.strip_prefix("test result: ") else { return };
        let count = |what: &str| -> u64 {
            result.split([';', '.']).find_map(|part| part.trim().strip_suffix(what)?.trim().parse().ok()).unwrap_or(0)
        };
        let (passed, failed) = (count("passed"), count("failed"));
        self.passed = self.passed.saturating_add(passed);
        self.failed = self.failed.saturating_add(failed);
        self.ignored = self.ignored.saturating_add(count("ignored"));
        if passed.saturating_add(failed) > 0 {
            self.lines.push(line.to_owned());
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The last of cargo's lines is that of the doc tests, often of none: only lines that count tests come again.
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.ignored)
    }
}

/// A display without a screen, for as long as this lives; only where there is none.
struct Display {
    server: Child,
    name: String,
}

impl Display {
    fn start() -> Outcome<Option<Display>> {
        if !cfg!(target_os = "linux") || std::env::var_os("DISPLAY").is_some_and(|name| !name.is_empty()) {
            return Ok(None);
        }
        // It chooses a free number itself and prints it once it takes clients.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x900x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .while_doing(|| "could not start Xvfb".to_owned())?;
        let pipe = server.stdout.take();
        let mut display = Display { server, name: String::new() };
        let mut number = String::new();
        if let Some(pipe) = pipe {
            BufReader::new(pipe).read_line(&mut number).while_doing(|| "could not read from Xvfb".to_owned())?;
        }
        if number.trim().is_empty() {
            return Err(Problem::new("Xvfb gave no display; does `Xvfb -displayfd 1` print a number?"));
        }
        display.name = format!(":{}", number.trim());
        Ok(Some(display))
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_add_up_and_other_lines_do_not_count() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests\n",
            "test x ... ok\n",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.01s\n",
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
            "test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.5s\n",
        ] {
            tally.note(line);
        }
        assert_eq!((tally.passed, tally.failed, tally.ignored, tally.lines.len()), (13, 2, 1, 2));
        assert!(tally.to_string().ends_with("1.5s\n13 passed, 2 failed, 1 skipped"), "{tally}");
    }
}

//! `cargo xtask`: everything one does with the project, as commands that set up what they need.
//!
//! Invariant: a command either does what it says or ends with a non-zero code and a sentence about what was wrong and
//! what would be right. Nothing here waits for an answer on standard input when there is no terminal.

mod bench;
mod bundle;
mod check;
mod doctor;
mod http;
mod install;
mod needs;
mod package;
mod platform;
mod port;
mod record;
mod run;
mod setup;
mod shell;
mod stages;
mod test;
mod universal;
mod web;
mod windows;
mod workflows;
mod workspace;

use shell::{Outcome, Problem};
use std::process::ExitCode;
use workspace::Workspace;

const USAGE: &str = "\
cargo xtask <command>

  run [ARGS]              build and start the device without a DAW; ARGS go to `svc-device`
  test [ARGS]             set up, bundle, and run every test; ARGS go to `cargo test`
  check                   formatting, lints, licences, workflows, and type checks for Windows and macOS
  advisories              whether something that is built in is known to be unsafe; asks GitHub
  cross                   only the type checks for Windows and macOS
  bundle [--target T]     make the release plugins in target/bundled; for Windows (x86_64-pc-windows-gnu) also
                          svc-device.exe
  windows                 build what the tests run under wine, and say how to run those tests alone
  package [--target T]    make what a release offers for download, in target/packages: an archive for the system, a
                          Debian package on Linux, a bill of materials, the sums; --sums writes the sums alone
  install                 bundle, then copy the plugins into your plugin folders
  web                     build the page that the device serves (web/dist) of its sources, with what npm brings
  pictures                take the pictures of page and window in docs/ anew, in headless Chromium and Xvfb
  bench [NAMES] [-- ARGS] run the benchmarks and print their tables; with --write in place of `-- ARGS` also put
                          them, with commit, day and machine, into docs/measurements.md
  doctor [--port N]       say what is right and what is wrong with this machine and the installed plugin
  help                    this text";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next().unwrap_or_else(|| "help".to_owned());
    let rest: Vec<String> = arguments.collect();
    match dispatch(&command, &rest) {
        Ok(code) => code,
        Err(problem) => {
            eprintln!("cargo xtask {command}: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(command: &str, rest: &[String]) -> Outcome<ExitCode> {
    if matches!(command, "help" | "--help" | "-h") {
        println!("{USAGE}");
        return Ok(ExitCode::SUCCESS);
    }
    let workspace = Workspace::open()?;
    match command {
        "run" => return run::run(&workspace, rest),
        "doctor" => return doctor::doctor(&workspace, rest),
        "test" => test::test(&workspace, rest)?,
        "check" => {
            no_arguments(rest)?;
            check::check(&workspace)?;
        }
        "advisories" => {
            no_arguments(rest)?;
            check::advisories(&workspace)?;
        }
        "cross" => {
            no_arguments(rest)?;
            setup::rust_targets(&workspace, &check::CROSS_TARGETS)?;
            check::cross(&workspace)?;
        }
        "bundle" => bundle::command(&workspace, rest)?,
        "package" => package::command(&workspace, rest)?,
        "install" => {
            no_arguments(rest)?;
            install::install(&workspace)?;
        }
        "web" => {
            no_arguments(rest)?;
            web::command(&workspace)?;
        }
        "pictures" => {
            no_arguments(rest)?;
            web::pictures(&workspace)?;
        }
        "windows" => {
            no_arguments(rest)?;
            windows::command(&workspace)?;
        }
        "bench" => bench::bench(&workspace, rest)?,
        other => return Err(Problem::new(format!("there is no command `{other}`\n\n{USAGE}"))),
    }
    Ok(ExitCode::SUCCESS)
}

fn no_arguments(rest: &[String]) -> Outcome<()> {
    match rest.first() {
        None => Ok(()),
        Some(extra) => Err(Problem::new(format!("takes no arguments, but got `{extra}`"))),
    }
}

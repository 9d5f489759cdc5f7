//! Running other programs, and the one kind of error this crate has: a sentence for a person.

use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// What went wrong and what would be right, in plain words.
#[derive(Debug)]
pub struct Problem(String);

pub type Outcome<T> = Result<T, Problem>;

impl Problem {
    pub fn new(text: impl Into<String>) -> Problem {
        Problem(text.into())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Adds what was being done to an I/O error.
pub trait While<T> {
    fn while_doing(self, what: impl FnOnce() -> String) -> Outcome<T>;
}

impl<T> While<T> for io::Result<T> {
    fn while_doing(self, what: impl FnOnce() -> String) -> Outcome<T> {
        self.map_err(|error| Problem(format!("{}: {error}", what())))
    }
}

/// The command as one could type it: without the folder that its program lies in.
pub fn shown(command: &Command) -> String {
    let quoted = |text: String| if text.contains(' ') { format!("'{text}'") } else { text };
    let program = Path::new(command.get_program());
    std::iter::once(program.file_name().unwrap_or(program.as_os_str()))
        .chain(command.get_args())
        .map(|part| quoted(part.to_string_lossy().into_owned()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs a command with its output shown; anything but success is a problem.
pub fn run(command: &mut Command) -> Outcome<()> {
    let status = command.status().while_doing(|| format!("could not start `{}`", shown(command)))?;
    succeeded(command, status)
}

/// Runs a command whose standard output is shown as it comes and also given, line by line with its end, to `note`.
pub fn run_and_show(command: &mut Command, mut note: impl FnMut(&str)) -> Outcome<ExitStatus> {
    let failed = |command: &Command| format!("could not run `{}`", shown(command));
    let mut child = command.stdout(Stdio::piped()).spawn().while_doing(|| failed(command))?;
    if let Some(pipe) = child.stdout.take() {
        let mut output = BufReader::new(pipe);
        let mut line = Vec::new();
        while output.read_until(b'\n', &mut line).while_doing(|| failed(command))? > 0 {
            // Who reads our own output may be gone; the command still has to end.
            let _ = io::stdout().write_all(&line);
            note(&String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    child.wait().while_doing(|| failed(command))
}

pub fn succeeded(command: &Command, status: ExitStatus) -> Outcome<()> {
    if status.success() { Ok(()) } else { Err(Problem(format!("`{}` failed ({status})", shown(command)))) }
}

/// The output of a command that succeeded, or `None`; what it says on the way is not shown.
pub fn capture(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where a program of this name lies on the search path. On Windows the name may also come with its ending (`npm.cmd`).
pub fn find_program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = [format!("{name}{}", std::env::consts::EXE_SUFFIX), name.to_owned()];
    std::env::split_paths(&path)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)).collect::<Vec<_>>())
        .find(|candidate| candidate.is_file())
}

/// Cargo, the same one that started us.
pub fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_names_itself_and_its_code() {
        let mut command = cargo();
        command.args(["no such command"]).stderr(Stdio::null());
        let problem = run(&mut command).expect_err("cargo has no such command").to_string();
        assert!(problem == "`cargo 'no such command'` failed (exit status: 101)", "{problem}");
        assert_eq!(capture(&mut command), None);
    }
}

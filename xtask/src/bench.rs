//! `cargo xtask bench`: every benchmark that `Cargo.toml` lists, one after the other, so that none disturbs another.

use crate::needs::Purpose;
use crate::setup;
use crate::shell::{self, Outcome, Problem, run};
use crate::stages::Stages;
use crate::workspace::{PACKAGE, Workspace};

/// `[NAMES] [-- ARGS]`: these benchmarks, or all; the arguments go to each.
pub fn bench(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    let (names, passed_on) = split(arguments);
    let chosen = choose(&workspace.manifest.benches, names)?;
    setup::system_packages(&[Purpose::Build])?;
    let mut stages = Stages::default();
    let command = || {
        let mut command = shell::cargo();
        command.args(["bench", "--package", PACKAGE, "--features", "standalone"]).current_dir(&workspace.root);
        command
    };
    stages.stage("build", || {
        let mut build = command();
        build.arg("--no-run");
        for name in &chosen {
            build.args(["--bench", name]);
        }
        run(&mut build)
    })?;
    for name in chosen {
        println!("== {name}");
        run(command().args(["--quiet", "--bench", name, "--"]).args(passed_on))?;
    }
    Ok(())
}

fn split(arguments: &[String]) -> (&[String], &[String]) {
    match arguments.iter().position(|argument| argument == "--") {
        Some(at) => (arguments.get(..at).unwrap_or_default(), arguments.get(at + 1..).unwrap_or_default()),
        None => (arguments, &[]),
    }
}

fn choose<'a>(listed: &'a [String], names: &[String]) -> Outcome<Vec<&'a str>> {
    if listed.is_empty() {
        return Err(Problem::new("Cargo.toml lists no benchmark under [[bench]]"));
    }
    if let Some(unknown) = names.iter().find(|name| !listed.contains(name)) {
        return Err(Problem::new(format!("there is no benchmark `{unknown}`; there are: {}", listed.join(", "))));
    }
    Ok(listed.iter().filter(|bench| names.is_empty() || names.contains(bench)).map(String::as_str).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn names_choose_and_the_rest_is_passed_on() {
        let listed = strings(&["calls", "notes"]);
        for (given, chosen, passed_on) in [
            (&[][..], &["calls", "notes"][..], &[][..]),
            (&["notes"], &["notes"], &[]),
            (&["--", "--quick"], &["calls", "notes"], &["--quick"]),
            (&["calls", "--", "a", "--"], &["calls"], &["a", "--"]),
        ] {
            let given = strings(given);
            let (names, rest) = split(&given);
            assert_eq!(choose(&listed, names).expect("known"), chosen, "{given:?}");
            assert_eq!(rest, strings(passed_on), "{given:?}");
        }
        assert!(choose(&listed, &strings(&["other"])).is_err());
        assert!(choose(&[], &[]).is_err());
    }
}

//! `cargo xtask bench`: every benchmark that `Cargo.toml` lists, one after the other, so that none disturbs another,
//! built with the profile that is shipped.

use crate::needs::Purpose;
use crate::record::{self, Record};
use crate::setup;
use crate::shell::{self, Outcome, Problem, While, run, run_and_show, succeeded};
use crate::stages::Stages;
use crate::windows;
use crate::workspace::{ENGINE_PACKAGE, PACKAGE, Workspace, read};
use std::fs;

const WRITE: &str = "--write";
/// Runs the device for Windows beside the one for this system.
const WINDOWS_BENCH: &str = "windows";
/// Reads files beside the programs of others.
const FILES_BENCH: &str = "files";

/// `[NAMES] [--write] [-- ARGS]`: these benchmarks, or all; the arguments go to each. `--write` puts what each prints
/// into the page of measurements.
pub fn bench(workspace: &Workspace, arguments: &[String]) -> Outcome<()> {
    let wanted = Wanted::parse(arguments)?;
    let chosen = choose(&workspace.manifest.benches, &wanted.names)?;
    let record = wanted.write.then(|| page_and_record(workspace, &chosen)).transpose()?;
    setup::system_packages(&[Purpose::Build])?;
    if chosen.contains(&FILES_BENCH) {
        setup::beside_benches();
    }
    let mut stages = Stages::default();
    let of_engine = |name: &str| workspace.manifest.engine_benches.iter().any(|bench| bench == name);
    let command = |of_engine: bool| {
        let mut command = shell::cargo();
        let package: &[&str] = if of_engine { &[ENGINE_PACKAGE] } else { &[PACKAGE, "--features", "standalone"] };
        command.args(["bench", "--package"]).args(package).current_dir(&workspace.root);
        command
    };
    // The one that runs the device for Windows too, as it ships.
    let windows = match chosen.contains(&WINDOWS_BENCH) && windows::is_possible() {
        true => Some(stages.stage("device for Windows", || windows::for_bench(workspace))?),
        false => None,
    };
    stages.stage("build", || {
        for engine in [false, true] {
            let mut build = command(engine);
            build.arg("--no-run");
            let names: Vec<&&str> = chosen.iter().filter(|name| of_engine(name) == engine).collect();
            for name in &names {
                build.args(["--bench", name]);
            }
            if !names.is_empty() {
                run(&mut build)?;
            }
        }
        Ok(())
    })?;
    for name in chosen {
        println!("== {name}");
        let mut bench = command(of_engine(name));
        bench.args(["--quiet", "--bench", name, "--"]).args(wanted.passed_on);
        windows.iter().for_each(|windows| windows.name_in(&mut bench));
        let Some(record) = &record else {
            run(&mut bench)?;
            continue;
        };
        let mut printed = String::new();
        let status = run_and_show(&mut bench, |line| printed.push_str(line))?;
        succeeded(&bench, status)?;
        // Read again each time: a run takes minutes, and somebody may be writing on the page.
        let page = workspace.measurements();
        let text = record.put_into(&read(&page)?, name, &printed)?;
        fs::write(&page, text).while_doing(|| format!("could not write {}", page.display()))?;
        println!("written into {}", page.display());
    }
    Ok(())
}

/// Looks for every place on the page before the minutes are spent.
fn page_and_record(workspace: &Workspace, chosen: &[&str]) -> Outcome<Record> {
    let text = read(&workspace.measurements())?;
    for name in chosen {
        record::place(&text, name)?;
    }
    Record::of_now(workspace)
}

#[derive(Debug, PartialEq)]
struct Wanted<'a> {
    names: Vec<&'a str>,
    write: bool,
    passed_on: &'a [String],
}

impl Wanted<'_> {
    fn parse(arguments: &[String]) -> Outcome<Wanted<'_>> {
        let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
        let own = arguments.get(..end).unwrap_or_default();
        let passed_on = arguments.get(end + 1..).unwrap_or_default();
        let write = own.iter().any(|argument| argument == WRITE);
        if write && !passed_on.is_empty() {
            return Err(Problem::new("`--write` is for whole runs: give it without arguments after `--`"));
        }
        let names = own.iter().map(String::as_str).filter(|argument| *argument != WRITE).collect();
        Ok(Wanted { names, write, passed_on })
    }
}

fn choose<'a>(listed: &'a [String], names: &[&str]) -> Outcome<Vec<&'a str>> {
    if listed.is_empty() {
        return Err(Problem::new("Cargo.toml lists no benchmark under [[bench]]"));
    }
    if let Some(unknown) = names.iter().find(|name| !listed.iter().any(|bench| bench == *name)) {
        return Err(Problem::new(format!("there is no benchmark `{unknown}`; there are: {}", listed.join(", "))));
    }
    Ok(listed.iter().map(String::as_str).filter(|bench| names.is_empty() || names.contains(bench)).collect())
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
        for (given, chosen, write, passed_on) in [
            (&[][..], &["calls", "notes"][..], false, &[][..]),
            (&["notes"], &["notes"], false, &[]),
            (&["--", "--quick"], &["calls", "notes"], false, &["--quick"]),
            (&["calls", "--", "a", "--"], &["calls"], false, &["a", "--"]),
            (&["--write"], &["calls", "notes"], true, &[]),
            (&["calls", "--write", "--"], &["calls"], true, &[]),
            (&["--", "--write"], &["calls", "notes"], false, &["--write"]),
        ] {
            let given = strings(given);
            let wanted = Wanted::parse(&given).expect("fitting");
            assert_eq!(choose(&listed, &wanted.names).expect("known"), chosen, "{given:?}");
            assert_eq!((wanted.write, wanted.passed_on), (write, &strings(passed_on)[..]), "{given:?}");
        }
        assert!(choose(&listed, &["other"]).is_err());
        assert!(choose(&[], &[]).is_err());
        assert!(Wanted::parse(&strings(&["--write", "--", "--quick"])).is_err());
    }

    #[test]
    fn the_page_has_a_place_for_every_benchmark() {
        let workspace = Workspace::open().expect("the workspace's own files");
        let page = read(&workspace.measurements()).expect("the page is there");
        for name in &workspace.manifest.benches {
            assert_eq!(record::place(&page, name).err().map(|problem| problem.to_string()), None);
        }
    }
}

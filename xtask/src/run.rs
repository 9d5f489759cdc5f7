//! `cargo xtask run`: the device without a DAW, set up, built and started.

use crate::needs::Purpose;
use crate::setup;
use crate::shell::{self, Outcome, While, run as run_to_end, shown};
use crate::workspace::{PACKAGE, Workspace};
use std::process::{Command, ExitCode};

/// Built in a fraction of the release profile's time; `Cargo.toml` says what is optimised all the same.
const PROFILE: &str = "quick";

/// Passes the arguments on; without a display it adds `--headless`. Ends with the device's own exit code.
pub fn run(workspace: &Workspace, arguments: &[String]) -> Outcome<ExitCode> {
    let display = has_display();
    let purposes: &[Purpose] = if display { &[Purpose::Build, Purpose::Window] } else { &[Purpose::Build] };
    setup::system_packages(purposes)?;
    let arguments = device_arguments(arguments, display);
    let mut cargo = shell::cargo();
    cargo.current_dir(&workspace.root).args(["build", "--profile", PROFILE, "--package", PACKAGE, "--bin", PACKAGE]);
    // A target folder that the environment names would hide the program from the next line.
    cargo.args(["--features", "standalone", "--target-dir"]).arg(workspace.target());
    run_to_end(&mut cargo)?;
    let program = workspace.target().join(PROFILE).join(format!("{PACKAGE}{}", std::env::consts::EXE_SUFFIX));
    let mut device = Command::new(program);
    device.args(arguments);
    become_it(&mut device)
}

/// Ctrl+C and other signals must reach the device itself, so on Unix it takes this process's place.
#[cfg(unix)]
fn become_it(device: &mut Command) -> Outcome<ExitCode> {
    use std::os::unix::process::CommandExt;
    let failed: std::io::Result<ExitCode> = Err(device.exec());
    failed.while_doing(|| format!("could not start `{}`", shown(device)))
}

#[cfg(not(unix))]
fn become_it(device: &mut Command) -> Outcome<ExitCode> {
    let status = device.status().while_doing(|| format!("could not start `{}`", shown(device)))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}

fn has_display() -> bool {
    let named = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    cfg!(any(windows, target_os = "macos")) || named("DISPLAY") || named("WAYLAND_DISPLAY")
}

/// `--headless` only where the device itself is started: its commands (`doctor`, `mcp`) show no window.
fn device_arguments(arguments: &[String], display: bool) -> Vec<String> {
    let is_command = arguments.first().is_some_and(|first| !first.starts_with('-'));
    let says_so = arguments.iter().any(|argument| argument == "--headless");
    let mut all = arguments.to_vec();
    if !display && !is_command && !says_so {
        all.insert(0, "--headless".to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headless_is_added_only_where_it_is_needed() {
        for (given, display, expected) in [
            (&[][..], false, &["--headless"][..]),
            (&[], true, &[]),
            (&["--port", "4000"], false, &["--headless", "--port", "4000"]),
            (&["--port", "4000"], true, &["--port", "4000"]),
            (&["--port", "4000", "--headless"], false, &["--port", "4000", "--headless"]),
            (&["mcp"], false, &["mcp"]),
        ] {
            let given: Vec<String> = given.iter().map(|&text| text.to_owned()).collect();
            assert_eq!(device_arguments(&given, display), expected, "{given:?} {display}");
        }
    }
}

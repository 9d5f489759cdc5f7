//! `svc-device live install`, `status` and `remove`.

use crate::arguments::Options;
use crate::console::print;
use crate::device_client::DeviceClient;
use std::process::ExitCode;
use svc_device::device::live_desk::{installed_sentence, removed_sentence};
use svc_device::device::live_setup::{LiveSetup, SetupProblem, WHERE_LIVE_SHOWS_IT};
use svc_device::device::recovery::user_folder;
use svc_device::live::bridge_file::http_ports;
use svc_device::live_script::{Change, Places, RunningScript, SWITCH_ON, ScriptState, bundled_version};
use svc_device::service::access::Token;

/// How to install from a command line.
pub const INSTALL: &str = "run `svc-device live install`";

pub fn install(options: &Options) -> Result<ExitCode, String> {
    let done = setup(options).install(options.user_library.as_deref()).map_err(sentence)?;
    print(&format!("Script {} for Ableton Live: {}", bundled_version(), done.what.folder.display()));
    print(&installed_sentence(&done.what));
    for remark in &done.remarks {
        print(&format!("Note: {remark}."));
    }
    let again = if done.what.change == Change::None { "If Live does not show it yet: " } else { "Now: " };
    print(&format!("{again}{SWITCH_ON}"));
    Ok(ExitCode::SUCCESS)
}

pub fn status(options: &Options, token: Option<&Token>) -> Result<ExitCode, String> {
    let running = running_script(options, token);
    let look = setup(options).look(options.user_library.as_deref(), running.as_ref());
    let (library, status) = look.map_err(sentence)?;
    print(&format!("{}: {}", status.word(), status.sentence()));
    print(&format!("User Library: {} ({})", library.folder.display(), library.source.words()));
    if status.has_backup {
        print(&format!("An earlier script is kept: {}", status.folder.backup.display()));
    }
    match &running {
        Some(running) => print(&format!("Live runs the script {}.", running.version)),
        None => print("What Live runs is not known: no device that runs is linked with it."),
    }
    print(&format!("Next: {}", status.next_step(INSTALL)));
    Ok(if status.state == ScriptState::Installed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

pub fn remove(options: &Options) -> Result<ExitCode, String> {
    let done = setup(options).remove(options.user_library.as_deref()).map_err(sentence)?;
    print(&removed_sentence(&done.what));
    if done.what.script.is_some() {
        print("A Live that runs has it until it is restarted; choose None as its Control Surface to be rid of it now.");
    }
    Ok(ExitCode::SUCCESS)
}

/// What the script in Live told a device that runs: the one on the port that was named, else any of this user's.
fn running_script(options: &Options, token: Option<&Token>) -> Option<RunningScript> {
    let ports = match options.port {
        Some(port) => vec![port],
        None => http_ports(&options.data_dir.clone().or_else(user_folder)?),
    };
    ports.into_iter().find_map(|port| DeviceClient::new(port, token.cloned()).ok()?.running_script())
}

/// The script on this user's disk, with the folder that was named before.
pub fn setup(options: &Options) -> LiveSetup {
    LiveSetup::new(options.data_dir.clone().or_else(user_folder), Places::of_this_machine())
}

/// A problem, with what to do about it on a command line.
pub fn sentence(problem: SetupProblem) -> String {
    match problem.asks_for_library {
        true => format!("{}; name it with --user-library DIR: {WHERE_LIVE_SHOWS_IT}", problem.why),
        false => problem.why,
    }
}

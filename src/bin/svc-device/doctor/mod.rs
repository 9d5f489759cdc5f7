//! `svc-device doctor`: what is right and what is wrong here, each with what to do. Changes nothing.

mod finding;
mod live;
mod own_files;
mod plugins;
mod port_holder;
mod running;
mod windows_rights;

use crate::arguments::Options;
use crate::console::print;
use finding::{Finding, Level};
use std::process::ExitCode;
use svc_device::device::recovery::user_folder;

/// Looks at everything and prints it; the exit code is 1 where something is wrong.
pub fn run(options: &Options) -> ExitCode {
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let mut findings = vec![Finding::fine("version", format!("svc-device {} on {system}", svc_device::VERSION))];
    match options.data_dir.clone().or_else(user_folder) {
        Some(folder) => look(&folder, options, &mut findings),
        None => findings.push(Finding::wrong(
            "data folder",
            "there is no home folder to keep anything in; name a folder with --data-dir",
        )),
    }
    let width = findings.iter().map(|finding| finding.subject.len()).max().unwrap_or_default();
    for Finding { level, subject, text } in &findings {
        print(&format!("{:<6} {subject:<width$}  {text}", level.word()));
    }
    let wrong = findings.iter().filter(|finding| finding.level == Level::Wrong).count();
    print("");
    print(&match wrong {
        0 => "Nothing is wrong.".to_owned(),
        1 => "1 thing is wrong.".to_owned(),
        count => format!("{count} things are wrong."),
    });
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn look(folder: &std::path::Path, options: &Options, findings: &mut Vec<Finding>) {
    findings.push(own_files::data_folder(folder));
    let (settings, finding) = own_files::settings(folder);
    findings.push(finding);
    findings.extend(own_files::last_save(folder));
    let (token, finding) = own_files::token(folder, options.token_file.as_deref());
    findings.push(finding);
    let port = options.port.unwrap_or(settings.port);
    let config = running::look(port, token, findings);
    let folders = match &config {
        Some(config) => running::Folders::of_config(config),
        None => running::Folders::of_settings(&settings),
    };
    folders.look(folder, findings);
    findings.extend(plugins::look(|name| std::env::var_os(name)));
    findings.push(live::script(options, config.as_ref()));
    findings.extend(config.iter().flat_map(live::host));
    findings.extend(live::links(folder));
}

//! `svc-device convert`: a Set that is in one file, written as another.

use crate::console::print;
use std::path::Path;
use std::process::ExitCode;
use svc_device::device::set_files::{SetFile, read_damaged_file, with_samples_beside};
use svc_device::device::state::StateParts;
use svc_device::device::state_file::StateFile;
use svc_device::live_files::Damage;
use svc_device::music::shown_text::shown_line;
use svc_device::paths::AllowedFolders;
use svc_device::service::Settings;

/// How the files that can be written end.
const ENDINGS: [&str; 2] = ["svcset", "json"];

/// Reads `from` and writes `to`, which is not there yet.
pub fn run(from: &Path, to: &Path, damage: Damage) -> Result<ExitCode, String> {
    let (read, written) = (from.display(), to.display());
    let ending = to.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    if !ENDINGS.contains(&ending.as_str()) {
        return Err(format!("{written}: the file to write ends in .svcset or .json"));
    }
    if to.symlink_metadata().is_ok() {
        return Err(format!("{written} is there already; name one that is not"));
    }
    let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(format!("there is no folder {} to write {written} in", folder.display()));
    }
    let set = read_damaged_file(from, &AllowedFolders::default(), damage).map_err(|why| format!("{read}: {why}"))?;
    let settings = match &set {
        SetFile::Own(state) => state.settings.clone(),
        SetFile::Live(_) => Settings::default(),
    };
    let file = StateFile::new(Path::new(""), Some(to.to_owned()));
    let document = with_samples_beside(from, set.document());
    let parts = StateParts { settings: &settings, document: &document, id: "", revision: 0, log: None };
    let staged = file.stage(|to| parts.write(to));
    staged
        .and_then(|staged| file.put_in_place(staged))
        .map_err(|why| format!("{written} could not be written: {why}"))?;
    print(&format!("{written}: written from {read}"));
    set.report().into_iter().flat_map(|report| report.lines()).for_each(|line| print(&shown_line(&line)));
    Ok(ExitCode::SUCCESS)
}

//! `open`, `import`, `save` and `export`: Sets in files, inside the folders that the user has allowed.
//!
//! All of it is the work of a job, which reads or writes the file; what is put into the Set is one step, of the Set as
//! it is by then.

use crate::disk::is_in_real_folder;
use crate::music::excerpt::excerpt;
use crate::object_model::Session;
use crate::object_model::host_edits::SetPlace;
use crate::object_model::host_values::SetVersion;
use crate::tools::call::{CallContext, LaterChanges, PreparedCall, prepared_read};
use crate::tools::error::{ErrorKind as Refusal, ToolError};
use crate::tools::file_work::{allowed, job};
use crate::tools::request::{CollectedFrom, RequestContext, SetToWrite};
use serde_json::{Map, Value, json};
use std::path::Path;

/// How the files that are written end.
const ENDING: &str = "svcset";

const WHAT: &str = "Sets are read and written";

/// Opens a Set in place of this one, or imports its tracks. A damaged one is refused, or with `salvage` read up to
/// there.
pub fn take(
    action: &str,
    file: &str,
    salvage: bool,
    view: &RequestContext,
) -> Result<Box<dyn PreparedCall>, ToolError> {
    let place = if action == "open" { SetPlace::Instead } else { SetPlace::Beside };
    let path = allowed::existing("file", file, WHAT, view)?;
    let (device, title) = (view.device.clone(), format!("{action} {}", excerpt(file)));
    let named = file.to_owned();
    let look = |session: &mut dyn Session, _: &mut CallContext| match session.version() {
        Some(_) => Ok(()),
        None => {
            let why = "files are opened and imported in Ableton Live itself";
            Err(ToolError { kind: Refusal::Unable, ..ToolError::new(why) })
        }
    };
    let finish = move |(), call: &mut CallContext| {
        let (LaterChanges(later), facts) = (call.later.clone(), device.clone());
        job::start(&device, super::TOOL.name, &title, move |work| {
            let read = facts.set_files.read(&path, &facts.allowed_folders(), salvage, work);
            let read = read.map_err(|why| about(&named, &why))?;
            let mut answer = told(&named);
            answer.extend(read.told);
            let put = |session: &mut dyn Session| Ok(json!(session.put_set(&read.set, place)?));
            let later = later.ok_or_else(|| ToolError::new("nothing can be changed here"))?;
            let left = later.commit(work.control, &put)?;
            let detail = match place {
                SetPlace::Instead => "one step, which undo takes back; the file stays as it is".to_owned(),
                SetPlace::Beside => {
                    let left = left.as_array().into_iter().flatten().filter_map(Value::as_str);
                    format!("not imported: {}", left.collect::<Vec<_>>().join(", "))
                }
            };
            answer.insert("detail".to_owned(), json!(detail));
            Ok(Value::Object(answer))
        })
    };
    Ok(prepared_read(look, finish, |()| false))
}

/// Saves this Set, or exports it with its samples.
pub fn write(action: &str, file: &str, view: &RequestContext) -> Result<Box<dyn PreparedCall>, ToolError> {
    if !Path::new(file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING)) {
        return Err(about(file, &format!("a Set is written to a file that ends in .{ENDING}")));
    }
    let path = allowed::to_write("file", file, WHAT, view)?;
    let (device, named) = (view.device.clone(), file.to_owned());
    let is_collected = action == "export";
    let by_hand = view.chosen_file.is_some();
    let is_to_be_fetched =
        device.transfer_folders.downloads.as_deref().is_some_and(|folder| is_in_real_folder([folder], &path));
    let title = format!("{action} {}", excerpt(file));
    let gather = |session: &mut dyn Session, _: &mut CallContext| {
        let elsewhere = "the Set that is open in Ableton Live is saved there";
        session.version().ok_or_else(|| ToolError::new(elsewhere))
    };
    let finish = move |set: SetVersion, call: &mut CallContext| {
        call.budget.check()?;
        let facts = device.clone();
        let context = device.project.context();
        job::start(&device, super::TOOL.name, &title, move |work| {
            let folders = || facts.allowed_folders().and(facts.transfer_folders.samples.as_slice());
            let collected = is_collected.then(|| CollectedFrom { folders: folders(), by_hand });
            let set = SetToWrite { set, context, collected };
            let written = facts.set_files.write(&path, &set, work).map_err(|why| about(&named, &why))?;
            let mut answer = told(&named);
            answer.insert("bytes".to_owned(), json!(written.bytes));
            if is_collected {
                answer.insert("samples".to_owned(), json!(written.samples));
            }
            if !written.missing.is_empty() {
                answer.insert("missingSamples".to_owned(), json!(written.missing));
            }
            let mut details = Vec::new();
            if written.outside > 0 {
                details.push(format!(
                    "{} of the missing samples lie outside the folders that sampleFolder and allowedFolders name, and \
                     are copied only by hand, in the device's window",
                    written.outside
                ));
            }
            if is_to_be_fetched {
                details.push(
                    "it lies there to be fetched, and goes again after a day; one that is to stay is saved into a \
                     folder that allowedFolders names"
                        .to_owned(),
                );
            }
            if !details.is_empty() {
                answer.insert("detail".to_owned(), json!(details.join("; ")));
            }
            Ok(Value::Object(answer))
        })
    };
    Ok(prepared_read(gather, finish, |_| false))
}

fn told(file: &str) -> Map<String, Value> {
    Map::from_iter([("file".to_owned(), json!(file))])
}

fn about(file: &str, why: &str) -> ToolError {
    allowed::about("file", file, why)
}

//! `open`, `import`, `save` and `export`: Sets in files, inside the folders that the user has allowed.
//!
//! All of it is the work of a job, which reads or writes the file; what is put into the Set is one step, of the Set as
//! it is by then.

use crate::jobs::{JobControl, JobProgress};
use crate::music::excerpt::excerpt;
use crate::object_model::Session;
use crate::object_model::model::{SetPlace, SetVersion};
use crate::tools::call::{Answer, CallContext, LaterChanges, PreparedCall, prepared_read};
use crate::tools::error::{ErrorKind as Refusal, ToolError};
use crate::tools::request::{DeviceFacts, FileWork, RequestContext, SetToWrite};
use serde_json::{Map, Value, json};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// How the files that are written end.
const ENDING: &str = "svcset";

/// Opens a Set in place of this one, or imports its tracks.
pub fn take(action: &str, file: &str, view: &RequestContext) -> Result<Box<dyn PreparedCall>, ToolError> {
    let place = if action == "open" { SetPlace::Instead } else { SetPlace::Beside };
    let path = allowed(file, view, |path| path.canonicalize())?;
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
        start(&device, &title, move |work| {
            let read =
                facts.set_files.read(&path, &facts.allowed_folders(), work).map_err(|why| about(&named, &why))?;
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
    let path = allowed(file, view, in_real_folder)?;
    let (device, named) = (view.device.clone(), file.to_owned());
    let collected = (action == "export").then(|| device.allowed_folders());
    let is_collected = collected.is_some();
    let title = format!("{action} {}", excerpt(file));
    let gather = |session: &mut dyn Session, _: &mut CallContext| {
        let elsewhere = "the Set that is open in Ableton Live is saved there";
        session.version().ok_or_else(|| ToolError::new(elsewhere))
    };
    let finish = move |set: SetVersion, call: &mut CallContext| {
        call.budget.check()?;
        let set = SetToWrite { set, context: device.project.context(), collected };
        let facts = device.clone();
        start(&device, &title, move |work| {
            let written = facts.set_files.write(&path, &set, work).map_err(|why| about(&named, &why))?;
            let mut answer = told(&named);
            answer.insert("bytes".to_owned(), json!(written.bytes));
            if is_collected {
                answer.insert("samples".to_owned(), json!(written.samples));
            }
            if !written.missing.is_empty() {
                answer.insert("missingSamples".to_owned(), json!(written.missing));
            }
            Ok(Value::Object(answer))
        })
    };
    Ok(prepared_read(gather, finish, |_| false))
}

fn start(
    device: &Arc<DeviceFacts>,
    title: &str,
    work: impl FnOnce(&FileJob) -> Result<Value, ToolError> + Send + 'static,
) -> Result<Answer, ToolError> {
    let text = title.to_owned();
    let work = move |control: &JobControl| work(&FileJob { control, title: text }).map_err(|why| why.to_string());
    let job = device.jobs.start(super::TOOL.name, title, work).map_err(|why| ToolError::new(why.to_string()))?;
    Ok(Answer { job: Some(Arc::new(job)), ..Answer::default() })
}

/// Work on a file, as its job tells of it.
struct FileJob<'a> {
    control: &'a JobControl,
    title: String,
}

impl FileWork for FileJob<'_> {
    fn report(&self, done: u64, total: u64) {
        let percent = done.saturating_mul(100).checked_div(total).unwrap_or(100);
        let text = format!("{}: {percent} %", self.title);
        self.control.report(JobProgress { done, total: Some(total), text });
    }

    fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }

    fn commit(&self) -> bool {
        self.control.commit()
    }
}

fn told(file: &str) -> Map<String, Value> {
    Map::from_iter([("file".to_owned(), json!(file))])
}

fn about(file: &str, why: &str) -> ToolError {
    ToolError::about("file", format!("{}: {why}", excerpt(file)))
}

/// A file that may not be there yet, in a folder that is.
fn in_real_folder(path: &Path) -> std::io::Result<PathBuf> {
    let folder = path.parent().unwrap_or(path).canonicalize()?;
    let file = folder.join(path.file_name().unwrap_or_default());
    // A link that lies there leads elsewhere.
    if file.symlink_metadata().is_ok() { file.canonicalize() } else { Ok(file) }
}

/// The file without links, if it lies in one of the allowed folders or the user chose it by hand. Of what lies
/// elsewhere nothing is told, not even whether it is there.
fn allowed(
    file: &str,
    view: &RequestContext,
    resolve: fn(&Path) -> std::io::Result<PathBuf>,
) -> Result<PathBuf, ToolError> {
    let path = Path::new(file);
    if !path.is_absolute() || path.components().any(|part| part == Component::ParentDir) {
        return Err(about(file, "name it by its absolute path, without .."));
    }
    let outside =
        || about(file, "Sets are read and written only in the folders that allowedFolders and sampleFolder name");
    let is_chosen = view.chosen_file.as_deref() == Some(path);
    let folders = view.device.project.folders();
    let inside = |path: &Path| {
        is_chosen
            || folders.iter().any(|folder| {
                let real = Path::new(folder).canonicalize();
                path.starts_with(folder) || real.is_ok_and(|real| path.starts_with(real))
            })
    };
    if !inside(path) {
        return Err(outside());
    }
    match resolve(path) {
        Ok(real) if inside(&real) => Ok(real),
        Ok(_) => Err(outside()),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(about(file, "there is no such file or folder")),
        Err(error) => Err(about(file, &format!("it cannot be reached: {error}"))),
    }
}

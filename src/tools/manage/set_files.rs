//! `open`, `import`, `save` and `export`: Sets in files, inside the folders that the user has allowed.
//!
//! A file is read while the call is prepared, and written when it is finished; what is put into the Set is one step.

use crate::music::excerpt::excerpt;
use crate::object_model::Session;
use crate::object_model::model::{SetPlace, SetVersion};
use crate::tools::call::{Answer, CallContext, PreparedCall, prepared, prepared_read};
use crate::tools::error::ToolError;
use crate::tools::request::RequestContext;
use serde_json::{Map, Value, json};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// How the files that are written end.
const ENDING: &str = "svcset";

/// Opens a Set in place of this one, or imports its tracks.
pub fn take(action: &str, file: &str, view: &RequestContext) -> Result<Box<dyn PreparedCall>, ToolError> {
    let place = if action == "open" { SetPlace::Instead } else { SetPlace::Beside };
    let path = allowed(file, view, |path| path.canonicalize())?;
    let read = view.device.set_files.read(&path, &view.device.allowed_folders()).map_err(|why| about(file, &why))?;
    let mut answer = told(file);
    answer.extend(read.told);
    let set = read.set;
    Ok(prepared(move |session, _| {
        let left = session.put_set(&set, place)?;
        let detail = match place {
            SetPlace::Instead => "one step, which undo takes back; the file stays as it is".to_owned(),
            SetPlace::Beside => format!("not imported: {}", left.join(", ")),
        };
        answer.insert("detail".to_owned(), json!(detail));
        Ok(Value::Object(answer))
    }))
}

/// Saves this Set, or exports it with its samples.
pub fn write(action: &str, file: &str, view: &RequestContext) -> Result<Box<dyn PreparedCall>, ToolError> {
    if !Path::new(file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING)) {
        return Err(about(file, &format!("a Set is written to a file that ends in .{ENDING}")));
    }
    let path = allowed(file, view, in_real_folder)?;
    let (device, named) = (view.device.clone(), file.to_owned());
    let collected = (action == "export").then(|| device.allowed_folders());
    let gather = |session: &mut dyn Session, _: &mut CallContext| {
        let elsewhere = "the Set that is open in Ableton Live is saved there";
        session.version().ok_or_else(|| ToolError::new(elsewhere))
    };
    let finish = move |set: SetVersion, call: &mut CallContext| {
        call.budget.check()?;
        let context = device.project.context();
        let written = device.set_files.write(&path, &set, &context, collected.as_ref());
        let written = written.map_err(|why| about(&named, &why))?;
        let mut answer = told(&named);
        answer.insert("bytes".to_owned(), json!(written.bytes));
        if collected.is_some() {
            answer.insert("samples".to_owned(), json!(written.samples));
        }
        if !written.missing.is_empty() {
            answer.insert("missingSamples".to_owned(), json!(written.missing));
        }
        Ok(Answer::from(Value::Object(answer)))
    };
    Ok(prepared_read(gather, finish, |_| true))
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

//! Sets in files as a window asks for them: a thread of its own lets the user choose a file and calls `svc-manage` with
//! it. Neither the window's thread, which may be a host's main thread, nor anyone else waits for either.

use super::notifier::Notifier;
use super::packed_state::ENDING;
use crate::jobs::JobState;
use crate::music::text::{counted, sentence};
use crate::service::{Answer, CallFailure, CallRequest, ProfileHeaders, Service, answer_of_job};
use crate::service::{Caller, Via};
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A dialog that was closed, and on some systems one that could not be opened.
#[cfg(target_os = "linux")]
const NOTHING_CHOSEN: &str = "No file was chosen. If no dialog opened, install xdg-desktop-portal or zenity.";
#[cfg(not(target_os = "linux"))]
const NOTHING_CHOSEN: &str = "No file was chosen.";
const TOOL: &str = "svc-manage";
/// What the history calls who did it.
const WHO: &str = "window";
/// How long one look at a job lasts; then it is looked at again.
const JOB_LOOK: Duration = Duration::from_secs(60);

/// What a user does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileTask {
    /// In place of the Set that is there.
    Open,
    /// Its tracks, beside those that are there.
    Import,
    Save,
    /// With its samples.
    Export,
}

impl FileTask {
    /// The action of `svc-manage`.
    fn action(self) -> &'static str {
        match self {
            FileTask::Open => "open",
            FileTask::Import => "import",
            FileTask::Save => "save",
            FileTask::Export => "export",
        }
    }

    fn done(self) -> &'static str {
        match self {
            FileTask::Open => "Opened",
            FileTask::Import => "Imported",
            FileTask::Save => "Saved",
            FileTask::Export => "Exported",
        }
    }
}

/// What is to be shown of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTaskView {
    /// A dialog is open, or a file is read or written.
    pub at_work: bool,
    /// What came of the last task; sentences.
    pub told: String,
    /// It was refused.
    pub is_refusal: bool,
}

/// Carries out one task at a time.
pub struct FileDesk {
    service: Arc<Service>,
    notifier: Notifier,
    view: Arc<Mutex<FileTaskView>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl FileDesk {
    pub(super) fn new(service: Arc<Service>, notifier: Notifier) -> FileDesk {
        FileDesk { service, notifier, view: Arc::default(), thread: Mutex::default() }
    }

    /// Begins a task, unless one is at work; never waits. `chosen` is the file that the user chooses, waited for on the
    /// task's thread.
    pub fn begin(&self, task: FileTask, chosen: impl Future<Output = Option<PathBuf>> + Send + 'static) {
        {
            let mut view = self.view.lock();
            if view.at_work {
                return;
            }
            *view = FileTaskView { at_work: true, ..FileTaskView::default() };
        }
        let (service, notifier, view) = (self.service.clone(), self.notifier.clone(), self.view.clone());
        let work = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
            let outcome = match runtime {
                Ok(runtime) => runtime.block_on(async {
                    match chosen.await {
                        Some(file) => carry_out(&service, task, &file).await,
                        None => Ok(NOTHING_CHOSEN.to_owned()),
                    }
                }),
                Err(error) => Err(format!("No dialog could be opened: {error}.")),
            };
            let is_refusal = outcome.is_err();
            let told = outcome.unwrap_or_else(|why| why);
            *view.lock() = FileTaskView { at_work: false, told, is_refusal };
            notifier.changed();
        };
        match std::thread::Builder::new().name("svc-file-dialog".to_owned()).spawn(work) {
            Ok(thread) => *self.thread.lock() = Some(thread),
            Err(error) => {
                let told = format!("A thread could not be started: {error}.");
                *self.view.lock() = FileTaskView { at_work: false, told, is_refusal: true };
            }
        }
    }

    /// How it stands; never waits.
    pub fn view(&self) -> FileTaskView {
        self.view.lock().clone()
    }

    /// The thread to be joined when the device goes. While a dialog is open it does not end.
    pub(super) fn stop(&self) -> Option<JoinHandle<()>> {
        self.thread.lock().take()
    }
}

/// Calls the tool, and waits until its job has ended where it becomes one. What was done, or why not.
async fn carry_out(service: &Service, task: FileTask, file: &Path) -> Result<String, String> {
    let file = &to_be_written(task, file)?;
    let named = file.to_str().ok_or("The file's name is no text, so no tool can name it.")?.to_owned();
    let arguments = json!({"action": task.action(), "file": named});
    let request = CallRequest {
        tool: TOOL.to_owned(),
        arguments: arguments.as_object().cloned().unwrap_or_default(),
        headers: ProfileHeaders::default(),
        timeout: None,
        json: true,
        as_text: false,
        published_only: false,
        who: Caller::new(Via::Window, WHO),
        chosen_file: Some(Arc::from(file.as_path())),
    };
    let answer = answered(service, request).await.map_err(|failure| sentence(failure.message()))?;
    let (is_error, warnings) = (answer.is_error, answer.warnings);
    let result = answer.result.into_value();
    if is_error {
        return Err(sentence(result.as_str().unwrap_or_default()));
    }
    let name = file.file_name().map_or(named.clone(), |name| name.to_string_lossy().into_owned());
    let mut sentences = vec![match (result.as_object(), task) {
        (Some(answer), FileTask::Open | FileTask::Import) => taken(task, &name, answer),
        (Some(answer), FileTask::Save | FileTask::Export) => written(task, &name, answer),
        (None, _) => format!("{} {name}.", task.done()),
    }];
    sentences.extend(warnings.iter().map(|warning| sentence(warning)));
    Ok(sentences.join(" "))
}

/// The file with the ending of a Set of ours, where none was typed. One that lies there under that name was not the one
/// that the user agreed to replace.
fn to_be_written(task: FileTask, file: &Path) -> Result<PathBuf, String> {
    let is_whole = matches!(task, FileTask::Open | FileTask::Import) || file.extension().is_some();
    let whole = if is_whole { file.to_owned() } else { file.with_extension(ENDING) };
    match !is_whole && whole.exists() {
        true => Err(format!("{} is there already: choose it to replace it.", whole.display())),
        false => Ok(whole),
    }
}

async fn answered(service: &Service, request: CallRequest) -> Result<Answer, CallFailure> {
    let mut answer = service.call(request).await?;
    while let Some(job) = answer.job.take() {
        let status = job.ended(Instant::now() + JOB_LOOK).await;
        let is_under_way = matches!(status.state, JobState::Waiting | JobState::Running);
        answer = answer_of_job(Answer { job: Some(job).filter(|_| is_under_way), ..answer }, &status);
        if !is_under_way {
            answer.warnings.extend(service.save_warning().await);
        }
    }
    Ok(answer)
}

fn taken(task: FileTask, name: &str, answer: &Map<String, Value>) -> String {
    let count = |of: &str, word| Some(counted(usize::try_from(answer.get(of)?.as_u64()?).ok()?, word));
    let holds: Vec<String> = [count("tracks", "track"), count("scenes", "scene")].into_iter().flatten().collect();
    let mut told = format!("{} {name}: {}.", task.done(), holds.join(", "));
    for (member, words) in [("leftOut", "Left out"), ("unknown", "Not known")] {
        if let Some(kinds) = answer.get(member).and_then(Value::as_object) {
            let kinds: Vec<String> = kinds.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            told += &format!(" {words}: {}.", kinds.join(", "));
        }
    }
    told + &missing(answer)
}

fn written(task: FileTask, name: &str, answer: &Map<String, Value>) -> String {
    let samples = answer.get("samples").and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
    let with = samples.map(|count| format!(" with {}", counted(count, "sample"))).unwrap_or_default();
    format!("{} {name}{with}.{}", task.done(), missing(answer))
}

fn missing(answer: &Map<String, Value>) -> String {
    let missing = answer.get("missingSamples").and_then(Value::as_array).map_or(0, Vec::len);
    let more = answer.get("moreMissingSamples").and_then(Value::as_u64).and_then(|more| usize::try_from(more).ok());
    match missing + more.unwrap_or_default() {
        0 => String::new(),
        count => format!(" Missing: {}.", counted(count, "sample")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Config, Device, Persistence};
    use crate::service::pump::SliceThread;
    use crossbeam_channel::Receiver;

    fn outcome(device: &Device, news: &Receiver<()>) -> FileTaskView {
        loop {
            let view = device.file_desk.view();
            if !view.at_work {
                return view;
            }
            news.recv_timeout(Duration::from_secs(10)).unwrap_or_else(|_| panic!("no news, and it shows {view:?}"));
        }
    }

    #[test]
    fn a_chosen_file_needs_no_permission() {
        let root = tempfile::tempdir().unwrap();
        let (told, news) = crossbeam_channel::unbounded();
        let (device, _engine) = Device::new(Config::of_test(Persistence::Nowhere, move || {
            // The test has seen enough when nobody listens.
            let _ = told.send(());
        }));
        device.start(SliceThread::Model).unwrap();
        let folders = device.service.settings();
        assert!(folders.allowed_folders.is_empty() && folders.sample_folder.is_empty());
        let file = |name: &str| root.path().join(name);
        std::fs::write(file("notes.txt"), "no Set").unwrap();
        let cases = [
            (FileTask::Save, Some("song"), Ok("Saved song.svcset.")),
            (FileTask::Save, Some("song"), Err("song.svcset is there already: choose it to replace it.")),
            (FileTask::Save, Some("song.svcset"), Ok("Saved song.svcset.")),
            (FileTask::Export, Some("all.svcset"), Ok("Exported all.svcset with 0 samples.")),
            (FileTask::Open, Some("song.svcset"), Ok("Opened song.svcset: 4 tracks, 8 scenes.")),
            (FileTask::Import, Some("song.svcset"), Ok("Imported song.svcset: 4 tracks, 8 scenes.")),
            (FileTask::Open, Some("nothing.als"), Err("there is no such file")),
            (FileTask::Open, Some("notes.txt"), Err("notes.txt")),
            (FileTask::Save, Some("song.als"), Err(".svcset")),
            (FileTask::Open, None, Ok("No file was chosen.")),
        ];
        for (task, name, meant) in cases {
            let chosen = name.map(file);
            device.file_desk.begin(task, async { chosen });
            let view = outcome(&device, &news);
            let (words, is_refusal) = meant.map_or_else(|words| (words, true), |words| (words, false));
            assert!(view.told.contains(words) && view.is_refusal == is_refusal, "{task:?} {name:?}: {view:?}");
        }
        assert_eq!(device.set.committed().document.tracks.len(), 8, "four were imported behind four");
    }

    #[test]
    fn there_is_one_task_at_a_time() {
        let (told, news) = crossbeam_channel::unbounded();
        let (device, _engine) = Device::new(Config::of_test(Persistence::Nowhere, move || {
            let _ = told.send(());
        }));
        let (choose, chosen) = tokio::sync::oneshot::channel();
        device.file_desk.begin(FileTask::Open, async { chosen.await.ok() });
        assert!(device.file_desk.view().at_work);
        device.file_desk.begin(FileTask::Open, async { panic!("a second dialog") });
        drop(choose);
        assert!(outcome(&device, &news).told.starts_with("No file was chosen."));
    }
}

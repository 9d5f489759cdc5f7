//! The script for Live as a window asks for it: what is wanted is noted on the window's thread, which may be a host's
//! main thread, done by the supervisor, and shown when it is done.

use super::live_setup::{LiveSetup, SetupProblem};
use super::notifier::{Event, Notifier};
use crate::live_script::{Change, Installed, Removed, RunningScript, ScriptStatus, UserLibrary};
use crate::music::text::capitalized;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// Tasks that may wait; more than anybody clicks.
const MAX_TASKS: usize = 16;

/// Something about the script that the user wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LiveTask {
    /// See how it stands.
    Look,
    Install,
    Remove,
    /// The User Library is here; empty forgets what was named.
    NameLibrary(String),
}

/// How it stands, as it was seen last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LiveScriptView {
    /// Something is wanted and not done yet.
    pub at_work: bool,
    /// `None` before the first look, and where there is a problem.
    pub found: Option<(UserLibrary, ScriptStatus)>,
    /// Why it cannot be known.
    pub problem: Option<SetupProblem>,
    /// What the last task did; a sentence.
    pub done: Option<String>,
    /// Why the last task did nothing; a sentence.
    pub failed: Option<String>,
}

/// The desk where tasks are left.
pub struct LiveDesk {
    setup: LiveSetup,
    notifier: Notifier,
    tasks: Mutex<VecDeque<LiveTask>>,
    view: Mutex<Arc<LiveScriptView>>,
    running: Mutex<Option<RunningScript>>,
}

impl LiveDesk {
    pub(super) fn new(setup: LiveSetup, notifier: Notifier) -> LiveDesk {
        LiveDesk { setup, notifier, tasks: Mutex::default(), view: Mutex::default(), running: Mutex::default() }
    }

    /// Leaves a task; never waits.
    pub fn ask(&self, task: LiveTask) {
        // First of all: it may be done before this thread comes to say that it waits.
        self.show(|view| view.at_work = true);
        {
            let mut tasks = self.tasks.lock();
            if tasks.len() >= MAX_TASKS || (task == LiveTask::Look && tasks.back() == Some(&LiveTask::Look)) {
                return;
            }
            tasks.push_back(task);
        }
        self.notifier.send(Event::LiveTask);
    }

    /// How it stands; never waits.
    pub fn view(&self) -> Arc<LiveScriptView> {
        self.view.lock().clone()
    }

    /// What the script in a linked Live told of itself; `None` when no Live is linked.
    pub fn set_running(&self, running: Option<RunningScript>) {
        *self.running.lock() = running;
        self.ask(LiveTask::Look);
    }

    /// Does what was asked for. On the supervisor's thread: it waits for the disk.
    pub(super) fn carry_out(&self) {
        loop {
            // A statement of its own, so that nobody who leaves a task waits for this one.
            let task = self.tasks.lock().pop_front();
            let Some(task) = task else { return };
            let outcome = self.do_task(&task);
            let running = self.running.lock().clone();
            let looked = self.setup.look(None, running.as_ref());
            self.show(|view| {
                (view.done, view.failed) = match outcome {
                    Ok(done) => (done, None),
                    Err(why) => (None, Some(why)),
                };
                (view.found, view.problem) = match looked {
                    Ok(found) => (Some(found), None),
                    Err(problem) => (None, Some(problem)),
                };
                view.at_work = !self.tasks.lock().is_empty();
            });
            self.notifier.changed();
        }
    }

    fn show(&self, change: impl FnOnce(&mut LiveScriptView)) {
        change(Arc::make_mut(&mut self.view.lock()));
    }

    /// What was done as a sentence, if anything was; the error is a sentence too.
    fn do_task(&self, task: &LiveTask) -> Result<Option<String>, String> {
        let sentence = |problem: SetupProblem| capitalized(&problem.why) + ".";
        match task {
            LiveTask::Look => Ok(None),
            LiveTask::Install => {
                let done = self.setup.install(None).map_err(sentence)?;
                let remarks = done.remarks.iter().map(|remark| format!(" {}.", capitalized(remark)));
                Ok(Some(installed_sentence(&done.what) + &remarks.collect::<String>()))
            }
            LiveTask::Remove => {
                let done = self.setup.remove(None).map_err(sentence)?;
                Ok(Some(removed_sentence(&done.what)))
            }
            LiveTask::NameLibrary(path) => {
                let path = Some(path.trim()).filter(|path| !path.is_empty()).map(Path::new);
                if path.is_some_and(|path| !path.is_absolute()) {
                    return Err("The User Library must be an absolute folder path.".to_owned());
                }
                self.setup.name_library(path).map_err(sentence)?;
                Ok(None)
            }
        }
    }
}

/// What an installation did, and what became of what lay there.
pub fn installed_sentence(installed: &Installed) -> String {
    let kept = installed.kept.as_ref().map(|kept| format!(" It is kept as {}.", kept.display())).unwrap_or_default();
    let left = installed.left.as_ref().map(|left| format!(" {} can be removed by hand.", left.display()));
    let what = match &installed.change {
        Change::None => "It was installed already.".to_owned(),
        Change::New => "Installed.".to_owned(),
        Change::Replaced { version } => format!("Installed in place of the script {version} that lay there.{kept}"),
        Change::ReplacedForeign => format!("Installed in place of a folder that was no script of ours.{kept}"),
    };
    what + &left.unwrap_or_default()
}

/// What was removed.
pub fn removed_sentence(removed: &Removed) -> String {
    let mut sentences = match &removed.script {
        Some((folder, version)) => format!("Removed the script {version}: {}.", folder.display()),
        None => "There was no script to remove.".to_owned(),
    };
    if let Some(backup) = &removed.backup {
        sentences += &format!(" Removed the earlier script that was kept: {}.", backup.display());
    }
    if let Some(kept) = &removed.foreign_backup {
        sentences += &format!(" What lay there before and was not ours stays: {}.", kept.display());
    }
    if let Some(left) = &removed.left {
        sentences += &format!(" {} could not be removed wholly and can be removed by hand.", left.display());
    }
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::state_file::StateFile;
    use crate::device::{Config, Device, Persistence};
    use crate::live_script::ScriptState;
    use crate::service::pump::SliceThread;
    use crossbeam_channel::Receiver;
    use std::time::Duration;

    fn until(device: &Device, news: &Receiver<()>, holds: impl Fn(&LiveScriptView) -> bool) -> Arc<LiveScriptView> {
        loop {
            let view = device.live_desk.view();
            if holds(&view) {
                return view;
            }
            news.recv_timeout(Duration::from_secs(10)).unwrap_or_else(|_| panic!("no news, and it shows {view:?}"));
        }
    }

    fn state(view: &LiveScriptView) -> Option<ScriptState> {
        view.found.as_ref().map(|(_, status)| status.state.clone())
    }

    #[test]
    fn tasks_are_done_by_the_supervisor() {
        let root = tempfile::tempdir().unwrap();
        let library = root.path().join("User Library");
        std::fs::create_dir(&library).unwrap();
        let (told, news) = crossbeam_channel::unbounded();
        let (device, _engine) = Device::new(Config::of_test(
            Persistence::File(StateFile::new(&root.path().join("svc"), None)),
            move || {
                // The test has seen enough when nobody listens.
                let _ = told.send(());
            },
        ));
        let desk = &device.live_desk;
        desk.ask(LiveTask::NameLibrary(format!(" {} ", library.display())));
        desk.ask(LiveTask::Install);
        // Whoever asks does nothing: it may be a host's main thread.
        assert!(desk.view().at_work && std::fs::read_dir(&library).unwrap().count() == 0);
        device.start(SliceThread::Model).unwrap();
        let view = until(&device, &news, |view| !view.at_work);
        assert!(view.done.as_ref().is_some_and(|done| done.starts_with("Installed.")), "{view:?}");
        assert_eq!((state(&view), &view.failed), (Some(ScriptState::Installed), &None));

        let another = RunningScript { version: "0.0.9".to_owned(), source_hash: "ab".to_owned() };
        desk.set_running(Some(another));
        let another = ScriptState::RunningAnother { version: "0.0.9".to_owned() };
        until(&device, &news, |view| state(view).as_ref() == Some(&another));
        desk.set_running(None);
        until(&device, &news, |view| state(view) == Some(ScriptState::Installed));

        let absent = root.path().join("nope").display().to_string();
        for (name, words) in [("User Library".to_owned(), "must be an absolute"), (absent, "nope is not there.")] {
            desk.ask(LiveTask::NameLibrary(name));
            let view = until(&device, &news, |view| !view.at_work && view.failed.is_some());
            assert!(view.failed.as_ref().is_some_and(|why| why.contains(words)), "{view:?}");
            assert_eq!(state(&view), Some(ScriptState::Installed), "it is about the same folder as before");
            desk.ask(LiveTask::Look);
            until(&device, &news, |view| !view.at_work && view.failed.is_none());
        }
        desk.ask(LiveTask::Remove);
        let view = until(&device, &news, |view| !view.at_work && view.done.is_some());
        assert!(view.done.as_ref().is_some_and(|done| done.starts_with("Removed the script")), "{view:?}");
    }
}

//! One job: how far it is, what came of it, and how it is told to end.

use super::OnJob;
use parking_lot::Mutex;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;
use tokio::sync::watch;

pub(super) type Work = Box<dyn FnOnce(&JobControl) -> Result<Value, String> + Send>;

/// How far a job is. `done` never falls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobProgress {
    /// In units of the job's own.
    pub done: u64,
    /// Of how many, once that is known.
    pub total: Option<u64>,
    /// What it is busy with, such as `reading files: 120 of 2000 (6 %)`.
    pub text: String,
}

/// Where a job stands.
#[derive(Clone, Debug, PartialEq)]
pub enum JobState {
    Waiting,
    Running,
    /// With its answer.
    Done(Arc<Value>),
    /// With the reason.
    Failed(String),
    /// With the reason.
    Cancelled(String),
}

impl JobState {
    pub fn name(&self) -> &'static str {
        match self {
            JobState::Waiting => "waiting",
            JobState::Running => "running",
            JobState::Done(_) => "done",
            JobState::Failed(_) => "failed",
            JobState::Cancelled(_) => "cancelled",
        }
    }

    pub fn has_ended(&self) -> bool {
        !matches!(self, JobState::Waiting | JobState::Running)
    }
}

/// A job as it is at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct JobStatus {
    pub id: String,
    pub tool: &'static str,
    /// What is done.
    pub title: String,
    pub state: JobState,
    /// `None` before there is anything to tell.
    pub progress: Option<JobProgress>,
}

/// What the job's room and its holders share.
pub(super) struct Job {
    pub id: String,
    status: watch::Sender<JobStatus>,
    ended_at: Mutex<Option<Instant>>,
    is_told: AtomicBool,
    /// What it does can no longer be prevented; changed only while the status is.
    is_committed: AtomicBool,
    cancellation: Mutex<Cancellation>,
    /// Called after each change.
    on_change: Option<OnJob>,
}

#[derive(Default)]
struct Cancellation {
    is_cancelled: bool,
    /// Wakes the work.
    wake: Option<Box<dyn Fn() + Send>>,
}

impl Job {
    pub fn new(id: String, tool: &'static str, title: &str, on_change: Option<OnJob>) -> Job {
        let state = JobState::Waiting;
        let status = JobStatus { id: id.clone(), tool, title: title.to_owned(), state, progress: None };
        Job {
            id,
            status: watch::Sender::new(status),
            ended_at: Mutex::default(),
            is_told: AtomicBool::new(false),
            is_committed: AtomicBool::new(false),
            cancellation: Mutex::default(),
            on_change,
        }
    }

    fn report_change(&self) {
        if let Some(on_change) = &self.on_change {
            on_change();
        }
    }

    pub fn status(&self) -> JobStatus {
        self.status.borrow().clone()
    }

    pub fn tell(&self) {
        self.is_told.store(true, Ordering::Release);
        self.report_change();
    }

    pub fn subscribe(&self) -> watch::Receiver<JobStatus> {
        self.status.subscribe()
    }

    pub fn is_told(&self) -> bool {
        self.is_told.load(Ordering::Acquire)
    }

    pub fn ended_at(&self) -> Option<Instant> {
        *self.ended_at.lock()
    }

    pub fn begin(&self) {
        self.change(|status| status.state = JobState::Running);
    }

    /// From now on it is not cancelled; false when it has been.
    pub fn commit(&self) -> bool {
        let mut may_commit = false;
        // Under the lock that cancelling takes, so that one of the two is first.
        self.status.send_if_modified(|status| {
            may_commit = !status.state.has_ended();
            self.is_committed.fetch_or(may_commit, Ordering::AcqRel);
            false
        });
        may_commit
    }

    pub fn end(&self, outcome: Result<Value, String>) {
        self.change(|status| {
            status.state = match outcome {
                Ok(answer) => JobState::Done(Arc::new(answer)),
                Err(why) => JobState::Failed(why),
            };
        });
    }

    /// False when it had ended or committed before.
    pub fn cancel(&self, why: &str) -> bool {
        let cancelled = self.status.send_if_modified(|status| {
            if status.state.has_ended() || self.is_committed.load(Ordering::Acquire) {
                return false;
            }
            status.state = JobState::Cancelled(why.to_owned());
            *self.ended_at.lock() = Some(Instant::now());
            true
        });
        if cancelled {
            self.report_change();
            let mut cancellation = self.cancellation.lock();
            cancellation.is_cancelled = true;
            if let Some(wake) = cancellation.wake.take() {
                drop(cancellation);
                wake();
            }
        }
        cancelled
    }

    /// Changes the status of a job that has not ended; false when it has.
    fn change(&self, change: impl FnOnce(&mut JobStatus)) -> bool {
        let is_changed = self.status.send_if_modified(|status| {
            if status.state.has_ended() {
                return false;
            }
            change(status);
            if status.state.has_ended() {
                *self.ended_at.lock() = Some(Instant::now());
            }
            true
        });
        if is_changed {
            self.report_change();
        }
        is_changed
    }
}

/// What the work of a job tells and asks.
pub struct JobControl(Arc<Job>);

impl JobControl {
    pub(super) fn new(job: Arc<Job>) -> JobControl {
        JobControl(job)
    }

    /// Whether the work is to end, leaving nothing.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancellation.lock().is_cancelled
    }

    /// To be asked before anything is done that stays: from now on the job is not cancelled; false when it has been,
    /// and nothing is to be done.
    pub fn commit(&self) -> bool {
        self.0.commit()
    }

    /// Has `wake` called when the job is cancelled, at once if it is already. It must not wait.
    pub fn on_cancel(&self, wake: impl Fn() + Send + 'static) {
        let mut cancellation = self.0.cancellation.lock();
        if cancellation.is_cancelled {
            drop(cancellation);
            wake();
        } else {
            cancellation.wake = Some(Box::new(wake));
        }
    }

    /// Tells how far the work is. What was told before is forgotten; `done` stays where it would fall.
    pub fn report(&self, mut progress: JobProgress) {
        self.0.change(|status| {
            progress.done = progress.done.max(status.progress.as_ref().map_or(0, |before| before.done));
            status.progress = Some(progress);
        });
    }
}

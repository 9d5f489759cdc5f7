//! Work that takes more than a second by its nature. It has threads of its own, so that no call and no worker waits for
//! it: two jobs run at a time and eight wait; one more is refused. What became of a job is kept for ten minutes.
//!
//! Whoever starts a job holds a [`StartedJob`]. Until its id was told to a caller ([`StartedJob::tell`]), dropping it
//! cancels the job: work that nobody can ask about must not go on. Nothing here polls; waiting ends by events.

mod job;
#[cfg(test)]
mod tests;

pub use job::{JobControl, JobProgress, JobState, JobStatus};

use job::{Job, Work};
use parking_lot::{Condvar, Mutex};
use serde_json::Value;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Jobs that run at a time.
pub const MOST_RUNNING: usize = 2;
/// Jobs that wait for their turn.
pub const MOST_WAITING: usize = 8;
/// How long the answer of a job that has ended is kept.
pub const KEPT_FOR: Duration = Duration::from_secs(600);

/// Why no job was started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    #[error(
        "{MOST_RUNNING} jobs run and {MOST_WAITING} wait, which is as many as there can be; svc-read-job lists them, and \
         svc-manage with action cancel ends one"
    )]
    TooMany,
    #[error("the device is shutting down")]
    Stopped,
    #[error("another project was loaded meanwhile; send it again")]
    AnotherProject,
    #[error("no thread could be started: {0}")]
    NoThread(String),
}

/// Why a job was not cancelled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CancelError {
    #[error("there is no job {0}; svc-read-job lists those of the last ten minutes")]
    Unknown(String),
    #[error("{id} has ended already: it is {state}")]
    Ended { id: String, state: &'static str },
    #[error("{0} is about to end, and what it was started for is done: read it with svc-read-job")]
    Committed(String),
}

/// The jobs of a device, as calls to one of its projects see them.
#[derive(Clone, Default)]
pub struct Jobs {
    room: Arc<Room>,
    /// The project that jobs started here are about, as the host counts them.
    generation: u64,
}

/// Called when a job is further than before; must not wait.
pub type OnJob = Arc<dyn Fn() + Send + Sync>;

#[derive(Default)]
struct Room {
    on_job: Option<OnJob>,
    queue: Mutex<Queue>,
    work_came: Condvar,
}

#[derive(Default)]
struct Queue {
    /// In the order they were started.
    jobs: Vec<Arc<Job>>,
    waiting: VecDeque<(Arc<Job>, Work)>,
    running: usize,
    threads: Vec<JoinHandle<()>>,
    last_number: u64,
    /// The project that is open; nothing is started for one that is gone.
    generation: u64,
    is_stopped: bool,
}

impl Jobs {
    /// Jobs that tell of each change of one of them.
    pub fn telling(on_job: OnJob) -> Jobs {
        Jobs { room: Arc::new(Room { on_job: Some(on_job), ..Room::default() }), generation: 0 }
    }

    /// The same jobs, for calls to the project that the host counts as `generation`.
    pub fn of_project(&self, generation: u64) -> Jobs {
        Jobs { generation, ..self.clone() }
    }

    /// Starts a job, or has it wait for its turn. `tool` is the tool that was called, `title` says what is done, such
    /// as `re-indexing the sample folders`. What `work` gives is the job's answer; an error is told as it is.
    pub fn start(
        &self,
        tool: &'static str,
        title: &str,
        work: impl FnOnce(&JobControl) -> Result<Value, String> + Send + 'static,
    ) -> Result<StartedJob, StartError> {
        let mut queue = self.room.queue.lock();
        queue.forget_old(Instant::now());
        if queue.is_stopped {
            return Err(StartError::Stopped);
        }
        if self.generation < queue.generation {
            return Err(StartError::AnotherProject);
        }
        if queue.running.saturating_add(queue.waiting.len()) >= MOST_RUNNING + MOST_WAITING {
            return Err(StartError::TooMany);
        }
        if queue.threads.len() < MOST_RUNNING {
            let room = self.room.clone();
            let name = format!("svc-job-{}", queue.threads.len());
            let thread = std::thread::Builder::new().name(name).spawn(move || room.run());
            queue.threads.push(thread.map_err(|error| StartError::NoThread(error.to_string()))?);
        }
        queue.last_number = queue.last_number.saturating_add(1);
        let id = format!("job-{}", queue.last_number);
        let job = Arc::new(Job::new(id, tool, title, self.room.on_job.clone()));
        queue.jobs.push(job.clone());
        queue.waiting.push_back((job.clone(), Box::new(work)));
        self.room.work_came.notify_one();
        Ok(StartedJob { jobs: self.clone(), job })
    }

    /// The jobs that are under way or ended in the last ten minutes, oldest first.
    pub fn list(&self) -> Vec<JobStatus> {
        let mut queue = self.room.queue.lock();
        queue.forget_old(Instant::now());
        queue.jobs.iter().filter(|job| job.is_told()).map(|job| job.status()).collect()
    }

    /// One of them.
    pub fn find(&self, id: &str) -> Option<JobStatus> {
        self.list().into_iter().find(|status| status.id == id)
    }

    /// Cancels a job. From now on it is `cancelled`; its work ends as soon as it can and leaves nothing.
    pub fn cancel(&self, id: &str, why: &str) -> Result<JobStatus, CancelError> {
        let job = self.room.queue.lock().jobs.iter().find(|job| job.id == id).cloned();
        let job = job.ok_or_else(|| CancelError::Unknown(id.chars().take(80).collect()))?;
        let is_cancelled = self.end_early(&job, why);
        let status = job.status();
        match is_cancelled {
            true => Ok(status),
            false if status.state.has_ended() => Err(CancelError::Ended { id: status.id, state: status.state.name() }),
            false => Err(CancelError::Committed(status.id)),
        }
    }

    /// Another project is there, which the host counts as `generation`: every job is cancelled, and a call that is
    /// still under way for the one before starts none.
    pub fn begin_project(&self, generation: u64) {
        self.room.queue.lock().generation = generation;
        self.cancel_all("another project was loaded");
    }

    /// Cancels every job.
    pub fn cancel_all(&self, why: &str) {
        let jobs = self.room.queue.lock().jobs.clone();
        for job in jobs {
            self.end_early(&job, why);
        }
    }

    /// Takes no more jobs and cancels those there are. The threads end when the work in their hands does, and are given
    /// back to be joined.
    pub fn stop(&self) -> Vec<JoinHandle<()>> {
        let threads = {
            let mut queue = self.room.queue.lock();
            queue.is_stopped = true;
            std::mem::take(&mut queue.threads)
        };
        self.cancel_all("the device was closed");
        self.room.work_came.notify_all();
        threads
    }

    /// False when it had ended or committed already.
    fn end_early(&self, job: &Arc<Job>, why: &str) -> bool {
        // Work that was never begun is dropped outside the lock: nothing is known of what it holds.
        let dropped = {
            let mut queue = self.room.queue.lock();
            let at = queue.waiting.iter().position(|(waiting, _)| Arc::ptr_eq(waiting, job));
            at.and_then(|at| queue.waiting.remove(at))
        };
        drop(dropped);
        job.cancel(why)
    }

    fn forget(&self, job: &Arc<Job>) {
        self.room.queue.lock().jobs.retain(|known| !Arc::ptr_eq(known, job));
    }
}

impl Queue {
    fn forget_old(&mut self, now: Instant) {
        self.jobs.retain(|job| job.ended_at().is_none_or(|at| now.duration_since(at) < KEPT_FOR));
    }
}

impl Room {
    /// One thread: does the work that waits longest, until the room is closed.
    fn run(&self) {
        while let Some((job, work)) = self.next() {
            let done = catch_unwind(AssertUnwindSafe(|| work(&JobControl::new(job.clone()))));
            job.end(done.unwrap_or_else(|_| Err("the work failed unexpectedly".to_owned())));
            let mut queue = self.queue.lock();
            queue.running = queue.running.saturating_sub(1);
        }
    }

    fn next(&self) -> Option<(Arc<Job>, Work)> {
        let mut queue = self.queue.lock();
        loop {
            if queue.is_stopped {
                return None;
            }
            if let Some((job, work)) = queue.waiting.pop_front() {
                queue.running = queue.running.saturating_add(1);
                job.begin();
                return Some((job, work));
            }
            self.work_came.wait(&mut queue);
        }
    }
}

/// A job in the hands of whoever started it.
pub struct StartedJob {
    jobs: Jobs,
    job: Arc<Job>,
}

impl StartedJob {
    pub fn status(&self) -> JobStatus {
        self.job.status()
    }

    /// The job's id goes out to a caller: from now on it is listed, and goes on without this holder.
    pub fn tell(&self) {
        self.job.tell();
    }

    /// Follows the job; the first change to be seen is the next one.
    pub fn watch(&self) -> watch::Receiver<JobStatus> {
        self.job.subscribe()
    }

    pub fn cancel(&self, why: &str) {
        self.jobs.end_early(&self.job, why);
    }

    /// Waits for its end, at most until `deadline`; the job then.
    pub async fn ended(&self, deadline: Instant) -> JobStatus {
        let mut changes = self.watch();
        let ended = changes.wait_for(|status| status.state.has_ended());
        // The job keeps the sender, so nothing else ends the waiting.
        let _ = tokio::time::timeout_at(deadline.into(), ended).await;
        self.status()
    }
}

impl Drop for StartedJob {
    fn drop(&mut self) {
        if !self.job.is_told() {
            self.cancel("nobody waits for it");
            self.jobs.forget(&self.job);
        }
    }
}

impl std::fmt::Debug for StartedJob {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("StartedJob").field(&self.job.id).finish()
    }
}

impl PartialEq for StartedJob {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.job, &other.job)
    }
}

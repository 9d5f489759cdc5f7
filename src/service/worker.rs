//! Threads for the parts of a call that must not hold up the network or the Set: parsing what is long, reading files,
//! writing long answers.

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// A piece of work, with the way back of what it gives.
pub type Work = Box<dyn FnOnce() + Send>;

/// How many threads; the work is short or waits for a disk.
const THREADS: usize = 2;
/// Pieces of work that may wait.
const QUEUE_LENGTH: usize = 256;

pub struct Workers {
    sender: Sender<Work>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    pub fn start() -> std::io::Result<Workers> {
        let (sender, queue) = bounded::<Work>(QUEUE_LENGTH);
        let spawn = |n: usize| {
            let queue: Receiver<Work> = queue.clone();
            std::thread::Builder::new().name(format!("svc-worker-{n}")).spawn(move || {
                while let Ok(work) = queue.recv() {
                    // Work catches its own panics to answer them; this keeps the thread should one slip through.
                    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
                }
            })
        };
        let threads = (0..THREADS).map(spawn).collect::<std::io::Result<_>>()?;
        Ok(Workers { sender, threads })
    }

    /// Does `work` on a worker; the receiver fails when it panicked. `None` when too much waits already.
    pub fn submit<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<oneshot::Receiver<T>> {
        let (work, receiver) = with_receiver(work);
        self.sender.try_send(work).ok().map(|()| receiver)
    }

    /// As [`Workers::submit`], for what is not to be lost: where too much waits already, it is given back to be done by
    /// the caller.
    pub fn submit_or_return<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> (oneshot::Receiver<T>, Option<Work>) {
        let (work, receiver) = with_receiver(work);
        match self.sender.try_send(work) {
            Ok(()) => (receiver, None),
            Err(TrySendError::Full(work) | TrySendError::Disconnected(work)) => (receiver, Some(work)),
        }
    }

    /// The threads, to be joined; they end when their work is done.
    pub fn stop(self) -> Vec<JoinHandle<()>> {
        drop(self.sender);
        self.threads
    }
}

fn with_receiver<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> (Work, oneshot::Receiver<T>) {
    let (sender, receiver) = oneshot::channel();
    let work = Box::new(move || {
        let _ = sender.send(work());
    });
    (work, receiver)
}

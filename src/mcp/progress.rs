//! Notifications of a job's progress, to a client that gave a token for them and reads streams.

use crate::jobs::{JobProgress, JobStatus, StartedJob};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};
use std::future::Future;
use std::pin::pin;
use std::time::{Duration, Instant};

/// How long a call is kept open for its job. Many clients give up after 60 s, and must have the job's id by then.
const FOLLOW_FOR: Duration = Duration::from_secs(50);

/// Among a request's extensions: its answer may be a stream.
#[derive(Clone, Copy)]
pub struct MayStream;

/// Tells the client of the job's progress, the last one included, until it ends or the time is up; the job then. `None`
/// when the client was gone before that: the job is then cancelled.
pub async fn follow(
    job: &StartedJob,
    peer: &Peer<RoleServer>,
    token: ProgressToken,
    gone: impl Future<Output = ()>,
) -> Option<JobStatus> {
    let until = Instant::now() + FOLLOW_FOR;
    let (mut changes, mut gone) = (job.watch(), pin!(gone));
    let mut told: Option<JobProgress> = None;
    loop {
        let status = changes.borrow_and_update().clone();
        // The protocol wants each number to be larger than the one before.
        let is_news = |now: &&JobProgress| told.as_ref().is_none_or(|before| now.done > before.done);
        if let Some(now) = status.progress.as_ref().filter(is_news) {
            // Whoever does not read it will not read the answer either.
            let _ = peer.notify_progress(notification(&token, now)).await;
            told = Some(now.clone());
        }
        if status.state.has_ended() {
            return Some(status);
        }
        tokio::select! {
            biased;
            () = gone.as_mut() => {
                job.cancel("its call was cancelled");
                return None;
            }
            changed = changes.changed() => {
                if changed.is_err() {
                    return Some(job.status());
                }
            }
            () = tokio::time::sleep_until(until.into()) => return Some(job.status()),
        }
    }
}

fn notification(token: &ProgressToken, progress: &JobProgress) -> ProgressNotificationParam {
    // Counts of files: far below what a number of JSON keeps exact.
    let param = ProgressNotificationParam::new(token.clone(), progress.done as f64).with_message(progress.text.clone());
    match progress.total {
        Some(total) => param.with_total(total as f64),
        None => param,
    }
}

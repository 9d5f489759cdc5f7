//! Jobs whose work waits for the test.

use super::*;
use crossbeam_channel::{Receiver, Sender, bounded};
use serde_json::json;

/// A job that tells when it has begun, and ends when it is told to or cancelled.
struct Held {
    begun: Receiver<()>,
    end: Sender<()>,
    job: StartedJob,
}

fn hold(jobs: &Jobs) -> Result<Held, StartError> {
    let (told, begun) = bounded(1);
    let (end, ended) = bounded(1);
    let wake = end.clone();
    let job = jobs.start("svc-test", "waiting", move |control| {
        let _ = told.send(());
        control.on_cancel(move || _ = wake.try_send(()));
        let _ = ended.recv();
        if control.is_cancelled() { Err("cancelled".to_owned()) } else { Ok(json!(1)) }
    })?;
    job.tell();
    Ok(Held { begun, end, job })
}

fn wait(job: &StartedJob) -> JobStatus {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let status = runtime.block_on(job.ended(Instant::now() + Duration::from_secs(60)));
    assert!(status.state.has_ended(), "{status:?}");
    status
}

fn join(jobs: &Jobs) {
    jobs.stop().into_iter().for_each(|thread| thread.join().unwrap());
}

/// A call that was read before the load may start its job after it.
#[test]
fn nothing_is_started_for_a_project_that_is_gone() {
    let jobs = Jobs::default();
    let (before, after) = (jobs.of_project(4), jobs.of_project(5));
    let running = hold(&before).unwrap();
    jobs.begin_project(5);
    assert_eq!(running.job.status().state, JobState::Cancelled("another project was loaded".to_owned()));
    assert_eq!(hold(&before).err(), Some(StartError::AnotherProject));
    hold(&after).unwrap();
    join(&jobs);
}

#[test]
fn two_run_eight_wait_and_one_more_is_refused() {
    let jobs = Jobs::default();
    let held: Vec<Held> = (0..MOST_RUNNING + MOST_WAITING).map(|_| hold(&jobs).unwrap()).collect();
    held[..MOST_RUNNING].iter().for_each(|held| held.begun.recv().unwrap());
    assert_eq!(hold(&jobs).err(), Some(StartError::TooMany));
    let states: Vec<&str> = jobs.list().iter().map(|status| status.state.name()).collect();
    assert_eq!(states, [["running"; MOST_RUNNING].as_slice(), &["waiting"; MOST_WAITING]].concat());

    // One that ends makes room, in the order they came.
    held[0].end.send(()).unwrap();
    assert_eq!(wait(&held[0].job).state, JobState::Done(Arc::new(json!(1))));
    held[2].begun.recv().unwrap();
    let one_more = hold(&jobs).unwrap();
    assert_eq!(one_more.job.status().id, "job-11");
    join(&jobs);
    let cancelled = JobState::Cancelled("the device was closed".to_owned());
    assert!(held[1..].iter().chain([&one_more]).all(|held| held.job.status().state == cancelled));
    assert_eq!(hold(&jobs).err(), Some(StartError::Stopped));
}

#[test]
fn cancelled_while_it_waits_or_runs() {
    let jobs = Jobs::default();
    let held: Vec<Held> = (0..3).map(|_| hold(&jobs).unwrap()).collect();
    held[..2].iter().for_each(|held| held.begun.recv().unwrap());
    for at in [2, 0] {
        let status = jobs.cancel(&held[at].job.status().id, "asked to").unwrap();
        assert_eq!(status.state, JobState::Cancelled("asked to".to_owned()));
        let again = jobs.cancel(&status.id, "asked to").unwrap_err();
        assert_eq!(again.to_string(), format!("{} has ended already: it is cancelled", status.id));
    }
    assert_eq!(held[2].begun.try_recv().ok(), None, "it never began");
    assert_eq!(jobs.cancel("job-9", "asked to"), Err(CancelError::Unknown("job-9".to_owned())));
    join(&jobs);
}

#[test]
fn untold_jobs_end_with_their_holder_and_are_not_listed() {
    let jobs = Jobs::default();
    let ((begin, begun), (told, seen)) = (bounded(1), bounded(1));
    let job = jobs.start("svc-test", "waiting", move |control| {
        let _ = begin.send(());
        let (wake, woken) = bounded::<()>(1);
        control.on_cancel(move || _ = wake.try_send(()));
        let _ = woken.recv();
        let _ = told.send(control.is_cancelled());
        Ok(json!(1))
    });
    begun.recv().unwrap();
    assert_eq!(jobs.list(), []);
    drop(job.unwrap());
    assert!(seen.recv().unwrap(), "its work was told to end");
    join(&jobs);
}

#[test]
fn progress_never_falls_and_a_panic_is_a_failure() {
    let jobs = Jobs::default();
    let job = jobs.start("svc-test", "failing", |control| {
        let text = String::new;
        control.report(JobProgress { done: 5, total: None, text: text() });
        control.report(JobProgress { done: 3, total: Some(9), text: text() });
        panic!("as asked");
    });
    let job = job.unwrap();
    let status = wait(&job);
    assert_eq!(status.state, JobState::Failed("the work failed unexpectedly".to_owned()));
    assert_eq!(status.progress, Some(JobProgress { done: 5, total: Some(9), text: String::new() }));
    join(&jobs);
}

#[test]
fn answers_are_kept_for_ten_minutes() {
    let jobs = Jobs::default();
    let job = jobs.start("svc-test", "short", |_| Ok(json!(1))).unwrap();
    job.tell();
    wait(&job);
    let mut queue = jobs.room.queue.lock();
    let now = Instant::now();
    queue.forget_old(now + KEPT_FOR - Duration::from_secs(1));
    assert_eq!(queue.jobs.len(), 1);
    queue.forget_old(now + KEPT_FOR);
    assert_eq!(queue.jobs.len(), 0);
    drop(queue);
    join(&jobs);
}

/// Whichever is first, the other is told: a cancelled job does nothing, and one that has done it is not cancelled.
#[test]
fn a_job_is_cancelled_or_commits() {
    let jobs = Jobs::default();
    let start = |title: &str| {
        let ((may_go, go), (told, said)) = (bounded::<()>(1), bounded(1));
        let job = jobs.start("svc-test", title, move |control| {
            let _ = go.recv();
            let _ = told.send(control.commit());
            let _ = go.recv();
            Ok(json!(1))
        });
        let job = job.unwrap();
        job.tell();
        (job, may_go, said)
    };
    let (committed, go, said) = start("commits first");
    go.send(()).unwrap();
    assert!(said.recv().unwrap());
    let id = committed.status().id;
    assert_eq!(jobs.cancel(&id, "asked to"), Err(CancelError::Committed(id.clone())));
    jobs.begin_project(0);
    drop(go);
    assert_eq!(wait(&committed).state, JobState::Done(Arc::new(json!(1))));

    let (cancelled, go, said) = start("is cancelled first");
    jobs.cancel(&cancelled.status().id, "asked to").unwrap();
    drop(go);
    // It may not even have begun.
    assert!(!said.recv().unwrap_or(false));
    assert_eq!(wait(&cancelled).state, JobState::Cancelled("asked to".to_owned()));
    join(&jobs);
}

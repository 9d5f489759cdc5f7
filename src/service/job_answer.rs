//! The answer of a call that started a job: the job's own if it ends within a second, else where to ask for it.

use super::Service;
use super::types::Answer;
use crate::jobs::{JobState, JobStatus};
use crate::tools::report::job_status;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Work that ends within this time is answered as if it were no job.
const DIRECT_ANSWER_WITHIN: Duration = Duration::from_secs(1);

/// Waits for the job that a call started, if it did, for a second and not past the call's own deadline.
pub async fn settle(answer: Answer, deadline: Instant) -> Answer {
    let Some(job) = answer.job.clone() else { return answer };
    let direct = Instant::now() + DIRECT_ANSWER_WITHIN;
    let status = job.ended(direct.min(deadline)).await;
    let is_under_way = !status.state.has_ended();
    if is_under_way {
        job.tell();
    }
    answer_of_job(Answer { job: Some(job).filter(|_| is_under_way), ..answer }, &status)
}

impl Service {
    /// What an answer has to say of what is not on the disk, asked when a job has ended whose call was kept open.
    pub async fn save_warning(&self) -> Option<String> {
        self.save_status.settle().await;
        self.save_status.warning()
    }
}

/// What a call answers whose job is there: its answer, why there is none, or how to ask for it.
pub fn answer_of_job(answer: Answer, status: &JobStatus) -> Answer {
    let (result, is_error) = match &status.state {
        JobState::Done(result) => (Value::clone(result), false),
        JobState::Failed(why) => (json!(why), true),
        JobState::Cancelled(why) => (json!(format!("cancelled: {why}")), true),
        JobState::Waiting | JobState::Running => (job_status::to_be_asked(status), false),
    };
    Answer { result: result.into(), is_error, ..answer }
}

//! A job that works on a file, and tells of it in percent.

use crate::jobs::{JobControl, JobProgress};
use crate::tools::call::Answer;
use crate::tools::error::ToolError;
use crate::tools::request::{DeviceFacts, FileWork};
use serde_json::Value;
use std::sync::Arc;

/// Starts the job of a call of `tool`; the answer waits for it. `title` says what is done: `save /songs/a.svcset`.
pub fn start(
    device: &DeviceFacts,
    tool: &'static str,
    title: &str,
    work: impl FnOnce(&FileJob) -> Result<Value, ToolError> + Send + 'static,
) -> Result<Answer, ToolError> {
    let text = title.to_owned();
    let work = move |control: &JobControl| work(&FileJob { control, title: text }).map_err(|why| why.to_string());
    let job = device.jobs.start(tool, title, work).map_err(|why| ToolError::new(why.to_string()))?;
    Ok(Answer { job: Some(Arc::new(job)), ..Answer::default() })
}

/// Work on a file, as its job tells of it.
pub struct FileJob<'a> {
    pub control: &'a JobControl,
    title: String,
}

impl FileWork for FileJob<'_> {
    fn report(&self, done: u64, total: u64) {
        let percent = done.saturating_mul(100).checked_div(total).unwrap_or(100);
        let text = format!("{}: {percent} %", self.title);
        self.control.report(JobProgress { done, total: Some(total), text });
    }

    fn wrote(&self, bytes: u64) {
        let text = format!("{}: {} kB written", self.title, bytes.div_ceil(1000));
        self.control.report(JobProgress { done: bytes, total: None, text });
    }

    fn is_cancelled(&self) -> bool {
        self.control.is_cancelled()
    }

    fn commit(&self) -> bool {
        self.control.commit()
    }
}

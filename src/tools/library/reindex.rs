//! `reindex`: the folders looked through anew, as a job.

use super::remarks;
use super::result_json::with_detail;
use crate::jobs::{JobControl, JobProgress, Jobs};
use crate::library::{Library, Phase, Progress, ReindexReport};
use crate::music::text::counted;
use crate::tools::call::Answer;
use crate::tools::error::ToolError;
use serde_json::{Value, json};
use std::sync::Arc;

/// Files that cannot be read which are named; the rest is counted.
const MOST_NAMED: usize = 20;

/// Starts the job.
pub fn start(jobs: &Jobs, library: &Arc<Library>) -> Result<Answer, ToolError> {
    if library.folders().is_empty() {
        return Err(ToolError::new(remarks::NO_FOLDER));
    }
    let library = library.clone();
    let work = move |control: &JobControl| run(&library, control);
    let job = jobs.start("svc-library", "re-indexing the sample folders", work);
    let job = job.map_err(|why| ToolError::new(why.to_string()))?;
    Ok(Answer { job: Some(Arc::new(job)), ..Answer::default() })
}

fn run(library: &Arc<Library>, control: &JobControl) -> Result<Value, String> {
    let waiting = library.clone();
    control.on_cancel(move || waiting.wake_waiting());
    let report = library.reindex(&mut |progress| control.report(job_progress(progress)), &|| control.is_cancelled());
    Ok(report_json(library, &report.map_err(|why| why.to_string())?))
}

/// Files are seen first, then those that are new or changed are read; both count.
fn job_progress(progress: &Progress) -> JobProgress {
    let Progress { phase, seen, read, to_read, .. } = progress;
    let count = |files: usize| u64::try_from(files).unwrap_or(u64::MAX);
    match phase {
        Phase::Reading => JobProgress {
            done: count(seen.saturating_add(*read)),
            total: Some(count(seen.saturating_add(*to_read))),
            text: progress.description().unwrap_or_default(),
        },
        _ => JobProgress { done: count(*seen), total: None, text: format!("looking for files: {seen} so far") },
    }
}

fn report_json(library: &Library, report: &ReindexReport) -> Value {
    let ReindexReport { files, changes, unreadable, unread } = report;
    let named = unreadable.iter().take(MOST_NAMED);
    let named: Vec<Value> = named.map(|(path, why)| json!({ "path": path.to_string_lossy(), "reason": why })).collect();
    let mut result = json!({
        "files": files, "new": changes.new, "changed": changes.changed, "gone": changes.gone, "unreadable": named,
    });
    let mut remarks = Vec::new();
    let more = unreadable.len().saturating_sub(MOST_NAMED);
    if let Some(result) = result.as_object_mut().filter(|_| more > 0) {
        result.insert("moreUnreadable".to_owned(), json!(more));
    }
    if *unread > 0 {
        remarks.push(format!("reading was stopped with {} left", counted(*unread, "file")));
    }
    let progress = library.progress();
    if progress.truncated {
        remarks.push(format!("the folders hold more than the {} files that are indexed", progress.found));
    }
    for folder in progress.unlistable_folders.iter().take(MOST_NAMED) {
        remarks.push(format!("cannot be listed, and keeps what was known of it: {}", folder.display()));
    }
    if let Some(why) = &progress.save_error {
        remarks.push(format!("the index could not be saved: {why}"));
    }
    with_detail(result, remarks)
}

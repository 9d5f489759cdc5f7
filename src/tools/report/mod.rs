//! What is said of each target of a call.

pub mod job_status;
pub mod moved_paths;
pub mod target_result;
pub mod write_log;
pub mod write_targets;

//! Files that calls read and write: where they may lie, and the job that works on them.

pub mod allowed;
pub mod job;

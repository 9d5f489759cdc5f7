//! What `svc-connect` teaches: Markdown fragments, composed for each request.
//!
//! A root document, `standard` or `basic` for small models, includes fragments in reading order, with a line such as
//! `@include {notation}`. A fragment is left out when all tools that it explains are withheld, and a line is left out
//! when it names, as code, a tool that the request does not see: each line speaks of one tool. The user's own files
//! replace fragments, switch them off or are included beside them. See D22 in `docs/decisions.md`.

mod compose;
mod fragments;
mod next_step;
mod request;
mod user_files;

pub use compose::{SkillsText, compose, section};
pub use next_step::{EmptyContexts, next_step};
pub use request::SkillRequest;

#[cfg(test)]
mod tests;

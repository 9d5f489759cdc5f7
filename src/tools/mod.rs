//! The tools: what a tool and a call are (`error`, `request`, `call`, `tool`), rooms by subject that several tools use,
//! one file or folder for each tool, and the list of them (`registry`). `docs/architecture.md` says which room may use
//! which.

// What a tool and a call are.
pub mod answer_size;
pub mod answer_text;
pub mod budget;
pub mod call;
pub mod dry_run;
pub mod error;
pub mod metered_session;
pub mod request;
pub mod tool;

// Rooms by subject.
pub mod address;
pub mod aliases;
pub mod arguments;
pub mod clip;
pub mod device;
pub mod file_work;
pub mod history;
pub mod mixer;
pub mod parameter;
pub mod read;
pub mod report;
pub mod scene;
pub mod timeline;

// The tools.
pub mod batch;
pub mod connect;
pub mod context;
pub mod create_clip;
pub mod create_device;
pub mod create_scene;
pub mod create_track;
pub mod delete;
pub mod duplicate;
pub mod library;
pub mod live_api;
pub mod manage;
pub mod playback;
pub mod read_clip;
pub mod read_device;
pub mod read_history;
pub mod read_job;
pub mod read_live_set;
pub mod read_scene;
pub mod read_track;
pub mod render;
pub mod select;
#[cfg(feature = "test-tools")]
pub mod test_tools;
pub mod update_clip;
pub mod update_device;
pub mod update_live_set;
pub mod update_scene;
pub mod update_track;

// The list of all tools.
pub mod registry;

//! Steps of undo in words, what is different between two of them, and which object a call brings back.

mod device_values;
mod member_words;
pub mod moved_copy;
pub mod restore_target;
mod same_clip;
mod shown_value;
pub mod shown_values;
pub mod step_list;
pub mod time_of_day;
pub mod told_changes;
pub mod told_commit;
mod told_notes;

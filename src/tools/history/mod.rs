//! Steps of undo in words, what is different between two of them, and which object a call brings back.

pub mod restore_target;
pub mod shown_values;
pub mod step_list;
pub mod time_of_day;
pub mod told_changes;

//! What is known of Live beyond the tables of the object model: colours, labels of parameters, members that
//! are only kept.

pub mod idle_parameters;
pub mod palette;
pub mod parameter_labels;
pub mod plain_members;

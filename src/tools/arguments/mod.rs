//! What several tools take: comma lists and their pairing, values, the nearest known name.

pub mod action_params;
pub mod levels;
pub mod lists;
pub mod nearest;
pub mod switches;
pub mod values;

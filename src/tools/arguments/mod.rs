//! What several tools take: comma lists and their pairing, values, the nearest known name.

pub mod action_params;
pub mod lists;
pub mod nearest;
pub mod one_or_each;
pub mod values;

//! Clips between slots, timelines and take lanes: copying, moving, lengthening and cutting them, with an honest account
//! of what that costs the clips around.
//!
//! The account is read from the lane afterwards, never predicted. Which of several writes of one call come first, and
//! which one takes another's place, is found out before anything is written ([`order`]).

pub mod area;
pub mod copy;
pub mod lane;
pub mod lane_changes;
pub mod length;
pub mod order;
pub mod overwritten;
pub mod place;
pub mod split;
pub mod take_lanes;

//! The plan: everything the engine plays by as of one moment, made where allocating is allowed.
//!
//! A caller says what there is ([`settings`]); a [`StateStore`] joins that with what tracks and devices remember, which
//! lives on from plan to plan. The audio thread plays a plan and drops none: old ones go back to who made them.

pub(crate) mod device;
mod leaving;
mod prepare;
mod routing;
pub mod settings;
mod store;
mod track;

pub use device::{ChainNode, DeviceNode};
pub use prepare::{LeftOut, Plan, TrackNode};
pub use store::StateStore;

//! The plan: everything the engine plays by as of one moment, made where allocating is allowed.
//!
//! A caller says what there is ([`settings`]); a [`StateStore`] joins that with what tracks and devices remember, which
//! lives on from plan to plan. The audio thread plays a plan and drops none: old ones go back to who made them.

mod chain;
pub(crate) mod device;
mod leaving;
mod note_ways;
pub(crate) mod notes;
mod overrides;
mod prepare;
pub(crate) mod put_off;
mod routing;
pub mod settings;
mod sleep;
mod store;
mod track;
pub(crate) mod ways;

pub use chain::ChainNode;
pub use device::DeviceNode;
pub use prepare::{LeftOut, Plan, TrackNode};
pub use store::StateStore;
pub use track::Automated;
pub use ways::MOST_LATE;

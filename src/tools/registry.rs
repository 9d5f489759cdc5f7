//! The list of all tools.

use super::tool::Tool;
use super::*;

/// Every tool, in the order clients list them.
pub fn all() -> &'static [&'static Tool] {
    static ALL: &[&Tool] = &[
        &connect::TOOL,
        &context::TOOL,
        &manage::TOOL,
        &read_live_set::TOOL,
        &update_live_set::TOOL,
        &read_track::TOOL,
        &create_track::TOOL,
        &update_track::TOOL,
        &read_scene::TOOL,
        &create_scene::TOOL,
        &update_scene::TOOL,
        &read_clip::TOOL,
        &create_clip::TOOL,
        &update_clip::TOOL,
        &read_device::TOOL,
        &create_device::TOOL,
        &update_device::TOOL,
        &delete::TOOL,
        &duplicate::TOOL,
        &select::TOOL,
        &playback::TOOL,
        &render::TOOL,
        &library::TOOL,
        &read_history::TOOL,
        &read_job::TOOL,
        &batch::TOOL,
        &live_api::TOOL,
        #[cfg(feature = "test-tools")]
        &test_tools::TOOL,
    ];
    ALL
}

//! The words that parameters of `svc-library` take.

pub const ACTIONS: [&str; 7] =
    ["search", "list-tags", "list-categories", "list-plugins", "find-similar", "find-duplicates", "reindex"];
/// Names of actions in earlier versions.
pub const RETIRED_ACTIONS: [&str; 7] =
    ["listTags", "listCategories", "listPlugins", "findSimilar", "findDuplicates", "searchBatch", "search-batch"];
pub const KINDS: [&str; 11] = [
    "audio",
    "midi",
    "live-clip",
    "preset",
    "device-group",
    "m4l-device",
    "live-set",
    "plugin",
    "image",
    "video",
    "folder",
];
pub const TYPES: [&str; 3] = ["loop", "oneshot", "impulse-response"];
pub const SOURCES: [&str; 6] = ["sample-folder", "user", "pack", "builtin", "cloud", "plugin"];
pub const DEVICE_KINDS: [&str; 3] = ["instrument", "audiofx", "midifx"];
pub const SORTS: [&str; 3] = ["use-count", "mod-date", "name"];
pub const FORMATS: [&str; 3] = ["VST", "VST3", "AU"];
/// Spellings of earlier versions, of sources and orders.
pub const OLD_WORDS: [&str; 3] = ["sampleFolder", "use_count", "mod_date"];

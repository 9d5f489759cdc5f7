//! Elements that say nothing of the music wherever they stand: views, selections, scroll positions, lists that Live
//! works out anew, and what only a running Live uses.

/// How such elements are called, of whatever they are.
const BEGINNINGS: [&str; 2] = ["ViewState", "LastSelected"];
const ENDINGS: [&str; 7] =
    ["ListWrapper", "ScrollPosition", "ScrollPos", "ScrollerPos", "ViewState", "ViewData", "SplitterProperties"];

/// Those that no such rule has.
const NAMES: [&str; 25] = [
    "LomId",
    "LomIdView",
    "IsContentSelected",
    "IsContentSelectedInDocument",
    "EnvelopeModePreferred",
    "EnvelopeChooser",
    "VelocityDetail",
    "MidiTargetPrefersFoldOrIsNotUniform",
    "AutoWarpPending",
    "AutoWarpTolerance",
    "MarkerDensity",
    "Straightening",
    "WasMuted",
    "SongMasterValues",
    "SourceContext",
    "NeedRefreeze",
    "NeedArrangerRefreeze",
    "TrackSizeChoice",
    "ComputerKeyboardIsEnabled",
    "DefaultColor",
    "ExternSyncOn",
    "ScrollerTimePreserver",
    "MinTrackHeight",
    "GroupedTracksRevealed",
    "TrackGroupVisible",
];

/// See the [module](self).
pub fn says_nothing(name: &str) -> bool {
    NAMES.contains(&name)
        || BEGINNINGS.iter().any(|start| name.starts_with(start))
        || ENDINGS.iter().any(|end| name.ends_with(end))
}

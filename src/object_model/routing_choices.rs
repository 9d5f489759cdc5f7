//! What a list of routings is made of, for who reads those of many tracks: each names nearly all tracks again.

/// An entry of a list of routings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoutingChoice {
    pub name: String,
    /// Enough to choose the entry by.
    pub identifier: String,
}

/// A track's list of routings: some entries, then tracks but for itself, then some more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoutingChoices {
    pub before: Vec<RoutingChoice>,
    pub tracks: Option<RoutedTracks>,
    pub after: Vec<RoutingChoice>,
}

/// Tracks that a list of routings names, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RoutedTracks {
    /// MIDI, audio and group tracks.
    Regular,
    Midi,
    Audio,
}

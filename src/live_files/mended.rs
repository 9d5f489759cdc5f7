//! Values that cannot be, and what was read in their place: the nearest that can. One bad value never refuses a file.

use std::collections::BTreeMap;

/// Kinds that are told apart; a file of nothing but nonsense has no more.
const MAX_KINDS: usize = 200;
/// Kinds beyond those.
const OTHERS: &str = "others";
/// Characters of a value that are repeated.
const SHOWN_CHARS: usize = 40;
/// Characters of a place; elements may be called anything, and stand deep in one another.
const PLACE_CHARS: usize = 600;

/// See the [module](self).
#[derive(Debug, Default)]
pub struct Mended(BTreeMap<String, Kind>);

#[derive(Debug)]
struct Kind {
    count: u64,
    /// The first of them, with its place.
    first: String,
}

impl Mended {
    /// Keeps that a value was read as another. `place` is looked at for the first of a kind alone.
    pub fn add(&mut self, name: &str, text: Option<&str>, read_as: &str, place: impl FnOnce() -> String) {
        let name = if self.0.len() < MAX_KINDS || self.0.contains_key(name) { name } else { OTHERS };
        if let Some(kind) = self.0.get_mut(name) {
            kind.count += 1;
            return;
        }
        let said = text
            .map_or("nothing".to_owned(), |text| format!("{:?}", text.chars().take(SHOWN_CHARS).collect::<String>()));
        let place: String = place().chars().take(PLACE_CHARS).collect();
        let first = format!("{place}: {name} is {said}, read as {read_as}");
        self.0.insert(name.to_owned(), Kind { count: 1, first });
    }

    /// How many of each kind, and the first of each with its place.
    pub fn told(self) -> (Vec<(String, u64)>, Vec<String>) {
        self.0.into_iter().map(|(name, kind)| ((name, kind.count), kind.first)).unzip()
    }
}

/// The number that stands where a file says none that can be read: as in a new Set, and 0 where that has none.
pub fn usual_number(name: &str) -> f64 {
    match name {
        "Velocity" | "GlobalGrooveAmount" | "TimingAmount" => 100.0,
        "OffVelocity" => 64.0,
        "Probability" | "Volume" | "SampleVolume" | "MonitoringEnum" | "CrossFadeState" | "SplitStereoPanR" => 1.0,
        "SplitStereoPanL" | "TrackGroupId" | "LinkedTrackGroupId" | "GrooveId" => -1.0,
        "BankSelectCoarse" | "BankSelectFine" | "ProgramChange" | "Channel" | "NoteOrController" => -1.0,
        "Tempo" => 120.0,
        // 4/4.
        "TimeSignature" | "TimeSignatureId" => 201.0,
        "Numerator" | "Denominator" | "GlobalQuantisation" | "LoopEnd" | "CurrentEnd" | "OutMarker" => 4.0,
        "Duration" => 0.25,
        "LoopLength" => 16.0,
        "MidiKey" | "RootKey" | "SendingNote" => 60.0,
        "Max" | "CrossfadeMax" => 127.0,
        "DefaultSampleRate" => 44_100.0,
        "NumVisibleMacroControls" | "SlicingRegions" => 8.0,
        _ => 0.0,
    }
}

/// The same of what is true or false.
pub fn usual_boolean(name: &str) -> bool {
    matches!(
        name,
        "IsEnabled" | "Speaker" | "On" | "HasStop" | "Active" | "EnabledByUser" | "TrackUnfolded" | "IsWarped"
    )
}

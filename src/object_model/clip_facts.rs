//! What reads show of every clip, for who reads thousands: a host that has it all in one place gives it at once.

/// Members of a clip, by what the class table calls them.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipFacts {
    pub is_midi_clip: bool,
    pub name: String,
    /// 0xRRGGBB.
    pub color: i64,
    pub is_arrangement_clip: bool,
    pub is_playing: bool,
    pub is_triggered: bool,
    pub is_recording: bool,
    pub is_overdubbing: bool,
    pub muted: bool,
    pub has_envelopes: bool,
    /// Numerator and denominator.
    pub signature: (i64, i64),
    pub looping: bool,
    /// In the clip's own time, as the markers are: quarter beats, or seconds of an unwarped one.
    pub loop_start: f64,
    pub loop_end: f64,
    pub start_marker: f64,
    pub end_marker: f64,
}

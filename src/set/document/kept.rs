//! What files say of a Set and Live's object model has no member for: kept whole, and told by reads.

use super::attributes::{Signature, is_false};
use crate::music::Beats;
use serde::{Deserialize, Serialize};

/// Two control points of the curve from a point to the next, as Live's files have them: x and y of each, from 0 to 1.
pub type Bend = [f64; 4];

/// A tempo of the Arrangement from a place on; between two points it goes in a line, or bent. Several may share one
/// place (a step).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TempoPoint {
    /// What holds from the start stands at 0.
    pub time: Beats,
    /// 20..=999.
    pub bpm: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bend: Option<Bend>,
}

/// A time signature of the Arrangement from a place on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeterChange {
    pub time: Beats,
    pub signature: Signature,
}

/// How an audio clip comes in at its left edge in the Arrangement, and goes out at its right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fades {
    /// Switched off they are kept and not heard.
    pub on: bool,
    pub fade_in: Fade,
    pub fade_out: Fade,
    /// The number that the file has for a fade-in which is a crossfade with the clip before it; 0 is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub crossfade: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fade {
    /// In the clip's own time: beats, or seconds where it is not warped.
    pub length: f64,
    /// Where the curve's handle is, -1..=1 each: to the left and right of the middle, below and above it. A line has
    /// both at 0.
    #[serde(default)]
    pub skew: f64,
    #[serde(default)]
    pub slope: f64,
}

impl Fades {
    /// Whether they make a difference to how the clip sounds.
    pub fn are_heard(&self) -> bool {
        self.on && (self.fade_in.length > 0.0 || self.fade_out.length > 0.0)
    }

    pub fn are_sound(&self) -> bool {
        let is_sound = |fade: &Fade| {
            let handle = -1.0..=1.0;
            (0.0..=Fade::LONGEST).contains(&fade.length) && handle.contains(&fade.skew) && handle.contains(&fade.slope)
        };
        is_sound(&self.fade_in) && is_sound(&self.fade_out)
    }
}

impl Fade {
    /// Beats or seconds that no fade is longer than.
    pub const LONGEST: f64 = 1e6;
}

/// How one note goes along one controller of its own (MPE).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NoteExpression {
    /// The note's id in its clip.
    pub note: u32,
    /// As Live's files have it: -2 is pitch, -1 pressure, 74 slide.
    pub controller: i16,
    pub points: Vec<ExpressionPoint>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExpressionPoint {
    /// Beats from the note's start.
    pub offset: Beats,
    /// As the file has it.
    pub value: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bend: Option<Bend>,
}

/// What a clip or a scene leads to after a time of its own. Numbers are those of Live's files.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FollowAction {
    /// Beats from the launch on.
    pub time: Beats,
    /// It follows after so many passes of the clip, and not after its time.
    #[serde(default, skip_serializing_if = "is_false")]
    pub linked: bool,
    #[serde(default = "one")]
    pub passes: u32,
    /// The first choice and the second, each with its chance and where it jumps to.
    pub choices: [FollowChoice; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FollowChoice {
    pub action: u8,
    pub chance: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jump_to: Option<u32>,
}

impl FollowAction {
    /// The action's name in Live; `None` for a number that is not known.
    pub fn action_name(action: u8) -> Option<&'static str> {
        const NAMES: [&str; 10] =
            ["No Action", "Stop", "Play Again", "Previous", "Next", "First", "Last", "Any", "Other", "Jump"];
        NAMES.get(usize::from(action)).copied()
    }
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

fn one() -> u32 {
    1
}

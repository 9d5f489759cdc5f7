//! What can be wrong with a text, and where.

use super::item::SemanticProblem;
use crate::music::position::BadPosition;
use crate::notation::error;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Problem {
    #[error("{0}")]
    Position(BadPosition),
    #[error("a repeat is written beat, x, a count from 1, and perhaps a step: 1|1x4 or 1|1x4@n/8")]
    Repeat,
    #[error("the step of a repeat is a note value or bars: @n/8, @n/8t, @1bar or @1bar+n/4")]
    BareStep,
    #[error("the step of a repeat must be greater than 0 in this meter")]
    StepNotAboveZero,
    #[error("notes are named, not numbered; C3 is middle C (60)")]
    NoteNumber,
    #[error(
        "a number alone says nothing here: notes have names (C3 is middle C, 60), positions a pipe (1|1), and the beats of a list stand behind commas (1|1,2.5)"
    )]
    BareNumber,
    #[error("a note value needs its n")]
    NoteValueWithoutN,
    #[error(
        "this line is in another notation; here velocity (v100), length (n/4) and notes stand before the place (1|1) where they sound"
    )]
    OtherLine,
    #[error("a note value needs its denominator: n/4 is a quarter, n3/8 three eighths, n0.37/4 is 0.37 quarter beats")]
    NoDenominator,
    #[error("the denominator of a note value cannot be 0")]
    ZeroDenominator,
    #[error("the denominator of a note value has no leading zero")]
    LeadingZero,
    #[error("a note value and a bar count are mixed; pick one (n/2 or 2bar) or join them (1bar+n/2)")]
    MixedDuration,
    #[error("a length is written n/4, n3/8, n/4d, n/8t, 2bar or 1bar+n/4")]
    Duration,
    #[error("a blank stands inside what belongs together")]
    Blank,
    #[error("this is written in lower case")]
    Case,
    #[error("a velocity is a whole number, v0 to v127, or a range such as v60-80")]
    Velocity,
    #[error("a velocity range must start at 1; v0 alone means delete")]
    RangeFromZero,
    #[error("a probability is a decimal from p0 to p1, such as p0.5")]
    Probability,
    #[error("the octave is missing (C3 is middle C)")]
    NoOctave,
    #[error("a note is a letter A to G, at most one accidental (# or b) and an octave, such as F#2 or Bb-1")]
    Pitch,
    #[error("chord names cannot be read; list the chord's notes, such as (C3 E3 G3)")]
    ChordName,
    #[error("a space is missing between two items")]
    NoSpace,
    #[error("notes that sound together have spaces between them, nothing else")]
    JoinedNotes,
    #[error("commas belong only in lists of beats (1|1,2.5); put spaces between other items")]
    Comma,
    #[error("a comma in a list of beats is followed by a beat; leave the comma out where something else follows")]
    NotABeat,
    #[error("a beat is needed behind the comma of a list, such as 1|1,2 or 1|1,2x4")]
    NoListedBeat,
    #[error("no comment stands inside a list of beats")]
    CommentInList,
    #[error("a list of beats stands on one line; a line's end ends it")]
    BrokenList,
    #[error("nothing stands between two commas of a list of beats")]
    DoubleComma,
    #[error("this {0} is never closed")]
    NotClosed(char),
    #[error("no bracket is open that {0} could close")]
    NotOpen(char),
    #[error("{closer} cannot close the bracket that is open here, which is {opener}")]
    WrongCloser { opener: char, closer: char },
    #[error(
        "a pattern [...] holds one or more values of one kind, with spaces between: notes or (chords), velocities, lengths or probabilities; no positions and no pattern inside"
    )]
    Pattern,
    #[error("a pattern holds values of one kind: notes, velocities, lengths or probabilities")]
    MixedPattern,
    #[error("a chord (...) holds one or more note names with spaces between, nothing else")]
    Chord,
    #[error("a bar copy is written @5=, @5=2, @5=2-4, @5-8=, @5-8=2-4 or @clear, without blanks")]
    Copy,
    #[error("bars count from 1 and have no leading zero; the bar here is {0}")]
    CopyBar(String),
    #[error("this comment is never closed; end it with */")]
    Comment,
    #[error("no comment is open that */ could close")]
    NoCommentOpen,
    #[error("{0}")]
    OddCharacter(String),
    #[error("the number is too large; numbers go up to 1,000,000,000")]
    TooLarge,
    #[error("it is too far; nothing may lie more than 1,000,000,000 quarter beats from 1|1")]
    TooFar,
    #[error("it is too long; a clip is at most 1,000,000 quarter beats long")]
    TooLong,
    #[error(
        "expected a note (C3), a chord (C3 E3), a velocity (v90), a length (n/8, 2bar), a probability (p0.5), a pattern [...], a position (1|1) or a bar copy (@2=1)"
    )]
    Unknown,
}

pub(super) type Finding = error::Finding<Problem>;

impl Problem {
    pub(super) fn from_semantic(semantic: SemanticProblem) -> Problem {
        match semantic {
            SemanticProblem::RangeFromZero => Problem::RangeFromZero,
            SemanticProblem::MixedPattern => Problem::MixedPattern,
            SemanticProblem::StepNotAboveZero => Problem::StepNotAboveZero,
            SemanticProblem::TooLarge => Problem::TooLarge,
            SemanticProblem::TooFar => Problem::TooFar,
            SemanticProblem::TooLong => Problem::TooLong,
        }
    }
}

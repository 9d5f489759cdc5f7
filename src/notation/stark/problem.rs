//! What can be wrong with a text, and where it is found.

use super::vocabulary::DRUMS;
use crate::notation::error;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Problem {
    #[error("{0}")]
    OddCharacter(String),
    #[error("leave out the ``` around the notes")]
    Fence,
    #[error("this [ is never closed; add ] behind the last note of the stack")]
    NotClosed,
    #[error("a length is /1, /2, /4, /8 or /16, with a . behind it for a dotted or a t for a triplet one")]
    Length,
    #[error("a length has one . or t at most")]
    SecondModifier,
    #[error("a . makes a length longer, so it stands behind one, as in /4.")]
    LoneDot,
    #[error("there are no ties and no dashes: a longer note has a longer length (/2), a silence is a rest (z)")]
    Tie,
    #[error("a repeat is * and a count from 1, once, at the end of its token: X*4 or C/8*3")]
    Repeat,
    #[error("a repeat stands last, behind the length and all else of its token, as in C/8*2")]
    BehindRepeat,
    #[error("there is no space inside of a token: {0} stands right behind what it belongs to")]
    Spaced(char),
    #[error("octave marks belong to each note inside the brackets: [C' E']")]
    StackOctave,
    #[error(
        "a stack [...] holds note letters with spaces between, such as [C Eb G']; its length, ! or ? and *N stand behind the ]"
    )]
    Stack,
    #[error("notes that sound together stand in square brackets")]
    Brackets,
    #[error("a line needs a colon behind its name")]
    NoColon,
    #[error("between a line's name and its colon stands a length or nothing, as in {0} /8:")]
    HeaderExtra(String),
    #[error("what a line plays stands on the line of its name, behind the colon")]
    NextLine,
    #[error("a new line is needed before {0}")]
    NewLine(String),
    #[error(
        "a line starts with melody, bass, chords, a pitch such as F#1, or a drum ({}), then a colon",
        DRUMS.map(|(long, _, _)| long).join(", ")
    )]
    Header,
    #[error("no chord is called that; chords look like C, Am7, F#dim, Bbmaj9, Gsus4 or D/F#, with spaces between them")]
    Chord,
    #[error("chords stand with spaces between them")]
    ChordsTouch,
    #[error(
        "behind a chord's / stands a bass note, as in D/F#, or a length: /1, /2, /4, /8 or /16, perhaps with . or t"
    )]
    ChordSlash,
    #[error("the bass note stands right behind the chord's name, before octave marks, length and loudness: D/F#'/2")]
    LateBass,
    #[error("a drum line holds hits (X, ^ loud, x soft), rests (z) and bar lines (|), each perhaps with a length: X/8")]
    DrumToken,
    #[error("a melody or bass line holds notes (C, F#', Bb,), stacks ([C E G]), rests (z) and bar lines (|)")]
    LineToken,
    #[error("a chords line holds chord names (Am7), stacks ([C E G]), rests (z) and bar lines (|)")]
    ChordToken,
}

pub(super) type Finding = error::Finding<Problem>;

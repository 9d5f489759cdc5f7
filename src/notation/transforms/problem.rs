//! What can be wrong with a line, and what to write in its place.

use super::code::{FUNCTIONS, VARIABLES};
use crate::music::position::BadPosition;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum Problem {
    #[error("{0}")]
    OddCharacter(String),
    #[error("this comment is never closed; end it with */")]
    Comment,
    #[error("this ( is never closed on its line")]
    NotClosed,
    #[error(
        "a line is [selector:] and then parameter = value, delete, v90, p0.5, n/8, C3 or ratchet/repeat/split/merge/double/humanize(...); parameters: velocity, pitch, timing, duration, probability, deviation, gain, pitchShift"
    )]
    Statement,
    #[error(
        "no parameter is called that; parameters: velocity, pitch, timing, duration, probability, deviation, gain, pitchShift"
    )]
    Parameter,
    #[error("after a parameter comes =, +=, -=, *= or /=")]
    Operator,
    #[error("a selector holds pitches (C3-E3), times (1|1-<3|1, 2|*) and where(...)")]
    Selector,
    #[error("a selector ends with a colon")]
    SelectorColon,
    #[error("only the end of the line may follow here; each statement has a line of its own")]
    AfterStatement,
    #[error("a range is written without blanks: C3-E3, 1|1-<3|1")]
    SpacedRange,
    #[error("a length of bars and a note value is written without blanks: 1bar-n/8")]
    SpacedLength,
    #[error("statements stand on lines of their own, without semicolons")]
    Semicolon,
    #[error("nothing is computed with {0}, it stands alone; write it as parameter = value")]
    ArithmeticAfterShorthand(String),
    #[error("a short form for velocity has a whole number; write velocity = 70.5")]
    WholeVelocity,
    #[error("conditions belong into where(...) in front of the colon")]
    ConditionOutside,
    #[error("where(...) holds a comparison such as note.velocity > 80")]
    NoCondition,
    #[error("a comparison stands between numbers; && || ! stand between comparisons")]
    MixedCondition,
    #[error("write && for and, || for or, ! for not")]
    AndOr,
    #[error("equality is written ==")]
    SingleEquals,
    #[error("comparisons are written >= and <=")]
    Comparison,
    #[error("a value is needed after {0}")]
    NothingAfter(String),
    #[error("a value is needed after %, which gives the remainder of a division")]
    NothingAfterModulo,
    #[error("an operator (+ - * / %) or the end of the line is needed here")]
    NoOperator,
    #[error("a minus stands in front of numbers, note values and bars only; write 0 - x or -1 * x")]
    Minus,
    #[error(
        "a value is a number, a note value (n/8), bars (2bar), a pitch (C3), a variable (note.velocity) or a function"
    )]
    Value,
    #[error("a note value needs its denominator: n/4 is a quarter, n3/8 three eighths")]
    NoDenominator,
    #[error("the denominator of a note value counts from 1")]
    ZeroDenominator,
    #[error("a note value and a bar count are mixed; pick one (n/2 or 2bar)")]
    MixedLength,
    #[error("that is no length; lengths are n/4, n/8t, n3/16 and 1bar")]
    OldLength,
    #[error("a pitch needs its octave (C3 is middle C)")]
    NoOctave,
    #[error("pitches run from C-2 (0) to G8 (127)")]
    PitchRange,
    #[error("pitches are selected by name; C3 is 60")]
    NumberSelector,
    #[error("a range runs upwards")]
    Descending,
    #[error("whole bars are selected as 3|* or 2|*-4|*")]
    MixedBars,
    #[error("{0}")]
    Position(BadPosition),
    #[error("there is no such value; {0}. has {1}")]
    Property(&'static str, String),
    #[error("there is no such value; values of notes and clips are written as note.velocity, next.start, clip.index")]
    Namespace,
    #[error("inside where(...) a note's value is written as note.velocity")]
    MissingNote,
    #[error(
        "inside where(...) only note.velocity, note.deviation, note.duration, note.probability, note.pitch and note.start are known"
    )]
    ForbiddenInWhere,
    #[error("{0} cannot be used inside where(...)")]
    FunctionInWhere(&'static str),
    #[error("where(...) cannot select for ratchet, repeat, split and merge; select by pitch or time")]
    WhereOnOperation,
    #[error("there is no pi; a wave's first argument is its period in beats, so sin(1bar) goes round once a bar")]
    Pi,
    #[error("there is no such function; functions: {}", function_names())]
    UnknownFunction,
    #[error("a function's arguments stand in ( ) right behind its name")]
    NoArguments,
    #[error("{0} is no value but a statement of its own, such as {1}")]
    OperationAsValue(&'static str, &'static str),
    #[error("{0} is written {1}")]
    OperationForm(&'static str, &'static str),
    #[error("{0} is a short form and no value; write the number")]
    ShorthandAsValue(String),
    #[error("sync goes with cos, sin, tri, saw, square and split, raw with swing, as the last argument")]
    Keyword,
    #[error("a velocity range starts at 1; v0 alone means delete")]
    RangeFromZero,
    #[error("a short form is delete, v90, v+10, v60-80, p0.5, p-0.1, n/8, 2bar or C3")]
    Shorthand,
    // The ones below follow the grammar.
    #[error("a selector has each of pitches, times and where(...) once")]
    SelectorTwice,
    #[error("a pitch name is a value for pitch only")]
    PitchAsValue,
    #[error("{name} takes {expected}, not {found}")]
    ArgumentCount { name: String, expected: String, found: u32 },
    #[error("{name} takes {expected}, not {found}: {form}")]
    OperationArgumentCount { name: &'static str, expected: String, found: usize, form: &'static str },
    #[error("{0} takes a number or a length, and this is a pitch name")]
    PitchAsArgument(&'static str),
    #[error("{0} gives a position; use = with it")]
    CompoundPosition(&'static str),
    #[error("the exponent of curve must be above 0")]
    Exponent,
    #[error("the amount of swing must be smaller than its grid")]
    SwingAmount,
    #[error("ratchet cuts into 2 pieces or more, or at a grid: ratchet(3), ratchet(n/16)")]
    Ratchet,
    #[error("repeat takes a note value or bars above 0, and a count from 1: repeat(n/8), repeat(1bar, 3)")]
    Repeat,
    #[error("split takes one or more positions: split(1|2, 1|3.5)")]
    Split,
    #[error(
        "double takes semitones that are not 0, and a velocity from 1 to 127: double(12), double(-12, 80), double(12, note.velocity * 0.6)"
    )]
    Double,
    #[error("humanize takes a length above 0, and how far velocities may move: humanize(n/64), humanize(10ms, 8)")]
    Humanize,
    #[error("merge takes nothing, 0, or a gap as note value: merge(), merge(0), merge(n/8)")]
    Merge,
}

fn function_names() -> String {
    let shown = FUNCTIONS.iter().filter(|(name, ..)| *name != "random");
    shown.map(|(name, ..)| *name).collect::<Vec<_>>().join(", ")
}

/// A mistake: where it is, and what might stand there instead.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub at: usize,
    pub end: usize,
    pub problem: Problem,
    /// What to put in place of which bytes.
    pub replacement: Option<(Range<usize>, String)>,
}

impl Finding {
    pub fn new(range: Range<usize>, problem: Problem) -> Box<Finding> {
        Box::new(Finding { at: range.start, end: range.end, problem, replacement: None })
    }

    pub fn replacing(mut self: Box<Self>, range: Range<usize>, with: impl Into<String>) -> Box<Finding> {
        self.replacement = Some((range, with.into()));
        self
    }

    /// With other words in place of what was found.
    pub fn with_fix(self: Box<Self>, with: impl Into<String>) -> Box<Finding> {
        let range = self.at..self.end;
        self.replacing(range, with)
    }
}

/// How the statements are written that are no assignment.
pub(super) const OPERATIONS: [(&str, &str); 6] = [
    ("ratchet", "ratchet(3) or ratchet(n/16)"),
    ("repeat", "repeat(n/8) or repeat(1bar, 3)"),
    ("split", "split(1|2, 1|3.5)"),
    ("merge", "merge(), merge(0) or merge(n/8)"),
    ("double", "double(12) or double(12, 80)"),
    ("humanize", "humanize(n/64), humanize(10ms) or humanize(10ms, 8)"),
];

/// The properties of a namespace, listed.
pub(super) fn properties(namespace: &str) -> String {
    let own = VARIABLES.iter().filter(|(space, ..)| *space == namespace);
    own.map(|(_, name, _)| *name).collect::<Vec<_>>().join(", ")
}

/// `1 argument`, `1 to 3 arguments`, `2 or more arguments`.
pub(super) fn expected_arguments(least: u32, most: u32) -> String {
    let many = |count: u32| if count == 1 { "argument" } else { "arguments" };
    match (least, most) {
        (0, most) if most > 0 => format!("at most {most} {}", many(most)),
        (least, u32::MAX) => format!("{least} or more arguments"),
        (least, most) if least == most => format!("{least} {}", many(least)),
        (least, most) => format!("{least} to {most} {}", many(most)),
    }
}

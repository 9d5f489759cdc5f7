//! What can be wrong with a line, and the line that was probably meant.

use super::code::{FUNCTIONS, VARIABLES};
use crate::music::position::BadPosition;
use crate::music::text::Cursor;
use crate::notation::meant::slip_of;
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(super) enum Problem {
    #[error("{0}")]
    Odd(String),
    #[error("this comment is never closed; end it with */")]
    Comment,
    #[error("this ( is never closed on its line")]
    NotClosed,
    #[error(
        "a line is [selector:] and then parameter = value, delete, v90, p0.5, n/8, C3 or ratchet/repeat/split/merge(...); parameters: velocity, pitch, timing, duration, probability, deviation, gain, pitchShift"
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
    Count { name: String, expected: String, found: u32 },
    #[error("{name} takes {expected}, not {found}: {form}")]
    OperationCount { name: &'static str, expected: String, found: usize, form: &'static str },
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
    pub instead: Option<(Range<usize>, String)>,
}

impl Finding {
    pub fn new(range: Range<usize>, problem: Problem) -> Box<Finding> {
        Box::new(Finding { at: range.start, end: range.end, problem, instead: None })
    }

    pub fn instead(mut self: Box<Self>, range: Range<usize>, with: impl Into<String>) -> Box<Finding> {
        self.instead = Some((range, with.into()));
        self
    }

    /// With other words in place of what was found.
    pub fn rather(self: Box<Self>, with: impl Into<String>) -> Box<Finding> {
        let range = self.at..self.end;
        self.instead(range, with)
    }
}

/// How the four statements that change the number of notes are written.
pub(super) const OPERATIONS: [(&str, &str); 4] = [
    ("ratchet", "ratchet(3) or ratchet(n/16)"),
    ("repeat", "repeat(n/8) or repeat(1bar, 3)"),
    ("split", "split(1|2, 1|3.5)"),
    ("merge", "merge(), merge(0) or merge(n/8)"),
];

/// The pitch that a note letter without an octave was meant to be, and where: `name` was read last, and `cursor` is behind it.
pub(super) fn no_octave(cursor: &Cursor<'_>, name: &str, range: Range<usize>) -> Option<Box<Finding>> {
    let mut class = Cursor::new(name);
    class.pitch_class().filter(|_| class.is_done())?;
    let mut ahead = *cursor;
    let is_letter = name.len() == 1;
    if is_letter && (ahead.eat("#") || ahead.eat("\u{266f}") || ahead.eat("\u{266d}")) {
        let finding = Finding::new(range.start..ahead.at(), Problem::NoOctave);
        let ends =
            !ahead.peek_char().is_some_and(|c| c.is_alphanumeric() || matches!(c, '#' | '\u{266f}' | '\u{266d}'));
        let meant = format!("{name}{}3", ahead.since(range.end));
        return Some(if ends { finding.rather(meant) } else { finding });
    }
    // `F #3`: the sharp would be a comment.
    ahead.eat_while(b" \t");
    let sharp = ahead.at();
    if is_letter && sharp > range.end && ahead.eat("#") && !ahead.digits().is_empty() {
        let finding = Finding::new(range.clone(), Problem::NoOctave);
        let ends = !ahead.peek_char().is_some_and(char::is_alphanumeric);
        let written = ahead.since(sharp);
        return Some(if ends { finding.instead(range.start..ahead.at(), format!("{name}{written}")) } else { finding });
    }
    let meant = format!("{name}3");
    Some(Finding::new(range, Problem::NoOctave).rather(meant))
}

/// What may stand before a bracket where a line starts.
pub(super) const STATEMENT_CALLS: [&str; 5] = ["ratchet", "repeat", "split", "merge", "where"];

/// Which of these an unknown word was meant to be, written exactly so or with a slip.
pub(super) fn meant_word<const N: usize>(word: &str, known: [&'static str; N]) -> Option<&'static str> {
    known.into_iter().find(|name| name.eq_ignore_ascii_case(word)).or_else(|| slip_of(word, known))
}

pub(super) const PARAMETER_NAMES: [&str; 8] =
    ["velocity", "pitch", "timing", "duration", "probability", "deviation", "gain", "pitchShift"];

/// The parameter that an unknown word was meant to be.
pub(super) fn meant_parameter(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    if let Some(exact) = PARAMETER_NAMES.into_iter().find(|name| name.eq_ignore_ascii_case(word)) {
        return Some(exact);
    }
    if lower == "v" || lower.starts_with("vel") {
        return Some("velocity");
    }
    if matches!(lower.as_str(), "length" | "len") {
        return Some("duration");
    }
    if matches!(lower.as_str(), "start" | "time" | "position") {
        return Some("timing");
    }
    if lower.len() >= 3 {
        let mut begun = PARAMETER_NAMES.into_iter().filter(|name| name.to_ascii_lowercase().starts_with(&lower));
        if let (Some(one), None) = (begun.next(), begun.next()) {
            return Some(one);
        }
    }
    slip_of(word, PARAMETER_NAMES)
}

/// The function that an unknown word was meant to be.
pub(super) fn meant_function(word: &str) -> Option<&'static str> {
    let known = || FUNCTIONS.iter().map(|(name, ..)| *name);
    known().find(|name| name.eq_ignore_ascii_case(word)).or_else(|| slip_of(word, known()))
}

/// What a property is called that `word` was meant to be.
pub(super) fn meant_property(namespace: &str, word: &str) -> Option<&'static str> {
    let known = || VARIABLES.iter().filter(|(space, ..)| *space == namespace).map(|(_, name, _)| *name);
    let alias = match word {
        "time" | "timing" | "position" => "start",
        "length" | "len" => "duration",
        "vel" | "v" => "velocity",
        other => other,
    };
    known().find(|name| name.eq_ignore_ascii_case(alias)).or_else(|| slip_of(word, known()))
}

/// A property of a namespace as it is called, or as it was meant.
pub(super) fn known_property(namespace: &str, word: &str) -> Option<&'static str> {
    let exact = VARIABLES.iter().find(|(space, name, _)| (*space, *name) == (namespace, word));
    exact.map(|(_, name, _)| *name).or_else(|| meant_property(namespace, word))
}

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

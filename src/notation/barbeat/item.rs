//! What a text is made of, item by item, and what is wrong with an item that follows the grammar.

use crate::music::text::{LARGEST_NUMBER, slice};
use crate::music::{Beats, LONGEST_CLIP_BEATS};
use crate::notation::limits::MAX_NOTES;

/// A velocity, or the ends of a range as they were written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Velocity {
    pub from: f64,
    pub to: Option<f64>,
}

/// A moment, perhaps repeated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Position {
    /// The bar it was written in, or that the list it stands in was at.
    pub bar: f64,
    /// Quarter beats from 1|1.
    pub start: Beats,
    pub count: f64,
    /// `None`: as long as the notes are.
    pub step: Option<Beats>,
}

/// What a pattern or a chord may hold, and what may stand alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Velocity(Velocity),
    /// In quarter beats, perhaps not above 0.
    Duration(Beats),
    Probability(f64),
    Pitch(i32),
    Chord(Vec<i32>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    Value(Value),
    /// A cycle; never empty, all of one kind (see [`Value::kind`]).
    Pattern(Vec<Value>),
    Position(Position),
    /// The bars written to (one, or a range) and the bars they come from; `None` is the bar before.
    Copy {
        into: (f64, Option<f64>),
        from: Option<(f64, f64)>,
    },
    Clear,
}

/// An item with the bytes it was written in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpannedItem {
    pub item: Item,
    pub start: usize,
    pub end: usize,
}

/// What is wrong with an item that follows the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SemanticProblem {
    RangeFromZero,
    MixedPattern,
    StepNotAboveZero,
    TooLarge,
    TooFar,
    TooLong,
}

impl Value {
    /// Values of one kind may share a pattern.
    pub fn kind(&self) -> u8 {
        match self {
            Value::Velocity(_) => 0,
            Value::Duration(_) => 1,
            Value::Probability(_) => 2,
            Value::Pitch(_) | Value::Chord(_) => 3,
        }
    }

    pub fn semantic_problem(&self) -> Option<SemanticProblem> {
        match self {
            Value::Velocity(Velocity { from, to: Some(to) }) if *from == 0.0 || *to == 0.0 => {
                Some(SemanticProblem::RangeFromZero)
            }
            Value::Duration(beats) if beats.abs() > LONGEST_CLIP_BEATS => Some(SemanticProblem::TooLong),
            _ => None,
        }
    }
}

impl SpannedItem {
    /// What is wrong with the item, which stands in `text`. Of a pattern the first that is wrong.
    pub fn semantic_problem(&self, text: &str) -> Option<SemanticProblem> {
        let counts = match &self.item {
            Item::Value(value) => matches!(value, Value::Duration(_)),
            Item::Pattern(values) => matches!(values.first(), Some(Value::Duration(_))),
            Item::Position(_) | Item::Copy { .. } => true,
            Item::Clear => false,
        };
        if counts && has_huge_number(slice(text, self.start..self.end)) {
            return Some(SemanticProblem::TooLarge);
        }
        self.item.semantic_problem()
    }
}

impl Item {
    fn semantic_problem(&self) -> Option<SemanticProblem> {
        match self {
            Item::Value(value) => value.semantic_problem(),
            Item::Pattern(values) => {
                let kind = values.first().map(Value::kind);
                if values.iter().any(|value| Some(value.kind()) != kind) {
                    return Some(SemanticProblem::MixedPattern);
                }
                values.iter().find_map(Value::semantic_problem)
            }
            Item::Position(spot) => {
                // More repeats than there may be notes are refused as that.
                let repeats = if spot.count <= MAX_NOTES as f64 { spot.count - 1.0 } else { 0.0 };
                match spot.step {
                    Some(step) if step.is_nan() || step <= 0.0 => Some(SemanticProblem::StepNotAboveZero),
                    step if !is_in_reach(spot.start) || !is_in_reach(spot.start + repeats * step.unwrap_or(0.0)) => {
                        Some(SemanticProblem::TooFar)
                    }
                    _ => None,
                }
            }
            Item::Copy { .. } | Item::Clear => None,
        }
    }
}

fn is_in_reach(beats: Beats) -> bool {
    beats.abs() <= LARGEST_NUMBER
}

/// Whether a whole number above [`LARGEST_NUMBER`] is written somewhere; what follows a point does not count.
pub(super) fn has_huge_number(text: &str) -> bool {
    // Shorter ones cannot be.
    text.len() >= 10
        && text.split(|c: char| !c.is_ascii_digit() && c != '.').any(|number| {
            let whole = number.split('.').next().unwrap_or("").trim_start_matches('0');
            whole.len() >= 10 && whole.parse().is_ok_and(|number: f64| number > LARGEST_NUMBER)
        })
}

//! What a line does with the notes that its selector selects.

use crate::music::text::Cursor;
use crate::notation::transforms::code::Op;
use crate::notation::transforms::expression::Expression;
use crate::notation::transforms::problem::Finding;
use crate::notation::transforms::selector::Selector;
use crate::notation::transforms::times::Point;
use std::ops::Range;

pub(super) type ReadResult<T> = Result<T, Box<Finding>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::notation::transforms) enum Parameter {
    Velocity,
    Pitch,
    Timing,
    Duration,
    Probability,
    Deviation,
    Gain,
    PitchShift,
}

pub(super) const PARAMETERS: [(&str, Parameter); 8] = [
    ("velocity", Parameter::Velocity),
    ("pitch", Parameter::Pitch),
    ("timing", Parameter::Timing),
    ("duration", Parameter::Duration),
    ("probability", Parameter::Probability),
    ("deviation", Parameter::Deviation),
    ("gain", Parameter::Gain),
    ("pitchShift", Parameter::PitchShift),
];

impl Parameter {
    pub fn is_audio(self) -> bool {
        matches!(self, Parameter::Gain | Parameter::PitchShift)
    }

    pub fn name(self) -> &'static str {
        PARAMETERS.iter().find(|(_, known)| *known == self).map_or("", |(name, _)| *name)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::notation::transforms) enum Assign {
    Set,
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Clone, Debug)]
pub(in crate::notation::transforms) enum Body {
    Assign {
        parameter: Parameter,
        assign: Assign,
        value: Expression,
    },
    /// Velocity and what is added to it at random.
    VelocityRange {
        velocity: f64,
        deviation: f64,
    },
    Ratchet(Expression),
    Repeat {
        offset: Expression,
        copies: Option<Expression>,
    },
    Split {
        points: Vec<Point>,
        sync: bool,
    },
    Merge(Option<Expression>),
    /// A second note at a distance in semitones, with the velocity of the first unless one is given.
    Double {
        semitones: Expression,
        velocity: Option<Expression>,
    },
    /// Starts moved at random by up to a time, velocities by up to an amount.
    Humanize {
        time: Expression,
        velocity: Option<Expression>,
    },
}

impl Body {
    /// What it does, by the parameter that it changes or by its own name.
    pub fn name(&self) -> &'static str {
        match self {
            Body::Assign { parameter, .. } => parameter.name(),
            Body::VelocityRange { .. } => Parameter::Velocity.name(),
            Body::Ratchet(_) => "ratchet",
            Body::Repeat { .. } => "repeat",
            Body::Split { .. } => "split",
            Body::Merge(_) => "merge",
            Body::Double { .. } => "double",
            Body::Humanize { .. } => "humanize",
        }
    }

    pub fn is_audio(&self) -> bool {
        matches!(self, Body::Assign { parameter, .. } if parameter.is_audio())
    }
}

#[derive(Clone, Debug)]
pub(in crate::notation::transforms) struct Statement {
    pub selector: Selector,
    pub body: Body,
    /// What follows the grammar and is wrong all the same.
    pub semantic_findings: Vec<Finding>,
}

/// The operator of an assignment.
pub(super) fn assign(cursor: &mut Cursor<'_>) -> Option<Assign> {
    let compared = cursor.rest().starts_with("==");
    [
        ("+=", Assign::Add),
        ("-=", Assign::Subtract),
        ("*=", Assign::Multiply),
        ("/=", Assign::Divide),
        ("=", Assign::Set),
    ]
    .into_iter()
    .find(|(text, _)| !compared && cursor.eat(text))
    .map(|(_, assign)| assign)
}

/// A value that was not written as an expression.
pub(super) fn constant(code: Vec<Op>, range: Range<usize>) -> Expression {
    Expression { code, range, calls: Vec::new(), semantic_findings: Vec::new(), lone_call: None, is_condition: false }
}

//! Expressions, ready to be run: operations in postfix order, so that no depth of brackets needs a recursion.

use crate::music::{Beats, Meter};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Number(f64),
    /// A note value in quarter beats.
    NoteValue(Beats),
    Bars(f64),
    /// At the Set's tempo.
    Milliseconds(f64),
    Pitch(u8),
    Variable(Variable),
    Binary(BinaryOperator),
    Not,
    Call {
        function: Function,
        arguments: u32,
        /// `sync` or `raw` stood behind the arguments.
        keyword: bool,
    },
}

/// Truth values are 1 and 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOperator {
    Or,
    And,
    AtLeast,
    AtMost,
    Equal,
    Unequal,
    Above,
    Below,
    Plus,
    Minus,
    Times,
    Divided,
    Modulo,
}

impl BinaryOperator {
    /// How tightly it binds.
    pub fn precedence(self) -> u8 {
        match self {
            BinaryOperator::Or => 1,
            BinaryOperator::And => 2,
            BinaryOperator::AtLeast
            | BinaryOperator::AtMost
            | BinaryOperator::Equal
            | BinaryOperator::Unequal
            | BinaryOperator::Above
            | BinaryOperator::Below => 4,
            BinaryOperator::Plus | BinaryOperator::Minus => 5,
            BinaryOperator::Times | BinaryOperator::Divided | BinaryOperator::Modulo => 6,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    Pitch,
    Velocity,
    Deviation,
    Probability,
    Start,
    Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Variable {
    Note(Property),
    Next(Property),
    NoteIndex,
    NoteCount,
    /// The note's place, from the lowest, among the selected notes that start with it.
    ChordIndex,
    ChordCount,
    ClipDuration,
    ClipIndex,
    ClipCount,
    ClipPosition,
    ClipBarDuration,
    AudioGain,
    AudioPitchShift,
}

/// Every variable by its two names.
pub(super) const VARIABLES: [(&str, &str, Variable); 23] = [
    ("note", "pitch", Variable::Note(Property::Pitch)),
    ("note", "velocity", Variable::Note(Property::Velocity)),
    ("note", "deviation", Variable::Note(Property::Deviation)),
    ("note", "probability", Variable::Note(Property::Probability)),
    ("note", "start", Variable::Note(Property::Start)),
    ("note", "duration", Variable::Note(Property::Duration)),
    ("note", "index", Variable::NoteIndex),
    ("note", "count", Variable::NoteCount),
    ("note", "chordIndex", Variable::ChordIndex),
    ("note", "chordCount", Variable::ChordCount),
    ("next", "pitch", Variable::Next(Property::Pitch)),
    ("next", "velocity", Variable::Next(Property::Velocity)),
    ("next", "deviation", Variable::Next(Property::Deviation)),
    ("next", "probability", Variable::Next(Property::Probability)),
    ("next", "start", Variable::Next(Property::Start)),
    ("next", "duration", Variable::Next(Property::Duration)),
    ("clip", "duration", Variable::ClipDuration),
    ("clip", "index", Variable::ClipIndex),
    ("clip", "count", Variable::ClipCount),
    ("clip", "position", Variable::ClipPosition),
    ("clip", "barDuration", Variable::ClipBarDuration),
    ("audio", "gain", Variable::AudioGain),
    ("audio", "pitchShift", Variable::AudioPitchShift),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Cos,
    Sin,
    Tri,
    Saw,
    Square,
    Ramp,
    Curve,
    Rand,
    Choose,
    Seq,
    ClipSeq,
    Round,
    Floor,
    Ceil,
    Abs,
    Clamp,
    Min,
    Max,
    Pow,
    Wrap,
    Reflect,
    Snap,
    Step,
    Quant,
    Swing,
    Legato,
}

/// Every function by name, with the least and most arguments it takes.
pub(super) const FUNCTIONS: [(&str, Function, u32, u32); 27] = [
    ("cos", Function::Cos, 1, 2),
    ("sin", Function::Sin, 1, 2),
    ("tri", Function::Tri, 1, 2),
    ("saw", Function::Saw, 1, 2),
    ("square", Function::Square, 1, 3),
    ("ramp", Function::Ramp, 2, 2),
    ("curve", Function::Curve, 3, 3),
    ("rand", Function::Rand, 0, 2),
    ("choose", Function::Choose, 1, u32::MAX),
    ("seq", Function::Seq, 1, u32::MAX),
    ("clipseq", Function::ClipSeq, 1, u32::MAX),
    ("round", Function::Round, 1, 1),
    ("floor", Function::Floor, 1, 1),
    ("ceil", Function::Ceil, 1, 1),
    ("abs", Function::Abs, 1, 1),
    ("clamp", Function::Clamp, 3, 3),
    ("min", Function::Min, 2, u32::MAX),
    ("max", Function::Max, 2, u32::MAX),
    ("pow", Function::Pow, 2, 2),
    ("wrap", Function::Wrap, 3, 3),
    ("reflect", Function::Reflect, 3, 3),
    ("snap", Function::Snap, 1, 1),
    ("step", Function::Step, 2, 2),
    ("quant", Function::Quant, 1, 1),
    ("swing", Function::Swing, 1, 2),
    ("legato", Function::Legato, 0, 1),
    // An older name, not shown in lists.
    ("random", Function::Rand, 0, 2),
];

impl Function {
    pub fn name(self) -> &'static str {
        FUNCTIONS.iter().find(|(_, function, ..)| *function == self).map_or("", |(name, ..)| *name)
    }

    pub fn is_wave(self) -> bool {
        matches!(self, Function::Cos | Function::Sin | Function::Tri | Function::Saw | Function::Square)
    }

    /// The word that may stand behind the arguments.
    pub fn keyword(self) -> Option<&'static str> {
        match self {
            Function::Swing => Some("raw"),
            wave if wave.is_wave() => Some("sync"),
            _ => None,
        }
    }

    /// Equal arguments give equal results, whatever the note and the clip.
    pub fn is_pure(self) -> bool {
        matches!(
            self,
            Function::Round
                | Function::Floor
                | Function::Ceil
                | Function::Abs
                | Function::Clamp
                | Function::Min
                | Function::Max
                | Function::Pow
                | Function::Wrap
                | Function::Reflect
        )
    }
}

/// Whether a value is the same for every note of every clip, but for the meter.
pub(super) fn is_constant(code: &[Op]) -> bool {
    code.iter().all(|op| match op {
        Op::Number(_) | Op::NoteValue(_) | Op::Bars(_) | Op::Pitch(_) | Op::Binary(_) | Op::Not => true,
        Op::Call { function, .. } => function.is_pure(),
        Op::Variable(_) | Op::Milliseconds(_) => false,
    })
}

/// Whether a value is a note value, a bar count or a time in milliseconds and nothing else.
pub(super) fn is_lone_length(code: &[Op]) -> bool {
    matches!(code, [Op::NoteValue(_) | Op::Bars(_) | Op::Milliseconds(_)])
}

/// What times are counted in: musical beats of a meter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Units {
    pub beats_per_bar: f64,
    /// Musical beats in a quarter beat.
    pub per_quarter: f64,
}

impl Units {
    pub fn from_meter(meter: Meter) -> Units {
        Units { beats_per_bar: f64::from(meter.numerator()), per_quarter: f64::from(meter.denominator()) / 4.0 }
    }

    /// Meters that differ as far as meters can: what is wrong in all of them is taken to be wrong in every one.
    pub fn sample_meters() -> impl Iterator<Item = Units> {
        [1.0, 4.0, 99.0].into_iter().flat_map(|beats_per_bar| {
            [0.25, 0.5, 1.0, 2.0, 4.0].into_iter().map(move |per_quarter| Units { beats_per_bar, per_quarter })
        })
    }

    pub fn to_musical(self, quarters: Beats) -> f64 {
        quarters * self.per_quarter
    }

    pub fn to_quarters(self, musical: f64) -> Beats {
        musical / self.per_quarter
    }
}

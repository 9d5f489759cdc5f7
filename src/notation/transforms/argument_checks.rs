//! Arguments that follow the grammar and are wrong all the same: in every meter, or in some.

use super::arithmetic::number_text;
use super::code::{Function, Op, Units, is_constant, is_lone_length};
use super::context::ClipContext;
use super::evaluate::evaluate;
use super::expression::{CheckedCall, Expression};
use super::line_context::{LineContext, Subject};
use super::problem::{Finding, Problem};
use super::scale_pitches::ScalePitches;
use super::statement::{Body, Statement};
use crate::music::round_half_up;
use crate::music::{Meter, Random};
use crate::notation::error::Mistake;

/// A constant that is wrong in some meters.
#[derive(Clone, Debug)]
pub(super) struct MeterCheck {
    rule: Rule,
    mistake: Mistake,
}

#[derive(Clone, Debug)]
pub(super) enum Rule {
    Above {
        code: Vec<Op>,
        least: f64,
    },
    /// Rounded.
    AtLeast {
        code: Vec<Op>,
        least: f64,
    },
    SwingBelowGrid {
        amount: Vec<Op>,
        grid: Vec<Op>,
    },
}

impl MeterCheck {
    pub fn new(rule: Rule, mistake: Mistake) -> MeterCheck {
        MeterCheck { rule, mistake }
    }

    /// What is wrong in this meter, with what the values come to in it.
    pub fn mistake_in(&self, meter: Meter) -> Option<Mistake> {
        let units = Units::from_meter(meter);
        if self.rule.holds(units) {
            return None;
        }
        let come_to = |code: &[Op]| value(code, units).map_or_else(String::new, number_text);
        let mut mistake = self.mistake.clone();
        mistake.problem.push_str(&match &self.rule {
            Rule::Above { code, .. } | Rule::AtLeast { code, .. } => format!("; in {meter} this is {}", come_to(code)),
            Rule::SwingBelowGrid { amount, grid } => {
                format!("; in {meter} the amount is {} and the grid {}", come_to(amount), come_to(grid))
            }
        });
        Some(mistake)
    }
}

impl Rule {
    fn holds(&self, units: Units) -> bool {
        // What has no value at all is found out when it is run.
        match self {
            Rule::Above { code, least } => value(code, units).is_none_or(|value| value > *least),
            Rule::AtLeast { code, least } => value(code, units).is_none_or(|value| round_half_up(value) >= *least),
            Rule::SwingBelowGrid { amount, grid } => {
                let (Some(amount), Some(grid)) = (value(amount, units), value(grid, units)) else { return true };
                grid <= 0.0 || amount.abs() < grid
            }
        }
    }
}

/// What a constant comes to.
pub(super) fn value(code: &[Op], units: Units) -> Option<f64> {
    let (context, scale) = (ClipContext::default(), ScalePitches::default());
    let line = LineContext { units, context: &context, scale: &scale, ramp: (0.0, 0.0), starts: &[], chords: &[] };
    evaluate(code, &mut Vec::new(), &line, &mut Random::from_seed(0), Subject::Nothing).ok()
}

/// Adds what is wrong in every meter to `findings`; gives what is wrong in some.
pub(super) fn check(statement: &Statement, findings: &mut Vec<Finding>) -> Vec<(Rule, Finding)> {
    let mut checks = Vec::new();
    let mut judge = |rule: Rule, range: std::ops::Range<usize>, problem: Problem| {
        let wrong = Units::sample_meters().filter(|units| !rule.holds(*units)).count();
        if wrong == Units::sample_meters().count() {
            findings.push(*Finding::new(range, problem));
        } else if wrong > 0 || depends_on_meter(&rule) {
            checks.push((rule, *Finding::new(range, problem)));
        }
    };
    let condition = statement.selector.condition.as_ref();
    let values: Vec<&Expression> = match &statement.body {
        Body::Assign { value, .. } | Body::Ratchet(value) => vec![value],
        Body::Repeat { offset, copies } => std::iter::once(offset).chain(copies).collect(),
        Body::Merge(gap) => gap.iter().collect(),
        Body::Double { semitones: first, velocity } | Body::Humanize { time: first, velocity } => {
            std::iter::once(first).chain(velocity).collect()
        }
        Body::Split { .. } | Body::VelocityRange { .. } => Vec::new(),
    };
    for expression in values.iter().copied().chain(condition) {
        for call in &expression.calls {
            if let Some((rule, problem)) = call_rule(expression, call) {
                judge(rule, call.name.clone(), problem);
            }
        }
    }
    let constant = |expression: &Expression| is_constant(&expression.code).then(|| expression.code.clone());
    match &statement.body {
        Body::Ratchet(pieces) => {
            if let Some(code) = constant(pieces) {
                if matches!(*code, [Op::Pitch(_)]) {
                    findings.push(*Finding::new(pieces.range.clone(), Problem::PitchAsArgument("ratchet")));
                    return checks;
                }
                let rule = if is_lone_length(&code) {
                    Rule::Above { code, least: 0.0 }
                } else {
                    Rule::AtLeast { code, least: 2.0 }
                };
                judge(rule, pieces.range.clone(), Problem::Ratchet);
            }
        }
        Body::Repeat { offset, copies } => {
            if !is_lone_length(&offset.code)
                || value(&offset.code, Units { beats_per_bar: 4.0, per_quarter: 1.0 }).is_none_or(|v| v <= 0.0)
            {
                judge(Rule::Above { code: vec![Op::Number(0.0)], least: 0.0 }, offset.range.clone(), Problem::Repeat);
            }
            if let Some((copies, code)) = copies.as_ref().and_then(|copies| Some((copies, constant(copies)?))) {
                if matches!(*code, [Op::Pitch(_) | Op::NoteValue(_) | Op::Bars(_)]) {
                    findings.push(*Finding::new(copies.range.clone(), Problem::Repeat));
                    return checks;
                }
                judge(Rule::AtLeast { code, least: 1.0 }, copies.range.clone(), Problem::Repeat);
            }
        }
        Body::Merge(Some(gap)) => {
            let is_zero = matches!(*gap.code, [Op::Number(0.0)]);
            let is_gap = matches!(*gap.code, [Op::NoteValue(value)] if value > 0.0);
            if !is_zero && !is_gap {
                findings.push(*Finding::new(gap.range.clone(), Problem::Merge));
            }
        }
        Body::Double { semitones, velocity } => {
            let whole = |code: &[Op]| matches!(code, [Op::Number(value)] if value.fract() == 0.0 && *value != 0.0);
            if constant(semitones).is_some_and(|code| !whole(&code)) {
                findings.push(*Finding::new(semitones.range.clone(), Problem::Double));
            }
            let loud = |code: &[Op]| matches!(code, [Op::Number(value)] if (1.0..=127.0).contains(value));
            if let Some(velocity) = velocity.as_ref().filter(|v| constant(v).is_some_and(|code| !loud(&code))) {
                findings.push(*Finding::new(velocity.range.clone(), Problem::Double));
            }
        }
        Body::Humanize { time, velocity } => {
            let above =
                |code: &[Op]| matches!(code, [Op::NoteValue(v) | Op::Bars(v) | Op::Milliseconds(v)] if *v > 0.0);
            if !above(&time.code) {
                findings.push(*Finding::new(time.range.clone(), Problem::Humanize));
            }
            let amount = |code: &[Op]| matches!(code, [Op::Number(value)] if (0.0..=127.0).contains(value));
            if let Some(velocity) = velocity.as_ref().filter(|velocity| !amount(&velocity.code)) {
                findings.push(*Finding::new(velocity.range.clone(), Problem::Humanize));
            }
        }
        _ => {}
    }
    checks
}

fn depends_on_meter(rule: &Rule) -> bool {
    let codes = match rule {
        Rule::Above { code, .. } | Rule::AtLeast { code, .. } => [code.as_slice(), &[]],
        Rule::SwingBelowGrid { amount, grid } => [amount.as_slice(), grid.as_slice()],
    };
    let lengths = codes.iter().flat_map(|code| code.iter()).filter(|op| matches!(op, Op::NoteValue(_) | Op::Bars(_)));
    lengths.count() > 0
}

fn call_rule(expression: &Expression, call: &CheckedCall) -> Option<(Rule, Problem)> {
    let argument = |index: usize| call.arguments.get(index).and_then(|range| expression.code.get(range.clone()));
    let constant = |index: usize| argument(index).filter(|code| is_constant(code)).map(<[Op]>::to_vec);
    match call.function {
        Function::Curve => Some((Rule::Above { code: constant(2)?, least: 0.0 }, Problem::Exponent)),
        Function::Swing => {
            let grid = match argument(1) {
                Some(_) => constant(1)?,
                None => vec![Op::Number(0.5)],
            };
            Some((Rule::SwingBelowGrid { amount: constant(0)?, grid }, Problem::SwingAmount))
        }
        _ => None,
    }
}

//! What is wrong with one entry of a list of positions.

use super::lengths::duration_problem;
use super::readable::is_one_item;
use crate::music::Meter;
use crate::music::duration::{dotted_note_value, note_value_of_denominator};
use crate::music::position::{self, BadPosition};
use crate::music::text::{Cursor, without_zeros_in_denominators};
use crate::notation::barbeat::problem::Problem;

/// What is wrong with one entry of a list of positions, which names its bar.
pub(super) fn entry_problem(entry: &str, meter: Meter) -> (Problem, Option<String>) {
    let Some((point, repeat)) = entry.split_once('x') else {
        let (problem, fix) = position::diagnose(entry, meter);
        let problem = if problem == BadPosition::ListOrRepeat { BadPosition::Unreadable } else { problem };
        return (Problem::Position(problem), fix);
    };
    if !is_one_item(point, meter) {
        let (problem, fix) = position::diagnose(point, meter);
        return (
            Problem::Position(problem),
            fix.map(|fix| format!("{fix}x{repeat}")).filter(|fix| is_one_item(fix, meter)),
        );
    }
    let mut cursor = Cursor::new(repeat);
    if cursor.positive_integer().is_none() {
        let stripped = repeat.trim_start_matches('0');
        let fix = (stripped != repeat).then(|| format!("{point}x{stripped}"));
        return (Problem::Repeat, fix.filter(|fix| is_one_item(fix, meter)));
    }
    let head = format!("{point}x{}", cursor.since(0));
    if !cursor.eat("@") {
        return (Problem::Repeat, None);
    }
    let step = cursor.rest();
    if step.is_empty() {
        return (Problem::Repeat, Some(head));
    }
    if let Some(problem) = duration_problem(step) {
        return (problem, None);
    }
    let counted = format!("{head}@{}", without_zeros_in_denominators(step));
    if counted != entry && is_one_item(&counted, meter) {
        return (Problem::LeadingZero, Some(counted));
    }
    let fix = match step.strip_prefix('n') {
        Some(number) => note_value_of_denominator(number).or_else(|| dotted_note_value(step)),
        None => position::suggest_note_value(step, meter),
    };
    let fix = fix.map(|step| format!("{head}@{step}")).filter(|fix| fix != entry && is_one_item(fix, meter));
    (Problem::BareStep, fix)
}

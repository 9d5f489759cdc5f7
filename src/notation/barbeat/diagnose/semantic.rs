//! The finding about an item that follows the grammar and is wrong all the same.

use super::readable::is_one_item;
use crate::music::Meter;
use crate::music::text::slice;
use crate::notation::barbeat::item::{SemanticProblem, SpannedItem};
use crate::notation::barbeat::problem::{Finding, Problem};

pub(super) fn semantic_finding(text: &str, written: &SpannedItem, semantic: SemanticProblem, meter: Meter) -> Finding {
    let found = slice(text, written.start..written.end);
    let fix = match semantic {
        SemanticProblem::RangeFromZero => Some(match largest_number(found) {
            0 => "v0".to_owned(),
            most => format!("v1-{most}"),
        }),
        _ => None,
    };
    let fix = fix.filter(|fix| is_one_item(fix, meter));
    Finding {
        at: written.start,
        found: found.to_owned(),
        problem: Problem::from_semantic(semantic),
        fix,
        resume: written.end,
    }
}

fn largest_number(text: &str) -> u8 {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u32>().ok()).max().unwrap_or(1).min(127) as u8
}

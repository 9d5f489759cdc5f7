//! Levels that pair with the targets of a call: decibels and pannings, one for all or one for each.

use crate::tools::error::ToolError;
use serde::Deserialize;

/// A level for every target, or by position.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Levels {
    All(f64),
    Each(Vec<f64>),
}

impl Levels {
    /// The level of the target at that position.
    pub fn at(&self, position: usize) -> f64 {
        match self {
            Levels::All(level) => *level,
            Levels::Each(each) => each.get(position).or(each.first()).copied().unwrap_or_default(),
        }
    }
}

/// Levels over `count` targets; refuses a list that does not pair with them.
pub fn spread(parameter: &str, levels: Option<Levels>, count: usize) -> Result<Option<Levels>, ToolError> {
    match &levels {
        Some(Levels::Each(each)) if each.len() != 1 && each.len() != count => Err(ToolError::new(format!(
            "{parameter} has {} values for {count} targets; give one value, or one for each target",
            each.len()
        ))),
        _ => Ok(levels),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_pair_with_targets() {
        let each = Levels::Each(vec![-3.0, -6.0]);
        assert_eq!((each.at(0), each.at(1), Levels::All(1.0).at(7)), (-3.0, -6.0, 1.0));
        for (levels, count, pairs) in [(each.clone(), 2, true), (each, 3, false), (Levels::Each(vec![0.0]), 3, true)] {
            assert_eq!(spread("gainDb", Some(levels.clone()), count).is_ok(), pairs, "{levels:?} {count}");
        }
    }
}

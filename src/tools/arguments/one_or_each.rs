//! Values that pair with the targets of a call: one for all, or one for each.

use crate::tools::error::ToolError;
use serde::Deserialize;

/// A value for every target, or by position.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum OneOrEach<T> {
    All(T),
    Each(Vec<T>),
}

/// Decibels, or pannings.
pub type Levels = OneOrEach<f64>;

/// True or false.
pub type Switch = OneOrEach<bool>;

impl<T: Copy + Default> OneOrEach<T> {
    /// The value of the target at that position.
    pub fn at(&self, position: usize) -> T {
        match self {
            OneOrEach::All(value) => *value,
            OneOrEach::Each(each) => each.get(position).or(each.first()).copied().unwrap_or_default(),
        }
    }
}

impl Switch {
    /// The switches of a comma list, `true,false`; `None` of any other text. A lone word is no list: booleans are
    /// booleans.
    pub fn read_list(text: &str) -> Option<Vec<bool>> {
        let trimmed = text.trim();
        let body = trimmed.strip_suffix(',').unwrap_or(trimmed);
        let read = |word: &str| match word.trim() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        body.contains(',').then(|| body.split(',').map(read).collect()).flatten()
    }
}

/// Values over `count` targets; refuses a list that does not pair with them.
pub fn spread<T>(
    parameter: &str,
    values: Option<OneOrEach<T>>,
    count: usize,
) -> Result<Option<OneOrEach<T>>, ToolError> {
    match &values {
        Some(OneOrEach::Each(each)) if each.len() != 1 && each.len() != count => Err(ToolError::new(format!(
            "{parameter} has {} values for {count} targets; give one value, or one for each target",
            each.len()
        ))),
        _ => Ok(values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_switches() {
        for (text, read) in [
            ("true,false", Some(vec![true, false])),
            (" true , true, ", Some(vec![true, true])),
            ("true", None),
            ("true,", None),
            ("true,maybe", None),
            ("true,,false", None),
            ("", None),
        ] {
            assert_eq!(Switch::read_list(text), read, "{text}");
        }
        let each = Switch::Each(vec![true, false]);
        assert_eq!((each.at(0), each.at(1), Switch::All(true).at(7)), (true, false, true));
        assert!(spread("mute", Some(each.clone()), 2).is_ok() && spread("mute", Some(each), 3).is_err());
        assert!(spread("mute", Some(Switch::Each(vec![true])), 3).is_ok());
    }

    #[test]
    fn levels_pair_with_targets() {
        let each = Levels::Each(vec![-3.0, -6.0]);
        assert_eq!((each.at(0), each.at(1), Levels::All(1.0).at(7)), (-3.0, -6.0, 1.0));
        for (levels, count, pairs) in [(each.clone(), 2, true), (each, 3, false), (Levels::Each(vec![0.0]), 3, true)] {
            assert_eq!(spread("gainDb", Some(levels.clone()), count).is_ok(), pairs, "{levels:?} {count}");
        }
    }
}

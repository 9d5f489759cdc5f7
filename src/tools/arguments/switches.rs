//! Switches that pair with the targets of a call: one for all, or one for each.

use crate::tools::error::ToolError;
use serde::Deserialize;

/// True or false, for every target or by position.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Switch {
    All(bool),
    Each(Vec<bool>),
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

    /// The switch of the target at that position.
    pub fn at(&self, position: usize) -> bool {
        match self {
            Switch::All(on) => *on,
            Switch::Each(each) => each.get(position).or(each.first()).copied().unwrap_or_default(),
        }
    }
}

/// A switch over `count` targets; refuses a list that does not pair with them.
pub fn spread(parameter: &str, switch: Option<Switch>, count: usize) -> Result<Option<Switch>, ToolError> {
    match &switch {
        Some(Switch::Each(each)) if each.len() != 1 && each.len() != count => Err(ToolError::new(format!(
            "{parameter} has {} values for {count} targets; give one value, or one for each target",
            each.len()
        ))),
        _ => Ok(switch),
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
}

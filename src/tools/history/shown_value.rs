//! A property that is different, as it is told.

use serde_json::Value;

/// A property before and after; null where there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownValue {
    pub name: String,
    pub old: Value,
    pub new: Value,
}

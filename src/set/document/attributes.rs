//! Values that objects of several kinds have.

use crate::music::Meter;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Values of members that have no behaviour of their own, by the member's name; absent means the table's default.
pub type StoredMembers = BTreeMap<String, Value>;

/// Values that the lists and objects of one stored member hold together, at whatever depth: as JSON they take far more
/// memory than their text.
pub const MAX_STORED_VALUES: usize = 10_000;

/// Whether a stored member holds no more than it may.
pub fn can_be_stored(value: &Value) -> bool {
    fn count(value: &Value, left: usize) -> Option<usize> {
        let left = left.checked_sub(1)?;
        match value {
            Value::Array(items) => items.iter().try_fold(left, |left, item| count(item, left)),
            Value::Object(members) => members.values().try_fold(left, |left, member| count(member, left)),
            _ => Some(left),
        }
    }
    count(value, MAX_STORED_VALUES + 1).is_some()
}

/// A colour of Live's palette of 70, by its position.
pub type ColorIndex = u8;

/// A time signature as Live stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    pub numerator: u8,
    pub denominator: u8,
}

impl From<Meter> for Signature {
    fn from(meter: Meter) -> Self {
        Signature { numerator: meter.numerator(), denominator: meter.denominator() }
    }
}

impl From<Signature> for Meter {
    fn from(signature: Signature) -> Self {
        Meter::new(signature.numerator.into(), signature.denominator.into()).unwrap_or_default()
    }
}

/// For fields that are left out of a saved Set while they are false.
pub(super) fn is_false(value: &bool) -> bool {
    !value
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_counted_at_any_depth() {
        for count in [0, 1, MAX_STORED_VALUES, MAX_STORED_VALUES + 1] {
            let fits = count <= MAX_STORED_VALUES;
            assert_eq!(can_be_stored(&json!(vec![0; count])), fits, "{count}");
            let members = (0..count.saturating_sub(1)).map(|n| (n.to_string(), json!([])));
            assert_eq!(can_be_stored(&json!({ "in": Value::Object(members.collect()) })), fits, "{count}");
        }
        assert!(can_be_stored(&json!("x".repeat(MAX_STORED_VALUES + 1))));
    }
}

//! Values that objects of several kinds have.

use crate::music::Meter;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Values of members that have no behaviour of their own, by the member's name; absent means the table's default.
pub type StoredMembers = BTreeMap<String, serde_json::Value>;

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

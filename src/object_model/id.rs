//! Object ids, as every host's objects have them.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The id of an object: a positive number below 2^53 (so that JSON clients keep it exact), never reused for another
/// object of the same Set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ObjectId(pub u64);

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

//! What a server is started with.

use super::limits::Limits;
use crate::service::access::AccessCell;
use std::sync::Arc;

/// How a server treats its clients.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub limits: Limits,
    /// Pages of other machines may call tools. Settings stay closed to them.
    pub remote_cors: bool,
    /// What calls have to show.
    pub access: Arc<AccessCell>,
}

impl Options {
    /// The usual limits; remote pages are allowed by `ENABLE_REMOTE_CORS`, set to `true`, `1` or `yes`.
    pub fn from_environment(access: Arc<AccessCell>) -> Self {
        Options {
            limits: Limits::default(),
            access,
            remote_cors: std::env::var("ENABLE_REMOTE_CORS").is_ok_and(|value| is_yes(&value)),
        }
    }
}

fn is_yes(value: &str) -> bool {
    ["true", "1", "yes"].iter().any(|yes| value.trim().eq_ignore_ascii_case(yes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_an_environment_says_yes() {
        for (value, yes) in [("true", true), ("1", true), ("yes", true), (" TRUE ", true), ("0", false), ("", false)] {
            assert_eq!(is_yes(value), yes, "{value}");
        }
    }
}

//! What a server is started with.

use super::limits::Limits;

/// How a server treats its clients.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub limits: Limits,
    /// Pages of other machines may call tools. Settings stay closed to them.
    pub remote_cors: bool,
}

impl Options {
    /// The usual limits; remote pages are allowed by `ENABLE_REMOTE_CORS=true`, exactly so.
    pub fn from_environment() -> Self {
        Options {
            limits: Limits::default(),
            remote_cors: std::env::var("ENABLE_REMOTE_CORS").is_ok_and(|value| value == "true"),
        }
    }
}

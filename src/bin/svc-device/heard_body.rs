//! The body of an answer, up to a size: the program on a port may answer without end. Callers limit the time.

use http_body_util::{BodyExt, Limited};
use hyper::body::{Bytes, Incoming};
use std::time::Duration;

/// How long an answer about the device itself may take.
pub const ASK_LIMIT: Duration = Duration::from_secs(5);
/// The largest answer about the device itself.
pub const MAX_ABOUT_BYTES: usize = 1024 * 1024;
/// The largest answer that is parsed, which takes up to eighty times its size.
pub const MAX_PARSED_BYTES: usize = 8 * 1024 * 1024;
/// The largest answer that is passed on, and the largest message of a stream.
pub const MAX_PASSED_BYTES: usize = 64 * 1024 * 1024;

/// The whole body. The error says why there is none.
pub async fn read_within(body: Incoming, max_bytes: usize) -> Result<Bytes, String> {
    let whole = Limited::new(body, max_bytes).collect().await.map_err(|why| why.to_string())?;
    Ok(whole.to_bytes())
}

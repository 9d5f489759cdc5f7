//! What a client may take: sizes, counts and times. Sizes are fixed by the interface; times can be shortened by tests.

use std::time::Duration;

/// The largest request body: 2 MB.
pub const MAX_BODY_BYTES: u64 = 2_097_152;
/// The largest head: request line and headers.
pub const MAX_HEAD_BYTES: usize = 16 * 1024;
/// The most header lines in a head.
pub const MAX_HEADERS: usize = 64;
/// The longest request target; a longer one inside [`MAX_HEAD_BYTES`] is 414.
pub const MAX_TARGET_BYTES: usize = 8 * 1024;
/// The most bytes read and thrown away after the last answer of a connection.
pub const MAX_DRAIN_BYTES: u64 = 64 * 1024 * 1024;

/// How long a request that has begun may stand still before it is slow.
pub const REQUEST_GRACE: Duration = Duration::from_millis(10);
/// How long an answer may wait to be read before its reader is slow; the longest that bytes make up for a pause.
pub const PAUSE_GRACE: Duration = Duration::from_millis(100);
/// One seat in so many is kept free of slow requests, for those who need one at once.
pub const SEATS_PER_RESERVED_ONE: usize = 8;

/// Times and counts a server holds its clients to.
#[derive(Clone, Debug)]
pub struct Limits {
    /// From a head's first byte to its last.
    pub head: Duration,
    /// From the end of the head to the end of the body.
    pub body: Duration,
    /// Between an answer and the next request, and before the first.
    pub idle: Duration,
    /// For a whole answer to leave.
    pub write: Duration,
    /// How long a request whose sender has closed its side is still worked on. A client that only half-closed reads
    /// its answer; one that is gone costs no more than this.
    pub half_close: Duration,
    /// After the last answer, for the client to read it and close.
    pub drain: Duration,
    /// Connections at a time; see [`super::listener`] for what happens to one more.
    pub connections: usize,
    /// A request that comes more slowly than this, or an answer that is read more slowly, is *slow*: it may have its
    /// seat while nobody else needs it.
    pub slow_bytes_per_s: u32,
    /// How long a client waits for a seat before it is refused one.
    pub seat_wait: Duration,
    /// On stop, for requests under way to end before they are answered 503.
    pub stop_grace: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            head: Duration::from_secs(10),
            body: Duration::from_secs(30),
            idle: Duration::from_secs(60),
            write: Duration::from_secs(30),
            half_close: Duration::from_millis(250),
            drain: Duration::from_secs(2),
            connections: 64,
            slow_bytes_per_s: 16 * 1024,
            seat_wait: Duration::from_millis(250),
            stop_grace: Duration::from_millis(250),
        }
    }
}

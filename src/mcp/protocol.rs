//! Constants of the protocol: the versions served and the sizes of messages.

/// The protocol versions served, oldest first.
pub const SUPPORTED_VERSIONS: [&str; 4] = ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"];
/// The only version with batches, and the one of a request that names none.
pub const FIRST_VERSION: &str = "2025-03-26";
/// The header in which a request names its version.
pub const VERSION_HEADER: &str = "mcp-protocol-version";
/// The most messages in a batch.
pub const MAX_BATCH: usize = 100;
/// The most bytes of a body without the arguments of its calls. `rmcp` reads them several times over, on the thread
/// that serves all connections.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// The most values of such a body, each of which takes `rmcp` longer than many bytes of a text.
pub const MAX_MESSAGE_VALUES: usize = 2000;

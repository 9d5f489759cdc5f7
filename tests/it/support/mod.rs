//! What the tests share: a child process, a raw client, and the hostile clients.

pub mod child;
pub mod http;
pub mod script;
pub mod torture;

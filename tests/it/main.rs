//! The product from outside: over HTTP, as a process.

mod http_torture;
mod support;

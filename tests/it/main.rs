//! The product from outside: over HTTP, as a process.

mod examples;
mod http_torture;
mod readme;
mod support;

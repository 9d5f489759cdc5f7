//! The product from outside: over HTTP, as a process.

mod examples;
mod http_torture;
mod readme;
#[cfg(target_os = "linux")]
mod jack_notes;
mod standalone;
mod support;

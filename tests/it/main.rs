//! The product from outside: over HTTP, as a process.

mod http_torture;
#[cfg(target_os = "linux")]
mod jack_notes;
mod standalone;
mod support;

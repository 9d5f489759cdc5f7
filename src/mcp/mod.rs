//! The Model Context Protocol over HTTP: what a `POST /mcp` is answered with.
//!
//! [`endpoint`] takes one HTTP request and speaks the protocol, whatever the server behind it offers; [`message`] judges the
//! JSON-RPC of it. [`server`] is our server: it shows a [`Toolbox`] as tools, resources and prompts, in the form that the
//! request's own headers ask for. What it says of tools by name (the first one to call, those behind [`resources`] and
//! [`prompts`]) it says only to requests that see them.
//!
//! Both living generations of the protocol are served, told apart by each request itself: 2025-03-26, 2025-06-18 and
//! 2025-11-25 begin with `initialize`; 2026-07-28 has no handshake. Invariants: no request leaves anything behind for the
//! next one, there are no sessions and no streams; every answer is JSON.

mod content;
pub mod endpoint;
mod fault;
mod message;
mod prompts;
mod resources;
pub mod server;

use crate::service::{Answer, CallFailure, CallRequest, ProfileHeaders, ToolDescriptor};
use std::future::Future;

pub use endpoint::Endpoint;
pub use fault::{Fault, refuse};
pub use server::Server;

/// What the protocol is spoken for.
pub trait Toolbox: Send + Sync + 'static {
    /// The tools that a request with these headers sees. Must not wait.
    fn tools(&self, headers: &ProfileHeaders) -> Vec<ToolDescriptor>;
    /// Whether answers are JSON where a request does not say. Must not wait.
    fn json_output(&self) -> bool;
    /// Runs a tool. The future is dropped when the client is gone.
    fn call(&self, request: CallRequest) -> impl Future<Output = Result<Answer, CallFailure>> + Send;
}

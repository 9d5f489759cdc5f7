//! The Model Context Protocol over HTTP: what a `POST /mcp` is answered with.
//!
//! [`endpoint`] takes one HTTP request and speaks the protocol, whatever the server behind it offers; [`message`]
//! checks its JSON-RPC. [`server`] is our server: it shows a [`Toolbox`] as tools, resources and prompts, in the form
//! that the request's own headers ask for. It names tools (the first one to call, those behind [`resources`] and
//! [`prompts`]) only to requests that see them.
//!
//! Both generations of the protocol that are in use are served; each request says which it is of: 2025-03-26,
//! 2025-06-18 and 2025-11-25 begin with `initialize`; 2026-07-28 has no handshake. Invariants: no request leaves
//! anything behind for the next one, there are no sessions; every answer is JSON or, of a call that tells of its
//! progress and of a client that listens, a stream.

mod content;
pub mod endpoint;
mod exchange;
mod listening;
mod long_parts;
mod message;
mod open_requests;
mod progress;
mod prompts;
mod protocol;
mod resources;
mod rpc_error;
pub mod server;
mod toolbox;

pub use endpoint::{Endpoint, Listening};
pub use exchange::{EndpointAnswer, Messages};
pub use long_parts::LONG_BYTES;
pub use rpc_error::{RpcError, refusal_response};
pub use server::Server;
pub use toolbox::Toolbox;

//! The local HTTP server: listener, limits, origin rules, and the routes of the tools, the settings and the Model
//! Context Protocol.
//!
//! The life of a request: [`listener`] accepts and counts, [`connection`] drives the parser under the deadlines of
//! [`connection_state`], [`connection_service`] checks the head and the origin, [`rest`], [`config`], [`openapi`] and
//! [`mcp`] answer through a [`Backend`].
//!
//! Invariants: only loopback addresses are bound. Nothing that a client sends or leaves out ends the process, holds a
//! slot for ever, or keeps other clients waiting. Every answer is JSON and leaves in one write. When
//! [`Server::stop`] returns, every socket is closed and the thread has ended, or the caller learns that it has not.
//! See D30 in `docs/decisions.md`.

mod backend;
mod bearer;
mod body;
mod config;
mod connection;
mod connection_service;
mod connection_state;
mod errors;
mod framing;
mod limits;
mod listener;
mod made_once;
mod mcp;
mod openapi;
mod options;
mod origin;
mod parser_stream;
mod query;
mod response;
mod rest;
mod server;
#[cfg(test)]
mod tests;

pub use backend::Backend;
pub use limits::Limits;
pub use options::Options;
pub use server::{Server, StartError, Stopped};

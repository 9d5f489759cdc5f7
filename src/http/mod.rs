//! The local HTTP server: listener, limits, origin rules, and the routes of the tools, the settings and the Model
//! Context Protocol; what happens as a stream, files that come and leave, and the device's page.
//!
//! The life of a request: [`listener`] accepts and counts, [`connection`] drives the parser under the deadlines of
//! [`connection_state`], [`connection_service`] checks the head and the origin, [`rest`], [`config`], [`openapi`],
//! [`view`], [`event_stream`], [`files`] and [`mcp`] answer through a [`Backend`]; [`page`] holds files.
//!
//! Invariants: only loopback addresses are bound. Nothing that a client sends or leaves out ends the process, holds a
//! slot for ever, or keeps other clients waiting. Every answer but the page's files, those that leave and streams is
//! JSON and leaves in one write. When [`Server::stop`] returns, every socket is closed and the thread has ended, or the
//! caller learns that it has not. See D30 in `docs/decisions.md`.

mod allowed_stream;
mod backend;
mod bearer;
mod body;
mod config;
mod connection;
mod connection_service;
mod connection_state;
mod errors;
mod event_stream;
mod files;
mod framing;
mod limits;
mod listener;
mod made_once;
mod mcp;
mod openapi;
mod options;
mod origin;
mod page;
mod parser_stream;
mod parsing_room;
mod query;
mod response;
mod rest;
mod server;
#[cfg(test)]
mod tests;
mod view;

pub use backend::Backend;
pub use limits::Limits;
pub use options::Options;
pub use server::{Server, StartError, Stopped};

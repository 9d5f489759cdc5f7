//! What the test host is made of; its hosts and song are those of the tests on Linux. On other systems it is empty.

#![cfg(windows)]

pub mod console;
pub mod editor;
pub mod messages;
pub mod open_file;
pub mod plugins;
pub mod support;

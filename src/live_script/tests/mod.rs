//! Real folders: what is found, what is installed over what, and what is left when it cannot be.

mod finding;
mod installing;
mod user_library;

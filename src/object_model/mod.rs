//! The narrow waist: objects with ids, reached by paths, with properties, children and functions.
pub mod id;
pub use id::ObjectId;

//! Paths as keys: their bytes, which the index file sorts by, and the hash of them, by which uses are counted.

use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

/// The bytes of a path, as a key.
pub fn path_key(path: &Path) -> Box<[u8]> {
    path_bytes(path).into()
}

pub fn path_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

/// The hash of a path's bytes. It differs from process to process and is never stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathHash(u64);

impl PathHash {
    pub fn of(path: &[u8]) -> PathHash {
        let mut hasher = DefaultHasher::new();
        hasher.write(path);
        PathHash(hasher.finish())
    }
}

//! How often each file was used. A search asks this for every record it found, so records carry the hash of their path,
//! and most lookups end at a hash that is not there.

use super::path_key::{PathHash, path_bytes};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::Path;

/// Uses a [`PathHash`] as it is, since it is a hash already.
#[derive(Clone, Debug, Default)]
pub struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = self.0.rotate_left(8) ^ value;
    }
}

/// The paths with one hash (almost always one), each with its count.
type CountedPaths = Vec<(Box<[u8]>, u64)>;

/// Counts by path.
#[derive(Clone, Debug, Default)]
pub struct UseCounts {
    counts: HashMap<PathHash, CountedPaths, BuildHasherDefault<IdentityHasher>>,
}

impl UseCounts {
    /// Adds to the count of the path with this [`path_key`](super::path_key::path_key).
    pub fn add(&mut self, key: Box<[u8]>, uses: u64) {
        let paths = self.counts.entry(PathHash::of(&key)).or_default();
        match paths.iter_mut().find(|(path, _)| *path == key) {
            Some((_, count)) => *count = count.saturating_add(uses),
            None => paths.push((key, uses)),
        }
    }

    /// 0 for a path that was never used.
    pub fn count_of(&self, hash: PathHash, path: &Path) -> u64 {
        let Some(paths) = self.counts.get(&hash) else { return 0 };
        let key = path_bytes(path);
        paths.iter().find(|(path, _)| **path == *key).map_or(0, |(_, count)| *count)
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// All counts, in no order.
    pub fn values(&self) -> impl Iterator<Item = u64> {
        self.counts.values().flatten().map(|(_, count)| *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::path_key::path_key;

    #[test]
    fn uses_add_up_by_path() {
        let (one, two) = (Path::new("/smp/a.wav"), Path::new("/smp/b.wav"));
        let of = |uses: &UseCounts, path: &Path| uses.count_of(PathHash::of(path_bytes(path)), path);
        let mut uses = UseCounts::default();
        assert!(uses.is_empty());
        uses.add(path_key(one), 2);
        uses.add(path_key(one), 1);
        assert_eq!((of(&uses, one), of(&uses, two)), (3, 0));
        // A path with the same hash is another path.
        assert_eq!(uses.count_of(PathHash::of(path_bytes(one)), two), 0);
        uses.add(path_key(two), u64::MAX);
        uses.add(path_key(two), 1);
        let mut all: Vec<u64> = uses.values().collect();
        all.sort_unstable();
        assert_eq!(all, [3, u64::MAX]);
    }
}

//! How often each file was used. A search asks for every record it found, so records bring the hash of their path, and most
//! questions end at a number that is not there.

use super::store;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};
use std::path::Path;

/// The hash of a path's bytes, while the process lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathHash(u64);

impl PathHash {
    pub fn of(path: &[u8]) -> PathHash {
        let mut hasher = DefaultHasher::new();
        hasher.write(path);
        PathHash(hasher.finish())
    }
}

/// Takes a [`PathHash`] for what it is: a hash already.
#[derive(Clone, Debug, Default)]
pub struct Hashed(u64);

impl Hasher for Hashed {
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

/// The paths of one hash, almost always one, each with its count.
type Counted = Vec<(Box<[u8]>, u64)>;

/// Counts by path.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    counts: HashMap<PathHash, Counted, BuildHasherDefault<Hashed>>,
}

impl Uses {
    /// Adds to the count of the path with this [`store::key`].
    pub fn add(&mut self, key: Box<[u8]>, uses: u64) {
        let paths = self.counts.entry(PathHash::of(&key)).or_default();
        match paths.iter_mut().find(|(path, _)| *path == key) {
            Some((_, count)) => *count = count.saturating_add(uses),
            None => paths.push((key, uses)),
        }
    }

    /// 0 for a path that was never used.
    pub fn of(&self, hash: PathHash, path: &Path) -> u64 {
        let Some(paths) = self.counts.get(&hash) else { return 0 };
        let key = store::key_bytes(path);
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

    #[test]
    fn uses_add_up_by_path() {
        let (one, two) = (Path::new("/smp/a.wav"), Path::new("/smp/b.wav"));
        let of = |uses: &Uses, path: &Path| uses.of(PathHash::of(store::key_bytes(path)), path);
        let mut uses = Uses::default();
        assert!(uses.is_empty());
        uses.add(store::key(one), 2);
        uses.add(store::key(one), 1);
        assert_eq!((of(&uses, one), of(&uses, two)), (3, 0));
        // A path of the same hash is another path.
        assert_eq!(uses.of(PathHash::of(store::key_bytes(one)), two), 0);
        uses.add(store::key(two), u64::MAX);
        uses.add(store::key(two), 1);
        let mut all: Vec<u64> = uses.values().collect();
        all.sort_unstable();
        assert_eq!(all, [3, u64::MAX]);
    }
}

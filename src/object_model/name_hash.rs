//! A quick hash for the names of the class table. The keys are our own and fixed, so nobody can choose them to collide: the
//! standard hash guards against that, and every read would pay for it several times.

use indexmap::IndexMap;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Takes eight bytes at a time: turn, mix in, multiply.
#[derive(Clone, Copy, Default)]
pub struct NameHasher(u64);

/// The golden ratio's 64 bits, made odd.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;

impl NameHasher {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
    }
}

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        self.mix(u64::from_le_bytes(last));
    }

    fn write_u8(&mut self, byte: u8) {
        self.mix(byte.into());
    }

    fn finish(&self) -> u64 {
        // Maps take their places from the low bits, which a product mixes least.
        self.0 ^ (self.0 >> 32)
    }
}

/// Members by name, in the table's order.
pub type NameMap<V> = IndexMap<String, V, BuildHasherDefault<NameHasher>>;
/// Anything by name.
pub type NameTable<V> = HashMap<String, V, BuildHasherDefault<NameHasher>>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::class::table;
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    #[test]
    fn names_of_the_table_spread() {
        let names: HashSet<&String> = table()
            .classes
            .values()
            .flat_map(|class| class.properties.keys().chain(class.children.keys()).chain(class.functions.keys()))
            .chain(table().classes.keys())
            .collect();
        let hasher = BuildHasherDefault::<NameHasher>::default();
        let hashes: HashSet<u64> = names.iter().map(|name| hasher.hash_one(name)).collect();
        assert_eq!(hashes.len(), names.len());
        let places: HashSet<u64> = hashes.iter().map(|hash| hash & 1023).collect();
        // By chance, n names fall into 1024 (1 - e^(-n/1024)) places.
        let expected = 1024.0 * (1.0 - (-(names.len() as f64) / 1024.0).exp());
        assert!(places.len() as f64 > 0.9 * expected, "{} of {expected}", places.len());
    }
}

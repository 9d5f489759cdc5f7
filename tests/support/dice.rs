//! A stream of numbers that looks like chance and is the same each time.

pub struct Dice(pub u64);

impl Dice {
    /// Below `count`.
    pub fn roll(&mut self, count: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % count.max(1)
    }

    pub fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.roll(of.len() as u64) as usize].clone()
    }
}

//! In which order an arpeggiator plays its keys.

use super::note_act::mixed;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ArpeggioStyle {
    #[default]
    Up,
    Down,
    /// Without the ends twice.
    UpDown,
    DownUp,
    /// With the ends twice.
    UpAndDown,
    DownAndUp,
    Converge,
    Diverge,
    ConAndDiverge,
    /// The highest after each of the others.
    PinkyUp,
    PinkyUpDown,
    /// The lowest before each of the others.
    ThumbUp,
    ThumbUpDown,
    PlayOrder,
    /// All at once.
    ChordTrigger,
    Random,
    /// Random, and none again before all have been.
    RandomOther,
    /// A random order that stays.
    RandomOnce,
}

/// Keys that an arpeggiator knows at once.
pub const MOST_KEYS: usize = 32;

/// An order of keys.
#[derive(Clone, Copy)]
pub struct KeyOrder {
    places: [u8; 4 * MOST_KEYS],
    count: usize,
}

impl KeyOrder {
    fn add(&mut self, key: usize) {
        if let Some(place) = self.places.get_mut(self.count) {
            *place = key as u8;
            self.count += 1;
        }
    }

    fn of(keys: impl Iterator<Item = usize>) -> KeyOrder {
        let mut order = KeyOrder { places: [0; 4 * MOST_KEYS], count: 0 };
        keys.for_each(|key| order.add(key));
        order
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn at(&self, step: usize) -> usize {
        self.places.get(step % self.count.max(1)).copied().map_or(0, usize::from)
    }
}

/// One pass over `count` keys, lowest first. Random ones are those of `seed` and, where each pass is another, `pass`.
pub fn order(style: ArpeggioStyle, count: usize, seed: u64, pass: u64) -> KeyOrder {
    let count = count.min(MOST_KEYS);
    let up = 0..count;
    let down = (0..count).rev();
    // Between the ends, the ends left out.
    let inner = 1..count.saturating_sub(1).max(1);
    let converging = move |at: usize| if at.is_multiple_of(2) { at / 2 } else { count - 1 - at / 2 };
    let top = count.saturating_sub(1);
    let pinky = move |key: usize| [key, top];
    let thumb = move |key: usize| [0, key];
    match style {
        _ if count < 2 => KeyOrder::of(up),
        ArpeggioStyle::Up | ArpeggioStyle::PlayOrder | ArpeggioStyle::ChordTrigger => KeyOrder::of(up),
        ArpeggioStyle::Down => KeyOrder::of(down),
        ArpeggioStyle::UpDown => KeyOrder::of(up.chain(inner.rev())),
        ArpeggioStyle::DownUp => KeyOrder::of(down.chain(inner)),
        ArpeggioStyle::UpAndDown => KeyOrder::of(up.chain(down)),
        ArpeggioStyle::DownAndUp => KeyOrder::of(down.chain(up)),
        ArpeggioStyle::Converge => KeyOrder::of(up.map(converging)),
        ArpeggioStyle::Diverge => KeyOrder::of(down.map(converging)),
        ArpeggioStyle::ConAndDiverge => KeyOrder::of(up.map(converging).chain(down.map(converging))),
        ArpeggioStyle::PinkyUp => KeyOrder::of((0..top).flat_map(pinky)),
        ArpeggioStyle::PinkyUpDown => {
            KeyOrder::of((0..top).chain((1..top.saturating_sub(1).max(1)).rev()).flat_map(pinky))
        }
        ArpeggioStyle::ThumbUp => KeyOrder::of((1..count).flat_map(thumb)),
        ArpeggioStyle::ThumbUpDown => KeyOrder::of((1..count).chain((2..top.max(2)).rev()).flat_map(thumb)),
        ArpeggioStyle::Random => KeyOrder::of(up.map(|at| {
            let dice = mixed(seed, pass.wrapping_mul(MOST_KEYS as u64) + at as u64);
            (dice % count as u64) as usize
        })),
        ArpeggioStyle::RandomOther => shuffled(count, mixed(seed, pass)),
        ArpeggioStyle::RandomOnce => shuffled(count, seed),
    }
}

fn shuffled(count: usize, seed: u64) -> KeyOrder {
    let mut order = KeyOrder::of(0..count);
    for at in (1..count).rev() {
        order.places.swap(at, (mixed(seed, at as u64) % (at as u64 + 1)) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_go_through_keys_in_their_order() {
        use ArpeggioStyle::*;
        for (style, count, meant) in [
            (Up, 4, "0123"),
            (Down, 4, "3210"),
            (UpDown, 4, "012321"),
            (DownUp, 4, "321012"),
            (UpDown, 2, "01"),
            (UpAndDown, 3, "012210"),
            (DownAndUp, 3, "210012"),
            (Converge, 4, "0312"),
            (Converge, 5, "04132"),
            (Diverge, 4, "2130"),
            (ConAndDiverge, 3, "021120"),
            (PinkyUp, 4, "031323"),
            (PinkyUpDown, 4, "03132313"),
            (ThumbUp, 4, "010203"),
            (ThumbUpDown, 4, "01020302"),
            (Down, 1, "0"),
        ] {
            let order = order(style, count, 1, 0);
            let is: String = (0..order.len()).map(|step| order.at(step).to_string()).collect();
            assert_eq!(is, meant, "{style:?} of {count}");
        }
    }

    #[test]
    fn random_orders_are_those_of_their_seed() {
        let of = |style, seed, pass| {
            let order = order(style, 8, seed, pass);
            (0..order.len()).map(|step| order.at(step)).collect::<Vec<_>>()
        };
        for style in [ArpeggioStyle::Random, ArpeggioStyle::RandomOther, ArpeggioStyle::RandomOnce] {
            assert_eq!(of(style, 7, 3), of(style, 7, 3));
            assert_ne!(of(style, 7, 3), of(style, 8, 3));
            assert_eq!(of(style, 7, 3) == of(style, 7, 4), style == ArpeggioStyle::RandomOnce);
        }
        let mut other = of(ArpeggioStyle::RandomOther, 1, 0);
        other.sort_unstable();
        assert_eq!(other, [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}

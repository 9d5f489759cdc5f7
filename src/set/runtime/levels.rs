//! How loud the tracks are, as whoever makes their sound measures it.

use crate::set::document::ids::Serial;
use arc_swap::ArcSwapOption;
use std::fmt;

/// The peaks of both channels of a track, which fall slowly; 1 is full scale.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Level {
    pub left: f32,
    pub right: f32,
}

/// Tells the level of a track behind its fader; `None` of one that makes no sound.
pub type Meter = dyn Fn(Serial) -> Option<Level> + Send + Sync;

/// Written by who makes the sound, read by calls and windows. Without anybody who does, all is silent.
#[derive(Default)]
pub struct Levels(ArcSwapOption<Box<Meter>>);

impl Levels {
    /// Tells by this from now on.
    pub fn tell_by(&self, meter: Option<Box<Meter>>) {
        self.0.store(meter.map(Into::into));
    }

    pub fn of(&self, track: Serial) -> Level {
        self.0.load().as_ref().and_then(|meter| meter(track)).unwrap_or_default()
    }
}

impl fmt::Debug for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Levels")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_measures_is_silent() {
        let levels = Levels::default();
        assert_eq!(levels.of(10), Level::default());
        let loud = Level { left: 0.5, right: 0.25 };
        levels.tell_by(Some(Box::new(move |track| (track == 10).then_some(loud))));
        assert_eq!((levels.of(10), levels.of(11)), (loud, Level::default()));
        levels.tell_by(None);
        assert_eq!(levels.of(10), Level::default());
    }
}

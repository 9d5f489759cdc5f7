//! Object paths: a root, then `list index` pairs or single child names, one space between words.

use super::id::ObjectId;

/// Where a path starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    LiveSet,
    LiveApp,
    ThisDevice,
    ControlSurface(usize),
    Id(ObjectId),
}

impl Root {
    /// Reads the root off the front of a path's words; `None` where they begin with none.
    pub fn read<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Root> {
        Some(match words.next()? {
            "live_set" => Root::LiveSet,
            "live_app" => Root::LiveApp,
            "this_device" => Root::ThisDevice,
            "control_surfaces" => Root::ControlSurface(index(words.next()?)?),
            "id" => Root::Id(ObjectId(words.next()?.parse().ok()?)),
            _ => return None,
        })
    }
}

/// A position in a child list: digits and nothing else.
pub fn index(word: &str) -> Option<usize> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok())?
}

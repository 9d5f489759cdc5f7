//! Object paths: a root, then `list index` pairs or single child names, one space between words.

use super::ObjectId;
use super::model::ObjectModel;

/// Where a path starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    LiveSet,
    LiveApp,
    ThisDevice,
    ControlSurface(usize),
    Id(ObjectId),
}

/// The object a path names, or `None`: an unknown word, an index out of range, a dead id and an empty path are no error,
/// as in Live.
pub fn resolve<M: ObjectModel + ?Sized>(model: &M, path: &str) -> Option<ObjectId> {
    let mut words = path.split_whitespace().peekable();
    let root = match words.next()? {
        "live_set" => Root::LiveSet,
        "live_app" => Root::LiveApp,
        "this_device" => Root::ThisDevice,
        "control_surfaces" => Root::ControlSurface(index(words.next()?)?),
        "id" => Root::Id(ObjectId(words.next()?.parse().ok()?)),
        _ => return None,
    };
    let mut at = model.root(root)?;
    while let Some(name) = words.next() {
        let child = model.class_of(at)?.children.get(name)?;
        at = if child.list { model.child_at(at, name, index(words.next()?)?)? } else { model.child_at(at, name, 0)? };
    }
    Some(at)
}

fn index(word: &str) -> Option<usize> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok())?
}

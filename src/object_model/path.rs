//! Object paths: a root, then `list index` pairs or single child names, one space between words.

use super::error::ModelError;
use super::id::ObjectId;
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
pub fn resolve<M: ObjectModel + ?Sized>(model: &M, path: &str) -> Result<Option<ObjectId>, ModelError> {
    let mut words = path.split_whitespace();
    let Some(root) = root(&mut words) else { return Ok(None) };
    let mut at = model.root(root)?;
    while let Some(parent) = at
        && let Some(name) = words.next()
    {
        let child = model.class_of(parent)?.and_then(|class| class.children.get(name));
        let index = match child {
            None => None,
            Some(child) if child.list => words.next().and_then(index),
            Some(_) => Some(0),
        };
        at = match index {
            Some(index) => model.child_at(parent, name, index)?,
            None => None,
        };
    }
    Ok(at)
}

/// The root that a path starts with.
fn root<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Root> {
    Some(match words.next()? {
        "live_set" => Root::LiveSet,
        "live_app" => Root::LiveApp,
        "this_device" => Root::ThisDevice,
        "control_surfaces" => Root::ControlSurface(index(words.next()?)?),
        "id" => Root::Id(ObjectId(words.next()?.parse().ok()?)),
        _ => return None,
    })
}

fn index(word: &str) -> Option<usize> {
    word.bytes().all(|b| b.is_ascii_digit()).then(|| word.parse().ok())?
}

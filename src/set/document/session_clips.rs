//! A track's Session clips, by their scene's serial. Persistent: editing one clip of a thousand copies ten nodes.
//!
//! Written and read as the array of its entries.

use crate::set::document::clip::{Clip, NoteCount};
use crate::set::document::ids::Serial;
use crate::set::document::ordered::{self, Item, Tree};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SessionClip {
    /// The scene this clip's slot is in. Keyed by scene, not by index: inserting a scene touches no track.
    pub scene: Serial,
    pub clip: Arc<Clip>,
}

impl Item for SessionClip {
    type Sum = NoteCount;
    fn sum(&self) -> NoteCount {
        self.clip.note_count()
    }
}

/// Clips look alike when they are the same in memory; only others are compared by value.
impl PartialEq for SessionClip {
    fn eq(&self, other: &Self) -> bool {
        self.scene == other.scene && (Arc::ptr_eq(&self.clip, &other.clip) || self.clip == other.clip)
    }
}

/// See the [module](self). In the order of the scenes' serials, which is not that of the scenes.
#[derive(Clone, Default)]
pub struct SessionClips(Tree<SessionClip>);

impl SessionClips {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The notes of all its clips.
    pub fn note_count(&self) -> NoteCount {
        self.0.sum()
    }

    pub fn get(&self, scene: Serial) -> Option<&Arc<Clip>> {
        self.0.get(scene.into()).map(|entry| &entry.clip)
    }

    pub fn iter(&self) -> ordered::Iter<'_, SessionClip> {
        self.0.iter()
    }

    /// Puts a clip into a slot, in place of what was there.
    pub fn insert(&mut self, entry: SessionClip) {
        self.0.insert(entry.scene.into(), entry);
    }

    pub fn remove(&mut self, scene: Serial) -> Option<Arc<Clip>> {
        self.0.remove(scene.into()).map(|entry| entry.clip)
    }

    pub fn edit<R>(&mut self, scene: Serial, change: impl FnOnce(&mut Clip) -> R) -> Option<R> {
        self.0.edit(scene.into(), |entry| change(Arc::make_mut(&mut entry.clip)))
    }

    /// Visits the slots whose clips `self` and `other` do not share, with the clip on each side.
    pub fn differences<'a>(
        &'a self,
        other: &'a Self,
        visit: impl FnMut(Option<&'a SessionClip>, Option<&'a SessionClip>),
    ) {
        self.0.differences(&other.0, |a, b| Arc::ptr_eq(&a.clip, &b.clip), visit);
    }
}

impl PartialEq for SessionClips {
    fn eq(&self, other: &Self) -> bool {
        self.0.has_items_of(&other.0, SessionClip::eq)
    }
}

impl fmt::Debug for SessionClips {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl FromIterator<SessionClip> for SessionClips {
    fn from_iter<I: IntoIterator<Item = SessionClip>>(entries: I) -> Self {
        let mut clips = SessionClips::default();
        entries.into_iter().for_each(|entry| clips.insert(entry));
        clips
    }
}

impl<'a> IntoIterator for &'a SessionClips {
    type Item = &'a SessionClip;
    type IntoIter = ordered::Iter<'a, SessionClip>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Serialize for SessionClips {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for SessionClips {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Vec::<SessionClip>::deserialize(deserializer)?;
        if !entries.is_sorted_by(|a, b| a.scene < b.scene) {
            return Err(serde::de::Error::custom("a track's clips are not sorted by scene"));
        }
        Ok(SessionClips(Tree::from_sorted(entries.into_iter().map(|entry| (entry.scene.into(), entry)).collect())))
    }
}

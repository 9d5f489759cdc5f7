//! What a call moves without naming it: the tracks, scenes and devices behind what it puts in or takes away have other
//! paths afterwards.

use super::target_result::{TargetResult, add_detail};
use crate::object_model::path::Root;
use crate::object_model::{ModelError, ObjectId, Session};
use crate::tools::address::model_read;
use crate::tools::address::path_format;
use std::collections::HashMap;

/// Stretches that moved alike and are told one by one; of more it is only said that they moved.
const MOST_STRETCHES: usize = 4;

/// A list of objects as it is before a call changes it.
#[derive(Debug)]
pub struct ListBefore {
    parent: ObjectId,
    /// The path of a parent inside a track, before the call; `None` where the call made it.
    parent_was: Option<String>,
    list: &'static str,
    objects: Vec<ObjectId>,
    /// Of the chains of a Drum Rack the note that each answers: they are counted by pads.
    notes: Vec<Option<i64>>,
}

/// Neighbours that moved by the same number of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    was: usize,
    is: usize,
    length: usize,
}

impl ListBefore {
    /// `list` is `tracks`, `return_tracks` or `scenes` of the Song, `devices` of a track or chain, or `chains` of a
    /// rack.
    pub fn read(session: &dyn Session, parent: ObjectId, list: &'static str) -> Result<ListBefore, ModelError> {
        let objects = model_read::children(session, parent, list)?;
        let notes = notes_of(session, list, &objects)?;
        let is_inside = matches!(list, "devices" | "chains");
        let parent_was = if is_inside { path_format::tool_path(session, parent)? } else { None };
        Ok(ListBefore { parent, parent_was, list, objects, notes })
    }

    /// The lists of the Song, in which objects move when one is brought back.
    pub fn of_song(session: &dyn Session) -> Result<Vec<ListBefore>, ModelError> {
        let Some(song) = session.root(Root::LiveSet)? else { return Ok(Vec::new()) };
        ["tracks", "return_tracks", "scenes"].into_iter().map(|list| ListBefore::read(session, song, list)).collect()
    }

    /// The devices around one that was brought back, as they were without it.
    pub fn without_device(session: &dyn Session, device: ObjectId) -> Result<Option<ListBefore>, ModelError> {
        let Some(holder) = model_read::child_if_any(session, device, "canonical_parent")? else { return Ok(None) };
        if !model_read::children_if_any(session, holder, "devices")?.contains(&device) {
            return Ok(None);
        }
        let mut list = ListBefore::read(session, holder, "devices")?;
        list.objects.retain(|other| *other != device);
        Ok(Some(list))
    }

    /// Reads a list into those that are known, unless it is there. Those that the call changed so far are all known.
    pub fn remember(
        known: &mut Vec<ListBefore>,
        session: &dyn Session,
        parent: ObjectId,
        list: &'static str,
    ) -> Result<(), ModelError> {
        if !known.iter().any(|one| one.parent == parent && one.list == list) {
            let parent_was = path_before(session, known, parent)?;
            known.push(ListBefore { parent_was, ..ListBefore::read(session, parent, list)? });
        }
        Ok(())
    }

    /// Which objects have another path now, but for those that the call names itself.
    pub fn describe(&self, session: &dyn Session, named: &[ObjectId]) -> Result<Option<String>, ModelError> {
        if matches!(self.list, "devices" | "chains") && !model_read::is_there(session, self.parent)? {
            return Ok(None);
        }
        let now = model_read::children(session, self.parent, self.list)?;
        if self.list == "chains" {
            return self.describe_chains(session, &now, named);
        }
        if now == self.objects {
            return Ok(None);
        }
        let moved = stretches(&self.objects, &now, named);
        let of_song = match self.list {
            "tracks" => Some("t"),
            "return_tracks" => Some("rt"),
            "scenes" => Some("s"),
            _ => None,
        };
        if let Some(prefix) = of_song {
            return Ok(told(&moved, (prefix, prefix), self.objects.len()));
        }
        let Some((was, is)) = self.parent_paths(session)? else { return Ok(None) };
        Ok(told(&moved, (&format!("{was}/d"), &format!("{is}/d")), self.objects.len()))
    }

    /// The path of the parent before the call, and now.
    fn parent_paths(&self, session: &dyn Session) -> Result<Option<(String, String)>, ModelError> {
        Ok(self.parent_was.clone().zip(path_format::tool_path(session, self.parent)?))
    }

    /// The path from before the call of the object at that position of the list.
    fn path_of(&self, session: &dyn Session, at: usize) -> Option<String> {
        let parent = self.parent_was.as_ref()?;
        Some(match (self.list, self.notes.get(at).copied().flatten()) {
            ("chains", Some(note)) => {
                let layer = self.notes.iter().take(at).filter(|earlier| **earlier == Some(note)).count();
                format!("{parent}/{}/c{layer}", pad_name(session, note))
            }
            ("chains", None) => format!("{parent}/c{at}"),
            _ => format!("{parent}/d{at}"),
        })
    }

    /// Of the chains of a rack; those of a Drum Rack are layers of their pads.
    fn describe_chains(
        &self,
        session: &dyn Session,
        now: &[ObjectId],
        named: &[ObjectId],
    ) -> Result<Option<String>, ModelError> {
        let notes_now = notes_of(session, self.list, now)?;
        if now == self.objects && notes_now == self.notes {
            return Ok(None);
        }
        let Some((rack_was, rack)) = self.parent_paths(session)? else { return Ok(None) };
        let mut pads = self.notes.clone();
        pads.sort_unstable();
        pads.dedup();
        let of = |objects: &[ObjectId], notes: &[Option<i64>], pad: Option<i64>| -> Vec<ObjectId> {
            objects.iter().zip(notes).filter(|(_, note)| **note == pad).map(|(chain, _)| *chain).collect()
        };
        let mut said = Vec::new();
        for pad in pads {
            let prefix = |rack: &str| match pad {
                None => format!("{rack}/c"),
                Some(note) => format!("{rack}/{}/c", pad_name(session, note)),
            };
            let before = of(&self.objects, &self.notes, pad);
            let moved = stretches(&before, &of(now, &notes_now, pad), named);
            said.extend(told(&moved, (&prefix(&rack_was), &prefix(&rack)), before.len()));
        }
        Ok((!said.is_empty()).then(|| said.join(", ")))
    }

    /// Says it in the last entry of those that were written.
    pub fn report<'a>(
        &self,
        session: &dyn Session,
        named: &[ObjectId],
        entries: impl DoubleEndedIterator<Item = &'a mut TargetResult>,
    ) -> Result<(), ModelError> {
        let written = entries.rev().find_map(|entry| match entry {
            TargetResult::Written(map) => Some(map),
            _ => None,
        });
        if let Some(map) = written
            && let Some(said) = self.describe(session, named)?
        {
            add_detail(map, said);
        }
        Ok(())
    }
}

/// The path of a device, chain or track before the call, by the lists that it changed so far; `None` for what it made.
fn path_before(session: &dyn Session, known: &[ListBefore], id: ObjectId) -> Result<Option<String>, ModelError> {
    for list in known {
        if let Some(at) = list.objects.iter().position(|object| *object == id) {
            return Ok(list.path_of(session, at));
        }
    }
    let Some(now) = path_format::tool_path(session, id)? else { return Ok(None) };
    let holder = match model_read::class(session, id)? {
        Some("Track") => None,
        _ => model_read::child(session, id, "canonical_parent")?,
    };
    let Some(holder) = holder else { return Ok(Some(now)) };
    let holder_now = path_format::tool_path(session, holder)?;
    let Some(step) = holder_now.and_then(|holder| now.strip_prefix(&holder).map(str::to_owned)) else {
        return Ok(Some(now));
    };
    // Return chains are in no list that a call changes.
    if known.iter().any(|list| list.parent == holder) && !step.starts_with("/rc") {
        return Ok(None);
    }
    Ok(path_before(session, known, holder)?.map(|holder| format!("{holder}{step}")))
}

fn pad_name(session: &dyn Session, note: i64) -> String {
    u8::try_from(note).map_or_else(|_| "p*".to_owned(), |note| format!("p{}", session.spelling().name(note)))
}

/// Of each chain the note of its pad; `None` where it stands on none.
fn notes_of(session: &dyn Session, list: &str, objects: &[ObjectId]) -> Result<Vec<Option<i64>>, ModelError> {
    if list != "chains" {
        return Ok(Vec::new());
    }
    objects.iter().map(|chain| path_format::drum_note(session, *chain)).collect()
}

/// The stretches of `before` that stand elsewhere in `now`; what is gone or named is left out.
fn stretches(before: &[ObjectId], now: &[ObjectId], named: &[ObjectId]) -> Vec<Stretch> {
    let now: HashMap<ObjectId, usize> = now.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let mut found: Vec<Stretch> = Vec::new();
    for (was, id) in before.iter().enumerate().filter(|(_, id)| !named.contains(id)) {
        let Some(is) = now.get(id).copied().filter(|is| *is != was) else { continue };
        match found.last_mut() {
            Some(last) if last.was + last.length == was && last.is + last.length == is => last.length += 1,
            _ => found.push(Stretch { was, is, length: 1 }),
        }
    }
    found
}

/// `before` and `now` open the paths before the call and now.
fn told(moved: &[Stretch], (before, now): (&str, &str), count_before: usize) -> Option<String> {
    let first = moved.first()?;
    if moved.len() > MOST_STRETCHES {
        return Some(format!("paths from {before}{} on have moved; read them again", first.was));
    }
    let stretch = |Stretch { was, is, length }: &Stretch| {
        let to_the_end = was + length == count_before;
        match length - 1 {
            0 => format!("what was {before}{was} is now {now}{is}"),
            _ if to_the_end => format!("what was {before}{was} is now {now}{is}, those behind it moved along"),
            more => {
                format!("what was {before}{was} to {before}{} is now {now}{is} to {now}{}", was + more, is + more)
            }
        }
    };
    Some(moved.iter().map(stretch).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moved_alike_is_one_sentence() {
        let ids = |numbers: &[u64]| numbers.iter().map(|number| ObjectId(*number)).collect::<Vec<_>>();
        for (before, now, named, said) in [
            (&[1, 2, 3][..], &[1, 2, 3, 9][..], &[][..], None),
            (&[1, 2, 3], &[9, 1, 2, 3], &[], Some("what was t0 is now t1, those behind it moved along")),
            (&[1, 2, 3], &[1, 2, 9, 3], &[], Some("what was t2 is now t3")),
            (&[1, 2, 3], &[1, 2], &[], None),
            (&[1, 2, 3], &[2, 3], &[], Some("what was t1 is now t0, those behind it moved along")),
            (
                &[1, 2, 3, 4, 5],
                &[9, 1, 2, 8, 3, 4, 5],
                &[],
                Some("what was t0 to t1 is now t1 to t2, what was t2 is now t4, those behind it moved along"),
            ),
            (&[1, 2, 3, 4], &[2, 3, 1, 4], &[1], Some("what was t1 to t2 is now t0 to t1")),
            (
                &[1, 2, 3, 4, 5, 6],
                &[9, 1, 9, 2, 9, 3, 9, 4, 9, 5, 9, 6],
                &[],
                Some("paths from t0 on have moved; read them again"),
            ),
        ] {
            let moved = stretches(&ids(before), &ids(now), &ids(named));
            assert_eq!(told(&moved, ("t", "t"), before.len()).as_deref(), said, "{before:?} {now:?}");
        }
    }
}

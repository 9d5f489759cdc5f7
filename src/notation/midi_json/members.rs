//! The members of a note under any of their names, and the names that are none.

use crate::notation::closest_word::closest_word;
use crate::notation::error::shortened;

/// Unknown names beyond this many are not reported.
const MAX_UNKNOWN_NAMES: usize = 8;

/// A member's short name, and its long ones from the strongest.
const MEMBERS: [(&str, &[&str]); 6] = [
    ("p", &["pitch"]),
    ("t", &["start"]),
    ("d", &["duration"]),
    ("v", &["velocity"]),
    ("vd", &["velocityDeviation", "deviation"]),
    ("c", &["probability"]),
];

/// What others call the members, in small letters and without `_`.
const FOREIGN_NAMES: [(&str, &[&str]); 6] = [
    ("p", &["note", "midi", "key", "midinote", "notenumber"]),
    ("t", &["time", "starttime", "begin", "onset"]),
    ("d", &["length", "len", "dur"]),
    ("v", &["vel"]),
    ("vd", &["velocityrange"]),
    ("c", &["chance", "prob"]),
];

/// The members of each note of a list, and the unknown names in all of them.
#[derive(Debug, Default)]
pub(super) struct NoteList {
    pub notes: Vec<NoteMembers>,
    pub unknown: UnknownMembers,
}

/// The numbers of one note as they were written. `None`: not there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NoteMembers {
    pub pitch: Option<f64>,
    pub start: Option<f64>,
    pub duration: Option<f64>,
    pub velocity: Option<f64>,
    pub deviation: Option<f64>,
    pub probability: Option<f64>,
    /// How strong the name was that gave each number: a short name beats a long one, and between equals the last wins.
    ranks: [u8; 6],
    /// Which of [`UnknownMembers::names`] it has, a bit each.
    unknown: u8,
}

impl NoteMembers {
    /// Takes a member. An unknown name is ignored, but remembered.
    pub fn set(&mut self, key: &str, value: f64, unknown: &mut UnknownMembers) {
        let Some((index, rank)) = member_named(key) else {
            self.unknown |= unknown.bit_for(key);
            return;
        };
        let slots = [
            &mut self.pitch,
            &mut self.start,
            &mut self.duration,
            &mut self.velocity,
            &mut self.deviation,
            &mut self.probability,
        ];
        if let (Some(strongest), Some(slot)) = (self.ranks.get_mut(index), slots.into_iter().nth(index))
            && rank >= *strongest
        {
            *strongest = rank;
            *slot = Some(value);
        }
    }

    fn lacks(&self, member: &str) -> bool {
        let index = MEMBERS.iter().position(|(short, _)| *short == member);
        index.and_then(|index| self.ranks.get(index)).is_some_and(|rank| *rank == 0)
    }
}

/// Which member a name is, and how strong.
fn member_named(key: &str) -> Option<(usize, u8)> {
    // Nearly every name is a short one.
    if let Some(index) = MEMBERS.iter().position(|(short, _)| *short == key) {
        return Some((index, 3));
    }
    MEMBERS.iter().enumerate().find_map(|(index, (_, long))| {
        let place = long.iter().position(|name| *name == key)?;
        Some((index, if place == 0 { 2 } else { 1 }))
    })
}

/// Whether a note is complete without this member.
pub(super) fn is_optional(key: &str) -> bool {
    member_named(key).is_none_or(|(index, _)| index >= 2)
}

/// The short name of the member that an unknown name was meant to be.
fn closest_member(name: &str) -> Option<&'static str> {
    let plain = name.to_lowercase().replace('_', "");
    let same = |list: &[&str]| list.iter().any(|known| known.to_lowercase() == plain);
    let spelled = MEMBERS.iter().find(|(short, long)| *short == plain || same(long));
    let found = spelled.or_else(|| FOREIGN_NAMES.iter().find(|(_, names)| same(names))).map(|(short, _)| *short);
    found.or_else(|| {
        let long = closest_word(name, MEMBERS.iter().flat_map(|(_, long)| long.iter().copied()))?;
        MEMBERS.iter().find(|(_, names)| names.contains(&long)).map(|(short, _)| *short)
    })
}

/// The names in a list of notes that are none of a member.
#[derive(Debug, Default)]
pub(super) struct UnknownMembers {
    names: Vec<String>,
}

impl UnknownMembers {
    fn bit_for(&mut self, key: &str) -> u8 {
        let Some(name) = shortened(key) else { return 0 };
        let index = self.names.iter().position(|known| *known == name).unwrap_or(self.names.len());
        if index >= MAX_UNKNOWN_NAMES {
            return 0;
        }
        if index == self.names.len() {
            self.names.push(name);
        }
        1 << index
    }

    /// A message for each unknown name in these notes. A member is only suggested where the notes lack it.
    pub fn describe(&self, notes: &[&NoteMembers]) -> Vec<String> {
        let told = |(index, name): (usize, &String)| {
            let mut having = notes.iter().filter(|fields| fields.unknown >> index & 1 == 1).peekable();
            having.peek()?;
            let hint = closest_member(name)
                .filter(|member| having.all(|fields| fields.lacks(member)))
                .map_or_else(String::new, |member| format!(" (did you mean {member}?)"));
            Some(format!("\"{name}\" is no member of a note{hint}"))
        };
        self.names.iter().enumerate().filter_map(told).collect()
    }
}

//! In which order the clips of one call are written, and which of them take others' places.
//!
//! A clip that goes where another one of the call still is has to wait for it. Of two that go to one slot, or where the
//! later one covers the earlier whole, only the later one is carried out; where it covers a part, the earlier one comes
//! first.

use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ObjectId, Session};
use crate::tools::address::path::LanePath;
use crate::tools::error::ToolError;
use crate::tools::timeline::place::{self, ClipPlace};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap};

/// A slot, or a span of a lane.
#[derive(Clone, Debug, PartialEq)]
pub enum Area {
    Slot { track: usize, scene: usize },
    Span { lane: LanePath, from: Beats, to: Beats },
}

impl Area {
    pub fn of(place: &ClipPlace, length: Beats) -> Area {
        match *place {
            ClipPlace::Slot { track, scene } => Area::Slot { track, scene },
            ClipPlace::Timeline { lane, at } => Area::Span { lane, from: at, to: at + length },
        }
    }

    /// Where a clip is now.
    pub fn of_clip(session: &dyn Session, clip: ObjectId) -> Result<Area, ToolError> {
        Ok(Area::of(&place::of_clip(session, clip)?, place::clip_length(session, clip)?))
    }

    /// Whether they have a place in common.
    pub fn meets(&self, other: &Area) -> bool {
        match (self, other) {
            (Area::Span { lane, from, to }, Area::Span { lane: there, from: start, to: end }) => {
                lane == there && *from < end - SAME_POSITION_BEATS && *start < to - SAME_POSITION_BEATS
            }
            _ => self == other,
        }
    }

    /// Whether the other lies inside it.
    pub fn covers(&self, other: &Area) -> bool {
        match (self, other) {
            (Area::Span { lane, from, to }, Area::Span { lane: there, from: start, to: end }) => {
                lane == there && *from <= start + SAME_POSITION_BEATS && *end <= to + SAME_POSITION_BEATS
            }
            _ => self == other,
        }
    }
}

/// A move of one clip: what it is made from, and where it goes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipMove {
    pub from: Area,
    /// What it covers where it is before it goes: more than `from` where it is made longer first.
    pub covers_before: Area,
    pub to: Area,
}

/// The order of the moves of a call, and which of them are not made.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Places in the call, each once.
    pub sequence: Vec<usize>,
    /// Of each place in the call, the later one that takes all of its place.
    pub replaced_by: Vec<Option<usize>>,
}

/// Puts the moves of a call in order; `None` is a target that goes nowhere. Refuses moves of which each would have to
/// wait for the other.
///
/// Slots are found by what they are, and spans by their lane, so that a call over slots costs what is in it once.
pub fn order(moves: &[Option<ClipMove>]) -> Result<Order, ToolError> {
    let replaced_by = replacements(moves);
    let goes: Vec<(usize, &ClipMove)> = moves
        .iter()
        .enumerate()
        .zip(&replaced_by)
        .filter_map(|((at, one), by)| Some((at, one.as_ref()?)).filter(|_| by.is_none()))
        .collect();
    let mut waiting: Vec<usize> = vec![0; moves.len()];
    let mut blocks: Vec<Vec<usize>> = vec![Vec::new(); moves.len()];
    for (at, other) in waits(&goes) {
        if let (Some(count), Some(blocked)) = (waiting.get_mut(at), blocks.get_mut(other)) {
            *count += 1;
            blocked.push(at);
        }
    }
    // Of those that wait for nobody, the first in the call comes first.
    let is_free = |at: &usize| waiting.get(*at) == Some(&0);
    let mut free: BinaryHeap<Reverse<usize>> = (0..moves.len()).filter(is_free).map(Reverse).collect();
    let mut sequence = Vec::with_capacity(moves.len());
    while let Some(Reverse(at)) = free.pop() {
        sequence.push(at);
        for freed in blocks.get_mut(at).map(std::mem::take).unwrap_or_default() {
            let Some(count) = waiting.get_mut(freed) else { continue };
            *count -= 1;
            if *count == 0 {
                free.push(Reverse(freed));
            }
        }
    }
    if sequence.len() < moves.len() {
        let stuck = goes.iter().filter(|(at, _)| waiting.get(*at).is_some_and(|count| *count > 0));
        return Err(circle(&stuck.map(|(_, one)| &one.from).collect::<Vec<_>>()));
    }
    Ok(Order { sequence, replaced_by })
}

/// Of each move the next later one that takes all of its place.
fn replacements(moves: &[Option<ClipMove>]) -> Vec<Option<usize>> {
    let mut replaced_by = vec![None; moves.len()];
    let mut later = AreaIndex::default();
    for ((at, one), replaced) in moves.iter().enumerate().zip(&mut replaced_by).rev() {
        let Some(one) = one else { continue };
        // The last that was added is the next in the call.
        *replaced = later.near(&one.to).rev().find(|(_, to)| to.covers(&one.to)).map(|(by, _)| by);
        later.add(at, &one.to);
    }
    replaced_by
}

/// Who waits for whom: who goes over a clip waits until that one is gone, and of two that meet where they go the later
/// one comes last.
fn waits(goes: &[(usize, &ClipMove)]) -> BTreeSet<(usize, usize)> {
    let (mut sources, mut places) = (AreaIndex::default(), AreaIndex::default());
    for (at, one) in goes {
        sources.add(*at, &one.from);
        places.add(*at, &one.to);
    }
    let mut waits = BTreeSet::new();
    for (at, this) in goes {
        let over = sources.near(&this.to).filter(|(_, from)| this.to.meets(from));
        let grows = sources.near(&this.covers_before);
        let grows = grows.filter(|(_, from)| this.covers_before.meets(from) && this.from != **from);
        let behind = places.near(&this.to).filter(|(other, to)| other < at && this.to.meets(to));
        waits.extend(over.chain(grows).chain(behind).filter(|(other, _)| other != at).map(|(other, _)| (*at, other)));
    }
    waits
}

/// The refusal of moves that all wait for each other.
fn circle(sources: &[&Area]) -> ToolError {
    let one_source = sources.first().is_some_and(|first| sources.iter().all(|other| other == first));
    ToolError::new(if one_source {
        "toPath: a copy would go over the clip that the other copies are made of; leave that place out, or copy there in a \
         later call"
    } else {
        "toPath: these clips go to each other's places, so none can go first; move one out of the way in another call"
    })
}

/// Areas by where they are.
#[derive(Default)]
struct AreaIndex<'a>(HashMap<AreaKey, Vec<(usize, &'a Area)>>);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum AreaKey {
    Slot { track: usize, scene: usize },
    Lane(LanePath),
}

impl<'a> AreaIndex<'a> {
    fn key(area: &Area) -> AreaKey {
        match area {
            Area::Slot { track, scene } => AreaKey::Slot { track: *track, scene: *scene },
            Area::Span { lane, .. } => AreaKey::Lane(*lane),
        }
    }

    fn add(&mut self, at: usize, area: &'a Area) {
        self.0.entry(AreaIndex::key(area)).or_default().push((at, area));
    }

    /// All that may meet this one.
    fn near(&self, area: &Area) -> impl DoubleEndedIterator<Item = (usize, &'a Area)> {
        self.0.get(&AreaIndex::key(area)).into_iter().flatten().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot(scene: usize) -> Area {
        Area::Slot { track: 0, scene }
    }

    fn span(from: f64, to: f64) -> Area {
        Area::Span { lane: LanePath { track: 0, take_lane: None }, from, to }
    }

    fn clip_move(from: Area, to: Area) -> Option<ClipMove> {
        Some(ClipMove { covers_before: from.clone(), from, to })
    }

    #[test]
    fn nobody_lands_on_who_is_still_there() {
        let turns = |moves: &[Option<ClipMove>]| order(moves).map(|order| order.sequence);
        assert_eq!(
            turns(&[clip_move(slot(0), slot(1)), clip_move(slot(1), slot(2)), clip_move(slot(2), slot(3))]).unwrap(),
            [2, 1, 0]
        );
        assert_eq!(turns(&[clip_move(slot(0), slot(5)), None, clip_move(slot(1), slot(6))]).unwrap(), [0, 1, 2]);
        assert_eq!(
            turns(&[clip_move(span(0.0, 4.0), span(4.0, 8.0)), clip_move(span(4.0, 8.0), span(20.0, 24.0))]).unwrap(),
            [1, 0]
        );
        assert_eq!(turns(&[clip_move(span(0.0, 4.0), span(2.0, 6.0))]).unwrap(), [0], "its own place is no hindrance");
        for moves in [
            vec![clip_move(slot(0), slot(1)), clip_move(slot(1), slot(0))],
            vec![clip_move(slot(0), slot(1)), clip_move(slot(1), slot(2)), clip_move(slot(2), slot(0))],
            vec![clip_move(span(0.0, 4.0), span(4.0, 8.0)), clip_move(span(4.0, 8.0), span(2.0, 6.0))],
        ] {
            assert!(order(&moves).is_err(), "{moves:?}");
        }
    }

    #[test]
    fn the_later_one_takes_the_place() {
        let to_five = |from| clip_move(slot(from), slot(5));
        let order = order(&[to_five(0), to_five(1), to_five(2)]).unwrap();
        assert_eq!(order.replaced_by, [Some(1), Some(2), None]);
        let partly = crate::tools::timeline::order::order(&[
            clip_move(slot(0), span(0.0, 4.0)),
            clip_move(slot(1), span(2.0, 6.0)),
        ])
        .unwrap();
        assert_eq!((partly.replaced_by, partly.sequence), (vec![None, None], vec![0, 1]));
        let whole = crate::tools::timeline::order::order(&[
            clip_move(slot(0), span(2.0, 4.0)),
            clip_move(slot(1), span(0.0, 6.0)),
        ])
        .unwrap();
        assert_eq!(whole.replaced_by, [Some(1), None]);
        // A clip that is not moved stays where it was, and no other clip waits for it.
        let stays = crate::tools::timeline::order::order(&[
            clip_move(slot(0), slot(5)),
            clip_move(slot(5), slot(0)),
            clip_move(slot(1), slot(5)),
        ]);
        assert!(stays.is_ok());
    }

    proptest::proptest! {
        #[test]
        fn an_order_keeps_every_source_until_it_is_read(moves in proptest::collection::vec((0usize..6, 0usize..6), 0..6)) {
            let moves: Vec<Option<ClipMove>> = moves.into_iter().map(|(from, to)| clip_move(slot(from), slot(to))).collect();
            let Ok(order) = order(&moves) else { return Ok(()) };
            let mut sorted = order.sequence.clone();
            sorted.sort_unstable();
            proptest::prop_assert_eq!(sorted, (0..moves.len()).collect::<Vec<_>>());
            let goes = |at: &usize| order.replaced_by[*at].is_none();
            for (turn, at) in order.sequence.iter().enumerate().filter(|(_, at)| goes(at)) {
                for later in order.sequence[turn + 1..].iter().filter(|at| goes(at)) {
                    proptest::prop_assert_ne!(
                        &moves[*at].as_ref().unwrap().to,
                        &moves[*later].as_ref().unwrap().from,
                    );
                }
            }
        }
    }
}

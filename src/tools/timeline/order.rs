//! In which order the clips of one call are written, and which of them take others' places.
//!
//! A clip that goes where another one of the call still is has to wait for it. Of two that go to one slot, or where the
//! later one covers the earlier whole, only the later one is carried out; where it covers a part, the earlier one comes
//! first. Where the earlier one goes over the later one's own place besides, the later one waits beside the clips of
//! its lane.

use crate::music::Beats;
use crate::tools::address::path::LanePath;
use crate::tools::error::ToolError;
use crate::tools::timeline::area::{Area, AreaIndex, ClipMove};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// The order of the moves of a call, and which of them are not made.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Places in the call, each once.
    pub sequence: Vec<usize>,
    /// Of each place in the call, the later one that takes all of its place.
    pub replaced_by: Vec<Option<usize>>,
    /// Whose clips are put aside before the first move: earlier ones of the call go over them.
    pub aside: Vec<Aside>,
}

/// A clip that waits beside the others of its lane until its turn comes.
#[derive(Clone, Debug, PartialEq)]
pub struct Aside {
    /// The place of its move in the call.
    pub at: usize,
    /// How much of the lane it takes at most until then.
    pub room: Beats,
    /// Where it must not wait: the call's clips are there, or go there.
    pub kept: (Beats, Beats),
}

/// Why one move waits for another.
#[derive(Clone, Copy, Debug, Default)]
struct Wait {
    /// It goes over the other's clip.
    for_source: bool,
    /// It comes later in the call and meets the other where it goes.
    for_turn: bool,
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
    let mut turns = Turns::new(moves.len(), waits(&goes));
    let mut aside = Vec::new();
    turns.take();
    while turns.sequence.len() < moves.len() {
        let Some(at) = turns.find_aside(moves) else {
            let stuck = goes.iter().filter(|(at, _)| turns.waits(*at));
            return Err(circle(&stuck.map(|(_, one)| &one.from).collect::<Vec<_>>()));
        };
        aside.extend(aside_of(moves, at));
        turns.free_source(at);
        turns.take();
    }
    Ok(Order { sequence: turns.sequence, replaced_by, aside })
}

fn aside_of(moves: &[Option<ClipMove>], at: usize) -> Option<Aside> {
    let this = moves.get(at)?.as_ref()?;
    let Area::Span { lane, from, to } = &this.from else { return None };
    // What is on a take lane waits on the main lane of its track.
    let beside = LanePath { take_lane: None, ..*lane };
    let room = match &this.covers_before {
        Area::Span { from, to, .. } => to - from,
        Area::Slot { .. } => 0.0,
    };
    let mut kept = (*from, *to);
    let areas = moves.iter().flatten().flat_map(|one| [&one.from, &one.covers_before, &one.to]);
    for area in areas {
        if let Area::Span { lane: on, from, to } = area
            && (on == lane || *on == beside)
        {
            kept = (kept.0.min(*from), kept.1.max(*to));
        }
    }
    Some(Aside { at, room: room.max(to - from), kept })
}

/// Who still waits for whom, while the order is found.
struct Turns {
    /// The moves that wait for each, and why.
    blocks: Vec<Vec<(usize, Wait)>>,
    /// For how many each waits.
    waiting: Vec<usize>,
    free: BinaryHeap<Reverse<usize>>,
    sequence: Vec<usize>,
}

impl Turns {
    fn new(count: usize, waits: BTreeMap<(usize, usize), Wait>) -> Turns {
        let (mut blocks, mut waiting) = (vec![Vec::new(); count], vec![0usize; count]);
        for ((at, other), wait) in waits {
            if let (Some(count), Some(blocked)) = (waiting.get_mut(at), blocks.get_mut(other)) {
                *count += 1;
                blocked.push((at, wait));
            }
        }
        let free = waiting.iter().enumerate().filter(|(_, count)| **count == 0).map(|(at, _)| Reverse(at)).collect();
        Turns { blocks, waiting, free, sequence: Vec::with_capacity(count) }
    }

    fn waits(&self, at: usize) -> bool {
        self.waiting.get(at).is_some_and(|count| *count > 0)
    }

    fn unblock(&mut self, at: usize) {
        let Some(count) = self.waiting.get_mut(at) else { return };
        *count = count.saturating_sub(1);
        if *count == 0 {
            self.free.push(Reverse(at));
        }
    }

    /// Of those that wait for nobody, the first in the call comes first.
    fn take(&mut self) {
        while let Some(Reverse(at)) = self.free.pop() {
            self.sequence.push(at);
            for (freed, _) in self.blocks.get_mut(at).map(std::mem::take).unwrap_or_default() {
                self.unblock(freed);
            }
        }
    }

    /// A clip that can wait beside its place, so that one that waits for it alone can go over it: it comes after that
    /// one anyway, or is what that one is made of too. Clips in each other's places are none.
    fn find_aside(&self, moves: &[Option<ClipMove>]) -> Option<usize> {
        let source = |at: usize| moves.get(at)?.as_ref().map(|one| &one.from);
        // Nothing is taken away from a take lane, so that only copies of what is there can wait.
        let stays = |at: usize| moves.get(at).and_then(Option::as_ref).is_some_and(|one| one.stays);
        let has_room = |at: usize| {
            let main = matches!(source(at), Some(Area::Span { lane: LanePath { take_lane: None, .. }, .. }));
            let on_lane = matches!(source(at), Some(Area::Span { .. }));
            (main || on_lane && stays(at)) && self.waits(at)
        };
        let comes_after = |at: usize, other: usize| {
            self.blocks.get(other).is_some_and(|blocked| blocked.iter().any(|(by, wait)| *by == at && wait.for_turn))
        };
        (0..self.blocks.len()).filter(|at| has_room(*at)).find(|at| {
            self.blocks.get(*at).into_iter().flatten().any(|(over, wait)| {
                !wait.for_turn && self.waits(*over) && (comes_after(*at, *over) || source(*at) == source(*over))
            })
        })
    }

    /// The clip is no longer in the way of those that go over its place.
    fn free_source(&mut self, at: usize) {
        let Some(blocked) = self.blocks.get_mut(at) else { return };
        let (kept, freed): (Vec<_>, Vec<_>) = blocked.drain(..).partition(|(_, wait)| wait.for_turn);
        *blocked = kept;
        freed.into_iter().for_each(|(freed, _)| self.unblock(freed));
    }
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
fn waits(goes: &[(usize, &ClipMove)]) -> BTreeMap<(usize, usize), Wait> {
    let (mut sources, mut places) = (AreaIndex::default(), AreaIndex::default());
    for (at, one) in goes {
        sources.add(*at, &one.from);
        places.add(*at, &one.to);
    }
    let mut waits: BTreeMap<(usize, usize), Wait> = BTreeMap::new();
    for (at, this) in goes {
        let over = sources.near(&this.to).filter(|(_, from)| this.to.meets(from));
        let grows = sources.near(&this.covers_before);
        let grows = grows.filter(|(_, from)| this.covers_before.meets(from) && this.from != **from);
        let behind = places.near(&this.to).filter(|(other, to)| other < at && this.to.meets(to));
        for (other, _) in over.chain(grows).filter(|(other, _)| other != at) {
            waits.entry((*at, other)).or_default().for_source = true;
        }
        for (other, _) in behind {
            waits.entry((*at, other)).or_default().for_turn = true;
        }
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
        Some(ClipMove { covers_before: from.clone(), from, to, stays: false })
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
            vec![clip_move(span(0.0, 4.0), span(4.0, 8.0)), clip_move(span(4.0, 8.0), span(0.0, 4.0))],
        ] {
            assert!(order(&moves).is_err(), "{moves:?}");
        }
    }

    #[test]
    fn who_comes_later_anyway_waits_aside() {
        for (moves, sequence, aside) in [
            // A long clip goes where a short one is and lands again, or over a part of where it lands.
            (
                vec![clip_move(span(0.0, 16.0), span(32.0, 48.0)), clip_move(span(32.0, 36.0), span(32.0, 36.0))],
                vec![0, 1],
                vec![1],
            ),
            (
                vec![clip_move(span(0.0, 4.0), span(4.0, 8.0)), clip_move(span(4.0, 8.0), span(2.0, 6.0))],
                vec![0, 1],
                vec![1],
            ),
            // Copies of one clip over it.
            (
                vec![clip_move(span(0.0, 8.0), span(4.0, 12.0)), clip_move(span(0.0, 8.0), span(6.0, 14.0))],
                vec![0, 1],
                vec![1],
            ),
        ] {
            let order = order(&moves).unwrap();
            let waits: Vec<usize> = order.aside.iter().map(|aside| aside.at).collect();
            assert_eq!((&order.sequence, waits), (&sequence, aside), "{moves:?}");
            let ends = moves.iter().flatten().map(|one| match one.to {
                Area::Span { to, .. } => to,
                Area::Slot { .. } => 0.0,
            });
            let end = ends.fold(0.0, f64::max);
            assert!(order.aside.iter().all(|aside| aside.kept == (0.0, end)), "{:?}", order.aside);
        }
        // On a take lane nothing can wait.
        let on_lane = |from, to| Area::Span { lane: LanePath { track: 0, take_lane: Some(0) }, from, to };
        let moves =
            [clip_move(span(0.0, 16.0), on_lane(32.0, 48.0)), clip_move(on_lane(32.0, 36.0), on_lane(32.0, 36.0))];
        assert!(order(&moves).is_err());
        // A copy of what is there can, on the main lane of the track.
        let copies: Vec<Option<ClipMove>> = [on_lane(32.0, 48.0), on_lane(34.0, 50.0)]
            .into_iter()
            .map(|to| {
                let from = on_lane(32.0, 40.0);
                Some(ClipMove { covers_before: from.clone(), from, to, stays: true })
            })
            .collect();
        let order = order(&copies).unwrap();
        assert_eq!(order.aside.iter().map(|aside| aside.at).collect::<Vec<_>>(), [1]);
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

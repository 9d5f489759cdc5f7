//! What a clip laid on a lane cost the clips that lay there: found by looking at the lane before and after, not foretold.

use super::objects::{self, class, number};
use super::places;
use crate::music::{Beats, SAME_POSITION_BEATS};
use crate::object_model::{ObjectId, Session};
use crate::tools::ToolError;

/// The clips of a span of a lane as they stood before it was written over.
#[derive(Debug)]
pub struct Lane {
    lane: ObjectId,
    stood: Vec<Stood>,
}

#[derive(Debug)]
struct Stood {
    id: ObjectId,
    start: Beats,
    end: Beats,
    /// `t0[5|1] (id 7)`
    named: String,
}

/// Where a clip lies on the timeline.
pub fn span(session: &dyn Session, clip: ObjectId) -> Result<(Beats, Beats), ToolError> {
    Ok((number(session, clip, "start_time")?, number(session, clip, "end_time")?))
}

impl Lane {
    /// Looks at what reaches into `from..to` of a lane, a track or take lane.
    pub fn look(session: &dyn Session, lane: ObjectId, from: Beats, to: Beats) -> Result<Lane, ToolError> {
        let mut stood = Vec::new();
        for id in places::clips_within(session, lane, from, to)? {
            let (start, end) = span(session, id)?;
            stood.push(Stood { id, start, end, named: objects::named(session, id) });
        }
        Ok(Lane { lane, stood })
    }

    /// Nothing stood there.
    pub fn is_empty(&self) -> bool {
        self.stood.is_empty()
    }

    /// One phrase for each clip that was overwritten, shortened or split. Of the clips in `made`, those that the call itself
    /// made, nothing is said.
    pub fn cost(&self, session: &dyn Session, made: &[ObjectId]) -> Result<Vec<String>, ToolError> {
        let mut phrases = Vec::new();
        for was in self.stood.iter().filter(|was| !made.contains(&was.id)) {
            if class(session, was.id) != Some("Clip") {
                phrases.push(format!("overwrote {}", was.named));
                continue;
            }
            let (start, end) = span(session, was.id)?;
            let same = |a: Beats, b: Beats| (a - b).abs() <= SAME_POSITION_BEATS;
            let Some(tail) = self.tail(session, was, end, made)? else {
                if !same(start, was.start) {
                    phrases.push(format!("shortened {}, now {}", was.named, objects::named(session, was.id)));
                } else if !same(end, was.end) {
                    phrases.push(format!("shortened {}", was.named));
                }
                continue;
            };
            let (head, tail) = (objects::named(session, was.id), objects::named(session, tail));
            phrases.push(format!("split {} into {head} and {tail}", was.named));
        }
        Ok(phrases)
    }

    /// The last of the new clips that lie where a longer one was.
    fn tail(
        &self,
        session: &dyn Session,
        was: &Stood,
        end: Beats,
        made: &[ObjectId],
    ) -> Result<Option<ObjectId>, ToolError> {
        let within = places::clips_within(session, self.lane, end, was.end)?;
        let old = |id: &ObjectId| made.contains(id) || self.stood.iter().any(|stood| stood.id == *id);
        Ok(within.into_iter().rfind(|id| !old(id)))
    }
}

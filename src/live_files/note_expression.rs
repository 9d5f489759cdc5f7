//! Expression of single notes (MPE), in lists beside the notes.

use super::error::ReadError;
use super::limits::Countable;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::music::LONGEST_CLIP_BEATS;
use crate::set::document::{ExpressionPoint, NoteExpression};
use std::collections::{HashMap, HashSet};

/// The control points of a way that does not bend.
const STRAIGHT: f64 = 0.5;

/// The lists of a clip, with the numbers that the file knows the notes by.
#[derive(Default)]
pub struct ExpressionParts(Vec<(i64, NoteExpression)>);

/// Reads `PerNoteEventStore`.
pub fn read_expression(walk: &mut Walk, element: &Element) -> Result<ExpressionParts, ReadError> {
    let mut parts = ExpressionParts::default();
    while let Some(lists) = walk.next_child(element)? {
        while let Some(list) = walk.next_child(&lists)? {
            if list.name() != "PerNoteEventList" {
                walk.report.count_unknown(lists.name(), list.name());
                continue;
            }
            let note = walk.number_or(&list, "NoteId", -1.0..=f64::from(u32::MAX), -1.0)? as i64;
            let controller = walk.number_or(&list, "CC", -127.0..=127.0, -1.0)? as i16;
            let points = read_points(walk, &list)?;
            parts.0.push((note, NoteExpression { note: 0, controller, points }));
        }
    }
    Ok(parts)
}

fn read_points(walk: &mut Walk, list: &Element) -> Result<Vec<ExpressionPoint>, ReadError> {
    let far = 2.0 * LONGEST_CLIP_BEATS;
    let mut points = Vec::new();
    while let Some(events) = walk.next_child(list)? {
        while let Some(event) = walk.next_child(&events)? {
            if event.name() != "PerNoteEvent" {
                walk.report.count_unknown("PerNoteEventList", event.name());
                continue;
            }
            walk.stay_within(Countable::EnvelopePoints)?;
            let mut bend = [STRAIGHT; 4];
            let names = ["CurveControl1X", "CurveControl1Y", "CurveControl2X", "CurveControl2Y"];
            for (control, name) in bend.iter_mut().zip(names) {
                *control = walk.number_or(&event, name, 0.0..=1.0, STRAIGHT)?;
            }
            points.push(ExpressionPoint {
                offset: walk.number_or(&event, "TimeOffset", -far..=far, 0.0)?,
                value: walk.number_or(&event, "Value", -1e6..=1e6, 0.0)?,
                bend: (bend != [STRAIGHT; 4]).then_some(bend),
            });
        }
    }
    Ok(points)
}

impl ExpressionParts {
    /// Joined with the notes: `ids` are those that the clip has, by the numbers of the file. Lists without points say
    /// nothing.
    pub fn finish(self, walk: &mut Walk, ids: &HashMap<i64, u32>) -> Vec<NoteExpression> {
        let (mut joined, mut notes) = (Vec::new(), HashSet::new());
        for (note, mut list) in self.0.into_iter().filter(|(_, list)| !list.points.is_empty()) {
            let Some(id) = ids.get(&note) else {
                walk.report.count_left_out("expression (MPE) of notes that are not there", 1);
                continue;
            };
            list.note = *id;
            notes.insert(*id);
            joined.push(list);
        }
        joined.sort_by_key(|list| (list.note, list.controller));
        walk.report.count_kept("notes with expression of their own (MPE)", notes.len() as u64);
        joined
    }
}

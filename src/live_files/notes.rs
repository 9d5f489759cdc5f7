//! A MIDI clip's notes, which Live keeps by pitch.

use super::error::ReadError;
use super::limits::Countable;
use super::note_expression::{ExpressionParts, read_expression};
use super::walk::Walk;
use super::xml_reader::Element;
use crate::music::duration::SHORTEST_WRITTEN_BEATS;
use crate::music::{Beats, LONGEST_CLIP_BEATS, Note};
use crate::set::document::{NoteExpression, Notes};
use std::collections::HashSet;

/// How far from a clip's beat 0 anything stands.
const FAR: Beats = 2.0 * LONGEST_CLIP_BEATS;

/// A note with the number that the file knows it by.
type NumberedNote = (Note, Option<i64>);

/// Reads `Notes` of a clip, with the expression of single notes.
pub fn read_notes(walk: &mut Walk, element: &Element) -> Result<(Notes, Vec<NoteExpression>), ReadError> {
    let (mut list, mut expression) = (Vec::new(), ExpressionParts::default());
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "KeyTracks" => {
                while let Some(track) = walk.next_child(&child)? {
                    match track.name() {
                        "KeyTrack" => read_key_track(walk, &track, &mut list)?,
                        name => walk.report.count_unknown("KeyTracks", name),
                    }
                }
            }
            "PerNoteEventStore" => expression = read_expression(walk, &child)?,
            "NoteProbabilityGroups" => {
                count_inside(walk, &child, "NoteProbabilityGroup", "groups of notes with one chance")?;
            }
            _ => walk.pass_over("Notes", &child, &["ProbabilityGroupIdGenerator", "NoteIdGenerator"])?,
        }
    }
    let mut notes = Notes { list: Vec::new(), next_id: 1 };
    let written = list.len();
    list.sort_by(|(a, _): &NumberedNote, (b, _)| a.start.total_cmp(&b.start).then(a.pitch.cmp(&b.pitch)));
    let ids = notes.add(&list.iter().map(|(note, _)| *note).collect::<Vec<Note>>());
    let there: HashSet<u32> = notes.list.iter().map(|stored| stored.id).collect();
    let numbered = list.iter().zip(ids).filter(|(_, id)| there.contains(id));
    let ids = numbered.filter_map(|((_, number), id)| Some(((*number)?, id))).collect();
    let expression = expression.finish(walk, &ids);
    let lost = written.saturating_sub(notes.list.len());
    walk.report.count_left_out("notes that began where another of their pitch does", lost as u64);
    Ok((notes, expression))
}

/// Counts elements of a name wherever they stand inside another.
fn count_inside(walk: &mut Walk, element: &Element, name: &str, kind: &str) -> Result<(), ReadError> {
    let mut inside = vec![element.clone()];
    while let Some(around) = inside.last().cloned() {
        match walk.next_child(&around)? {
            Some(child) if child.name() == name => walk.report.count_left_out(kind, 1),
            Some(child) => inside.push(child),
            None => drop(inside.pop()),
        }
    }
    Ok(())
}

/// The pitch stands behind its notes.
fn read_key_track(walk: &mut Walk, element: &Element, list: &mut Vec<NumberedNote>) -> Result<(), ReadError> {
    let (first, mut pitch) = (list.len(), None);
    while let Some(child) = walk.next_child(element)? {
        match child.name() {
            "Notes" => {
                while let Some(note) = walk.next_child(&child)? {
                    match note.name() {
                        "MidiNoteEvent" => {
                            let number = walk.number_or(&note, "NoteId", -1.0..=f64::from(u32::MAX), -1.0)? as i64;
                            let number = Some(number).filter(|number| *number >= 0);
                            list.extend(read_note(walk, &note)?.map(|note| (note, number)));
                        }
                        name => walk.report.count_unknown("KeyTrack/Notes", name),
                    }
                }
            }
            "MidiKey" => pitch = Some(walk.small(&child, 127)?),
            name => walk.report.count_unknown("KeyTrack", name),
        }
    }
    let Some(pitch) = pitch else {
        walk.report.count_left_out("notes without a pitch", (list.len() - first) as u64);
        list.truncate(first);
        return Ok(());
    };
    list.iter_mut().skip(first).for_each(|(note, _)| note.pitch = pitch);
    Ok(())
}

/// `None` of one that does not say when, which is counted. One of no length becomes the shortest that is written.
fn read_note(walk: &mut Walk, element: &Element) -> Result<Option<Note>, ReadError> {
    walk.count(Countable::Notes)?;
    if walk.xml.attribute_is_absent(element, "Time") {
        walk.report.count_left_out("notes without a time", 1);
        return Ok(None);
    }
    let usual = Note::new(0, 0.0, 1.0);
    let mut duration = walk.attribute_number(element, "Duration", -FAR..=FAR)?;
    if duration <= 0.0 {
        walk.mend("Duration", Some(&duration.to_string()), &SHORTEST_WRITTEN_BEATS.to_string());
        duration = SHORTEST_WRITTEN_BEATS;
    }
    let enabled = walk.attribute(element, "IsEnabled")?;
    Ok(Some(Note {
        pitch: 0,
        start: walk.attribute_number(element, "Time", -FAR..=FAR)?,
        duration,
        velocity: walk.attribute_number(element, "Velocity", 1.0..=127.0)?,
        velocity_deviation: walk.number_or(element, "VelocityDeviation", -127.0..=127.0, usual.velocity_deviation)?,
        probability: walk.number_or(element, "Probability", 0.0..=1.0, usual.probability)?,
        mute: enabled.map_or(Ok(false), |text| walk.as_boolean("IsEnabled", &text).map(|enabled| !enabled))?,
        release_velocity: walk.number_or(element, "OffVelocity", 0.0..=127.0, usual.release_velocity)?,
    }))
}

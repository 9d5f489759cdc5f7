//! The groove pool, and which clip follows which groove.

use super::error::ReadError;
use super::limits::Countable;
use super::notes::read_notes;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::set::document::{Groove, Notes};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads `GroovePool`; the grooves by the number that clips name them by.
pub fn read_pool(walk: &mut Walk, element: &Element) -> Result<BTreeMap<i64, Groove>, ReadError> {
    let mut grooves = BTreeMap::new();
    while let Some(list) = walk.next_child(element)? {
        while let Some(groove) = walk.next_child(&list)? {
            if list.name() == "Grooves" && groove.name() == "Groove" {
                let id = walk.attribute_id(&groove)?;
                let read = read_groove(walk, &groove)?;
                grooves.insert(id, read);
            }
        }
    }
    Ok(grooves)
}

fn read_groove(walk: &mut Walk, element: &Element) -> Result<Groove, ReadError> {
    let mut groove = Groove { serial: walk.serial(), notes: None, stored: BTreeMap::new() };
    while let Some(child) = walk.next_child(element)? {
        let member = match child.name() {
            "Name" => {
                groove.stored.insert("name".to_owned(), walk.text(&child)?.into());
                continue;
            }
            "Grid" => {
                groove.stored.insert("base".to_owned(), walk.small(&child, 5)?.into());
                continue;
            }
            "QuantizationAmount" => "quantization_amount",
            "TimingAmount" => "timing_amount",
            "RandomAmount" => "random_amount",
            "VelocityAmount" => "velocity_amount",
            // The clip that the groove was taken from.
            "Clip" => {
                groove.notes = read_clip_notes(walk, &child)?;
                walk.report.count_kept("grooves with notes, which clips do not follow", groove.notes.is_some().into());
                continue;
            }
            _ => {
                walk.pass_over(
                    "Groove",
                    &child,
                    &["LomId", "Selection", "LomIdView", "CurrentStart", "CurrentEnd", "SourceContext"],
                )?;
                continue;
            }
        };
        groove.stored.insert(member.to_owned(), walk.number(&child, -100.0..=200.0)?.into());
    }
    walk.report.count_read("grooves");
    Ok(groove)
}

/// The notes of the clip of a groove. They are no notes of the Set, and not counted as such.
fn read_clip_notes(walk: &mut Walk, element: &Element) -> Result<Option<Arc<Notes>>, ReadError> {
    let counted = walk.report.read.get(Countable::Notes.name()).copied();
    let mut notes = None;
    while let Some(value) = walk.next_child(element)? {
        while let Some(clip) = walk.next_child(&value)? {
            while let Some(child) = walk.next_child(&clip)? {
                if child.name() == "Notes" {
                    notes = Some(Arc::new(read_notes(walk, &child)?.0));
                }
            }
        }
    }
    match counted {
        Some(counted) => drop(walk.report.read.insert(Countable::Notes.name(), counted)),
        None => drop(walk.report.read.remove(Countable::Notes.name())),
    }
    Ok(notes)
}

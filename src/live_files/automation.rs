//! Automation of the Arrangement: the first value of each envelope is kept to be looked up, the rest is counted.

use super::error::ReadError;
use super::walk::Walk;
use super::xml_reader::Element;
use std::collections::BTreeMap;

/// Envelopes by what they automate.
#[derive(Default)]
pub struct Envelopes(BTreeMap<i64, Envelope>);

pub struct Envelope {
    pub first_value: String,
    /// Points after the first.
    pub more: u64,
}

impl Envelopes {
    /// The envelope of a parameter, which is then spoken for.
    pub fn take(&mut self, automation_target: Option<i64>) -> Option<Envelope> {
        self.0.remove(&automation_target?)
    }

    /// Counts those that nothing was done with.
    pub fn leave_out(self, walk: &mut Walk) {
        walk.report.count_left_out("automation envelopes of the Arrangement", self.0.len() as u64);
    }
}

/// Reads `AutomationEnvelopes` of a track.
pub fn read_envelopes(walk: &mut Walk, element: &Element) -> Result<Envelopes, ReadError> {
    let mut envelopes = Envelopes::default();
    while let Some(list) = walk.next_child(element)? {
        while let Some(envelope) = walk.next_child(&list)? {
            let (mut target, mut points) = (None, None);
            while let Some(child) = walk.next_child(&envelope)? {
                match child.name() {
                    "EnvelopeTarget" => {
                        while let Some(id) = walk.next_child(&child)? {
                            if id.name() == "PointeeId" {
                                target = Some(walk.whole(&id, 0..=i64::MAX)?);
                            }
                        }
                    }
                    "Automation" => points = read_points(walk, &child)?,
                    name => walk.report.count_unknown("AutomationEnvelope", name),
                }
            }
            let target = target.ok_or_else(|| walk.xml.damaged("an automation envelope has no PointeeId"))?;
            if let Some(points) = points {
                envelopes.0.insert(target, points);
            }
        }
    }
    Ok(envelopes)
}

fn read_points(walk: &mut Walk, element: &Element) -> Result<Option<Envelope>, ReadError> {
    let mut found: Option<Envelope> = None;
    while let Some(child) = walk.next_child(element)? {
        if child.name() != "Events" {
            continue;
        }
        while let Some(event) = walk.next_child(&child)? {
            match &mut found {
                None => found = Some(Envelope { first_value: walk.text(&event)?, more: 0 }),
                Some(envelope) => envelope.more += 1,
            }
        }
    }
    Ok(found)
}

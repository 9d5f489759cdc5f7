//! Automation: what is drawn in the Arrangement, and in clips. Of tempo and time signature the first value is taken,
//! and the rest is counted.

use super::device_values::Reading;
use super::error::ReadError;
use super::limits::Countable;
use super::references::DrawnEnvelope;
use super::walk::Walk;
use super::xml_reader::Element;
use crate::object_model::EnvelopePoint;
use crate::set::document::Envelope as DocumentEnvelope;
use crate::set::document::ids::Serial;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Beats that no point lies beyond.
const FAR_BEATS: f64 = 1e8;
/// Before this stands the value that an envelope has from the start; Live writes it at -63,072,000.
const START_BEATS: f64 = -1e7;

/// Envelopes by what they automate.
#[derive(Default)]
pub struct Envelopes(BTreeMap<i64, Envelope>);

pub struct Envelope {
    pub first_value: String,
    pub points: Vec<EnvelopePoint>,
    bends: u64,
}

/// An envelope as it stands in the file.
#[derive(Default)]
struct EnvelopeParts {
    target: Option<i64>,
    first_text: Option<String>,
    points: Vec<EnvelopePoint>,
    bends: u64,
}

impl Envelopes {
    /// The envelope of a parameter, which is then spoken for.
    pub fn take(&mut self, automation_target: Option<i64>) -> Option<Envelope> {
        self.0.remove(&automation_target?)
    }

    /// Those that are left, joined with the parameters, which all have been read by now.
    pub fn join(self, walk: &mut Walk) -> Vec<Arc<DocumentEnvelope>> {
        let mut joined = Vec::new();
        let mut taken = BTreeSet::new();
        for (target, Envelope { points, bends, .. }) in self.0 {
            let Some((parameter, reading)) = walk.automated.get(&target).copied().filter(|(id, _)| taken.insert(*id))
            else {
                walk.report.count_left_out("automation of the Arrangement of parameters that are not read", 1);
                continue;
            };
            walk.report.count_left_out("bends of the automation of the Arrangement", bends);
            let all = points.len();
            let points = in_order(points, reading);
            let lost = (all - points.len()) as u64;
            walk.report.count_left_out("points of the automation of the Arrangement out of range", lost);
            if !points.is_empty() {
                walk.report.count_read("automation of the Arrangement");
                joined.push(Arc::new(DocumentEnvelope::new(parameter.0, points)));
            }
        }
        joined
    }
}

/// Reads `AutomationEnvelopes` of a track.
pub fn read_envelopes(walk: &mut Walk, element: &Element) -> Result<Envelopes, ReadError> {
    let mut envelopes = Envelopes::default();
    for EnvelopeParts { target, first_text, points, bends } in read_list(walk, element)? {
        if let Some((target, first_value)) = target.zip(first_text) {
            envelopes.0.insert(target, Envelope { first_value, points, bends });
        }
    }
    Ok(envelopes)
}

/// Reads `Envelopes` of a clip.
pub fn read_drawn(walk: &mut Walk, element: &Element, clip: Serial) -> Result<(), ReadError> {
    for EnvelopeParts { target, points, bends, .. } in read_list(walk, element)? {
        walk.report.count_left_out("bends of clip envelopes", bends);
        match target {
            Some(target) if !points.is_empty() => walk.drawn.push(DrawnEnvelope { clip, target, points }),
            _ => walk.report.count_left_out("clip envelopes of no parameter", 1),
        }
    }
    Ok(())
}

/// What was drawn in each clip, joined with the parameters, which all have been read by now.
pub fn join(walk: &mut Walk) -> BTreeMap<Serial, Vec<Arc<DocumentEnvelope>>> {
    let mut joined: BTreeMap<Serial, Vec<Arc<DocumentEnvelope>>> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for DrawnEnvelope { clip, target, points } in std::mem::take(&mut walk.drawn) {
        let Some((parameter, reading)) =
            walk.automated.get(&target).copied().filter(|(id, _)| taken.insert((clip, *id)))
        else {
            walk.report.count_left_out("clip envelopes of parameters that are not read", 1);
            continue;
        };
        let before = points.len();
        let points = in_order(points, reading);
        walk.report.count_left_out("points of clip envelopes out of range", (before - points.len()) as u64);
        if !points.is_empty() {
            walk.report.count_read("clip envelopes");
            joined.entry(clip).or_default().push(Arc::new(DocumentEnvelope::new(parameter.0, points)));
        }
    }
    joined
}

/// The points as the parameter takes them, without those that are out of its range. The value from the start stands
/// where the envelope begins.
fn in_order(mut points: Vec<EnvelopePoint>, reading: Reading) -> Vec<EnvelopePoint> {
    let second = points.get(1).map_or(0.0, |point| point.time.min(0.0));
    for point in &mut points {
        if point.time < START_BEATS {
            point.time = second;
        }
    }
    points.sort_by(|a, b| a.time.total_cmp(&b.time));
    points.retain_mut(|point| reading.raw(point.value).map(|raw| point.value = raw).is_some());
    points
}

/// The envelopes of a list of lists, as both kinds stand in one.
fn read_list(walk: &mut Walk, element: &Element) -> Result<Vec<EnvelopeParts>, ReadError> {
    let mut envelopes = Vec::new();
    while let Some(list) = walk.next_child(element)? {
        while let Some(envelope) = walk.next_child(&list)? {
            let mut parts = EnvelopeParts::default();
            while let Some(child) = walk.next_child(&envelope)? {
                match child.name() {
                    "EnvelopeTarget" => {
                        while let Some(id) = walk.next_child(&child)? {
                            if id.name() == "PointeeId" {
                                parts.target = Some(walk.whole(&id, 0..=i64::MAX)?);
                            }
                        }
                    }
                    "Automation" => read_points(walk, &child, &mut parts)?,
                    _ => walk.pass_over(envelope.name(), &child, &["LoopSlot", "ScrollerTimePreserver"])?,
                }
            }
            if parts.target.is_none() && envelope.name() == "AutomationEnvelope" {
                return Err(walk.xml.damaged("an automation envelope has no PointeeId"));
            }
            envelopes.push(parts);
        }
    }
    Ok(envelopes)
}

fn read_points(walk: &mut Walk, element: &Element, parts: &mut EnvelopeParts) -> Result<(), ReadError> {
    while let Some(child) = walk.next_child(element)? {
        if child.name() != "Events" {
            continue;
        }
        while let Some(event) = walk.next_child(&child)? {
            walk.stay_within(Countable::EnvelopePoints)?;
            let text = walk.text(&event)?;
            let time = walk.attribute_number(&event, "Time", -FAR_BEATS..=FAR_BEATS)?;
            let value = match text.as_str() {
                "true" => 1.0,
                "false" => 0.0,
                _ => walk.as_number("Value", &text, f64::MIN..=f64::MAX)?,
            };
            parts.bends += u64::from(walk.xml.attribute(&event, "CurveControl1X")?.is_some());
            parts.first_text.get_or_insert(text);
            parts.points.push(EnvelopePoint { time, value, curve: 0.0 });
        }
    }
    Ok(())
}

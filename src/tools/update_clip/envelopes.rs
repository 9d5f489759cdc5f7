//! Automation drawn in a session clip: `target: points`, a line a parameter, its values as the parameter shows them.

use crate::music::{Meter, position};
use crate::object_model::{EnvelopePoint, ModelError, ObjectId, Session};
use crate::tools::address::model_read::{self, class, flag, int};
use crate::tools::error::ToolError;
use crate::tools::parameter::display::ParamDisplay;
use crate::tools::parameter::shown_value::raw_value;
use crate::tools::report::target_result::add_detail;
use crate::tools::report::write_log::WriteLog;
use serde_json::{Value, json};

/// A line as the caller wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvelopeLine {
    /// From 1.
    number: usize,
    /// What it says, or why it is no line: the others are drawn all the same.
    read: Result<Envelope, String>,
}

/// One parameter's envelope.
#[derive(Clone, Debug, PartialEq)]
struct Envelope {
    target: EnvelopeTarget,
    points: Vec<WrittenPoint>,
}

#[derive(Clone, Debug, PartialEq)]
enum EnvelopeTarget {
    Parameter(ObjectId),
    Volume,
    Pan,
    Send(usize),
}

#[derive(Clone, Debug, PartialEq)]
struct WrittenPoint {
    /// bar|beat, in the clip's meter.
    at: String,
    /// As the parameter shows it: a number with or without its unit, a label, a word.
    value: String,
    /// How the envelope goes on to the next point.
    then: Joint,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Joint {
    Straight,
    Hold,
    Curve(f64),
}

const SHAPE: &str = "a line is a target (id, volume, pan or send0), a colon and points: \"volume: 1|1 -inf / 3|1 0\"";

/// Reads the lines. The call is refused where none of them can be read.
pub fn read(text: &str) -> Result<Vec<EnvelopeLine>, ToolError> {
    let written = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let lines: Vec<_> = written.map(|(at, line)| EnvelopeLine { number: at + 1, read: read_line(line) }).collect();
    match lines.first() {
        Some(EnvelopeLine { number, read: Err(why) }) if lines.iter().all(|line| line.read.is_err()) => {
            Err(ToolError::about("envelopes", format!("line {number}: {why}")))
        }
        _ => Ok(lines),
    }
}

fn read_line(line: &str) -> Result<Envelope, String> {
    let (target, points) = line.split_once(':').ok_or_else(|| SHAPE.to_owned())?;
    let target = match target.trim() {
        "volume" => EnvelopeTarget::Volume,
        "pan" => EnvelopeTarget::Pan,
        other => match other.strip_prefix("send") {
            Some(send) => EnvelopeTarget::Send(
                send.trim().parse().map_err(|_| format!("\"{other}\": write send0 for the first"))?,
            ),
            None => match other.parse() {
                Ok(id) => EnvelopeTarget::Parameter(ObjectId(id)),
                Err(_) => return Err(format!("\"{other}\" is no target; {SHAPE}")),
            },
        },
    };
    Ok(Envelope { target, points: read_points(points)? })
}

/// `1|1 -6 dB / 2|1 0 _ 3|1 -inf`: between two positions stand a value, of one word or several, and a joint.
fn read_points(text: &str) -> Result<Vec<WrittenPoint>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut starts: Vec<usize> = words.iter().enumerate().filter(|(_, w)| w.contains('|')).map(|(at, _)| at).collect();
    if starts.first() != Some(&0) && !words.is_empty() {
        starts.insert(0, 0);
    }
    let mut points = Vec::new();
    for (which, start) in starts.iter().enumerate() {
        let end = starts.get(which + 1).copied();
        let Some((at, rest)) = words.get(*start..end.unwrap_or(words.len())).and_then(<[_]>::split_first) else {
            continue;
        };
        position::parse(at, Meter::COMMON).map_err(|e| format!("{e}; {SHAPE}"))?;
        let (value, then) = match (rest, end) {
            ([], _) => return Err(format!("{at} has no value; {SHAPE}")),
            ([_], Some(_)) => return Err(format!("{at} lacks a value, or a joint behind it; {SHAPE}")),
            ([value @ .., joint], Some(_)) => (value, read_joint(joint)?),
            ([.., last], None) if read_joint(last).is_ok() => return Err("a joint is followed by a point".to_owned()),
            (value, None) => (value, Joint::Straight),
        };
        points.push(WrittenPoint { at: (*at).to_owned(), value: value.join(" "), then });
    }
    Ok(points)
}

fn read_joint(joint: &str) -> Result<Joint, String> {
    match joint {
        "/" => Ok(Joint::Straight),
        "_" => Ok(Joint::Hold),
        _ => {
            let curve = joint.strip_prefix('~').and_then(|n| n.parse().ok()).filter(|n| (-1.0..=1.0).contains(n));
            let wrong = || format!("\"{joint}\" joins no points; write / (straight), _ (hold) or ~0.5 (curve, -1..1)");
            curve.map(Joint::Curve).ok_or_else(wrong)
        }
    }
}

/// Draws each line, and lists them in the entry. One that fails leaves its parameter without an envelope, and its item
/// says so. Each draws from scratch, so of several for one parameter only the last is drawn; the entry names the
/// others.
pub fn draw(lines: &[EnvelopeLine], session: &mut dyn Session, clip: ObjectId, meter: Meter, log: &mut WriteLog) {
    let mut items: Vec<Value> = Vec::new();
    let mut failures: Vec<String> = Vec::new();
    let envelope = |line: &EnvelopeLine| line.read.clone().map_err(ToolError::new);
    let parameter = |line: &EnvelopeLine| envelope(line)?.parameter(session, clip);
    let found: Vec<Result<ObjectId, ToolError>> = lines.iter().map(parameter).collect();
    for (at, (line, parameter)) in lines.iter().zip(&found).enumerate() {
        let mut later = lines.iter().zip(&found).skip(at.saturating_add(1));
        if let Some((by, _)) = later.find(|(_, other)| parameter.is_ok() && *other == parameter) {
            let (this, by) = (line.number, by.number);
            let why = format!("envelopes line {this} is not drawn: line {by} writes the same parameter from scratch");
            add_detail(&mut log.entry, why);
            continue;
        }
        let outcome = parameter.clone().and_then(|parameter| {
            let envelope = envelope(line)?;
            draw_one(&envelope, parameter, session, clip, meter)?.into_iter().for_each(|said| {
                add_detail(&mut log.entry, format!("envelopes line {}: {said}", line.number));
            });
            let name = model_read::text(session, parameter, "name")?;
            Ok(json!({ "parameter": name, "id": parameter.to_string(), "pointCount": envelope.points.len() }))
        });
        items.push(match log.record("envelopes", outcome) {
            Ok(envelope) => envelope,
            Err(error) => {
                failures.push(format!("envelopes line {}: {error}", line.number));
                json!({ "line": line.number, "ok": false, "detail": error.text })
            }
        });
    }
    // If nothing else of the clip lands either, this is why.
    if !log.has_landed() {
        failures.iter().for_each(|why| add_detail(&mut log.entry, why));
    }
    if !items.is_empty() {
        log.entry.insert("envelopes".to_owned(), Value::Array(items));
    }
}

/// Draws an envelope; gives what there is to say of it.
fn draw_one(
    envelope: &Envelope,
    parameter: ObjectId,
    session: &mut dyn Session,
    clip: ObjectId,
    meter: Meter,
) -> Result<Option<String>, ToolError> {
    let values = envelope.raw_values(session, parameter);
    let drawn = values.and_then(|values| envelope.points(&values, meter));
    let drawn = drawn.and_then(|points| Ok(session.draw_envelope(clip, parameter, points)?));
    if drawn.is_err() {
        session.draw_envelope(clip, parameter, Vec::new())?;
    }
    drawn?;
    // 2: there is automation, and something else was set by hand since.
    if !envelope.points.is_empty() && int(session, parameter, "automation_state")? == 2 {
        session.call(parameter, "re_enable_automation", &[])?;
        return Ok(Some("its automation was overridden and is on again".to_owned()));
    }
    if let Some(why) = session.sounds(parameter)?.filter(|_| !envelope.points.is_empty()) {
        return Ok(Some(why));
    }
    Ok(None)
}

impl Envelope {
    fn parameter(&self, session: &dyn Session, clip: ObjectId) -> Result<ObjectId, ToolError> {
        let mut track = model_read::child(session, clip, "canonical_parent")?;
        while let Some(id) = track
            && class(session, id)? != Some("Track")
        {
            track = model_read::child(session, id, "canonical_parent")?;
        }
        let track = track.ok_or_else(|| ToolError::new("the clip is on no track"))?;
        let mixer = model_read::child(session, track, "mixer_device")?;
        let mixer = mixer.ok_or_else(|| ToolError::new("the track has no mixer"))?;
        let found = match self.target {
            EnvelopeTarget::Volume => model_read::child(session, mixer, "volume")?,
            EnvelopeTarget::Pan => model_read::child(session, mixer, "panning")?,
            EnvelopeTarget::Send(at) => session.child_at(mixer, "sends", at)?,
            EnvelopeTarget::Parameter(id) if class(session, id)? == Some("DeviceParameter") => Some(id),
            EnvelopeTarget::Parameter(_) => None,
        };
        let found = found.ok_or_else(|| {
            ToolError::new(match self.target {
                EnvelopeTarget::Send(at) => format!("the track has no send{at}"),
                EnvelopeTarget::Parameter(id) => {
                    format!("id {id} is no parameter; svc-read-device lists them with their ids")
                }
                _ => "the track has no such parameter".to_owned(),
            })
        })?;
        let home = session.path_of(track)?.unwrap_or_default();
        let is_own = session.path_of(found)?.is_some_and(|path| path.starts_with(&format!("{home} ")));
        if !is_own {
            return Err(ToolError::new(format!("id {found} is on another track; a clip draws on its own track alone")));
        }
        Ok(found)
    }

    /// The raw value of each point.
    fn raw_values(&self, session: &dyn Session, parameter: ObjectId) -> Result<Vec<f64>, ToolError> {
        if self.points.is_empty() {
            return Ok(Vec::new());
        }
        let display = ParamDisplay::read(session, parameter)?;
        self.points.iter().map(|point| raw_value(session, &display, &point.value)).collect()
    }

    fn points(&self, values: &[f64], meter: Meter) -> Result<Vec<EnvelopePoint>, ToolError> {
        let mut points: Vec<EnvelopePoint> = Vec::new();
        let mut held: Option<f64> = None;
        for (point, raw) in self.points.iter().zip(values.iter().copied()) {
            let time = position::parse(&point.at, meter).map_err(|e| ToolError::new(e.to_string()))?.beats;
            if points.last().is_some_and(|last| last.time > time) {
                return Err(ToolError::new(format!("{} comes before the point in front of it", point.at)));
            }
            if let Some(value) = held.take() {
                points.push(EnvelopePoint { time, value, curve: 0.0 });
            }
            let curve = if let Joint::Curve(curve) = point.then { curve } else { 0.0 };
            points.push(EnvelopePoint { time, value: raw, curve });
            held = (point.then == Joint::Hold).then_some(raw);
        }
        Ok(points)
    }
}

/// Why a clip takes no envelopes at all.
pub fn unsupported_reason(session: &dyn Session, clip: ObjectId) -> Result<Option<&'static str>, ModelError> {
    Ok(flag(session, clip, "is_arrangement_clip")?
        .then_some("is on the timeline, where clips have no envelopes of their own"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_or_refused() {
        let lines = read("volume: 1|1 0 / 3|1 0.85\n\nsend1: 1|1 -6 dB _ 2|1+n/12 1 ~-0.5 4|1 -inf\n27:").unwrap();
        assert_eq!(lines.len(), 3);
        let line = |at: usize| lines[at].read.as_ref().unwrap();
        assert_eq!((lines[1].number, &line(1).target), (3, &EnvelopeTarget::Send(1)));
        let texts: Vec<&str> = line(1).points.iter().map(|point| point.value.as_str()).collect();
        assert_eq!(texts, ["-6 dB", "1", "-inf"]);
        let points = line(1).points(&[0.5, 1.0, 0.0], Meter::COMMON).unwrap();
        let plain: Vec<(f64, f64, f64)> = points.iter().map(|p| (p.time, p.value, p.curve)).collect();
        let third = 4.0 + 1.0 / 3.0;
        assert_eq!(plain, [(0.0, 0.5, 0.0), (third, 0.5, 0.0), (third, 1.0, -0.5), (12.0, 0.0, 0.0)]);
        assert_eq!((&line(2).target, line(2).points.len()), (&EnvelopeTarget::Parameter(ObjectId(27)), 0));
        for (text, words) in [
            ("volume", "colon"),
            ("loud: 1|1 0", "no target"),
            ("send: 1|1 0", "send0"),
            ("pan: 1 0", "bar"),
            ("pan: 1|1", "no value"),
            ("pan: 1|1 20L 2|1 C", "a joint behind it"),
            ("pan: 1|1 2|1 C", "has no value"),
            ("pan: 1|1 / 2|1 C", "lacks a value"),
            ("pan: 1|1 0 /", "followed"),
            ("pan: 1|1 0 ~2 2|1 1", "-1..1"),
            ("pan: 1|1 0 ~ 0.5 2|1 1", "-1..1"),
            ("\npan: 1|1 0 & 2|1 1", "line 2"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        let back = read("pan: 2|1 0 / 1|1 1").unwrap().remove(0).read.unwrap();
        assert!(back.points(&[0.0, 1.0], Meter::COMMON).is_err(), "back in time");
        let one_of_two = read("volume: 1|1 0\npan: 1|1 0 & 2|1 1").unwrap();
        assert_eq!(one_of_two.iter().map(|line| line.read.is_ok()).collect::<Vec<_>>(), [true, false]);
    }
}

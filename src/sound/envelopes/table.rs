//! The envelopes of what a plan plays: of its clips, and of the Arrangement.

use super::curve::Curve;
use super::movement::{Movement, find_device};
use super::parameters::movements;
use crate::object_model::{EnvelopePoint, ObjectId};
use crate::set::document::device_tree::Device;
use crate::set::document::ids::{IdParts, Serial};
use crate::set::document::{BySolo, Clip, Document, Envelope, Track};
use crate::sound::devices::Place;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What moves a plan's parameters, by track and source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnvelopeTable(Vec<DrawnEnvelopes>);

/// Where envelopes are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    Arrangement,
    Clip(Serial),
}

/// What one source moves of a track.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnEnvelopes {
    track: Serial,
    source: Source,
    pub lines: Vec<MovingLine>,
}

/// A parameter that moves along a line of points.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingLine {
    pub movement: Movement,
    envelope: Arc<Envelope>,
}

impl MovingLine {
    /// One point at least, in order of time.
    pub fn points(&self) -> &[EnvelopePoint] {
        &self.envelope.points
    }
}

impl EnvelopeTable {
    pub fn add(&mut self, document: &Document, track: &Track, of: &[DrawnEnvelopes]) {
        let is_left_out =
            document.by_solo(track) == BySolo::LeftOut || document.groups_around(track).any(|group| group.mute);
        self.0.extend(of.iter().cloned().map(|mut drawn| {
            for line in drawn.lines.iter_mut().filter(|line| line.movement.is_activator() && is_left_out) {
                line.movement.curve = Arc::new(Curve::flat(0.0));
            }
            drawn
        }));
    }

    /// To be called when all are added.
    pub fn sort(&mut self) {
        self.0.sort_by_key(|of| (of.track, of.source));
    }

    /// Whether a clip of the track or the Arrangement moves anything of it.
    pub fn has_track(&self, track: Serial) -> bool {
        let at = self.0.partition_point(|of| of.track < track);
        self.0.get(at).is_some_and(|of| of.track == track)
    }

    /// What a source moves.
    pub fn of(&self, track: Serial, source: Source) -> &[MovingLine] {
        let found = self.0.binary_search_by_key(&(track, source), |of| (of.track, of.source)).ok();
        found.and_then(|at| self.0.get(at)).map_or(&[], |of| &of.lines)
    }
}

/// What parameters of a track move, as long as the devices they are in stay the same.
#[derive(Default)]
pub struct FoundMovements(BTreeMap<u64, (Option<Arc<Device>>, Vec<Movement>)>);

/// The clips of a track that have envelopes. Those of take lanes are never played.
pub fn drawn_clips(track: &Track) -> impl Iterator<Item = &Arc<Clip>> {
    let session = track.session.iter().map(|entry| &entry.clip);
    let placed = track.arrangement.iter().map(|placed| &placed.clip);
    session.chain(placed).filter(|clip| !clip.envelopes.is_empty())
}

/// What the Arrangement moves of the track: what was written since, it leaves alone.
pub fn active_automation(track: &Track) -> impl Iterator<Item = &Arc<Envelope>> {
    track.automation.iter().filter(|envelope| !envelope.overridden)
}

/// Whether a clip of the track or the Arrangement moves a parameter of a device.
pub fn moves_devices(track: &Track) -> bool {
    let is_of_device =
        |of: &Arc<Envelope>| matches!(IdParts::from_id(ObjectId(of.parameter)), Some(IdParts::Parameter { .. }));
    drawn_clips(track).flat_map(|clip| &clip.envelopes).chain(active_automation(track)).any(is_of_device)
}

/// What the clips of a track move, and what the Arrangement does; `found` is what was found before.
pub fn drawn_envelopes(track: &Track, place: &Place, found: &mut FoundMovements) -> Vec<DrawnEnvelopes> {
    let before = std::mem::take(&mut found.0);
    let mut all: Vec<DrawnEnvelopes> = Vec::new();
    let arranged = active_automation(track).map(|envelope| (Source::Arrangement, envelope));
    let of_clips =
        drawn_clips(track).flat_map(|clip| clip.envelopes.iter().map(|envelope| (Source::Clip(clip.serial), envelope)));
    for (source, envelope) in arranged.chain(of_clips).filter(|(_, envelope)| !envelope.points.is_empty()) {
        let (_, movements) = found.0.entry(envelope.parameter).or_insert_with(|| {
            let holder = holder(track, envelope.parameter);
            let is_same = |of: &Option<Arc<Device>>| match (of, &holder) {
                (Some(before), Some(now)) => Arc::ptr_eq(before, now),
                _ => false,
            };
            match before.get(&envelope.parameter).filter(|(of, _)| is_same(of)) {
                Some((_, movements)) => (holder, movements.clone()),
                None => (holder, movements(track, envelope.parameter, place)),
            }
        });
        let lines =
            movements.iter().map(|movement| MovingLine { movement: movement.clone(), envelope: Arc::clone(envelope) });
        match all.last_mut().filter(|last| last.source == source) {
            Some(last) => last.lines.extend(lines),
            None => all.push(DrawnEnvelopes { track: track.serial, source, lines: lines.collect() }),
        }
    }
    all
}

/// The device of the track that a parameter lies in, at whatever depth.
fn holder(track: &Track, parameter: u64) -> Option<Arc<Device>> {
    let Some(IdParts::Parameter { device: serial, .. }) = IdParts::from_id(ObjectId(parameter)) else { return None };
    let holds = |device: &&Arc<Device>| find_device(std::slice::from_ref(device), serial).is_some();
    track.devices.iter().find(holds).cloned()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use svc_sound::parameter::Parameter;
    use svc_sound::plan::Automated;

    /// A fader that counts as the engine does.
    pub fn table_of(track: Serial, sources: &[(Source, Envelope)]) -> EnvelopeTable {
        let curve = Curve::of((0.0, 1.0), false, |raw| raw as f32);
        let movement = Movement::new(Automated::Track, Parameter::Volume, curve);
        let drawn = |(source, envelope): &(Source, Envelope)| {
            let envelope = Arc::new(envelope.clone());
            let lines = vec![MovingLine { movement: movement.clone(), envelope }];
            DrawnEnvelopes { track, source: *source, lines }
        };
        let mut table = EnvelopeTable(sources.iter().map(drawn).collect());
        table.sort();
        table
    }
}

//! Settings and states to a plan.

use super::device::DeviceNode;
use super::note_ways::order_notes;
use super::notes::layout;
use super::put_off::PutOff;
use super::routing::order;
use super::settings::{Device, DeviceSettings, MixSettings, NoteWay, Output, Send, TrackSettings};
use super::store::{Shared, StateStore, TrackState};
use super::ways::{LateInput, MOST_LATE};
use crate::dsp::span::Bus;
use crate::mixer::{ClipSettings, MOST_SENDS, Meters, StripSettings};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A way that the plan does without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It leads back to where it comes from.
    Ring { from: u32, to: u32 },
    /// There is no such track.
    Missing { from: u32, to: u32 },
    /// A strip has twelve sends at most.
    SendTooMany { from: u32, to: u32 },
}

/// Everything the engine plays by, ready to be played.
pub struct Plan {
    /// In the order in which they are made; the main track is the last.
    pub(crate) tracks: Vec<TrackNode>,
    /// What goes into each track, and what its signal is behind its fader.
    pub(crate) inputs: Vec<Bus>,
    pub(crate) taps: Vec<Bus>,
    pub(super) late_inputs: Vec<Option<LateInput>>,
    /// Whether any track may have acts that wait.
    pub(super) puts_off: bool,
    /// Places of tracks, each behind those that give it notes.
    pub(crate) note_order: Vec<usize>,
    /// Track ids, ascending, and their places.
    places: Vec<(u32, usize)>,
    pub(crate) crossfade: f32,
    pub(crate) soft_clip: bool,
    left_out: Vec<LeftOut>,
    /// Frames a second.
    pub(crate) rate: f32,
    /// Whether it was played yet.
    pub(crate) fresh: bool,
}

pub struct TrackNode {
    pub(crate) id: u32,
    pub(crate) strip: StripSettings,
    pub(super) state: Shared<TrackState>,
    pub(crate) meters: Arc<Meters>,
    pub(crate) devices: Vec<DeviceNode>,
    /// Ascending by id.
    pub(crate) clips: Vec<ClipSettings>,
    pub(crate) output: Option<usize>,
    pub(super) sends_alone: bool,
    /// Its output leads to what is heard, and it is not to be.
    pub(super) is_output_shut: bool,
    /// Frames by which its signal is late there.
    pub(super) output_late: u32,
    pub(super) delay_frames: i64,
    /// Frames by which all is late that comes in, and so what happens to it.
    pub(crate) late_by: u32,
    pub(super) put_off: Option<Shared<PutOff>>,
    pub(crate) sends: Vec<SendNode>,
    pub(crate) note_ways: Vec<NoteWay>,
    /// Which note effects are in its devices; 0: none.
    pub(super) note_layout: u64,
    /// Whether any are, on or off.
    pub(crate) has_note_effects: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct SendNode {
    pub to: usize,
    /// The id of that track.
    pub id: u32,
    pub gain_db: f32,
    pub before_fader: bool,
    /// As of the output.
    pub late: u32,
}

impl Plan {
    /// Allocates all that playing needs. Of two tracks with one id the second is not made. What the plan before had and
    /// this one has not is in it once more, fading; the next plan is without it.
    pub fn new(mix: MixSettings, store: &mut StateStore) -> Plan {
        let MixSettings { mut tracks, main, crossfade, soft_clip } = store.begin_plan(mix);
        let main_id = main.id;
        tracks.push(TrackSettings { output: Output::Nowhere, sends: Vec::new(), ..main });
        let mut seen = std::collections::BTreeSet::new();
        tracks.retain(|track| seen.insert(track.id));
        let order_of_notes = order_notes(&mut tracks);
        let mut routes = Routes::of(&tracks, main_id);
        let (order, rings) = order(&routes.hears);
        let id = |place: usize| tracks.get(place).map_or(main_id, |track| track.id);
        routes.left_out.extend(rings.iter().map(|(from, to)| LeftOut::Ring { from: id(*from), to: id(*to) }));

        let mut places: Vec<(u32, usize)> =
            order.iter().enumerate().map(|(place, track)| (id(*track), place)).collect();
        places.sort_unstable();
        let place = |id: u32| find(&places, id);
        let note_order = order_of_notes.iter().filter_map(|track| place(id(*track))).collect();
        let mut waiting: Vec<Option<TrackSettings>> = tracks.into_iter().map(Some).collect();
        let mut nodes = Vec::with_capacity(order.len());
        for track in &order {
            if let Some(settings) = waiting.get_mut(*track).and_then(Option::take) {
                let earlier = nodes.len();
                nodes.push(TrackNode::new(settings, store, &place, main_id, earlier));
            }
        }
        let silent = vec![Bus::SILENT; nodes.len()];
        let left_out = routes.left_out;
        let mut plan = Plan {
            tracks: nodes,
            inputs: silent.clone(),
            taps: silent,
            late_inputs: Vec::new(),
            puts_off: false,
            note_order,
            places,
            crossfade,
            soft_clip,
            left_out,
            rate: store.rate(),
            fresh: true,
        };
        plan.shut_outputs();
        plan.find_ways(store.least_latency(), store);
        store.forget_unnamed();
        plan
    }

    /// What of the settings is not heard.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    pub fn has_track(&self, track: u32) -> bool {
        self.place(track).is_some()
    }

    /// Whether a track has an audio clip that may be started.
    pub fn has_clip(&self, track: u32, clip: u64) -> bool {
        let track = self.place(track).and_then(|place| self.tracks.get(place));
        track.is_some_and(|track| track.clips.binary_search_by_key(&clip, |clip| clip.id).is_ok())
    }

    /// Of the tracks that are heard by their sends alone.
    fn shut_outputs(&mut self) {
        let alone: Vec<bool> = self.tracks.iter().map(|track| track.sends_alone).collect();
        let leads_on = |to: usize| alone.get(to).copied().unwrap_or_default();
        for track in self.tracks.iter_mut().filter(|track| track.sends_alone) {
            track.is_output_shut = !track.output.is_some_and(leads_on);
        }
    }

    /// Where a track stands in the order.
    pub(crate) fn place(&self, id: u32) -> Option<usize> {
        find(&self.places, id)
    }
}

fn find(places: &[(u32, usize)], id: u32) -> Option<usize> {
    places.binary_search_by_key(&id, |(id, _)| *id).ok().and_then(|index| places.get(index)).map(|(_, place)| *place)
}

impl TrackNode {
    /// `earlier` tracks are made before it: what leads there is a ring, and is left out.
    fn new(
        mut settings: TrackSettings,
        store: &mut StateStore,
        place: &dyn Fn(u32) -> Option<usize>,
        main: u32,
        earlier: usize,
    ) -> TrackNode {
        let (state, meters) = store.track(settings.id);
        settings.clips.sort_by_key(|clip| clip.id);
        let later = |id: u32| place(id).filter(|place| *place > earlier);
        let output = match settings.output {
            Output::Main => later(main),
            Output::Track(id) => later(id),
            Output::Nowhere => None,
        };
        let sends = settings.sends.iter().take(MOST_SENDS).filter_map(|send| {
            let Send { to: id, gain_db, before_fader } = *send;
            later(id).map(|to| SendNode { to, id, gain_db, before_fader, late: 0 })
        });
        let sends = sends.collect();
        let before = |id: u32| place(id).filter(|place| *place < earlier);
        let devices = std::mem::take(&mut settings.devices);
        let has_note_effects = changes_notes(&devices);
        let devices: Vec<DeviceNode> =
            devices.into_iter().map(|device| DeviceNode::new(device, store, &before)).collect();
        let note_layout = layout(&devices);
        let TrackSettings { id, strip, clips, note_ways, delay_frames, sends_alone, .. } = settings;
        TrackNode {
            id,
            strip,
            state,
            meters,
            devices,
            clips,
            output,
            sends_alone,
            is_output_shut: false,
            output_late: 0,
            delay_frames: delay_frames.clamp(-i64::from(MOST_LATE), MOST_LATE.into()),
            late_by: 0,
            put_off: None,
            sends,
            note_ways,
            note_layout,
            has_note_effects,
        }
    }
}

/// Who hears whom.
struct Routes {
    hears: Vec<Vec<usize>>,
    left_out: Vec<LeftOut>,
}

impl Routes {
    fn of(tracks: &[TrackSettings], main: u32) -> Routes {
        let place: BTreeMap<u32, usize> = tracks.iter().enumerate().map(|(at, track)| (track.id, at)).collect();
        let mut routes = Routes { hears: vec![Vec::new(); tracks.len()], left_out: Vec::new() };
        for (at, track) in tracks.iter().enumerate() {
            let output = match track.output {
                Output::Main => Some(main),
                Output::Track(id) => Some(id),
                Output::Nowhere => None,
            };
            let sends = track.sends.iter().take(MOST_SENDS).map(|send| send.to);
            for to in output.into_iter().chain(sends) {
                match place.get(&to) {
                    Some(to) => routes.add(at, *to),
                    None => routes.left_out.push(LeftOut::Missing { from: track.id, to }),
                }
            }
            let too_many = track.sends.iter().skip(MOST_SENDS);
            routes.left_out.extend(too_many.map(|send| LeftOut::SendTooMany { from: track.id, to: send.to }));
            sidechains(&track.devices, &mut |from| match place.get(&from) {
                Some(from) => routes.add(*from, at),
                None => routes.left_out.push(LeftOut::Missing { from, to: track.id }),
            });
        }
        routes
    }

    fn add(&mut self, from: usize, to: usize) {
        if let Some(hears) = self.hears.get_mut(to) {
            hears.push(from);
        }
    }
}

/// Whether there are note effects among devices.
fn changes_notes(devices: &[DeviceSettings]) -> bool {
    devices.iter().any(|device| match &device.device {
        Device::NoteEffect(_) => true,
        Device::Rack(chains) => chains.iter().any(|chain| changes_notes(&chain.devices)),
        _ => false,
    })
}

/// Visits the tracks that devices listen to.
fn sidechains(devices: &[DeviceSettings], act: &mut dyn FnMut(u32)) {
    for device in devices {
        match &device.device {
            Device::Effect { sidechain: Some(id), .. } => act(*id),
            Device::Rack(chains) => chains.iter().for_each(|chain| sidechains(&chain.devices, act)),
            _ => {}
        }
    }
}

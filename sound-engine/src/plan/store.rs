//! What tracks and devices remember, from plan to plan.

use super::chain::ChainState;
use super::device::{DeviceState, KindState};
use super::leaving::add_leaving;
use super::note_ways::GivenNotes;
use super::overrides::Overrides;
use super::put_off::PutOff;
use super::settings::{Device, MixSettings};
use super::sleep::Sleep;
use super::ways::{LateInput, Ways};
use crate::dsp::late_bus::LateBus;
use crate::effects::{EffectSettings, EffectState};
use crate::instruments::{InstrumentSettings, InstrumentState};
use crate::mixer::{ClipPlayer, Meters, Strip};
use crate::note_effects::{NoteEffectSettings, NoteEffectState};
use atomic_refcell::AtomicRefCell;
use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

/// A state that successive plans share. Only who processes a plan borrows it.
pub(super) type Shared<T> = Arc<AtomicRefCell<T>>;

/// What a track remembers.
pub(super) struct TrackState {
    pub strip: Strip,
    pub ways: Ways,
    pub clips: ClipPlayer,
    pub overrides: Overrides,
    /// The note effects by which its notes went last.
    pub note_layout: u64,
    /// What it gave to other tracks.
    pub given: GivenNotes,
}

/// What a state was made for.
#[derive(Clone, Copy, PartialEq)]
enum DeviceKind {
    Instrument(Discriminant<InstrumentSettings>),
    Effect(Discriminant<EffectSettings>),
    NoteEffect(Discriminant<NoteEffectSettings>),
    Rack,
}

impl DeviceKind {
    fn of(device: &Device) -> DeviceKind {
        match device {
            Device::Instrument(settings) => DeviceKind::Instrument(discriminant(settings)),
            Device::Effect { settings, .. } => DeviceKind::Effect(discriminant(settings)),
            Device::NoteEffect(settings) => DeviceKind::NoteEffect(discriminant(settings)),
            Device::Rack(_) => DeviceKind::Rack,
        }
    }
}

/// Lives where plans are made. Forgets what the newest plan does not name; that is freed with the last plan that does.
pub struct StateStore {
    rate: f32,
    tracks: BTreeMap<u32, Kept<SharedTrack>>,
    /// Of one id there may be two for a while: one that goes, and one of another kind that comes.
    devices: BTreeMap<u64, Vec<KeptDevice>>,
    chains: BTreeMap<u64, Kept<Shared<ChainState>>>,
    /// What comes into tracks late, with the frames it has room for. Once there, it stays as long as its track.
    late: BTreeMap<u32, Kept<(Shared<LateBus>, u32)>>,
    put_off: BTreeMap<u32, Kept<Shared<PutOff>>>,
    least_latency: u32,
    /// Plans made.
    plans: u64,
    before: Option<MixSettings>,
}

type SharedTrack = (Shared<TrackState>, Arc<Meters>);
type KeptDevice = (DeviceKind, Kept<Shared<DeviceState>>);

/// Something, and the last plan that names it.
struct Kept<T> {
    state: T,
    plan: u64,
}

impl<T: Clone> Kept<T> {
    fn named(&mut self, plan: u64) -> T {
        self.plan = plan;
        self.state.clone()
    }
}

impl StateStore {
    /// For `rate` frames a second. Another rate needs another store: filters and delays are made for it.
    pub fn new(rate: f32) -> StateStore {
        crate::dsp::wavetable::waves();
        crate::dsp::sinc_reader::prepare();
        StateStore {
            rate,
            tracks: BTreeMap::new(),
            devices: BTreeMap::new(),
            chains: BTreeMap::new(),
            late: BTreeMap::new(),
            put_off: BTreeMap::new(),
            least_latency: 0,
            plans: 0,
            before: None,
        }
    }

    /// The meters of a track of the newest plan.
    pub fn meters(&self, track: u32) -> Option<Arc<Meters>> {
        self.tracks.get(&track).map(|kept| Arc::clone(&kept.state.1))
    }

    /// The mix that the next plan is made of: `mix`, and what the one before had beyond it.
    pub(super) fn begin_plan(&mut self, mix: MixSettings) -> MixSettings {
        self.plans += 1;
        let mut all = mix.clone();
        if let Some(before) = self.before.replace(mix) {
            add_leaving(&before, &mut all);
        }
        all
    }

    pub(super) fn rate(&self) -> f32 {
        self.rate
    }

    pub(super) fn track(&mut self, id: u32) -> SharedTrack {
        let (rate, plan) = (self.rate, self.plans);
        let made = || {
            let state = TrackState {
                strip: Strip::new(rate),
                ways: Ways::new(rate),
                clips: ClipPlayer::new(rate),
                overrides: Overrides::new(),
                note_layout: 0,
                given: GivenNotes::new(),
            };
            Kept { state: (Arc::new(AtomicRefCell::new(state)), Arc::default()), plan }
        };
        self.tracks.entry(id).or_insert_with(made).named(plan)
    }

    pub(super) fn device(&mut self, id: u64, on: bool, device: &Device) -> Shared<DeviceState> {
        let (rate, plan) = (self.rate, self.plans);
        // Never by a look into a state: the audio thread may have it right now.
        let kind = DeviceKind::of(device);
        let kept = self.devices.entry(id).or_default();
        if let Some((_, kept)) = kept.iter_mut().find(|(of, _)| *of == kind) {
            return kept.named(plan);
        }
        // What comes while others sound fades in.
        let on = on && plan == 1;
        let state = match device {
            Device::Instrument(settings) => KindState::Instrument(InstrumentState::new(settings, rate)),
            Device::Effect { settings, .. } => {
                KindState::Effect { state: EffectState::new(settings, rate), sleep: Sleep::default() }
            }
            Device::NoteEffect(settings) => KindState::NoteEffect { state: NoteEffectState::new(settings), works: on },
            Device::Rack(_) => KindState::Rack,
        };
        let state = Arc::new(AtomicRefCell::new(DeviceState::new(state, on, rate)));
        kept.push((kind, Kept { state: Arc::clone(&state), plan }));
        state
    }

    pub(super) fn chain(&mut self, id: u64) -> Shared<ChainState> {
        let (rate, plan) = (self.rate, self.plans);
        let made = || Kept { state: Arc::new(AtomicRefCell::new(ChainState::new(rate))), plan };
        self.chains.entry(id).or_insert_with(made).named(plan)
    }

    /// Plans from the next on are late by at least so many frames as a whole, whatever their tracks need.
    pub fn keep_latency(&mut self, frames: u32) {
        self.least_latency = frames;
    }

    pub(super) fn least_latency(&self) -> u32 {
        self.least_latency
    }

    /// What comes into a track up to so many frames late; `None` where nothing ever did.
    pub(super) fn late_input(&mut self, track: u32, frames: u32) -> Option<LateInput> {
        let plan = self.plans;
        let before = self.late.get_mut(&track).map(|kept| kept.named(plan));
        match before {
            Some((bus, room)) if room >= frames => Some(LateInput { room, bus, grown_from: None }),
            None if frames == 0 => None,
            smaller => {
                let bus = Arc::new(AtomicRefCell::new(LateBus::new(frames as usize)));
                self.late.insert(track, Kept { state: (Arc::clone(&bus), frames), plan });
                Some(LateInput { room: frames, bus, grown_from: smaller.map(|(bus, _)| bus) })
            }
        }
    }

    /// Room for what happens to a track late; `None` where nothing ever did.
    pub(super) fn put_off(&mut self, track: u32, is_late: bool) -> Option<Shared<PutOff>> {
        let plan = self.plans;
        if is_late {
            let made = || Kept { state: Arc::new(AtomicRefCell::new(PutOff::new())), plan };
            return Some(self.put_off.entry(track).or_insert_with(made).named(plan));
        }
        self.put_off.get_mut(&track).map(|kept| kept.named(plan))
    }

    /// Forgets what the newest plan does not name.
    pub(super) fn forget_unnamed(&mut self) {
        let plan = self.plans;
        self.tracks.retain(|_, kept| kept.plan == plan);
        self.chains.retain(|_, kept| kept.plan == plan);
        self.late.retain(|_, kept| kept.plan == plan);
        self.put_off.retain(|_, kept| kept.plan == plan);
        self.devices.retain(|_, kinds| {
            kinds.retain(|(_, kept)| kept.plan == plan);
            !kinds.is_empty()
        });
    }
}

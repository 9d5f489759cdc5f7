//! What tracks and devices remember, from plan to plan.

use super::device::{ChainState, DeviceState};
use super::settings::Device;
use crate::effects::{EffectSettings, EffectState};
use crate::instruments::{InstrumentSettings, InstrumentState};
use crate::mixer::{ClipPlayer, Meters, Strip};
use atomic_refcell::AtomicRefCell;
use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

/// A state that successive plans share. Only who processes a plan borrows it.
pub(super) type Shared<T> = Arc<AtomicRefCell<T>>;

/// What a track remembers.
pub(super) struct TrackState {
    pub strip: Strip,
    pub clips: ClipPlayer,
}

/// What a state was made for.
#[derive(Clone, Copy, PartialEq)]
enum DeviceKind {
    Instrument(Discriminant<InstrumentSettings>),
    Effect(Discriminant<EffectSettings>),
    Rack,
}

impl DeviceKind {
    fn of(device: &Device) -> DeviceKind {
        match device {
            Device::Instrument(settings) => DeviceKind::Instrument(discriminant(settings)),
            Device::Effect { settings, .. } => DeviceKind::Effect(discriminant(settings)),
            Device::Rack(_) => DeviceKind::Rack,
        }
    }
}

/// Lives where plans are made. Forgets what the newest plan does not name; that is freed with the last plan that does.
pub struct StateStore {
    pub(super) rate: f32,
    tracks: BTreeMap<u32, (Shared<TrackState>, Arc<Meters>)>,
    devices: BTreeMap<u64, (DeviceKind, Shared<DeviceState>)>,
    chains: BTreeMap<u64, Shared<ChainState>>,
    named: Named,
}

#[derive(Default)]
struct Named {
    tracks: Vec<u32>,
    devices: Vec<u64>,
    chains: Vec<u64>,
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
            named: Named::default(),
        }
    }

    /// The meters of a track of the newest plan.
    pub fn meters(&self, track: u32) -> Option<Arc<Meters>> {
        self.tracks.get(&track).map(|(_, meters)| Arc::clone(meters))
    }

    pub(super) fn track(&mut self, id: u32) -> (Shared<TrackState>, Arc<Meters>) {
        let rate = self.rate;
        self.named.tracks.push(id);
        let made = || {
            let state = TrackState { strip: Strip::new(rate), clips: ClipPlayer::new(rate) };
            (Arc::new(AtomicRefCell::new(state)), Arc::default())
        };
        self.tracks.entry(id).or_insert_with(made).clone()
    }

    pub(super) fn device(&mut self, id: u64, on: bool, device: &Device) -> Shared<DeviceState> {
        let rate = self.rate;
        self.named.devices.push(id);
        // Never by a look into the state: the audio thread may have it right now.
        let kind = DeviceKind::of(device);
        if let Some((_, state)) = self.devices.get(&id).filter(|(before, _)| *before == kind) {
            return Arc::clone(state);
        }
        let state = match device {
            Device::Instrument(settings) => DeviceState::instrument(InstrumentState::new(settings, rate), on, rate),
            Device::Effect { settings, .. } => DeviceState::effect(EffectState::new(settings, rate), on, rate),
            Device::Rack(_) => DeviceState::rack(on, rate),
        };
        let state = Arc::new(AtomicRefCell::new(state));
        self.devices.insert(id, (kind, Arc::clone(&state)));
        state
    }

    pub(super) fn chain(&mut self, id: u64) -> Shared<ChainState> {
        let rate = self.rate;
        self.named.chains.push(id);
        let made = || Arc::new(AtomicRefCell::new(ChainState { strip: Strip::new(rate) }));
        Arc::clone(self.chains.entry(id).or_insert_with(made))
    }

    /// Forgets what was not asked for since the last time.
    pub(super) fn forget_unnamed(&mut self) {
        let Named { mut tracks, mut devices, mut chains } = std::mem::take(&mut self.named);
        tracks.sort_unstable();
        devices.sort_unstable();
        chains.sort_unstable();
        self.tracks.retain(|id, _| tracks.binary_search(id).is_ok());
        self.devices.retain(|id, _| devices.binary_search(id).is_ok());
        self.chains.retain(|id, _| chains.binary_search(id).is_ok());
    }
}

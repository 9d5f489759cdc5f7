//! A device of a plan: its settings, joined with what it remembers.

use super::settings::{ChainSettings, Device, DeviceSettings};
use super::store::{Shared, StateStore};
use crate::dsp::ramp::Ramp;
use crate::dsp::span::{Bus, Span, TICK};
use crate::effects::{EffectContext, EffectState};
use crate::instruments::{InstrumentState, Note, Victim};
use crate::mixer::Strip;

/// Below this, 140 dB under full scale, an effect counts as silent.
const SILENCE: f32 = 1e-7;
/// Frames of silence beyond an effect's memory until it sleeps.
const FRAMES_TO_SLEEP: u64 = 24_000;
/// A device fades in and out within this time when it is switched.
const SWITCH_SECONDS: f32 = 0.01;

/// What a device remembers.
pub(super) struct DeviceState {
    kind: KindState,
    /// 1 on, 0 off.
    on: Ramp,
}

enum KindState {
    Instrument(InstrumentState),
    Effect { state: EffectState, sleep: Sleep },
    Rack,
}

/// When an effect has nothing to do.
#[derive(Default)]
struct Sleep {
    asleep: bool,
    silent_frames: u64,
    /// The loudest of this tick.
    peak: f32,
}

impl DeviceState {
    pub fn instrument(state: InstrumentState, on: bool, rate: f32) -> DeviceState {
        DeviceState::new(KindState::Instrument(state), on, rate)
    }

    pub fn effect(state: EffectState, on: bool, rate: f32) -> DeviceState {
        DeviceState::new(KindState::Effect { state, sleep: Sleep::default() }, on, rate)
    }

    pub fn rack(on: bool, rate: f32) -> DeviceState {
        DeviceState::new(KindState::Rack, on, rate)
    }

    fn new(kind: KindState, on: bool, rate: f32) -> DeviceState {
        DeviceState { kind, on: Ramp::new(if on { 1.0 } else { 0.0 }, SWITCH_SECONDS, rate) }
    }
}

pub(super) struct ChainState {
    pub strip: Strip,
}

/// What a device is told of the moment.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub span: Span,
    pub tempo_bpm: f32,
    /// What each track's signal is behind its fader.
    pub taps: &'a [Bus],
}

/// What a note does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NoteAct {
    On(Note),
    Off {
        id: u64,
        pitch: u8,
    },
    /// All are released.
    EndAll,
    /// All end within 3 ms.
    FadeAll,
}

pub struct DeviceNode {
    settings: DeviceSettings,
    state: Shared<DeviceState>,
    chains: Vec<ChainNode>,
    /// Of the plan's tracks.
    sidechain: Option<usize>,
}

pub struct ChainNode {
    settings: ChainSettings,
    state: Shared<ChainState>,
    devices: Vec<DeviceNode>,
}

impl DeviceNode {
    /// `track` finds a track's place in the plan.
    pub(super) fn new(
        mut settings: DeviceSettings,
        store: &mut StateStore,
        track: &dyn Fn(u32) -> Option<usize>,
    ) -> DeviceNode {
        let state = store.device(settings.id, settings.on, &settings.device);
        let (mut chains, mut sidechain) = (Vec::new(), None);
        match &mut settings.device {
            Device::Rack(of) => {
                chains = std::mem::take(of).into_iter().map(|chain| ChainNode::new(chain, store, track)).collect();
            }
            Device::Effect { sidechain: Some(id), .. } => sidechain = track(*id),
            _ => {}
        }
        DeviceNode { settings, state, chains, sidechain }
    }

    /// Turns the signal into what comes out.
    pub(crate) fn process(&self, moment: &Moment, bus: &mut Bus) {
        let Ok(mut state) = self.state.try_borrow_mut() else { return };
        let DeviceState { kind, on } = &mut *state;
        on.go(if self.settings.on { 1.0 } else { 0.0 });
        if on.value() == 0.0 && !on.is_moving() {
            return;
        }
        let dry = *bus;
        let on_ramp = on.is_moving().then(|| on.lane(&moment.span));
        match (&self.settings.device, kind) {
            (Device::Instrument(settings), KindState::Instrument(state)) => state.render(settings, &moment.span, bus),
            (Device::Effect { settings, .. }, KindState::Effect { state, sleep }) => {
                let sidechain = self.sidechain.and_then(|track| moment.taps.get(track));
                let context = EffectContext { span: moment.span, tempo_bpm: moment.tempo_bpm, sidechain };
                let memory = state.memory_frames();
                sleep.process(&context, bus, memory, |context, bus| state.process(settings, context, bus));
            }
            (Device::Rack(_), KindState::Rack) => self.process_chains(moment, bus),
            _ => {}
        }
        if let Some(lane) = on_ramp {
            let both = bus.frames_mut(moment.span.frames).zip(dry.left.into_iter().zip(dry.right)).zip(lane);
            for (((left, right), (dry_left, dry_right)), on) in both {
                *left = dry_left + (*left - dry_left) * on;
                *right = dry_right + (*right - dry_right) * on;
            }
        }
    }

    fn process_chains(&self, moment: &Moment, bus: &mut Bus) {
        if self.chains.is_empty() {
            return;
        }
        let input = *bus;
        bus.clear();
        for chain in &self.chains {
            let mut own = input;
            for device in &chain.devices {
                device.process(moment, &mut own);
            }
            let Ok(mut state) = chain.state.try_borrow_mut() else { continue };
            state.strip.aim(&chain.settings.strip, 0.0, std::iter::empty());
            state.strip.process(&moment.span, &mut own);
            bus.add(&own);
        }
    }

    /// Tells the instruments of a note.
    pub(crate) fn note(&self, act: NoteAct, now: u64) {
        if let Device::Instrument(settings) = &self.settings.device {
            let Ok(mut state) = self.state.try_borrow_mut() else { return };
            let KindState::Instrument(instrument) = &mut state.kind else { return };
            match act {
                // A device that is off takes no notes, but lets those go that it has.
                NoteAct::On(note) if self.settings.on => instrument.note_on(settings, note, now),
                NoteAct::On(_) => {}
                NoteAct::Off { id, pitch } => instrument.note_off(settings, id, pitch),
                NoteAct::EndAll => instrument.end_all(),
                NoteAct::FadeAll => instrument.fade_all(),
            }
        }
        for chain in &self.chains {
            let Some(act) = chain.own_act(act) else { continue };
            if matches!(act, NoteAct::On(_)) && chain.settings.choke > 0 {
                for other in self.chains.iter().filter(|other| other.settings.id != chain.settings.id) {
                    if other.settings.choke == chain.settings.choke {
                        other.each_device(|device| device.note(NoteAct::FadeAll, now));
                    }
                }
            }
            chain.each_device(|device| device.note(act, now));
        }
    }

    /// Visits its instruments and those of its chains.
    pub(crate) fn each_instrument(&self, act: &mut dyn FnMut(&mut InstrumentState)) {
        if let Ok(mut state) = self.state.try_borrow_mut()
            && let KindState::Instrument(instrument) = &mut state.kind
        {
            act(instrument);
        }
        for chain in &self.chains {
            for device in &chain.devices {
                device.each_instrument(act);
            }
        }
    }

    /// How many of its effects are awake.
    #[cfg(test)]
    pub(crate) fn awake(&self) -> usize {
        let own = self.state.try_borrow().is_ok_and(|state| match &state.kind {
            KindState::Effect { sleep, .. } => !sleep.asleep,
            _ => false,
        });
        usize::from(own) + self.chains.iter().flat_map(|chain| &chain.devices).map(DeviceNode::awake).sum::<usize>()
    }

    /// The best of its voices to make room, if better than `best`.
    pub(crate) fn better_victim(&self, best: &mut Option<Victim>) {
        self.each_instrument(&mut |instrument| {
            if let Some(victim) = instrument.victim()
                && best.is_none_or(|best| victim < best)
            {
                *best = Some(victim);
            }
        });
    }

    /// Fades the voice, if it is one of its own.
    pub(crate) fn fade(&self, victim: Victim) {
        self.each_instrument(&mut |instrument| {
            if instrument.victim() == Some(victim) {
                instrument.fade(victim);
            }
        });
    }
}

impl ChainNode {
    fn new(mut settings: ChainSettings, store: &mut StateStore, track: &dyn Fn(u32) -> Option<usize>) -> ChainNode {
        let state = store.chain(settings.id);
        let devices = std::mem::take(&mut settings.devices);
        let devices = devices.into_iter().map(|device| DeviceNode::new(device, store, track)).collect();
        ChainNode { settings, state, devices }
    }

    /// What an act on the rack is to this chain: `None` where it does not take the key or the velocity.
    fn own_act(&self, act: NoteAct) -> Option<NoteAct> {
        let (lowest, highest) = self.settings.keys;
        let takes = |pitch: u8| (lowest..=highest).contains(&pitch);
        let played = |pitch: u8| self.settings.plays.unwrap_or(pitch);
        match act {
            NoteAct::On(note) => {
                let velocity = (note.velocity * 127.0 + 0.5) as u8;
                let (softest, hardest) = self.settings.velocities;
                let fits = takes(note.pitch) && (softest..=hardest).contains(&velocity.max(1));
                fits.then(|| NoteAct::On(Note { pitch: played(note.pitch), ..note }))
            }
            NoteAct::Off { id, pitch } => takes(pitch).then(|| NoteAct::Off { id, pitch: played(pitch) }),
            NoteAct::EndAll | NoteAct::FadeAll => Some(act),
        }
    }

    fn each_device(&self, act: impl Fn(&DeviceNode)) {
        self.devices.iter().for_each(act);
    }
}

impl Sleep {
    /// Lets an effect work only while it has something to do. When is counted in frames, so that it does not depend on
    /// how spans are cut.
    fn process(
        &mut self,
        context: &EffectContext,
        bus: &mut Bus,
        memory_frames: u64,
        mut work: impl FnMut(&EffectContext, &mut Bus),
    ) {
        let span = context.span;
        if self.asleep {
            let first = (0..span.frames).find(|at| {
                let sounds = |lane: &[f32; TICK]| lane.get(*at).is_some_and(|value| *value != 0.0);
                sounds(&bus.left) || sounds(&bus.right)
            });
            let Some(first) = first else { return };
            // It wakes at the very frame that is not silent.
            (self.asleep, self.silent_frames) = (false, 0);
            let mut rest = Bus::SILENT;
            rest.left[..TICK - first].copy_from_slice(&bus.left[first..]);
            rest.right[..TICK - first].copy_from_slice(&bus.right[first..]);
            let context = EffectContext {
                span: Span { start: span.start + first as u64, frames: span.frames - first },
                ..*context
            };
            self.peak = self.peak.max(rest.peak(span.frames - first));
            work(&context, &mut rest);
            self.peak = self.peak.max(rest.peak(span.frames - first));
            bus.left[first..].copy_from_slice(&rest.left[..TICK - first]);
            bus.right[first..].copy_from_slice(&rest.right[..TICK - first]);
        } else {
            self.peak = self.peak.max(bus.peak(span.frames));
            work(context, bus);
            self.peak = self.peak.max(bus.peak(span.frames));
        }
        if span.ends_tick() {
            self.silent_frames = if self.peak < SILENCE { self.silent_frames + TICK as u64 } else { 0 };
            self.peak = 0.0;
            self.asleep = self.silent_frames > FRAMES_TO_SLEEP + memory_frames;
        }
    }
}

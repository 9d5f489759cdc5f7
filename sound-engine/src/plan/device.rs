//! A device of a plan: its settings, joined with what it remembers.

use super::chain::{ChainNode, MOST_RETURNS};
use super::notes::{NoteContext, advance, layout, next_frame};
use super::overrides::Overrides;
use super::settings::{Device, DeviceSettings};
use super::sleep::Sleep;
use super::store::{Shared, StateStore};
use crate::dsp::ramp::Ramp;
use crate::dsp::span::{Bus, Span};
use crate::effects::{EffectContext, EffectState};
use crate::instruments::{InstrumentState, Victim};
use crate::note_effects::{NoteAct, NoteEffectState, Out, SongClock};
use crate::parameter::Parameter;

/// A device fades in and out within this time when it is switched.
const SWITCH_SECONDS: f32 = 0.01;

/// What a device remembers.
pub(super) struct DeviceState {
    kind: KindState,
    /// 1 on, 0 off.
    on: Ramp,
    overrides: Overrides,
}

pub(super) enum KindState {
    Instrument(InstrumentState),
    Effect {
        state: EffectState,
        sleep: Sleep,
    },
    NoteEffect {
        state: NoteEffectState,
        /// Whether it changes notes now.
        works: bool,
    },
    Rack,
}

impl DeviceState {
    pub fn new(kind: KindState, on: bool, rate: f32) -> DeviceState {
        let value = if on { 1.0 } else { 0.0 };
        DeviceState { kind, on: Ramp::new(value, SWITCH_SECONDS, rate), overrides: Overrides::new() }
    }
}

/// What a device is told of the moment.
#[derive(Clone, Copy)]
pub(crate) struct Moment<'a> {
    pub span: Span,
    pub tempo_bpm: f32,
    pub clock: SongClock,
    /// What each track's signal is behind its fader.
    pub taps: &'a [Bus],
}

pub struct DeviceNode {
    /// As the plan has it.
    settings: DeviceSettings,
    /// As it is now: with what automation says.
    live: Device,
    live_on: bool,
    state: Shared<DeviceState>,
    chains: Vec<ChainNode>,
    /// Whether its chains change notes for what follows, and play none themselves.
    passes_notes: bool,
    /// Of the plan's tracks.
    sidechain: Option<usize>,
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
                let of = std::mem::take(of);
                let returns: Vec<u64> = of.iter().filter(|chain| chain.is_return).map(|chain| chain.id).collect();
                chains = of.into_iter().map(|chain| ChainNode::new(chain, &returns, store, track)).collect();
            }
            Device::Effect { sidechain: Some(id), .. } => sidechain = track(*id),
            _ => {}
        }
        let (live, live_on) = (settings.device.clone(), settings.on);
        let mut node = DeviceNode { settings, live, live_on, state, chains, passes_notes: false, sidechain };
        node.passes_notes = node.note_layout() != 0 && !node.has_instrument();
        node
    }

    fn has_instrument(&self) -> bool {
        let inside = |chain: &ChainNode| chain.devices.iter().any(DeviceNode::has_instrument);
        matches!(self.settings.device, Device::Instrument(_)) || self.chains.iter().any(inside)
    }

    /// Which note effects are in it; 0: none that are on.
    pub(super) fn note_layout(&self) -> u64 {
        if !self.settings.on {
            return 0;
        }
        let own = match &self.settings.device {
            Device::NoteEffect(settings) => (self.settings.id << 4) + settings.kind(),
            _ => 0,
        };
        self.chains.iter().fold(own, |sum, chain| {
            let inside = layout(&chain.devices);
            if inside == 0 { sum } else { sum.rotate_left(9) ^ inside ^ chain.settings.id }
        })
    }

    /// Turns the signal into what comes out.
    pub(crate) fn process(&mut self, moment: &Moment, bus: &mut Bus) {
        let DeviceNode { live, live_on, state, chains, passes_notes, sidechain, .. } = self;
        let Ok(mut state) = state.try_borrow_mut() else { return };
        let DeviceState { kind, on, overrides } = &mut *state;
        if !overrides.is_empty() {
            move_parameters(live, live_on, overrides, &moment.span);
        }
        on.go(if *live_on { 1.0 } else { 0.0 });
        if on.value() == 0.0 && !on.is_moving() {
            return;
        }
        let on_ramp = on.is_moving().then(|| (*bus, on.lane(&moment.span)));
        match (&*live, kind) {
            (Device::Instrument(settings), KindState::Instrument(state)) => {
                state.render(settings, &moment.span, moment.tempo_bpm, bus);
            }
            (Device::Effect { settings, .. }, KindState::Effect { state, sleep }) => {
                let sidechain = sidechain.and_then(|track| moment.taps.get(track));
                let song_beat = moment.clock.plays.then(|| moment.clock.beat_at(moment.span.start));
                let context = EffectContext { span: moment.span, tempo_bpm: moment.tempo_bpm, song_beat, sidechain };
                let memory = state.memory_frames();
                sleep.process(&context, bus, memory, |context, bus| state.process(settings, context, bus));
            }
            // A rack that changes notes only leaves the signal as it is.
            (Device::Rack(_), KindState::Rack) if !*passes_notes => process_chains(chains, moment, bus),
            _ => return,
        }
        if let Some((dry, lane)) = on_ramp {
            let both = bus.frames_mut(moment.span.frames).zip(dry.left.into_iter().zip(dry.right)).zip(lane);
            for (((left, right), (dry_left, dry_right)), on) in both {
                *left = dry_left + (*left - dry_left) * on;
                *right = dry_right + (*right - dry_right) * on;
            }
        }
    }

    /// Takes a note; what it becomes for the devices behind goes on to `out`.
    pub(crate) fn note(&self, act: NoteAct, context: &NoteContext, out: Out) {
        match &self.live {
            Device::Instrument(settings) => {
                if matches!(act, NoteAct::On(_)) && self.live_on {
                    (context.make_room)();
                }
                if let Ok(mut state) = self.state.try_borrow_mut()
                    && let KindState::Instrument(instrument) = &mut state.kind
                {
                    match act {
                        // A device that is off takes no notes, but lets those go that it has.
                        NoteAct::On(note) if self.live_on => instrument.note_on(settings, note, context.clock.frame),
                        NoteAct::On(_) => {}
                        NoteAct::Off { id, pitch } => instrument.note_off(settings, id, pitch),
                        NoteAct::EndAll => instrument.end_all(),
                        NoteAct::FadeAll => instrument.fade_all(),
                    }
                }
            }
            Device::NoteEffect(settings) => {
                let Ok(mut state) = self.state.try_borrow_mut() else { return out(act) };
                if let KindState::NoteEffect { state, works } = &mut state.kind
                    && (*works || !matches!(act, NoteAct::On(_)))
                {
                    return state.note(settings, act, &context.clock, out);
                }
            }
            Device::Rack(_) if self.passes_notes && self.live_on => {
                self.chains.iter().for_each(|chain| chain.note(act, context, out));
                return;
            }
            Device::Rack(_) => self.note_to_chains(act, context),
            Device::Effect { .. } => {}
        }
        out(act);
    }

    fn note_to_chains(&self, act: NoteAct, context: &NoteContext) {
        for chain in &self.chains {
            if let NoteAct::On(note) = act
                && chain.settings.choke > 0
                && chain.taken(note, context.clock.frame).is_some()
            {
                for other in self.chains.iter().filter(|other| other.settings.id != chain.settings.id) {
                    if other.settings.choke == chain.settings.choke {
                        other.note(NoteAct::FadeAll, context, &mut |_| {});
                    }
                }
            }
            chain.note(act, context, &mut |_| {});
        }
    }

    /// Lets its note effects give what is due by now.
    pub(crate) fn advance_notes(&self, context: &NoteContext, out: Out) {
        if let Device::NoteEffect(settings) = &self.live {
            let Ok(mut state) = self.state.try_borrow_mut() else { return };
            if let KindState::NoteEffect { state, works } = &mut state.kind {
                if *works && !self.live_on {
                    state.end_all(out);
                }
                *works = self.live_on;
                state.advance(settings, &context.clock, out);
            }
        }
        for chain in &self.chains {
            if self.passes_notes {
                advance(&chain.devices, context, out);
            } else {
                advance(&chain.devices, context, &mut |_| {});
            }
        }
    }

    pub(crate) fn next_note_frame(&self, clock: &SongClock) -> Option<u64> {
        let inside = self.chains.iter().filter_map(|chain| next_frame(&chain.devices, clock)).min();
        let Device::NoteEffect(settings) = &self.live else { return inside };
        let state = self.state.try_borrow().ok()?;
        match &state.kind {
            KindState::NoteEffect { state, .. } => state.next_frame(settings, clock),
            _ => None,
        }
    }

    /// Ends all notes of its instruments, and forgets those of its note effects.
    pub(super) fn end_notes(&self) {
        if let Ok(mut state) = self.state.try_borrow_mut() {
            match &mut state.kind {
                KindState::Instrument(instrument) => instrument.end_all(),
                KindState::NoteEffect { state, .. } => state.forget(),
                _ => {}
            }
        }
        for chain in &self.chains {
            if let Ok(mut state) = chain.state.try_borrow_mut() {
                state.notes.clear();
            }
            chain.devices.iter().for_each(DeviceNode::end_notes);
        }
    }

    /// Moves a parameter of the device of that id, if it is this one or inside.
    pub(super) fn go(&mut self, id: u64, parameter: Parameter, to: (f32, u32), now: u64) {
        if self.settings.id != id {
            let inside = self.chains.iter_mut().flat_map(|chain| &mut chain.devices);
            inside.for_each(|device| device.go(id, parameter, to, now));
            return;
        }
        if parameter == Parameter::ChainSelector {
            for chain in &self.chains {
                if let (Some(selector), Ok(mut state)) = (&chain.settings.selector, chain.state.try_borrow_mut()) {
                    state.overrides.go(parameter, selector.value, to, now);
                }
            }
            return;
        }
        let Ok(mut state) = self.state.try_borrow_mut() else { return };
        let from = match parameter {
            Parameter::On => Some(if self.live_on { 1.0 } else { 0.0 }),
            _ => place(&mut self.live, parameter).map(|value| *value),
        };
        if let Some(from) = from {
            state.overrides.go(parameter, from, to, now);
        }
    }

    /// Moves a parameter of the chain of that id.
    pub(super) fn go_chain(&mut self, id: u64, parameter: Parameter, to: (f32, u32), now: u64) {
        for chain in &mut self.chains {
            if chain.settings.id == id
                && let Ok(mut state) = chain.state.try_borrow_mut()
                && let Some(from) = chain.settings.value(parameter)
            {
                state.overrides.go(parameter, from, to, now);
            }
            chain.devices.iter_mut().for_each(|device| device.go_chain(id, parameter, to, now));
        }
    }

    /// Lets go of a parameter, or of all: of the device of that id, or of all that there are.
    pub(super) fn free(&mut self, id: Option<u64>, parameter: Option<Parameter>) {
        let DeviceNode { settings, live, live_on, state, chains, .. } = self;
        if id.is_none_or(|id| id == settings.id) {
            if let Ok(mut state) = state.try_borrow_mut() {
                let freed = state.overrides.moved().filter(|moved| parameter.is_none_or(|one| one == *moved));
                for moved in freed {
                    if moved == Parameter::On {
                        *live_on = settings.on;
                    }
                    let planned = place(&mut settings.device, moved).map(|value| *value);
                    if let (Some(place), Some(planned)) = (place(live, moved), planned) {
                        *place = planned;
                    }
                }
                state.overrides.free(parameter);
            }
            let selector = parameter.is_none_or(|parameter| parameter == Parameter::ChainSelector);
            for chain in chains.iter().filter(|_| selector) {
                if let Ok(mut state) = chain.state.try_borrow_mut() {
                    state.overrides.free(if id.is_none() { None } else { Some(Parameter::ChainSelector) });
                }
            }
        }
        let inside = chains.iter_mut().flat_map(|chain| &mut chain.devices);
        inside.for_each(|device| device.free(id, parameter));
    }

    pub(super) fn free_chain(&mut self, id: u64, parameter: Option<Parameter>) {
        for chain in &mut self.chains {
            if chain.settings.id == id
                && let Ok(mut state) = chain.state.try_borrow_mut()
            {
                state.overrides.free(parameter);
            }
            chain.devices.iter_mut().for_each(|device| device.free_chain(id, parameter));
        }
    }

    /// Visits its instruments and those of its chains.
    pub(crate) fn each_instrument(&self, act: &mut dyn FnMut(&mut InstrumentState)) {
        if let Device::Instrument(_) = self.live
            && let Ok(mut state) = self.state.try_borrow_mut()
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

/// Writes what moves into the settings that are played by.
fn move_parameters(live: &mut Device, live_on: &mut bool, overrides: &Overrides, span: &Span) {
    for (parameter, value) in overrides.values(span) {
        if parameter == Parameter::On {
            *live_on = value >= 0.5;
        } else if let Some(place) = place(live, parameter) {
            *place = value;
        }
    }
}

/// Makes what chains side by side make of a signal.
fn process_chains(chains: &mut [ChainNode], moment: &Moment, bus: &mut Bus) {
    if chains.is_empty() {
        return;
    }
    let input = *bus;
    bus.clear();
    let mut returned = [Bus::SILENT; MOST_RETURNS];
    for chain in chains.iter_mut().filter(|chain| !chain.settings.is_return) {
        let mut own = input;
        chain.process(moment, &mut own, |to, signal, gains| {
            if let Some(place) = returned.get_mut(to) {
                place.add_scaled(signal, gains);
            }
        });
        bus.add(&own);
    }
    let returns = chains.iter_mut().filter(|chain| chain.settings.is_return);
    for (chain, mut own) in returns.zip(returned) {
        chain.process(moment, &mut own, |_, _, _| {});
        bus.add(&own);
    }
}

/// The setting of a device that a parameter moves.
fn place(device: &mut Device, parameter: Parameter) -> Option<&mut f32> {
    match device {
        Device::Instrument(settings) => settings.place(parameter),
        Device::Effect { settings, .. } => settings.place(parameter),
        Device::NoteEffect(settings) => settings.place(parameter),
        Device::Rack(_) => None,
    }
}

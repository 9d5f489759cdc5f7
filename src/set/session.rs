//! What a Set does rather than is: transport, launches, selection. Kept beside the document, keyed by id, outside the undo
//! history: undoing an edit never starts a clip, and launching is no edit.

use super::document::Document;
use super::ids::Serial;
use super::index::{Home, Index};
use super::launch::{
    ClockCell, LaunchAction, LaunchOrder, Quantum, TrackCell, TrackLaunch, TrackState, TransportAction, TransportOrder,
};
use super::ordered::{Item, Tree};
use crate::music::Beats;
use crate::object_model::model::Clock;
use imbl::OrdMap;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

/// The live side of a Set. Cloning is cheap; a failed call drops its clone.
#[derive(Clone, Debug)]
pub struct SessionState {
    /// By track.
    pub launches: Tree<TrackLaunch>,
    pub transport: TransportOrder,
    /// Where `start_playing` begins.
    pub start_time: Beats,
    pub clock: Arc<ClockCell>,
    /// The Set's own clock leads, whatever the host does.
    pub own_clock: bool,
    pub selection: Selection,
    /// Selected notes, by clip.
    pub selected_notes: OrdMap<Serial, HashSet<u32>>,
    /// When the tempo was tapped.
    pub taps: Vec<Instant>,
    /// The number of the newest order.
    next_order: u64,
}

/// What Live would show as selected.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    pub track: Option<Serial>,
    pub scene: Option<Serial>,
    pub detail_clip: Option<Serial>,
    pub arrangement_view: bool,
}

/// What a track's Session side shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackPlay {
    pub playing: Playing,
    pub fired: Option<Fired>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playing {
    /// Nothing was ever launched: the track follows the Arrangement.
    Arrangement,
    /// Stopped in the Session.
    Stopped,
    Clip(Serial),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fired {
    Clip(Serial),
    Stop,
}

impl Item for TrackLaunch {
    type Sum = ();
    fn sum(&self) {}
}

impl SessionState {
    pub fn new(clock: Arc<ClockCell>, own_clock: bool) -> SessionState {
        SessionState {
            launches: Tree::default(),
            transport: TransportOrder { number: 0, action: TransportAction::Stop },
            start_time: 0.0,
            clock,
            own_clock,
            selection: Selection::default(),
            selected_notes: OrdMap::new(),
            taps: Vec::new(),
            next_order: 0,
        }
    }

    /// Counts the orders given, to tracks and to the transport: the same number, the same orders.
    pub fn newest_order(&self) -> u64 {
        self.next_order
    }

    fn number(&mut self) -> u64 {
        self.next_order += 1;
        self.next_order
    }

    /// Whether the DAW's transport is the clock. Before the first block it is: only a plugin is made without a clock of its
    /// own, and what is launched then has to wait for the DAW and not to be called playing.
    pub fn led_by_daw(&self) -> bool {
        let clock = self.clock.read();
        !self.own_clock && (clock.host_present || clock.blocks == 0)
    }

    /// Whether the clock that leads runs, or will with the orders given.
    pub fn is_playing(&self) -> bool {
        let clock = self.clock.read();
        let led_by_daw = self.led_by_daw();
        // Until the next block the cell may tell of the clock that led before.
        let playing = clock.playing && clock.host_led == led_by_daw;
        if led_by_daw || clock.handled >= self.transport.number {
            return playing;
        }
        match self.transport.action {
            TransportAction::Start { .. } | TransportAction::Continue => true,
            TransportAction::Stop => false,
            TransportAction::Jump { .. } => playing,
        }
    }

    /// The Set's own clock was told to start and has not done so yet: what is fired now starts with it.
    fn is_starting(&self) -> bool {
        self.clock.read().handled < self.transport.number
            && matches!(self.transport.action, TransportAction::Start { .. } | TransportAction::Continue)
    }

    /// The playhead in quarter beats.
    pub fn position(&self) -> Beats {
        let clock = self.clock.read();
        if self.led_by_daw() || clock.handled >= self.transport.number {
            return clock.position_beats;
        }
        match self.transport.action {
            TransportAction::Start { at } => at,
            TransportAction::Jump { to } => to,
            TransportAction::Continue | TransportAction::Stop => clock.position_beats,
        }
    }

    /// The clock that leads. Tempo and meter are the document's while the Set's own clock does, or the DAW's are not known.
    pub fn clock(&self, document: &Document) -> Clock {
        let led_by_daw = self.led_by_daw();
        let daw = self.clock.read();
        // Nothing is known of the DAW's tempo before the first block.
        let daw_is_known = led_by_daw && daw.blocks > 0;
        let own = (document.song.signature.numerator.into(), document.song.signature.denominator.into());
        Clock {
            led_by_daw,
            playing: self.is_playing(),
            tempo_bpm: if daw_is_known { daw.tempo_bpm } else { document.song.tempo_bpm },
            meter: if daw_is_known { daw.meter } else { own },
        }
    }

    pub fn order_transport(&mut self, action: TransportAction) {
        let number = self.number();
        self.transport = TransportOrder { number, action };
    }

    /// Launches a clip; with the Set's own clock standing, the clock starts too.
    pub fn fire(&mut self, track: Serial, clip: Serial, legato: bool, quantum: Quantum) {
        let starting = !self.led_by_daw() && (self.is_starting() || !self.is_playing());
        self.order(track, LaunchAction::Play { clip, legato }, if starting { Quantum::None } else { quantum });
        if starting && !self.is_starting() {
            self.order_transport(TransportAction::Start { at: self.start_time });
        }
    }

    /// Stops a track's Session clip. A track that never launched anything is left to the Arrangement.
    pub fn stop_track(&mut self, track: Serial, quantum: Quantum) {
        if self.launch(track).is_some() {
            let quantum = if self.is_playing() { quantum } else { Quantum::None };
            self.order(track, LaunchAction::Stop, quantum);
        }
    }

    fn order(&mut self, track: Serial, action: LaunchAction, quantum: Quantum) {
        let order = LaunchOrder { number: self.number(), action, quantum };
        if self.launches.edit(track.into(), |launch| launch.order = order).is_none() {
            self.launches.insert(track.into(), TrackLaunch { track, order, cell: Arc::new(TrackCell::default()) });
        }
    }

    pub fn launch(&self, track: Serial) -> Option<&TrackLaunch> {
        self.launches.get(track.into())
    }

    /// What a track plays and waits for.
    pub fn track_play(&self, track: Serial) -> TrackPlay {
        let Some(launch) = self.launch(track) else { return TrackPlay { playing: Playing::Arrangement, fired: None } };
        let order = launch.order;
        let TrackState { handled, playing, .. } = launch.cell.read();
        let now = match playing {
            Some(clip) => Playing::Clip(clip),
            None if handled == 0 => Playing::Arrangement,
            None => Playing::Stopped,
        };
        if handled >= order.number {
            return TrackPlay { playing: now, fired: None };
        }
        let ordered = match order.action {
            LaunchAction::Play { clip, .. } => Fired::Clip(clip),
            LaunchAction::Stop => Fired::Stop,
        };
        // What needs no boundary is shown as done: playback carries it out before anything else sounds.
        if order.quantum == Quantum::None && (self.is_playing() || ordered == Fired::Stop) {
            let playing = match ordered {
                Fired::Clip(clip) => Playing::Clip(clip),
                Fired::Stop => Playing::Stopped,
            };
            return TrackPlay { playing, fired: None };
        }
        TrackPlay { playing: now, fired: Some(ordered) }
    }

    /// Leaves a track to the Arrangement.
    pub fn forget_launch(&mut self, track: Serial) {
        self.launches.remove(track.into());
    }

    /// Forgets launches and selections of what was in `before` and is gone now: a removed clip is stopped, a removed track
    /// dropped. Looks at nothing that is still there.
    pub fn follow(&mut self, before: &Index, now: &Index) {
        for (serial, home) in now.gone_since(before) {
            match home {
                Home::Track | Home::Return | Home::Main => self.forget_launch(serial),
                Home::SessionClip { track, .. } => {
                    let ordered = self.launch(track).map(|launch| launch.order.action);
                    if matches!(ordered, Some(LaunchAction::Play { clip, .. }) if clip == serial) {
                        self.order(track, LaunchAction::Stop, Quantum::None);
                    }
                }
                _ => {}
            }
            self.selected_notes.remove(&serial);
            let Selection { track, scene, detail_clip, .. } = &mut self.selection;
            for selected in [track, scene, detail_clip] {
                *selected = selected.filter(|selected| *selected != serial);
            }
        }
    }
}

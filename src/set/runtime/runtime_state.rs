//! What a Set does rather than is: transport, launches, selection. Kept beside the document, keyed by id, outside the
//! undo history: undoing an edit never starts a clip, and launching is no edit.

use crate::music::Beats;
use crate::music::random::Random;
use crate::object_model::host_values::Clock;
use crate::set::document::Document;
use crate::set::document::ids::Serial;
use crate::set::document::object_index::{Index, Location};
use crate::set::document::ordered::{Item, Tree};
use crate::set::runtime::keyboard_tracks::KeyboardTracks;
use crate::set::runtime::launch_orders::{
    ClipJump, ClockCell, LaunchAction, LaunchOrder, LaunchQuantum, TrackLaunch, TrackState, TransportAction,
    TransportOrder,
};
use crate::set::runtime::levels::Levels;
use crate::set::runtime::midi_port::MidiPortCell;
use crate::set::runtime::sample_faults::SampleFaults;
use crate::set::runtime::window_views::WindowViews;
use imbl::OrdMap;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

/// What runs beside a document. Cloning is cheap; a failed call drops its clone.
#[derive(Clone, Debug)]
pub struct RuntimeState {
    /// By track.
    pub launches: Tree<TrackLaunch>,
    pub transport: TransportOrder,
    /// Where `start_playing` begins.
    pub start_time: Beats,
    pub clock: Arc<ClockCell>,
    pub midi_port: Arc<MidiPortCell>,
    pub levels: Arc<Levels>,
    pub keyboard_tracks: Arc<KeyboardTracks>,
    pub sample_faults: Arc<SampleFaults>,
    /// The Set's own clock leads, whatever the host does.
    pub own_clock: bool,
    pub selection: Selection,
    pub views: WindowViews,
    /// Selected notes, by clip.
    pub selected_notes: OrdMap<Serial, HashSet<u32>>,
    /// Where the Set draws from when an edit is random.
    pub random: Random,
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
    /// By track; a track that is not here has none selected.
    pub devices: OrdMap<Serial, Serial>,
    pub chain: Option<Serial>,
    /// The device under the blue hand.
    pub appointed_device: Option<Serial>,
}

/// What a track's Session side shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackPlayState {
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

impl RuntimeState {
    pub fn new(clock: Arc<ClockCell>, own_clock: bool) -> RuntimeState {
        RuntimeState {
            launches: Tree::default(),
            transport: TransportOrder { number: 0, action: TransportAction::Stop },
            start_time: 0.0,
            clock,
            midi_port: Arc::default(),
            levels: Arc::default(),
            keyboard_tracks: Arc::default(),
            sample_faults: Arc::default(),
            own_clock,
            selection: Selection::default(),
            views: WindowViews::default(),
            selected_notes: OrdMap::new(),
            random: Random::fresh(),
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

    /// Whether the DAW's transport is the clock. Before the first block it is: only a plugin is made without a clock of
    /// its own, and what is launched then has to wait for the DAW and not to be called playing.
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
            TransportAction::Stop | TransportAction::Park { .. } => false,
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
            TransportAction::Park { at } => at,
            TransportAction::Continue | TransportAction::Stop => clock.position_beats,
        }
    }

    /// The clock that leads. Tempo and meter are the document's while the Set's own clock does, or the DAW's are not
    /// known.
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

    /// Only the newest order counts, so one that still waits becomes part of it.
    pub fn order_transport(&mut self, action: TransportAction) {
        use TransportAction::{Continue, Jump, Park, Start, Stop};
        let waits = self.clock.read().handled < self.transport.number;
        let action = match (self.transport.action, action) {
            (Start { .. } | Continue, Jump { to }) if waits => Start { at: to },
            (Stop | Park { .. }, Jump { to }) if waits => Park { at: to },
            (Jump { to: at } | Park { at }, Continue) if waits => Start { at },
            (Jump { to: at } | Park { at }, Stop) if waits => Park { at },
            (_, action) => action,
        };
        let number = self.number();
        self.transport = TransportOrder { number, action };
    }

    /// Launches a clip; with the Set's own clock standing, the clock starts too.
    pub fn fire(&mut self, track: Serial, clip: Serial, legato: bool, quantum: LaunchQuantum) {
        let starting = !self.led_by_daw() && (self.is_starting() || !self.is_playing());
        self.order(track, LaunchAction::Play { clip, legato }, if starting { LaunchQuantum::None } else { quantum });
        if starting && !self.is_starting() {
            self.order_transport(TransportAction::Start { at: self.start_time });
        }
    }

    /// Starts the Set's own clock at the start marker, also while it runs: what is fired starts with it.
    pub fn start(&mut self) {
        if !self.led_by_daw() {
            let waiting = |launch: &TrackLaunch| {
                matches!(launch.order.action, LaunchAction::Play { .. })
                    && launch.order.number > launch.cell.read().handled
            };
            let fired: Vec<Serial> = self.launches.iter().filter(|l| waiting(l)).map(|launch| launch.track).collect();
            for track in fired {
                self.launches.edit(track.into(), |launch| launch.order.quantum = LaunchQuantum::None);
            }
        }
        self.order_transport(TransportAction::Start { at: self.start_time });
    }

    /// Stops a track's Session clip. A track that launched nothing, or is stopped already, is left as it is.
    pub fn stop_track(&mut self, track: Serial, quantum: LaunchQuantum) {
        let TrackPlayState { playing, fired } = self.track_play(track);
        if fired.is_some() || matches!(playing, Playing::Clip(_)) {
            let quantum = if self.is_playing() { quantum } else { LaunchQuantum::None };
            self.order(track, LaunchAction::Stop, quantum);
        }
    }

    /// As [`RuntimeState::stop_track`], by the stop button of the slot in `scene`.
    pub fn stop_from(&mut self, track: Serial, scene: Serial, quantum: LaunchQuantum) {
        self.stop_track(track, quantum);
        self.launches.edit(track.into(), |launch| {
            launch.stop_slot = Some(scene).filter(|_| launch.order.action == LaunchAction::Stop);
        });
    }

    /// The launch button of the clip fired last is held: it starts over at each of these boundaries.
    pub fn hold_button(&mut self, track: Serial, quantum: LaunchQuantum) {
        self.launches.edit(track.into(), |launch| launch.repeat = Some(quantum));
    }

    /// The launch button is let go: nothing repeats any more.
    pub fn release_button(&mut self, track: Serial) {
        if self.launch(track).is_some_and(|launch| launch.repeat.is_some()) {
            self.launches.edit(track.into(), |launch| launch.repeat = None);
            // Counts as an order, so that playback hears of it.
            self.number();
        }
    }

    /// Cancels the order of a track that has not acted yet.
    pub fn cancel_order(&mut self, track: Serial) {
        match self.track_play(track) {
            TrackPlayState { fired: None, .. } => {}
            // Nothing was ever launched before: the track follows the Arrangement as if it had not been touched.
            TrackPlayState { playing: Playing::Arrangement, .. } => self.back_to_arranger(track),
            _ => self.order(track, LaunchAction::Keep, LaunchQuantum::None),
        }
    }

    /// Leaves a track to the Arrangement.
    pub fn back_to_arranger(&mut self, track: Serial) {
        if self.launches.remove(track.into()).is_some() {
            // Counts as an order, so that playback hears of it.
            self.number();
        }
    }

    /// Moves within the playing clip of a track.
    pub fn skip(&mut self, track: Serial, by: Beats) {
        let skip = ClipJump { number: self.number(), by };
        self.launches.edit(track.into(), |launch| launch.skip = skip);
    }

    fn order(&mut self, track: Serial, action: LaunchAction, quantum: LaunchQuantum) {
        let order = LaunchOrder { number: self.number(), action, quantum };
        let before = self.launch(track).and_then(|launch| self.to_do_before(launch, order));
        let replaced = self.launches.edit(track.into(), |launch| {
            (launch.order, launch.before, launch.repeat, launch.stop_slot) = (order, before, None, None);
        });
        if replaced.is_none() {
            self.launches.insert(track.into(), TrackLaunch::new(track, order));
        }
    }

    /// What of a track's orders is shown as done and is still to be carried out when `next` takes their place.
    fn to_do_before(&self, launch: &TrackLaunch, next: LaunchOrder) -> Option<LaunchOrder> {
        let leaves_nothing = matches!(next.action, LaunchAction::Stop | LaunchAction::Play { legato: false, .. });
        if next.quantum == LaunchQuantum::None && leaves_nothing && self.done_at_once(next).is_some() {
            return None;
        }
        let handled = launch.cell.read().handled;
        let waits = |order: &LaunchOrder| order.number > handled && self.done_at_once(*order).is_some();
        Some(launch.order).filter(waits).or(launch.before.filter(waits))
    }

    /// A clip is gone that was to play before the newest order of its track: there it stops instead.
    fn stop_before(&mut self, track: Serial, clip: Serial) {
        let plays = |before: &LaunchOrder| matches!(before.action, LaunchAction::Play { clip: of, .. } if of == clip);
        let Some(launch) = self.launch(track).filter(|launch| launch.before.as_ref().is_some_and(plays)) else {
            return;
        };
        let was_launched = launch.cell.read().handled > 0;
        self.launches.edit(track.into(), |launch| {
            let stop = launch.before.map(|before| LaunchOrder { action: LaunchAction::Stop, ..before });
            launch.before = stop.filter(|_| was_launched);
        });
    }

    /// What plays once an order is carried out that needs no boundary: it is shown as done, as playback carries it out
    /// before anything else sounds. `None` of an order that waits.
    fn done_at_once(&self, order: LaunchOrder) -> Option<Playing> {
        match order.action {
            _ if order.quantum != LaunchQuantum::None => None,
            LaunchAction::Play { clip, .. } => self.is_playing().then_some(Playing::Clip(clip)),
            LaunchAction::Stop => Some(Playing::Stopped),
            LaunchAction::Keep => None,
        }
    }

    pub fn launch(&self, track: Serial) -> Option<&TrackLaunch> {
        self.launches.get(track.into())
    }

    /// What a track plays and waits for.
    pub fn track_play(&self, track: Serial) -> TrackPlayState {
        let Some(launch) = self.launch(track) else {
            return TrackPlayState { playing: Playing::Arrangement, fired: None };
        };
        let order = launch.order;
        let TrackState { handled, playing, .. } = launch.cell.read();
        let before =
            launch.before.filter(|before| before.number > handled).and_then(|before| self.done_at_once(before));
        let now = before.unwrap_or(match playing {
            Some(clip) => Playing::Clip(clip),
            None if handled == 0 => Playing::Arrangement,
            None => Playing::Stopped,
        });
        if handled >= order.number {
            return TrackPlayState { playing: now, fired: None };
        }
        let ordered = match order.action {
            LaunchAction::Play { clip, .. } => Fired::Clip(clip),
            LaunchAction::Stop => Fired::Stop,
            LaunchAction::Keep => return TrackPlayState { playing: now, fired: None },
        };
        if let Some(playing) = self.done_at_once(order) {
            return TrackPlayState { playing, fired: None };
        }
        TrackPlayState { playing: now, fired: Some(ordered) }
    }

    /// Forgets launches and selections of what was in `before` and is gone now: a removed clip is stopped, a removed
    /// track dropped. Looks at nothing that is still there.
    pub fn forget_removed(&mut self, before: &Index, now: &Index) {
        for (serial, location) in now.gone_since(before) {
            match location {
                Location::Track | Location::Return | Location::Main => self.back_to_arranger(serial),
                Location::SessionClip { track, .. } => {
                    let ordered = self.launch(track).map(|launch| launch.order.action);
                    let was_ordered = matches!(ordered, Some(LaunchAction::Play { clip, .. }) if clip == serial);
                    self.stop_before(track, serial);
                    match self.track_play(track).playing {
                        // It never came to play: the track follows the Arrangement as before.
                        Playing::Arrangement if was_ordered => self.back_to_arranger(track),
                        _ if was_ordered => self.order(track, LaunchAction::Stop, LaunchQuantum::None),
                        _ => {}
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

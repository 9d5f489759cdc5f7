//! The arpeggiator: the keys that are held, one after the other.

use super::arpeggio_order::{ArpeggioStyle, KeyOrder, MOST_KEYS, order};
use super::clock::SongClock;
use super::note_act::{NoteAct, Out, mixed};
use super::pitch_set::Shift;
use super::schedule::Schedule;
use crate::instruments::Note;

/// How far steps lie apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepRate {
    /// Quarter beats; while the song plays, on its grid.
    Beats(f64),
    /// From the first key on.
    Seconds(f64),
}

/// Of each pair of these notes, the second comes later: up to as in a triplet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Swing {
    #[default]
    Straight,
    Eighths,
    Sixteenths,
    ThirtySeconds,
}

/// When the order begins anew.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Retrigger {
    #[default]
    Off,
    /// With each key.
    Note,
    /// Each time so many quarter beats of the song have passed.
    Beats(f64),
}

/// Velocities that move while keys are held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VelocityRun {
    /// Where they go, 0 to 1.
    pub target: f32,
    pub seconds: f32,
    /// They begin anew where the order does.
    pub retrigger: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArpeggiatorSettings {
    pub style: ArpeggioStyle,
    /// The order begins so many keys later, -8 to 8.
    pub offset: i8,
    /// Passes until it stops; `None`: for ever.
    pub repeats: Option<u16>,
    pub rate: StepRate,
    pub swing: Swing,
    /// 0 to 1.
    pub swing_amount: f32,
    /// How long a note lasts, of a step: 0.01 to 2.
    pub gate: f32,
    pub retrigger: Retrigger,
    /// Keys go on when they are let go, until another one comes.
    pub hold: bool,
    /// Passes that follow, each `distance` above the one before, 0 to 8.
    pub transpositions: u8,
    pub distance: Shift,
    pub velocity: Option<VelocityRun>,
    pub seed: u64,
}

impl Default for ArpeggiatorSettings {
    fn default() -> ArpeggiatorSettings {
        ArpeggiatorSettings {
            style: ArpeggioStyle::Up,
            offset: 0,
            repeats: None,
            rate: StepRate::Beats(0.5),
            swing: Swing::Straight,
            swing_amount: 1.0,
            gate: 0.5,
            retrigger: Retrigger::Off,
            hold: false,
            transpositions: 0,
            distance: Shift::Semitones(12),
            velocity: None,
            seed: 0,
        }
    }
}

/// Steps are never shorter, seconds.
const SHORTEST_STEP: f64 = 0.002;

#[derive(Clone, Copy)]
struct Key {
    note: Note,
    down: bool,
    /// In which order they came.
    number: u64,
}

pub struct Arpeggiator {
    /// Lowest first.
    keys: Vec<Key>,
    ends: Schedule,
    /// Steps since the order began.
    step: u64,
    /// Where steps are counted from when the song gives no grid.
    first_frame: u64,
    first_beat: f64,
    /// The frame of the last step.
    fired: Option<u64>,
    /// The interval of the song in which the order began.
    interval: i64,
    /// Since when velocities move.
    velocity_since: u64,
    numbers: u64,
}

impl Arpeggiator {
    pub fn new() -> Arpeggiator {
        Arpeggiator {
            keys: Vec::with_capacity(MOST_KEYS),
            ends: Schedule::new(64),
            step: 0,
            first_frame: 0,
            first_beat: 0.0,
            fired: None,
            interval: i64::MIN,
            velocity_since: 0,
            numbers: 0,
        }
    }

    pub fn on(&mut self, settings: &ArpeggiatorSettings, note: Note, clock: &SongClock) {
        if !self.keys.iter().any(|key| key.down) {
            // Those that were held by themselves make room.
            self.keys.clear();
        }
        if self.keys.is_empty() {
            (self.first_frame, self.first_beat, self.fired) = (clock.frame, clock.beat(), None);
            self.begin(clock, true);
        } else if settings.retrigger == Retrigger::Note {
            self.begin(clock, settings.velocity.is_some_and(|run| run.retrigger));
        }
        self.numbers += 1;
        let key = Key { note, down: true, number: self.numbers };
        if let Some(same) = self.keys.iter_mut().find(|key| key.note.pitch == note.pitch) {
            *same = key;
        } else if self.keys.len() < self.keys.capacity() {
            let place = self.keys.partition_point(|key| key.note.pitch < note.pitch);
            self.keys.insert(place, key);
        }
    }

    fn begin(&mut self, clock: &SongClock, with_velocity: bool) {
        self.step = 0;
        if with_velocity {
            self.velocity_since = clock.frame;
        }
    }

    pub fn off(&mut self, settings: &ArpeggiatorSettings, id: u64, pitch: u8) -> bool {
        let Some(key) = self.keys.iter_mut().find(|key| (key.note.id, key.note.pitch) == (id, pitch)) else {
            return false;
        };
        key.down = false;
        if !settings.hold {
            self.keys.retain(|key| key.down);
        }
        true
    }

    /// Ends and begins what is due.
    pub fn advance(&mut self, settings: &ArpeggiatorSettings, clock: &SongClock, out: Out) {
        while let Some(note) = self.ends.take(clock.frame) {
            out(NoteAct::off(note));
        }
        if !settings.hold {
            self.keys.retain(|key| key.down);
        }
        if !self.keys.is_empty() && self.next_step(settings, clock) <= clock.frame {
            self.fire(settings, clock, out);
            self.fired = Some(clock.frame);
        }
    }

    /// The next frame at which it has something to do.
    pub fn next_frame(&self, settings: &ArpeggiatorSettings, clock: &SongClock) -> Option<u64> {
        let step = (!self.keys.is_empty()).then(|| self.next_step(settings, clock));
        [step, self.ends.next_frame()].into_iter().flatten().min()
    }

    fn next_step(&self, settings: &ArpeggiatorSettings, clock: &SongClock) -> u64 {
        let earliest = self.fired.map_or(clock.frame, |fired| clock.frame.max(fired + 1));
        let frame_of = |number: f64| match settings.rate {
            StepRate::Beats(beats) => {
                let origin = if clock.plays { 0.0 } else { self.first_beat };
                clock.frame_at(origin + swung(settings, number * beats))
            }
            StepRate::Seconds(_) => {
                (self.first_frame as f64 + number * step_frames(settings, clock) - 1e-4).ceil() as u64
            }
        };
        let passed = match settings.rate {
            StepRate::Beats(beats) => {
                let origin = if clock.plays { 0.0 } else { self.first_beat };
                (clock.beat_at(earliest) - origin) / beats.max(1e-3)
            }
            StepRate::Seconds(_) => (earliest as f64 - self.first_frame as f64) / step_frames(settings, clock),
        };
        // Swing moves a step by less than a pair of notes: begin far enough before.
        let mut number = passed.floor() - 1.0;
        for _ in 0..6 {
            let frame = frame_of(number);
            if frame >= earliest {
                return frame;
            }
            number += 1.0;
        }
        earliest
    }

    fn fire(&mut self, settings: &ArpeggiatorSettings, clock: &SongClock, out: Out) {
        if let Retrigger::Beats(beats) = settings.retrigger
            && clock.plays
        {
            let interval = ((clock.beat() + 1e-6) / beats.max(0.01)).floor() as i64;
            if interval != self.interval {
                self.interval = interval;
                self.begin(clock, settings.velocity.is_some_and(|run| run.retrigger));
            }
        }
        let count = self.keys.len();
        let chord = settings.style == ArpeggioStyle::ChordTrigger;
        // Random orders differ from pass to pass; all have the same length.
        let length = if chord { 1 } else { order(settings.style, count, settings.seed, 0).len().max(1) } as u64;
        let pass = self.step / length;
        let transpositions = u64::from(settings.transpositions) + 1;
        if settings.repeats.is_some_and(|repeats| pass >= u64::from(repeats) * transpositions) {
            return;
        }
        let seed = mixed(settings.seed, if settings.style == ArpeggioStyle::RandomOnce { self.cause() } else { 0 });
        let order = order(settings.style, count, seed, pass);
        let at = (self.step as i64 + i64::from(settings.offset)).rem_euclid(order.len().max(1) as i64) as usize;
        if chord {
            for index in 0..count {
                self.play(settings, (index, pass % transpositions), clock, out);
            }
        } else {
            self.play(settings, (self.key_at(settings.style, &order, at), pass % transpositions), clock, out);
        }
        self.step += 1;
    }

    /// What an order that stays was made for.
    fn cause(&self) -> u64 {
        self.keys.iter().fold(0, |sum, key| mixed(sum, u64::from(key.note.pitch)))
    }

    fn key_at(&self, style: ArpeggioStyle, order: &KeyOrder, at: usize) -> usize {
        let place = order.at(at);
        if style != ArpeggioStyle::PlayOrder {
            return place;
        }
        let earlier = |number: u64| self.keys.iter().filter(|key| key.number < number).count();
        self.keys.iter().position(|key| earlier(key.number) == place).unwrap_or(0)
    }

    fn play(
        &mut self,
        settings: &ArpeggiatorSettings,
        (index, transposition): (usize, u64),
        clock: &SongClock,
        out: Out,
    ) {
        let Some(key) = self.keys.get(index) else { return };
        let mut pitch = i32::from(key.note.pitch);
        for _ in 0..transposition {
            pitch = settings.distance.apply(pitch);
        }
        let Some(pitch) = u8::try_from(pitch).ok().filter(|pitch| *pitch < 128) else { return };
        let velocity = settings.velocity.map_or(key.note.velocity, |run| {
            let seconds = (clock.frame - self.velocity_since) as f32 / clock.rate;
            let part = (seconds / run.seconds.max(0.001)).min(1.0);
            (key.note.velocity + (run.target - key.note.velocity) * part).clamp(1.0 / 127.0, 1.0)
        });
        let note = Note { id: mixed(key.note.id, clock.frame), pitch, velocity };
        self.ends.end_pitch(pitch, out);
        let length = (step_frames(settings, clock) * f64::from(settings.gate.clamp(0.01, 2.0))).max(16.0);
        if let Some(early) = self.ends.add(clock.frame + length as u64, note, note) {
            out(NoteAct::off(early));
        }
        out(NoteAct::On(note));
    }

    pub fn end_all(&mut self, out: Out) {
        self.keys.clear();
        self.ends.end_all(out);
    }
}

fn step_frames(settings: &ArpeggiatorSettings, clock: &SongClock) -> f64 {
    let frames = match settings.rate {
        StepRate::Beats(beats) => clock.frames_of_beats(beats),
        StepRate::Seconds(seconds) => clock.frames_of_seconds(seconds),
    };
    frames.max(clock.frames_of_seconds(SHORTEST_STEP))
}

/// Where a beat lies when it swings.
fn swung(settings: &ArpeggiatorSettings, beat: f64) -> f64 {
    let pair = match settings.swing {
        Swing::Straight => return beat,
        Swing::Eighths => 1.0,
        Swing::Sixteenths => 0.5,
        Swing::ThirtySeconds => 0.25,
    };
    let middle = 0.5 + f64::from(settings.swing_amount.clamp(0.0, 1.0)) / 6.0;
    let whole = (beat / pair + 1e-9).floor();
    let part = beat / pair - whole;
    let bent = if part < 0.5 { part * 2.0 * middle } else { middle + (part - 0.5) * 2.0 * (1.0 - middle) };
    (whole + bent) * pair
}

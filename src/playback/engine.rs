//! The walk through a block, from one frame at which something happens to the next.

use super::audio_clips::AudioClips;
use super::chance::{Draw, Purpose};
use super::clip_courses::ClipCourses;
use super::clock::{Clock, ClockChange, ClockSettings, song_loop, valid_rate};
use super::late_midi::LateMidi;
use super::launch_grid::BlockSpan;
use super::metronome::tell_beats;
use super::midi_notes::NoteKey;
use super::prepared::{PlayableTrack, PreparedSnapshot, SongSettings, place_of};
use super::started_note::{EventSink, StartedNote};
use super::started_notes::{HeardNote, StartedNotes};
use super::track_player::{FrameOutcome, NoteStart, TrackPlayer};
use super::{Block, Frame, NoteSink};
use crate::music::{Beats, Note};
use crate::set::document::ids::Serial;
use crate::set::document::sequence::Sequence;
use crate::set::document::{DelaysOnTheWay, Scene, Track};
use crate::set::runtime::launch_orders::{ClockCell, TrackLaunch, TransportAction, TransportOrder};
use std::sync::Arc;
use triple_buffer::Output;

/// MIDI knows no pitch above.
const HIGHEST_PITCH: u8 = 127;

/// The audio thread's end of [`channel`](super::channel).
pub struct Engine {
    output: Output<PreparedSnapshot>,
    clock_cell: Arc<ClockCell>,
    clock: Clock,
    notes: StartedNotes,
    audio_clips: AudioClips,
    courses: ClipCourses,
    /// Starts, jumps and loops of the clock so far: after each, chance is drawn anew.
    clock_changes: u64,
    /// The snapshot is new since the last block with frames.
    fresh: bool,
    late: LateMidi,
    lateness: Lateness,
}

/// By how much MIDI is late.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Lateness {
    /// Frames a second.
    rate: f64,
    /// Frames by which a track without a delay is.
    latency: u32,
    /// Of the Set's delays alone.
    of_set: u32,
    /// Whether anything has a delay.
    any: bool,
}

impl Engine {
    pub(super) fn new(output: Output<PreparedSnapshot>, clock_cell: Arc<ClockCell>) -> Engine {
        Engine {
            output,
            clock_cell,
            clock: Clock::default(),
            notes: StartedNotes::new(),
            audio_clips: AudioClips::new(),
            courses: ClipCourses::new(),
            clock_changes: 0,
            fresh: false,
            late: LateMidi::new(),
            lateness: Lateness::default(),
        }
    }

    /// Makes the events of one block: in time order, at each sample the offs before the ons.
    ///
    /// `out` runs on the audio thread and must keep its rules; see [`NoteSink`].
    pub fn process(&mut self, block: &Block, out: &mut impl NoteSink) {
        self.fresh |= self.output.update();
        if block.frames == 0 {
            return;
        }
        self.lateness = self.lateness_of(valid_rate(block.sample_rate), out.latency());
        // Taken out, as it is needed beside the rest; what stands in for it has no memory of its own.
        let mut late = std::mem::take(&mut self.late);
        late.begin_block(self.lateness.any);
        let mut sink = EventSink::new(out, &mut late);
        let mut made = 0;
        while made < block.frames {
            sink.continue_at(made);
            let rest = Block { frames: block.frames - made, ..*block };
            made = made.saturating_add(self.make_stretch(&rest, &mut sink).max(1));
        }
        sink.end_block(block.frames);
        self.late = late;
    }

    fn lateness_of(&mut self, rate: f64, of_sound: u32) -> Lateness {
        let before = self.lateness;
        let delays = &self.output.output_buffer_mut().delays;
        let is_known = !self.fresh && before.rate == rate;
        let of_set = if is_known { before.of_set } else { delays.latency(rate) };
        Lateness { rate, latency: of_set.max(of_sound), of_set, any: !delays.is_empty() || of_sound > 0 }
    }

    /// By how many frames all is late, for the Set's delays: as much as the earliest track is early.
    pub fn latency(&mut self, sample_rate: f64) -> u32 {
        self.fresh |= self.output.update();
        self.output.output_buffer_mut().delays.latency(valid_rate(sample_rate))
    }

    /// Makes the next stretch of a block, and gives its length in frames.
    fn make_stretch<S: NoteSink>(&mut self, rest: &Block, sink: &mut EventSink<S>) -> Frame {
        let fresh = std::mem::take(&mut self.fresh);
        let PreparedSnapshot { settings, tracks, places, scenes, .. } = self.output.output_buffer_mut();
        let step = self.clock.step(rest, &clock_settings(settings.as_ref()), &self.clock_cell);
        let (span, running) = (step.span, step.playing);
        if S::HEARS_TRACKS {
            sink.send_position(span.begin, running);
        }
        let (notes, clips, courses) = (&mut self.notes, &mut self.audio_clips, &mut self.courses);

        notes.begin_block(&span);
        if !running || !matches!(step.change, ClockChange::None | ClockChange::Wrapped { .. }) {
            notes.end_all();
        }
        if !matches!(step.change, ClockChange::None | ClockChange::Stopped) {
            self.clock_changes = self.clock_changes.wrapping_add(1);
        }
        let (clock_changes, lateness) = (self.clock_changes, self.lateness);
        let mut walk = BlockWalk { tracks, places, scenes, span, clock_changes, lateness, clips, courses };
        walk.each_track(|player, launch, track| player.begin_block(launch, track, &span, step.change, running));
        if let ClockChange::Wrapped { from, .. } = step.change {
            walk.follow_loop(span.begin - from, notes);
        }
        if fresh {
            walk.recheck(notes);
        }
        if S::HEARS_TRACKS {
            walk.begin_clips(if running { Some(step.moved_by) } else { None }, sink);
        }
        if running {
            if S::HEARS_TRACKS {
                walk.courses.begin(walk.tracks, sink);
            }
            walk.run(notes, sink);
            walk.courses.end(walk.tracks, &walk.span, sink);
        } else {
            notes.release_due(0, sink);
            if S::HEARS_TRACKS {
                ClipCourses::stand(walk.tracks, &span, sink);
            }
        }
        if S::HEARS_TRACKS && running && settings.as_ref().is_some_and(|settings| settings.metronome) {
            tell_beats(&step, sink);
        }
        walk.each_track(|player, launch, _| player.finish(launch, &span, running));
        span.frames
    }

    /// Has chance drawn as by that seed: before the first block. Without it, it is 1.
    pub fn draw_from(&mut self, seed: u64) {
        // The first start of the clock counts too.
        self.clock_changes = seed.wrapping_sub(1);
    }

    /// The host stops calling `process` for a while. Its transport counts as standing until it calls again, so that
    /// what is launched meanwhile is not shown as playing.
    pub fn suspend(&mut self) {
        if self.clock.host_leads() {
            self.clock_cell.mark_stopped();
        }
    }

    /// Sends the offs of everything that sounds, at sample 0: for when the host stops calling `process`. Clips go on
    /// when it calls again; offs that `out` refuses are the next block's first events.
    pub fn silence(&mut self, out: &mut impl NoteSink) {
        self.late.forget_waiting();
        let sink = &mut EventSink::new(out, &mut self.late);
        self.notes.end_all();
        self.notes.release_due(0, sink);
        sink.end_held();
        self.audio_clips.keep(sink, |_| false);
    }
}

impl Lateness {
    /// Frames by which the MIDI of a track is late.
    fn of(self, delays: &DelaysOnTheWay) -> u32 {
        let late = i64::from(self.latency) + delays.frames(self.rate);
        // Never before it is made: the latency is what the earliest is early.
        u32::try_from(late).unwrap_or_default()
    }
}

fn clock_settings(settings: Option<&SongSettings>) -> ClockSettings {
    match settings {
        Some(SongSettings { song, transport, own_clock, .. }) => ClockSettings {
            tempo_bpm: song.tempo_bpm,
            meter: (song.signature.numerator.into(), song.signature.denominator.into()),
            own_clock: *own_clock,
            transport: *transport,
            song_loop: song_loop(song.loop_on, song.loop_start, song.loop_length),
        },
        None => ClockSettings {
            tempo_bpm: 0.0,
            meter: (0, 0),
            own_clock: false,
            transport: TransportOrder { number: 0, action: TransportAction::Stop },
            song_loop: None,
        },
    }
}

struct BlockWalk<'a> {
    tracks: &'a mut [PlayableTrack],
    places: &'a [(Serial, usize)],
    scenes: &'a Sequence<Scene>,
    span: BlockSpan,
    clock_changes: u64,
    lateness: Lateness,
    clips: &'a mut AudioClips,
    courses: &'a mut ClipCourses,
}

impl BlockWalk<'_> {
    fn each_track(&mut self, mut act: impl FnMut(&mut TrackPlayer, Option<&TrackLaunch>, Option<&Track>)) {
        for PlayableTrack { player, launch, track, .. } in self.tracks.iter_mut() {
            act(player, launch.as_ref(), track.as_deref());
        }
    }

    /// Visits the players at which something happens at `frame`.
    fn each_due(&mut self, frame: Frame, mut act: impl FnMut(&mut TrackPlayer, Option<&TrackLaunch>, Option<&Track>)) {
        self.each_track(|player, launch, track| {
            if player.next <= frame {
                act(player, launch, track);
            }
        });
    }

    /// The song's loop goes round: Session clips go on, what sounds of the Arrangement ends.
    fn follow_loop(&self, by: Beats, notes: &mut StartedNotes) {
        notes.follow_loop(&self.span, by, |track| {
            let index = place_of(self.places, track);
            index.and_then(|index| self.tracks.get(index)).is_some_and(|track| track.player.plays_session())
        });
    }

    /// Holds the audio clips that play against what is to play. `moved_by` is where the clock went, `None` where it
    /// stands.
    fn begin_clips<S: NoteSink>(&mut self, moved_by: Option<Beats>, sink: &mut EventSink<S>) {
        let Some(moved_by) = moved_by else { return self.clips.keep(sink, |_| false) };
        let places = self.places;
        self.clips.keep(sink, |track| place_of(places, track).is_some());
        self.clips.begin_stretch(moved_by);
        let BlockWalk { tracks, span, clips, .. } = self;
        for PlayableTrack { player, track, .. } in tracks.iter_mut().filter(|track| track.has_audio()) {
            let run = player.audio_run(track.as_deref(), span, 0);
            clips.follow(player.track, run, span, 0, sink);
        }
    }

    /// The same of the tracks at which something happens at `frame`.
    fn follow_clips<S: NoteSink>(&mut self, frame: Frame, sink: &mut EventSink<S>) {
        let BlockWalk { tracks, span, clips, .. } = self;
        let due = |track: &&mut PlayableTrack| track.player.next <= frame && track.has_audio();
        for PlayableTrack { player, track, .. } in tracks.iter_mut().filter(due) {
            let run = player.audio_run(track.as_deref(), span, frame);
            clips.follow(player.track, run, span, frame, sink);
        }
    }

    /// Holds what sounds against the new snapshot.
    fn recheck(&mut self, notes: &mut StartedNotes) {
        let (tracks, places) = (&mut *self.tracks, self.places);
        let mut ends_at = |pitch, note: &StartedNote, over_midi: bool| {
            let PlayableTrack { player, track, .. } = tracks.get_mut(place_of(places, note.track)?)?;
            let track = track.as_deref();
            if over_midi {
                player.midi_channel(track)?;
            }
            player.recheck(track, note, pitch)
        };
        notes.midi.recheck(&self.span, |key, note| ends_at(key.pitch(), note, true));
        notes.tracks.recheck(&self.span, |pitch, note| ends_at(pitch, note, false));
    }

    fn run<S: NoteSink>(&mut self, notes: &mut StartedNotes, sink: &mut EventSink<S>) {
        let mut earliest: Frame = 0;
        let mut waiting = notes.midi.any_waiting();
        while earliest < self.span.frames {
            let next = self.tracks.iter().fold(notes.next_end(), |next, track| next.min(track.player.next));
            let frame = if waiting { 0 } else { next.max(earliest) };
            if frame >= self.span.frames {
                break;
            }
            self.make_frame(frame, waiting, notes, sink);
            waiting = false;
            earliest = frame.saturating_add(1);
        }
    }

    fn make_frame<S: NoteSink>(
        &mut self,
        frame: Frame,
        waiting: bool,
        notes: &mut StartedNotes,
        sink: &mut EventSink<S>,
    ) {
        let span = self.span;
        notes.release_due(frame, sink);
        self.each_due(frame, |player, launch, track| {
            if player.act_at(launch, track, &span, frame) == FrameOutcome::Cut {
                notes.cut_track(player.track, frame, sink);
            }
        });
        if S::HEARS_TRACKS {
            self.follow_clips(frame, sink);
            self.courses.follow(self.tracks, &span, frame, sink);
        }
        // The same walk twice, with the same draws: first the offs that make room, then the ons.
        self.each_note(frame, |heard| {
            if let Some(key) = heard.key {
                notes.midi.make_room(key, frame, sink);
            }
        });
        if waiting {
            notes.midi.start_waiting(&span, sink);
        }
        self.each_note(frame, |heard| notes.start(heard, frame, &span, sink));
        self.each_due(frame, |player, _, track| player.advance(track, &span, frame));
    }

    /// Visits the notes that start at `frame` and won their draw.
    fn each_note(&mut self, frame: Frame, mut act: impl FnMut(HeardNote)) {
        let BlockWalk { tracks, scenes, span, clock_changes, lateness, .. } = self;
        let due = |track: &&mut PlayableTrack| track.player.next <= frame;
        for PlayableTrack { player, track, delays, place, .. } in tracks.iter_mut().filter(due) {
            let late = if lateness.any { lateness.of(delays) } else { 0 };
            let channel = player.midi_channel(track.as_deref());
            player.visit_notes(track.as_deref(), scenes, span, frame, |start| {
                let draw = Draw { clock_changes: *clock_changes, track: *place, ..start.draw };
                let pitch = start.note.note.pitch;
                if let Some(velocity) = velocity(&start.note.note, &draw)
                    && pitch <= HIGHEST_PITCH
                {
                    let key = channel.and_then(|channel| NoteKey::new(channel, pitch));
                    act(HeardNote { key, pitch, started: StartedNote { late, ..started(&start, velocity) } });
                }
            });
        }
    }
}

/// Whether a note sounds this time, and how hard, 0..=1.
fn velocity(note: &Note, draw: &Draw) -> Option<f32> {
    if note.mute || (note.probability < 1.0 && draw.unit(Purpose::Probability) >= note.probability) {
        return None;
    }
    let deviation =
        if note.velocity_deviation == 0.0 { 0.0 } else { note.velocity_deviation * draw.unit(Purpose::Deviation) };
    let velocity = note.velocity + deviation;
    let velocity = if velocity.is_nan() { 100.0 } else { velocity.clamp(1.0, 127.0) };
    Some((velocity / 127.0) as f32)
}

fn started(start: &NoteStart, velocity: f32) -> StartedNote {
    let NoteStart { note: stored, track, clip, on, cut, .. } = start;
    let note = &stored.note;
    // A length that is no number is none; `min` would prefer the other number and let the note sound to its cut.
    let off = if note.duration.is_nan() { *on } else { (on + note.duration).min(*cut) };
    StartedNote {
        track: *track,
        clip: *clip,
        note: stored.id,
        note_start: note.start,
        on: *on,
        off: if off.is_nan() { *on } else { off },
        velocity,
        release: (note.release_velocity.clamp(0.0, 127.0) / 127.0) as f32,
        late: 0,
    }
}

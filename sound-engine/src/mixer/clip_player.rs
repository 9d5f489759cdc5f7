//! Plays a track's audio clips: one at a time, with short edges where they begin, end, loop and change.

use super::clip_settings::{ClipSettings, Warp};
use crate::dsp::grain_reader::GrainReader;
use crate::dsp::math::{exp2, gain_of_db};
use crate::dsp::ramp::Ramp;
use crate::dsp::sinc_reader::{END_EDGE, SincReader};
use crate::dsp::span::{Bus, Span};

/// Seconds of the edges: of a launch short, so that hits stay sharp.
const LAUNCH_EDGE: f32 = 0.001;
const LOOP_EDGE: f32 = 0.003;
const STOP_EDGE: f32 = 0.004;
/// One plays, the others fade: launches and loops may come faster than edges end.
const HEADS: usize = 4;

#[derive(Clone, Copy)]
struct Head {
    clip: u64,
    /// The clip's time at the frame `anchor`, and how much of it passes for each frame.
    from: f64,
    anchor: u64,
    per_frame: f64,
    song: SongPlace,
    gain: Ramp,
    grains: GrainReader,
    alive: bool,
    ending: bool,
    /// It was entered at or past its loop's end: it plays on behind it, and never meets the loop.
    past: bool,
}

/// Where the song is, in quarter beats, at the frame `anchor`, and how much of it passes for each frame.
#[derive(Clone, Copy)]
struct SongPlace {
    beats: f64,
    anchor: u64,
    per_frame: f64,
}

impl SongPlace {
    #[inline]
    fn at(&self, frame: u64) -> f64 {
        self.beats + frame.saturating_sub(self.anchor) as f64 * self.per_frame
    }

    /// Goes on from a frame with another tempo.
    fn turned(self, frame: u64, per_frame: f64) -> SongPlace {
        match per_frame == self.per_frame {
            true => self,
            false => SongPlace { beats: self.at(frame), anchor: frame, per_frame },
        }
    }
}

impl Head {
    #[inline]
    fn time(&self, frame: u64) -> f64 {
        self.from + frame.saturating_sub(self.anchor) as f64 * self.per_frame
    }

    fn end(&mut self, seconds: f32, rate: f32) {
        if !self.ending {
            let value = self.gain.value();
            self.gain = Ramp::new(value, seconds, rate);
            self.gain.go(0.0);
            self.ending = true;
        }
    }
}

impl Head {
    /// Adds the span's frames from the bus's frame `offset` on.
    fn render(&mut self, clip: &ClipSettings, span: &Span, offset: usize, bus: &mut Bus, rate: f32) {
        let file_rate = f64::from(clip.sample.rate());
        let level = gain_of_db(clip.gain_db);
        let own_speed = f64::from(exp2(clip.semitones / 12.0)) * file_rate / f64::from(rate);
        let grain_reader = SincReader::steep_at_speed(own_speed);
        let edge = END_EDGE * rate;
        let beats_per_unit = match clip.warp {
            Warp::Off => self.song.per_frame * f64::from(rate),
            _ => 1.0,
        };
        let place = bus.left.iter_mut().zip(bus.right.iter_mut()).skip(offset).take(span.frames);
        for ((left, right), frame) in place.zip(span.start..) {
            let (seconds, slope) = clip.seconds_at(self.time(frame));
            let position = seconds * file_rate;
            let (l, r) = match &clip.warp {
                Warp::Grains(grains) => {
                    self.grains.next(&clip.sample, grains, position, own_speed, (&grain_reader, edge))
                }
                // A clip may be longer than its file: it stops where the file does.
                Warp::Off | Warp::Repitch => {
                    let speed = self.per_frame * slope * file_rate;
                    SincReader::steep_at_speed(speed).read_to_end(&clip.sample, position, f64::from(edge) * speed)
                }
            };
            let faded = clip.fades.as_ref().map_or(1.0, |fades| fades.gain(self.song.at(frame), beats_per_unit));
            let gain = self.gain.next_value() * level * faded;
            *left += l * gain;
            *right += r * gain;
        }
        if self.ending && !self.gain.is_moving() {
            self.alive = false;
        }
    }
}

/// What a track remembers of its audio clips.
pub struct ClipPlayer {
    heads: [Head; HEADS],
    rate: f32,
}

impl ClipPlayer {
    pub fn new(rate: f32) -> ClipPlayer {
        let head = Head {
            clip: 0,
            from: 0.0,
            anchor: 0,
            per_frame: 0.0,
            song: SongPlace { beats: 0.0, anchor: 0, per_frame: 0.0 },
            gain: Ramp::new(0.0, LAUNCH_EDGE, rate),
            grains: GrainReader::new(),
            alive: false,
            ending: false,
            past: false,
        };
        ClipPlayer { heads: [head; HEADS], rate }
    }

    pub fn is_silent(&self) -> bool {
        self.heads.iter().all(|head| !head.alive)
    }

    /// Plays a clip from a time of its own, with the song at `beats`, from the frame `now` on.
    pub fn start(&mut self, clip: &ClipSettings, (time, beats): (f64, f64), now: u64, tempo_bpm: f64) {
        self.stop();
        // A time that is no number is nowhere in the clip.
        if time.is_finite() {
            self.begin(clip, (time, beats), now, tempo_bpm, LAUNCH_EDGE);
        }
    }

    pub fn stop(&mut self) {
        let rate = self.rate;
        for head in self.heads.iter_mut().filter(|head| head.alive) {
            head.end(STOP_EDGE, rate);
        }
    }

    fn begin(&mut self, clip: &ClipSettings, (time, beats): (f64, f64), now: u64, tempo_bpm: f64, edge: f32) {
        let mut gain = Ramp::new(0.0, edge, self.rate);
        gain.go(1.0);
        let free = self.heads.iter().position(|head| !head.alive);
        let quietest = || {
            let heads = self.heads.iter().enumerate();
            heads.min_by(|a, b| a.1.gain.value().total_cmp(&b.1.gain.value())).map(|(index, _)| index)
        };
        if let Some(head) = free.or_else(quietest).and_then(|index| self.heads.get_mut(index)) {
            *head = Head {
                clip: clip.id,
                from: time,
                anchor: now,
                per_frame: per_frame(clip, tempo_bpm, self.rate),
                song: SongPlace { beats, anchor: now, per_frame: beats_per_frame(tempo_bpm, self.rate) },
                gain,
                grains: GrainReader::with_turn(clip.turn),
                alive: true,
                ending: false,
                past: clip.repeats.is_some_and(|region| time >= region.end),
            };
        }
    }

    /// Adds what the clips play. `clips` ascending by id; a clip that is not there any more ends at once.
    pub fn render(&mut self, clips: &[ClipSettings], span: &Span, tempo_bpm: f64, bus: &mut Bus) {
        let mut made = 0;
        while made < span.frames && !self.is_silent() {
            let rest = Span { start: span.start + made as u64, frames: span.frames - made };
            let until = self.turn(clips, &rest, tempo_bpm);
            for head in self.heads.iter_mut().filter(|head| head.alive) {
                match find(clips, head.clip) {
                    Some(clip) => head.render(clip, &Span { frames: until, ..rest }, made, bus, self.rate),
                    None => head.alive = false,
                }
            }
            made += until;
        }
    }

    /// Turns and ends the clips that do so at the span's first frame; gives the frames until the next one does.
    fn turn(&mut self, clips: &[ClipSettings], span: &Span, tempo_bpm: f64) -> usize {
        let (rate, mut until) = (self.rate, span.frames);
        let song_speed = beats_per_frame(tempo_bpm, rate);
        for head in self.heads.iter_mut().filter(|head| head.alive) {
            head.song = head.song.turned(span.start, song_speed);
        }
        for index in 0..HEADS {
            let Some(head) = self.heads.get_mut(index).filter(|head| head.alive && !head.ending) else { continue };
            let Some(clip) = find(clips, head.clip) else { continue };
            let speed = per_frame(clip, tempo_bpm, rate);
            if speed != head.per_frame {
                (head.from, head.anchor, head.per_frame) = (head.time(span.start), span.start, speed);
            }
            let end = clip.repeats.map_or(clip.end, |region| region.end);
            let time = head.time(span.start);
            head.past &= clip.repeats.is_some() && time >= end;
            if head.past {
                continue;
            }
            if time >= end {
                let beats = head.song.at(span.start);
                head.end(LOOP_EDGE, rate);
                if let Some(region) = clip.repeats.filter(|region| region.end > region.start) {
                    // Where the loop was made shorter meanwhile, as many rounds as fit have passed.
                    let rounds = ((time - region.end) / (region.end - region.start)).floor();
                    let again = time - region.end - rounds * (region.end - region.start) + region.start;
                    self.begin(clip, (again, beats), span.start, tempo_bpm, LOOP_EDGE);
                }
            }
            let Some(head) = self.heads.get(index) else { continue };
            let turn = (1..until).find(|frame| !head.ending && head.time(span.start + *frame as u64) >= end);
            until = turn.unwrap_or(until);
        }
        until
    }
}

fn find(clips: &[ClipSettings], id: u64) -> Option<&ClipSettings> {
    clips.binary_search_by_key(&id, |clip| clip.id).ok().and_then(|index| clips.get(index))
}

/// How much of a clip's time passes for each frame.
fn per_frame(clip: &ClipSettings, tempo_bpm: f64, rate: f32) -> f64 {
    match clip.warp {
        Warp::Off => f64::from(exp2(clip.semitones / 12.0)) / f64::from(rate),
        _ => beats_per_frame(tempo_bpm, rate),
    }
}

fn beats_per_frame(tempo_bpm: f64, rate: f32) -> f64 {
    tempo_bpm / 60.0 / f64::from(rate)
}

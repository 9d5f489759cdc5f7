use super::*;
use crate::playback::SongCourse;
use crate::set::document::Envelope;
use crate::sound::envelopes::table::tests::table_of;

const TRACK: Serial = 10;
const CLIP: Serial = 100;
/// A clip's beat in frames.
const BEAT: u32 = 24_000;

/// A fader that counts as the engine does, along these points.
fn table(points: &[(f64, f64, f64)]) -> EnvelopeTable {
    let points = points.iter().map(|(time, value, curve)| EnvelopePoint { time: *time, value: *value, curve: *curve });
    table_of(TRACK, &[(Source::Clip(CLIP), Envelope::new(1, points.collect()))])
}

/// The value that is heard at each of the frames, and `None` where nothing moves the parameter.
struct Heard {
    walker: EnvelopeWalker,
    now: u64,
    /// From, to, when, within.
    way: Option<(f32, f32, u64, u32)>,
    values: Vec<Option<f32>>,
    sent: usize,
}

impl Heard {
    fn new() -> Heard {
        Heard { walker: EnvelopeWalker::default(), now: 0, way: None, values: Vec::new(), sent: 0 }
    }

    fn value(&self, frame: u64) -> Option<f32> {
        let (from, to, begun, within) = self.way?;
        let passed = frame - begun;
        Some(if passed >= u64::from(within) { to } else { from + (to - from) * passed as f32 / within as f32 })
    }

    /// One block in which the clip's courses are told: frame, frames, clip, time.
    fn block(&mut self, table: &EnvelopeTable, frames: u32, courses: &[(u32, u32, Serial, f64)]) {
        self.walker.begin_block();
        for (sample, frames, clip, time) in courses {
            let per_frame = 1.0 / f64::from(BEAT);
            let (sample, frames, clip, time) = (*sample, *frames, *clip, *time);
            self.walker.course(table, &ClipCourse { sample, frames, track: TRACK, clip, time, per_frame });
        }
        self.hear(frames);
    }

    /// One block in which the track follows the Arrangement: frame, frames, the clip that plays, beats, whether the
    /// clock runs.
    fn arranged(&mut self, table: &EnvelopeTable, frames: u32, courses: &[(u32, u32, Option<Serial>, f64, bool)]) {
        self.walker.begin_block();
        for (sample, frames, over, beats, runs) in courses {
            let per_frame = if *runs { 1.0 / f64::from(BEAT) } else { 0.0 };
            let (sample, frames, over, beats) = (*sample, *frames, *over, *beats);
            if let Some(clip) = over {
                let course = ClipCourse { sample, frames, track: TRACK, clip, time: 0.0, per_frame };
                self.walker.course(table, &course);
            }
            self.walker.song_course(table, &SongCourse { sample, frames, track: TRACK, over, beats, per_frame });
        }
        self.hear(frames);
    }

    fn hear(&mut self, frames: u32) {
        self.walker.end_block(frames);
        let events = self.walker.events().to_vec();
        assert!(events.is_sorted_by_key(|event| event.frame));
        let mut events = events.into_iter().peekable();
        for frame in 0..frames {
            let now = self.now + u64::from(frame);
            while let Some(event) = events.next_if(|event| event.frame <= frame) {
                self.sent += 1;
                self.way = match event.kind {
                    EventKind::Parameter { value, frames, .. } => {
                        Some((self.value(now).unwrap_or(value), value, now, frames))
                    }
                    EventKind::FreeParameter { .. } => None,
                    other => panic!("{other:?}"),
                };
            }
            self.values.push(self.value(now));
        }
        for event in events {
            assert!(matches!(event.kind, EventKind::FreeParameter { .. }), "{event:?} lies behind the block");
            self.way = None;
        }
        self.now += u64::from(frames);
    }

    /// The clip plays on from `time` for so many frames, in blocks.
    fn play(&mut self, table: &EnvelopeTable, frames: u32, block: u32, time: f64) {
        let mut made = 0;
        while made < frames {
            let length = block.min(frames - made);
            self.block(table, length, &[(0, length, CLIP, time + f64::from(made) / f64::from(BEAT))]);
            made += length;
        }
    }
}

#[test]
fn a_line_is_followed_to_the_frame_whatever_the_blocks() {
    // Held before the first point, up, held, a step down, and held behind the last.
    let table = table(&[(1.0, 0.2, 0.0), (2.0, 0.8, 0.0), (3.0, 0.8, 0.0), (3.0, 0.1, 0.0)]);
    let at = |time: f64| match time {
        t if t < 1.0 => 0.2,
        t if t < 2.0 => 0.2 + 0.6 * (t - 1.0),
        t if t < 3.0 => 0.8,
        _ => 0.1,
    };
    let mut all = Vec::new();
    for block in [64, 1000, 4096] {
        let mut heard = Heard::new();
        heard.play(&table, 4 * BEAT, block, 0.0);
        for (frame, value) in heard.values.iter().enumerate() {
            let meant = at(frame as f64 / f64::from(BEAT)) as f32;
            assert!((value.unwrap() - meant).abs() < 2e-4, "{block}, frame {frame}: {value:?}, not {meant}");
        }
        assert!(heard.sent < 80, "{} events for a beat of slope", heard.sent);
        all.push(heard.values);
    }
    assert!(all[0] == all[1] && all[0] == all[2], "the block size changes nothing");
}

#[test]
fn a_bent_way_goes_slowly_first_or_last() {
    for (curve, is_below) in [(0.5, true), (-0.5, false), (1.0, true)] {
        let table = table(&[(0.0, 0.0, curve), (1.0, 1.0, 0.0)]);
        let mut heard = Heard::new();
        heard.play(&table, BEAT + 10, 512, 0.0);
        let (middle, end) = (heard.values[BEAT as usize / 2].unwrap(), heard.values[BEAT as usize].unwrap());
        assert_eq!((middle < 0.45, middle > 0.55, end), (is_below, !is_below, 1.0), "{curve}: {middle}");
        assert!(heard.values.is_sorted_by(|a, b| a <= b), "{curve}");
    }
}

#[test]
fn what_a_clip_moved_is_let_go_of_when_it_ends() {
    let table = table(&[(0.0, 0.5, 0.0), (4.0, 1.0, 0.0)]);
    let mut heard = Heard::new();
    heard.play(&table, 1000, 1000, 0.0);
    // It ends within the block; another clip that moves nothing takes over.
    heard.block(&table, 1000, &[(0, 300, CLIP, 1000.0 / f64::from(BEAT)), (300, 700, 7, 0.0)]);
    assert!(heard.values[..1300].iter().all(Option::is_some) && heard.values[1300..].iter().all(Option::is_none));
    // At a block's end, and while nothing plays.
    heard.play(&table, 512, 512, 0.0);
    heard.block(&table, 512, &[]);
    heard.block(&table, 512, &[]);
    assert!(heard.values[2000..2512].iter().all(Option::is_some) && heard.values[2512..].iter().all(Option::is_none));
    heard.play(&table, 64, 64, 0.0);
    heard.walker.begin_block();
    heard.walker.release_all();
    assert!(matches!(heard.walker.events(), [Event { frame: 0, kind: EventKind::FreeParameter { .. }, .. }]));
}

#[test]
fn a_loop_that_goes_round_begins_anew() {
    let table = table(&[(0.0, 0.0, 0.0), (1.0, 1.0, 0.0)]);
    let mut heard = Heard::new();
    heard.block(&table, BEAT, &[(0, BEAT / 2, CLIP, 0.0), (BEAT / 2, BEAT / 2, CLIP, 0.0)]);
    let half = BEAT as usize / 2;
    assert!((heard.values[half - 1].unwrap() - 0.5).abs() < 1e-3);
    assert_eq!(heard.values[half], Some(0.0));
}

/// What the Arrangement has on a fader, and what one of its clips has.
fn arranged_table() -> EnvelopeTable {
    let points = |points: &[(f64, f64)]| {
        points.iter().map(|(time, value)| EnvelopePoint { time: *time, value: *value, curve: 0.0 }).collect()
    };
    let song = Envelope::new(1, points(&[(0.0, 0.0), (4.0, 1.0)]));
    let clip = Envelope::new(1, points(&[(0.0, 0.9)]));
    table_of(TRACK, &[(Source::Arrangement, song), (Source::Clip(CLIP), clip)])
}

#[test]
fn the_arrangement_moves_where_no_clip_of_it_does() {
    let table = arranged_table();
    let beat = f64::from(BEAT);
    let mut all = Vec::new();
    for block in [100, 1000, 6000] {
        let mut heard = Heard::new();
        for made in (0..BEAT).step_by(block as usize) {
            let (at, length) = (f64::from(made) / beat, block.min(BEAT - made));
            heard.arranged(&table, length, &[(0, length, None, 1.0 + at, true)]);
        }
        for (frame, value) in heard.values.iter().enumerate() {
            let meant = 0.25 + 0.25 * frame as f64 / beat;
            assert!((f64::from(value.unwrap()) - meant).abs() < 2e-4, "frame {frame}: {value:?}, not {meant}");
        }
        // The clip's own counts while it plays; then the Arrangement's again, where it is by then.
        heard.arranged(&table, 1000, &[(0, 300, Some(CLIP), 2.0, true), (300, 700, None, 2.0 + 300.0 / beat, true)]);
        let from = BEAT as usize;
        assert!(heard.values[from..from + 300].iter().all(|value| *value == Some(0.9)));
        assert!((heard.values[from + 300].unwrap() - 0.503_125).abs() < 1e-4);
        // A loop goes back.
        heard.arranged(&table, 1000, &[(0, 1000, None, 0.0, true)]);
        assert_eq!(heard.values[from + 1000], Some(0.0));
        all.push(heard.values);
    }
    assert!(all[0] == all[1] && all[0] == all[2], "the block size changes nothing");
}

#[test]
fn what_the_arrangement_moved_stays_while_the_clock_stands() {
    let table = arranged_table();
    let mut heard = Heard::new();
    heard.arranged(&table, 1000, &[(0, 1000, None, 2.0, true)]);
    let stop = 2.0 + 1000.0 / f64::from(BEAT);
    for _ in 0..3 {
        heard.arranged(&table, 1000, &[(0, 1000, None, stop, false)]);
    }
    assert!(heard.values[1500..].iter().all(|value| (value.unwrap() - 0.51).abs() < 0.01), "it stays");
    // Taken over by the Session, or without a line any more, it is let go of.
    heard.block(&table, 100, &[]);
    assert_eq!(heard.values[4000..], [None; 100]);
    heard.arranged(&table, 100, &[(0, 100, None, 2.0, true)]);
    heard.arranged(&EnvelopeTable::default(), 100, &[(0, 100, None, 2.1, false)]);
    assert_eq!(heard.values[4200..], [None; 100]);
    // What was never moved is not moved by a clock that stands.
    heard.arranged(&table, 100, &[(0, 100, None, 2.0, false)]);
    assert_eq!(heard.values[4300..], [None; 100]);
}

#[test]
fn no_number_of_lines_needs_more_room() {
    let table = table(&[(0.0, 0.0, 0.0), (1000.0, 1.0, 0.0)]);
    let mut walker = EnvelopeWalker::default();
    let room = |walker: &EnvelopeWalker| (walker.moved.capacity(), walker.sent.0.capacity(), walker.events.capacity());
    let before = room(&walker);
    for time in 0..20 {
        walker.begin_block();
        for at in 0..40 {
            let time = f64::from(time * 40 + at);
            let course = ClipCourse { sample: 0, frames: 1000, track: TRACK, clip: CLIP, time, per_frame: 0.5 };
            walker.course(&table, &course);
        }
        walker.end_block(1000);
        assert_eq!(room(&walker), before);
    }
    walker.begin_block();
    walker.end_block(1000);
    assert_eq!(walker.events().len(), 1, "its end has its room");
}

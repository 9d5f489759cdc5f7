//! A small song for any host to play, a host's transport to play it with, and the events that must come of it.
//!
//! What is expected is worked out here from beats and tempos alone; nothing of it is the device's code.

use super::api::Api;
use serde_json::{Value, json};

pub const SAMPLE_RATE: f64 = 48_000.0;
/// The longest block.
pub const MAX_FRAMES: u32 = 1024;
/// Lengths of blocks, over and over: hosts change them as they like.
const FRAMES: [u32; 6] = [512, 64, 480, MAX_FRAMES, 1, 333];
const BEATS_PER_BAR: f64 = 4.0;

/// A note event at a sample, of its block or of the whole run. `velocity` is 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heard {
    pub sample: u64,
    pub on: bool,
    pub channel: u8,
    pub pitch: u8,
    pub velocity: f64,
}

/// One block as a host asks for it.
#[derive(Clone, Debug)]
pub struct Block {
    pub frames: u32,
    pub playing: bool,
    pub tempo_bpm: f64,
    pub position_beats: f64,
    /// 4/4.
    pub bar_start_beats: f64,
    /// The host's own notes, which the plugin passes through.
    pub notes: Vec<Heard>,
}

/// A host's audio thread.
pub trait AudioThread {
    /// Has the plugin process one block and gives the events it sent, in the order it sent them.
    fn process(&mut self, block: &Block) -> Vec<Heard>;

    /// What the plugin added to the audio that went through, since it was last asked: left and right.
    fn take_added(&mut self) -> [Vec<f32>; 2];

    /// What came out of the outputs of single tracks meanwhile, in order.
    fn take_tracks(&mut self) -> Vec<[Vec<f32>; 2]>;
}

/// Outputs of single tracks that the plugin has where a host asks for them.
pub const TRACK_OUTPUTS: usize = 16;

/// Keeps what came out of these outputs.
pub fn keep_tracks(kept: &mut Vec<[Vec<f32>; 2]>, outputs: &[[Vec<f32>; 2]]) {
    kept.resize(outputs.len(), Default::default());
    for (kept, output) in kept.iter_mut().flatten().zip(outputs.iter().flatten()) {
        assert!(output.iter().all(|value| value.is_finite()), "every sample is written");
        kept.extend(output);
    }
}

/// Keeps what comes out beyond what went in.
pub fn keep_added(kept: &mut [Vec<f32>; 2], input: &[Vec<f32>; 2], output: &[Vec<f32>; 2]) {
    for ((kept, input), output) in kept.iter_mut().zip(input).zip(output) {
        assert!(output.iter().all(|value| value.is_finite()), "every sample is written");
        kept.extend(output.iter().zip(input).map(|(came_out, went_in)| came_out - went_in));
    }
}

/// Audio for a host to send through: no two samples near each other are alike, and none is silent.
pub fn some_audio(channel: usize, frames: u32) -> Vec<f32> {
    (0..frames).map(|at| ((at * 37 + channel as u32 * 11) % 199 + 1) as f32 / 256.0).collect()
}

/// A DAW's transport, and all that was heard since it was made.
pub struct Daw<'a> {
    pub audio: &'a mut dyn AudioThread,
    tempo_bpm: f64,
    playing: bool,
    /// Samples since the DAW was made.
    pub sample: u64,
    pub beat: f64,
    /// That were processed.
    pub block_count: usize,
    /// Where playing went on with another tempo: sample, beat, tempo.
    tempos: Vec<(u64, f64, f64)>,
    pub heard: Vec<Heard>,
}

impl<'a> Daw<'a> {
    pub fn new(audio: &'a mut dyn AudioThread, tempo_bpm: f64) -> Daw<'a> {
        Daw {
            audio,
            tempo_bpm,
            playing: false,
            sample: 0,
            beat: 0.0,
            block_count: 0,
            tempos: Vec::new(),
            heard: Vec::new(),
        }
    }

    pub fn play(&mut self) {
        self.playing = true;
        self.set_tempo(self.tempo_bpm);
    }

    pub fn stop(&mut self) {
        self.playing = false;
    }

    pub fn set_tempo(&mut self, tempo_bpm: f64) {
        self.tempo_bpm = tempo_bpm;
        self.tempos.push((self.sample, self.beat, tempo_bpm));
    }

    /// Processes one block, with notes of the host's own at samples of the block.
    pub fn block_with(&mut self, notes: Vec<Heard>) {
        let frames = self.frames();
        let block = Block {
            frames,
            playing: self.playing,
            tempo_bpm: self.tempo_bpm,
            position_beats: self.beat,
            bar_start_beats: (self.beat / BEATS_PER_BAR).floor() * BEATS_PER_BAR,
            notes: notes.into_iter().filter(|note| note.sample < u64::from(frames)).collect(),
        };
        let events = self.audio.process(&block);
        assert!(events.iter().all(|event| event.sample < u64::from(frames)), "past the block's end: {events:?}");
        let in_order = |a: &Heard, b: &Heard| (a.sample, a.on) <= (b.sample, b.on) || !block.notes.is_empty();
        assert!(events.is_sorted_by(in_order), "in time order, offs before ons: {events:?}");
        self.heard.extend(events.iter().map(|event| Heard { sample: event.sample + self.sample, ..*event }));
        self.sample += u64::from(frames);
        self.block_count += 1;
        if self.playing {
            let (since, from, tempo_bpm) = self.tempos[self.tempos.len() - 1];
            self.beat = from + (self.sample - since) as f64 * beats_per_sample(tempo_bpm);
        }
    }

    /// The frames of the next block.
    pub fn frames(&self) -> u32 {
        FRAMES[self.block_count % FRAMES.len()]
    }

    pub fn blocks(&mut self, count: usize) {
        for _ in 0..count {
            self.block_with(Vec::new());
        }
    }

    /// Runs on until the transport is at this beat or just past it.
    pub fn run_to(&mut self, beat: f64) {
        while self.beat < beat {
            self.block_with(Vec::new());
        }
    }

    /// The sample on which a beat that was played falls: the nearest.
    pub fn sample_of(&self, beat: f64) -> u64 {
        let at = self.tempos.iter().rposition(|(_, from, _)| *from <= beat).expect("the beat was played");
        let (since, from, tempo_bpm) = self.tempos[at];
        let samples = (beat - from) / beats_per_sample(tempo_bpm);
        assert!((samples.fract() - 0.5).abs() > 0.01, "beat {beat} lies between two samples: test with another tempo");
        since + samples.round() as u64
    }
}

fn beats_per_sample(tempo_bpm: f64) -> f64 {
    tempo_bpm / 60.0 / SAMPLE_RATE
}

/// Pitch, start and length in quarter beats, velocity.
type SongNote = (u8, f64, f64, u8);

/// A looping clip.
pub struct SongClip {
    pub slot: &'static str,
    meter: &'static str,
    length: &'static str,
    length_beats: f64,
    pub notes: &'static [SongNote],
}

const THIRD: f64 = 1.0 / 3.0;

/// Four tracks: two that a new Set has, two that the song adds.
pub const BASS: SongClip = SongClip {
    slot: "t0/s0",
    meter: "4/4",
    length: "1bar",
    length_beats: 4.0,
    // The last note ends where the loop does, and the first one is the same pitch.
    notes: &[(36, 0.0, 0.5, 100), (43, 1.0, 1.0, 80), (36, 2.5, 1.5, 127)],
};
pub const TRIPLETS: SongClip = SongClip {
    slot: "t1/s0",
    meter: "3/4",
    length: "1bar",
    length_beats: 3.0,
    notes: &[
        (60, 0.0, THIRD, 64),
        (64, THIRD, THIRD, 65),
        (67, 2.0 * THIRD, THIRD, 66),
        (60, 2.0, 1.0, 1),
        (64, 2.0, 1.0, 90),
    ],
};
pub const DRUMS: SongClip = SongClip {
    slot: "t4/s0",
    meter: "4/4",
    length: "2bar",
    length_beats: 8.0,
    notes: &[
        (36, 0.0, 0.25, 120),
        (42, 0.25, 0.125, 50),
        (42, 0.5, 0.125, 60),
        (38, 1.0, 0.25, 110),
        (42, 1.75, 0.25, 40),
        (36, 4.0, 0.25, 119),
        (46, 6.5, 1.4, 99),
    ],
};
pub const PAD: SongClip = SongClip {
    slot: "t5/s0",
    meter: "4/4",
    length: "4bar",
    length_beats: 16.0,
    // The first lasts two bars over a tempo change, the last is cut by the loop's end.
    notes: &[(48, 0.0, 8.0, 70), (55, 8.0, 7.9, 71), (52, 15.0, 3.0, 72)],
};
/// In the second scene of the bass track.
pub const FILL: SongClip = SongClip {
    slot: "t0/s1",
    meter: "4/4",
    length: "1bar",
    length_beats: 4.0,
    notes: &[(40, 0.0, 3.9, 101), (41, 3.0, 0.5, 102)],
};
const CLIPS: [&SongClip; 5] = [&BASS, &TRIPLETS, &DRUMS, &PAD, &FILL];

/// The channels that tracks 0, 1, 4 and 5 get: each MIDI track the lowest free one.
const CHANNELS: [(&str, u8); 4] = [("t0", 0), ("t1", 1), ("t4", 2), ("t5", 3)];

/// A clip that plays from one beat of the transport to another.
pub struct Run {
    pub clip: &'static SongClip,
    pub from: f64,
    pub to: f64,
}

/// The events of clips that play, `to_sample` saying where a beat falls.
pub fn expected(runs: &[Run], to_sample: impl Fn(f64) -> u64) -> Vec<Heard> {
    let mut events = Vec::new();
    for Run { clip, from, to } in runs {
        let track = clip.slot.split('/').next().expect("a track");
        let (_, channel) = *CHANNELS.iter().find(|(name, _)| *name == track).expect("a track of the song");
        let passes = ((to - from) / clip.length_beats).ceil() as u32;
        for pass in 0..passes {
            let begin = from + f64::from(pass) * clip.length_beats;
            for &(pitch, start, length, velocity) in clip.notes {
                let on = begin + start;
                let off = (on + length).min(begin + clip.length_beats).min(*to);
                if on < *to {
                    let velocity = f64::from((f64::from(velocity) / 127.0) as f32);
                    events.push(Heard { sample: to_sample(on), on: true, channel, pitch, velocity });
                    events.push(Heard { sample: to_sample(off), on: false, channel, pitch, velocity: 0.0 });
                }
            }
        }
    }
    events
}

/// Events in an order that is theirs alone, without the velocities of offs, which nothing prescribes.
pub fn sorted(events: &[Heard]) -> Vec<Heard> {
    let velocity = |event: &Heard| if event.on { event.velocity } else { 0.0 };
    let mut events: Vec<Heard> = events.iter().map(|event| Heard { velocity: velocity(event), ..*event }).collect();
    events.sort_by_key(|event| (event.sample, event.on, event.channel, event.pitch));
    events
}

/// Fails at the first event that differs.
pub fn assert_heard(heard: &[Heard], wanted: &[Heard]) {
    let (heard, wanted) = (sorted(heard), sorted(wanted));
    let differs = (0..heard.len().max(wanted.len())).find(|&at| heard.get(at) != wanted.get(at));
    if let Some(at) = differs {
        let near = at.saturating_sub(3)..at + 4;
        let part = |events: &[Heard]| {
            events.iter().take(near.end).skip(near.start).map(|e| format!("\n  {e:?}")).collect::<String>()
        };
        panic!(
            "{} events, {} expected; around number {at}:{}\nexpected:{}",
            heard.len(),
            wanted.len(),
            part(&heard),
            part(&wanted)
        );
    }
}

/// Adds the song's tracks and clips to a new Set.
pub fn write(api: &mut Api) {
    let made = api.call("svc-create-track", json!({ "path": "t+,t+", "name": "Drums,Pad" }));
    assert_eq!(paths(&made), ["t4", "t5"], "{made}");
    for clip in CLIPS {
        let notes: Vec<Value> =
            clip.notes.iter().map(|(p, t, d, v)| json!({ "p": p, "t": t, "d": d, "v": v })).collect();
        api.call(
            "svc-create-clip",
            json!({ "path": clip.slot, "timeSignature": clip.meter, "length": clip.length, "notes": notes }),
        );
    }
}

fn paths(entries: &Value) -> Vec<&str> {
    entries.as_array().into_iter().flatten().filter_map(|entry| entry["path"].as_str()).collect()
}

/// Plays the song, which is written already, through a transport that stands, runs, changes its tempo and stops, with
/// launches before and while it runs; every event must be the right one at the right sample.
pub fn perform(audio: &mut dyn AudioThread, api: &mut Api) {
    let mut daw = Daw::new(audio, 120.0);
    daw.blocks(3);
    let armed = api.call("svc-playback", json!({ "action": "play-scene", "path": "s0" }));
    assert_eq!(armed["playing"], json!(false), "{armed}");
    assert!(armed["detail"].as_str().is_some_and(|text| text.contains("starts when the DAW")), "{armed}");
    daw.blocks(7);
    assert_eq!(daw.heard, [], "a transport that stands is silent");

    daw.play();
    daw.run_to(10.0);
    // In the middle of a note, of a triplet and of a bar.
    daw.set_tempo(97.0);
    daw.run_to(13.0);
    let fill = api.call("svc-playback", json!({ "action": "play-session-clips", "path": FILL.slot }));
    assert_eq!(fill["playing"], json!(true), "{fill}");
    daw.run_to(21.5);
    daw.set_tempo(163.7);
    let stop = api.call("svc-playback", json!({ "action": "stop-session-clips", "path": TRIPLETS.slot }));
    assert_eq!(stop["playing"], json!(true), "{stop}");
    daw.run_to(26.1);
    let own = Heard { sample: 0, on: true, channel: 9, pitch: 100, velocity: 0.5 };
    let own_off = Heard { sample: 0, on: false, velocity: 0.25, ..own };
    let own_at = daw.sample;
    daw.block_with(vec![own]);
    let own_off_at = daw.sample;
    daw.block_with(vec![own_off]);
    daw.run_to(32.5);
    let (end_beat, end_sample) = (daw.beat, daw.sample);
    daw.stop();
    daw.blocks(8);

    let runs = [
        Run { clip: &BASS, from: 0.0, to: 16.0 },
        Run { clip: &FILL, from: 16.0, to: end_beat },
        Run { clip: &TRIPLETS, from: 0.0, to: 24.0 },
        Run { clip: &DRUMS, from: 0.0, to: end_beat },
        Run { clip: &PAD, from: 0.0, to: end_beat },
    ];
    let mut wanted = expected(&runs, |beat| if beat == end_beat { end_sample } else { daw.sample_of(beat) });
    wanted.push(Heard { sample: own_at, ..own });
    wanted.push(Heard { sample: own_off_at, ..own_off });
    assert!(wanted.len() > 150, "the song is a song");
    assert_heard(&daw.heard, &wanted);
    assert_eq!(hung(&daw.heard), []);
}

/// The notes that were sent an on and no off.
pub fn hung(events: &[Heard]) -> Vec<(u8, u8)> {
    let mut open = Vec::new();
    for event in events {
        let key = (event.channel, event.pitch);
        open.retain(|other| *other != key);
        if event.on {
            open.push(key);
        }
    }
    open
}

//! Laws of note effects: what comes out, at which frame; and that whatever begins ends.

use super::*;
use crate::dsp::noise::Noise;
use crate::instruments::Note;

const RATE: f32 = 48_000.0;

fn clock(frame: u64, plays: bool) -> SongClock {
    // 120 beats a minute: 24,000 frames a beat.
    SongClock { frame, anchor_frame: 0, anchor_beat: 0.0, beats_per_frame: 1.0 / 24_000.0, plays, rate: RATE }
}

fn on(pitch: u8, velocity: u8) -> NoteAct {
    NoteAct::On(Note { id: u64::from(pitch), pitch, velocity: f32::from(velocity) / 127.0 })
}

fn off(pitch: u8) -> NoteAct {
    NoteAct::Off { id: u64::from(pitch), pitch }
}

/// Plays events through an effect up to a frame: what comes out, with its frames.
fn run(settings: NoteEffectSettings, events: &[(u64, NoteAct)], until: u64) -> Vec<(u64, NoteAct)> {
    run_changing(&[(0, settings)], events, until)
}

/// As [`run`], with settings from so many frames on.
fn run_changing(settings: &[(u64, NoteEffectSettings)], events: &[(u64, NoteAct)], until: u64) -> Vec<(u64, NoteAct)> {
    let mut state = NoteEffectState::new(&settings[0].1);
    let (mut out, mut now, mut next) = (Vec::new(), 0, 0);
    while now < until {
        let settings = settings.iter().rev().find(|(from, _)| *from <= now).expect("settings").1;
        while let Some((_, act)) = events.get(next).filter(|(frame, _)| *frame <= now) {
            state.note(&settings, *act, &clock(now, true), &mut |act| out.push((now, act)));
            next += 1;
        }
        state.advance(&settings, &clock(now, true), &mut |act| out.push((now, act)));
        let due = state.next_frame(&settings, &clock(now, true)).unwrap_or(until);
        assert!(due > now, "it is due again at {now}");
        now = due.min(events.get(next).map_or(until, |(frame, _)| *frame));
    }
    out
}

/// Begins as (frame, pitch, velocity).
fn begins(out: &[(u64, NoteAct)]) -> Vec<(u64, u8, u8)> {
    let begin = |(frame, act): &(u64, NoteAct)| match act {
        NoteAct::On(note) => Some((*frame, note.pitch, (note.velocity * 127.0).round() as u8)),
        _ => None,
    };
    out.iter().filter_map(begin).collect()
}

/// How long each note lasts, in the order of begins; `None`: for ever.
fn lengths(out: &[(u64, NoteAct)]) -> Vec<Option<u64>> {
    let length = |(index, (frame, act)): (usize, &(u64, NoteAct))| match act {
        NoteAct::On(note) => {
            let end = out[index..].iter().find(|(_, act)| *act == NoteAct::off(*note));
            Some(end.map(|(end, _)| end - frame))
        }
        _ => None,
    };
    out.iter().enumerate().filter_map(length).collect()
}

fn all() -> Vec<NoteEffectSettings> {
    let chord_note = |semitones| ChordNote { shift: Shift::Semitones(semitones), ..ChordNote::NONE };
    let mut notes = [ChordNote::NONE; 6];
    (notes[0], notes[1]) = (chord_note(4), chord_note(7));
    let arpeggiator = ArpeggiatorSettings::default();
    vec![
        NoteEffectSettings::Arpeggiator(arpeggiator),
        NoteEffectSettings::Arpeggiator(ArpeggiatorSettings {
            style: ArpeggioStyle::Random,
            rate: StepRate::Seconds(0.013),
            gate: 1.7,
            hold: true,
            transpositions: 3,
            ..arpeggiator
        }),
        NoteEffectSettings::Chord(ChordSettings { notes, strum_ms: 90.0, ..ChordSettings::default() }),
        NoteEffectSettings::NoteLength(NoteLengthSettings::default()),
        NoteEffectSettings::NoteLength(NoteLengthSettings {
            trigger: LengthTrigger::KeyDown { latch: true },
            ..NoteLengthSettings::default()
        }),
        NoteEffectSettings::NoteLength(NoteLengthSettings {
            trigger: LengthTrigger::KeyUp { decay_s: 2.0, key_scale: 0.3 },
            ..NoteLengthSettings::default()
        }),
        NoteEffectSettings::Pitch(PitchSettings { shift: Shift::Semitones(30), range: 90, ..PitchSettings::default() }),
        NoteEffectSettings::Random(RandomSettings { chance: 0.7, ..RandomSettings::default() }),
        NoteEffectSettings::Scale(ScaleSettings { map: [Some(0); 12], ..ScaleSettings::default() }),
        NoteEffectSettings::Velocity(VelocitySettings { random: 20.0, ..VelocitySettings::default() }),
    ]
}

#[test]
fn an_arpeggiator_steps_on_the_grid_of_the_song() {
    let arpeggiator = ArpeggiatorSettings::default();
    let chord =
        [(5, on(64, 100)), (5, on(60, 90)), (5, on(67, 80)), (60_000, off(64)), (60_000, off(60)), (60_000, off(67))];
    let of = |settings| run(NoteEffectSettings::Arpeggiator(settings), &chord, 120_000);
    let out = of(arpeggiator);
    assert_eq!(begins(&out), [(12_000, 60, 90), (24_000, 64, 100), (36_000, 67, 80), (48_000, 60, 90)]);
    assert_eq!(lengths(&out), vec![Some(6_000); 4]);
    // Two octaves; swing; free.
    let out = of(ArpeggiatorSettings { transpositions: 1, rate: StepRate::Beats(0.25), ..arpeggiator });
    let pitches: Vec<u8> = begins(&out).iter().map(|begin| begin.1).collect();
    assert_eq!(pitches, [60, 64, 67, 72, 76, 79, 60, 64, 67]);
    let out = of(ArpeggiatorSettings { swing: Swing::Eighths, ..arpeggiator });
    let frames: Vec<u64> = begins(&out).iter().map(|begin| begin.0).collect();
    assert_eq!(frames, [16_000, 24_000, 40_000, 48_000]);
    let out = of(ArpeggiatorSettings { rate: StepRate::Seconds(0.3), ..arpeggiator });
    let frames: Vec<u64> = begins(&out).iter().map(|begin| begin.0).collect();
    assert_eq!(frames, [5, 14_405, 28_805, 43_205, 57_605]);
    let out = of(ArpeggiatorSettings { style: ArpeggioStyle::PlayOrder, ..arpeggiator });
    let pitches: Vec<u8> = begins(&out).iter().map(|begin| begin.1).collect();
    assert_eq!(pitches, [64, 60, 67, 64]);
    let out = of(ArpeggiatorSettings { style: ArpeggioStyle::ChordTrigger, repeats: Some(2), ..arpeggiator });
    assert_eq!(begins(&out).len(), 6, "two passes of three");
    let run = VelocityRun { target: 0.0, seconds: 1.0, retrigger: false };
    let out = of(ArpeggiatorSettings { velocity: Some(run), ..arpeggiator });
    assert_eq!(begins(&out).iter().map(|begin| begin.2).collect::<Vec<_>>(), [68, 50, 20, 1]);
}

#[test]
fn held_keys_go_on_until_others_come() {
    let settings =
        NoteEffectSettings::Arpeggiator(ArpeggiatorSettings { hold: true, ..ArpeggiatorSettings::default() });
    let events = [(0, on(60, 100)), (100, off(60)), (30_000, on(72, 100)), (30_100, off(72))];
    let pitches: Vec<u8> = begins(&run(settings, &events, 60_000)).iter().map(|begin| begin.1).collect();
    assert_eq!(pitches, [60, 60, 60, 72, 72]);
}

#[test]
fn chords_are_strummed() {
    let part = |semitones, velocity| ChordNote { shift: Shift::Semitones(semitones), velocity, chance: 1.0 };
    let mut notes = [ChordNote::NONE; 6];
    (notes[0], notes[1]) = (part(7, 0.5), part(-12, 1.0));
    let chord = ChordSettings { notes, ..ChordSettings::default() };
    let events = [(10, on(60, 100)), (4_000, off(60))];
    let of = |settings| run(NoteEffectSettings::Chord(settings), &events, 48_000);
    assert_eq!(begins(&of(chord)), [(10, 48, 100), (10, 60, 100), (10, 67, 50)]);
    assert_eq!(lengths(&of(chord)), vec![Some(3_990); 3]);
    let down = begins(&of(ChordSettings { strum_ms: -20.0, ..chord }));
    assert_eq!(down, [(10, 67, 50), (490, 60, 100), (970, 48, 100)]);
    // The key is up before the last one was due.
    assert_eq!(begins(&of(ChordSettings { strum_ms: 100.0, ..chord })).len(), 2);
}

#[test]
fn notes_have_the_length_that_is_told() {
    let length =
        |trigger| NoteEffectSettings::NoteLength(NoteLengthSettings { trigger, ..NoteLengthSettings::default() });
    let events = [(0, on(60, 127)), (24_000, off(60)), (30_000, on(62, 100)), (30_010, off(62))];
    let down = run(length(LengthTrigger::KeyDown { latch: false }), &events, 96_000);
    assert_eq!((begins(&down), lengths(&down)), (vec![(0, 60, 127), (30_000, 62, 100)], vec![Some(4_800); 2]));
    let up = run(length(LengthTrigger::KeyUp { decay_s: 1.0, key_scale: 0.0 }), &events, 96_000);
    assert_eq!(begins(&up), [(24_000, 60, 64), (30_010, 62, 100)]);
    let latched = run(length(LengthTrigger::KeyDown { latch: true }), &events, 96_000);
    assert_eq!(lengths(&latched), [Some(30_000), None]);
}

#[test]
fn single_notes_become_what_is_told() {
    let shift = Shift::Semitones(7);
    let pitch = |outside| NoteEffectSettings::Pitch(PitchSettings { shift, lowest: 60, range: 10, outside });
    let mut white = ScaleSettings::default();
    for black in [1, 3, 6, 8, 10] {
        white.map[black] = None;
    }
    let velocity = VelocitySettings::default();
    let random = RandomSettings { chance: 1.0, choices: 3, interval: 12, in_turn: true, ..RandomSettings::default() };
    for (settings, notes, meant) in [
        (pitch(OutsideRange::Block), vec![50, 60, 64], vec![67]),
        (pitch(OutsideRange::Limit), vec![50, 60, 64], vec![60, 67, 70]),
        (pitch(OutsideRange::Fold), vec![50, 60, 64], vec![69, 67]),
        (NoteEffectSettings::Scale(white), vec![60, 61, 62], vec![60, 62]),
        (NoteEffectSettings::Random(random), vec![40, 40, 40, 40], vec![52, 64, 76, 52]),
    ] {
        let events: Vec<_> = notes
            .iter()
            .zip(0..)
            .flat_map(|(note, n)| [(n * 100, on(*note, 100)), (n * 100 + 50, off(*note))])
            .collect();
        let out = run(settings, &events, 1_000);
        assert_eq!(begins(&out).iter().map(|begin| begin.1).collect::<Vec<_>>(), meant, "{settings:?}");
        assert!(lengths(&out).iter().all(|length| *length == Some(50)));
    }
    for (settings, given, meant) in [
        (velocity, 1, Some(1)),
        (velocity, 77, Some(77)),
        (velocity, 127, Some(127)),
        (VelocitySettings { out_high: 20.0, out_low: 20.0, ..velocity }, 90, Some(20)),
        (VelocitySettings { mode: VelocityMode::Fixed, out_high: 99.0, ..velocity }, 3, Some(99)),
        (VelocitySettings { mode: VelocityMode::Gate, lowest: 50.0, range: 20.0, ..velocity }, 71, None),
        (VelocitySettings { lowest: 50.0, range: 20.0, ..velocity }, 60, Some(64)),
        (VelocitySettings { compand: 1.0, ..velocity }, 64, Some(64)),
    ] {
        let out = begins(&run(NoteEffectSettings::Velocity(settings), &[(0, on(60, given))], 10));
        assert_eq!(out.first().map(|begin| begin.2), meant, "{settings:?} of {given}");
    }
}

/// 3,000 keys, settings of other kinds of the same effect, keys that come twice: whatever begins ends.
#[test]
fn whatever_begins_ends() {
    for settings in all() {
        for seed in 0..20 {
            let mut dice = Noise::new(seed);
            let mut roll = |count: u64| ((0.5 + 0.49999 * dice.next_value()) * count as f32) as u64;
            let (mut events, mut now, mut held) = (Vec::new(), 0, Vec::new());
            for _ in 0..150 {
                now += roll(3_000);
                if roll(2) == 0 && !held.is_empty() {
                    let at = roll(held.len() as u64) as usize;
                    events.push((now, off(held.swap_remove(at))));
                } else {
                    let pitch = roll(128) as u8;
                    held.push(pitch);
                    events.push((now, on(pitch, 1 + roll(127) as u8)));
                }
            }
            now += 10;
            events.extend(held.iter().map(|pitch| (now, off(*pitch))));
            // Something that hold and latch have not, for the last quarter.
            let last = match settings {
                NoteEffectSettings::Arpeggiator(of) => {
                    NoteEffectSettings::Arpeggiator(ArpeggiatorSettings { hold: false, ..of })
                }
                NoteEffectSettings::NoteLength(_) => NoteEffectSettings::NoteLength(NoteLengthSettings::default()),
                NoteEffectSettings::Pitch(of) => {
                    NoteEffectSettings::Pitch(PitchSettings { shift: Shift::Semitones(-3), ..of })
                }
                other => other,
            };
            let out = run_changing(&[(0, settings), (now * 3 / 4, last)], &events, now + 200_000);
            // Of a pitch that begins again, the instrument ends the one before.
            let mut sounding: std::collections::BTreeMap<u8, u64> = std::collections::BTreeMap::new();
            for (_, act) in &out {
                match act {
                    NoteAct::On(note) => _ = sounding.insert(note.pitch, note.id),
                    NoteAct::Off { id, pitch } if sounding.get(pitch) == Some(id) => _ = sounding.remove(pitch),
                    _ => {}
                }
            }
            assert!(sounding.is_empty(), "{settings:?}, seed {seed}: {sounding:?} sound for ever");
            assert!(out.len() > 20);
        }
    }
}

use super::*;
use crate::music::scale;
use crate::notation::Place;
use proptest::prelude::*;

mod grammar;

fn note(pitch: u8, start: f64, duration: f64, velocity: f64) -> Note {
    Note { velocity, ..Note::new(pitch, start, duration) }
}

/// D3, F3, A3, D3 a quarter apart.
fn four() -> Vec<Note> {
    vec![note(62, 0.0, 1.0, 70.0), note(65, 1.0, 1.0, 80.0), note(69, 2.0, 1.0, 90.0), note(62, 3.0, 1.0, 100.0)]
}

fn in_meter(meter: &str) -> ClipContext {
    ClipContext { meter: meter.parse().unwrap(), ..ClipContext::default() }
}

fn apply_in(context: &ClipContext, text: &str, notes: Vec<Note>) -> Applied {
    let program = Program::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    program.check(ClipKind::Midi).unwrap_or_else(|e| panic!("{text}: {e}"));
    program.apply(notes, context, &mut Random::from_seed(1)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn apply(text: &str, notes: Vec<Note>) -> Applied {
    apply_in(&ClipContext::default(), text, notes)
}

fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

/// `pitch@start+duration v`
fn short(notes: &[Note]) -> String {
    let one = |n: &Note| format!("{}@{}+{} {}", n.pitch, round(n.start), round(n.duration), round(n.velocity));
    notes.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn list(values: impl Iterator<Item = f64>) -> String {
    values.map(|v| round(v).to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn changes_velocities() {
    for (text, velocities) in [
        ("", "70 80 90 100"),
        (" # nothing\n\n/* at\nall */ // here\r\n", "70 80 90 100"),
        ("D3: velocity += 12", "82 80 90 112"),
        ("d3: velocity += 12", "82 80 90 112"),
        ("velocity = 40 + note.index * 15", "40 55 70 85"),
        ("velocity = ramp(20, 120)", "20 45 70 95"),
        ("1|1-1|4: velocity = ramp(20, 110)", "20 50 80 110"),
        ("1|1-<1|4: velocity = ramp(20, 110)", "20 50 80 100"),
        ("velocity = curve(0, 100, 2) + 1", "1 7.25 26 57.25"),
        ("velocity = 70 + 30 * sin(1bar)", "70 100 70 40"),
        ("velocity = 70 + 30 * cos(1bar)", "100 70 40 70"),
        ("velocity = 70 + 30 * tri(n/1, 0.25)", "100 70 40 70"),
        ("velocity = 70 + 30 * tri(1bar)", "70 100 70 40"),
        ("velocity = 70 + 30 * saw(1bar)", "70 85 40 55"),
        ("velocity = 70 + 30 * square(1bar)", "100 100 40 40"),
        ("velocity = 70 + 30 * square(1bar, 0, 0.25)", "100 40 40 40"),
        ("velocity = 70 + 30 * square(-1bar)", "100 40 40 100"),
        ("velocity = 70 + 30 * sin(0, 0.25)", "100 100 100 100"),
        ("velocity = seq(100, 50)", "100 50 100 50"),
        ("velocity = clipseq(100, 50)", "100 100 100 100"),
        ("F3-A3: velocity = note.index + 1", "70 1 2 100"),
        ("velocity = note.count", "4 4 4 4"),
        ("D3: velocity = note.count", "2 80 90 2"),
        ("velocity = next.velocity", "80 90 100 100"),
        // The next note still has its value from before this line.
        ("velocity += next.velocity - note.velocity", "80 90 100 100"),
        ("velocity = clip.duration + clip.index + clip.count + clip.barDuration", "9 9 9 9"),
        ("v60-75", "60 60 60 60"),
        ("v75-60", "60 60 60 60"),
        ("v60-200", "60 60 60 60"),
        ("v+10\nv-5", "75 85 95 105"),
        ("v300", "127 127 127 127"),
        ("D3 : v1", "1 80 90 1"),
        ("D3 1|4: v1", "70 80 90 1"),
        ("D3: 1|4: v1", "70 80 90 1"),
        ("1|4 D3: v1", "70 80 90 1"),
        ("1|*: v1", "1 1 1 1"),
        ("2|*: v1", "70 80 90 100"),
        ("1|*-4|*: v1", "1 1 1 1"),
        ("1|2.5-2|1: v1", "70 80 1 1"),
        ("1|1+n/4: v1", "70 1 90 100"),
        ("2|1-n/4: v1", "70 80 90 1"),
        ("1|5-3|1: v1", "70 80 90 100"),
        ("where(note.velocity >= 80 && note.pitch < A3): v1", "70 1 90 1"),
        ("where(note.velocity > 80 || note.pitch == D3): v1", "1 80 1 1"),
        ("where(!note.velocity > 80): v1", "1 1 90 100"),
        ("where(!(note.velocity > 80) && !!(note.start != 0)): v1", "70 1 90 100"),
        ("where((note.velocity + 1) * 2 > 180): v1", "70 80 1 1"),
        ("where((note.velocity > 80)): v1", "70 80 1 1"),
        ("D3 where(note.velocity <= 70): v1", "1 80 90 100"),
        ("where(note.start % 2 == 0) D3: v1", "1 80 90 100"),
        ("where(snap(note.pitch) > 64): v1", "70 1 1 100"),
        ("velocity = 7 % 5 + -7 % 5 + 10", "15 15 15 15"),
        ("velocity = 7 % -5 + 10", "7 7 7 7"),
        ("velocity = 1 / 0 + 5 % 0 + 3", "3 3 3 3"),
        ("velocity = 10 - 4 - 3 + 12 / 3 / 2", "5 5 5 5"),
        ("velocity /= 0\nvelocity += 5", "5 5 5 5"),
        ("velocity *= 0.5", "35 40 45 50"),
        ("velocity = round(2.5) + round(-2.5) + floor(1.7) + ceil(1.2) + abs(-3)", "7 7 7 7"),
        ("velocity = clamp(200, 90, 10) + min(5, 3, 4) + max(1, 2)", "95 95 95 95"),
        ("velocity = pow(2, 5) + wrap(73, 62, 71) + reflect(7, 0, 5)", "98 98 98 98"),
        ("velocity = wrap(5, 3, 3) + reflect(9, 4, 4) + wrap(73, 71, 62)", "70 70 70 70"),
        // Driven below 0 and raised again: only the end counts.
        ("v-200\nv+250", "120 127 127 127"),
        ("velocity = 0.5", "1 1 1 1"),
        ("velocity = .5 + 5. * (2)", "10.5 10.5 10.5 10.5"),
        ("D3: delete\nv50", "50 50 50 50"),
        ("velocity = 2bar + n2bar + 1bars + n/8t * 3 + n1.5/4 + n/4d", "24 24 24 24"),
    ] {
        let applied = apply(text, four());
        assert_eq!(list(applied.notes.iter().map(|n| n.velocity)), velocities, "{text}");
    }
    assert_eq!(list(apply("v60-75", four()).notes.iter().map(|n| n.velocity_deviation)), "15 15 15 15");
    let chance = |text| list(apply(text, four()).notes.iter().map(|n| n.probability));
    assert_eq!(
        [chance("p.5"), chance("p-0.25\np0.1"), chance("D3: p-.25\np+2"), chance("probability = 9")],
        ["0.5 0.5 0.5 0.5", "0.1 0.1 0.1 0.1", "1 1 1 1", "1 1 1 1"]
    );
    let deviations = |text| list(apply(text, four()).notes.iter().map(|n| n.velocity_deviation));
    assert_eq!(
        [deviations("deviation = -300"), deviations("deviation += note.index")],
        ["-127 -127 -127 -127", "0 1 2 3"]
    );
}

#[test]
fn changes_pitches() {
    for (text, pitches) in [
        ("pitch = wrap(note.pitch + 4, D3, B3)", "66 69 63 66"),
        ("pitch = reflect(note.pitch + 9, D3, B3)", "71 68 64 71"),
        ("C3", "60 60 60 60"),
        ("D3: C4", "72 65 69 72"),
        ("pitch += 0.5", "63 66 70 63"),
        ("pitch -= 0.5", "62 65 69 62"),
        ("pitch += 1000", "127 127 127 127"),
        ("pitch -= 1000", "0 0 0 0"),
        ("pitch = GB3", "66 66 66 66"),
        ("pitch = step(note.pitch, 2)", "64 67 71 64"),
        ("pitch = snap(note.pitch)", "62 65 69 62"),
    ] {
        assert_eq!(list(apply(text, four()).notes.iter().map(|n| f64::from(n.pitch))), pitches, "{text}");
    }
    let d_major = ClipContext { scale: Some(scale::parse("D Major").unwrap()), ..ClipContext::default() };
    for (text, before, after) in [
        ("pitch = snap(note.pitch)", [61, 66], [61, 66]),
        ("pitch = step(note.pitch, 2)", [62, 66], [66, 69]),
        ("pitch = step(note.pitch, -1)", [62, 66], [61, 64]),
        // 60 and 65 lie between two pitches of the scale: the higher one.
        ("pitch = snap(note.pitch)", [60, 65], [61, 66]),
        ("pitch = step(note.pitch, 500)", [62, 66], [127, 127]),
        ("pitch = step(note.pitch, -500)", [62, 66], [1, 1]),
    ] {
        let notes = vec![note(before[0], 0.0, 1.0, 90.0), note(before[1], 1.0, 1.0, 90.0)];
        let found: Vec<u8> = apply_in(&d_major, text, notes).notes.iter().map(|n| n.pitch).collect();
        assert_eq!(found, after, "{text}");
    }
}

#[test]
fn changes_times() {
    for (meter, text, notes, after) in [
        ("4/4", "timing = swing(0.08, n/4)", four(), "62@0+1 70, 65@1.08+1 80, 69@2+1 90, 62@3.08+1 100"),
        ("4/4", "timing = swing(-0.1, n/4)", four(), "62@0+1 70, 65@0.9+1 80, 69@2+1 90, 62@2.9+1 100"),
        ("4/4", "timing = swing(0.05)", vec![note(60, 0.52, 0.5, 9.0)], "60@0.55+0.5 9"),
        ("4/4", "timing = swing(0.05, n/8, raw)", vec![note(60, 0.52, 0.5, 9.0)], "60@0.57+0.5 9"),
        ("4/4", "timing = swing(0.05)", vec![note(60, -0.5, 0.5, 9.0)], "60@-0.45+0.5 9"),
        ("4/4", "timing = quant(n/8)", vec![note(60, 0.25, 1.0, 9.0)], "60@0.5+1 9"),
        ("4/4", "1|2-1|3: duration = n/8", four(), "62@0+1 70, 65@1+0.5 80, 69@2+0.5 90, 62@3+1 100"),
        ("4/4", "1|2-<1|3: n/8", four(), "62@0+1 70, 65@1+0.5 80, 69@2+1 90, 62@3+1 100"),
        ("4/4", "timing *= 2", four(), "62@0+1 70, 65@2+1 80, 69@4+1 90, 62@6+1 100"),
        ("4/4", "timing = 3 - note.start", four(), "62@0+1 100, 69@1+1 90, 65@2+1 80, 62@3+1 70"),
        ("4/4", "duration = legato()", four()[1..].to_vec(), "65@1+1 80, 69@2+1 90, 62@3+1 100"),
        (
            "4/4",
            "duration = legato()",
            vec![note(60, 0.0, 0.1, 9.0), note(64, 0.0, 0.1, 9.0), note(60, 1.5, 0.1, 9.0)],
            "60@0+1.5 9, 64@0+1.5 9, 60@1.5+2.5 9",
        ),
        (
            "4/4",
            "duration = legato(0.2)",
            vec![note(60, 0.0, 0.1, 9.0), note(64, 0.1, 0.1, 9.0), note(60, 1.0, 0.1, 9.0)],
            "60@0+1 9, 64@0.1+0.9 9, 60@1+3 9",
        ),
        ("6/8", "timing += 1", vec![note(60, 0.0, 0.5, 9.0), note(62, 1.5, 0.5, 9.0)], "60@0.5+0.5 9, 62@2+0.5 9"),
        ("6/8", "duration = n/4", vec![note(60, 0.0, 0.5, 9.0)], "60@0+1 9"),
        (
            "6/8",
            "1|4: duration = 1bar",
            vec![note(60, 1.0, 0.5, 9.0), note(62, 1.5, 0.5, 9.0)],
            "60@1+0.5 9, 62@1.5+3 9",
        ),
        ("6/8", "1bar-n/8", vec![note(60, 1.0, 0.5, 9.0)], "60@1+2.5 9"),
        ("4/4", "D3: duration = 0", four(), "65@1+1 80, 69@2+1 90"),
        ("4/4", "timing = 1|1", vec![], ""),
    ] {
        if notes.is_empty() {
            assert!(Program::parse(text).is_err());
            continue;
        }
        assert_eq!(short(&apply_in(&in_meter(meter), text, notes).notes), after, "{meter} {text}");
    }
}

#[test]
fn changes_the_number_of_notes() {
    for (text, after, warnings) in [
        (
            "D3: repeat(n/8, 2)",
            "62@0+1 70, 62@0.5+1 70, 62@1+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100, 62@3.5+1 100, 62@4+1 100",
            0,
        ),
        ("F3: repeat(1bar)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100, 65@5+1 80", 0),
        ("merge()", "62@0+4 70, 65@1+1 80, 69@2+1 90", 0),
        ("merge(0)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100", 0),
        ("D3: duration = 2.5\nmerge(n/8)", "62@0+5.5 70, 65@1+1 80, 69@2+1 90", 0),
        ("D3: duration = 2.5\nmerge(n/16)", "62@0+2.5 70, 65@1+1 80, 69@2+1 90, 62@3+2.5 100", 0),
        (
            "split(1|1.5, 1|3+n/16)",
            "62@0+0.5 70, 62@0.5+0.5 70, 65@1+1 80, 69@2+0.25 90, 69@2.25+0.75 90, 62@3+1 100",
            1,
        ),
        ("D3: split(1|1, 1|1.5, 1|1.5, sync)", "62@0+0.5 70, 62@0.5+0.5 70, 65@1+1 80, 69@2+1 90, 62@3+1 100", 2),
        (
            "D3: ratchet(2)\nvelocity -= note.index * 10",
            "62@0+0.5 70, 62@0.5+0.5 60, 65@1+1 60, 69@2+1 60, 62@3+0.5 60, 62@3.5+0.5 50",
            0,
        ),
        (
            "F3: ratchet(n/16)",
            "62@0+1 70, 65@1+0.25 80, 65@1.25+0.25 80, 65@1.5+0.25 80, 65@1.75+0.25 80, 69@2+1 90, 62@3+1 100",
            0,
        ),
        ("F3: timing += 0.9\nF3: ratchet(n/4)", "62@0+1 70, 65@1.9+0.1 80, 65@2+0.9 80, 69@2+1 90, 62@3+1 100", 0),
        ("F3: ratchet(2bar)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100", 1),
        // n/4 * 2 is the number 2 here.
        ("F3: ratchet(n/4 * 2)", "62@0+1 70, 65@1+0.5 80, 65@1.5+0.5 80, 69@2+1 90, 62@3+1 100", 0),
        ("ratchet(note.velocity)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100", 1),
        ("ratchet(clip.index + 1)\nv+1", "62@0+1 71, 65@1+1 81, 69@2+1 91, 62@3+1 101", 1),
        ("where(note.velocity >= 80 && note.pitch < A3): delete", "62@0+1 70, 69@2+1 90", 0),
        ("v0", "", 0),
    ] {
        let applied = apply(text, four());
        assert_eq!(short(&applied.notes), after, "{text}");
        assert_eq!(applied.warnings.len(), warnings, "{text}: {:?}", applied.warnings);
    }
    let many = apply("F3: ratchet(100)\nA3: repeat(n/64, 100)", four());
    assert_eq!((many.notes.len(), many.warnings.len()), (2 + 64 + 65, 2), "{:?}", many.warnings);
    let grid = apply("F3: ratchet(n/1024)", four());
    assert_eq!((grid.notes.len(), grid.warnings.len()), (3 + 64, 1));
    assert!(grid.notes.iter().any(|n| n.pitch == 65 && (n.start + n.duration - 2.0).abs() < 1e-9));
}

#[test]
fn counts_what_came_of_the_notes() {
    for (text, transformed, deleted, duplicates) in [
        ("D3: v+1", 2, 0, 0),
        ("v+0", 0, 0, 0),
        ("velocity = note.velocity + 0.0000001", 0, 0, 0),
        ("G7: v1", 0, 0, 0),
        ("D3: delete", 0, 2, 0),
        ("D3: ratchet(2)", 4, 0, 0),
        ("D3: repeat(n/8)", 2, 0, 0),
        ("merge()", 1, 1, 0),
        ("timing = 0\nD3", 4 - 3, 3, 3),
        // The order of the list counts, and moving does not sort it again.
        ("F3: timing = 3.0004\nF3: D3", 0, 1, 1),
    ] {
        let applied = apply(text, four());
        assert_eq!(
            (applied.transformed, applied.deleted, applied.duplicates),
            (transformed, deleted, duplicates),
            "{text}"
        );
    }
    // Runs before and after written notes count against each note's first state.
    let (context, random) = (ClipContext::default(), &mut Random::from_seed(1));
    let mut run = Run::new(four());
    run.apply(&Program::parse("v+10\nA3: delete").unwrap(), &context, random).unwrap();
    let mut notes = run.notes();
    notes.retain(|n| n.pitch != 65);
    notes.push(note(40, 5.0, 1.0, 90.0));
    run.rewrite(notes);
    run.apply(&Program::parse("D3: v-10\nE1: v+1").unwrap(), &context, random).unwrap();
    let applied = run.finish();
    // D3 twice is as it was; A3 is deleted; F3 went with the text; E1 was written, then changed.
    assert_eq!((applied.notes.len(), applied.transformed, applied.deleted), (3, 1, 1), "{applied:?}");
}

#[test]
fn reports_what_had_no_effect() {
    let one = |text| apply(text, four()).warnings;
    for (text, wants) in [
        ("gain = 3\nv1", vec!["line 1: gain"]),
        ("velocity = next.pitch", vec!["line 1: the last selected note"]),
        ("velocity = sin(1bar, sync) + clip.position + 50", vec!["sync", "clip.position"]),
        ("velocity = audio.gain", vec!["line 1: audio values"]),
        ("velocity = pow(0 - note.start, 0.5)", vec!["finite"]),
        ("timing = quant(note.start - note.start)", vec!["grid of quant"]),
        ("timing = swing(note.velocity)", vec!["amount of swing"]),
        ("velocity = curve(1, 2, note.start)", vec!["exponent"]),
        ("timing = 999999999999", vec!["beyond"]),
        ("D3: duration = 0 - 1", vec!["2 notes were deleted"]),
        ("1|1-2|4: velocity = ramp(1, 100)", vec!["ramp stops short"]),
        ("1|1-2|1: velocity = ramp(1, 100)", vec![]),
        ("repeat(n/4, clip.index)", vec!["repeat needs"]),
        ("where(pow(0 - note.start, 0.5) > 0): v1", vec!["left out"]),
    ] {
        let found = one(text);
        assert_eq!(found.len(), wants.len(), "{text}: {found:?}");
        for (found, want) in found.iter().zip(wants) {
            assert!(found.contains(want), "{text}: {found}");
        }
    }
    assert!(apply("gain = 3\n# nothing\npitchShift += 1", four()).all_ignored);
    assert!(!apply("gain = 3\nv+0", four()).all_ignored);
    let none = apply("v+1", vec![]);
    assert!(none.warnings[0].contains("no notes") && !none.all_ignored);
    let no_end = ClipContext { end: Some(2.0), ..ClipContext::default() };
    let kept = apply_in(&no_end, "duration = legato()", four());
    assert_eq!((kept.notes[3].duration, kept.warnings.len()), (1.0, 1));
}

#[test]
fn knows_the_arrangement() {
    let arranged = ClipContext {
        arrangement_position: Some(10.0),
        start_marker: 1.0,
        duration: 8.0,
        index: 3,
        count: 5,
        ..ClipContext::default()
    };
    let velocities = |text| list(apply_in(&arranged, text, four()).notes.iter().map(|n| n.velocity));
    // Starts 0..3 are 9..12 in the arrangement.
    assert_eq!(velocities("velocity = 70 + 30 * sin(1bar, sync)"), "100 70 40 70");
    assert_eq!(
        velocities("velocity = clip.position + clip.duration * 2 + clip.index * 10 + clip.count"),
        "61 61 61 61"
    );
    assert_eq!(velocities("velocity = clipseq(1, 2, 3)"), "1 1 1 1");
    // Bar 3, beat 4 and a half of the song is 10.5, which is 1.5 in the clip.
    let split = apply_in(&arranged, "split(3|3.5, sync)", four());
    assert_eq!(short(&split.notes[1..3]), "65@1+0.5 80, 65@1.5+0.5 80");
}

#[test]
fn draws_from_the_seed() {
    let draw = |text: &str, seed| {
        let program = Program::parse(text).unwrap();
        let notes = (0..200).map(|i| note(60, f64::from(i), 1.0, 64.0)).collect();
        program.apply(notes, &ClipContext::default(), &mut Random::from_seed(seed)).unwrap().notes
    };
    let text = "velocity = 64 + 30 * rand()";
    assert_eq!(draw(text, 1), draw(text, 1));
    assert_ne!(draw(text, 1), draw(text, 2));
    for (text, low, high) in [
        (text, 34.0, 94.0),
        ("velocity = rand(50, 60)", 50.0, 60.0),
        ("velocity = random(60, 50)", 50.0, 60.0),
        ("velocity = 1 + rand(9)", 1.0, 10.0),
        ("velocity = choose(5, 9, 7)", 5.0, 9.0),
    ] {
        let found: Vec<f64> = draw(text, 3).iter().map(|n| n.velocity).collect();
        let (min, max) = (found.iter().copied().fold(999.0, f64::min), found.iter().copied().fold(0.0, f64::max));
        assert!(min >= low && max <= high && min < low + 1.0 && max > high - 1.0, "{text}: {min} {max}");
    }
    let mut chosen: Vec<f64> = draw("velocity = choose(5, 9, 7)", 3).iter().map(|n| n.velocity).collect();
    chosen.sort_by(f64::total_cmp);
    chosen.dedup();
    assert_eq!(chosen, [5.0, 7.0, 9.0]);
}

#[test]
fn changes_audio_clips() {
    let before = AudioParameters { gain_db: -9.0, pitch_shift_semitones: 1.0 };
    let context = ClipContext { index: 1, count: 2, ..ClipContext::default() };
    for (text, gain_db, pitch_shift_semitones, warnings, all_ignored) in [
        ("gain *= 0.5\npitchShift = clip.index - 3", -4.5, -2.0, 0, false),
        ("gain = 100\ngain -= 80\npitchShift = -99", 20.0, -48.0, 0, false),
        ("gain = ramp(-3, 5) + audio.pitchShift", -2.0, 1.0, 0, false),
        ("gain = seq(-1, -2)", -2.0, 1.0, 0, false),
        ("gain = sin(1bar, 0.25) * 6", 6.0, 1.0, 0, false),
        ("C3: gain = 1", 1.0, 1.0, 1, false),
        ("v+1\nratchet(2)", -9.0, 1.0, 2, true),
        ("gain = note.velocity", -9.0, 1.0, 1, false),
        ("", -9.0, 1.0, 0, false),
    ] {
        let program = Program::parse(text).unwrap();
        let applied = program.apply_audio(before, &context, &mut Random::from_seed(1));
        let after = AudioParameters { gain_db, pitch_shift_semitones };
        assert_eq!((applied.parameters, applied.all_ignored), (after, all_ignored), "{text}");
        assert_eq!(applied.warnings.len(), warnings, "{text}: {:?}", applied.warnings);
    }
}

#[test]
fn refuses_what_is_too_much() {
    let notes: Vec<Note> = (0..2000).map(|i| note(60, f64::from(i), 1.0, 64.0)).collect();
    let run = |text: &str| {
        Program::parse(text)
            .unwrap()
            .apply(notes.clone(), &ClipContext::default(), &mut Random::from_seed(1))
            .map(|a| a.notes.len())
    };
    assert_eq!(run("ratchet(50)"), Ok(100_000));
    assert_eq!(run("ratchet(51)"), Err(NotationErrors::TooManyTransformed));
    assert_eq!(run("repeat(n/512, 60)"), Err(NotationErrors::TooManyTransformed));
    assert_eq!(run("ratchet(40)\nratchet(40)"), Err(NotationErrors::TooManyTransformed));
    assert_eq!(run(&format!("velocity = 1{}", "+1".repeat(60_000))), Err(NotationErrors::TooMuchWork));
    assert!(matches!(Program::parse(&" ".repeat(MAX_TEXT_BYTES + 1)), Err(NotationErrors::TextTooLong { .. })));
}

#[test]
fn no_depth_overflows_the_stack() {
    let deep = 100_000;
    let nested = format!("velocity = {}5{}", "abs(".repeat(deep), ")".repeat(deep));
    assert_eq!(apply(&nested, four()).notes[0].velocity, 5.0);
    let groups = format!("where({}note.velocity > 0{}): v9", "!(".repeat(deep), ")".repeat(deep));
    assert_eq!(apply(&groups, four()).notes[0].velocity, 9.0);
    for open in ["velocity = (", "velocity = abs(", "where(", "where(!(", "velocity = min(1,", "/*", "C3:", "split("] {
        assert!(Program::parse(&open.repeat(deep / 2)).is_err(), "{open}");
        assert!(Program::parse(&format!("velocity = {}", open.repeat(deep / 2))).is_err(), "{open}");
    }
}

fn any_note() -> impl Strategy<Value = Note> {
    (0..=127u8, -8.0..64.0f64, 0.01..8.0f64, 1.0..=127.0f64).prop_map(|(p, s, d, v)| note(p, s, d, v))
}

fn any_line() -> impl Strategy<Value = String> {
    let selector = prop::sample::select(vec![
        "",
        "",
        "C1-C5: ",
        "1|1-5|1: ",
        "2|*: ",
        "where(note.velocity > 60): ",
        "E3-G4 1|1-<9|1: ",
        "where(note.start % 2 < 1): ",
    ]);
    let body = prop::sample::select(vec![
        "velocity += 20 * rand()",
        "velocity = ramp(-50, 200)",
        "pitch += rand(-90, 90)",
        "pitch = step(note.pitch, 3)",
        "timing += rand(-4, 4)",
        "timing = swing(0.1)",
        "timing *= 3",
        "duration = legato()",
        "duration -= 1",
        "duration = next.start - note.start",
        "probability += rand()",
        "deviation = 300 * rand()",
        "delete",
        "v40-90",
        "ratchet(3)",
        "ratchet(n/16)",
        "repeat(n/8, 2)",
        "merge()",
        "merge(n/4)",
        "split(1|2, 3|1.5)",
        "pitch = pow(note.pitch, 9)",
        "timing = 1 / note.start",
        "duration = 99999999999 * note.velocity",
        "gain = 4",
        "velocity = curve(0, 127, note.velocity / 50)",
        "pitch = wrap(note.pitch, next.pitch, C3)",
        "p-0.3",
        "2bar-n/8",
    ]);
    // A selector with a condition does not go with the operations.
    (selector, body).prop_map(|(selector, body)| {
        let operation = ["ratchet", "repeat", "merge", "split"].iter().any(|name| body.starts_with(name));
        format!("{}{body}", if operation && selector.starts_with("where") { "" } else { selector })
    })
}

proptest! {
    #[test]
    fn no_transform_makes_an_invalid_note(
        notes in prop::collection::vec(any_note(), 0..30),
        lines in prop::collection::vec(any_line(), 1..6),
        d in prop::sample::select(vec![1i64, 2, 4, 8, 16]),
        seed: u64,
    ) {
        let text = lines.join("\n");
        let context = ClipContext { meter: Meter::new(5, d).unwrap(), ..ClipContext::default() };
        let before = notes.len();
        let applied = Program::parse(&text).unwrap().apply(notes, &context, &mut Random::from_seed(seed)).unwrap();
        for n in &applied.notes {
            prop_assert!(n.pitch <= 127 && n.start.is_finite() && n.start.abs() <= 1e9, "{text}: {n:?}");
            prop_assert!(n.duration > 0.0 && n.duration <= 1e9, "{text}: {n:?}");
            prop_assert!((1.0..=127.0).contains(&n.velocity) && n.velocity_deviation.abs() <= 127.0, "{text}: {n:?}");
            prop_assert!((0.0..=1.0).contains(&n.probability), "{text}: {n:?}");
        }
        prop_assert!(applied.notes.windows(2).all(|w| w[0].start <= w[1].start));
        prop_assert!(applied.deleted <= before && applied.transformed <= applied.notes.len());
    }

    #[test]
    fn no_text_panics(text in "((velocity|pitch|timing|n/4|C3|1\\|1|v|p|where|ratchet|split|swing|rand|note\\.|next\\.pitch|sync|2bar|delete|gain)?[-+*/%=<>!&|(),.:#;0-9a-zA-Z \n\u{e9}\u{266d}]{0,3}){0,12}") {
        if let Ok(program) = Program::parse(&text) {
            let _ = program.apply(four(), &ClipContext::default(), &mut Random::from_seed(1));
            let _ = program.check(ClipKind::Midi);
        }
    }
}

//! What lines make of velocities, pitches and times.

use super::*;

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
        ("pitch = G8", "127 127 127 127"),
        ("pitch = 0", "0 0 0 0"),
        ("A3: pitch = 1000", "62 65 127 62"),
        ("D3: pitch = -1000", "0 65 69 0"),
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
        ("pitch = step(note.pitch, 35)", [62, 66], [122, 126]),
        ("pitch = step(note.pitch, -35)", [62, 66], [2, 6]),
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
fn doubles_humanizes_and_knows_chords() {
    let chord = || {
        let at = |pitch, start| note(pitch, start, 0.5, 100.0);
        vec![at(67, 0.0), at(60, 0.0), at(64, 0.0), at(62, 1.0)]
    };
    let pitches = |text: &str| list(apply(text, chord()).notes.iter().map(|n| f64::from(n.pitch)));
    let velocities = |text: &str| list(apply(text, chord()).notes.iter().map(|n| n.velocity));
    let starts = |text: &str| list(apply(text, chord()).notes.iter().map(|n| n.start));
    assert_eq!(pitches("double(12)"), "60 64 67 72 76 79 62 74");
    assert_eq!(velocities("D3: double(-12, 40)"), "100 100 100 40 100");
    assert_eq!(velocities("velocity = 10 + note.chordIndex"), "10 11 12 10");
    assert_eq!(velocities("velocity = note.chordCount"), "3 3 3 1");
    // At 120 BPM a quarter beat lasts 500 ms.
    assert_eq!(starts("timing += 250ms * note.chordIndex"), "0 0.5 1 1");
    let humanized = apply("humanize(50ms, 10)", chord());
    assert_eq!(humanized.notes.len(), 4);
    assert!(humanized.notes.iter().all(|n| n.start >= 0.0 && n.start < 1.1 && (90.0..=110.0).contains(&n.velocity)));
    assert_eq!(humanized.transformed, 4);
    let outside = apply("double(80)", chord());
    assert!(outside.warnings.iter().any(|w| w.contains("4 notes were not doubled")), "{:?}", outside.warnings);
}

#[test]
fn each_line_says_what_it_matched() {
    let applied = apply("v+1\nC8: v-1\n1|2: v+1", four());
    assert_eq!(applied.line_counts[0].matched, [4, 0, 1]);
    assert!(applied.warnings.iter().any(|w| w.contains("line 2: no note matched")), "{:?}", applied.warnings);
}

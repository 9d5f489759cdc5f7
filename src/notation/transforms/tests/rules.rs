//! The rules that the larger tables do not show, one line each.

use super::*;

#[test]
fn spelling() {
    for (text, velocities) in [
        // A comment over several lines is a blank, also within a statement.
        ("velocity /* a\nb */ = 9", "9 9 9 9"),
        ("velocity = 9 // v1\n# v2", "9 9 9 9"),
        ("D3#comment\n: v1", ""),
        ("D#3: v1", "70 80 90 100"),
        ("D3 # no\n", "70 80 90 100"),
        ("v9\r\nv8\rv7\n\nv6", "6 6 6 6"),
        ("velocity = 1/2*20", "10 10 10 10"),
        ("velocity = 100 - 50 - 25", "25 25 25 25"),
        ("velocity = 100 - -5 + +5", ""),
        ("velocity = 2 + 3 * 4 % 5", "4 4 4 4"),
        ("velocity = (2 + 3) * 4", "20 20 20 20"),
        ("velocity = -7 % 5 + 20", "23 23 23 23"),
        ("velocity = 1 2", ""),
        ("velocity = rand", ""),
        ("VELOCITY = 3", ""),
        ("velocity = SIN(1bar)", ""),
        ("velocity = 01bar", ""),
        ("velocity = 5bar", "20 20 20 20"),
        ("d3-f3: v1", "1 1 90 1"),
        ("velocity = D3", ""),
        ("Db3: v1", "70 80 90 100"),
        ("C##3: v1", ""),
        ("C3-: v1", ""),
        ("1|*-2|1: v1", ""),
        ("1|1-n/4-1|2: v1", "1 1 90 100"),
        ("1|1-n/4-<1|2: v1", "1 80 90 100"),
        ("1|1.5-1|2.5: v1", "70 1 90 100"),
        ("1|2+n/4d-1|5: v1", "70 80 90 1"),
        ("2|1-n/4: v1", "70 80 90 1"),
        ("where(note.velocity==80.0000000001): v1", "70 1 90 100"),
        ("where(note.velocity != 80.0000000001): v1", "1 80 1 1"),
        ("where(note.velocity > 79.9999999999): v1", "70 80 1 1"),
        ("where(note.velocity >= 80.0000000001): v1", "70 1 1 1"),
        ("where(note.deviation == 0 && note.probability == 1): v1", "1 1 1 1"),
        ("where(note.duration > n/4 || note.start < 1bar / 4): v1", "1 80 90 100"),
        ("where(1): v1", ""),
        ("where(): v1", ""),
        ("where(note.velocity > 1) D3 2|1: v1", "70 80 90 100"),
        ("where(1 > 0) where(1 > 0): v1", ""),
        ("split(1|2.5", ""),
        ("delete delete", ""),
        ("v80-", ""),
        ("v-", ""),
        ("v1.5", ""),
        ("-n/4", ""),
        ("n/4 + n/4", ""),
        ("1bar + n/4", ""),
        ("1bar+n/4", "70 80 90 100"),
        ("p", ""),
        ("p+.5", "70 80 90 100"),
    ] {
        let read = Program::parse(text).and_then(|program| program.check(ClipKind::Midi).map(|()| program));
        if velocities.is_empty() {
            assert!(read.is_err(), "{text} was read");
            continue;
        }
        read.unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(list(apply(text, four()).notes.iter().map(|n| n.velocity)), velocities, "{text}");
    }
}

#[test]
fn order_and_clamps() {
    // text, pitch@start+duration velocity of each note
    for (text, after) in [
        // A line that moves notes does not sort them; an operation does.
        ("timing = 3 - note.start\nvelocity = note.index + 1", "62@0+1 4, 69@1+1 3, 65@2+1 2, 62@3+1 1"),
        (
            "timing = 3 - note.start\nF3: repeat(1bar)\nvelocity = note.index + 1",
            "62@0+1 1, 69@1+1 2, 65@2+1 3, 62@3+1 4, 65@6+1 5",
        ),
        // The range without a selector is taken when the run begins.
        ("timing += 4\nvelocity = ramp(1, 101)", "62@4+1 101, 65@5+1 101, 69@6+1 101, 62@7+1 101"),
        ("timing -= 4\nvelocity = ramp(64, 80)", "62@-4+1 48, 65@-3+1 52, 69@-2+1 56, 62@-1+1 60"),
        ("F3: velocity = ramp(0, 100)", "62@0+1 70, 65@1+1 25, 69@2+1 90, 62@3+1 100"),
        // Each line is clamped above, and only the end is below.
        ("velocity = 300\nv-27", "62@0+1 100, 65@1+1 100, 69@2+1 100, 62@3+1 100"),
        ("D3: pitch = 300\npitch -= 27", "100@0+1 70, 38@1+1 80, 42@2+1 90, 100@3+1 100"),
        ("D3: pitch -= 100\npitch += 10", "10@0+1 70, 75@1+1 80, 79@2+1 90, 10@3+1 100"),
        ("pitch = 61.5", "62@0+1 70, 62@1+1 80, 62@2+1 90, 62@3+1 100"),
        ("pitch = 61.49", "61@0+1 70, 61@1+1 80, 61@2+1 90, 61@3+1 100"),
        ("duration -= 5\nduration += 5", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100"),
        ("velocity = 0.001", "62@0+1 1, 65@1+1 1, 69@2+1 1, 62@3+1 1"),
        // Deleted notes are still there for later lines, until the end.
        ("D3: delete\nvelocity = note.count", "62@0+1 4, 65@1+1 4, 69@2+1 4, 62@3+1 4"),
        ("D3: delete\nF3: velocity = note.count", "65@1+1 1, 69@2+1 90"),
        // The next note is the following one, also of the same chord.
        ("timing = 0\nduration = 9 + next.pitch - note.pitch", "62@0+1 100, 65@0+13 80, 69@0+2 90"),
        ("A3: timing = 1\nvelocity = seq(1, 2, 3)", "62@0+1 1, 65@1+1 2, 69@1+1 3, 62@3+1 1"),
        // A copy that lands on another note stands behind it in the list, so it replaces it.
        ("D3: repeat(n3/4, 2)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 70, 62@6+1 100, 62@9+1 100"),
        // Pieces and copies keep everything else.
        ("v60-75\np.5\nF3: ratchet(2)", "62@0+1 60, 65@1+0.5 60, 65@1.5+0.5 60, 69@2+1 60, 62@3+1 60"),
        ("D3: merge()", "62@0+4 70, 65@1+1 80, 69@2+1 90"),
        ("D3 1|1: merge()", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100"),
        (
            "F3: ratchet(2.5)",
            "62@0+1 70, 65@1+0.3333 80, 65@1.3333+0.3333 80, 65@1.6667+0.3333 80, 69@2+1 90, 62@3+1 100",
        ),
        ("F3: ratchet(1.5)", "62@0+1 70, 65@1+0.5 80, 65@1.5+0.5 80, 69@2+1 90, 62@3+1 100"),
        ("F3: repeat(n/8, 0.6)", "62@0+1 70, 65@1+1 80, 65@1.5+1 80, 69@2+1 90, 62@3+1 100"),
        ("F3: split(1|2, 1|3)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100"),
    ] {
        assert_eq!(short(&apply(text, four()).notes), after, "{text}");
    }
    let all = apply("v60-200\np.5\nratchet(2)", four()).notes;
    assert!(all.iter().all(|n| (n.velocity_deviation, n.probability) == (67.0, 0.5)), "{all:?}");
    let merged = apply("D3 1|1: v60-70\nD3: p.25\nD3 1|4: p.75\nD3: merge()", four()).notes;
    assert_eq!((merged[0].velocity_deviation, merged[0].probability), (10.0, 0.25), "the earliest one's");
}

#[test]
fn bounds_of_time() {
    // start, selector, whether it selects the note
    for (start, selector, selected) in [
        (2.0 - 1e-10, "1|1-<1|3", false),
        (2.0 - 1e-10, "1|3-<1|4", true),
        (2.0 - 1e-8, "1|1-<1|3", true),
        (2.0 + 1e-10, "1|1-1|3", true),
        (2.0 + 1e-8, "1|1-1|3", false),
        (2.0 + 1e-10, "1|3", true),
        (4.0, "1|*", false),
        (4.0, "2|*", true),
        (7.999, "2|*-2|*", true),
        (-0.5, "1|1-n/8", true),
        (-0.5, "1|*", false),
        (-0.5, "1|1-n/4-1|1", true),
        (4.0, "1|5", true),
    ] {
        let text = format!("{selector}: v1");
        let found = apply(&text, vec![note(60, start, 1.0, 90.0)]).notes[0].velocity == 1.0;
        assert_eq!(found, selected, "{start} {selector}");
    }
}

#[test]
fn functions() {
    // expression, its values at starts 0, 1, 2, 3
    for (text, values) in [
        ("tri(1bar, 0.5)", "0 -1 0 1"),
        ("saw(1bar, 0.25)", "0.5 -1 -0.5 0"),
        ("cos(-1bar)", "1 0 -1 0"),
        ("sin(-1bar)", "0 -1 0 1"),
        ("tri(-1bar)", "0 -1 0 1"),
        ("saw(-1bar)", "0 -0.5 -1 0.5"),
        ("square(1bar, 0.5)", "-1 -1 1 1"),
        ("square(1bar, 0, 0.75)", "1 1 1 -1"),
        ("square(0)", "1 1 1 1"),
        ("cos(0, 0.5)", "-1 -1 -1 -1"),
        ("sin(n/4)", "0 0 0 0"),
        ("sin(note.start - note.start + 4)", "0 1 0 -1"),
        ("curve(0, 64, 3)", "0 1 8 27"),
        ("ramp(10, 50)", "10 20 30 40"),
        ("ramp(50, 10)", "50 40 30 20"),
        ("quant(n/2)", "0 2 2 4"),
        ("quant(1bar)", "0 0 4 4"),
        ("wrap(note.start, 1, 2)", "2 1 2 1"),
        ("wrap(note.start, 2, 1)", "2 1 2 1"),
        ("reflect(note.start, 1, 2)", "2 1 2 1"),
        ("reflect(note.start, 0, 2)", "0 1 2 1"),
        ("clamp(note.start, 2, 1)", "1 1 2 2"),
        ("min(note.start, 2, 1.5) + max(0, 1)", "1 2 2.5 2.5"),
        ("pow(note.start, 2)", "0 1 4 9"),
        ("round(note.start / 2) + floor(-0.5) + ceil(-0.5) + abs(-1)", "0 1 1 2"),
        ("seq(5)", "5 5 5 5"),
        ("seq(1, 2, 3, 4, 5)", "1 2 3 4"),
        ("clipseq(7, 8)", "7 7 7 7"),
        ("swing(0.1, n/4)", "0 1.1 2 3.1"),
        ("swing(0.1, 1)", "0 1.1 2 3.1"),
        ("note.start % 0", "0 0 0 0"),
        ("legato()", "1 1 1 1"),
        ("snap(note.start) + step(1, 1)", "2 3 4 5"),
        ("next.start * 1", "1 2 3 3"),
        ("note.index / note.count", "0 0.25 0.5 0.75"),
    ] {
        let found = apply(&format!("timing = {text}"), four()).notes;
        let mut by_origin = vec![0.0; 4];
        // Told apart by their velocities, which stay.
        for note in &found {
            by_origin[((note.velocity - 70.0) / 10.0) as usize] = note.start;
        }
        if found.len() == 4 {
            assert_eq!(list(by_origin.into_iter()), values, "{text}");
        } else {
            // Two in one place: their values are seen in their lengths instead.
            let lengths = apply(&format!("duration = 100 + {text}"), four()).notes;
            assert_eq!(list(lengths.iter().map(|n| n.duration - 100.0)), values, "{text}");
        }
    }
    let no_end = ClipContext { end: None, ..ClipContext::default() };
    let kept = apply_in(&no_end, "duration = legato()", four());
    assert_eq!((kept.notes[3].duration, kept.warnings.len()), (1.0, 1), "{:?}", kept.warnings);
    let halves = vec![note(60, 0.25, 1.0, 90.0), note(62, -0.25, 1.0, 90.0), note(64, -0.75, 1.0, 90.0)];
    assert_eq!(list(apply("timing = quant(0.5)", halves).notes.iter().map(|n| n.start)), "-0.5 0 0.5");
}

#[test]
fn audio() {
    let before = AudioParameters { gain_db: -6.0, pitch_shift_semitones: 2.0 };
    let arranged = ClipContext { arrangement_position: Some(5.0), index: 2, count: 3, ..ClipContext::default() };
    let session = ClipContext { index: 2, count: 3, ..ClipContext::default() };
    for (context, text, gain, warnings) in [
        (&arranged, "gain = 10 * sin(1bar, sync)", 10.0, 0),
        (&session, "gain = 10 * sin(1bar, 0.25, sync)", 10.0, 1),
        (&arranged, "gain = clip.position", 5.0, 0),
        (&session, "gain = 1 + clip.position", 1.0, 1),
        (&session, "gain = seq(1, 2, 3)", 3.0, 0),
        (&session, "gain = clipseq(1, 2, 3)", 3.0, 0),
        (&session, "gain = curve(3, 9, 2)", 3.0, 0),
        (&session, "gain = 1bar + n/4", 5.0, 0),
        (&session, "pitchShift += 1\ngain = audio.pitchShift", 3.0, 0),
        (&session, "gain *= 2\ngain += audio.gain", -24.0, 0),
        (&session, "gain = -999", -70.0, 1),
        (&session, "gain = 999", 24.0, 1),
        (&session, "1|1: gain = 1", 1.0, 1),
        (&session, "where(note.velocity > 3): gain = 1", 1.0, 1),
        (&session, "gain = next.pitch", -6.0, 1),
    ] {
        let program = Program::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let applied = program.apply_audio(before, context, &mut Random::from_seed(1));
        assert_eq!(
            (applied.parameters.gain_db, applied.warnings.len()),
            (gain, warnings),
            "{text}: {:?}",
            applied.warnings
        );
    }
}

use super::*;
use crate::notation::{MAX_NOTES, Place, slots};
use proptest::prelude::*;

mod rules;

fn meter(text: &str) -> Meter {
    text.parse().unwrap()
}

type Short = (u8, f64, f64, f64);

fn round(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

fn short(notes: &[Note]) -> Vec<Short> {
    notes.iter().map(|n| (n.pitch, round(n.start), round(n.duration), n.velocity)).collect()
}

/// One pitch at many starts, quarter-long, velocity 100.
fn at(pitch: u8, starts: &[f64]) -> Vec<Short> {
    starts.iter().map(|start| (pitch, *start, 1.0, 100.0)).collect()
}

#[test]
fn plays_notes() {
    let v = |list: &[Short]| list.to_vec();
    for (text, m, notes, warnings) in [
        ("", "4/4", vec![], 0),
        (" # only\n// comments /* here */\n/* and\nthere */", "4/4", vec![], 0),
        ("Bb1 1|1", "4/4", at(46, &[0.0]), 0),
        ("v72 n/8 A2 C3 2|3", "4/4", v(&[(57, 6.0, 0.5, 72.0), (60, 6.0, 0.5, 72.0)]), 0),
        ("n/16 D1 1|2.5 1|4+n/24", "4/4", v(&[(38, 1.5, 0.25, 100.0), (38, 3.1667, 0.25, 100.0)]), 0),
        ("Eb2 2|1-n/8", "4/4", at(51, &[3.5]), 0),
        ("Eb2 1|1-n/8", "4/4", at(51, &[-0.5]), 1),
        ("G1 1|1,3 2|2", "4/4", at(43, &[0.0, 2.0, 5.0]), 0),
        ("G1 1|1 , 3,", "4/4", at(43, &[0.0, 2.0]), 0),
        ("G1 1|1,\n2|1", "4/4", at(43, &[0.0, 4.0]), 0),
        ("G1 1|4,2|1,3", "4/4", at(43, &[3.0, 4.0, 6.0]), 0),
        ("G1 1|7", "4/4", at(43, &[6.0]), 0),
        ("n/4d F2 1|1 n/8t F2 2|1", "4/4", v(&[(53, 0.0, 1.5, 100.0), (53, 4.0, 0.3333, 100.0)]), 0),
        ("1bar-n/8 F2 1|1", "3/4", v(&[(53, 0.0, 2.5, 100.0)]), 0),
        ("n2bar F2 1|1", "3/4", v(&[(53, 0.0, 6.0, 100.0)]), 0),
        ("F2 1|4", "6/8", at(53, &[1.5]), 0),
        (
            "n/8 F2 1|4 1|5.5 1|6+n/16",
            "6/8",
            v(&[(53, 1.5, 0.5, 100.0), (53, 2.25, 0.5, 100.0), (53, 2.75, 0.5, 100.0)]),
            0,
        ),
        ("F2 2|1", "7/8", at(53, &[3.5]), 0),
        ("F2 1|2", "2/2", at(53, &[2.0]), 0),
        ("v90 F2 1|1 v40 1|2", "4/4", v(&[(53, 0.0, 1.0, 90.0), (53, 1.0, 1.0, 40.0)]), 0),
        ("F2 v40 1|1", "4/4", at(53, &[0.0]), 1),
        ("v30 F2 v60 A2 1|1", "4/4", v(&[(53, 0.0, 1.0, 30.0), (57, 0.0, 1.0, 60.0)]), 0),
        ("F2 1|1 v10", "4/4", at(53, &[0.0]), 0),
        ("n/8 F2 1|1x3", "4/4", v(&[(53, 0.0, 0.5, 100.0), (53, 0.5, 0.5, 100.0), (53, 1.0, 0.5, 100.0)]), 0),
        ("F2 1|1x3@n/8t", "4/4", at(53, &[0.0, 0.3333, 0.6667]), 0),
        ("F2 1|2x3@1bar-n/4", "4/4", at(53, &[1.0, 4.0, 7.0]), 0),
        ("n/4 F2 1|4x3@n/4", "3/4", at(53, &[3.0, 4.0, 5.0]), 0),
        ("F2 2|1,3x2@n/16,4", "4/4", at(53, &[4.0, 6.0, 6.25, 7.0]), 0),
        ("[F2 A2] 1|1 1|2 1|3", "4/4", v(&[(53, 0.0, 1.0, 100.0), (57, 1.0, 1.0, 100.0), (53, 2.0, 1.0, 100.0)]), 0),
        (
            "F1 [A2 C3] 1|1,2",
            "4/4",
            v(&[(41, 0.0, 1.0, 100.0), (57, 0.0, 1.0, 100.0), (41, 1.0, 1.0, 100.0), (60, 1.0, 1.0, 100.0)]),
            0,
        ),
        (
            "[v90 v50 v70] F2 1|1,2,3,4",
            "4/4",
            v(&[(53, 0.0, 1.0, 90.0), (53, 1.0, 1.0, 50.0), (53, 2.0, 1.0, 70.0), (53, 3.0, 1.0, 90.0)]),
            0,
        ),
        ("[n/4 n/8] F2 1|1x3", "4/4", v(&[(53, 0.0, 1.0, 100.0), (53, 1.0, 0.5, 100.0), (53, 1.5, 1.0, 100.0)]), 0),
        ("[n/4 n0/4] F2 1|1x3", "4/4", at(53, &[0.0, 1.0, 2.0]), 1),
        (
            "[F2 A2 C3][v80 v40] 1|1x4@n/8",
            "4/4",
            v(&[(53, 0.0, 1.0, 80.0), (57, 0.5, 1.0, 40.0), (60, 1.0, 1.0, 80.0), (53, 1.5, 1.0, 40.0)]),
            0,
        ),
        ("(F2 A2)[v80 v40]1|1", "4/4", vec![], usize::MAX),
        ("(F2/*x*/A2) 1|1#kick", "4/4", v(&[(53, 0.0, 1.0, 100.0), (57, 0.0, 1.0, 100.0)]), 0),
        ("F2/*x*/A2 1|1", "4/4", v(&[(53, 0.0, 1.0, 100.0), (57, 0.0, 1.0, 100.0)]), 0),
        ("F2# sharp?\n1|1", "4/4", at(53, &[0.0]), 0),
        ("v50 [v80 v40] F2 1|1 @clear F2 1|2", "4/4", v(&[(53, 0.0, 1.0, 80.0), (53, 1.0, 1.0, 100.0)]), 0),
        ("n/8 [n/4 n/2] F2 1|1 @clear F2 1|3", "4/4", v(&[(53, 0.0, 1.0, 100.0), (53, 2.0, 0.5, 100.0)]), 0),
        ("F1 1|2 @2= @4=1", "4/4", at(41, &[1.0, 5.0, 13.0]), 0),
        (
            "F1 1|1 A1 2|1 @3-5=1-2",
            "4/4",
            v(&[
                (41, 0.0, 1.0, 100.0),
                (45, 4.0, 1.0, 100.0),
                (41, 8.0, 1.0, 100.0),
                (45, 12.0, 1.0, 100.0),
                (41, 16.0, 1.0, 100.0),
            ]),
            0,
        ),
        ("F1 1|1 @5=1-3", "4/4", at(41, &[0.0, 16.0]), 0),
        ("F1 1|1 @2-4=", "4/4", at(41, &[0.0, 4.0, 8.0, 12.0]), 0),
        // The later tiles of a copy over its own source see what the earlier ones wrote.
        ("F1 1|1 @2-5=1-2", "4/4", at(41, &[0.0, 4.0, 8.0, 12.0, 16.0]), 0),
        ("F1 1|6 @3=2", "4/4", at(41, &[5.0, 9.0]), 0),
        (
            "v50 F1 1|1 v90 @2=1 A1 2|2",
            "4/4",
            v(&[(41, 0.0, 1.0, 50.0), (41, 4.0, 1.0, 50.0), (45, 5.0, 1.0, 90.0)]),
            usize::MAX - 1,
        ),
        ("F1 1|1 @clear @2=1", "4/4", at(41, &[0.0]), 1),
        ("F1 1|1 @1=1", "4/4", at(41, &[0.0]), 1),
        ("F1 1|1 @1=", "4/4", at(41, &[0.0]), 1),
        ("F1 1|1 @5-3=1 @5=3-2", "4/4", at(41, &[0.0]), 2),
        ("F1 1|1 @2=1 2|2", "4/4", at(41, &[0.0, 4.0]), 1),
        ("F1 1|1 A1 @2=1", "4/4", at(41, &[0.0, 4.0]), 1),
        ("F1 A1 1|1 v0 F1 1|1", "4/4", at(45, &[0.0]), 0),
        ("F1 1|1 @2=1 v0 F1 2|1 v100 A1 2|1", "4/4", v(&[(41, 0.0, 1.0, 100.0), (45, 4.0, 1.0, 100.0)]), 0),
        ("E2 G9 1|1", "4/4", at(52, &[0.0]), 1),
        ("v300 E2 1|1", "4/4", v(&[(52, 0.0, 1.0, 127.0)]), 1),
        ("p2 E2 1|1", "4/4", at(52, &[0.0]), 1),
        ("n0/4 E2 1|1", "4/4", at(52, &[0.0]), 1),
        ("1|1 2|1", "4/4", vec![], 2),
        ("E2", "4/4", vec![], 1),
        ("E2 1|1x101@n/16", "4/4", (0..101).map(|i| (52, f64::from(i) / 4.0, 1.0, 100.0)).collect(), 1),
        ("v007 C03 1|2.", "4/4", v(&[(60, 1.0, 1.0, 7.0)]), 0),
    ] {
        let parsed = parse(text, meter(m), &[]);
        if warnings == usize::MAX {
            assert!(parsed.is_err(), "{text}");
            continue;
        }
        let parsed = parsed.unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(short(&parsed.notes), notes, "{text}");
        if warnings != usize::MAX - 1 {
            assert_eq!(parsed.warnings.len(), warnings, "{text}: {:?}", parsed.warnings);
        }
    }
    let parsed = parse("v80-60 p.7 F2 1|1", Meter::COMMON, &[]).unwrap();
    let note = parsed.notes[0];
    assert_eq!((note.velocity, note.velocity_deviation, note.probability), (60.0, 20.0, 0.7));
}

#[test]
fn an_update_merges() {
    let kept = Note { release_velocity: 12.0, ..Note::new(40, 9.0, 1.0) };
    let existing = [Note::new(41, 0.0, 1.0), Note::new(42, 1.0, 1.0), kept];
    let parsed = parse("v0 F#1 1|2 v50 F1 1|1 @2=1", Meter::COMMON, &existing).unwrap();
    let loud = |start| Note { velocity: 50.0, ..Note::new(41, start, 1.0) };
    // The copied bar holds the old note, its deletion and the new one: the new one stays.
    assert_eq!(parsed.notes, [loud(0.0), loud(4.0), kept]);
}

#[test]
fn refuses_with_place_fact_and_fix() {
    for (text, character, fact, fix) in [
        ("F2 1|0", 3, "count from 1", Some("1|1")),
        ("F2 1|0.5", 3, "count from 1", Some("1|1")),
        ("F2 1|03", 3, "count from 1", Some("1|3")),
        ("F2 1|-2", 3, "count from 1", Some("1|1")),
        ("F2 0|1", 3, "bars count from 1", Some("1|1")),
        ("02|1", 0, "bars count from 1", Some("2|1")),
        ("@0=", 0, "bars count from 1", None),
        ("@2=0", 0, "bars count from 1", None),
        ("F2 1|1,0|2", 7, "bars count from 1", Some("1|1,1|2")),
        ("F2 1|1,0", 7, "count from 1", Some("1|1,1")),
        ("F2 2.3", 3, "pipe", Some("2|3")),
        ("F2 1:3", 3, "pipe", Some("1|3")),
        ("F2 2 | 3", 3, "pipe", Some("2|3")),
        ("F2 2| 3", 3, "pipe", Some("2|3")),
        ("64 1|1", 0, "C3", Some("E3")),
        ("F2 1|5/3", 3, "fraction", Some("1|1+n/6")),
        ("F2 1|2+1/3", 3, "needs its n", Some("1|2+n/12")),
        ("F2 1|2+0.5", 3, "needs its n", Some("1|2+n/8")),
        ("F2 1|1-2|1", 3, "single point", None),
        ("F2 1|2+", 3, "offset", None),
        ("F2 1|2+n", 3, "offset", None),
        ("F2 4|", 3, "4|1", Some("4|1")),
        ("F2 1|1x", 3, "repeat", None),
        ("F2 1|1x0", 3, "repeat", None),
        ("F2 1|1x4@", 3, "repeat", Some("1|1x4")),
        ("F2 1|1x4@1", 3, "step", Some("1|1x4@n/4")),
        ("F2 1|1x4@/8", 3, "step", Some("1|1x4@n/8")),
        ("F2 1|1x4@0.25", 3, "step", Some("1|1x4@n/16")),
        ("F2 1|1x4@1+1/2", 3, "step", None),
        ("F2 1|1x4@n0/4", 3, "greater than 0", None),
        ("F2 1|1x4@1bar-n/1", 3, "greater than 0", None),
        ("n4 F2", 0, "denominator", Some("n/4")),
        ("n0.5", 0, "denominator", None),
        ("n1+1/4", 0, "denominator", None),
        ("n3/0", 0, "cannot be 0", None),
        ("F2 1|1+n/0", 3, "cannot be 0", None),
        ("F2 1|1x2@n1/0", 3, "cannot be 0", None),
        ("5/8 F2", 0, "n5/8", Some("n5/8")),
        ("n/2bar", 0, "mixed", None),
        ("F2 1|1x2@n1/2bar", 3, "mixed", None),
        ("n/4dt", 0, "n/4d", None),
        ("n/08", 0, "n/8", Some("n/8")),
        ("n/8 t", 4, "blank", Some("n/8t")),
        ("F2 1|1x4 @n/4", 9, "blank", Some("1|1x4@n/4")),
        ("4 bar", 0, "blank", Some("4bar")),
        ("v 90", 0, "blank", Some("v90")),
        ("4Bar", 0, "lower case", Some("4bar")),
        ("V90", 0, "lower case", Some("v90")),
        ("0bar", 0, "1bar", Some("1bar")),
        ("v80.5", 0, "whole number", Some("v81")),
        ("v-5", 0, "velocity", None),
        ("v40-", 0, "velocity", None),
        ("v0-40", 0, "at 1", Some("v1-40")),
        ("p-0.5", 0, "decimal", None),
        ("p1/2", 0, "decimal", Some("p0.5")),
        ("G 1|1", 0, "octave", Some("G3")),
        ("Bb", 0, "octave", Some("Bb3")),
        ("Dm7 1|1", 0, "chord names", None),
        ("Cmaj7", 0, "chord names", None),
        ("G7/B", 0, "chord names", None),
        ("F2A2 1|1", 2, "space", Some("F2 A2")),
        ("F2,A2 1|1", 2, "commas", Some("F2 A2")),
        ("[F2 A2", 0, "never closed", None),
        ("(F2", 0, "never closed", None),
        ("[F2 // ]\n1|1", 0, "never closed", None),
        ("[F2,A2] 1|1", 3, "pattern", Some("[F2 A2]")),
        ("[]", 0, "pattern", None),
        ("[F2 [A2]]", 4, "pattern", None),
        ("(v90 F2)", 1, "chord", None),
        ("((F2))", 1, "chord", None),
        ("[v90 F2]", 0, "one kind", None),
        ("[v90 v1.5]", 5, "velocity", Some("v2")),
        ("[F2A2 C3]", 1, "space", Some("F2 A2")),
        ("[F2 1|1]", 4, "pattern", None),
        ("@2", 0, "@5=2", None),
        ("@x", 0, "@5=2", None),
        ("@2 = 1", 0, "blank", Some("@2=1")),
        ("F2 /* 1|1 [", 3, "never closed", None),
        ("F2\u{a0}1|1", 2, "U+00A0", None),
        ("\u{feff}F2 1|1", 0, "U+FEFF", None),
        ("F2 \u{200b}1|1", 3, "U+200B", None),
        ("F2 ] 1|1", 3, "]", None),
        ("hello", 0, "expected", None),
        ("n/8 F2 1|9999999999", 7, "1,000,000,000", None),
        ("F2 1|1,,2", 7, "commas", Some("1|1,2")),
    ] {
        let NotationErrors::Mistakes { mistakes, .. } =
            parse(text, Meter::COMMON, &[]).expect_err(&format!("{text} was read"))
        else {
            panic!("{text}")
        };
        let mistake = &mistakes[0];
        let Place::Text { character: found, .. } = mistake.place else { panic!("{text}") };
        assert_eq!((found, mistake.fix.as_deref()), (character, fix), "{text}: {mistakes:?}");
        let said = mistake.to_string();
        assert!(said.contains(fact), "{text}: {said}");
        if let Some(fix) = &mistake.fix {
            assert!(read::count_items(fix, Meter::COMMON).is_some(), "{text}: {fix}");
        }
    }
}

#[test]
fn one_mistake_is_told_once() {
    for text in
        ["F2 2 | 3", "n/8 t F2 1|1", "[F2,A2] 1|1", "F2A2 1|1", "F2,A2 1|1", "@2 = 1", "4 bar F2 1|1", "F2 1|0 2|1"]
    {
        let error = parse(text, Meter::COMMON, &[]).unwrap_err();
        assert!(matches!(&error, NotationErrors::Mistakes { mistakes, .. } if mistakes.len() == 1), "{text}: {error}");
    }
}

#[test]
fn independent_mistakes_are_told_together() {
    let text = "v200 F2 1|0 // \u{e9}\n  Dm7 2|1\n[A2 C3 3|1 64\nv0-3";
    let NotationErrors::Mistakes { mistakes, .. } = parse(text, Meter::COMMON, &[]).unwrap_err() else { panic!() };
    let places: Vec<_> = mistakes
        .iter()
        .map(|m| match m.place {
            Place::Text { line, column, .. } => (line, column, m.found.as_deref().unwrap_or("")),
            Place::Element { .. } => panic!(),
        })
        .collect();
    assert_eq!(places, [(1, 9, "1|0"), (2, 3, "Dm7"), (3, 1, "[A2"), (3, 12, "64"), (4, 1, "v0-3")]);
    let error = parse(&"64 ".repeat(50), Meter::COMMON, &[]).unwrap_err();
    assert!(matches!(&error, NotationErrors::Mistakes { mistakes, .. } if mistakes.len() == 10));
    assert!(error.to_string().contains("line 1, column 28 (character 27)"), "{error}");
}

#[test]
fn limits_are_named_and_nothing_runs_away() {
    for text in ["F2 1|1x1000000000@n/64", "F2 1|1x100000@n/64 1|1", "F2 1|1 @2-1000000=1", "(F2 A2) 1|1x50001@n/64"] {
        assert_eq!(parse(text, Meter::COMMON, &[]), Err(NotationErrors::TooManyNotes), "{text}");
    }
    for text in ["1|1x1000000000", "[G9 G9] 1|1x1000000000", "@2-1000000000=1", "F2 1|1 @1-1000000000=1-1000000000"] {
        assert!(parse(text, Meter::COMMON, &[]).is_ok(), "{text}");
    }
    let exactly = format!("F2 1|1x{MAX_NOTES}@n/64");
    assert_eq!(parse(&exactly, Meter::COMMON, &[]).unwrap().notes.len(), MAX_NOTES);
    for text in
        ["[".repeat(100_000), "(".repeat(100_000), "/*".repeat(100_000), "1|".repeat(100_000), "1,".repeat(100_000)]
    {
        assert!(parse(&text, Meter::COMMON, &[]).is_err());
    }
}

fn note(pitch: u8, start: f64, duration: f64, velocity: f64) -> Note {
    Note { velocity, ..Note::new(pitch, start, duration) }
}

#[test]
fn writes_notes() {
    let eight: Vec<Note> = (0..8).map(|i| note(36, f64::from(i), 0.25, 100.0)).collect();
    let spread = Note { velocity_deviation: 20.0, probability: 0.5, ..note(60, 0.0, 1.0, 60.0) };
    let below = Note { velocity_deviation: -20.0, ..note(60, 1.0, 1.0, 80.0) };
    let capped = Note { velocity_deviation: 20.0, ..note(60, 2.0, 8.0, 127.0) };
    for (notes, m, drums, text) in [
        (vec![], "4/4", false, ""),
        (
            vec![note(57, 1.0, 0.5, 84.0), note(57, 3.0, 0.5, 84.0), note(60, 4.0, 0.5, 84.0)],
            "4/4",
            false,
            "v84 n/8 A2 1|2,4\nC3 2|1",
        ),
        (vec![note(48, 0.0, 4.0, 70.0), note(55, 0.0, 1.0, 70.0)], "4/4", false, "v70 n/1 C2 n/4 G2 1|1"),
        (vec![note(60, 1.5, 1.5, 90.0)], "6/8", false, "v90 n/4d C3 1|4"),
        (eight.clone(), "4/4", true, "v100 n/16 C1 1|1x8@n/4"),
        (eight, "4/4", false, "v100 n/16 C1 1|1,2,3,4\nC1 2|1,2,3,4"),
        // Batches of one bar that say the same are merged over others between them.
        (
            vec![note(48, 0.0, 1.0, 9.0), note(50, 1.0, 1.0, 9.0), note(48, 2.0, 1.0, 9.0)],
            "4/4",
            false,
            "v9 n/4 C2 1|1,3\nD2 1|2",
        ),
        (vec![spread, below, capped], "4/4", false, "v60-80 n/4 p0.5 C3 1|1\np1 C3 1|2\nv127 n2/1 C3 1|3"),
        (
            vec![note(60, -5.0, 1.0, 9.0), note(60, 1.0 / 3.0, 1.0 / 3.0, 9.0)],
            "4/4",
            false,
            "v9 n/4 C3 1|1-n5/4\nn/8t C3 1|1+n/12",
        ),
        (
            vec![note(36, 0.0, 0.25, 9.0), note(38, 1.0, 0.25, 9.0), note(36, 1.5, 0.25, 9.0), note(36, 4.0, 0.5, 8.0)],
            "4/4",
            true,
            "v9 n/16 C1 1|1,2.5 v8 n/8 C1 2|1\nv9 n/16 D1 1|2",
        ),
        ((0..12).map(|i| note(42, f64::from(i), 1.0, 9.0)).collect(), "4/4", true, "v9 n/4 Gb1 1|1x12"),
        ((0..12).map(|i| note(42, f64::from(i) * 4.0, 1.0, 9.0)).collect(), "4/4", true, "v9 n/4 Gb1 1|1x12@n/1"),
        (vec![note(60, 0.0, 0.0, 9.0), note(200, 0.0, 1.0, 9.0)], "4/4", false, ""),
    ] {
        assert_eq!(format(&notes, meter(m), drums), text);
    }
}

fn any_note() -> impl Strategy<Value = Note> {
    let parts = prop::sample::select(vec![1u32, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 24, 32, 100]);
    (0u8..=127, -64i32..6400, 1u32..400, 1u8..=127, 0u8..=127, 0u32..=1000, parts).prop_map(
        |(pitch, start, duration, velocity, top, probability, parts)| Note {
            velocity: velocity.min(top.max(1)).into(),
            velocity_deviation: top.max(1).saturating_sub(velocity).into(),
            probability: f64::from(probability) / 1000.0,
            ..Note::new(pitch, f64::from(start) / f64::from(parts), f64::from(duration) / f64::from(parts))
        },
    )
}

fn grid_note() -> impl Strategy<Value = Note> {
    (36u8..40, 0u32..64, prop::sample::select(vec![80.0, 100.0]))
        .prop_map(|(pitch, step, velocity)| note(pitch, f64::from(step) / 4.0, 0.25, velocity))
}

fn same(a: &[Note], b: &[Note], tolerance: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        prop_assert_eq!((a.pitch, a.velocity, a.velocity_deviation), (b.pitch, b.velocity, b.velocity_deviation));
        prop_assert!((a.probability - b.probability).abs() < 0.0011, "{:?} {:?}", a, b);
        prop_assert!(
            (a.start - b.start).abs() < tolerance && (a.duration - b.duration).abs() < tolerance,
            "{:?} {:?}",
            a,
            b
        );
    }
    Ok(())
}

proptest! {
    #[test]
    fn notes_survive_text(
        notes in prop_oneof![prop::collection::vec(any_note(), 0..60), prop::collection::vec(grid_note(), 0..120)],
        n in 1i64..=13,
        d in prop::sample::select(vec![1i64, 2, 4, 8, 16]),
        drums: bool,
    ) {
        let meter = Meter::new(n, d).unwrap();
        let mut notes = slots::settle(notes, 0).notes;
        // Notes of one chord but not quite together sort differently once they are.
        let mut reached = f64::NEG_INFINITY;
        notes.retain(|note| {
            let apart = note.start == reached || note.start - reached > 0.02;
            if apart { reached = note.start; }
            apart
        });
        let text = format(&notes, meter, drums);
        let back = parse(&text, meter, &[]).unwrap_or_else(|e| panic!("{text}\n{e}"));
        same(&back.notes, &notes, 0.0011)?;
        let again = parse(&format(&back.notes, meter, drums), meter, &[]).unwrap();
        same(&again.notes, &back.notes, 0.0011)?;
    }

    #[test]
    fn no_text_breaks_the_reader(text in "[\\[\\]()A-Gvnpxb0-9|,.@=/+\\-*# \n\u{a0}\u{266f}dt]{0,80}") {
        if let Err(NotationErrors::Mistakes { mistakes, .. }) = parse(&text, Meter::COMMON, &[]) {
            prop_assert!(!mistakes.is_empty() && mistakes.len() <= 10);
            for mistake in mistakes {
                if let Some(fix) = mistake.fix {
                    prop_assert!(read::count_items(&fix, Meter::COMMON).is_some(), "{}", fix);
                }
            }
        }
    }

    #[test]
    fn written_items_read_back_settled(
        text in prop::collection::vec(prop::sample::select(vec![
            "v90 ", "v0 ", "v10-20 ", "n/8 ", "n/8t ", "1bar ", "p0.5 ", "p1 ", "C3 ", "Db3 ", "(E3 G3) ", "[C3 D3] ",
            "[v50 v70] ", "[n/4 n/8] ", "1|1 ", "1|2,3+n/12 ", "2|1x3 ", "1|1x5@n/8 ", "@2= ", "@3-4=1-2 ", "@clear ", "// x\n",
        ]), 0..40),
        drums: bool,
    ) {
        let meter = Meter::COMMON;
        let first = parse(&text.concat(), meter, &[]).unwrap();
        let second = parse(&format(&first.notes, meter, drums), meter, &[]).unwrap();
        same(&second.notes, &first.notes, 0.001)?;
    }
}

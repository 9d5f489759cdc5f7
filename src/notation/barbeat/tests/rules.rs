//! The rules that the larger tables do not show, one line each.

use super::*;

#[test]
fn spelling() {
    for (text, pitches) in [
        ("GB3 1|1", "66"),
        ("BB2 1|1", "58"),
        ("bb3 1|1", "70"),
        ("b3 1|1", "71"),
        ("B#2 1|1", "60"),
        ("Cb3 1|1", "59"),
        ("E#3 1|1", "65"),
        ("Fb3 1|1", "64"),
        ("C-2 1|1", "0"),
        ("G8 1|1", "127"),
        ("f\u{266f}2 1|1", "54"),
        ("a\u{266d}2 1|1", "56"),
        ("F#2 1|1", "54"),
        ("v50[F2 A2] 1|1", "53"),
        ("(F2 A2)[v1 v2] 1|1", "53 57"),
        ("[(C3 E3) G3] 1|1,2", "60 64 67"),
        ("( C3 /* x */ E3\n) 1|1", "60 64"),
        ("F2 1|1 // to the end\nA2 1|2", "53 57"),
        ("F2 1|1 # to the end\r\nA2 1|2", "53 57"),
        ("F2/*x*//**/1|1", "53"),
    ] {
        let parsed = parse(text, Meter::COMMON, &[]).unwrap_or_else(|e| panic!("{text}: {e}"));
        let found: Vec<String> = parsed.notes.iter().map(|n| n.pitch.to_string()).collect();
        assert_eq!((found.join(" ").as_str(), parsed.warnings.len()), (pitches, 0), "{text}: {:?}", parsed.warnings);
    }
    for text in [
        "F2\u{c}1|1",
        "F2\u{b}1|1",
        "N/8",
        "P0.5",
        "F2 1|1X4",
        "Fbb3 1|1",
        "F##3 1|1",
        "H3 1|1",
        "F2 1 |1",
        "n/8d d",
        "01bar",
        "F2 1|1x03",
        "F2 1|01",
        "n.5/4",
        "v+5",
        "p.5.5",
        "1e3",
        "F2 1|1e1",
        "[C3 v9]",
        "[n/4 v9]",
        "[p1 p2] [",
        "(C3 (E3))",
        "([C3])",
        "(n/4)",
        "()",
        "@",
        "@2=1-",
        "@2-=1",
        "@2=-1",
        "@5=1,2",
        "@clear2",
        "n/4t8",
        "n/",
        "n/8.5",
        "nbar",
        "1|1@n/4",
        "F2 1|1x2x3",
        "F2 1|1x2@n/4@n/4",
        "F2 1|1+n/8+n/8",
        "p-1",
        "-1|1",
    ] {
        let error = parse(text, Meter::COMMON, &[]).expect_err(text);
        let NotationError::Mistakes { mistakes, .. } = &error else { panic!("{text}: {error}") };
        assert!(!mistakes.is_empty(), "{text}");
    }
}

#[test]
fn values() {
    // text, velocity, deviation, duration, probability, warnings
    for (text, velocity, deviation, duration, probability, warnings) in [
        ("v88-88", 88.0, 0.0, 1.0, 1.0, 0),
        ("v100-200", 100.0, 27.0, 1.0, 1.0, 1),
        ("v200-300", 127.0, 0.0, 1.0, 1.0, 2),
        ("v110-80", 80.0, 30.0, 1.0, 1.0, 0),
        ("p1", 100.0, 0.0, 1.0, 1.0, 0),
        ("p.5", 100.0, 0.0, 1.0, 0.5, 0),
        ("p0.25", 100.0, 0.0, 1.0, 0.25, 0),
        ("p1.", 100.0, 0.0, 1.0, 1.0, 0),
        ("p0", 100.0, 0.0, 1.0, 0.0, 0),
        ("p7", 100.0, 0.0, 1.0, 1.0, 1),
        ("n5/8", 100.0, 0.0, 2.5, 1.0, 0),
        ("n/12", 100.0, 0.0, 0.3333, 1.0, 0),
        ("n3/8t", 100.0, 0.0, 1.0, 1.0, 0),
        ("n0.37/4", 100.0, 0.0, 0.37, 1.0, 0),
        ("n3./4", 100.0, 0.0, 3.0, 1.0, 0),
        ("n01/4", 100.0, 0.0, 1.0, 1.0, 0),
        ("2bars", 100.0, 0.0, 8.0, 1.0, 0),
        ("1bar+n/8t", 100.0, 0.0, 4.3333, 1.0, 0),
        ("n/8 1bar-n/1", 100.0, 0.0, 0.5, 1.0, 1),
        ("[v80-90 v10]", 80.0, 10.0, 1.0, 1.0, 0),
        ("[1bar n/4]", 100.0, 0.0, 4.0, 1.0, 0),
        ("[p.5 p1]", 100.0, 0.0, 1.0, 0.5, 0),
    ] {
        let parsed = parse(&format!("{text} C3 1|1"), Meter::COMMON, &[]).unwrap_or_else(|e| panic!("{text}: {e}"));
        let note = parsed.notes[0];
        let found = (note.velocity, note.velocity_deviation, round(note.duration), note.probability);
        assert_eq!((found, parsed.warnings.len()), ((velocity, deviation, duration, probability), warnings), "{text}");
    }
}

#[test]
fn state() {
    let of = |list: &[(f64, f64, f64)]| list.to_vec();
    // text, (start, duration, velocity) of each note, warnings
    for (text, notes, warnings) in [
        // A cycle goes on over positions and groups, until its parameter is set again.
        (
            "[v10 v20 v30] C3 1|1 D3 1|2 E3 1|3,4",
            of(&[(0.0, 1.0, 10.0), (1.0, 1.0, 20.0), (2.0, 1.0, 30.0), (3.0, 1.0, 10.0)]),
            0,
        ),
        ("[v10 v20] C3 1|1 [v10 v20] 1|2 1|3", of(&[(0.0, 1.0, 10.0), (1.0, 1.0, 10.0), (2.0, 1.0, 20.0)]), 0),
        ("[v10 v20] C3 1|1 v99 1|2", of(&[(0.0, 1.0, 10.0), (1.0, 1.0, 99.0)]), 0),
        ("C3 [v10 v20] 1|1,2", of(&[(0.0, 1.0, 10.0), (1.0, 1.0, 20.0)]), 0),
        ("[n/8 n/4] C3 1|1 n/1 1|2", of(&[(0.0, 0.5, 100.0), (1.0, 4.0, 100.0)]), 0),
        // With a step the pattern of lengths is only that.
        ("[n/4 n/8] C3 1|1x3@n/2", of(&[(0.0, 1.0, 100.0), (2.0, 0.5, 100.0), (4.0, 1.0, 100.0)]), 0),
        // A copy that fails ends the cycles as well.
        ("[v10 v20] C3 1|1 @1=1 C3 1|2", of(&[(0.0, 1.0, 10.0), (1.0, 1.0, 100.0)]), 1),
        ("[v10 v20] C3 1|1 @1= C3 1|2", of(&[(0.0, 1.0, 10.0), (1.0, 1.0, 100.0)]), 1),
        ("n/8 [n/4 n/2] C3 1|1 @2=1 C3 1|2", of(&[(0.0, 1.0, 100.0), (1.0, 0.5, 100.0), (4.0, 1.0, 100.0)]), 0),
        // Settings stay through a copy.
        ("v50 n/8 C3 1|1 @2=1 D3 2|2", of(&[(0.0, 0.5, 50.0), (4.0, 0.5, 50.0), (5.0, 0.5, 50.0)]), 0),
        // A setting overwrites what each carried pitch had of its own.
        ("v10 C3 v20 D3 1|1 v30 1|2", of(&[(0.0, 1.0, 10.0), (0.0, 1.0, 20.0), (1.0, 1.0, 30.0), (1.0, 1.0, 30.0)]), 0),
        // A pitch of no range opens a group all the same.
        ("C3 1|1 G9 1|2", of(&[(0.0, 1.0, 100.0)]), 2),
        // A pickup belongs to the bar before bar 1.
        ("C3 1|1-n/8 1|1 @2=1", of(&[(-0.5, 1.0, 100.0), (0.0, 1.0, 100.0), (4.0, 1.0, 100.0)]), 1),
        // Deletions are copied like notes, and stay in force.
        ("C3 1|1 2|1 v0 C3 1|1 @2=1 v9 D3 3|1", of(&[(8.0, 1.0, 9.0)]), 0),
        ("C3 1|1,2 v0 C3 1|1 D3 1|2", of(&[(1.0, 1.0, 100.0)]), 1),
        ("v0 C3 1|1", of(&[]), 1),
        // Same place: closer than a thousandth of a quarter.
        ("C3 1|1 v9 C3 1|1.0009", of(&[(0.0009, 1.0, 9.0)]), 0),
        ("C3 1|1 v9 C3 1|1.001", of(&[(0.0, 1.0, 100.0), (0.001, 1.0, 9.0)]), 0),
        ("(C3 C3) 1|1", of(&[(0.0, 1.0, 100.0)]), 0),
        // One warning when all of a source is empty, none when a part is.
        ("C3 1|1 @5=2-4", of(&[(0.0, 1.0, 100.0)]), 1),
        ("C3 2|1 @5=1-3", of(&[(4.0, 1.0, 100.0), (20.0, 1.0, 100.0)]), 0),
        // Cut short where the destination is smaller, tiled where it is larger.
        ("C3 1|1 2|1 @3-3=1-2", of(&[(0.0, 1.0, 100.0), (4.0, 1.0, 100.0), (8.0, 1.0, 100.0)]), 0),
        // A refused copy says only why it is refused.
        ("C3 1|1 D3 @5-3=1", of(&[(0.0, 1.0, 100.0)]), 1),
        // What is lost before a copy, and before @clear.
        ("C3 1|1 D3 v9 @2=1", of(&[(0.0, 1.0, 100.0), (4.0, 1.0, 100.0)]), 2),
        ("C3 1|1 D3 E3 @clear", of(&[(0.0, 1.0, 100.0)]), 1),
        // A setting that no position uses before the copy.
        ("v50 C3 1|1 v90 @2=1 D3 2|2", of(&[(0.0, 1.0, 50.0), (4.0, 1.0, 50.0), (5.0, 1.0, 90.0)]), 1),
        ("v50 C3 1|1 v90 @clear D3 2|2", of(&[(0.0, 1.0, 50.0), (5.0, 1.0, 90.0)]), 1),
        ("v50 C3 1|1 v90 1|2 @2=1", of(&[(0.0, 1.0, 50.0), (1.0, 1.0, 90.0), (4.0, 1.0, 50.0), (5.0, 1.0, 90.0)]), 0),
        // Each entry of a list warns for itself.
        ("1|1,2 2|1x3", of(&[]), 3),
        ("C3 1|1-n/8,1-n/16", of(&[(-0.5, 1.0, 100.0), (-0.25, 1.0, 100.0)]), 2),
        ("C3 1|1-n/8x2@n/4", of(&[(-0.5, 1.0, 100.0), (0.5, 1.0, 100.0)]), 1),
        ("C3 v9 v8 1|1", of(&[(0.0, 1.0, 100.0)]), 1),
        ("C3 v9 D3 1|1", of(&[(0.0, 1.0, 100.0), (0.0, 1.0, 9.0)]), 0),
    ] {
        let parsed = parse(text, Meter::COMMON, &[]).unwrap_or_else(|e| panic!("{text}: {e}"));
        let found: Vec<_> = parsed.notes.iter().map(|n| (round(n.start), round(n.duration), n.velocity)).collect();
        let said = super::warnings(&parsed);
        assert_eq!((found, said.len()), (notes, warnings), "{text}: {said:?}");
    }
    // A bracket of pitches written after a position starts anew, and all of a group count together.
    for (text, pitches) in [
        ("[C3 D3] 1|1 [C3 D3] 1|2", "60 60"),
        ("[C3 D3] [E3 F3 G3] 1|1,2,3", "60 64 62 65 60 67"),
        ("[C3 D3] A3 1|1,2", "60 69 62 69"),
        ("[C3 D3] 1|1 v50 1|2,3", "60 62 60"),
    ] {
        let notes = parse(text, Meter::COMMON, &[]).unwrap().notes;
        assert_eq!(notes.iter().map(|n| n.pitch.to_string()).collect::<Vec<_>>().join(" "), pitches, "{text}");
    }
}

#[test]
fn warnings_give_their_facts() {
    for (text, facts) in [
        ("E2 G9 1|1", vec!["139", "skipped"]),
        ("v300 E2 1|1", vec!["300", "127"]),
        ("v10-300 E2 1|1", vec!["300", "127"]),
        ("p3 E2 1|1", vec!["3", "1"]),
        ("n0/4 E2 1|1", vec!["n0/4"]),
        ("E2 1|1-n/8", vec!["1|1-n/8", "before the clip's start"]),
        ("1|1,2,3x5", vec!["1|1 has no", "1|2 has no", "1|3 has no"]),
        ("2|1x3,3", vec!["2|1 has no", "2|3 has no"]),
        ("E2 1|1-n/4", vec!["is 1 quarter beat before"]),
        ("E2 1|1,1-n/8", vec!["1|1-n/8 is 0.5 quarter beats before"]),
        ("F#9 E2 1|1", vec!["pitch F#9 (138)", "(line 1, column 1)"]),
        ("[C3\n (D3 G9)] 1|1", vec!["pitch G9 (139)", "(line 2, column 2)"]),
        ("v200 C3 1|1\r\nv200 1|2\rv300 1|3", vec!["(line 1, column 1)", "(line 2, column 1)", "(line 3, column 1)"]),
        ("[n/8 n0/4] C3 1|1", vec!["n0/4 comes to", "(line 1, column 6)"]),
        ("E2 v5 1|1", vec!["no effect"]),
        ("E2 F2", vec!["2 pitches"]),
        ("E2 1|1 v5 F2 v6 @2=1", vec!["1 pitch"]),
        ("E2 1|1x200@n/64", vec!["200 times", "at 4|1+n7/64"]),
        ("E2 1|1 @5=3", vec!["bar 3"]),
        ("E2 1|1 @5=3-4", vec!["bars 3-4"]),
        ("E2 1|1 @1=1", vec!["@1=1"]),
        ("E2 1|1 @1=", vec!["@1=", "before bar 1"]),
        ("E2 1|1 @4-3=1", vec!["@4-3=1", "backwards"]),
    ] {
        let parsed = parse(text, Meter::COMMON, &[]).unwrap_or_else(|e| panic!("{text}: {e}"));
        let warnings = warnings(&parsed).join("\n");
        for fact in facts {
            assert!(warnings.contains(fact), "{text}: {warnings:?} says {fact}");
        }
    }
}

#[test]
fn numbers_beyond_all_are_told_as_they_were_written() {
    for (letter, kind) in [("v", "velocity"), ("p", "probability")] {
        let text = format!("{letter}{} C3 1|1", "9".repeat(400));
        let warnings = parse(&text, Meter::COMMON, &[]).unwrap().warnings;
        assert!(warnings[0].starts_with(&format!("{kind} {}\u{2026} is above", "9".repeat(24))), "{warnings:?}");
    }
    assert_eq!(parse("v300-300 C3 1|1", Meter::COMMON, &[]).unwrap().warnings.len(), 1);
}

//! What is refused, where, and with which fix.

use super::*;

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
        ("@2=0", 0, "bars count from 1", Some("@2=1")),
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
        ("F2 1|1x4@16", 3, "step", None),
        ("F2 1|1-4", 3, "needs its n", None),
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
        ("C3D3E3", 2, "space", Some("C3 D3 E3")),
        ("v90C3D#3n/4 1|1", 3, "space", Some("v90 C3 D#3 n/4")),
        ("C3D3Em", 0, "letter A to G", None),
        ("C3 1|1,\n3", 8, "one line", Some("1|1,3")),
        ("C3 1|1, // and\r\n  3.5,4 D3 2|1", 18, "one line", Some("1|1,3.5,4")),
        ("C3 1|1\n,2|3", 7, "one line", Some("1|1,2|3")),
        ("C3 1|1\n3", 7, "alone says nothing", None),
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
        let NotationError::Mistakes { mistakes, .. } =
            parse(text, Meter::COMMON, &[]).expect_err(&format!("{text} was read"))
        else {
            panic!("{text}")
        };
        let mistake = &mistakes[0];
        let MistakePlace::Text { character: found, .. } = mistake.place else { panic!("{text}") };
        assert_eq!((found, mistake.fix.as_deref()), (character, fix), "{text}: {mistakes:?}");
        let said = mistake.to_string();
        assert!(said.contains(fact), "{text}: {said}");
        if let Some(fix) = &mistake.fix {
            assert!(read::read(fix, Meter::COMMON).is_ok(), "{text}: {fix}");
        }
    }
}

#[test]
fn one_mistake_is_told_once() {
    for text in [
        "C3D3E3 1|1",
        "C3 1|1,\n3",
        "F2 2 | 3",
        "n/8 t F2 1|1",
        "[F2,A2] 1|1",
        "F2A2 1|1",
        "F2,A2 1|1",
        "@2 = 1",
        "F2 1|0 2|1",
    ] {
        let error = parse(text, Meter::COMMON, &[]).unwrap_err();
        assert!(matches!(&error, NotationError::Mistakes { mistakes, .. } if mistakes.len() == 1), "{text}: {error}");
    }
}

#[test]
fn independent_mistakes_are_told_together() {
    let text = "v200 F2 1|0 // \u{e9}\n  Dm7 2|1\n[A2 C3 3|1 64\nv0-3";
    let NotationError::Mistakes { mistakes, .. } = parse(text, Meter::COMMON, &[]).unwrap_err() else { panic!() };
    let places: Vec<_> = mistakes
        .iter()
        .map(|m| match m.place {
            MistakePlace::Text { line, column, .. } => (line, column, m.found.as_deref().unwrap_or("")),
            MistakePlace::Element { .. } => panic!(),
        })
        .collect();
    assert_eq!(places, [(1, 9, "1|0"), (2, 3, "Dm7"), (3, 1, "[A2"), (3, 12, "64"), (4, 1, "v0-3")]);
    let error = parse(&"64 ".repeat(50), Meter::COMMON, &[]).unwrap_err();
    assert!(matches!(&error, NotationError::Mistakes { mistakes, .. } if mistakes.len() == 10));
    assert!(error.to_string().contains("line 1, column 28 (character 27)"), "{error}");
}

#[test]
fn limits_are_named_and_nothing_runs_away() {
    for text in ["F2 1|1x1000000000@n/64", "F2 1|1x100000@n/64 1|1", "F2 1|1 @2-1000000=1", "(F2 A2) 1|1x50001@n/64"] {
        assert_eq!(parse(text, Meter::COMMON, &[]), Err(NotationError::TooManyNotes), "{text}");
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

#[test]
fn a_foreign_line_is_one_mistake() {
    let text = "v90 n/8 C3 1|1\n1.1 C3 4 100\n60 0 1 100\nC4 q";
    let Err(NotationError::Mistakes { mistakes, .. }) = read::read(text, Meter::COMMON) else { panic!("it reads") };
    let fixes: Vec<Option<&str>> = mistakes.iter().map(|mistake| mistake.fix.as_deref()).collect();
    assert_eq!(fixes, [Some("v100 n/1 C3 1|1"), Some("v100 n/4 C3 1|1"), Some("n/4 C4 1|1")], "{mistakes:?}");
    assert!(mistakes.iter().all(|mistake| mistake.problem.contains("another notation")), "{mistakes:?}");
}

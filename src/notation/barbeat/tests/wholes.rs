//! Mistakes that are told of once and truly: in lists of positions, in brackets, behind places, at limits.

use super::*;

/// Every mistake: its character, what is found, a fact of it, the fix.
type ExpectedMistake = (usize, &'static str, &'static str, Option<&'static str>);

fn tells(text: &str, told: &[ExpectedMistake]) {
    let error = parse(text, Meter::COMMON, &[]).expect_err(&format!("{text} was read"));
    let NotationError::Mistakes { mistakes, .. } = &error else { panic!("{text}") };
    assert_eq!(mistakes.len(), told.len(), "{text}: {error}");
    for (mistake, (character, found, fact, fix)) in mistakes.iter().zip(told) {
        let MistakePlace::Text { character: at, .. } = mistake.place else { panic!("{text}") };
        assert_eq!((at, mistake.found.as_deref()), (*character, Some(*found)), "{text}: {error}");
        assert!(mistake.problem.contains(fact), "{text}: {error}");
        assert_eq!(mistake.fix.as_deref(), *fix, "{text}: {error}");
        if let Some(fix) = &mistake.fix {
            assert!(read::read(fix, Meter::COMMON).is_ok(), "{text}: {fix}");
        }
    }
}

#[test]
fn lists() {
    const OFFSET: &str = "needs its n";
    for (text, told) in [
        ("C3 1|1, 2|1, 3bar D3", vec![(13, "3bar", "followed by a beat", Some("1|1,2|1 3bar"))]),
        ("C3 1|1, 2bar", vec![(8, "2bar", "followed by a beat", Some("1|1 2bar"))]),
        ("C3 1|1,D3 1|2", vec![(7, "D3", "followed by a beat", Some("1|1 D3"))]),
        ("C3 1|1, 2, 3|1x2@1", vec![(11, "3|1x2@1", "step", Some("1|1,2,3|1x2@n/4"))]),
        ("C3 2|1, 3, 4+0.5", vec![(11, "4+0.5", OFFSET, Some("2|1,3,4+n/8"))]),
        ("C3 1|1+1/3 , 2", vec![(3, "1|1+1/3", OFFSET, Some("1|1+n/12,2"))]),
        ("C3 1|1x4@1, 2, 3", vec![(3, "1|1x4@1", "step", Some("1|1x4@n/4,2,3"))]),
        ("C3 1|1, 2, 3|1,  4x2@1", vec![(17, "4x2@1", "step", Some("1|1,2,3|1,4x2@n/4"))]),
        // Two entries, each at its own place.
        (
            "C3 0|1, 2, 3+0.5 1|0",
            vec![
                (3, "0|1", "bar here is 0", Some("1|1,2,3+n/8")),
                (11, "3+0.5", OFFSET, Some("1|1,2,3+n/8")),
                (17, "1|0", "beat here is 0", Some("1|1")),
            ],
        ),
        (
            "C3 1|1,, 2 , ,3",
            vec![(7, ",", "between two commas", Some("1|1,2,3")), (13, ",", "between two commas", Some("1|1,2,3"))],
        ),
        ("C3 1|1, ,2", vec![(8, ",", "between two commas", Some("1|1,2"))]),
        ("C3 1|1, 2, 0", vec![(11, "0", "beats count from 1", Some("1|1,2,1"))]),
        ("C3 1|1, 2, 03", vec![(11, "03", "beats count from 1", Some("1|1,2,3"))]),
        ("C3 1|1,x", vec![(7, "x", "behind the comma", None)]),
        ("C3 1|1,/*x*/2", vec![(12, "2", "no comment", Some("1|1,2"))]),
        ("C3 1|1 /*x*/ , 2 D3", vec![(15, "2", "no comment", Some("1|1,2"))]),
        ("C3 1|1,2|,3", vec![(7, "2|", "after the pipe", Some("1|1,2|1,3"))]),
        ("C3 1|1/D3", vec![(3, "1|1/D3", "bar|beat", None)]),
        ("C3 1|1,2 , 3x 2, 4", vec![(11, "3x 2", "blank", Some("1|1,2,3x2,4"))]),
        ("C3 1|1+ n/8", vec![(3, "1|1+ n/8", "a blank", Some("1|1+n/8"))]),
        ("C3 1|1 + n/8, 2", vec![(7, "+ n/8", "a blank", Some("1|1+n/8,2"))]),
        ("C3 1|1x 4", vec![(3, "1|1x 4", "a blank", Some("1|1x4"))]),
        ("C3 1|1 x 4", vec![(7, "x 4", "a blank", Some("1|1x4"))]),
        ("C3 1|1x4@ n/8", vec![(3, "1|1x4@ n/8", "a blank", Some("1|1x4@n/8"))]),
        ("C3 1|1x4 @n/4, 3", vec![(9, "@n/4", "a blank", Some("1|1x4@n/4,3"))]),
        ("C3 1 | 0, 2", vec![(3, "1 | 0", "beats count from 1", Some("1|1,2"))]),
        ("C3 1 |1, 2", vec![(3, "1 |1", "pipe", Some("1|1,2"))]),
        ("C3 1.3, 4", vec![(3, "1.3", "pipe", Some("1|3,4"))]),
        ("C3 1|1,2C4 1|3", vec![(7, "2C4", "space", Some("1|1,2 C4"))]),
        ("C3 1|1,2]", vec![(8, "]", "no bracket is open", None)]),
        (
            "C3 11)|1",
            vec![(3, "11", "bar|beat", None), (5, ")", "no bracket is open", None), (6, "|1", "bar|beat", None)],
        ),
        ("C3 1|1(D3) 1|2", vec![(6, "(D3)", "space", None)]),
        ("C3 1|1x4@1/3", vec![(3, "1|1x4@1/3", "step", Some("1|1x4@n/12"))]),
        // An eighth of a beat, or an eighth note?
        ("C3 1|1x4@1/8", vec![(3, "1|1x4@1/8", "step", None)]),
        ("C3 1|1x4@n8", vec![(3, "1|1x4@n8", "step", Some("1|1x4@n/8"))]),
        ("C3 1|1+n/08,2", vec![(3, "1|1+n/08", "leading zero", Some("1|1+n/8,2"))]),
        ("C3 1|1x4@n0/4, 2+0.5", vec![(3, "1|1x4@n0/4", "greater than 0", None), (15, "2+0.5", OFFSET, None)]),
        ("C3 1|1\u{d7}4", vec![(6, "\u{d7}", "U+00D7", Some("1|1x4"))]),
        ("C3 1\u{ff5c}1", vec![(4, "\u{ff5c}", "U+FF5C", Some("1|1"))]),
        ("v90\u{2013}100 C3 1|1", vec![(3, "\u{2013}", "U+2013", Some("v90-100"))]),
        ("C3 1|1,\n3, 4", vec![(8, "3, 4", "one line", Some("1|1,3,4"))]),
    ] {
        tells(text, &told);
    }
}

#[test]
fn numbers_behind_places() {
    for (text, told) in [
        ("C3 1|1 @2= 1", vec![(11, "1", "blank", Some("@2=1"))]),
        ("C3 1|1 2 3", vec![(7, "2 3", "alone says nothing", None)]),
        ("C3 1|1 2.5", vec![(7, "2.5", "alone says nothing", None)]),
        ("C3 1|0 2 3", vec![(3, "1|0", "beats count from 1", Some("1|1")), (7, "2 3", "alone says nothing", None)]),
        ("C3 1|1 72 1|2", vec![(7, "72", "not numbered", Some("C4"))]),
        ("12 1|1", vec![(0, "12", "not numbered", Some("C-1"))]),
    ] {
        tells(text, &told);
    }
}

#[test]
fn words() {
    for (text, told) in [
        ("C3, E3, G3 1|1", vec![(2, ",", "commas", Some("C3 E3 G3"))]),
        ("C3+E3 1|1", vec![(0, "C3+E3", "spaces between", Some("C3 E3"))]),
        ("C3/E3/G3 1|1", vec![(0, "C3/E3/G3", "spaces between", Some("C3 E3 G3"))]),
        ("C+3 1|1", vec![(0, "C+3", "letter A to G", None)]),
        ("C3 ,# hm\nD3 2|1", vec![(3, ",", "commas", None)]),
        ("C3 x */ 1|1", vec![(3, "x", "expected", None), (5, "*/", "no comment", None)]),
        ("C3 x1|2.25 ,3", vec![(3, "x1|2.25", "bar|beat", None)]),
        ("Cm7(b5) 1|1", vec![(0, "Cm7(b5)", "chord names", None)]),
        ("C3/ 1|1", vec![(0, "C3/", "letter A to G", None)]),
        ("do 1|1", vec![(0, "do", "letter A to G", None)]),
        ("H3 1|1", vec![(0, "H3", "letter A to G", None)]),
        ("C3b 1|1", vec![(0, "C3b", "letter A to G", Some("Cb3"))]),
        ("v60-v80 C3 1|1", vec![(0, "v60-v80", "velocity", Some("v60-80"))]),
        ("p50% C3 1|1", vec![(0, "p50%", "probability", Some("p0.5"))]),
        ("n/8. C3 1|1", vec![(0, "n/8.", "length", Some("n/8d"))]),
        ("n/08 C3 1|1", vec![(0, "n/08", "no leading zero", Some("n/8"))]),
        ("1bar-n/08 C3 1|1", vec![(0, "1bar-n/08", "no leading zero", Some("1bar-n/8"))]),
        ("C3 1|1x2@n/08", vec![(3, "1|1x2@n/08", "no leading zero", Some("1|1x2@n/8"))]),
        ("v0-0 C3 1|1", vec![(0, "v0-0", "at 1", Some("v0"))]),
        ("@2=01", vec![(0, "@2=01", "bar here is 01", Some("@2=1"))]),
        ("@2=0", vec![(0, "@2=0", "bar here is 0", Some("@2=1"))]),
        ("@0=", vec![(0, "@0=", "bar here is 0", None)]),
        ("C3 1000000000|1", vec![(3, "1000000000|1", "1,000,000,000 quarter beats", None)]),
        ("C3 1000000001|1", vec![(3, "1000000001|1", "up to 1,000,000,000", None)]),
        ("250001bar C3 1|1", vec![(0, "250001bar", "1,000,000 quarter beats", None)]),
        ("n1000000000/4 C3 1|1", vec![(0, "n1000000000/4", "1,000,000 quarter beats", None)]),
        ("n/99999999999 C3 1|1", vec![(0, "n/99999999999", "up to 1,000,000,000", None)]),
        ("C3 1|1x3@1000000000bar", vec![(3, "1|1x3@1000000000bar", "1,000,000,000 quarter beats", None)]),
    ] {
        tells(text, &told);
    }
}

#[test]
fn brackets() {
    for (text, told) in [
        ("(C3 E3] 1|1", vec![(6, "]", "which is (", None)]),
        ("[C3 E3)] 1|1", vec![(6, ")", "which is [", None)]),
        ("[C3) 1|1", vec![(3, ")", "which is [", None)]),
        ("[(C3 E3] 1|1", vec![(1, "(C3", "( is never closed", None)]),
        ("[n4 n8 n/4] C3 1|1", vec![(1, "n4", "denominator", Some("n/4")), (4, "n8", "denominator", Some("n/8"))]),
        ("[v90 v-5 v80.5] C3 1|1", vec![(5, "v-5", "velocity", None), (9, "v80.5", "velocity", Some("v81"))]),
        ("(H3 X3) 1|1", vec![(1, "H3", "letter A to G", None), (4, "X3", "letter A to G", None)]),
        ("[v90 v0-5] C3 1|1", vec![(5, "v0-5", "at 1", Some("v1-5"))]),
        ("[p0.5 p1/2] C3 1|1", vec![(6, "p1/2", "probability", Some("p0.5"))]),
        ("[v90 C3 n4] 1|1", vec![(0, "[v90 C3 n4]", "one kind", None), (8, "n4", "denominator", Some("n/4"))]),
        ("[n/4 n2000000/1] C3 1|1", vec![(5, "n2000000/1", "1,000,000 quarter beats", None)]),
        ("[(C3 X3) H2] 1|1", vec![(5, "X3", "letter A to G", None), (9, "H2", "letter A to G", None)]),
        ("[(F# eb3) e3 (G4 F3) a#1] X9 1|1", vec![(2, "F#", "octave", Some("F#3")), (26, "X9", "expected", None)]),
        ("[G3(B3 D3) A3] 1|1", vec![(3, "(B3", "space", None)]),
        ("[(B3 D3)A3] 1|1", vec![(8, "A3]", "space", None)]),
        ("n[(G3 B3) A3] 1|1", vec![(0, "n", "length", None)]),
        ("[p.5, p.6\nC3 1|1", vec![(0, "[p.5,", "never closed", None)]),
        ("(C3 (E3 G3)) X9 1|1", vec![(4, "(E3", "chord", None), (13, "X9", "expected", None)]),
    ] {
        tells(text, &told);
    }
}

#[test]
fn more_than_ten_are_told_of_as_more() {
    for (count, more) in [(9, false), (10, false), (11, true), (50, true)] {
        let error = parse(&"64 ".repeat(count), Meter::COMMON, &[]).unwrap_err();
        assert_eq!(error.to_string().contains("there may be more"), more, "{count}");
        assert_eq!(error.to_string().matches("not numbered").count(), count.min(10));
    }
}

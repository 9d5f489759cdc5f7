//! What is refused, where, and with which correction.

use super::*;

/// The first mistake of a text that is refused, by its grammar or by its arguments.
fn refusal(text: &str) -> Option<Mistake> {
    let refused = Program::parse(text)
        .and_then(|program| [ClipKind::Midi, ClipKind::Audio].iter().try_for_each(|kind| program.check(*kind)));
    match refused {
        Ok(()) => None,
        Err(NotationError::Mistakes { mistakes, .. }) => mistakes.into_iter().next(),
        Err(other) => panic!("{text}: {other}"),
    }
}

#[test]
fn names_the_mistake_and_the_corrected_line() {
    let mut wrong = Vec::new();
    for (text, found, problem, fix) in [
        // Statements.
        ("velosity = 3", "velosity", "no parameter", Some("velocity = 3")),
        ("vel += 3", "vel", "no parameter", Some("velocity += 3")),
        ("length = n/4", "length", "no parameter", Some("duration = n/4")),
        ("D3: start = 3", "start", "no parameter", Some("D3: timing = 3")),
        ("prob = 0.3", "prob", "no parameter", Some("probability = 0.3")),
        ("Velocity = 3", "Velocity", "no parameter", Some("velocity = 3")),
        ("xyz = 3", "xyz", "no parameter", None),
        ("note.velocity = 3", "note.velocity", "no parameter", Some("velocity = 3")),
        ("hello there", "hello", "a line is", None),
        ("deleet", "deleet", "a line is", Some("delete")),
        ("C3: delet", "delet", "a line is", Some("C3: delete")),
        ("DELETE", "DELETE", "a line is", Some("delete")),
        ("velosity 80", "velosity", "a line is", Some("velocity = 80")),
        ("durration = 1", "durration", "no parameter", Some("duration = 1")),
        ("rachet(3)", "rachet", "a line is", Some("ratchet(3)")),
        ("Merge()", "Merge", "a line is", Some("merge()")),
        ("C3: slpit(1|2)", "slpit", "a line is", Some("C3: split(1|2)")),
        ("wher(note.pitch > 3): v1", "wher", "where(...)", Some("where(note.pitch > 3): v1")),
        ("C3 whre(note.pitch > 3): v1", "whre", "where(...)", Some("C3 where(note.pitch > 3): v1")),
        ("velocity = sin(1bar, 0.5, synk)", "synk", "sync goes with", Some("velocity = sin(1bar, 0.5, sync)")),
        ("velocity = notte.pitch", "notte.pitch", "no such value", Some("velocity = note.pitch")),
        ("velocity = clp.indx", "clp.indx", "no such value", Some("velocity = clip.index")),
        ("velocity = velosity + 1", "velosity", "a value is", Some("velocity = note.velocity + 1")),
        ("velocity = romp(1, 2)", "romp", "no such function", Some("velocity = ramp(1, 2)")),
        ("v+10; v+20", ";", "without semicolons", None),
        ("velocity: 80", ":", "after a parameter", Some("velocity= 80")),
        ("velocity 80", "80", "after a parameter", Some("velocity = 80")),
        ("velocity", "", "after a parameter", None),
        ("velocity > 80", ">", "conditions belong", None),
        ("velocity = 80 > 70", ">", "conditions belong", None),
        ("velocity =", "", "needed after =", None),
        ("velocity = 3 +", "", "needed after +", None),
        ("velocity = 3 4", "4", "an operator", None),
        ("velocity = (3 + 4", "(", "never closed", None),
        ("velocity = abs(3", "abs(", "never closed", Some("velocity = abs(3)")),
        ("velocity = 3)", ")", "an operator", None),
        ("velocity = 3 /* no end", "/*", "never closed", None),
        ("/* no end", "/*", "never closed", None),
        ("velocity = 5\u{a0}+ 3", "\u{a0}", "U+00A0", None),
        ("v90 + 3", "+", "stands alone", None),
        ("C3 * 2", "*", "stands alone", None),
        ("v0-40", "v0-40", "starts at 1", Some("v1-40")),
        ("n4", "n4", "denominator", None),
        ("n/0", "n/0", "counts from 1", None),
        ("60: v90", "60", "by name", Some("C3: v90")),
        ("C3 v90", "C3", "ends with a colon", Some("C3: v90")),
        ("1|1-2|1 v90", "1|1-2|1", "ends with a colon", Some("1|1-2|1: v90")),
        ("E3-C3: v90", "E3-C3", "runs upwards", Some("C3-E3: v90")),
        ("2|1-1|1: v90", "2|1-1|1", "runs upwards", None),
        ("1|3-1|2: v90", "1|3-1|2", "runs upwards", None),
        ("3|*-2|*: v90", "3|*-2|*", "runs upwards", None),
        ("1|*-2|1: v90", "1|*-2|1", "whole bars", None),
        ("1|1-2|*: v90", "1|1-2|*", "whole bars", None),
        ("1|0: v90", "1|0", "beats count from 1", Some("1|1: v90")),
        ("0|1: v90", "0|1", "bars count from 1", Some("1|1: v90")),
        ("1|4/3: v90", "1|4/3", "bare fraction", Some("1|1+n/12: v90")),
        ("1|1+1/3: v90", "1|1+1/3", "offset", Some("1|1+n/12: v90")),
        ("G9: v1", "G9", "C-2", None),
        ("H3: v1", "H3", "no parameter", None),
        // Values.
        ("velocity = n4", "n4", "denominator", Some("velocity = n/4")),
        ("velocity = n/0", "n/0", "counts from 1", None),
        ("velocity = n/1bar", "n/1bar", "mixed", None),
        ("velocity = sin(4t)", "4t", "no length", None),
        ("velocity = sin(1:0t)", "1:0t", "no length", None),
        ("velocity = C", "C", "octave", None),
        ("pitch = C", "C", "octave", Some("pitch = C3")),
        ("pitch = C9", "C9", "C-2", None),
        ("velocity = -note.velocity", "-note.velocity", "a minus stands", Some("velocity = -1 * note.velocity")),
        ("velocity = -(5)", "-(5", "a minus stands", Some("velocity = -1 * (5)")),
        ("velocity =- 5", "- 5", "a minus stands", None),
        ("velocity = bar.x", "bar.x", "no such value", None),
        ("velocity = note.vel", "note.vel", "there is no such value", Some("velocity = note.velocity")),
        ("velocity = note.time", "note.time", "there is no such value", Some("velocity = note.start")),
        ("velocity = clip.foo", "clip.foo", "barDuration", None),
        ("velocity = prev.pitch", "prev.pitch", "no such value", None),
        ("velocity = velocity + 1", "velocity", "no such value", Some("velocity = note.velocity + 1")),
        ("velocity = pi * 2", "pi", "no pi", None),
        ("velocity = rnd(3)", "rnd", "no such function", Some("velocity = rand(3)")),
        ("velocity = foo(3)", "foo", "cos, sin", None),
        ("velocity = rand", "rand", "right behind its name", None),
        ("velocity = v80-90", "v80", "no value", None),
        ("velocity = delete", "delete", "no value", Some("velocity = 0")),
        ("velocity = ratchet(2)", "ratchet", "statement of its own", None),
        ("ratchet 2", "ratchet", "is written", None),
        ("ratchet (2)", "ratchet", "is written", Some("ratchet(2)")),
        ("velocity = ramp(1, 2, sync)", "sync", "sync goes with", None),
        ("velocity = sin(1bar, raw)", "raw", "sync goes with", None),
        ("split(sync)", "sync", "sync goes with", None),
        ("split(1|2", "split(", "never closed", None),
        ("split(3)", "3", "bar|beat", None),
        ("velocity = 5 % ", "", "needed after %", None),
        ("velocity = 1e5", "e5", "an operator", None),
        // Conditions.
        ("where(velocity > 80): v1", "velocity", "written as note.velocity", Some("where(note.velocity > 80): v1")),
        (
            "where(note.velocity > 80 and note.pitch > C3): v1",
            "and",
            "&&",
            Some("where(note.velocity > 80 && note.pitch > C3): v1"),
        ),
        ("where(note.pitch = C3): v1", "=", "==", Some("where(note.pitch == C3): v1")),
        ("where(not note.pitch > C3): v1", "not", "! for not", Some("where(! note.pitch > C3): v1")),
        ("where(note.velocity): v1", "note.velocity", "holds a comparison", None),
        ("where(note.index > 1): v1", "note.index", "only note.velocity", None),
        ("where(next.pitch > 1): v1", "next.pitch", "only note.velocity", None),
        ("where(clip.index > 1): v1", "clip.index", "only note.velocity", None),
        ("where(seq(1, 2) > 1): v1", "seq", "inside where", None),
        ("where(legato() > 1): v1", "legato", "inside where", None),
        ("where(1 < 2 < 3): v1", "<", "between numbers", None),
        ("where((1 < 2) + 3 > 1): v1", "+", "between numbers", None),
        ("where(1 < 2 && 3): v1", "&", "between numbers", None),
        ("where(note.pitch > C3: v1", "(", "never closed", Some("where(note.pitch > C3): v1")),
        ("where (note.pitch > C3 : v = 1", "(", "never closed", None),
        ("where((note.pitch > C3): v1", "(", "never closed", Some("where((note.pitch > C3)): v1")),
        ("where(abs(note.pitch: v1", "abs(", "never closed", None),
        ("where(note.pitch > C3 v1", "(", "never closed", None),
        ("where(note.pitch > abs(3: velocity = ramp(1, 2)", "abs(", "never closed", None),
        (
            "C3 where(note.velocity > 8: velocity = abs(3)",
            "(",
            "never closed",
            Some("C3 where(note.velocity > 8): velocity = abs(3)"),
        ),
        ("where(note.pitch > C3", "(", "never closed", None),
        ("where note.pitch > C3: v1", "where", "holds a comparison", Some("where(note.pitch > C3): v1")),
        (
            "where(note.pitch > C3) v1",
            "where(note.pitch > C3)",
            "ends with a colon",
            Some("where(note.pitch > C3): v1"),
        ),
        ("where(note.pitch > C3): ratchet(2)", "ratchet", "cannot select for", None),
        // Arguments.
        ("C3 E3: v1", "E3", "once", None),
        ("C3: D3: E3", "D3", "once", None),
        ("velocity = C3", "C3", "pitch only", None),
        ("velocity = ramp(1)", "ramp", "2 arguments, not 1", None),
        ("velocity = abs()", "abs", "1 argument, not 0", None),
        ("velocity = square(1, 2, 3, 4)", "square", "1 to 3 arguments, not 4", None),
        ("velocity = max(1)", "max", "2 or more", None),
        ("timing += swing(0.1)", "swing(0.1)", "use = with it", None),
        ("timing -= quant(n/4)", "quant(n/4)", "use = with it", None),
        ("velocity = curve(1, 2, 0)", "curve", "above 0", None),
        ("velocity = curve(1, 2, 1 - 3) + 5", "curve", "above 0", None),
        ("timing = swing(0.5)", "swing", "smaller than its grid", None),
        ("timing = swing(-1, 0.75)", "swing", "smaller than its grid", None),
        ("timing = swing(n/4, n/8)", "swing", "smaller than its grid", None),
        ("ratchet(1)", "1", "2 pieces", None),
        ("ratchet()", "ratchet", "1 argument, not 0", None),
        ("ratchet(-n/8)", "-n/8", "2 pieces", None),
        ("repeat(2)", "2", "note value or bars", None),
        ("repeat(n0/4)", "n0/4", "note value or bars", None),
        ("repeat(n/4 * 2)", "n/4 * 2", "note value or bars", None),
        ("repeat(n/4, 0)", "0", "note value or bars", None),
        ("repeat(n/4, 1, 2)", "repeat", "not 3", None),
        ("merge(2)", "2", "merge takes", None),
        ("merge(0, 0)", "merge", "not 2", None),
        ("split()", "split", "split takes", None),
        ("gain = C3", "C3", "pitch only", None),
    ] {
        let Some(mistake) = refusal(text) else {
            wrong.push(format!("{text} was accepted"));
            continue;
        };
        let is_found = mistake.found.as_deref().unwrap_or("") == found;
        if !is_found || !mistake.problem.contains(problem) || mistake.fix.as_deref() != fix {
            wrong.push(format!("{text}: {mistake}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn accepts_what_the_language_has() {
    for text in [
        "C3: D4",
        "velocity = -n/4 + -1bar + -.5",
        "timing = 5 + swing(0.1)",
        "timing += 0 + swing(0.1)",
        "timing -= swing(0.1) - note.start",
        "velocity = wrap ( 1, 2, 3 )",
        "velocity\t=\t/* x */ 3 // y",
        "F#3-Gb4: v1 # z",
        "velocity = 10//3",
        "where ( note.pitch>C3&&note.pitch<C4||!note.start==1 ) : v1",
        "1|1: split( 1|2 ,1|3 , sync )",
        "velocity = note.velocity -3",
        "merge( 0 )",
        "ratchet(rand(2, 4))",
        "ratchet(n/16t)",
        "n3/16d\n2bars\nn2bar\n1bar+n/8\np1.\np.5",
    ] {
        let accepted = text != "velocity = wrap ( 1, 2, 3 )";
        assert_eq!(refusal(text).is_none(), accepted, "{text}: {:?}", refusal(text));
    }
}

#[test]
fn some_arguments_are_wrong_in_some_meters_only() {
    for (text, wrong, right) in [
        ("timing = swing(n/8)", "4/4", "2/2"),
        ("ratchet(1bar - 3)", "4/4", "7/8"),
        ("repeat(n/4, n/4 - 1)", "4/4", "6/8"),
        ("velocity = curve(1, 2, n/4 - 1)", "4/4", "6/8"),
    ] {
        let program = Program::parse(text).unwrap();
        program.check(ClipKind::Midi).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert!(program.check_in_meter(wrong.parse().unwrap(), ClipKind::Midi).is_err(), "{text}");
        assert!(program.check_in_meter(wrong.parse().unwrap(), ClipKind::Audio).is_ok(), "{text}");
        assert!(program.check_in_meter(right.parse().unwrap(), ClipKind::Midi).is_ok(), "{text}");
    }
    // Arguments on lines for the other kind of clip do not matter.
    let program = Program::parse("gain = curve(1, 2, 0)\nv1").unwrap();
    assert!(program.check(ClipKind::Midi).is_ok() && program.check(ClipKind::Audio).is_err());
}

#[test]
fn tells_of_every_mistake_up_to_ten() {
    let Err(NotationError::Mistakes { mistakes, .. }) = Program::parse("v+1\nfoo = 1\n\nvelocity = \n C3 v1") else {
        panic!("read")
    };
    let lines: Vec<usize> = mistakes
        .iter()
        .map(|mistake| match mistake.place {
            MistakePlace::Text { line, .. } => line,
            MistakePlace::Element { .. } => 0,
        })
        .collect();
    assert_eq!(lines, [2, 4, 5]);
    let Err(NotationError::Mistakes { mistakes, .. }) = Program::parse(&"foo = 1\n".repeat(90)) else { panic!("read") };
    assert_eq!(mistakes.len(), 10);
}

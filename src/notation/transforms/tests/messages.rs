//! What is said of lines that are refused or were probably meant otherwise: nothing that is false, no line that does
//! not do what was meant.

use super::*;

fn mistakes(text: &str) -> Vec<Mistake> {
    let refused = Program::parse(text).and_then(|program| program.check(ClipKind::Midi));
    match refused {
        Ok(()) => Vec::new(),
        Err(NotationError::Mistakes { mistakes, .. }) => mistakes,
        Err(other) => panic!("{text}: {other}"),
    }
}

#[test]
fn what_was_meant() {
    let mut wrong = Vec::new();
    for (text, found, problem, fix) in [
        // A sign alone: something is to be added or taken away.
        ("velocity -5", "-5", "after a parameter", Some("velocity -= 5")),
        ("pitch - 12", "-", "after a parameter", Some("pitch -= 12")),
        ("timing -0.1", "-0.1", "after a parameter", Some("timing -= 0.1")),
        ("velocity +10", "+10", "after a parameter", Some("velocity += 10")),
        ("velocity + = 10", "+", "after a parameter", Some("velocity += 10")),
        ("velocity * 2", "*", "after a parameter", Some("velocity *= 2")),
        ("velocity\u{a0}= 5", "\u{a0}", "U+00A0", None),
        ("velocity = 5;", ";", "without semicolons", Some("velocity = 5")),
        ("velocity = (5", "(", "never closed", Some("velocity = (5)")),
        ("velocity = max(3, 4 # loud", "max(", "never closed", Some("velocity = max(3, 4) # loud")),
        ("velocity = abs(3 - 4", "abs(", "never closed", None),
        ("velocity = 80%", "", "remainder of a division", None),
        // Pitches.
        ("pitch = C#", "C#", "octave", Some("pitch = C#3")),
        ("pitch = D\u{266d}", "D\u{266d}", "octave", Some("pitch = D\u{266d}3")),
        ("pitch = C##3", "C#", "octave", None),
        ("pitch = F #3", "F", "octave", Some("pitch = F#3")),
        ("pitch = Bb", "Bb", "octave", Some("pitch = Bb3")),
        ("C#: v50", "C#", "octave", None),
        ("C: v50", "C", "octave", None),
        // Conditions.
        ("where(note.velocity => 80): v1", "=>", ">= and <=", Some("where(note.velocity >= 80): v1")),
        ("where(note.velocity =< 80): v1", "=<", ">= and <=", Some("where(note.velocity <= 80): v1")),
        ("note.velocity > 80: v1", "note", "conditions belong", Some("where(note.velocity > 80): v1")),
        ("where note.velocity > 80: v1", "where", "comparison", Some("where(note.velocity > 80): v1")),
        ("if(note.velocity > 80): v1", "if", "conditions belong", Some("where(note.velocity > 80): v1")),
        ("if note.velocity > 80: v1", "if", "conditions belong", Some("where(note.velocity > 80): v1")),
        ("velocity > 80: v1", ">", "conditions belong", Some("where(note.velocity > 80): v1")),
        // Short forms and selectors.
        ("v50 + 3", "+", "computed with v50", None),
        ("p0.5 * 2", "*", "computed with p0.5", None),
        ("1bar - n/8", "-", "without blanks", Some("1bar-n/8")),
        ("1|1 - 2|1: v1", "1|1 - 2|1", "without blanks", Some("1|1-2|1: v1")),
        ("1|1 -< 2|1: v1", "1|1 -< 2|1", "without blanks", Some("1|1-<2|1: v1")),
        ("C3 - E3: v1", "C3 - E3", "without blanks", Some("C3-E3: v1")),
        ("delete 3", "3", "only the end of the line", None),
        ("v50 n/8", "n/8", "only the end of the line", None),
        ("C3 = v1", "C3", "ends with a colon", Some("C3: v1")),
        ("v1.5", "v1.5", "whole number", Some("velocity = 1.5")),
        ("v+5.5", "v+5.5", "whole number", Some("velocity += 5.5")),
        ("duration = 1:0t", "1:0t", "no length", None),
        ("velocity = velocity + 1", "velocity", "written as note.velocity", Some("velocity = note.velocity + 1")),
        // The number of arguments, and nothing more.
        ("ratchet(2, 3)", "ratchet", "takes 1 argument, not 2", None),
        ("ratchet(1, n/8)", "ratchet", "takes 1 argument, not 2", None),
        ("repeat(2, 3, 4)", "repeat", "takes 1 to 2 arguments, not 3", None),
        ("merge(n/8, n/8)", "merge", "takes at most 1 argument, not 2", None),
        // Pitch names for what is no pitch.
        ("ratchet(C3)", "C3", "pitch name", None),
        ("velocity = seq(C3, D3)", "seq(C3, D3)", "pitch name", None),
    ] {
        let all = mistakes(text);
        let [mistake] = all.as_slice() else {
            wrong.push(format!("{text}: {all:?}"));
            continue;
        };
        let is_found = mistake.found.as_deref().unwrap_or("") == found;
        let has_dots = mistake.to_string().contains("..") && !mistake.to_string().contains("...");
        if !is_found || !mistake.problem.contains(problem) || mistake.fix.as_deref() != fix || has_dots {
            wrong.push(format!("{text}: {mistake}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for text in
        ["velocity = note.pitch - C3", "pitch = seq(C3, D3)", "velocity = round(C3) - 10", "where(note.pitch > C3): v1"]
    {
        assert_eq!(mistakes(text), [], "{text}");
    }
}

#[test]
fn a_broken_line_hides_no_other() {
    let text = "velocity += swing(0.1)\nvelocty = 4\nratchet(1)\nvelocity = max(1)";
    let lines = |text: &str| -> Vec<usize> {
        let place = |mistake: Mistake| match mistake.place {
            MistakePlace::Text { line, .. } => line,
            MistakePlace::Element { .. } => 0,
        };
        mistakes(text).into_iter().map(place).collect()
    };
    assert_eq!(lines(text), [1, 2, 3, 4]);
    assert_eq!(lines(&format!("{}foo = 1", "ratchet(1)\n".repeat(12))), (1..=10).collect::<Vec<_>>());
    assert_eq!(lines(&format!("{}ratchet(1)", "foo = 1\n".repeat(12))), (1..=10).collect::<Vec<_>>());
}

#[test]
fn a_sharp_behind_a_pitch_is_told_of() {
    for (text, told) in [
        ("pitch = C3#", Some("transforms line 1: the # right behind C3 starts a comment; C sharp is C#3")),
        ("v1\nC3#: v50", Some("transforms line 2: the # right behind C3 starts a comment; C sharp is C#3")),
        ("pitch = d-1# low", Some("transforms line 1: the # right behind d-1 starts a comment; D sharp is D#-1")),
        ("C3-E3#: v50", None),
        ("pitch = C#3# x", Some("transforms line 1: the # right behind C#3 starts a comment")),
        ("pitch = C3 # C3#", None),
        ("pitch = C3 // C3#", None),
        ("pitch = /* C3# */ C#3", None),
        ("v90#3", None),
        ("velocity = 3#", None),
    ] {
        let Ok(program) = Program::parse(text) else { continue };
        let told_of = program.apply(four(), &ClipContext::default(), &mut Random::from_seed(1)).unwrap().warnings;
        assert_eq!(told_of, told.into_iter().map(str::to_owned).collect::<Vec<_>>(), "{text}");
    }
}

#[test]
fn a_meter_says_what_a_value_comes_to_in_it() {
    for (text, meter, told) in [
        ("ratchet(1bar - 3)", "4/4", "ratchet(n/16); in 4/4 this is 1"),
        ("timing = swing(n/8)", "4/4", "smaller than its grid; in 4/4 the amount is 0.5 and the grid 0.5"),
        ("repeat(n/4, n/4 - 1)", "4/4", "repeat(1bar, 3); in 4/4 this is 0"),
    ] {
        let program = Program::parse(text).unwrap();
        let refused = program.check_in_meter(meter.parse().unwrap(), ClipKind::Midi).unwrap_err().to_string();
        assert!(refused.contains(told), "{text}: {refused}");
    }
}

#[test]
fn reports_name_what_they_speak_of() {
    let run = |text: &str| apply(text, four()).warnings;
    for (text, told) in [
        ("ratchet(note.velocity)", "note.velocity has no value in the arguments of ratchet, repeat and humanize"),
        ("ratchet(seq(2, 3))", "seq(...) has no value in the arguments"),
        ("ratchet(legato())", "legato(...) has no value in the arguments"),
        ("velocity = audio.gain", "audio.gain has no meaning for a MIDI clip"),
        ("ratchet(pow(10, 300))", "1e300 is more than the 64"),
    ] {
        let warnings = run(text);
        assert!(warnings.len() == 1 && warnings[0].contains(told), "{text}: {warnings:?}");
    }
    let before = AudioParameters { gain_db: -6.0, pitch_shift_semitones: 2.0 };
    for (text, told) in [
        ("gain = note.velocity", "transforms line 1: note.velocity has no meaning for an audio clip"),
        ("gain = legato()", "transforms line 1: legato(...) has no meaning for an audio clip"),
        ("gain = quant(n/4)", "transforms line 1: quant(...) has no meaning for an audio clip"),
        ("gain = swing(0.1)", "transforms line 1: swing(...) has no meaning for an audio clip"),
        ("ratchet(2)", "transforms line 1: ratchet is for MIDI clips; the line is ignored"),
        ("gain *= pow(10, 307)\ngain *= pow(10, 9)", "transforms line 2: a value comes to no finite number"),
    ] {
        let program = Program::parse(text).unwrap();
        let applied = program.apply_audio(before, &ClipContext::default(), &mut Random::from_seed(1));
        assert_eq!(applied.warnings.first().map(String::as_str), Some(told), "{text}");
    }
    // The argument that a text came in.
    let program = Program::parse("gain = 3").unwrap().with_name("preTransforms");
    let applied = program.apply(four(), &ClipContext::default(), &mut Random::from_seed(1)).unwrap();
    assert!(applied.warnings[0].starts_with("preTransforms line 1: "), "{:?}", applied.warnings);
}

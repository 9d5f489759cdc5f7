//! What is refused, where, and with which fix.

use super::*;

#[test]
fn names_the_mistake_and_the_fix() {
    for (text, line, column, found, problem, fix) in [
        ("chords: C bass: C", 1, 11, "bass:", "new line is needed", None),
        ("melody: E bass: C", 1, 11, "bass:", "new line is needed", None),
        ("kick: X snar: X", 1, 9, "snar:", "a line starts with", Some("snare: X")),
        ("kcik: X", 1, 1, "kcik", "a line starts with", Some("kick: X")),
        ("hats: X", 1, 1, "hats", "a line starts with", None),
        ("X z X", 1, 1, "X", "a line starts with", None),
        ("kick X z X", 1, 1, "kick", "colon", Some("kick: X z X")),
        ("melody /8 C D", 1, 1, "melody /8", "colon", Some("melody /8: C D")),
        ("kick /3: X", 1, 6, "/3", "a length is", None),
        ("kick /32: X", 1, 6, "/32", "a length is", None),
        ("kick /8..: X", 1, 9, ".", "one . or t", None),
        ("kick: X/3", 1, 8, "/3", "a length is", None),
        ("kick: X/32", 1, 8, "/32", "a length is", None),
        ("kick: X/12", 1, 10, "2", "a length is", None),
        ("kick: X/4..", 1, 11, ".", "one . or t", None),
        ("kick: X/4.t", 1, 11, "t", "one . or t", None),
        ("kick: X/0.5", 1, 8, "/0.5", "a length is", None),
        ("kick: X*0", 1, 8, "*0", "a repeat is", None),
        ("kick: X*2*3", 1, 10, "*3", "a repeat is", None),
        ("melody: C*2/8", 1, 12, "/8", "a repeat stands last", Some("C/8*2")),
        ("kick: X*2/8 X", 1, 10, "/8", "a repeat stands last", Some("X/8*2")),
        ("melody: D [C E]*2/8", 1, 18, "/8", "a repeat stands last", Some("[C E]/8*2")),
        ("melody: DC*2!", 1, 13, "!", "a repeat stands last", Some("C!*2")),
        ("melody: C/2*3/4", 1, 14, "/4", "a repeat stands last", None),
        ("kick: X*2!", 1, 10, "!", "a repeat stands last", None),
        ("chords: C*2/8", 1, 9, "C*2/8", "a repeat is", Some("C/8*2")),
        ("chords: C/2*2/8", 1, 9, "C/2*2/8", "a repeat is", None),
        ("kick: X . X", 1, 9, ".", "a drum line holds", Some("z")),
        ("kick: C", 1, 7, "C", "a drum line holds", None),
        ("melody: X", 1, 9, "X", "a melody or bass line holds", None),
        ("melody: C - E", 1, 11, "-", "a melody or bass line holds", Some("z")),
        ("melody: [C E", 1, 9, "[", "never closed", None),
        ("melody: [C/8 E] G", 1, 9, "[C/8 E]", "a stack [...] holds", None),
        ("melody: [C|E] G", 1, 9, "[C|E]", "a stack [...] holds", Some("[C E]")),
        ("melody: []", 1, 9, "[]", "a stack [...] holds", None),
        ("melody: [C E]'", 1, 14, "'", "octave marks", None),
        ("chords: C H", 1, 11, "H", "a chords line holds", None),
        ("chords: Eb6/9", 1, 9, "Eb6/9", "no chord is called that", Some("Eb69")),
        ("chords: A-7", 1, 9, "A-7", "no chord is called that", Some("Am7")),
        ("chords: CMAJ7 Dm", 1, 9, "CMAJ7", "no chord is called that", Some("Cmaj7")),
        ("chords: C/3", 1, 9, "C/3", "behind a chord's /", None),
        ("chords: C/12", 1, 9, "C/12", "behind a chord's /", None),
        ("chords: F7/", 1, 9, "F7/", "behind a chord's /", None),
        ("chords: C/H", 1, 9, "C/H", "behind a chord's /", None),
        ("chords: C/E/G", 1, 9, "C/E/G", "behind a chord's /", None),
        ("chords: Cmaj7!C/8", 1, 9, "Cmaj7!C/8", "spaces between", Some("Cmaj7! C/8")),
        ("chords: C/4t.", 1, 9, "C/4t.", "one . or t", None),
        ("chords: C7.", 1, 9, "C7.", "a . makes a length longer", None),
        ("chords: C'/E", 1, 9, "C'/E", "the bass note stands", Some("C/E'")),
        ("chords: C/4/E", 1, 9, "C/4/E", "the bass note stands", Some("C/E/4")),
        ("chords: C*3b", 1, 9, "C*3b", "spaces between", Some("C*3 b")),
        ("chords: C*2[C E]", 1, 9, "C*2[C", "spaces between", None),
        ("chords: C/1snare", 1, 9, "C/1snare", "spaces between", None),
        ("chords: C*03", 1, 9, "C*03", "a repeat is", None),
        ("chords: C7;", 1, 9, "C7;", "a chords line holds", None),
        ("chords: C*0", 1, 9, "C*0", "a repeat is", None),
        ("chords: C7sus4", 1, 9, "C7sus4", "no chord is called that", None),
        ("chords: C(add9)", 1, 9, "C(add9)", "no chord is called that", Some("Cadd9")),
        ("chords: C(foo)", 1, 9, "C(foo)", "no chord is called that", None),
        ("chords: Cmajor7", 1, 9, "Cmajor7", "no chord is called that", Some("Cmaj7")),
        ("chords: Cminor", 1, 9, "Cminor", "no chord is called that", Some("Cm")),
        ("chords: CmM7", 1, 9, "CmM7", "no chord is called that", Some("CmMaj7")),
        ("chords: Cm(maj7)", 1, 9, "Cm(maj7)", "no chord is called that", Some("CmMaj7")),
        ("chords: C\u{394}7", 1, 9, "C\u{394}7", "no chord is called that", Some("Cmaj7")),
        ("chords: C\u{b0}", 1, 9, "C\u{b0}", "no chord is called that", Some("Cdim")),
        ("chords: N.C. C", 1, 9, "N.C.", "a chords line holds", Some("z")),
        ("chords: C[C E]", 1, 9, "C[C", "spaces between", None),
        ("chords: 7", 1, 9, "7", "a chords line holds", None),
        ("kick: X // loud", 1, 9, "//", "a drum line holds", None),
        ("# beat\nkick: X", 1, 1, "#", "a line starts with", None),
        ("kick: X\u{200b}", 1, 8, "\u{200b}", "U+200B", None),
        ("kick:\u{a0}X", 1, 6, "\u{a0}", "U+00A0", None),
        ("kick:\nX z", 2, 1, "X", "behind the colon", None),
        ("melody /8: \n\n C D", 3, 2, "C", "behind the colon", None),
        ("melody: C\nC D", 2, 1, "C", "a line starts with", None),
        ("melody:\nX D", 2, 1, "X", "a line starts with", None),
        // What is there and looks like nothing or like a blank.
        ("chords: C\u{a0}F", 1, 10, "\u{a0}", "U+00A0", None),
        ("chords: Am7\u{a0}", 1, 12, "\u{a0}", "U+00A0", None),
        ("chords: C\u{200b}m", 1, 10, "\u{200b}", "U+200B", None),
        ("melody: [C\u{a0}E]", 1, 11, "\u{a0}", "U+00A0", None),
        ("melody: [C\u{a0}E", 1, 9, "[", "never closed", None),
        ("kick\u{a0}: X", 1, 5, "\u{a0}", "U+00A0", None),
        ("ki\u{200b}ck: X", 1, 3, "\u{200b}", "U+200B", None),
        ("kick X\u{a0}z", 1, 1, "kick", "a line starts with", None),
        // A dot, a tie, a silence.
        ("melody: C.", 1, 10, ".", "a . makes a length longer", None),
        ("melody: C. D", 1, 10, ".", "a . makes a length longer", None),
        ("melody: C_", 1, 10, "_", "there are no ties", None),
        ("melody: C- E", 1, 10, "-", "there are no ties", None),
        ("kick: X-", 1, 8, "-", "there are no ties", None),
        ("kick: x-x-x-", 1, 7, "x-x-x-", "a drum line holds", Some("xzxzxz")),
        ("kick: X x.x.x.", 1, 9, "x.x.x.", "a drum line holds", Some("xzxzxz")),
        ("kick: x--- x---", 1, 7, "x---", "a drum line holds", Some("xzzz")),
        ("kick: --x-", 1, 7, "--x-", "a drum line holds", Some("zzxz")),
        ("kick: X ---- X", 1, 9, "----", "a drum line holds", None),
        ("melody: C r E", 1, 11, "r", "a melody or bass line holds", Some("z")),
        ("melody: C r/4 E", 1, 11, "r/4", "a melody or bass line holds", Some("z/4")),
        ("kick: X R*3", 1, 9, "R*3", "a drum line holds", Some("z*3")),
        ("melody: C reverb", 1, 11, "reverb", "a melody or bass line holds", None),
        // A right header and what stands behind it.
        ("melody 4: C", 1, 8, "4", "between a line's name and its colon", Some("/4")),
        ("melody 1: C", 1, 8, "1", "between a line's name and its colon", None),
        ("melody (lead): C", 1, 8, "(lead)", "between a line's name and its colon", None),
        ("kick 1: X", 1, 6, "1", "between a line's name and its colon", None),
        ("melody lead synth: C", 1, 8, "lead", "between a line's name and its colon", None),
        ("snare 2: X", 1, 1, "snare 2", "a line starts with", Some("snare2")),
        ("melody\u{ff1a} C", 1, 7, "\u{ff1a}", "needs a colon", Some(":")),
        ("kicks: X", 1, 1, "kicks", "a line starts with", Some("kick: X")),
        ("```\nkick: X\n```", 1, 1, "```", "leave out the ```", None),
        // Notes together, and pieces of tokens apart.
        ("melody: (C E G)/2 z", 1, 9, "(C E G)", "square brackets", Some("[C E G]")),
        ("melody: <C, E>", 1, 9, "<C, E>", "square brackets", None),
        ("melody: (C D)*2", 1, 9, "(C", "a melody or bass line holds", None),
        ("melody: C /8", 1, 11, "/8", "no space inside", Some("C/8")),
        ("kick: X /8 X", 1, 9, "/8", "no space inside", Some("X/8")),
        ("melody: C * 4 D", 1, 11, "* 4", "no space inside", Some("C*4")),
        ("melody: C *4", 1, 11, "*4", "no space inside", Some("C*4")),
        ("melody: C ! D", 1, 11, "!", "no space inside", Some("C!")),
        ("chords: Am7 /2", 1, 13, "/2", "no space inside", Some("Am7/2")),
        ("melody: C | /8", 1, 13, "/8", "a melody or bass line holds", None),
        ("kick: X * X", 1, 9, "*", "a drum line holds", Some("X")),
        ("melody: C\u{2019} D", 1, 10, "\u{2019}", "U+2019", Some("'")),
        ("melody: [C\u{2032} E]", 1, 11, "\u{2032}", "U+2032", Some("'")),
        ("\u{fffd}", 1, 1, "\u{fffd}", "U+FFFD", None),
    ] {
        let Err(NotationError::Mistakes { mistakes, .. }) = read(text) else { panic!("{text} was read") };
        let first = &mistakes[0];
        let MistakePlace::Text { line: at_line, column: at_column, .. } = first.place else { panic!("{text}") };
        assert_eq!((at_line, at_column, first.found.as_deref()), (line, column, Some(found)), "{text}: {first}");
        assert!(first.problem.contains(problem), "{text}: {first}");
        assert_eq!(first.fix.as_deref(), fix, "{text}: {first}");
    }
}

#[test]
fn tells_of_every_mistake_up_to_ten() {
    for (text, count) in [
        ("kick: X . X\nsnare: z/3 X\nbas: C\nchords: Cfoo", 4),
        ("kick: X o X o", 2),
        // One fault is told once.
        ("kick: \u{1f3b9}/3 kik: X", 2),
        ("chords: Csus4[C E]", 1),
        ("chords: b[C E]*3", 1),
        ("chords: C*2[C E]*3", 1),
        ("melody: [[[[", 1),
        ("melody: [[ [[ C E", 1),
        ("chords: C\u{200b}m", 1),
        ("melody: C\u{a0}H\u{a0}D", 3),
        ("melody: (C E G)/2*2", 2),
        ("melody: [C E [G", 2),
        (&"foo: X\n".repeat(50), 10),
        (&"o ".repeat(50), 1),
        (&format!("kick: {}", "o ".repeat(50)), 10),
    ] {
        let Err(NotationError::Mistakes { mistakes, .. }) = read(text) else { panic!("{text} was read") };
        assert_eq!(mistakes.len(), count, "{text}: {mistakes:#?}");
        in_order(text, &mistakes);
    }
}

#[test]
fn refuses_what_is_too_much() {
    assert_eq!(read(&format!("kick: X*{MAX_NOTES}")).unwrap().notes.len(), MAX_NOTES);
    for text in ["kick: X*100001", "melody: [C E]*50001", "kick: X*99999999999999999999999", "kick: X*100000\nride: X"]
    {
        let read = read(text).map(|parsed| parsed.notes.len());
        assert!(matches!(read, Err(NotationError::TooManyNotes | NotationError::Mistakes { .. })), "{text}: {read:?}");
    }
    // The limit that comes first is told.
    for text in ["melody: C*99999999999999999999", "kick: z*900000000 X*200000000", "kick: X*100000\nmelody: C"] {
        assert_eq!(read(text), Err(NotationError::TooManyNotes), "{text}");
    }
    let far = read("kick: z*999999999999 X").unwrap_err().to_string();
    assert!(far.contains("1,000,000,000"), "{far}");
    // A rest is never played one by one.
    assert_eq!(read("kick: z*900000000 X").unwrap().notes[0].start, 9e8);
    assert!(read("melody: A9*900000000 C").unwrap().notes.len() == 1);
}

#[test]
fn warnings_are_short_and_told_once() {
    let nines = "9".repeat(100_000);
    for (text, told) in [
        (format!("melody: C{nines}"), vec![format!("C{}\u{2026} is pitch above 1,000,000,000;", "9".repeat(23))]),
        (format!("C-{nines}: X"), vec![format!("C-{}\u{2026} is pitch below -1,000,000,000;", "9".repeat(22))]),
        ("melody: C2000".to_owned(), vec!["C2000 is pitch 24024;".to_owned()]),
        (format!("melody: {}", "C9 ".repeat(5000)), vec!["C9 is pitch 132;".to_owned()]),
        ("melody: C9 D9 C9 [D9 C9 C]".to_owned(), vec!["C9 is pitch".to_owned(), "D9 is pitch".to_owned()]),
    ] {
        let warnings = read(&text).unwrap().warnings;
        assert_eq!(warnings.len(), told.len(), "{warnings:?}");
        for (warning, told) in warnings.iter().zip(told) {
            assert!(warning.starts_with(&told) && warning.len() < 200, "{warning}");
        }
    }
    assert!(read("melody: C9*3 C9 C9").unwrap().warnings[0].ends_with("is skipped (3 times)"));
}

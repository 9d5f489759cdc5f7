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
        ("melody: C*2/8", 1, 12, "/8", "a length is", None),
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
        ("chords: C/3", 1, 9, "C/3", "no chord is called that", None),
        ("chords: C*0", 1, 9, "C*0", "a repeat is", None),
        ("chords: C7sus4", 1, 9, "C7sus4", "no chord is called that", None),
        ("chords: C(add9)", 1, 9, "C(add9)", "no chord is called that", Some("Cadd9")),
        ("chords: C[C E]", 1, 9, "C[C", "no chord is called that", None),
        ("chords: 7", 1, 9, "7", "a chords line holds", None),
        ("kick: X // loud", 1, 9, "//", "a drum line holds", None),
        ("# beat\nkick: X", 1, 1, "#", "a line starts with", None),
        ("kick: X\u{200b}", 1, 8, "\u{200b}", "U+200B", None),
        ("kick:\u{a0}X", 1, 6, "\u{a0}", "U+00A0", None),
        ("kick:\nX z", 2, 1, "X", "a line starts with", None),
        ("\u{fffd}", 1, 1, "\u{fffd}", "U+FFFD", None),
    ] {
        let Err(NotationErrors::Mistakes { mistakes, .. }) = read(text) else { panic!("{text} was read") };
        let first = &mistakes[0];
        let Place::Text { line: at_line, column: at_column, .. } = first.place else { panic!("{text}") };
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
        ("melody: [C E [G", 2),
        (&"foo: X\n".repeat(50), 10),
        (&"o ".repeat(50), 1),
        (&format!("kick: {}", "o ".repeat(50)), 10),
    ] {
        let Err(NotationErrors::Mistakes { mistakes, .. }) = read(text) else { panic!("{text} was read") };
        assert_eq!(mistakes.len(), count, "{text}: {mistakes:#?}");
    }
}

#[test]
fn refuses_what_is_too_much() {
    assert_eq!(read(&format!("kick: X*{MAX_NOTES}")).unwrap().notes.len(), MAX_NOTES);
    for text in ["kick: X*100001", "melody: [C E]*50001", "kick: X*99999999999999999999999", "kick: X*100000\nride: X"]
    {
        let read = read(text).map(|parsed| parsed.notes.len());
        assert!(
            matches!(read, Err(NotationErrors::TooManyNotes | NotationErrors::Mistakes { .. })),
            "{text}: {read:?}"
        );
    }
    // The limit that comes first is told.
    for text in ["melody: C*99999999999999999999", "kick: z*900000000 X*200000000", "kick: X*100000\nmelody: C"] {
        assert_eq!(read(text), Err(NotationErrors::TooManyNotes), "{text}");
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

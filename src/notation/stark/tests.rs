use super::*;
use crate::music::{Meter, Random};
use crate::notation::{MAX_NOTES, Place, slots};
use proptest::prelude::*;

fn read_seeded(text: &str, seed: u64) -> Result<Parsed, NotationErrors> {
    let random = &mut Random::from_seed(seed);
    parse(text, Reading { meter: Meter::COMMON, existing: &[], random })
}

fn read(text: &str) -> Result<Parsed, NotationErrors> {
    read_seeded(text, 1)
}

fn format(notes: &[Note], drum_mode: bool) -> String {
    write(notes, drum_mode).text
}

fn level(velocity: f64) -> char {
    match velocity as u8 {
        60..=80 => 's',
        100..=110 => 'n',
        115..=127 => 'a',
        _ => '?',
    }
}

/// `pitch start duration level`, rounded to four decimals.
fn short(notes: &[Note]) -> Vec<String> {
    let round = |x: f64| (x * 1e4).round() / 1e4;
    let one = |n: &Note| format!("{} {} {} {}", n.pitch, round(n.start), round(n.duration), level(n.velocity));
    notes.iter().map(one).collect()
}

#[test]
fn plays_tokens() {
    for (text, notes, warnings) in [
        ("", "", 0),
        (" \n\t\r\n", "", 0),
        ("kick:", "", 0),
        ("kick /8: ^ z x X/16 X/16", "36 0 0.5 a,36 1 0.5 s,36 1.5 0.25 n,36 1.75 0.25 n", 0),
        (
            "hh /16: X*3 x | ^*2 z X",
            "42 0 0.25 n,42 0.25 0.25 n,42 0.5 0.25 n,42 0.75 0.25 s,42 1 0.25 a,42 1.25 0.25 a,42 1.75 0.25 n",
            0,
        ),
        ("melody: E G# B/2 | A'/8 z/8 Bb,/4.", "64 0 1 n,68 1 1 n,71 2 2 n,81 4 0.5 n,58 5 1.5 n", 0),
        ("bass /8: E E' z D*2", "40 0 0.5 n,52 0.5 0.5 n,38 1.5 0.5 n,38 2 0.5 n", 0),
        ("melody: F/8t G/8t A/8t C'/4", "65 0 0.3333 n,67 0.3333 0.3333 n,69 0.6667 0.3333 n,72 1 1 n", 0),
        ("melody: [D F# A]/2? [D4 A3]", "62 0 2 s,66 0 2 s,69 0 2 s,69 2 1 n,74 2 1 n", 0),
        (
            "chords /2: Gm7 Cadd9/E | F#dim7! Bb",
            "55 0 2 n,58 0 2 n,62 0 2 n,65 0 2 n,40 2 2 n,48 2 2 n,52 2 2 n,55 2 2 n,62 2 2 n,\
             54 4 2 a,57 4 2 a,60 4 2 a,63 4 2 a,58 6 2 n,62 6 2 n,65 6 2 n",
            0,
        ),
        ("chords: A7/C#/2 z/2 [A C# E]", "49 0 2 n,57 0 2 n,61 0 2 n,64 0 2 n,67 0 2 n,49 4 4 n,52 4 4 n,57 4 4 n", 0),
        ("kick: X bass: G", "36 0 1 n,43 0 1 n", 1),
        // Every section starts at 0, also under a header used before.
        ("kick: X z snare: z X\nkick: z X", "36 0 1 n,36 1 1 n,38 1 1 n", 0),
        ("melody: E kick: x", "36 0 1 s,64 0 1 n", 1),
        ("kick:\nsnare: X", "38 0 1 n", 0),
        ("KICK: X Snare2:X s2: z X", "36 0 1 n,40 0 1 n,40 1 1 n", 0),
        ("hihat /8:XXxz^", "42 0 0.5 n,42 0.5 0.5 n,42 1 0.5 s,42 2 0.5 a", 0),
        ("ride  /8t  : X Z X", "51 0 0.3333 n,51 0.6667 0.3333 n", 0),
        ("melody/16: C", "60 0 0.25 n", 0),
        ("melody: C/8D/8", "60 0 0.5 n,62 0.5 0.5 n", 0),
        ("melody: bb b Bb B bbb", "70 0 1 n,71 1 1 n,70 2 1 n,71 3 1 n,70 4 1 n,71 5 1 n", 0),
        ("melody: CDE", "60 0 1 n,62 1 1 n,64 2 1 n", 0),
        ("melody: A B C", "69 0 1 n,71 1 1 n,60 2 1 n", 0),
        ("melody: Cb B# E5 F#0 Ab-1 C3'", "59 0 1 n,72 1 1 n,88 2 1 n,30 3 1 n,20 4 1 n,72 5 1 n", 0),
        ("melody: C\u{266f} D\u{266d}", "61 0 1 n,61 1 1 n", 0),
        (
            "melody: D'/8! D!/8' D/8'! C!? C?! C/4/8",
            "74 0 0.5 a,74 0.5 0.5 a,74 1 0.5 a,60 1.5 1 s,60 2.5 1 a,60 3.5 0.5 n",
            0,
        ),
        ("melody: C,', C''''''''''''''''''''' C,,,,,,,,", "48 0 1 n,127 1 1 n,0 2 1 n", 0),
        ("melody: A9 C C-3", "60 1 1 n", 2),
        ("melody: [C9 C] [ C, E]*2", "60 0 1 n,48 1 1 n,64 1 1 n,48 2 1 n,64 2 1 n", 1),
        ("melody: z/2. z*3 C/1.*1", "60 6 6 n", 0),
        ("F#1: X\nGb-1: X\nc3 /8: X", "18 0 1 n,42 0 1 n,60 0 0.5 n", 0),
        ("Cb2: X\nE#2: X\nB#1: X", "47 0 1 n,48 0 1 n,53 0 1 n", 0),
        ("A9: X\nCb-2: X\nkick: X", "36 0 1 n", 2),
        ("chords: Cb B# C", "59 0 4 n,63 0 4 n,66 0 4 n,48 4 4 n,52 4 4 n,55 4 4 n,48 8 4 n,52 8 4 n,55 8 4 n", 0),
        (
            "chords: C/C C,/E D'|z",
            "36 0 4 n,48 0 4 n,52 0 4 n,55 0 4 n,28 4 4 n,36 4 4 n,40 4 4 n,43 4 4 n,62 8 4 n,66 8 4 n,69 8 4 n",
            usize::MAX,
        ),
        (
            "chords: C/C C/E, D'|z",
            "36 0 4 n,48 0 4 n,52 0 4 n,55 0 4 n,28 4 4 n,36 4 4 n,40 4 4 n,43 4 4 n,62 8 4 n,66 8 4 n,69 8 4 n",
            0,
        ),
        ("chords /4: Am7\u{266d}5*2", "57 0 1 n,60 0 1 n,63 0 1 n,67 0 1 n,57 1 1 n,60 1 1 n,63 1 1 n,67 1 1 n", 0),
        ("chords: G,,,,,,,", "0 0 4 n", 0),
    ] {
        let parsed = read(text);
        if warnings == usize::MAX {
            assert!(parsed.is_err(), "{text}");
            continue;
        }
        let parsed = parsed.unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(short(&parsed.notes).join(","), notes, "{text}");
        assert_eq!(parsed.warnings.len(), warnings, "{text}: {:?}", parsed.warnings);
    }
}

#[test]
fn knows_every_value_drum_and_chord() {
    for (value, beats) in [
        ("/1", 4.0),
        ("/2", 2.0),
        ("/4", 1.0),
        ("/8", 0.5),
        ("/16", 0.25),
        ("/1.", 6.0),
        ("/2.", 3.0),
        ("/4.", 1.5),
        ("/8.", 0.75),
        ("/16.", 0.375),
        ("/1t", 8.0 / 3.0),
        ("/2t", 4.0 / 3.0),
        ("/4t", 2.0 / 3.0),
        ("/8t", 1.0 / 3.0),
        ("/16t", 1.0 / 6.0),
    ] {
        let notes = read(&format!("kick: X{value} X\nmelody {value}: C [C E]\nchords: z{value} C")).unwrap().notes;
        assert_eq!((notes[0].duration, notes.last().unwrap().start), (beats, beats), "{value}");
    }
    for (names, pitch) in [
        ("kick bd C1", 36),
        ("rimshot rs", 37),
        ("snare sd", 38),
        ("clap cl", 39),
        ("snare2 s2", 40),
        ("tom4 ft", 41),
        ("hihat hh F#1", 42),
        ("tom3 lt", 43),
        ("pedal ph", 44),
        ("tom2 mt", 45),
        ("open oh", 46),
        ("tom1 ht", 47),
        ("perc1 p1", 48),
        ("crash cc", 49),
        ("perc2 p2", 50),
        ("ride rc Eb2", 51),
    ] {
        for name in names.split(' ') {
            assert_eq!(read(&format!("{name}: X")).unwrap().notes[0].pitch, pitch, "{name}");
        }
    }
    for (names, tones) in [
        ("C Cmaj CM", "0 4 7"),
        ("Cm Cmin", "0 3 7"),
        ("Cdim", "0 3 6"),
        ("Caug C+", "0 4 8"),
        ("Csus2", "0 2 7"),
        ("Csus4 Csus", "0 5 7"),
        ("C5", "0 7"),
        ("C6", "0 4 7 9"),
        ("Cm6 Cmin6", "0 3 7 9"),
        ("C69", "0 4 7 9 14"),
        ("Cm69", "0 3 7 9 14"),
        ("C7", "0 4 7 10"),
        ("Cmaj7 CM7", "0 4 7 11"),
        ("Cm7 Cmin7", "0 3 7 10"),
        ("Cm7b5", "0 3 6 10"),
        ("Cdim7", "0 3 6 9"),
        ("Caug7 C7#5", "0 4 8 10"),
        ("C7b5", "0 4 6 10"),
        ("C7b9", "0 4 7 10 13"),
        ("C7#9", "0 4 7 10 15"),
        ("C7#11", "0 4 7 10 18"),
        ("CmMaj7", "0 3 7 11"),
        ("C9", "0 4 7 10 14"),
        ("Cmaj9 CM9", "0 4 7 11 14"),
        ("Cm9 Cmin9", "0 3 7 10 14"),
        ("Cadd9", "0 4 7 14"),
        ("Cmadd9", "0 3 7 14"),
        ("C11", "0 4 7 10 14 17"),
        ("Cm11", "0 3 7 10 14 17"),
        ("Cmaj11", "0 4 7 11 14 17"),
        ("Cadd11", "0 4 7 17"),
        ("C13", "0 4 7 10 14 21"),
        ("Cm13", "0 3 7 10 14 21"),
        ("Cmaj13", "0 4 7 11 14 21"),
        ("Cadd13", "0 4 7 21"),
    ] {
        for name in names.split(' ') {
            let notes = read(&format!("chords: {name}")).unwrap_or_else(|e| panic!("{name}: {e}")).notes;
            let found: Vec<String> = notes.iter().map(|n| (n.pitch - 48).to_string()).collect();
            assert_eq!(found.join(" "), tones, "{name}");
        }
    }
}

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
    let far = read("kick: z*999999999999 X").unwrap_err().to_string();
    assert!(far.contains("1,000,000,000"), "{far}");
    // A rest is never played one by one.
    assert_eq!(read("kick: z*900000000 X").unwrap().notes[0].start, 9e8);
    assert!(read("melody: A9*900000000 C").unwrap().notes.len() == 1);
}

#[test]
fn draws_velocities_from_the_seed() {
    let text = "kick: X*20 x*20 ^*20\nmelody: [C E G]*20";
    let (a, b, c) = (read_seeded(text, 5).unwrap(), read_seeded(text, 5).unwrap(), read_seeded(text, 6).unwrap());
    assert_eq!(a, b);
    assert_ne!(a, c);
    let velocities = |from: f64, to: f64| {
        let mut list: Vec<f64> =
            a.notes.iter().filter(|n| n.pitch == 36 && n.start >= from && n.start < to).map(|n| n.velocity).collect();
        list.sort_by(f64::total_cmp);
        list.dedup();
        list
    };
    for (from, low, high) in [(0.0, 100.0, 110.0), (20.0, 60.0, 80.0), (40.0, 115.0, 127.0)] {
        let list = velocities(from, from + 20.0);
        assert!(list.len() > 3 && list[0] >= low && *list.last().unwrap() <= high, "{list:?}");
        assert!(list.iter().all(|v| v.fract() == 0.0), "{list:?}");
    }
    // The notes of a stack share their draw.
    for start in 0..20 {
        let stack: Vec<f64> =
            a.notes.iter().filter(|n| n.pitch >= 60 && n.start == f64::from(start)).map(|n| n.velocity).collect();
        assert!(stack.len() == 3 && stack.windows(2).all(|w| w[0] == w[1]), "{stack:?}");
    }
}

#[test]
fn new_notes_replace_those_in_their_place() {
    let existing = [Note::new(36, 0.0004, 3.0), Note::new(40, 0.0, 3.0)];
    let random = &mut Random::from_seed(1);
    let parsed = parse("kick: X", Reading { meter: Meter::COMMON, existing: &existing, random }).unwrap();
    assert_eq!(short(&parsed.notes), ["36 0 1 n", "40 0 3 n"]);
}

fn note(pitch: u8, start: f64, duration: f64, velocity: f64) -> Note {
    Note { velocity, ..Note::new(pitch, start, duration) }
}

#[test]
fn writes_lines() {
    let n = |list: &[(u8, f64, f64, f64)]| list.iter().map(|(p, s, d, v)| note(*p, *s, *d, *v)).collect::<Vec<_>>();
    for (notes, drum_mode, text) in [
        (n(&[]), false, ""),
        (n(&[]), true, ""),
        (
            n(&[(36, 0.0, 1.0, 105.0), (36, 2.0, 1.0, 105.0), (38, 1.0, 1.0, 105.0), (38, 3.0, 1.0, 120.0)]),
            true,
            "kick: X z X\nsnare: z X z ^",
        ),
        (
            n(&[(55, 0.0, 0.5, 105.0), (57, 0.5, 0.5, 105.0), (59, 1.0, 0.5, 70.0), (60, 2.0, 1.0, 120.0)]),
            false,
            "melody /8: G, A, B,? z C/4!",
        ),
        (
            n(&[(40, 0.0, 1.0, 105.0), (40, 1.0, 1.0, 105.0), (40, 2.0, 1.0, 105.0), (43, 3.0, 1.0, 105.0)]),
            false,
            "bass: E*3 G",
        ),
        (n(&[(60, 0.0, 3.0, 105.0), (64, 1.0, 1.0, 105.0)]), false, "melody: C E"),
        (n(&[(47, 0.0, 1.0, 111.0)]), false, "bass: B"),
        (n(&[(48, 0.0, 1.0, 89.0)]), false, "melody: C,?"),
        (n(&[(60, 0.0, 1.0, 100.0), (60, 1.0, 1.0, 112.0)]), false, "melody: C C!"),
        // A stack takes its length and level from its lowest note.
        (n(&[(67, 0.0, 4.0, 120.0), (60, 0.0009, 2.0, 70.0), (72, 0.0, 1.0, 90.0)]), false, "melody /2: [C G C']?"),
        // 2.75 is no sum of longest-first rests, but it is one of others.
        (n(&[(36, 2.75, 1.0, 100.0)]), true, "kick: z/2 z/8. X"),
        (n(&[(36, 0.0, 1.0, 100.0), (36, 1.75, 1.0, 100.0)]), true, "kick: X z/8. X"),
        // Room that no rest fills behind the nearest length: the note gives way.
        (n(&[(36, 0.0, 0.5, 100.0), (36, 2.0 / 3.0, 0.5, 100.0)]), true, "kick /8: X z/16t X"),
        (n(&[(36, 0.0, 0.5, 100.0), (36, 0.625, 0.5, 100.0)]), true, "kick /8: X/16. z/16 X"),
        (n(&[(18, 0.0, 10.0, 100.0)]), true, "Gb-1 /1.: X"),
        (n(&[(36, 0.0, 1.0, 100.0), (36, 1234.0, 1.0, 100.0)]), true, "kick /1.: X/4 z*205 z/2. X/4"),
        (n(&[(36, 0.0, 1.0, 100.0), (36, 0.0, 1.0, 120.0)]), true, "kick: ^"),
        // Off every grid: longest first, less than the shortest length early.
        (n(&[(36, 0.1, 0.25, 100.0), (36, 1.1, 0.25, 100.0)]), true, "kick /16: X z/8. X"),
    ] {
        assert_eq!(format(&notes, drum_mode), text, "{notes:?}");
    }
}

#[test]
fn tells_what_the_text_does_not_say() {
    let spread = Note { velocity_deviation: 5.0, ..note(60, 0.0, 1.0, 100.0) };
    let rare = Note { probability: 0.5, ..note(60, 0.0, 1.0, 100.0) };
    for (notes, drum_mode, said) in [
        (vec![], false, None),
        (vec![note(60, 0.0, 1.0, 64.0), note(60, 1.5, 6.0, 127.0)], false, None),
        (
            vec![note(60, 0.0, 1.0, 64.0), note(60, 1.1, 1.0, 127.0)],
            false,
            Some("1 with a start up to 0.1 quarter beats off"),
        ),
        (vec![note(60, 0.0, 7.0, 64.0), note(60, 8.0, 9.0, 64.0)], true, Some("2 cut to 6 quarter beats")),
        // Without the room it could not have been longer anyhow.
        (vec![note(60, 0.0, 7.0, 64.0), note(62, 1.0, 1.0, 64.0)], false, Some("1 with another length")),
        (vec![note(60, 0.0, 2.0, 64.0), note(64, 0.0, 1.0, 64.0)], false, Some("1 with another length")),
        (vec![note(60, 0.0, 2.0, 64.0), note(64, 0.0, 1.0, 64.0)], true, None),
        (vec![spread], false, Some("1 without chance or velocity range")),
        (vec![rare], true, Some("1 without chance or velocity range")),
        (vec![note(60, 0.0, 1.0, 64.0), note(60, 0.0, 1.0, 64.0)], true, Some("1 left out")),
        (vec![note(60, 0.0, 1.0, 64.0), note(60, 0.0, 1.0, 64.0)], false, Some("1 left out")),
        (vec![note(200, 0.0, 1.0, 64.0)], false, Some("1 left out")),
        (
            vec![note(60, 0.1, 1.3, 64.0), note(60, 20.0, 7.0, 64.0)],
            true,
            Some(
                "1 with a start up to 0.1 quarter beats off, 1 cut to 6 quarter beats, the longest that a token lasts, 1 with",
            ),
        ),
    ] {
        let losses = write(&notes, drum_mode).losses;
        match said {
            None => assert_eq!(losses, None, "{notes:?}"),
            Some(said) => assert!(losses.as_ref().is_some_and(|l| l.contains(said)), "{notes:?}: {losses:?}"),
        }
    }
}

/// Times in 24ths of a beat.
fn ticks() -> impl Strategy<Value = u32> {
    prop_oneof![0..400u32, (0..60u32).prop_map(|n| n * 6), (0..60u32).prop_map(|n| n * 8)]
}

fn token() -> impl Strategy<Value = String> {
    let value = prop::sample::select(vec!["", "", "/1", "/2.", "/4", "/8t", "/8.", "/16", "/16t", "/16.", "/2t"]);
    let glyph = prop::sample::select(vec!["z", "C", "Db'", "[C, Eb G]", "Bb,", "G"]);
    let level = prop::sample::select(vec!["", "!", "?"]);
    (glyph, value, level, 1..4u32).prop_map(|(glyph, value, level, count)| {
        let level = if glyph == "z" { "" } else { level };
        if count == 1 { format!("{glyph}{value}{level}") } else { format!("{glyph}{value}{level}*{count}") }
    })
}

fn places(notes: &[Note]) -> Vec<(u8, i64, i64, char)> {
    let ticks = |beats: f64| (beats * 24.0).round() as i64;
    notes.iter().map(|n| (n.pitch, ticks(n.start), ticks(n.duration), level(n.velocity))).collect()
}

proptest! {
    #[test]
    fn onsets_of_hits_survive(starts in prop::collection::btree_set(ticks(), 1..40), duration in 1..200u32, pitch in 0..=127u8) {
        let notes: Vec<Note> = starts.iter().map(|t| note(pitch, f64::from(*t) / 24.0, f64::from(duration) / 24.0, 100.0)).collect();
        // Only gaps of these many ticks are no sum of lengths.
        let hard = |gap: u32| matches!(gap, 1 | 2 | 3 | 5 | 7 | 11);
        let all: Vec<u32> = std::iter::once(0).chain(starts.iter().copied()).collect();
        let exact = !all.windows(2).any(|w| hard(w[1] - w[0]));
        for drum_mode in [false, true] {
            let text = format(&notes, drum_mode);
            let back = read(&text).unwrap().notes;
            prop_assert_eq!(back.len(), notes.len(), "{}", text);
            for (old, new) in notes.iter().zip(&back) {
                prop_assert_eq!(old.pitch, new.pitch);
                let off = (old.start - new.start).abs();
                prop_assert!(off < if exact { 0.001 } else { notes.len() as f64 / 6.0 }, "{} {} {text}", old.start, new.start);
            }
            prop_assert_eq!(format(&back, drum_mode), text);
        }
    }

    #[test]
    fn a_line_that_was_read_reads_back_the_same(tokens in prop::collection::vec(token(), 0..30)) {
        let first = read(&format!("melody: {}", tokens.join(" "))).unwrap().notes;
        let text = format(&first, false);
        let back = read(&text).unwrap().notes;
        prop_assert_eq!(places(&back), places(&first), "{}", text);
        prop_assert_eq!(write(&back, false), Written { text, losses: None });
    }

    #[test]
    fn any_notes_are_written_as_something_that_reads(
        list in prop::collection::vec((0..=127u8, -5.0..200.0f64, 0.001..20.0f64, 1.0..127.0f64), 0..60),
        drum_mode: bool,
    ) {
        // As a clip holds them: one note in a slot.
        let notes = slots::settle(list.into_iter().map(|(p, s, d, v)| note(p, s, d, v)).collect(), 0).notes;
        let text = format(&notes, drum_mode);
        let mut old: Vec<u8> = notes.iter().map(|n| n.pitch).collect();
        let mut new: Vec<u8> = read(&text).unwrap().notes.iter().map(|n| n.pitch).collect();
        old.sort_unstable();
        new.sort_unstable();
        prop_assert_eq!(old, new, "{}", text);
    }

    #[test]
    fn no_text_panics(text in "(kick|melody|bass|chords|C3|snare2|foo)? ?(/(8|4\\.|3))? ?:?[ XxzZ^CDEab#'!?,/*0-9\\[\\]|mj\\n\u{266d}\u{e9}:.t-]{0,60}") {
        let _ = read(&text);
    }
}

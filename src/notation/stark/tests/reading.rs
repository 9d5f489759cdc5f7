//! Texts as notes.

use super::*;

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
fn the_rules_one_by_one() {
    // text, its notes as `pitch start duration level`, or nothing where it is refused
    for (text, notes) in [
        ("kick: X/4/8", None),
        ("kick: X!", None),
        ("kick: X'", None),
        ("kick: C", None),
        ("kick: [C]", None),
        ("kick: z/8*2X", Some("36 1 1 n")),
        ("kick :X", Some("36 0 1 n")),
        ("kick/8:X", Some("36 0 0.5 n")),
        ("kick / 8: X", None),
        ("kick /8 /8: X", None),
        ("snare 2: X", None),
        ("snare2: X", Some("40 0 1 n")),
        ("SD: X", Some("38 0 1 n")),
        ("C10: X", Some("")),
        ("c-2: X", Some("0 0 1 n")),
        ("G8: X", Some("127 0 1 n")),
        ("bb1: X", Some("46 0 1 n")),
        ("BB1: X", None),
        ("C#1: X", Some("37 0 1 n")),
        ("C1 /16t: X*2", Some("36 0 0.1667 n,36 0.1667 0.1667 n")),
        ("melody: c'8", None),
        ("melody: C !", None),
        ("melody: z'", None),
        ("melody: z!", None),
        ("melody: C*2!", None),
        ("melody: C*2C", Some("60 0 1 n,60 1 1 n,60 2 1 n")),
        ("melody: [C E]!/2", Some("60 0 2 a,64 0 2 a")),
        ("melody: [C E]?*2", Some("60 0 1 s,60 1 1 s,64 0 1 s,64 1 1 s")),
        ("melody: [C [E]]", None),
        ("melody: [C z]", None),
        ("melody: [C!]", None),
        ("melody: [E5 C',]", Some("60 0 1 n,88 0 1 n")),
        ("melody: C##", None),
        ("melody: C/4.t", None),
        ("melody: C/4T", None),
        ("melody: C*01", None),
        ("melody: H", None),
        ("melody: Am7", None),
        ("melody /2.: C", Some("60 0 3 n")),
        ("bass: C''", Some("60 0 1 n")),
        ("bass: c", Some("36 0 1 n")),
        ("chords: C3", None),
        ("chords: CE", None),
        ("chords: C|E", Some("48 0 4 n,52 0 4 n,55 0 4 n,52 4 4 n,56 4 4 n,59 4 4 n")),
        ("chords: C'/2", Some("60 0 2 n,64 0 2 n,67 0 2 n")),
        ("chords: c5/d'/2?*2", Some("50 0 2 s,60 0 2 s,67 0 2 s,50 2 2 s,60 2 2 s,67 2 2 s")),
        ("chords: C/E/G", None),
        ("chords: C/4/E", None),
        ("chords: X", None),
        ("chords: z", Some("")),
        ("chords: [C E5]/4", Some("48 0 1 n,88 0 1 n")),
        ("chords: C\u{266f}m", Some("49 0 4 n,52 0 4 n,56 0 4 n")),
        ("chords: CMAJ", None),
        ("chords: C7sus4", None),
        ("chords: C13b9", None),
        ("chords: C\u{b0}", None),
        ("kick: X // x", None),
        ("# x", None),
        ("kick: X\r\nsnare: X\rhh: X", Some("36 0 1 n,38 0 1 n,42 0 1 n")),
        ("\n\n  kick: X  \n\n", Some("36 0 1 n")),
    ] {
        let read = read(text).ok().map(|parsed| parsed.notes);
        let mut found = read.map(|notes| short(&notes));
        let mut wanted: Option<Vec<String>> =
            notes.map(|notes| notes.split(',').filter(|n| !n.is_empty()).map(str::to_owned).collect());
        for list in [&mut found, &mut wanted].into_iter().flatten() {
            list.sort();
        }
        assert_eq!(found, wanted, "{text}");
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
    let parsed = parse("kick: X", ParseContext { meter: Meter::COMMON, existing: &existing, random }).unwrap();
    assert_eq!(short(&parsed.notes), ["36 0 1 n", "40 0 3 n"]);
}

//! Operations that change the number of notes, and what is counted of them.

use super::*;

#[test]
fn changes_the_number_of_notes() {
    for (text, after, warnings) in [
        (
            "D3: repeat(n/8, 2)",
            "62@0+1 70, 62@0.5+1 70, 62@1+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100, 62@3.5+1 100, 62@4+1 100",
            0,
        ),
        ("F3: repeat(1bar)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100, 65@5+1 80", 0),
        ("merge()", "62@0+4 70, 65@1+1 80, 69@2+1 90", 0),
        ("merge(0)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100", 0),
        ("D3: duration = 2.5\nmerge(n/8)", "62@0+5.5 70, 65@1+1 80, 69@2+1 90", 0),
        ("D3: duration = 2.5\nmerge(n/16)", "62@0+2.5 70, 65@1+1 80, 69@2+1 90, 62@3+2.5 100", 0),
        (
            "split(1|1.5, 1|3+n/16)",
            "62@0+0.5 70, 62@0.5+0.5 70, 65@1+1 80, 69@2+0.25 90, 69@2.25+0.75 90, 62@3+1 100",
            1,
        ),
        ("D3: split(1|1, 1|1.5, 1|1.5, sync)", "62@0+0.5 70, 62@0.5+0.5 70, 65@1+1 80, 69@2+1 90, 62@3+1 100", 2),
        (
            "D3: ratchet(2)\nvelocity -= note.index * 10",
            "62@0+0.5 70, 62@0.5+0.5 60, 65@1+1 60, 69@2+1 60, 62@3+0.5 60, 62@3.5+0.5 50",
            0,
        ),
        (
            "F3: ratchet(n/16)",
            "62@0+1 70, 65@1+0.25 80, 65@1.25+0.25 80, 65@1.5+0.25 80, 65@1.75+0.25 80, 69@2+1 90, 62@3+1 100",
            0,
        ),
        ("F3: timing += 0.9\nF3: ratchet(n/4)", "62@0+1 70, 65@1.9+0.1 80, 65@2+0.9 80, 69@2+1 90, 62@3+1 100", 0),
        ("F3: ratchet(2bar)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100", 1),
        // n/4 * 2 is the number 2 here.
        ("F3: ratchet(n/4 * 2)", "62@0+1 70, 65@1+0.5 80, 65@1.5+0.5 80, 69@2+1 90, 62@3+1 100", 0),
        ("ratchet(note.velocity)", "62@0+1 70, 65@1+1 80, 69@2+1 90, 62@3+1 100", 1),
        ("ratchet(clip.index + 1)\nv+1", "62@0+1 71, 65@1+1 81, 69@2+1 91, 62@3+1 101", 1),
        ("where(note.velocity >= 80 && note.pitch < A3): delete", "62@0+1 70, 69@2+1 90", 0),
        ("v0", "", 0),
    ] {
        let applied = apply(text, four());
        assert_eq!(short(&applied.notes), after, "{text}");
        assert_eq!(applied.warnings.len(), warnings, "{text}: {:?}", applied.warnings);
    }
    let many = apply("F3: ratchet(100)\nA3: repeat(n/64, 100)", four());
    assert_eq!((many.notes.len(), many.warnings.len()), (2 + 64 + 65, 2), "{:?}", many.warnings);
    let grid = apply("F3: ratchet(n/1024)", four());
    assert_eq!((grid.notes.len(), grid.warnings.len()), (3 + 64, 1));
    assert!(grid.notes.iter().any(|n| n.pitch == 65 && (n.start + n.duration - 2.0).abs() < 1e-9));
}

/// What falls to velocity 0 goes at the end, so a later line may raise it: that is told.
#[test]
fn deleted_notes_that_are_raised_again_are_told() {
    for (text, said) in [
        ("D3: delete\nv+5", Some("transforms line 2: 2 notes that earlier lines deleted are raised again")),
        ("D3: delete\nD3: v60-80", Some("transforms line 2: 2 notes")),
        ("F3: delete\nF3: v+1\nv+1", Some("transforms line 2: 1 note that an earlier line deleted is raised again")),
        ("v+5\nD3: delete", None),
        ("D3: delete\nF3: v+5", None),
        ("D3: delete\ntiming += 1", None),
    ] {
        let applied = apply(text, four());
        let told = applied.warnings.iter().find(|warning| warning.contains("raised again"));
        match said {
            Some(said) => assert!(told.is_some_and(|told| told.starts_with(said)), "{text}: {:?}", applied.warnings),
            None => assert_eq!(told, None, "{text}"),
        }
    }
}

#[test]
fn counts_what_came_of_the_notes() {
    for (text, transformed, deleted, duplicates) in [
        ("D3: v+1", 2, 0, 0),
        ("v+0", 0, 0, 0),
        ("velocity = note.velocity + 0.0000001", 0, 0, 0),
        ("G7: v1", 0, 0, 0),
        ("D3: delete", 0, 2, 0),
        ("D3: ratchet(2)", 4, 0, 0),
        ("D3: repeat(n/8)", 2, 0, 0),
        ("merge()", 1, 1, 0),
        ("timing = 0\nD3", 4 - 3, 3, 3),
        // The order of the list counts, and moving does not sort it again.
        ("F3: timing = 3.0004\nF3: D3", 0, 1, 1),
    ] {
        let applied = apply(text, four());
        assert_eq!(
            (applied.transformed, applied.deleted, applied.duplicates),
            (transformed, deleted, duplicates),
            "{text}"
        );
    }
    // Runs before and after written notes count against each note's first state.
    let (context, random) = (ClipContext::default(), &mut Random::from_seed(1));
    let mut run = TransformRun::new(four());
    run.apply(&Program::parse("v+10\nA3: delete").unwrap(), &context, random).unwrap();
    let mut notes = run.notes();
    notes.retain(|n| n.pitch != 65);
    notes.push(note(40, 5.0, 1.0, 90.0));
    run.rewrite(notes);
    run.apply(&Program::parse("D3: v-10\nE1: v+1").unwrap(), &context, random).unwrap();
    let applied = run.finish();
    // D3 twice is as it was; A3 is deleted; F3 went with the text; E1 was written, then changed.
    assert_eq!((applied.notes.len(), applied.transformed, applied.deleted), (3, 1, 1), "{applied:?}");
}

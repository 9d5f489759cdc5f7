//! Values that come to nothing, exact waves, and the order in which merge looks at notes.

use super::*;

#[test]
fn what_has_no_value_changes_nothing_and_is_told() {
    for value in ["50 / (pow(10, 308) * 10)", "clamp(pow(10, 308) * 10, 1, 100)", "0 * (pow(10, 308) * 10)"] {
        let applied = apply(&format!("velocity = {value}"), four());
        assert_eq!(list(applied.notes.iter().map(|n| n.velocity)), "70 80 90 100", "{value}");
        assert_eq!(applied.warnings, ["transforms line 1: a value comes to no finite number"], "{value}");
    }
    // Each note by itself: the first lies before the range of the ramp once it has moved.
    for value in ["snap(curve(20, 120, 0.5))", "clamp(curve(20, 120, 0.5), 1, 100)", "max(1, curve(20, 120, 0.5))"] {
        let applied = apply(&format!("1|2: timing = -5\nvelocity = {value}"), four());
        let moved = applied.notes.iter().find(|n| n.pitch == 65).unwrap();
        assert_eq!((moved.start, moved.velocity), (-5.0, 80.0), "{value}");
        // That there is no scale to snap to is told too.
        let told: Vec<_> = applied.warnings.iter().filter(|warning| !warning.contains("scale is off")).collect();
        assert_eq!(told, ["transforms line 2: a value comes to no finite number"], "{value}");
        assert!(applied.notes.iter().filter(|n| n.pitch != 65).all(|n| n.velocity <= 120.0));
    }
    let applied = apply("1|2: timing = -5\nwhere(!(curve(20, 120, 0.5) < 1000)): v1", four());
    assert_eq!(list(applied.notes.iter().map(|n| n.velocity)), "80 70 90 100");
    assert_eq!(applied.warnings.len(), 1, "{:?}", applied.warnings);
}

#[test]
fn waves_are_exact_at_their_quarters() {
    for (text, velocities) in [
        ("velocity = 60 * sin(1bar)", "60"),
        ("velocity = 60 * cos(1bar)", "60"),
        ("velocity = 60 * sin(-1bar, 0.5)", "60"),
        ("velocity = 60 * cos(n/1, 1)", "60"),
    ] {
        let applied = apply(text, four());
        assert_eq!(
            (list(applied.notes.iter().map(|n| n.velocity)), applied.notes.len()),
            (velocities.to_owned(), 1),
            "{text}"
        );
    }
}

#[test]
fn merge_looks_at_notes_as_they_stand() {
    let two = || vec![note(60, 0.0, 1.0, 10.0), note(60, 2.0, 1.0, 20.0)];
    for (text, after) in [
        ("1|1: timing = 10\nmerge(0)", "60@2+1 20, 60@10+1 10"),
        ("1|1: timing = 10\nmerge()", "60@2+9 20"),
        ("1|1: timing = 3\nmerge(0)", "60@2+2 20"),
        ("merge(n/4)", "60@0+3 10"),
    ] {
        assert_eq!(short(&apply(text, two()).notes), after, "{text}");
    }
}

#[test]
fn positions_of_the_song_are_in_its_meter() {
    let context = |song: &str, at: f64| ClipContext {
        song_meter: song.parse().unwrap(),
        arrangement_position: Some(at),
        ..ClipContext::default()
    };
    // In 3/4 bar 201 begins at 600, in 4/4 bar 151 does.
    for (text, song, pieces) in [
        ("split(201|2, sync)", "3/4", 2),
        ("split(151|2, sync)", "3/4", 1),
        ("split(151|2, sync)", "4/4", 2),
        ("split(1|2)", "3/4", 2),
    ] {
        let long = vec![note(60, 0.0, 4.0, 90.0)];
        assert_eq!(apply_in(&context(song, 600.0), text, long).notes.len(), pieces, "{text} in {song}");
    }
}

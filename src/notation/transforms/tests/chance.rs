//! What a picture shows.

use super::*;

#[test]
fn draws_from_the_seed() {
    let draw = |text: &str, seed| {
        let program = Program::parse(text).unwrap();
        let notes = (0..200).map(|i| note(60, f64::from(i), 1.0, 64.0)).collect();
        program.apply(notes, &ClipContext::default(), &mut Random::from_seed(seed)).unwrap().notes
    };
    let text = "velocity = 64 + 30 * rand()";
    assert_eq!(draw(text, 1), draw(text, 1));
    assert_ne!(draw(text, 1), draw(text, 2));
    for (text, low, high) in [
        (text, 34.0, 94.0),
        ("velocity = rand(50, 60)", 50.0, 60.0),
        ("velocity = random(60, 50)", 50.0, 60.0),
        ("velocity = 1 + rand(9)", 1.0, 10.0),
        ("velocity = choose(5, 9, 7)", 5.0, 9.0),
    ] {
        let found: Vec<f64> = draw(text, 3).iter().map(|n| n.velocity).collect();
        let (min, max) = (found.iter().copied().fold(999.0, f64::min), found.iter().copied().fold(0.0, f64::max));
        assert!(min >= low && max <= high && min < low + 1.0 && max > high - 1.0, "{text}: {min} {max}");
    }
    let mut chosen: Vec<f64> = draw("velocity = choose(5, 9, 7)", 3).iter().map(|n| n.velocity).collect();
    chosen.sort_by(f64::total_cmp);
    chosen.dedup();
    assert_eq!(chosen, [5.0, 7.0, 9.0]);
}

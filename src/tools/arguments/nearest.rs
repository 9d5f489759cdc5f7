//! Which of the known names an unknown one is nearest to, to tell the caller.

use std::collections::HashMap;

/// Names are compared by their first letters.
const LONGEST: usize = 60;

/// Less than this in common is no likeness.
const LEAST: f64 = 0.3;

/// As [`LEAST`], where no word of the two begins alike: ends of words are often the same by chance.
const LEAST_INSIDE: f64 = 0.6;

/// The known name that has most in common with `wanted`; `None` where none has much.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = pairs(wanted);
    let mut best: Option<(&str, f64)> = None;
    for name in known {
        let known = pairs(name);
        let likeness = likeness(&wanted, &known);
        let begins_alike = wanted.keys().any(|pair| pair.0 == ' ' && known.contains_key(pair));
        let least = if begins_alike { LEAST } else { LEAST_INSIDE };
        if likeness >= least && best.is_none_or(|(_, most)| likeness > most) {
            best = Some((name, likeness));
        }
    }
    best.map(|(name, _)| name)
}

/// `; the nearest is "Frequency"`, or nothing.
pub fn hint<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(wanted, known).map_or_else(String::new, |name| format!("; the nearest is \"{name}\""))
}

/// Neighbouring letters and how often they stand together; what is no letter or digit is a gap.
fn pairs(name: &str) -> HashMap<(char, char), usize> {
    let letters = name.chars().take(LONGEST).flat_map(char::to_lowercase);
    let letters = letters.map(|c| if c.is_alphanumeric() { c } else { ' ' });
    let letters: Vec<char> = std::iter::once(' ').chain(letters).chain([' ']).collect();
    let mut pairs = HashMap::new();
    for pair in letters.windows(2) {
        if let [a, b] = pair
            && (*a, *b) != (' ', ' ')
        {
            *pairs.entry((*a, *b)).or_insert(0) += 1;
        }
    }
    pairs
}

/// 0..=1: the share of pairs that both have.
fn likeness(a: &HashMap<(char, char), usize>, b: &HashMap<(char, char), usize>) -> f64 {
    let count = |pairs: &HashMap<_, usize>| pairs.values().sum::<usize>() as f64;
    let both: usize = a.iter().map(|(pair, times)| (*times).min(b.get(pair).copied().unwrap_or(0))).sum();
    let all = count(a) + count(b);
    if all == 0.0 { 0.0 } else { 2.0 * both as f64 / all }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_parts_and_strangers() {
        let known = ["Frequency", "Resonance", "Dry/Wet", "Env. Attack", "LFO Rate", "EQ Eight", "Reverb", "Pe Loop"];
        for (wanted, found) in [
            ("Frequncy", Some("Frequency")),
            ("freq", Some("Frequency")),
            ("dry wet", Some("Dry/Wet")),
            ("Attack", Some("Env. Attack")),
            ("Rate", Some("LFO Rate")),
            ("eq8", Some("EQ Eight")),
            ("revreb", Some("Reverb")),
            ("Gloss", None),
            // An end in common is no likeness.
            ("Nope", None),
            ("Xeverb", Some("Reverb")),
            ("", None),
        ] {
            assert_eq!(nearest(wanted, known), found, "{wanted}");
        }
        assert_eq!(hint("freq", known), "; the nearest is \"Frequency\"");
        assert_eq!(nearest(&"x".repeat(100_000), known), None);
    }
}

//! Finding words that are close to a mistyped or shortened one. See D16 in `docs/decisions.md`.

/// The words of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// How close a word is to the wanted one: 1 when it is the same, 0 when they have nothing to do with each other.
pub fn nearness(wanted: &str, word: &str) -> f32 {
    if wanted == word {
        return 1.0;
    }
    // A number is right or wrong, never close.
    if is_number(wanted) {
        return 0.0;
    }
    if word.contains(wanted) {
        return 0.9;
    }
    let letters = wanted.chars().count();
    let allowed = max_edits(letters);
    if allowed > 0
        && let Some(distance) = edit_distance(wanted, word, allowed)
    {
        return 0.8 - 0.1 * distance as f32;
    }
    if letters >= 3 && is_abbreviation_of(wanted, word) {
        return 0.3 + 0.2 * letters as f32 / word.chars().count().max(1) as f32;
    }
    0.0
}

pub fn is_number(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
}

/// How many letters may be wrong in a word of that many letters.
pub fn max_edits(letters: usize) -> usize {
    match letters {
        ..4 => 0,
        4..8 => 1,
        _ => 2,
    }
}

/// Whether the letters of `short` come in `word` in that order, beginning with the first letter.
fn is_abbreviation_of(short: &str, word: &str) -> bool {
    let mut letters = word.chars();
    let mut wanted = short.chars();
    wanted.next() == letters.next() && wanted.all(|wanted| letters.any(|letter| letter == wanted))
}

/// How many letters must be changed, added, dropped or swapped with a neighbour; `None` when more than `most`.
fn edit_distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if a.chars().count().abs_diff(b.chars().count()) > most {
        return None;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (row, x) in a.iter().enumerate() {
        let mut now = vec![row + 1];
        for (column, y) in b.iter().enumerate() {
            let at = |line: &[usize], column: usize| line.get(column).copied().unwrap_or(usize::MAX / 2);
            let mut cost = (at(&last, column) + usize::from(x != y)).min(at(&last, column + 1) + 1);
            cost = cost.min(at(&now, column) + 1);
            let swapped = row > 0 && column > 0 && a.get(row - 1) == Some(y) && b.get(column - 1) == Some(x);
            if swapped {
                cost = cost.min(at(&before, column - 1) + 1);
            }
            now.push(cost);
        }
        if now.iter().min().is_none_or(|least| *least > most) {
            return None;
        }
        before = std::mem::replace(&mut last, now);
    }
    last.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_near_words_come() {
        for (wanted, word, near) in [
            ("kick", "kick", true),
            ("kikc", "kick", true),
            ("kik", "kick", true),
            ("snre", "snare", true),
            ("tambourin", "tambourine", true),
            ("tambuorien", "tambourine", true),
            ("hat", "hihat", true),
            ("kick", "snare", false),
            ("ick", "kcik", false),
            ("808", "809", false),
            ("12", "120", false),
            ("ab", "axb", false),
            ("clap", "conga", false),
        ] {
            assert_eq!(nearness(wanted, word) > 0.0, near, "{wanted} {word}");
        }
        assert!(nearness("kick", "kick") > nearness("kick", "kicks"));
        assert!(nearness("kick", "kicks") > nearness("kikc", "kick"));
    }

    #[test]
    fn distances() {
        for (a, b, want) in
            [("", "", Some(0)), ("ab", "ba", Some(1)), ("abc", "abd", Some(1)), ("abcd", "badc", Some(2))]
        {
            assert_eq!(edit_distance(a, b, 2), want, "{a} {b}");
        }
        assert_eq!(edit_distance("abcdef", "fedcba", 2), None);
        assert_eq!(edit_distance("a", "abcd", 2), None);
    }
}

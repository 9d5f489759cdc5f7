//! Which of the known words an unknown one was meant to be.

/// Words longer than this are not compared: none that is known comes close.
const LONGEST_WORD: usize = 40;

/// The one known word that `word` is a typo of: at most one letter wrong, missing, added or swapped in words of up to
/// four letters, at most two in longer ones. `None` when none or several qualify, or the word has less than three
/// letters.
pub(super) fn closest_word<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(LONGEST_WORD + 1).flat_map(char::to_lowercase).collect();
    if word.len() < 3 || word.len() > LONGEST_WORD {
        return None;
    }
    let most = if word.len() <= 4 { 1 } else { 2 };
    let mut found = known.into_iter().filter(|name| {
        let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
        name.len().abs_diff(word.len()) <= most && distance(&word, &name) <= most
    });
    let first = found.next();
    if found.next().is_some() { None } else { first }
}

/// How many letters must be changed, added, left out or swapped with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        for (j, to) in b.iter().enumerate() {
            let at = |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
            let mut cost = (at(&row, j) + usize::from(from != to)).min(at(&row, j + 1) + 1).min(at(&next, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(to) && b.get(j - 1) == Some(from);
            if swapped {
                cost = cost.min(at(&before, j - 1) + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_one_word_that_was_meant() {
        let known = ["kick", "snare", "snare2", "hihat", "tom1", "tom2", "melody", "bass"];
        for (word, meant) in [
            ("kikc", Some("kick")),
            ("Kik", Some("kick")),
            ("hi-hat", Some("hihat")),
            ("melodie", Some("melody")),
            ("bas", Some("bass")),
            ("tom", None),
            ("snar", Some("snare")),
            ("ki", None),
            ("cowbell", None),
        ] {
            assert_eq!(closest_word(word, known), meant, "{word}");
        }
        assert_eq!(closest_word(&"a".repeat(100_000), known), None);
    }
}

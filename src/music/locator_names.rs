//! How a moment of the song names a locator: `loc:` and its name, else its id. Everything that reads one reads it here.

use super::{Beats, Meter, position};

/// Locators of one name that a refusal lists.
pub const MOST_NAMESAKES: usize = 5;

/// The text behind `loc:`; `None` where the text names no locator. Blanks at its ends may belong to the name.
pub fn name_in(moment: &str) -> Option<&str> {
    let moment = moment.trim_start();
    moment.strip_prefix("loc:").or_else(|| moment.strip_prefix("locator:"))
}

/// Which of these names are meant, by their places: those that are the text letter for letter; else with its escapes
/// read (`\,`, `\[`, `\]`), else without the blanks at its ends.
pub fn called<'a>(names: impl Iterator<Item = &'a str> + Clone, text: &str) -> Vec<usize> {
    let plain = [",", "[", "]"].iter().fold(text.to_owned(), |text, sign| text.replace(&format!("\\{sign}"), sign));
    let ways: [&dyn Fn(&str) -> bool; 3] =
        [&|own| own == text, &|own| own == plain, &|own| own.trim() == plain.trim() && !own.trim().is_empty()];
    let of_way = |is: &dyn Fn(&str) -> bool| {
        let all = names.clone().enumerate();
        all.filter(|(_, own)| is(own)).map(|(at, _)| at).collect::<Vec<usize>>()
    };
    let found = ways.into_iter().map(of_way).find(|found| !found.is_empty());
    found.unwrap_or_default()
}

/// Refuses a name that several locators have, and lists `first` of them with their ids and positions.
pub fn ambiguous(text: &str, count: usize, first: &[(String, Beats)], meter: Meter) -> String {
    let mut which: Vec<String> =
        first.iter().map(|(id, at)| format!("id {id} at {}", position::format(*at, meter))).collect();
    if first.len() < count {
        which.push("...".to_owned());
    }
    let one = first.first().map_or("", |(id, _)| id.as_str());
    let (text, which) = (text.trim(), which.join(", "));
    format!("{count} locators are called \"{text}\" ({which}); name one by its id, as in loc:{one}")
}

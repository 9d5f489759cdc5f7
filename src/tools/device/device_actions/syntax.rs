//! Call syntax: a name and its arguments, numbers or quoted texts, such as `modulate("Osc 1 Pos", "LFO 1", 0.5)`. The
//! parentheses of a call without arguments may be left out.

/// An action as it was called.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionCall {
    pub name: String,
    pub arguments: Vec<Argument>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// Finite.
    Number(f64),
    Text(String),
}

impl Argument {
    /// A whole number that is exact.
    pub fn whole(&self) -> Option<i64> {
        match self {
            Argument::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => Some(*number as i64),
            _ => None,
        }
    }
}

impl ActionCall {
    pub fn read(text: &str) -> Result<ActionCall, String> {
        let wrong = || {
            format!("\"{text}\" is no call; write a name, with arguments in parentheses, such as reverse or warpAs(4)")
        };
        let trimmed = text.trim();
        let (name, rest) = trimmed.split_once('(').map_or((trimmed, None), |(name, rest)| (name, Some(rest)));
        let name = name.trim();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
            return Err(wrong());
        }
        let arguments = match rest {
            None => Vec::new(),
            Some(rest) => arguments(rest.strip_suffix(')').ok_or_else(wrong)?).ok_or_else(wrong)?,
        };
        Ok(ActionCall { name: name.to_owned(), arguments })
    }
}

fn arguments(list: &str) -> Option<Vec<Argument>> {
    let mut all = Vec::new();
    let mut rest = list.trim();
    if rest.is_empty() {
        return Some(all);
    }
    loop {
        let (argument, after) = one(rest)?;
        all.push(argument);
        match after.trim_start() {
            "" => return Some(all),
            after => rest = after.strip_prefix(',')?.trim_start(),
        }
    }
}

/// An argument, and what follows it.
fn one(text: &str) -> Option<(Argument, &str)> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let mut value = String::new();
        let mut chars = text.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '\\' => value.push(chars.next()?.1),
                c if c == quote => return Some((Argument::Text(value), text.get(at + c.len_utf8()..)?)),
                c => value.push(c),
            }
        }
        return None;
    }
    let end = text.find(',').unwrap_or(text.len());
    let (word, after) = text.split_at_checked(end)?;
    let number = word.trim().parse::<f64>().ok().filter(|n| n.is_finite())?;
    Some((Argument::Number(number), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_as_they_are_written() {
        let number = Argument::Number;
        let text = |t: &str| Argument::Text(t.to_owned());
        for (written, name, arguments) in [
            ("reverse", "reverse", vec![]),
            (" reverse ( ) ", "reverse", vec![]),
            ("warpAs(4)", "warpAs", vec![number(4.0)]),
            ("moveSlice(10, -20.5)", "moveSlice", vec![number(10.0), number(-20.5)]),
            (r#"savePreset("My, \"best\" (one)")"#, "savePreset", vec![text("My, \"best\" (one)")]),
            ("modulate('Osc 1', \"LFO 1\", 1e-1)", "modulate", vec![text("Osc 1"), text("LFO 1"), number(0.1)]),
            ("savePreset(\"é\")", "savePreset", vec![text("é")]),
        ] {
            assert_eq!(ActionCall::read(written), Ok(ActionCall { name: name.to_owned(), arguments }), "{written}");
        }
        for written in [
            "",
            "()",
            "a b",
            "f(",
            "f)",
            "f(1",
            "f(1,)",
            "f(,1)",
            "f(x)",
            "f(\"a)",
            "f(\"a\" 1)",
            "f(1)2",
            "f(inf)",
            "f(\"a\\",
        ] {
            assert!(ActionCall::read(written).is_err_and(|e| e.contains("warpAs(4)")), "{written}");
        }
        assert_eq!(number(4.0).whole(), Some(4));
        assert!([number(4.5), text("4"), number(1e16)].iter().all(|a| a.whole().is_none()));
    }
}

//! Which members of the class table have no behaviour of their own on this host.
//!
//! `data/members.txt` is the whole list, and the only way to be on it is to be written there: a member that has neither
//! behaviour nor a line answers as one that this host cannot do, and a test that walks the table finds it.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How this host answers a member without behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainMember {
    /// Kept and read back, starting from the table's default; nothing else comes of it. The text says why that is
    /// enough.
    Stored(&'static str),
    /// Fails as it does in Live when it cannot: it needs a running Live. The text says for what.
    NeedsLive(&'static str),
}

/// The line of `class`'s own member, or of the class it inherits the member from.
pub fn plain_member(class: &str, member: &str) -> Option<PlainMember> {
    static LINES: LazyLock<HashMap<&'static str, HashMap<&'static str, PlainMember>>> = LazyLock::new(|| {
        let mut lines: HashMap<_, HashMap<_, _>> = HashMap::new();
        for (class, member, plain) in all() {
            lines.entry(class).or_default().insert(member, plain);
        }
        lines
    });
    let mut at = Some(class);
    while let Some(class) = at {
        if let Some(plain) = LINES.get(class).and_then(|members| members.get(member)) {
            return Some(*plain);
        }
        at = crate::object_model::class::parent(class);
    }
    None
}

/// Every line: class, member, how.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str, PlainMember)> {
    include_str!("data/members.txt").lines().filter_map(|line| {
        let mut words = line.splitn(3, ' ');
        let (word, name) = (words.next()?, words.next()?);
        let why = words.next().unwrap_or_default().trim();
        // A view's class has a dot in its name; a member has none.
        let (class, member) = name.rsplit_once('.')?;
        let plain = match word {
            "stored" => PlainMember::Stored(why),
            "live" => PlainMember::NeedsLive(why),
            _ => return None,
        };
        Some((class, member, plain))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object_model::class::class;

    #[test]
    fn every_line_names_a_member_of_the_table_and_a_reason() {
        let text = include_str!("data/members.txt");
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).count();
        assert_eq!(all().count(), lines, "each line is `stored|live Class.member why`");
        for (name, member, plain) in all() {
            let class = class(name).unwrap_or_else(|| panic!("{name} is no class"));
            let property = class.properties.contains_key(member);
            let known = property || class.functions.contains_key(member) || class.children.contains_key(member);
            assert!(known, "{name} has no {member}");
            let (PlainMember::Stored(why) | PlainMember::NeedsLive(why)) = plain;
            assert!(why.len() > 10, "{name}.{member}: why?");
            assert!(property || matches!(plain, PlainMember::NeedsLive(_)), "{name}.{member} is no property to store");
        }
    }

    #[test]
    fn what_is_inherited_is_found() {
        let own = plain_member("Device", "latency_in_ms");
        assert!(own.is_some());
        assert_eq!(plain_member("RackDevice", "latency_in_ms"), own);
        assert_eq!(plain_member("Song", "tempo"), None);
    }
}

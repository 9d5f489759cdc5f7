//! The grammar of one item, a function for each of its productions. One that gives `None` has read nothing; what was
//! meant instead is not asked here.

use super::item::{Item, Position, SpannedItem, Value, Velocity};
use crate::music::Meter;
use crate::music::text::Cursor;
use crate::notation::comments::skip_blanks_and_comments;
use std::ops::Range;

/// Whether the item before the cursor may end here.
pub(super) fn at_boundary(cursor: &Cursor<'_>) -> bool {
    match cursor.peek() {
        None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'#' | b'[') => true,
        Some(b'/') => matches!(cursor.peek_ahead(1), Some(b'/' | b'*')),
        _ => false,
    }
}

/// One item; a list of positions gives several.
pub(super) fn read_item(cursor: &mut Cursor<'_>, meter: Meter, out: &mut Vec<SpannedItem>) -> Option<()> {
    let start = cursor.pos();
    let item = match cursor.peek()? {
        b'@' => copy(cursor)?,
        b'[' => pattern(cursor, meter)?,
        b'0'..=b'9' => {
            let mut ahead = *cursor;
            ahead.digits();
            if ahead.peek() == Some(b'|') {
                return positions(cursor, meter, out);
            }
            Item::Value(read_value(cursor, meter)?)
        }
        _ => Item::Value(read_value(cursor, meter)?),
    };
    out.push(SpannedItem { item, start, end: cursor.pos() });
    Some(())
}

/// What may stand in a pattern.
pub(super) fn read_value(cursor: &mut Cursor<'_>, meter: Meter) -> Option<Value> {
    match cursor.peek()? {
        b'(' => chord(cursor),
        b'v' => velocity(cursor),
        b'p' => probability(cursor),
        b'n' | b'1'..=b'9' => cursor.length(meter).map(Value::Duration),
        _ => cursor.pitch().map(Value::Pitch),
    }
}

fn velocity(cursor: &mut Cursor<'_>) -> Option<Value> {
    cursor.attempt(|c| {
        c.eat("v").then_some(())?;
        let from = c.integer()?;
        let to = c.attempt(|c| if c.eat("-") { c.integer() } else { None });
        Some(Value::Velocity(Velocity { from, to }))
    })
}

fn probability(cursor: &mut Cursor<'_>) -> Option<Value> {
    cursor.attempt(|c| {
        c.eat("p").then_some(())?;
        let start = c.pos();
        // Unlike other decimals, this one may start with its point.
        let read = c.decimal().is_some() || c.eat(".") && !c.digits().is_empty();
        read.then_some(())?;
        c.since(start).parse().ok().map(Value::Probability)
    })
}

fn chord(cursor: &mut Cursor<'_>) -> Option<Value> {
    cursor.attempt(|c| {
        c.eat("(").then_some(())?;
        skip_blanks_and_comments(c);
        let mut pitches = vec![c.pitch()?];
        loop {
            let before = c.pos();
            skip_blanks_and_comments(c);
            if c.eat(")") {
                return Some(Value::Chord(pitches));
            }
            if c.pos() == before {
                return None;
            }
            pitches.push(c.pitch()?);
        }
    })
}

fn pattern(cursor: &mut Cursor<'_>, meter: Meter) -> Option<Item> {
    cursor.attempt(|c| {
        c.eat("[").then_some(())?;
        skip_blanks_and_comments(c);
        let mut values = vec![read_value(c, meter)?];
        loop {
            let before = c.pos();
            skip_blanks_and_comments(c);
            if c.eat("]") {
                return Some(Item::Pattern(values));
            }
            if c.pos() == before {
                return None;
            }
            values.push(read_value(c, meter)?);
        }
    })
}

/// Where one value of a pattern stands that starts at `start` and was read before, by its place among the values.
pub(super) fn pattern_value_span(text: &str, start: usize, index: usize, meter: Meter) -> Range<usize> {
    let mut cursor = Cursor::new(text);
    cursor.seek(start + 1);
    for _ in 0..index {
        skip_blanks_and_comments(&mut cursor);
        let _ = read_value(&mut cursor, meter);
    }
    skip_blanks_and_comments(&mut cursor);
    let from = cursor.pos();
    let _ = read_value(&mut cursor, meter);
    from..cursor.pos()
}

fn copy(cursor: &mut Cursor<'_>) -> Option<Item> {
    cursor.attempt(|c| {
        if c.eat("@clear") {
            return Some(Item::Clear);
        }
        c.eat("@").then_some(())?;
        let range = |c: &mut Cursor<'_>| {
            let first = c.positive_integer()?;
            let last = c.attempt(|c| if c.eat("-") { c.positive_integer() } else { None });
            Some((first, last))
        };
        let into = range(c)?;
        c.eat("=").then_some(())?;
        let from = range(c).map(|(first, last)| (first, last.unwrap_or(first)));
        Some(Item::Copy { into, from })
    })
}

fn positions(cursor: &mut Cursor<'_>, meter: Meter, out: &mut Vec<SpannedItem>) -> Option<()> {
    let start = cursor.pos();
    let mut bar = cursor.bar()?;
    let Some(first) = spot(cursor, bar, meter) else {
        cursor.seek(start);
        return None;
    };
    out.push(SpannedItem { item: Item::Position(first), start, end: cursor.pos() });
    loop {
        let before = cursor.pos();
        cursor.eat_while(b" \t");
        if !cursor.eat(",") {
            cursor.seek(before);
            return Some(());
        }
        let after_comma = cursor.pos();
        cursor.eat_while(b" \t");
        let start = cursor.pos();
        let listed = cursor.attempt(|c| {
            let named = c.bar();
            let entry_bar = named.unwrap_or(bar);
            spot(c, entry_bar, meter).map(|spot| (entry_bar, spot))
        });
        let Some((entry_bar, spot)) = listed else {
            cursor.seek(after_comma);
            return Some(());
        };
        bar = entry_bar;
        out.push(SpannedItem { item: Item::Position(spot), start, end: cursor.pos() });
    }
}

fn spot(cursor: &mut Cursor<'_>, bar: f64, meter: Meter) -> Option<Position> {
    let start = (bar - 1.0) * meter.bar_length() + cursor.beat(meter)?;
    let count = cursor.attempt(|c| if c.eat("x") { c.positive_integer() } else { None });
    let step = match count {
        Some(_) => cursor.attempt(|c| if c.eat("@") { c.length(meter) } else { None }),
        None => None,
    };
    Some(Position { bar, start, count: count.unwrap_or(1.0), step })
}

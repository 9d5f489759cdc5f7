//! The grammar of one item. A reader that gives `None` has read nothing; what was meant instead is not asked here.

use crate::music::text::{Cursor, LARGEST_NUMBER};
use crate::music::{Beats, LONGEST_CLIP_BEATS, Meter};
use crate::notation::MAX_NOTES;
use crate::notation::gap::gap;
use std::ops::Range;

/// A velocity, or the ends of a range as they were written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Velocity {
    pub from: f64,
    pub to: Option<f64>,
}

/// A moment, perhaps repeated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spot {
    /// The bar it was written in, or that the list it stands in was at.
    pub bar: f64,
    /// Quarter beats from 1|1.
    pub start: Beats,
    pub count: f64,
    /// `None`: as long as the notes are.
    pub step: Option<Beats>,
}

/// What a pattern or a chord may hold, and what may stand alone.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Velocity(Velocity),
    /// In quarter beats, perhaps not above 0.
    Duration(Beats),
    Probability(f64),
    Pitch(i32),
    Chord(Vec<i32>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    One(Value),
    /// A cycle; never empty, all of one kind (see [`Value::kind`]).
    Pattern(Vec<Value>),
    Spot(Spot),
    /// The bars written to (one, or a range) and the bars they come from; `None` is the bar before.
    Copy {
        into: (f64, Option<f64>),
        from: Option<(f64, f64)>,
    },
    Clear,
}

/// An item with the bytes it was written in.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Written {
    pub item: Item,
    pub start: usize,
    pub end: usize,
}

/// What is wrong with an item that follows the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    RangeFromZero,
    MixedPattern,
    StepNotAboveZero,
    TooLarge,
    TooFar,
    TooLong,
}

impl Value {
    /// Values of one kind may share a pattern.
    pub fn kind(&self) -> u8 {
        match self {
            Value::Velocity(_) => 0,
            Value::Duration(_) => 1,
            Value::Probability(_) => 2,
            Value::Pitch(_) | Value::Chord(_) => 3,
        }
    }

    pub fn unfit(&self) -> Option<Unfit> {
        match self {
            Value::Velocity(Velocity { from, to: Some(to) }) if *from == 0.0 || *to == 0.0 => {
                Some(Unfit::RangeFromZero)
            }
            Value::Duration(beats) if beats.abs() > LONGEST_CLIP_BEATS => Some(Unfit::TooLong),
            _ => None,
        }
    }
}

impl Written {
    /// What is wrong with the item, which stands in `text`. Of a pattern the first that is wrong.
    pub fn unfit(&self, text: &str) -> Option<Unfit> {
        let counts = match &self.item {
            Item::One(value) => matches!(value, Value::Duration(_)),
            Item::Pattern(values) => matches!(values.first(), Some(Value::Duration(_))),
            Item::Spot(_) | Item::Copy { .. } => true,
            Item::Clear => false,
        };
        if counts && has_huge_number(text.get(self.start..self.end).unwrap_or("")) {
            return Some(Unfit::TooLarge);
        }
        self.item.unfit()
    }
}

impl Item {
    fn unfit(&self) -> Option<Unfit> {
        match self {
            Item::One(value) => value.unfit(),
            Item::Pattern(values) => {
                let kind = values.first().map(Value::kind);
                if values.iter().any(|value| Some(value.kind()) != kind) {
                    return Some(Unfit::MixedPattern);
                }
                values.iter().find_map(Value::unfit)
            }
            Item::Spot(spot) => {
                // More repeats than there may be notes are refused as that.
                let repeats = if spot.count <= MAX_NOTES as f64 { spot.count - 1.0 } else { 0.0 };
                match spot.step {
                    Some(step) if step.is_nan() || step <= 0.0 => Some(Unfit::StepNotAboveZero),
                    step if !is_in_reach(spot.start) || !is_in_reach(spot.start + repeats * step.unwrap_or(0.0)) => {
                        Some(Unfit::TooFar)
                    }
                    _ => None,
                }
            }
            Item::Copy { .. } | Item::Clear => None,
        }
    }
}

fn is_in_reach(beats: Beats) -> bool {
    beats.abs() <= LARGEST_NUMBER
}

/// Whether a whole number above [`LARGEST_NUMBER`] is written somewhere; what follows a point does not count.
pub(super) fn has_huge_number(text: &str) -> bool {
    // Shorter ones cannot be.
    text.len() >= 10
        && text.split(|c: char| !c.is_ascii_digit() && c != '.').any(|number| {
            let whole = number.split('.').next().unwrap_or("").trim_start_matches('0');
            whole.len() >= 10 && whole.parse().is_ok_and(|number: f64| number > LARGEST_NUMBER)
        })
}

/// Whether the item before the cursor may end here.
pub(super) fn at_boundary(cursor: &Cursor<'_>) -> bool {
    match cursor.peek() {
        None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'#' | b'[') => true,
        Some(b'/') => matches!(cursor.peek_ahead(1), Some(b'/' | b'*')),
        _ => false,
    }
}

/// One item; a list of positions gives several.
pub(super) fn item(cursor: &mut Cursor<'_>, meter: Meter, out: &mut Vec<Written>) -> Option<()> {
    let start = cursor.at();
    let item = match cursor.peek()? {
        b'@' => copy(cursor)?,
        b'[' => pattern(cursor, meter)?,
        b'0'..=b'9' => {
            let mut ahead = *cursor;
            ahead.digits();
            if ahead.peek() == Some(b'|') {
                return positions(cursor, meter, out);
            }
            Item::One(value(cursor, meter)?)
        }
        _ => Item::One(value(cursor, meter)?),
    };
    out.push(Written { item, start, end: cursor.at() });
    Some(())
}

/// What may stand in a pattern.
pub(super) fn value(cursor: &mut Cursor<'_>, meter: Meter) -> Option<Value> {
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
        let from = c.whole()?;
        let to = c.attempt(|c| if c.eat("-") { c.whole() } else { None });
        Some(Value::Velocity(Velocity { from, to }))
    })
}

fn probability(cursor: &mut Cursor<'_>) -> Option<Value> {
    cursor.attempt(|c| {
        c.eat("p").then_some(())?;
        let start = c.at();
        // Unlike other decimals, this one may start with its point.
        let read = c.decimal().is_some() || c.eat(".") && !c.digits().is_empty();
        read.then_some(())?;
        c.since(start).parse().ok().map(Value::Probability)
    })
}

fn chord(cursor: &mut Cursor<'_>) -> Option<Value> {
    cursor.attempt(|c| {
        c.eat("(").then_some(())?;
        gap(c);
        let mut pitches = vec![c.pitch()?];
        loop {
            let before = c.at();
            gap(c);
            if c.eat(")") {
                return Some(Value::Chord(pitches));
            }
            if c.at() == before {
                return None;
            }
            pitches.push(c.pitch()?);
        }
    })
}

fn pattern(cursor: &mut Cursor<'_>, meter: Meter) -> Option<Item> {
    cursor.attempt(|c| {
        c.eat("[").then_some(())?;
        gap(c);
        let mut values = vec![value(c, meter)?];
        loop {
            let before = c.at();
            gap(c);
            if c.eat("]") {
                return Some(Item::Pattern(values));
            }
            if c.at() == before {
                return None;
            }
            values.push(value(c, meter)?);
        }
    })
}

/// Where one value of a pattern stands that starts at `start` and was read before, by its place among the values.
pub(super) fn value_in_pattern(text: &str, start: usize, index: usize, meter: Meter) -> Range<usize> {
    let mut cursor = Cursor::new(text);
    cursor.go(start + 1);
    for _ in 0..index {
        gap(&mut cursor);
        let _ = value(&mut cursor, meter);
    }
    gap(&mut cursor);
    let from = cursor.at();
    let _ = value(&mut cursor, meter);
    from..cursor.at()
}

fn copy(cursor: &mut Cursor<'_>) -> Option<Item> {
    cursor.attempt(|c| {
        if c.eat("@clear") {
            return Some(Item::Clear);
        }
        c.eat("@").then_some(())?;
        let range = |c: &mut Cursor<'_>| {
            let first = c.counting()?;
            let last = c.attempt(|c| if c.eat("-") { c.counting() } else { None });
            Some((first, last))
        };
        let into = range(c)?;
        c.eat("=").then_some(())?;
        let from = range(c).map(|(first, last)| (first, last.unwrap_or(first)));
        Some(Item::Copy { into, from })
    })
}

fn positions(cursor: &mut Cursor<'_>, meter: Meter, out: &mut Vec<Written>) -> Option<()> {
    let start = cursor.at();
    let mut bar = cursor.bar()?;
    let Some(first) = spot(cursor, bar, meter) else {
        cursor.go(start);
        return None;
    };
    out.push(Written { item: Item::Spot(first), start, end: cursor.at() });
    loop {
        let before = cursor.at();
        cursor.eat_while(b" \t");
        if !cursor.eat(",") {
            cursor.go(before);
            return Some(());
        }
        let after_comma = cursor.at();
        cursor.eat_while(b" \t");
        let start = cursor.at();
        let listed = cursor.attempt(|c| {
            let named = c.bar();
            let entry_bar = named.unwrap_or(bar);
            spot(c, entry_bar, meter).map(|spot| (entry_bar, spot))
        });
        let Some((entry_bar, spot)) = listed else {
            cursor.go(after_comma);
            return Some(());
        };
        bar = entry_bar;
        out.push(Written { item: Item::Spot(spot), start, end: cursor.at() });
    }
}

fn spot(cursor: &mut Cursor<'_>, bar: f64, meter: Meter) -> Option<Spot> {
    let start = (bar - 1.0) * meter.bar_length() + cursor.beat(meter)?;
    let count = cursor.attempt(|c| if c.eat("x") { c.counting() } else { None });
    let step = match count {
        Some(_) => cursor.attempt(|c| if c.eat("@") { c.length(meter) } else { None }),
        None => None,
    };
    Some(Spot { bar, start, count: count.unwrap_or(1.0), step })
}

//! Numbers as this notation writes them.

use crate::music::text::Cursor;

/// `[-] digits [. digits] [e digits] [/ digits]`; also `.5`. Not finite when divided by zero.
pub(super) fn read_number(cursor: &mut Cursor<'_>) -> Option<f64> {
    cursor.attempt(|c| {
        let start = c.pos();
        c.eat("-");
        let whole = !c.digits().is_empty();
        if c.peek() == Some(b'.') && c.peek_ahead(1).is_some_and(|b| b.is_ascii_digit()) {
            c.eat(".");
            c.digits();
        } else if !whole {
            return None;
        }
        c.attempt(|c| {
            (c.eat("e") || c.eat("E")).then_some(())?;
            let _sign = c.eat("-") || c.eat("+");
            (!c.digits().is_empty()).then_some(())
        });
        let value: f64 = c.since(start).parse().ok()?;
        let ratio = c.attempt(|c| if c.eat("/") { c.integer() } else { None });
        Some(ratio.map_or(value, |below| value / below))
    })
}

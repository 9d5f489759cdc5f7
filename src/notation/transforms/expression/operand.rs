//! Values and calls: what may stand where an operator may not.

use super::diagnose::{glued_to_value, old_period};
use super::reader::{ExpressionReader, Open, ReadResult};
use crate::notation::closest_word::closest_word;
use crate::notation::transforms::code::{FUNCTIONS, Function, Op, VARIABLES, Variable};
use crate::notation::transforms::lexemes::{found_range, length, milliseconds, number, skip_blanks, word};
use crate::notation::transforms::problem::{Finding, OPERATIONS, Problem, properties};
use crate::notation::transforms::suggestions::{property_or_suggestion, suggest_function, suggest_property};

impl ExpressionReader<'_> {
    /// A value, or the start of a call, which still needs one (`false`).
    pub(super) fn operand(&mut self) -> ReadResult<bool> {
        loop {
            skip_blanks(&mut self.cursor);
            let at = self.cursor.pos();
            match self.cursor.peek() {
                Some(b'(') => {
                    self.cursor.skip_char();
                    self.open.push(Open::Group { at });
                }
                Some(b'!') if self.in_where => {
                    self.cursor.skip_char();
                    // With `a > !b` it would compare truth values; that is reported when the operator is carried out.
                    self.open.push(Open::Not(at));
                }
                _ => break,
            }
        }
        let at = self.cursor.pos();
        if let Some(op) = self.literal()? {
            let mut ahead = self.cursor;
            let touching =
                !word(&mut ahead).is_empty() || ahead.peek() == Some(b'|') && ahead.peek_ahead(1) != Some(b'|');
            if touching || old_period(&self.cursor) {
                return Err(glued_to_value(self.cursor, at));
            }
            self.code.push(op);
            self.truths.push(false);
            return Ok(true);
        }
        self.named(at)
    }

    /// A number, note value, bar count or pitch.
    fn literal(&mut self) -> ReadResult<Option<Op>> {
        let at = self.cursor.pos();
        let negative = self.cursor.eat("-");
        let sign = if negative { -1.0 } else { 1.0 };
        let op = length(&mut self.cursor).map(|op| match op {
            Op::NoteValue(beats) => Op::NoteValue(beats * sign),
            Op::Bars(bars) => Op::Bars(bars * sign),
            other => other,
        });
        let op = op.or_else(|| milliseconds(&mut self.cursor).map(|ms| Op::Milliseconds(ms * sign)));
        if let Some(op) = op.or_else(|| number(&mut self.cursor).map(|number| Op::Number(number * sign))) {
            return Ok(Some(op));
        }
        if negative {
            let finding = Finding::new(at..found_range(&self.cursor).end, Problem::Minus);
            // `=- 5` may be a slip of `-= 5`, which is something else.
            let is_apart = matches!(self.cursor.peek(), Some(b' ' | b'\t'));
            return Err(if is_apart { finding } else { finding.replacing(at..at + 1, "-1 * ") });
        }
        let mut ahead = self.cursor;
        if let Some(pitch) = ahead.pitch()
            && !ahead.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'(' | b'.' | b'_'))
        {
            let pitch = u8::try_from(pitch).ok().filter(|pitch| *pitch <= 127);
            let pitch = pitch.ok_or_else(|| Finding::new(at..ahead.pos(), Problem::PitchRange))?;
            self.cursor = ahead;
            return Ok(Some(Op::Pitch(pitch)));
        }
        Ok(None)
    }

    /// A variable or a function.
    fn named(&mut self, at: usize) -> ReadResult<bool> {
        let name = word(&mut self.cursor);
        let range = at..self.cursor.pos();
        if name.is_empty() {
            return Err(self.missing_value(at));
        }
        if self.cursor.peek() == Some(b'.') {
            self.cursor.skip_char();
            let property = word(&mut self.cursor);
            return self.variable(name, property, at);
        }
        if self.cursor.peek() == Some(b'(') {
            let Some((_, function, ..)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
                if let Some((operation, form)) = OPERATIONS.iter().find(|(known, _)| *known == name) {
                    return Err(Finding::new(range, Problem::OperationAsValue(operation, form)));
                }
                let finding = Finding::new(range, Problem::UnknownFunction);
                return Err(match suggest_function(name) {
                    Some(meant) => finding.with_fix(meant),
                    None => finding,
                });
            };
            if self.in_where && matches!(function, Function::Legato | Function::Seq) {
                let name = if *function == Function::Seq { "seq" } else { "legato" };
                return Err(Finding::new(range, Problem::FunctionInWhere(name)));
            }
            self.cursor.skip_char();
            self.open.push(Open::Call {
                function: *function,
                name: range,
                code_at: self.code.len(),
                argument_at: self.code.len(),
                arguments: Vec::new(),
                count: 0,
            });
            let inside = self.cursor;
            skip_blanks(&mut self.cursor);
            if self.cursor.eat(")") {
                self.finish_bracket(false);
                return Ok(true);
            }
            self.cursor = inside;
            return Ok(false);
        }
        Err(self.unknown_name(name, range))
    }

    fn variable(&mut self, namespace: &str, property: &str, at: usize) -> ReadResult<bool> {
        let range = at..self.cursor.pos();
        let known = VARIABLES.iter().find(|(space, name, _)| (*space, *name) == (namespace, property));
        let Some((_, _, variable)) = known else {
            let spaces = [("note", "note"), ("next", "next"), ("clip", "clip"), ("audio", "audio")];
            let Some((_, space)) = spaces.into_iter().find(|(_, space)| space.eq_ignore_ascii_case(namespace)) else {
                let finding = Finding::new(range, Problem::Namespace);
                let meant = closest_word(namespace, spaces.map(|(_, space)| space));
                let meant = meant.and_then(|space| Some((space, property_or_suggestion(space, property)?)));
                return Err(match meant {
                    Some((space, property)) => finding.with_fix(format!("{space}.{property}")),
                    None => finding,
                });
            };
            let finding = Finding::new(range, Problem::Property(space, properties(space)));
            return Err(match suggest_property(space, property) {
                Some(meant) => finding.with_fix(format!("{space}.{meant}")),
                None => finding,
            });
        };
        if self.in_where && !matches!(variable, Variable::Note(_)) {
            return Err(Finding::new(range, Problem::ForbiddenInWhere));
        }
        self.code.push(Op::Variable(*variable));
        self.truths.push(false);
        Ok(true)
    }
}
